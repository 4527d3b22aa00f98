"""What Blender's own rigid body constraints can express of joint settings, and what they cannot.

Values of a constraint whose first object is the connected body and whose second one is the joint's:
in that order angles and motors keep their signs, while linear limits bound the second object and
change theirs.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..meaning.axes import JointAxis, joint_axes
from ..model.attributes import JointAttributes
from ..model.joint import DriveMode, DriveType, JointDrive, JointSettings

_Range = tuple[float, float] | None
_BESIDE = 1e-6
"""How far beside its place a locked axis of a constraint that breaks is held [m or rad]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpringValues:
    """A spring of the constraint."""

    is_angular: bool
    """Whether it acts about the axis, else along it."""
    axis: int
    """0 X, 1 Y, 2 Z of the constraint."""
    stiffness: float
    """[N/m]; about an axis only nearly N·m/rad."""
    damping: float
    """[N·s/m]; about an axis only nearly N·m·s/rad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotorValues:
    """A motor, which a constraint has about or along its X axis only."""

    is_angular: bool
    """Whether it acts about the axis, else along it."""
    axis: int
    """Axis of the joint that is to become the constraint's X."""
    velocity: float
    """[m/s or rad/s]."""
    max_force: float
    """[N or N·m], which Blender calls the maximal impulse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintValues:
    """One generic constraint and a motor each beside it."""

    linear: tuple[_Range, _Range, _Range]
    """Lower and upper limits [m], None is free."""
    angular: tuple[_Range, _Range, _Range]
    """Lower and upper limits [rad], None is free."""
    springs: tuple[SpringValues, ...]
    """Springs of the generic constraint."""
    motors: tuple[MotorValues, ...]
    """Motors, each a constraint of its own."""
    is_weld: bool
    """Whether it breaks and locks everything at zero: a generic one would not feel torque."""
    break_force: float
    """Force along or torque about any one axis at which it breaks [N or N·m]; inf for never."""
    lost: tuple[str, ...]
    """What is left out or changed, as sentences."""


def constraint_values(
    settings: JointSettings, attributes: JointAttributes, *, frames_coincide: bool
) -> ConstraintValues:
    """Return the constraint that comes nearest to joint settings and attributes."""
    axes = joint_axes(settings)
    springs, motors, lost = [], [], list(_lost_limits(settings))
    if not frames_coincide:
        lost.append("the two frames differ at rest; the current pose is used as zero")
    for number, drive in enumerate(settings.drives, start=1):
        spring, motor, problems = _drive(drive)
        springs += spring
        motors += motor
        lost += [f"drive {number} {problem}" for problem in problems]
    most = min(attributes.break_force, attributes.break_torque)
    if most < math.inf:
        lost += _lost_breaking(attributes, springs, motors)
    x, y, z = (_mirrored(_limits(axis, most)) for axis in axes.linear)
    a, b, c = (_limits(axis, most) for axis in axes.angular)
    is_weld = all(axis.min == axis.max == 0.0 for axis in axes.all)
    return ConstraintValues(
        linear=(x, y, z),
        angular=(a, b, c),
        springs=tuple(springs),
        motors=tuple(motors),
        is_weld=is_weld and most < math.inf,
        break_force=most,
        lost=tuple(lost),
    )


def _limits(axis: JointAxis, break_force: float) -> _Range:
    """Return the limits of one axis; one bound gets a far one opposite.

    A locked axis of a constraint that breaks is locked beside its place: Bullet does not hold what
    is exactly there in its first step, and breaks it by what it has to make up for in the second.
    """
    if axis.is_free or axis.min > axis.max:
        return None
    if axis.min == axis.max and break_force < math.inf:
        return axis.min + _BESIDE, axis.max + _BESIDE
    return max(axis.min, -1e4), min(axis.max, 1e4)


def _mirrored(limits: _Range) -> _Range:
    return None if limits is None else (0.0 - limits[1], 0.0 - limits[0])


def _lost_breaking(
    attributes: JointAttributes, springs: list[SpringValues], motors: list[MotorValues]
) -> Iterator[str]:
    if attributes.break_force != attributes.break_torque:
        yield "one number is its break force and torque, the less of the two"
    if springs:
        yield "forces of its springs count when it breaks"
    if motors:
        yield "its motor goes on when it breaks"


def _lost_limits(settings: JointSettings) -> Iterator[str]:
    for number, limit in enumerate(settings.limits, start=1):
        if not limit.is_rigid:
            yield f"limit {number} is soft; it becomes rigid"
        leaves_room = limit.max > 0.0 and not limit.is_locked
        if leaves_room and (len(limit.angular_axes) > 1 or len(limit.linear_axes) > 1):
            yield f"limit {number} spans several axes; each is limited separately"
        is_wide = max(abs(limit.min), abs(limit.max)) > math.pi / 2.0
        if limit.angular_axes == (1,) and is_wide and not limit.is_locked:
            yield f"limit {number} exceeds a quarter turn about Y, where Blender is unstable"


def _drive(drive: JointDrive) -> tuple[list[SpringValues], list[MotorValues], list[str]]:
    """Return spring and motor of a drive, and what they lack."""
    if not drive.has_known_type or drive.mode != DriveMode.FORCE:
        return [], [], ["is not a force along an axis, so it is left out"]
    is_angular = drive.type == DriveType.ANGULAR
    lost: list[str] = []
    if drive.position_target is not None and drive.stiffness > 0.0:
        if drive.position_target != 0.0:
            lost.append("pulls to zero instead of its target")
        if math.isfinite(drive.max_force):
            lost.append("has no force limit")
        spring = SpringValues(
            is_angular=is_angular, axis=drive.axis, stiffness=drive.stiffness, damping=drive.damping
        )
        return [spring], [], lost
    if drive.velocity_target is None or drive.damping <= 0.0:
        return [], [], ["does nothing"]
    lost.append("holds its velocity with its full force")
    force = min(drive.max_force, 1e6)
    motor = MotorValues(
        is_angular=is_angular, axis=drive.axis, velocity=drive.velocity_target, max_force=force
    )
    return [], [motor], lost
