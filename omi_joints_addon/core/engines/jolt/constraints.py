"""Joint settings as constraints of Jolt Physics 5: several between two bodies hold together.

Body 1 is the joint's body, body 2 the connected one; then poses, signs and twist are those of the
specification. Any axis of the frames becomes Jolt's X, about which it measures twist, when both
frames name their axes in cyclic order; no number changes. SI units and radians.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ...meaning.axes import joint_axes
from ...model.axes import remaining_axis
from ...model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings

Range = tuple[float, float]
LOCKED: Range = (0.0, 0.0)
SMALLEST_CONE = math.radians(0.5)
"""Half angle below which Jolt locks a cone [rad]."""
TUBE_TURNS = 4
"""Boxes that together bound a tube, each turned by 22.5° from the last: a prism of 16 sides."""
TWIST = 3
"""Jolt's axes are counted X, Y, Z of translation, then X, Y, Z of rotation."""


class JoltKind(StrEnum):
    """Constraint of Jolt."""

    SIX_DOF = "six_dof"
    HINGE = "hinge"
    DISTANCE = "distance"

    @property
    def class_name(self) -> str:
        """Name of the class in Jolt."""
        return _CLASSES[self]


_CLASSES = {
    JoltKind.SIX_DOF: "SixDOFConstraint",
    JoltKind.HINGE: "HingeConstraint",
    JoltKind.DISTANCE: "DistanceConstraint",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spring:
    """Softness of a bound."""

    stiffness: float
    """[N/m or N·m/rad]."""
    damping: float
    """[N·s/m or N·m·s/rad]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motor:
    """Motor on one axis of Jolt, in its state for a position and a velocity at once."""

    position: float
    """[m or rad]."""
    velocity: float
    """[m/s or rad/s]."""
    stiffness: float
    """[N/m or N·m/rad]."""
    damping: float
    """[N·s/m or N·m·s/rad]."""
    max_force: float
    """[N or N·m]; inf is unlimited."""
    is_acceleration: bool
    """Whether stiffness and damping are per unit of mass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One constraint of Jolt."""

    kind: JoltKind
    axis: int = 0
    """Axis of the joint's frames that is Jolt's X; the others follow in cyclic order."""
    turn: float = 0.0
    """Angle [rad] by which both frames are turned about Jolt's X first."""
    middle: float = 0.0
    """Of a hinge: angle [rad] that counts as zero, by turning the frame of body 1 by it."""
    ranges: tuple[Range | None, ...] = (None,) * 6
    """Of six axes: allowed positions, counted as in `TWIST`; None is free. A hinge has the range
    about its axis at `TWIST`, a distance has its range first."""
    is_cone: bool = False
    """Whether the ranges of swing, Y and Z of rotation, are a cone instead of a pyramid."""
    spring: Spring | None = None
    """Softness of the translations, or of the hinge's range; None is rigid."""
    motor: Motor | None = None
    """Motor along Jolt's X; of a hinge and where `is_turning`, about it."""
    is_turning: bool = False
    """Whether the motor acts about Jolt's X, else along it."""


def constraints_of(settings: JointSettings) -> tuple[Constraint, ...]:
    """Return the constraints that hold a joint, none where it is free."""
    if is_hinge(settings):
        return tuple(_hinge(settings))
    return (
        *_locks(settings),
        *(part for limit in settings.limits for part in _limit(limit)),
        *(part for drive in settings.drives for part in _drive(drive)),
    )


def is_hinge(settings: JointSettings) -> bool:
    """Return whether linear axes are locked rigidly and one angular axis is left to turn."""
    linear, angular = _rigid_locks(settings)
    return linear == {0, 1, 2} and len(angular) == 2


def _rigid_locks(settings: JointSettings) -> tuple[set[int], set[int]]:
    axes = joint_axes(settings)
    linear, angular = (
        {number for number, axis in enumerate(three) if axis.own.is_locked}
        for three in (axes.linear, axes.angular)
    )
    return linear, angular


def _is_rigid_lock(limit: JointLimit) -> bool:
    return limit.is_rigid and limit.min <= 0.0 and limit.max == 0.0 and _lower(limit) == 0.0


def _lower(limit: JointLimit) -> float:
    """Return the lower bound, which a limit over several axes has at zero or above."""
    several = max(len(limit.linear_axes), len(limit.angular_axes)) > 1
    return max(limit.min, 0.0) if several else limit.min


def _hinge(settings: JointSettings) -> Iterator[Constraint]:
    """Yield a hinge with the first limit and drive about its axis, and what else bounds it."""
    (axis,) = {0, 1, 2} - _rigid_locks(settings)[1]
    limits = [limit for limit in settings.limits if limit.angular_axes == (axis,)]
    about = (DriveType.ANGULAR, axis)
    drives = [drive for drive in settings.drives if (drive.type, drive.axis) == about]
    first = limits[0] if limits else None
    bounds = None if first is None else _reachable(first.min, first.max, math.pi)
    # Jolt's own range must contain zero.
    middle = 0.0 if bounds is None or bounds[0] <= 0.0 <= bounds[1] else sum(bounds) / 2.0
    ranges = (
        (None,) * 6 if bounds is None else _only(TWIST, (bounds[0] - middle, bounds[1] - middle))
    )
    motor = _motor(drives[0], -middle) if drives else None
    yield Constraint(
        kind=JoltKind.HINGE,
        axis=axis,
        middle=middle,
        ranges=ranges,
        spring=None if first is None or bounds is None else _spring(first),
        motor=motor,
        is_turning=True,
    )
    known = [*limits[:1], *(limit for limit in settings.limits if _is_rigid_lock(limit))]
    for limit in settings.limits:
        if limit not in known:
            yield from _limit(limit)
    for drive in settings.drives:
        if drive not in drives[:1]:
            yield from _drive(drive)


def _locks(settings: JointSettings) -> Iterator[Constraint]:
    linear, angular = _rigid_locks(settings)
    if not linear and not angular:
        return
    left = {0, 1, 2} - angular
    # The one axis that turns, or the one that does not, is twist.
    odd = left if len(left) == 1 else angular if len(angular) == 1 else {0}
    (axis,) = odd
    ranges = [LOCKED if (axis + n) % 3 in linear else None for n in range(3)]
    ranges += [LOCKED if (axis + n) % 3 in angular else None for n in range(3)]
    yield Constraint(kind=JoltKind.SIX_DOF, axis=axis, ranges=tuple(ranges))


def _limit(limit: JointLimit) -> Iterator[Constraint]:
    """Yield the constraints of a limit other than a rigid lock at zero."""
    if _is_rigid_lock(limit) or limit.min > limit.max:
        return
    linear, angular = limit.linear_axes, limit.angular_axes
    if linear and (bounds := _reachable(limit.min, limit.max, math.inf)):
        yield from (_line, _tube, _distance)[len(linear) - 1](limit, linear, bounds)
    if angular and (bounds := _reachable(limit.min, limit.max, math.pi)):
        yield from (_twist, _cone, _rotation)[len(angular) - 1](angular, bounds)


def _reachable(lower: float, upper: float, most: float) -> Range | None:
    """Return the bounds within what there is at all; None where they allow all of it."""
    bounds = max(lower, -most), min(upper, most)
    return None if bounds == (-most, most) else bounds


def _line(limit: JointLimit, axes: tuple[int, ...], bounds: Range) -> Iterator[Constraint]:
    yield Constraint(
        kind=JoltKind.SIX_DOF, axis=axes[0], ranges=_only(0, bounds), spring=_spring(limit)
    )


def _tube(limit: JointLimit, axes: tuple[int, ...], bounds: Range) -> Iterator[Constraint]:
    side = (-bounds[1], bounds[1])
    turns = range(1 if bounds[1] == 0.0 else TUBE_TURNS)
    for number in turns:
        yield Constraint(
            kind=JoltKind.SIX_DOF,
            axis=remaining_axis(axes),
            turn=number * math.pi / (2.0 * TUBE_TURNS),
            ranges=(None, side, side, None, None, None),
            spring=_spring(limit),
        )


def _distance(limit: JointLimit, _axes: tuple[int, ...], bounds: Range) -> Iterator[Constraint]:
    if bounds[1] == 0.0:
        ranges: tuple[Range | None, ...] = (LOCKED, LOCKED, LOCKED, None, None, None)
        yield Constraint(kind=JoltKind.SIX_DOF, ranges=ranges, spring=_spring(limit))
        return
    yield Constraint(kind=JoltKind.DISTANCE, ranges=_only(0, bounds), spring=_spring(limit))


def _twist(axes: tuple[int, ...], bounds: Range) -> Iterator[Constraint]:
    yield Constraint(kind=JoltKind.SIX_DOF, axis=axes[0], ranges=_only(TWIST, bounds))


def _cone(axes: tuple[int, ...], bounds: Range) -> Iterator[Constraint]:
    swing = LOCKED if bounds[1] < SMALLEST_CONE else (-bounds[1], bounds[1])
    ranges = (None, None, None, None, swing, swing)
    yield Constraint(kind=JoltKind.SIX_DOF, axis=remaining_axis(axes), ranges=ranges, is_cone=True)


def _rotation(_axes: tuple[int, ...], bounds: Range) -> Iterator[Constraint]:
    turn = LOCKED if bounds[1] < SMALLEST_CONE else (-bounds[1], bounds[1])
    ranges = (None, None, None, turn, turn, turn)
    yield Constraint(kind=JoltKind.SIX_DOF, ranges=ranges, is_cone=True)


def _drive(drive: JointDrive) -> Iterator[Constraint]:
    """Yield a motor on axes that are free otherwise: its targets are not clamped to limits."""
    motor = _motor(drive, 0.0)
    if motor is not None and drive.has_known_type:
        is_turning = drive.type == DriveType.ANGULAR
        yield Constraint(kind=JoltKind.SIX_DOF, axis=drive.axis, motor=motor, is_turning=is_turning)


def _motor(drive: JointDrive, shift: float) -> Motor | None:
    """Return the motor of a drive whose zero is moved by `shift`; None where it does nothing."""
    if drive.position_target is None and drive.velocity_target is None:
        return None
    is_spring = drive.position_target is not None
    return Motor(
        position=(drive.position_target or 0.0) + shift,
        velocity=drive.velocity_target or 0.0,
        stiffness=drive.stiffness if is_spring else 0.0,
        damping=drive.damping,
        max_force=drive.max_force,
        is_acceleration=drive.mode == DriveMode.ACCELERATION,
    )


def _spring(limit: JointLimit) -> Spring | None:
    if limit.is_rigid:
        return None
    return Spring(stiffness=limit.stiffness, damping=limit.damping)


def _only(place: int, bounds: Range) -> tuple[Range | None, ...]:
    return tuple(bounds if number == place else None for number in range(6))
