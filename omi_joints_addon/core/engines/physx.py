"""What engines built on PhysX make of a joint, given to them as UsdPhysics.

Measured with ovphysx 0.7.0 on the CPU, or read in the documentation of PxD6Joint.
"""

import math
from collections.abc import Iterator

from ..findings.finding import INFO, WARNING, Finding, rule
from ..findings.words import amount, axis_name, drive_part, limit_part, shape_of
from ..meaning.axes import JointAxes, joint_axes
from ..meaning.recognition import JointKind, joint_kind, main_axis_of
from ..model.axes import AXIS_LETTERS, remaining_axis
from ..model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from . import names
from .animated import NOT_KNOWN
from .engine import Engine
from .physx_scene import check_physx_scene

_X, _Y, _Z = range(3)
_D6 = "PxD6Joint"
_CLASSES: dict[tuple[JointKind, int | None], str] = {
    (JointKind.FIXED, None): "PxFixedJoint",
    (JointKind.PIN, None): "PxSphericalJoint",
    **{(JointKind.HINGE, axis): "PxRevoluteJoint" for axis in (_X, _Y, _Z)},
    **{(JointKind.SLIDER, axis): "PxPrismaticJoint" for axis in (_X, _Y, _Z)},
}
"""UsdPhysics names the axis of a joint, so that it need not be X."""
_ABOUT_X = (JointKind.CYLINDRICAL, JointKind.BALL_WITH_CONE)
_NOTICED = 0.01
"""Part of a spring's torque that matters."""
_MEASURED = "Measured with ovphysx 0.7.0."
_READ = "Read in the documentation of PhysX 5."

CONE_ACROSS = rule(
    "OMI-E302",
    INFO,
    "PhysX: a cone opens along X only; this one is about {axis}, which works if its frames are "
    "turned, as the USD export does",
    reason="PxD6Joint: the swing limit is a cone about X; Y and Z each have a range of their own. "
    f"{_MEASURED}",
)
NO_EQUAL = rule(
    "OMI-E303",
    WARNING,
    "PhysX: limit {number} on {shape} has no equivalent; each axis gets a range of its own",
    reason="PxD6Joint: angular limits are for one axis each, except the cone about X. " + _MEASURED,
)
HOLE_DROPPED = rule(
    "OMI-E304",
    WARNING,
    "PhysX: limit {number} has a minimum of {lower}, which leaves a hole; the minimum is ignored",
    reason=f"PxD6Joint: a limit over several axes has a maximum only. {_MEASURED}",
)
SINE_LAW = rule(
    "OMI-E305",
    WARNING,
    "PhysX: the angular spring of drive {number} grows with the sine of half the error, so it is "
    "{percent:.0f} % weaker than authored at {angle} from its target",
    reason=f"PxD6Joint: the torque is k·2·sin(e/2) instead of k·e. {_MEASURED}",
)
OWN_CENTER = rule(
    "OMI-E306",
    WARNING,
    "PhysX: drive {number} in acceleration mode uses the inertia about the center of mass; "
    "where the joint is elsewhere it is slower than authored",
    reason=f"The specification's inertia is that about the joint. {_MEASURED}",
)
OPEN_BOUND = rule(
    "OMI-E307",
    INFO,
    "PhysX: limit {number} has only one bound, which is not enforced on {axis} unless the other "
    "one is {far}, as the USD export writes it",
    reason=f"An infinite bound disables the other one. {_MEASURED}",
)
FREE_SWING = rule(
    "OMI-E308",
    WARNING,
    "PhysX: {limited} is limited and {free} is free, which PhysX rejects, so nothing is limited; "
    "give {free} a limit of ±179°",
    reason=f"PxD6Joint: an error in every step, and no limit at all. {_MEASURED}",
)
TUBE_NOT_IN_USD = rule(
    "OMI-E309",
    WARNING,
    "PhysX: limit {number} on {shape} cannot be expressed in UsdPhysics; "
    "each axis gets a range of its own",
    reason="PxD6Joint has such a limit, UsdPhysics has the one over three axes only. "
    "Read in the schema of UsdPhysics.",
)
DISTANCE_TOLERANCE = rule(
    "OMI-E311",
    WARNING,
    "PhysX: limit {number} on a distance gives way by up to 2.5 cm before it holds",
    reason=f"PxDistanceJoint has a tolerance of 0.025 m. {_MEASURED}",
)
PYRAMID = rule(
    "OMI-E310",
    INFO,
    "PhysX: limits about Y and about Z form a pyramid, which matches only on the axes",
    reason=f"PxD6Joint measures swing by 4·atan2(s, 1 + w), the specification by twist. {_READ}",
)


def _becomes(settings: JointSettings) -> str:
    kind = joint_kind(settings), main_axis_of(settings)
    is_turning = kind[0] == JointKind.SLIDER and not joint_axes(settings).angular[_X].is_locked
    return _D6 if settings.drives or is_turning else _CLASSES.get(kind, _D6)


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    for index, limit in enumerate(settings.limits):
        for is_angular, axes in limit.parts():
            if len(axes) > 1 and not limit.min == limit.max == 0.0:
                yield from _check_several(settings, index, axes, is_angular=is_angular)
            elif len(axes) == 1:
                yield from _check_open(limit, index, axes[0], is_angular=is_angular)
    yield from _check_swing(joint_axes(settings))
    for index, drive in enumerate(settings.drives):
        yield from _check_drive(settings, drive, index)


def _check_several(
    settings: JointSettings, index: int, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[Finding]:
    limit = settings.limits[index]
    part, number = limit_part(index), index + 1
    shape = shape_of(axes, is_angular=is_angular)
    if not is_angular and len(axes) == 3:
        if all(axis.is_free for axis in joint_axes(settings).angular):
            yield DISTANCE_TOLERANCE("", part, number=number)
    elif limit.min > 0.0:
        yield HOLE_DROPPED("", part, number=number, lower=amount(limit.min, is_angular=is_angular))
    if is_angular and len(axes) == 3:
        yield NO_EQUAL("", part, number=number, shape=shape)
    elif is_angular and axes != (_Y, _Z):
        yield CONE_ACROSS("", part, axis=AXIS_LETTERS[remaining_axis(axes)])
    elif not is_angular and len(axes) == 2:
        yield TUBE_NOT_IN_USD("", part, number=number, shape=shape)


def _check_open(limit: JointLimit, index: int, axis: int, *, is_angular: bool) -> Iterator[Finding]:
    """Yield a limit with one bound, but about X, where that is enforced."""
    if math.isinf(limit.min) == math.isinf(limit.max) or (is_angular and axis == _X):
        return
    name = axis_name(axis, is_angular=is_angular)
    far = "179°" if is_angular else "1,000 km"
    yield OPEN_BOUND("", limit_part(index), number=index + 1, axis=name, far=far)


def _check_swing(axes: JointAxes) -> Iterator[Finding]:
    """Yield what ranges about Y and Z of their own come to."""
    swings = {axis: axes.angular[axis] for axis in (_Y, _Z)}
    if any(swing.is_shared for swing in swings.values()):
        return
    bounded = [axis for axis, swing in swings.items() if swing.is_bounded]
    free = [axis for axis, swing in swings.items() if swing.is_free]
    if len(bounded) == 2:
        yield PYRAMID()
    elif bounded and free:
        limited, open_ = (axis_name(axis, is_angular=True) for axis in (bounded[0], free[0]))
        yield FREE_SWING(limited=limited, free=open_)


def _check_drive(settings: JointSettings, drive: JointDrive, index: int) -> Iterator[Finding]:
    if drive.type != DriveType.ANGULAR:
        return
    part, number = drive_part(index), index + 1
    if drive.position_target is not None and drive.stiffness > 0.0:
        error = _largest_error(settings, drive.axis, drive.position_target)
        weaker = 1.0 - math.sin(error / 2.0) / (error / 2.0) if error else 0.0
        if weaker > _NOTICED:
            angle = amount(error, is_angular=True)
            yield SINE_LAW("", part, number=number, percent=100.0 * weaker, angle=angle)
    if drive.mode == DriveMode.ACCELERATION:
        yield OWN_CENTER("", part, number=number)


def _largest_error(settings: JointSettings, axis: int, target: float) -> float:
    """Return how far from its target an axis can be turned, at most half a turn [rad]."""
    own = joint_axes(settings).angular[axis].own
    return min(math.pi, max(abs(own.min - target), abs(own.max - target)))


def _best_axis(settings: JointSettings) -> int | None:
    return _X if joint_kind(settings) in _ABOUT_X else None


PHYSX = Engine(
    **names.PHYSX._asdict(),
    becomes=_becomes,
    check_settings=_check_settings,
    check_scene=check_physx_scene,
    best_axis=_best_axis,
    animated=(NOT_KNOWN,),
)
