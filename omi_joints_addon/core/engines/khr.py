"""What viewers of KHR_physics_rigid_bodies make of a joint: what Havok does with our files.

Measured with Babylon.js 9.34, Havok 1.3.14 and the loader 0.6.0 of the extension's author.
"""

from collections.abc import Iterator

from ..findings.finding import ERROR, INFO, WARNING, Finding, rule
from ..findings.words import axis_name, drive_part, limit_part, shape_of
from ..meaning.recognition import JointKind, joint_kind
from ..model.body import MotionType
from ..model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from ..model.scene import PhysicsScene
from ..rewrite.merging import merged_drives
from . import names
from .animated import FOLLOWED_BY_KHRONOS
from .engine import Engine

_ABOUT_X = (1, 2)
"""Axes of a cone about X, the only one that Havok has."""
_SAME_MASS = 0.02
"""Difference from 1 kg that matters [kg]."""
_MEASURED = "Measured with Babylon.js 9.34, Havok 1.3.14 and the extension author's loader 0.6.0."

NEEDS_KHR = rule(
    "OMI-E201",
    INFO,
    "KHR viewers: they only read KHR_physics_rigid_bodies; export that dialect as well",
    reason="The two extensions share limits and drives, not the way nodes refer to them. "
    "Read in both specifications.",
)
SPLIT_BY_AXIS = rule(
    "OMI-E203",
    WARNING,
    "KHR viewers: Havok gives each axis of limit {number} a range of its own, so {shape} becomes a "
    "box",
    reason="A tube of 0.3 m lets 0.424 m through, a cone about Z of 22.9° 33.9° between its axes. "
    f"{_MEASURED}",
)
HOLE_DROPPED = rule(
    "OMI-E204",
    WARNING,
    "KHR viewers: Havok ignores the hole that the minimum of limit {number} leaves in {shape}",
    reason=f"A cone of 17° to 46° was left at 29°. {_MEASURED}",
)
RIGID_TOGETHER = rule(
    "OMI-E205",
    WARNING,
    "KHR viewers: limit {number} on {shape} is soft, but Havok holds it rigidly",
    reason=f"Its distance and its cone about X take no stiffness. {_MEASURED}",
)
RIGID_LOCK = rule(
    "OMI-E206",
    WARNING,
    "KHR viewers: limit {number} is a soft lock at zero, which Havok holds rigidly",
    reason=f"A limit whose bounds are both zero locks its axis there. {_MEASURED}",
)
LAST_BOUND = rule(
    "OMI-E207",
    WARNING,
    "KHR viewers: the bounds of limit {number} replace those of earlier limits on {axis}",
    reason=f"The loader sets one range for each axis. {_MEASURED}",
)
TOO_FAST = rule(
    "OMI-E208",
    WARNING,
    "KHR viewers: Havok drives {axis} at 2.5 times the velocity target of drive {number}",
    reason="A motor of 1 m/s ran at 2.5 m/s, at 60 steps a second as at 240. " + _MEASURED,
)
OWN_CENTER = rule(
    "OMI-E209",
    WARNING,
    "KHR viewers: drive {number} in acceleration mode uses the inertia about the center of mass; "
    "where the joint is elsewhere it is slower than authored",
    reason=f"1.8° where the specification gives 10.2°. {_MEASURED}",
)
NO_BODY_HERE = rule(
    "OMI-E210",
    ERROR,
    "KHR viewers: the joint's own node is not below a body, so Havok's loader rejects the file; "
    "swap the sides of the joint",
    reason="A joint may be connected to the world, not start there. A static body counts if it has "
    f"a collider. {_MEASURED}",
)
INERTIA_TIMES_MASS = rule(
    "OMI-E212",
    WARNING,
    "KHR viewers: Havok multiplies the inertia of the body by its mass, so that a torque about its "
    "center turns it {times:.3g} times as fast as authored; leave the inertia to the shape",
    reason="Babylon.js takes inertia for a unit mass, and the extension author's loader passes the "
    "inertia of the file as it is: 50 kg on an arm of 0.1 m turned by 10° instead of 86° in 0.2 s. "
    f"{_MEASURED}",
)
DRIVES_MERGED = rule(
    "OMI-E213",
    INFO,
    "KHR viewers: Havok takes the last drive on {axis} alone; the export makes one drive of them",
    reason=f"Two springs came to rest where the second alone has its target. {_MEASURED}",
)
LAST_DRIVE = rule(
    "OMI-E214",
    WARNING,
    "KHR viewers: Havok takes drive {number} alone on {axis}, and the drives there cannot be one: "
    "they have a maximum force or differ in mode",
    reason=f"The loader sets one drive for each axis. {_MEASURED}",
)
OWN_SETTINGS = rule(
    "OMI-E215",
    INFO,
    "KHR viewers: in Babylon.js bodies lose 10 % of their spin in a second and sleep where they "
    "move slower than a few centimeters per second; in Havok friction, rolling and bounces are up "
    "to 5 % off, and springs with little damping are by centimeters in a second",
    reason="Its angular damping is 0.1 by default, and a body at 13 mm/s stopped after 0.02 s. A "
    "box with a friction of 0.3 on 20° slid 30 cm instead of 22 in a second. "
    f"{_MEASURED}",
)


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    for index, limit in enumerate(settings.limits):
        yield from _check_limit(limit, index)
    yield from _check_bounds(settings)
    for index, drive in enumerate(settings.drives):
        yield from _check_drive(drive, index)
    yield from _check_several(settings)


def _check_limit(limit: JointLimit, index: int) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    is_soft, is_zero = not limit.is_rigid, limit.min == limit.max == 0.0
    for is_angular, axes in limit.parts():
        shape = shape_of(axes, is_angular=is_angular)
        is_whole = axes == _ABOUT_X if is_angular else len(axes) == 3
        if is_soft and (is_whole or (is_angular and len(axes) == 3)):
            yield RIGID_TOGETHER("", part, number=number, shape=shape)
        elif is_soft and is_zero:
            yield RIGID_LOCK("", part, number=number)
        if len(axes) > 1 and not is_zero and not is_whole:
            yield SPLIT_BY_AXIS("", part, number=number, shape=shape)
        if len(axes) > 1 and limit.min > 0.0 and (is_angular or len(axes) == 2):
            yield HOLE_DROPPED("", part, number=number, shape=shape)


def _check_bounds(settings: JointSettings) -> Iterator[Finding]:
    """Yield limits with a bound on an axis that is wider than that of a limit before."""
    bounds: dict[tuple[bool, int], tuple[float, float]] = {}
    for index, limit in enumerate(settings.limits):
        for key in _axes_of(limit):
            lower, upper = bounds.get(key, (limit.min, limit.max))
            if lower > limit.min or upper < limit.max:
                axis = axis_name(key[1], is_angular=key[0])
                yield LAST_BOUND("", limit_part(index), number=index + 1, axis=axis)
            bounds[key] = limit.min, limit.max


def _axes_of(limit: JointLimit) -> list[tuple[bool, int]]:
    """Return the axes with a range of their own, and whether each is angular."""
    linear = limit.linear_axes if len(limit.linear_axes) < 3 else ()
    return [(False, axis) for axis in linear] + [(True, axis) for axis in limit.angular_axes]


def _check_drive(drive: JointDrive, index: int) -> Iterator[Finding]:
    part, number = drive_part(index), index + 1
    is_angular = drive.type == DriveType.ANGULAR
    if drive.velocity_target and drive.damping > 0.0:
        axis = axis_name(drive.axis, is_angular=is_angular)
        yield TOO_FAST("", part, number=number, axis=axis)
    if is_angular and drive.mode == DriveMode.ACCELERATION:
        yield OWN_CENTER("", part, number=number)


def _check_several(settings: JointSettings) -> Iterator[Finding]:
    """Yield axes with several drives, by whether these can be one."""
    merged = [(drive.type, drive.axis) for drive in merged_drives(settings.drives)]
    seen: set[tuple[str, int]] = set()
    for index, drive in enumerate(settings.drives):
        key = drive.type, drive.axis
        axis = axis_name(drive.axis, is_angular=drive.type == DriveType.ANGULAR)
        if key in seen and merged.count(key) > 1:
            yield LAST_DRIVE("", drive_part(index), number=index + 1, axis=axis)
        elif key in seen:
            yield DRIVES_MERGED("", drive_part(index), axis=axis)
        seen.add(key)


def _check_bodies(scene: PhysicsScene) -> Iterator[Finding]:
    for node, motion in scene.motions.items():
        is_given = scene.is_dynamic(node) and all(value > 0.0 for value in motion.inertia_diagonal)
        if is_given and motion.mass > 0.0 and abs(motion.mass - 1.0) > _SAME_MASS:
            yield INERTIA_TIMES_MASS(scene.place_of(node), times=1.0 / motion.mass)
    if scene.are_dynamic().any():
        yield OWN_SETTINGS()


def _check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    if scene.joints:
        yield NEEDS_KHR(scene.joints[0].place)
    moving = (MotionType.DYNAMIC, MotionType.KINEMATIC)
    bodies = {node for node, motion in scene.motions.items() if motion.type in moving}
    bodies |= scene.colliders.keys()
    for joint in scene.joints:
        if not _is_below(joint.node, bodies, scene):
            yield NO_BODY_HERE(joint.place)
    yield from _check_bodies(scene)


def _is_below(node: int, bodies: set[int], scene: PhysicsScene) -> bool:
    while node >= 0 and node not in bodies:
        node = int(scene.parents[node])
    return node >= 0


def _best_axis(settings: JointSettings) -> int | None:
    is_rigid = all(limit.is_rigid for limit in settings.limits)
    return 0 if joint_kind(settings) == JointKind.BALL_WITH_CONE and is_rigid else None


KHR = Engine(
    **names.KHR._asdict(),
    becomes=lambda _settings: "KHR joint",
    check_settings=_check_settings,
    check_scene=_check_scene,
    best_axis=_best_axis,
    animated=(FOLLOWED_BY_KHRONOS,),
)
