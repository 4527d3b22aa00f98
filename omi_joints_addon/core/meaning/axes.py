"""What each of the six axes of a joint can do, by all of its limits and drives.

The one place that takes limits apart by axis: recognition, ranges of motion, tree formats and
engines read it. SI units and radians, axes of the joint's attachment frame.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings


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


class Interval(NamedTuple):
    """Range along or about one axis, as limits of this axis alone give it."""

    min: float = -math.inf
    """[m or rad]; -inf is unbounded."""
    max: float = math.inf
    """[m or rad]; inf is unbounded."""
    stiffness: float = math.inf
    """Beyond the bounds [N/m or N·m/rad]; inf is rigid."""
    damping: float = 0.0
    """Beyond the bounds [N·s/m or N·m·s/rad]."""

    @property
    def is_free(self) -> bool:
        """Whether nothing bounds the axis."""
        return self.min == -math.inf and self.max == math.inf

    @property
    def is_held(self) -> bool:
        """Whether the bounds allow one position only, softly or rigidly."""
        return self.min == self.max

    @property
    def is_locked(self) -> bool:
        """Whether the axis is rigidly held at zero."""
        return self.min == self.max == 0.0 and math.isinf(self.stiffness)

    @property
    def is_soft(self) -> bool:
        """Whether the bounds give way."""
        return not self.is_free and math.isfinite(self.stiffness)


FREE = Interval()
LOCKED = Interval(min=0.0, max=0.0)


class JointAxis(NamedTuple):
    """What a joint can do along or about one axis while all other axes rest at zero."""

    min: float = -math.inf
    """Lower bound [m or rad]; -inf is unbounded. Greater than `max` where nothing is allowed."""
    max: float = math.inf
    """Upper bound [m or rad]; inf is unbounded."""
    is_shared: bool = False
    """Whether a limit over several axes that can move makes the range depend on the others."""
    own: Interval = FREE
    """What limits of this axis alone allow, and rigid locks over several axes."""
    drives: tuple[JointDrive, ...] = ()
    """Drives of this axis, in their order."""

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


class JointAxes(NamedTuple):
    """A joint axis by axis, and what cannot be expressed axis by axis."""

    linear: tuple[JointAxis, JointAxis, JointAxis]
    """Along X, Y and Z [m]."""
    angular: tuple[JointAxis, JointAxis, JointAxis]
    """About X, Y and Z [rad]."""
    bounds: tuple[Bound, ...]
    """All bounds that can be violated, in the order of the limits."""
    shared: tuple[JointLimit, ...]
    """Linear and angular parts of limits over several axes that are not rigid locks at zero."""
    further: tuple[JointLimit, ...]
    """Limits of one axis whose softness is not that of the axis' `own` range."""
    moving: tuple[int, ...]
    """Axes, 0 to 5, that are not rigidly locked."""

    @property
    def all(self) -> tuple[JointAxis, ...]:
        """Return the six axes: 0 to 2 along, 3 to 5 about X, Y and Z."""
        return (*self.linear, *self.angular)


@lru_cache(maxsize=32768)
def joint_axes(settings: JointSettings) -> JointAxes:
    """Return what each axis of a joint can do, all its limits together.

    A limit over several axes bounds each of them by plus and minus its maximum; a minimum of such a
    limit, which cuts a hole, is not a range of one axis and only in `bounds`.
    """
    bounds = tuple(effective_bounds(settings.limits))
    own, shared, further = _own_intervals(settings.limits)
    linear = [bound for bound in bounds if not bound.is_angular]
    angular = [bound for bound in bounds if bound.is_angular]
    return JointAxes(
        linear=_axes(linear, own[:3], _drives(settings.drives, DriveType.LINEAR)),
        angular=_axes(angular, own[3:], _drives(settings.drives, DriveType.ANGULAR)),
        bounds=bounds,
        shared=tuple(shared),
        further=tuple(further),
        moving=_moving(own),
    )


def moving_axes(settings: JointSettings) -> tuple[int, ...]:
    """Return the axes of a joint, 0 to 5, that are not rigidly locked (`JointAxes.moving`)."""
    return _moving(_own_intervals(settings.limits)[0])


def _moving(own: Sequence[Interval]) -> tuple[int, ...]:
    return tuple([n for n, each in enumerate(own) if not (each is LOCKED or each.is_locked)])


def effective_bounds(limits: Sequence[JointLimit]) -> Iterator[Bound]:
    """Yield the bounds that can be violated at all, by the ranges of `core.meaning.metric`.

    A distance is never less than 0, an angle never more than half a turn.
    """
    for limit in limits:
        for is_angular, axes in limit.parts():
            largest = math.pi if is_angular else math.inf
            smallest = -largest if len(axes) == 1 else 0.0
            lower = limit.min if limit.min > smallest else -math.inf
            upper = limit.max if limit.max < largest else math.inf
            if lower != -math.inf or upper != math.inf:
                yield Bound(is_angular, axes, lower, upper)


def locks(linear: Iterable[int] = (), angular: Iterable[int] = ()) -> tuple[JointLimit, ...]:
    """Return the limits that hold axes at zero: one for the linear, one for the angular ones."""
    both = (
        JointLimit(linear_axes=tuple(linear), min=0.0, max=0.0),
        JointLimit(angular_axes=tuple(angular), min=0.0, max=0.0),
    )
    return tuple(limit for limit in both if limit.parts())


def one_axis_limit(number: int, interval: Interval) -> JointLimit:
    """Return the limit of one axis, 0 to 5."""
    return JointLimit(
        linear_axes=(number,) if number < 3 else (),
        angular_axes=(number - 3,) if number >= 3 else (),
        min=interval.min,
        max=interval.max,
        stiffness=interval.stiffness,
        damping=interval.damping,
    )


def one_axis_settings(
    number: int, interval: Interval, drives: tuple[JointDrive, ...] = ()
) -> JointSettings:
    """Return a joint that moves along (0 to 2) or about (3 to 5) one axis only.

    Linear locks share one limit and so do angular ones, as presets and importers write them.
    """
    is_locked = interval == LOCKED
    limits = _locks(-1 if is_locked else number)
    if not (is_locked or interval.is_free):
        limits = (*limits, one_axis_limit(number, interval))
    return JointSettings(limits=limits, drives=drives)


@cache
def _locks(free: int) -> tuple[JointLimit, ...]:
    linear = (axis for axis in range(3) if axis != free)
    return locks(linear, (axis for axis in range(3) if axis + 3 != free))


_Three = tuple[JointAxis, JointAxis, JointAxis]
_FREE_AXIS, _LOCKED_AXIS = JointAxis(), JointAxis(min=0.0, max=0.0, own=LOCKED)
_NOT_DRIVEN: Sequence[tuple[JointDrive, ...]] = ((), (), ())


def _drives(drives: Sequence[JointDrive], kind: DriveType) -> Sequence[tuple[JointDrive, ...]]:
    own = [drive for drive in drives if drive.type == kind]
    if not own:
        return _NOT_DRIVEN
    return [tuple([drive for drive in own if drive.axis == axis]) for axis in range(3)]


def _axes(
    bounds: Sequence[Bound], own: Sequence[Interval], drives: Sequence[tuple[JointDrive, ...]]
) -> _Three:
    if not bounds and drives is _NOT_DRIVEN and own[0] is own[1] is own[2] is FREE:
        return _FREE_AXIS, _FREE_AXIS, _FREE_AXIS
    lower, upper = [-math.inf] * 3, [math.inf] * 3
    for _, axes, alone, most in bounds:
        least = alone if len(axes) == 1 else 0.0 - most
        for axis in axes:
            lower[axis] = max(lower[axis], least)
            upper[axis] = min(upper[axis], most)
    shared = _shared_axes(bounds, lower, upper)
    x, y, z = [_axis(lower[n], upper[n], own[n], drives[n], n in shared) for n in range(3)]
    return x, y, z


def _axis(
    lower: float,
    upper: float,
    own: Interval,
    drives: tuple[JointDrive, ...],
    is_shared: bool,
) -> JointAxis:
    if own is LOCKED and lower == upper == 0.0 and not (drives or is_shared):
        return _LOCKED_AXIS
    return JointAxis(min=lower, max=upper, is_shared=is_shared, own=own, drives=drives)


def _shared_axes(
    bounds: Sequence[Bound], lower: Sequence[float], upper: Sequence[float]
) -> set[int]:
    """Return the axes that a limit over several axes that can move bounds."""
    shared = set[int]()
    for _, axes, _, _ in bounds:
        moving = [axis for axis in axes if not lower[axis] == upper[axis] == 0.0]
        if len(moving) > 1:
            shared.update(moving)
    return shared


def _own_intervals(
    limits: Sequence[JointLimit],
) -> tuple[list[Interval], list[JointLimit], list[JointLimit]]:
    """Return the `own` ranges of six axes, rigid ones intersected, `shared` and `further`."""
    own, shared, further = [FREE] * 6, list[JointLimit](), list[JointLimit]()
    for limit in sorted(limits, key=_is_soft):
        for is_angular, axes in limit.parts():
            if len(axes) > 1 and not _is_lock(limit):
                if limit.max != math.inf or limit.min > 0.0:
                    shared.append(_part(limit, is_angular=is_angular))
                continue
            interval = _interval(limit, axes)
            if interval.is_free:
                continue
            for axis in axes:
                number = axis + 3 * is_angular
                merged = interval if own[number] is FREE else _merged(own[number], interval)
                if merged is None:
                    further.append(one_axis_limit(number, interval))
                else:
                    own[number] = merged
    return own, shared, further


def _is_soft(limit: JointLimit) -> bool:
    return limit.stiffness != math.inf


def _is_lock(limit: JointLimit) -> bool:
    """Return whether a limit over several axes holds each of them at zero.

    A soft lock over several axes does not: it pulls by its one metric.
    """
    return limit.max == 0.0 and limit.min <= 0.0 and limit.is_rigid


def _part(limit: JointLimit, *, is_angular: bool) -> JointLimit:
    """Return the linear or the angular part of a limit."""
    return replace(limit, linear_axes=()) if is_angular else replace(limit, angular_axes=())


def _interval(limit: JointLimit, axes: Sequence[int]) -> Interval:
    least = limit.min if len(axes) == 1 else 0.0
    if least == limit.max == 0.0 and not _is_soft(limit):
        return LOCKED
    return Interval(min=least, max=limit.max, stiffness=limit.stiffness, damping=limit.damping)


def _merged(one: Interval, other: Interval) -> Interval | None:
    """Return what two bounded intervals both allow, None where one interval cannot express it."""
    if one.is_soft or other.is_soft:
        return None
    if other.min <= one.min and one.max <= other.max:
        return one
    return one._replace(min=max(one.min, other.min), max=min(one.max, other.max))
