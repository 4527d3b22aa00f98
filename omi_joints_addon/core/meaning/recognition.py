"""What each axis of a joint can do, and the friendly name that follows from it.

Everything is computed from the limits however they are grouped into objects; nothing is stored.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """One effective bound of a joint: the linear or the angular part of a limit."""

    is_angular: bool
    """Whether it bounds an angle [rad], else a distance [m]."""
    axes: tuple[int, ...]
    """Axes of the joint's attachment frame, ascending: 0 X, 1 Y, 2 Z."""
    min: float
    """-inf where the limit has no effect from below."""
    max: float
    """inf where the limit has no effect from above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisRanges:
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
        for is_angular, axes in ((False, limit.linear_axes), (True, limit.angular_axes)):
            if not axes:
                continue
            largest = math.pi if is_angular else math.inf
            smallest = -largest if len(axes) == 1 else 0.0
            lower = limit.min if limit.min > smallest else -math.inf
            upper = limit.max if limit.max < largest else math.inf
            if lower != -math.inf or upper != math.inf:
                yield Bound(is_angular=is_angular, axes=axes, min=lower, max=upper)


def axis_ranges(settings: JointSettings) -> AxisRanges:
    """Return what each axis can do, all limits on it together.

    A limit over several axes bounds each of them by plus and minus its maximum; a minimum of such a
    limit, which cuts a hole, is no range of one axis and left out (`effective_bounds` has it).
    """
    bounds = tuple(effective_bounds(_joined(settings)))
    linear = [bound for bound in bounds if not bound.is_angular]
    angular = [bound for bound in bounds if bound.is_angular]
    return AxisRanges(linear=_ranges(linear), angular=_ranges(angular))


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


def _ranges(bounds: list[Bound]) -> tuple[AxisRange, AxisRange, AxisRange]:
    """Return the ranges of three axes of one kind."""
    lower, upper = [-math.inf] * 3, [math.inf] * 3
    for bound in bounds:
        for axis in bound.axes:
            lower[axis] = max(lower[axis], bound.min if len(bound.axes) == 1 else 0.0 - bound.max)
            upper[axis] = min(upper[axis], bound.max)
    moving = {axis for axis in range(3) if not lower[axis] == upper[axis] == 0.0}
    groups = [moving.intersection(bound.axes) for bound in bounds]
    shared = set().union(*(group for group in groups if len(group) > 1))
    x, y, z = (
        AxisRange(min=lower[axis], max=upper[axis], is_shared=axis in shared) for axis in range(3)
    )
    return x, y, z


def _kind_and_axis(settings: JointSettings) -> tuple[JointKind, int | None]:
    settings = _joined(settings)
    bounds = tuple(effective_bounds(settings))
    if not bounds:
        return JointKind.FREE, None
    ranges = axis_ranges(settings)
    if _is_held_off_zero(ranges) or any(len(b.axes) > 1 and b.min > 0.0 for b in bounds):
        return JointKind.CUSTOM, None
    linear, angular = _moving(ranges.linear), _moving(ranges.angular)
    if not linear:
        return _rotating(angular, [bound for bound in bounds if bound.is_angular])
    return _sliding(linear, angular, ranges)


def _is_held_off_zero(ranges: AxisRanges) -> bool:
    """Return whether an axis is held at one value other than zero, or at none."""
    return not (
        all(r.is_locked or r.min < r.max for r in (*ranges.linear, *ranges.angular))
        and all(r.min < math.pi and r.max > -math.pi for r in ranges.angular)
    )


def _moving(ranges: tuple[AxisRange, ...]) -> tuple[int, ...]:
    return tuple(axis for axis, axis_range in enumerate(ranges) if not axis_range.is_locked)


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
    normal = 3 - sum(linear)
    if len(linear) == 2 and angular in ((), (normal,)):
        return JointKind.PLANAR, normal
    return JointKind.CUSTOM, None
