"""What each axis of a joint can do, and the friendly name that follows from it.

Everything is computed from the limits however they are grouped into objects; nothing is stored.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..model.axes import remaining_axis
from ..model.joint import JointLimit, JointSettings

_FEW = 16
"""Limits that are taken as they are."""


class JointKind(StrEnum):
    """Special case of a joint: those that OMI_physics_joint names, and common further ones."""

    FIXED = "fixed"
    """No axis moves."""
    PIN = "pin"
    """Free rotation about a point."""
    HINGE = "hinge"
    """Rotation about one axis, within bounds or continuous."""
    SLIDER = "slider"
    """Translation along one axis; as in the specification also bounded rotation about it."""
    CYLINDRICAL = "cylindrical"
    """Translation along one axis and rotation about it, one of them at least without bounds."""
    PLANAR = "planar"
    """Translation in a plane; rotation about its normal may be locked."""
    BALL_WITH_CONE = "ball_with_cone"
    """Rotation about a point, the third axis kept in a cone; rotation about it may be bounded."""
    UNIVERSAL = "universal"
    """Rotation about a point without twist about one axis."""
    FREE = "free"
    """Nothing is limited."""
    CUSTOM = "custom"
    """Anything else."""

    @property
    def label(self) -> str:
        """Name to show."""
        return _LABELS[self]


_LABELS = {
    JointKind.FIXED: "Fixed (Weld)",
    JointKind.PIN: "Pin",
    JointKind.HINGE: "Hinge",
    JointKind.SLIDER: "Slider",
    JointKind.CYLINDRICAL: "Cylindrical",
    JointKind.PLANAR: "Planar",
    JointKind.BALL_WITH_CONE: "Ball with Cone",
    JointKind.UNIVERSAL: "Universal",
    JointKind.FREE: "Free",
    JointKind.CUSTOM: "Custom",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisRange:
    """Motion along or about one axis while all other axes rest at zero."""

    min: float = -math.inf
    """Lower bound [m or rad]; -inf is unbounded. Greater than `max` where nothing is allowed."""
    max: float = math.inf
    """Upper bound [m or rad]; inf is unbounded."""
    is_shared: bool = False
    """Whether a limit over several axes that can move makes the range depend on the others."""

    @property
    def is_locked(self) -> bool:
        """Whether the axis is fixed in the specification's sense: held at zero."""
        return self.min == self.max == 0.0

    @property
    def is_free(self) -> bool:
        """Whether nothing bounds the axis."""
        return self.min == -math.inf and self.max == math.inf

    @property
    def is_bounded(self) -> bool:
        """Whether the axis moves in a range that has a bound."""
        return self.min < self.max and not self.is_free


class Bound(NamedTuple):
    """One effective bound of a joint: the linear or the angular part of a limit."""

    is_angular: bool
    """Whether it bounds an angle [rad], else a distance [m]."""
    axes: tuple[int, ...]
    """Axes of the joint's attachment frame, ascending: 0 X, 1 Y, 2 Z."""
    min: float
    """-inf where the limit has no effect from below."""
    max: float
    """inf where the limit has no effect from above."""


_FREE_AXIS, _LOCKED_AXIS = AxisRange(), AxisRange(min=0.0, max=0.0)


class AxisRanges(NamedTuple):
    """Ranges of the six axes of a joint's attachment frame."""

    linear: tuple[AxisRange, AxisRange, AxisRange]
    """Along X, Y and Z [m]."""
    angular: tuple[AxisRange, AxisRange, AxisRange]
    """About X, Y and Z [rad]."""


def effective_bounds(settings: JointSettings) -> Iterator[Bound]:
    """Yield the bounds that can be violated at all, by the ranges of `core.meaning.metric`.

    A distance is never less than 0, an angle never more than half a turn.
    """
    for limit in settings.limits:
        for is_angular, axes in limit.parts():
            largest = math.pi if is_angular else math.inf
            smallest = -largest if len(axes) == 1 else 0.0
            lower = limit.min if limit.min > smallest else -math.inf
            upper = limit.max if limit.max < largest else math.inf
            if lower != -math.inf or upper != math.inf:
                yield Bound(is_angular, axes, lower, upper)


def axis_ranges(settings: JointSettings) -> AxisRanges:
    """Return what each axis can do, all limits on it together.

    A limit over several axes bounds each of them by plus and minus its maximum; a minimum of such a
    limit, which cuts a hole, is no range of one axis and left out (`effective_bounds` has it).
    """
    return _ranges_within(tuple(effective_bounds(_joined(settings))))


def joint_kind(settings: JointSettings) -> JointKind:
    """Return the special case that the limits make of the joint.

    As in the specification, "fixed" is held at zero; an axis held elsewhere makes a joint custom.
    Stiffness does not count: a soft hinge is a hinge.
    """
    return _kind_and_axis(settings)[0]


def main_axis_of(settings: JointSettings) -> int | None:
    """Return the axis that the joint turns about, slides along, opens along or is normal to.

    For a universal joint it is the axis without twist. None where the kind has no such axis.
    """
    return _kind_and_axis(settings)[1]


def _joined(settings: JointSettings) -> JointSettings:
    """Return the same ranges by one limit for each choice of axes; files hold a million limits."""
    if len(settings.limits) <= _FEW:
        return settings
    ranges: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, float]] = {}
    for limit in settings.limits:
        axes = limit.linear_axes, limit.angular_axes
        lower, upper = ranges.get(axes, (-math.inf, math.inf))
        ranges[axes] = max(lower, limit.min), min(upper, limit.max)
    limits = [
        JointLimit(linear_axes=linear, angular_axes=angular, min=lower, max=upper)
        for (linear, angular), (lower, upper) in ranges.items()
    ]
    return JointSettings(limits=tuple(limits))


def _ranges_within(bounds: Sequence[Bound]) -> AxisRanges:
    linear = [bound for bound in bounds if not bound.is_angular]
    angular = [bound for bound in bounds if bound.is_angular]
    return AxisRanges(_ranges(linear), _ranges(angular))


def _ranges(bounds: Sequence[Bound]) -> tuple[AxisRange, AxisRange, AxisRange]:
    """Return the ranges of three axes of one kind."""
    if not bounds:
        return _FREE_AXIS, _FREE_AXIS, _FREE_AXIS
    lower, upper = [-math.inf] * 3, [math.inf] * 3
    for _, axes, own, most in bounds:
        least = own if len(axes) == 1 else 0.0 - most
        for axis in axes:
            if least > lower[axis]:
                lower[axis] = least
            if most < upper[axis]:
                upper[axis] = most
    shared = _shared_axes(bounds, lower, upper)
    x, y, z = (_range(lower[axis], upper[axis], axis in shared) for axis in range(3))
    return x, y, z


def _range(lower: float, upper: float, is_shared: bool) -> AxisRange:
    """Return a range; most axes of most joints are free or locked."""
    if not is_shared and lower == upper == 0.0:
        return _LOCKED_AXIS
    if not is_shared and lower == -math.inf and upper == math.inf:
        return _FREE_AXIS
    return AxisRange(min=lower, max=upper, is_shared=is_shared)


def _shared_axes(
    bounds: Sequence[Bound], lower: Sequence[float], upper: Sequence[float]
) -> set[int]:
    """Return the axes that a limit over several axes that can move bounds."""
    several = [bound.axes for bound in bounds if len(bound.axes) > 1]
    if not several:
        return set()
    moving = {axis for axis in range(3) if not lower[axis] == upper[axis] == 0.0}
    groups = (moving.intersection(axes) for axes in several)
    return set().union(*(group for group in groups if len(group) > 1))


def _kind_and_axis(settings: JointSettings) -> tuple[JointKind, int | None]:
    bounds = tuple(effective_bounds(_joined(settings)))
    if not bounds:
        return JointKind.FREE, None
    ranges = _ranges_within(bounds)
    if _is_held_off_zero(ranges) or any(len(b.axes) > 1 and b.min > 0.0 for b in bounds):
        return JointKind.CUSTOM, None
    linear, angular = _moving(ranges.linear), _moving(ranges.angular)
    if not linear:
        return _rotating(angular, [bound for bound in bounds if bound.is_angular])
    return _sliding(linear, angular, ranges)


def _is_held_off_zero(ranges: AxisRanges) -> bool:
    """Return whether an axis is held at one value other than zero, or at none."""
    return not (
        all(r.min < r.max or r.is_locked for r in (*ranges.linear, *ranges.angular))
        and all(r.min < math.pi and r.max > -math.pi for r in ranges.angular)
    )


def _moving(ranges: Sequence[AxisRange]) -> tuple[int, ...]:
    return tuple([axis for axis, axis_range in enumerate(ranges) if not axis_range.is_locked])


def _rotating(moving: tuple[int, ...], bounds: list[Bound]) -> tuple[JointKind, int | None]:
    """Return the kind of a joint whose linear axes are fixed."""
    if len(moving) == 0:
        return JointKind.FIXED, None
    if len(moving) == 1:
        return JointKind.HINGE, moving[0]
    if len(moving) == 2:
        return JointKind.UNIVERSAL, remaining_axis(moving)
    if not bounds:
        return JointKind.PIN, None
    groups = {bound.axes for bound in bounds if len(bound.axes) > 1}
    if len(groups) == 1 and len(swing := groups.pop()) == 2:
        twist = remaining_axis(swing)
        if all(bound.axes in (swing, (twist,)) for bound in bounds):
            return JointKind.BALL_WITH_CONE, twist
    return JointKind.CUSTOM, None


def _sliding(
    linear: tuple[int, ...], angular: tuple[int, ...], ranges: AxisRanges
) -> tuple[JointKind, int | None]:
    """Return the kind of a joint of which a linear axis moves."""
    if len(linear) == 1 and not angular:
        return JointKind.SLIDER, linear[0]
    if len(linear) == 1 and angular == linear:
        both = ranges.linear[linear[0]], ranges.angular[linear[0]]
        is_slider = all(axis_range.is_bounded for axis_range in both)
        return JointKind.SLIDER if is_slider else JointKind.CYLINDRICAL, linear[0]
    if len(linear) == 2 and angular in ((), (remaining_axis(linear),)):
        return JointKind.PLANAR, remaining_axis(linear)
    return JointKind.CUSTOM, None
