"""What Newton makes of a scene, given to it as UsdPhysics.

Measured with Newton 1.8.0: its importer reads stages, its SolverMuJoCo moves them.
"""

import math
from collections.abc import Iterator

from ..findings.finding import ERROR, WARNING, Finding, rule
from ..findings.words import axis_name, drive_part, limit_part, shape_of
from ..meaning.axes import joint_axes
from ..meaning.recognition import JointKind, joint_kind
from ..model.axes import AXIS_LETTERS
from ..model.graph import articulated_bodies, child_first_joints, joint_ends, spanning_tree
from ..model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from ..model.scene import PhysicsScene
from ..rewrite.merging import merged_drives
from ..rewrite.swap import SwapError, swapped_settings
from . import names
from .animated import NOT_KNOWN
from .engine import Engine
from .frame_gaps import frame_gaps
from .newton_scene import check_newton_scene
from .physx_scene import check_roots

_MEASURED = "Measured with the importer of Newton 1.8.0."
_SOLVED = "Measured with Newton 1.8.0 and its solver SolverMuJoCo."

REVERSED = rule(
    "OMI-U060",
    ERROR,
    "Newton: the joint node is on the side away from the articulation root, and its ends cannot "
    "change places: {problem}",
    reason=f"The importer rejects reversed joints; the USD export swaps the others. {_MEASURED}",
)
LOOP = rule(
    "OMI-U061",
    ERROR,
    "Newton: the joint closes a loop of an articulation; turn off In Articulation under More",
    reason=f"The importer rejects a cycle of joints. {_MEASURED}",
)
REBOUNDS = rule(
    "OMI-E601",
    WARNING,
    "Newton: bodies rebound from limit {number} for seconds; raise limit_kd of the builder's "
    "default_joint_cfg",
    reason=f"Limits are springs of 10,000 with a damping of 10 there. {_SOLVED}",
)
SOFTNESS_DROPPED = rule(
    "OMI-E602",
    WARNING,
    "Newton: stiffness and damping of limit {number} are not read",
    reason=f"All limits have those of the builder's default_joint_cfg. {_SOLVED}",
)
LOCKED_ELSEWHERE = rule(
    "OMI-E603",
    ERROR,
    "Newton: {axis} is locked elsewhere than at zero: the solver rejects the scene, or holds the "
    "axis at zero; move the zero of the joint there",
    reason=f"A range without width is an error, or a lock at zero beside free axes. {_SOLVED}",
)
CONE_DROPPED = rule(
    "OMI-E604",
    WARNING,
    "Newton: the cone of limit {number} is not read, so the joint turns freely",
    reason=f"A PhysicsSphericalJoint becomes a ball without limits. {_SOLVED}",
)
SPLIT_BY_AXIS = rule(
    "OMI-E605",
    WARNING,
    "Newton: each axis of limit {number} gets a range of its own, so {shape} becomes a box",
    reason=f"UsdPhysics has no other way to express it. {_SOLVED}",
)
NO_DISTANCE = rule(
    "OMI-E606",
    ERROR,
    "Newton: limit {number} bounds a distance, and the solver rejects scenes with such joints",
    reason=f"Joint type 5 is not supported yet. {_SOLVED}",
)
VELOCITY_DROPPED = rule(
    "OMI-E607",
    WARNING,
    "Newton: drive {number} has a position and a velocity target, of which the importer takes the "
    "position only, unless it is called with force_position_velocity_actuation=True",
    reason=f"A spring with a target of 0.5 m/s came to rest without it. {_SOLVED}",
)
TAKEN_AS_FORCE = rule(
    "OMI-E608",
    WARNING,
    "Newton: drive {number} in acceleration mode is taken as a force",
    reason=f"The importer does not read the type of a drive. {_SOLVED}",
)
WEAKER = rule(
    "OMI-E609",
    WARNING,
    "Newton: drive {number} pushes with less than its maximum force where its damping in one step "
    "exceeds the mass that it moves",
    reason="With 2 N, a damping of 10,000 N·s/m and steps of 1/960 s, 1 kg had 9 % of its "
    f"acceleration. {_SOLVED}",
)
STARTS_AT_ZERO = rule(
    "OMI-E610",
    WARNING,
    "Newton: the frames of the joint are {gap} apart, but Newton moves its bodies to where the "
    "joint is at zero; start there, or give SchemaResolverPhysx to add_usd, which reads the state "
    "of joints with one axis",
    reason=f"The importer does not take positions of joints from the poses of bodies. {_MEASURED}",
)
SUCCESSIVE = rule(
    "OMI-E611",
    WARNING,
    "Newton: the joint turns about {axes} one after the other, so the axes of the later turns "
    "are elsewhere once the first has turned",
    reason="A joint with two angular axes becomes successive hinges, while the specification "
    f"measures each axis by itself. {_SOLVED}",
)
DRIVES_MERGED = rule(
    "OMI-E622",
    WARNING,
    "Newton: the drives on {axis} have a position and a velocity target together, of which the "
    "importer takes the position only, unless it is called with "
    "force_position_velocity_actuation=True",
    reason="The USD export makes one drive of those on one axis. A spring beside a motor of "
    f"0.6 m/s came to rest as if there were no motor. {_SOLVED}",
)


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    turning = [limit for limit in settings.limits if limit.angular_axes]
    is_ball = joint_kind(settings) == JointKind.BALL_WITH_CONE and not settings.drives
    for index, limit in enumerate(settings.limits):
        if is_ball and turning == [limit] and limit.min <= 0.0:
            yield CONE_DROPPED("", limit_part(index), number=index + 1)
        else:
            yield from _check_limit(limit, index)
    yield from _check_turns(settings)
    for index, drive in enumerate(settings.drives):
        yield from _check_drive(drive, index)
    for drive in merged_drives(settings.drives):
        is_new = drive not in settings.drives
        if is_new and drive.position_target is not None and drive.velocity_target:
            is_angular = drive.type == DriveType.ANGULAR
            yield DRIVES_MERGED("", axis=axis_name(drive.axis, is_angular=is_angular))


def _check_turns(settings: JointSettings) -> Iterator[Finding]:
    """Yield that several angular axes become hinges, but where all three are free."""
    turns = [
        (letter, axis)
        for letter, axis in zip(AXIS_LETTERS, joint_axes(settings).angular, strict=True)
        if not axis.own.is_locked
    ]
    is_free = len(turns) == 3 and all(axis.is_free and not axis.drives for _, axis in turns)
    if len(turns) > 1 and not is_free and joint_kind(settings) != JointKind.BALL_WITH_CONE:
        yield SUCCESSIVE(axes=", ".join(letter for letter, _ in turns))


def _check_limit(limit: JointLimit, index: int) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    if not limit.is_rigid:
        yield SOFTNESS_DROPPED("", part, number=number)
    elif limit.min < limit.max and len(limit.linear_axes) < 3 and _is_bounded(limit):
        yield REBOUNDS("", part, number=number)
    for is_angular, axes in limit.parts():
        if len(axes) == 1 and limit.min == limit.max != 0.0:
            yield LOCKED_ELSEWHERE("", part, axis=axis_name(axes[0], is_angular=is_angular))
        elif len(axes) == 3 and not is_angular and limit.max > 0.0:
            yield NO_DISTANCE("", part, number=number)
        elif len(axes) > 1 and limit.max > 0.0:
            shape = shape_of(axes, is_angular=is_angular)
            yield SPLIT_BY_AXIS("", part, number=number, shape=shape)


def _is_bounded(limit: JointLimit) -> bool:
    return min(abs(limit.min), abs(limit.max)) < math.inf


def _check_drive(drive: JointDrive, index: int) -> Iterator[Finding]:
    part, number = drive_part(index), index + 1
    if drive.position_target is not None and drive.velocity_target and drive.stiffness > 0.0:
        yield VELOCITY_DROPPED("", part, number=number)
    if drive.mode == DriveMode.ACCELERATION:
        yield TAKEN_AS_FORCE("", part, number=number)
    if math.isfinite(drive.max_force) and drive.damping > 0.0:
        yield WEAKER("", part, number=number)


def _check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what is lost of bodies and surfaces, and what the importer rejects of articulations."""
    yield from check_newton_scene(scene)
    if not scene.articulations:
        return
    for number, gap in frame_gaps(scene):
        yield STARTS_AT_ZERO(scene.joint_place(number), gap=gap)
    yield from check_roots(scene)
    for number in child_first_joints(scene):
        try:
            swapped_settings(scene.joints[number].settings)
        except SwapError as error:
            yield REVERSED(scene.joints[number].place, problem=str(error))
    inside, pairs = articulated_bodies(scene), joint_ends(scene).pairs()
    for number in spanning_tree(scene).loops:
        joint = scene.joints[number]
        if joint.attributes.in_articulation and inside.issuperset(pairs[number]):
            yield LOOP(joint.place)


NEWTON = Engine(
    **names.NEWTON._asdict(),
    becomes=lambda settings: joint_kind(settings).label,
    check_settings=_check_settings,
    check_scene=_check_scene,
    animated=(NOT_KNOWN,),
)
