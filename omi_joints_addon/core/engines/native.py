"""What KHR viewers and engines built on PhysX or Bullet make of a joint.

From the documentation of their joint classes; which engine uses which of them is its own choice.
"""

from collections.abc import Iterator

from ..checks.settings import amount, drive_part, limit_part
from ..findings.finding import Finding, finding
from ..meaning.description import AXIS_LETTERS
from ..meaning.recognition import JointKind, axis_ranges, joint_kind, main_axis_of
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
    yield finding("OMI-E201", "")
    for index, limit in enumerate(settings.limits):
        if limit.linear_axes and limit.angular_axes:
            yield finding("OMI-E202", "", limit_part(index), number=index + 1)


def check_physx(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong or is lost in PhysX."""
    kind, axis = joint_kind(settings), main_axis_of(settings)
    if kind in (JointKind.HINGE, JointKind.SLIDER) and axis != _X:
        yield finding("OMI-E301", "", kind=kind.label.lower())
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
                yield finding("OMI-E401", "", part, number=number, shape=shape)
        if not limit.is_rigid:
            yield finding("OMI-E402", "", part, number=number)
    for index, drive in enumerate(settings.drives):
        if drive.mode == DriveMode.ACCELERATION:
            yield finding("OMI-E403", "", drive_part(index), number=index + 1)
    moving = [a for a, turn in enumerate(axis_ranges(settings).angular) if not turn.is_locked]
    if bullet_class(settings) == _SPRING2 and len(moving) == 3:
        yield finding("OMI-E404", "")


def _check_physx_axes(
    limit: JointLimit, index: int, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    if limit.min > 0.0:
        lower = amount(limit.min, is_angular=is_angular)
        yield finding("OMI-E304", "", part, number=number, lower=lower)
    if is_angular and len(axes) == 2:
        if axes != (_Y, _Z):
            yield finding("OMI-E302", "", part, axis=AXIS_LETTERS[3 - sum(axes)])
    elif is_angular:
        words = {"number": number, "shape": shape_of(axes, is_angular)}
        yield finding("OMI-E303", "", part, **words)


def _is_zero(limit: JointLimit) -> bool:
    return limit.min == limit.max == 0.0
