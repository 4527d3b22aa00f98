"""What KHR viewers and engines built on PhysX or Bullet make of a joint.

From the documentation of their joint classes; which engine uses which of them is its own choice.
"""

from collections.abc import Iterator

from ..findings.finding import INFO, WARNING, Finding, rule
from ..findings.words import amount, drive_part, limit_part
from ..meaning.recognition import JointKind, axis_ranges, joint_kind, main_axis_of
from ..model.axes import AXIS_LETTERS
from ..model.joint import DriveMode, JointLimit, JointSettings
from .godot import shape_of

_X, _Y, _Z = range(3)
_D6, _SPRING2 = "PxD6Joint", "btGeneric6DofSpring2Constraint"
_PHYSX = {
    (JointKind.FIXED, None): "PxFixedJoint",
    (JointKind.PIN, None): "PxSphericalJoint",
    (JointKind.HINGE, _X): "PxRevoluteJoint",
    (JointKind.SLIDER, _X): "PxPrismaticJoint",
}
_BULLET = {
    (JointKind.FIXED, None): "btFixedConstraint",
    (JointKind.PIN, None): "btPoint2PointConstraint",
    (JointKind.HINGE, _Z): "btHingeConstraint",
    (JointKind.SLIDER, _X): "btSliderConstraint",
    (JointKind.BALL_WITH_CONE, _X): "btConeTwistConstraint",
}


NEEDS_KHR = rule(
    "OMI-E201",
    INFO,
    "KHR viewers: they read KHR_physics_rigid_bodies only; export that form as well",
    reason="The two extensions share limits and drives, not how nodes refer to them.",
)
MIXED_AXES = rule(
    "OMI-E202",
    WARNING,
    "KHR viewers: limit {number} names linear and angular axes, which is not valid there; "
    "split it in two",
    reason="KHR_physics_rigid_bodies: a limit has either linear or angular axes.",
)
NATIVE_ABOUT_X = rule(
    "OMI-E301",
    INFO,
    "PhysX: a {kind} is native about X only; here it becomes a D6 joint, which works",
    reason="PxRevoluteJoint and PxPrismaticJoint use the X axis of their frames.",
)
CONE_ACROSS = rule(
    "OMI-E302",
    WARNING,
    "PhysX: a cone about {axis} is not possible; turn the frames so that it opens along X",
    reason="PxD6Joint: the swing limit is a cone about X, Y and Z each have a range of their own.",
)
NO_EQUAL = rule(
    "OMI-E303",
    WARNING,
    "PhysX: limit {number} on {shape} has no equal; each axis gets a range of its own",
    reason="PxD6Joint: linear and angular limits are for one axis each, but the cone about X and "
    "the distance on all free axes.",
)
HOLE_DROPPED = rule(
    "OMI-E304",
    WARNING,
    "PhysX: limit {number} has a minimum of {lower}, which leaves a hole; it is dropped",
    reason="PxD6Joint: a limit over several axes has a maximum only.",
)
BECOMES_BOX = rule(
    "OMI-E401",
    WARNING,
    "Bullet: limit {number} on {shape} becomes a box, a range for each axis",
    reason="btGeneric6DofSpring2Constraint limits each axis; btConeTwistConstraint needs all "
    "linear axes fixed and the cone about X.",
)
RIGID_IN_BULLET = rule(
    "OMI-E402",
    WARNING,
    "Bullet: limit {number} is soft, which Bullet's limits are not; the bound is rigid",
    reason="btGeneric6DofSpring2Constraint: limits have restitution and error correction only.",
)
FORCE_IN_BULLET = rule(
    "OMI-E403",
    WARNING,
    "Bullet: drive {number} in acceleration mode is used as a force",
    reason="Motors and springs of btGeneric6DofSpring2Constraint are in newtons.",
)
EULER_ORDER = rule(
    "OMI-E404",
    WARNING,
    "Bullet: rotation is free about all axes; the range about Y must stay within 90°",
    reason="btGeneric6DofSpring2Constraint decomposes the rotation into Euler angles.",
)


def khr_class(_settings: JointSettings) -> str:
    """Return what a joint is called in KHR_physics_rigid_bodies."""
    return "KHR joint"


def physx_class(settings: JointSettings) -> str:
    """Return the joint class of PhysX that holds the settings."""
    kind = joint_kind(settings), main_axis_of(settings)
    is_turning = kind[0] == JointKind.SLIDER and not axis_ranges(settings).angular[_X].is_locked
    return _D6 if settings.drives or is_turning else _PHYSX.get(kind, _D6)


def bullet_class(settings: JointSettings) -> str:
    """Return the constraint class of Bullet that holds the settings."""
    if settings.drives:
        return _SPRING2
    return _BULLET.get((joint_kind(settings), main_axis_of(settings)), _SPRING2)


def check_khr(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong or is lost in viewers of KHR_physics_rigid_bodies."""
    yield NEEDS_KHR()
    for index, limit in enumerate(settings.limits):
        if limit.linear_axes and limit.angular_axes:
            yield MIXED_AXES("", limit_part(index), number=index + 1)


def check_physx(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong or is lost in PhysX."""
    kind, axis = joint_kind(settings), main_axis_of(settings)
    if kind in (JointKind.HINGE, JointKind.SLIDER) and axis != _X:
        yield NATIVE_ABOUT_X("", kind=kind.label.lower())
    for index, limit in enumerate(settings.limits):
        for is_angular, axes in ((False, limit.linear_axes), (True, limit.angular_axes)):
            if len(axes) > 1 and not _is_zero(limit):
                yield from _check_physx_axes(limit, index, axes, is_angular=is_angular)


def check_bullet(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong or is lost in Bullet."""
    is_cone = bullet_class(settings) == "btConeTwistConstraint"
    for index, limit in enumerate(settings.limits):
        part, number = limit_part(index), index + 1
        for is_angular, axes in ((False, limit.linear_axes), (True, limit.angular_axes)):
            if len(axes) > 1 and not _is_zero(limit) and not (is_cone and axes == (_Y, _Z)):
                shape = shape_of(axes, is_angular)
                yield BECOMES_BOX("", part, number=number, shape=shape)
        if not limit.is_rigid:
            yield RIGID_IN_BULLET("", part, number=number)
    for index, drive in enumerate(settings.drives):
        if drive.mode == DriveMode.ACCELERATION:
            yield FORCE_IN_BULLET("", drive_part(index), number=index + 1)
    moving = [a for a, turn in enumerate(axis_ranges(settings).angular) if not turn.is_locked]
    if bullet_class(settings) == _SPRING2 and len(moving) == 3:
        yield EULER_ORDER()


def _check_physx_axes(
    limit: JointLimit, index: int, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    if limit.min > 0.0:
        lower = amount(limit.min, is_angular=is_angular)
        yield HOLE_DROPPED("", part, number=number, lower=lower)
    if is_angular and len(axes) == 2:
        if axes != (_Y, _Z):
            yield CONE_ACROSS("", part, axis=AXIS_LETTERS[3 - sum(axes)])
    elif is_angular:
        words: dict[str, str | float] = {"number": number, "shape": shape_of(axes, is_angular)}
        yield NO_EQUAL("", part, **words)


def _is_zero(limit: JointLimit) -> bool:
    return limit.min == limit.max == 0.0
