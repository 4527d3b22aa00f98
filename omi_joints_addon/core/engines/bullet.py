"""What engines built on Bullet make of a joint; read in the documentation of its constraints."""

from collections.abc import Iterator

from ..findings.finding import WARNING, Finding, rule
from ..findings.words import drive_part, limit_part, shape_of
from ..meaning.axes import joint_axes
from ..meaning.recognition import JointKind, joint_kind, main_axis_of
from ..model.joint import DriveMode, JointLimit, JointSettings
from . import names
from .animated import NOT_KNOWN
from .engine import Engine

_X, _Y, _Z = range(3)
_SPRING2, _CONE = "btGeneric6DofSpring2Constraint", "btConeTwistConstraint"
_CLASSES = {
    (JointKind.FIXED, None): "btFixedConstraint",
    (JointKind.PIN, None): "btPoint2PointConstraint",
    (JointKind.HINGE, _Z): "btHingeConstraint",
    (JointKind.SLIDER, _X): "btSliderConstraint",
    (JointKind.BALL_WITH_CONE, _X): _CONE,
}
_ALONG_X = (JointKind.SLIDER, JointKind.CYLINDRICAL, JointKind.BALL_WITH_CONE)
_READ = "Read in the documentation of Bullet 3."

BECOMES_BOX = rule(
    "OMI-E401",
    WARNING,
    "Bullet: limit {number} on {shape} becomes a box, with a range for each axis",
    reason="btGeneric6DofSpring2Constraint limits each axis; btConeTwistConstraint needs all "
    f"linear axes fixed and the cone about X. {_READ}",
)
RIGID_IN_BULLET = rule(
    "OMI-E402",
    WARNING,
    "Bullet: limit {number} is soft, which Bullet does not support; the bound becomes rigid",
    reason="Limits of btGeneric6DofSpring2Constraint have restitution and error correction only. "
    f"{_READ}",
)
FORCE_IN_BULLET = rule(
    "OMI-E403",
    WARNING,
    "Bullet: drive {number} is in acceleration mode, but its values are used as forces",
    reason=f"Motors and springs of btGeneric6DofSpring2Constraint are in newtons. {_READ}",
)
EULER_ORDER = rule(
    "OMI-E404",
    WARNING,
    "Bullet: the joint can rotate about all axes; its rotation about Y must stay within 90°",
    reason=f"btGeneric6DofSpring2Constraint decomposes the rotation into Euler angles. {_READ}",
)


def _becomes(settings: JointSettings) -> str:
    if settings.drives:
        return _SPRING2
    return _CLASSES.get((joint_kind(settings), main_axis_of(settings)), _SPRING2)


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    name = _becomes(settings)
    for index, limit in enumerate(settings.limits):
        yield from _check_limit(limit, index, is_cone=name == _CONE)
    for index, drive in enumerate(settings.drives):
        if drive.mode == DriveMode.ACCELERATION:
            yield FORCE_IN_BULLET("", drive_part(index), number=index + 1)
    moving = [turn for turn in joint_axes(settings).angular if not turn.is_locked]
    if name == _SPRING2 and len(moving) == 3:
        yield EULER_ORDER()


def _check_limit(limit: JointLimit, index: int, *, is_cone: bool) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    for is_angular, axes in limit.parts():
        is_native = is_cone and axes == (_Y, _Z)
        if len(axes) > 1 and not limit.min == limit.max == 0.0 and not is_native:
            shape = shape_of(axes, is_angular=is_angular)
            yield BECOMES_BOX("", part, number=number, shape=shape)
    if not limit.is_rigid:
        yield RIGID_IN_BULLET("", part, number=number)


def _best_axis(settings: JointSettings) -> int | None:
    kind = joint_kind(settings)
    if kind == JointKind.HINGE:
        return _Z
    return _X if kind in _ALONG_X else None


BULLET = Engine(
    **names.BULLET._asdict(),
    becomes=_becomes,
    check_settings=_check_settings,
    best_axis=_best_axis,
    animated=(NOT_KNOWN,),
)
