"""Which shapes stand for joint settings: one row per arc, cone, bar or mark, in the joint's frame.

Limits on the same axes are intersected. Rows know nothing of poses or sizes, so they are made once
per settings.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..meaning.metric import angular_metric, linear_metric, twist_angle
from ..model.joint import JointLimit, JointSettings
from ..model.pose import Array, Pose

AXIS_SETS = ((0,), (1,), (2,), (1, 2), (0, 2), (0, 1), (0, 1, 2))
"""Axes that a limit may name, in the order of metrics; a pair stands at 3 + the third axis."""
ANGULAR = len(AXIS_SETS)
"""Number of the first angular metric."""
LOCKED_WIDTH = 1e-6
"""Widest range [m or rad] that counts as one value."""


class Figure(IntEnum):
    """Form of a shape."""

    SECTOR = 0
    """Range of one angle."""
    CONE = 1
    """Range of the angle from the third axis."""
    CAP = 2
    """Range of the angle of the whole rotation."""
    BAR = 3
    """Range of one coordinate; `span` is unused."""
    TUBE = 4
    """Range of the distance from a line; `span` bounds the line."""
    BALL = 5
    """Range of the distance from the origin."""
    RING = 6
    """Angle without bounds."""
    RAY = 7
    """Coordinate without bounds."""
    LOCK = 8
    """Angle or coordinate with one value."""
    SWING = 9
    """Directions of the third axis that several limits leave; `span`, `other` bound two angles."""
    BOX = 10
    """Positions that several one-axis linear limits leave; the three ranges bound X, Y, Z."""


SHAPE = np.dtype(
    [
        ("kind", "i1"),
        ("axis", "i1"),
        ("metric", "i1"),
        ("filled", "?"),
        ("empty", "?"),
        ("soft_low", "?"),
        ("soft_high", "?"),
        ("low", "f8"),
        ("high", "f8"),
        ("span_low", "f8"),
        ("span_high", "f8"),
        ("other_low", "f8"),
        ("other_high", "f8"),
    ]
)
"""A shape: `axis` is its own or the third axis, `metric` the number of what low and high [m or rad]
bound, of the linear sets of axes and then the angular ones; `empty` means that no value is left,
then low and high are exchanged."""


@dataclass(slots=True)
class _Range:
    """What the limits on one set of axes leave."""

    low: float
    high: float
    floor: float
    ceiling: float
    soft_low: bool = False
    soft_high: bool = False

    def narrow(self, limit: JointLimit) -> None:
        """Intersect with a limit."""
        if limit.min > self.low:
            self.low, self.soft_low = limit.min, not limit.is_rigid
        if limit.max < self.high:
            self.high, self.soft_high = limit.max, not limit.is_rigid

    @property
    def is_whole(self) -> bool:
        """Whether nothing is excluded."""
        return self.low <= self.floor and self.high >= self.ceiling

    @property
    def is_empty(self) -> bool:
        """Whether everything is excluded."""
        return self.low > self.high or self.low > self.ceiling or self.high < self.floor

    @property
    def is_locked(self) -> bool:
        """Whether one value is left."""
        return not self.is_empty and self.high - self.low <= LOCKED_WIDTH

    @property
    def is_open(self) -> bool:
        """Whether a part of the values is left, more than one."""
        return not (self.is_whole or self.is_empty or self.is_locked)

    @property
    def bounds(self) -> tuple[float, float]:
        """Low and high, ascending."""
        return (self.high, self.low) if self.is_empty else (self.low, self.high)


_Ranges = dict[int, _Range]


def metric_values(metrics: NDArray[np.int8], joint: NDArray[np.intp], pose: Pose) -> Array:
    """Return what metrics (m,) measure of the poses, of which each metric takes one by `joint`."""
    values = np.empty(len(metrics))
    axis = metrics % ANGULAR
    is_linear, is_single = metrics < ANGULAR, axis < 3
    one = np.flatnonzero(is_linear & is_single)
    values[one] = pose.position[joint[one], axis[one]]
    one = np.flatnonzero(is_single & ~is_linear)
    turned = pose.rotation[joint[one]]
    values[one] = twist_angle(turned[np.arange(len(one)), axis[one]], turned[:, 3])
    for number in set(metrics[~is_single].tolist()):
        here, axes = metrics == number, AXIS_SETS[number % ANGULAR]
        if number < ANGULAR:
            values[here] = linear_metric(axes, pose.position[joint[here]])
        else:
            values[here] = angular_metric(axes, pose.rotation[joint[here]])
    return values


@lru_cache(maxsize=16384)
def shape_rows(settings: JointSettings) -> NDArray[Any]:
    """Return the shapes of settings, dtype `SHAPE`; limits on the same axes are intersected."""
    ranges = _ranges(settings)
    return np.array([*_linear_rows(ranges), *_angular_rows(ranges)], SHAPE)


def joined_rows(tables: Sequence[NDArray[Any]], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return tables as one; numpy's own way compares the fields of each with those before it."""
    return np.frombuffer(b"".join([table.tobytes() for table in tables]), dtype)


def _ranges(settings: JointSettings) -> _Ranges:
    """Return what each metric may be, for those that a limit narrows."""
    ranges: _Ranges = {}
    for limit in settings.limits:
        for first, axes in ((0, limit.linear_axes), (ANGULAR, limit.angular_axes)):
            if axes in AXIS_SETS:
                number = first + AXIS_SETS.index(axes)
                ranges.setdefault(number, _all_values(number)).narrow(limit)
    return {number: values for number, values in ranges.items() if not values.is_whole}


def _all_values(number: int) -> _Range:
    """Return every value that a metric can have."""
    ceiling = math.inf if number < ANGULAR else math.pi
    floor = -ceiling if number % ANGULAR < 3 else 0.0
    return _Range(floor, ceiling, floor, ceiling)


def _row(
    kind: Figure,
    axis: int,
    metric: int,
    values: _Range,
    *,
    filled: bool = True,
    span: tuple[float, float] = (-math.inf, math.inf),
    other: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[Any, ...]:
    flags = (filled, values.is_empty, values.soft_low, values.soft_high)
    return (kind, axis, metric, *flags, *values.bounds, *span, *other)


def _linear_rows(ranges: _Ranges) -> Iterator[tuple[Any, ...]]:
    yield from _axis_rows(ranges, 0, Figure.BAR, Figure.RAY)
    for third in range(3):
        span = ranges[third].bounds if third in ranges else (-math.inf, math.inf)
        yield from _group_row(ranges, 3 + third, Figure.TUBE, third, span=span)
    yield from _group_row(ranges, 6, Figure.BALL, 2)
    singles = [ranges.get(axis) for axis in range(3)]
    if sum(1 for single in singles if single and single.is_open) > 1:
        low, span, other = (_finite(single) for single in singles)
        yield _row(Figure.BOX, -1, 0, _Range(*low, *low), span=span, other=other)


def _angular_rows(ranges: _Ranges) -> Iterator[tuple[Any, ...]]:
    merged = [third for third in range(3) if _is_swing(ranges, third)]
    yield from _axis_rows(ranges, ANGULAR, Figure.SECTOR, Figure.RING, merged=merged)
    for third in range(3):
        filled = third not in merged
        yield from _group_row(ranges, ANGULAR + 3 + third, Figure.CONE, third, filled=filled)
    yield from _group_row(ranges, ANGULAR + 6, Figure.CAP, 2)
    for third in merged:
        one, two = (ranges.get(ANGULAR + (third + step) % 3) for step in (1, 2))
        cone = ranges.get(ANGULAR + 3 + third, _all_values(ANGULAR + 3 + third))
        span, other = (single.bounds if single else (-math.pi, math.pi) for single in (one, two))
        yield _row(Figure.SWING, third, ANGULAR + 3 + third, cone, span=span, other=other)


def _axis_rows(
    ranges: _Ranges, first: int, bounded: Figure, free: Figure, *, merged: list[int] | None = None
) -> Iterator[tuple[Any, ...]]:
    """Yield the shapes of single axes; axes in a `merged` swing are not filled."""
    for axis in range(3):
        number = first + axis
        values = ranges.get(number)
        if values is None:
            if not _is_grouped(ranges, first, axis):
                yield _row(free, axis, number, _all_values(number))
        elif values.is_locked:
            yield _row(Figure.LOCK, axis, number, values)
        else:
            filled = all(third == axis for third in merged or [])
            yield _row(bounded, axis, number, values, filled=filled)


def _is_grouped(ranges: _Ranges, first: int, axis: int) -> bool:
    return any(axis in AXIS_SETS[number] and first + number in ranges for number in range(3, 7))


def _group_row(
    ranges: _Ranges, number: int, kind: Figure, axis: int, **more: Any
) -> Iterator[tuple[Any, ...]]:
    """Yield the shape of a limit on several axes, a mark on each where it holds them at zero."""
    values = ranges.get(number)
    if values is None:
        return
    if values.is_empty or values.high > LOCKED_WIDTH:
        yield _row(kind, axis, number, values, **more)
        return
    first = number - number % ANGULAR
    for locked in AXIS_SETS[number % ANGULAR]:
        if first + locked not in ranges:
            yield _row(Figure.LOCK, locked, first + locked, _Range(0.0, 0.0, 0.0, 0.0))


def _is_swing(ranges: _Ranges, third: int) -> bool:
    """Return whether several limits together decide where the third axis may point."""
    cone, twist, one, two = (
        ranges.get(ANGULAR + number)
        for number in (3 + third, third, (third + 1) % 3, (third + 2) % 3)
    )
    if cone is None and twist is not None and twist.is_open:
        return False
    return sum(1 for values in (cone, one, two) if values is not None and values.is_open) > 1


def _finite(values: _Range | None) -> tuple[float, float]:
    """Return the bounds of a box's side, zero if no end is shown."""
    bounds = values.bounds if values else (0.0, 0.0)
    return bounds if all(map(math.isfinite, bounds)) else (0.0, 0.0)
