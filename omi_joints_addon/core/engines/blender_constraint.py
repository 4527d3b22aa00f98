"""Blender's Rigid Body Constraints and the joint settings that they mean. SI units and radians.

The joint node is the frame of the first object, the connected node that of the second; both start
where the constraint is. Measured in Blender 4.5 and 5.2: linear axes belong to the first object and
linear limits bound the second one's position in them; limits of angles bound the first one's
rotation as seen from the second, but that of a piston; and motors drive the first one.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..findings.finding import WARNING, Finding, rule
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings

Range = tuple[float, float]
FREE: Range = (-math.inf, math.inf)
LOCKED: Range = (0.0, 0.0)
_FREE: tuple[Range, ...] = (FREE, FREE, FREE)
_LOCKED: tuple[Range, ...] = (LOCKED, LOCKED, LOCKED)
_FULL_FORCE = 0.01
"""Share of the target velocity that a motor may lack and still push with all its force."""
_SLOWEST = 0.01
"""Velocity [m/s or rad/s] below which a motor counts as a brake."""


IDLE_CONSTRAINT = rule(
    "OMI-B044",
    WARNING,
    "the Rigid Body Constraint is disabled or does not connect two rigid bodies, so it does "
    "nothing in Blender and is left out",
    reason="Blender simulates constraints between two rigid bodies.",
)
EULER_ANGLES = rule(
    "OMI-B045",
    WARNING,
    "Blender limits several angles of the Rigid Body Constraint as Euler angles, a joint limits "
    "each twist; they agree only for small angles",
    reason="OMI_physics_joint: an angular limit on one axis bounds the rotation about it.",
)
BREAKABLE = rule(
    "OMI-B046",
    WARNING,
    "the Rigid Body Constraint breaks at an impulse in one step of Blender's world; the joint gets "
    "the break force and torque of it, {force:g}, which glTF keeps for this program only",
    reason=(
        "Measured: the breaking threshold is a force along or torque about any one axis, times the "
        "length of a substep. OMI_physics_joint has no breaking force."
    ),
)
MOTOR_AT_FULL_FORCE = rule(
    "OMI-B047",
    WARNING,
    "the motor of the Rigid Body Constraint applies its full force up to the target velocity; the "
    "drive gets a damping of {damping:g}, which has full force up to one percent below it",
    reason="OMI_physics_joint: the force of a drive is damping times the missing velocity.",
)
OLD_SPRINGS = rule(
    "OMI-B048",
    WARNING,
    "the Rigid Body Constraint uses the springs of Blender 2.7, which define damping differently; "
    "set the damping of the drives",
    reason="Measured: since Blender 2.8 springs have a damping in N·s/m.",
)
ANGULAR_SPRINGS = rule(
    "OMI-B049",
    WARNING,
    "the angular springs of the Rigid Body Constraint are not exact in Blender, where stiffness "
    "depends on the distance between the bodies and the joint",
    reason="Measured: a drive has an exact torque in N·m/rad.",
)


class ConstraintType(StrEnum):
    """Types of Blender's Rigid Body Constraint, named as its `type`."""

    FIXED = "FIXED"
    POINT = "POINT"
    HINGE = "HINGE"
    SLIDER = "SLIDER"
    PISTON = "PISTON"
    GENERIC = "GENERIC"
    GENERIC_SPRING = "GENERIC_SPRING"
    MOTOR = "MOTOR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spring:
    """Spring along or about one axis, at rest where the constraint was made."""

    stiffness: float
    """[N/m]; about an axis only nearly N·m/rad."""
    damping: float
    """[N·s/m]; about an axis only nearly N·m·s/rad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motor:
    """Motor along or about the constraint's X axis."""

    velocity: float
    """[m/s or rad/s]."""
    max_force: float
    """[N or N·m]: what Blender calls the maximal impulse acts as this whatever the time step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidBodyConstraint:
    """The values of a Blender constraint, regardless of its type."""

    type: ConstraintType
    linear: tuple[Range, ...] = _FREE
    """Limits along X, Y and Z [m]; lower above upper is free, as in Bullet."""
    angular: tuple[Range, ...] = _FREE
    """Limits about X, Y and Z [rad], likewise."""
    linear_springs: tuple[Spring | None, ...] = (None, None, None)
    angular_springs: tuple[Spring | None, ...] = (None, None, None)
    has_old_springs: bool = False
    """Whether springs are those of Blender 2.7."""
    linear_motor: Motor | None = None
    angular_motor: Motor | None = None
    break_force: float = math.inf
    """Force along or torque about any one axis at which it breaks [N or N·m]."""


def constraint_settings(
    constraint: RigidBodyConstraint, place: str
) -> tuple[JointSettings, list[Finding]]:
    """Return the joint settings that a constraint means, and where they are not exact."""
    linear, angular = _ranges(constraint)
    settings = JointSettings(
        limits=(*_limits(linear, is_linear=True), *_limits(angular, is_linear=False)),
        drives=tuple(_drives(constraint, linear, angular)),
    )
    return settings, list(_findings(constraint, angular, place))


def _ranges(constraint: RigidBodyConstraint) -> tuple[list[Range], list[Range]]:
    """Return the linear and angular ranges of the connected frame in the joint's."""
    linear = list(map(_opened, constraint.linear))
    angular = list(map(_opened, constraint.angular))
    mirrored = [(0.0 - upper, 0.0 - lower) for lower, upper in angular]
    kinds: dict[ConstraintType, tuple[tuple[Range, ...], tuple[Range, ...]]] = {
        ConstraintType.FIXED: (_LOCKED, _LOCKED),
        ConstraintType.POINT: (_LOCKED, _FREE),
        ConstraintType.HINGE: (_LOCKED, (LOCKED, LOCKED, mirrored[2])),
        ConstraintType.SLIDER: ((linear[0], LOCKED, LOCKED), _LOCKED),
        ConstraintType.PISTON: ((linear[0], LOCKED, LOCKED), (angular[0], LOCKED, LOCKED)),
        ConstraintType.GENERIC: (tuple(linear), tuple(mirrored)),
        ConstraintType.GENERIC_SPRING: (tuple(linear), tuple(mirrored)),
        ConstraintType.MOTOR: (_FREE, _FREE),
    }
    first, second = kinds[constraint.type]
    return list(first), list(second)


def _opened(bounds: Range) -> Range:
    lower, upper = bounds
    return FREE if lower > upper else bounds


def _limits(ranges: list[Range], *, is_linear: bool) -> Iterator[JointLimit]:
    """Yield one limit for all locked axes and one for each that is bounded."""
    locked = tuple(axis for axis in range(3) if ranges[axis] == LOCKED)
    groups = [(locked, LOCKED)] if locked else []
    groups += [((axis,), ranges[axis]) for axis in range(3) if ranges[axis] not in (LOCKED, FREE)]
    for axes, (lower, upper) in groups:
        if is_linear:
            yield JointLimit(linear_axes=axes, min=lower, max=upper)
        else:
            yield JointLimit(angular_axes=axes, min=lower, max=upper)


def _drives(
    constraint: RigidBodyConstraint, linear: list[Range], angular: list[Range]
) -> Iterator[JointDrive]:
    """Yield springs and motors; springs of locked axes, which rigs of MMD turn on, move nothing."""
    if constraint.type == ConstraintType.GENERIC_SPRING:
        yield from _springs(DriveType.LINEAR, constraint.linear_springs, linear)
        yield from _springs(DriveType.ANGULAR, constraint.angular_springs, angular)
    if constraint.type == ConstraintType.MOTOR:
        yield from _motor(DriveType.LINEAR, constraint.linear_motor)
        yield from _motor(DriveType.ANGULAR, constraint.angular_motor)


def _springs(
    type_: DriveType, springs: tuple[Spring | None, ...], ranges: list[Range]
) -> Iterator[JointDrive]:
    for axis, spring in enumerate(springs):
        if spring is not None and ranges[axis] != LOCKED:
            yield JointDrive(
                type=type_,
                axis=axis,
                position_target=0.0,
                velocity_target=0.0 if spring.damping else None,
                stiffness=spring.stiffness,
                damping=spring.damping,
            )


def _motor(type_: DriveType, motor: Motor | None) -> Iterator[JointDrive]:
    if motor is not None:
        yield JointDrive(
            type=type_,
            max_force=motor.max_force,
            velocity_target=0.0 - motor.velocity,
            damping=_motor_damping(motor),
        )


def _motor_damping(motor: Motor) -> float:
    """Return a damping that comes near to the motor, which has its full force up to its target."""
    return motor.max_force / (_FULL_FORCE * max(abs(motor.velocity), _SLOWEST))


def _findings(
    constraint: RigidBodyConstraint, angular: list[Range], place: str
) -> Iterator[Finding]:
    """Yield where the settings are not exactly what Blender does."""
    moving = [bounds for bounds in angular if bounds != LOCKED]
    if len(moving) > 1 and any(bounds != FREE for bounds in angular):
        yield EULER_ANGLES(place)
    if constraint.type == ConstraintType.GENERIC_SPRING:
        yield from _spring_findings(constraint, place)
    if constraint.type == ConstraintType.MOTOR:
        for motor in (constraint.linear_motor, constraint.angular_motor):
            if motor is not None:
                yield MOTOR_AT_FULL_FORCE(place, damping=_motor_damping(motor))
    if constraint.break_force < math.inf:
        yield BREAKABLE(place, force=constraint.break_force)


def _spring_findings(constraint: RigidBodyConstraint, place: str) -> Iterator[Finding]:
    springs = [*constraint.linear_springs, *constraint.angular_springs]
    if constraint.has_old_springs and any(spring and spring.damping for spring in springs):
        yield OLD_SPRINGS(place)
    if any(constraint.angular_springs):
        yield ANGULAR_SPRINGS(place)
