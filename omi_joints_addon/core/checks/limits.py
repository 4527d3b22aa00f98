"""Checks of limits: values that cannot work or have surprising effects.

All limits of all settings are judged at once. The places of the findings are empty, their parts
lead to the limit.
"""

import math
from collections.abc import Iterator
from functools import cache
from itertools import compress
from typing import NamedTuple

import numpy as np

from ..findings.finding import ERROR, INFO, WARNING, Finding, Rule, rule
from ..findings.fix import Fix
from ..findings.words import amount, axis_name, limit_part, numbers
from ..model.axes import AXIS_LETTERS
from ..model.graph import Indices, Mask
from .axis_bounds import AxisBounds
from .plausibility import Words, farther_bound, implausible_bounds
from .settings_columns import AXIS_COUNTS, LimitColumns, Masks, axes_of, numbers_within

Hit = tuple[int, Finding]
"""Number of the settings, and what is wrong with them."""
_HALF_TURN = math.pi * (1.0 + 1e-6)
"""A half turn in single precision is a little more than pi."""

LIMIT_WITHOUT_AXES = rule(
    "OMI-J101",
    ERROR,
    "limit {number} has no axes, so it limits nothing; choose axes or remove it",
    reason="OMI_physics_joint: a limit without linear and angular axes is invalid.",
    fix=Fix.REMOVE_LIMIT,
    is_safe=True,
)
LIMIT_WITHOUT_BOUNDS = rule(
    "OMI-J102",
    WARNING,
    "limit {number} has neither a minimum nor a maximum, so it limits nothing",
    reason="OMI_physics_joint: at least one of min and max should be present.",
    fix=Fix.REMOVE_LIMIT,
    is_safe=True,
)
BOUNDS_EXCHANGED = rule(
    "OMI-J103",
    ERROR,
    "the minimum of limit {number}, {lower}, is above its maximum, {upper}, so no pose is allowed",
    reason="OMI_physics_joint: the allowed range is from min to max.",
    fix=Fix.SWAP_BOUNDS,
)
NEGATIVE_MINIMUM = rule(
    "OMI-J104",
    WARNING,
    "limit {number} on {axes} bounds {metric}, which is never negative, so its minimum of {lower} "
    "has no effect",
    reason='Appendix "Joint limit metrics": two or three axes are measured as a distance or an '
    "unsigned angle. Engines that split such a limit by axis read it as a range per axis.",
    fix=Fix.CLEAR_BOUNDS,
)
NEGATIVE_MAXIMUM = rule(
    "OMI-J105",
    ERROR,
    "limit {number} on {axes} bounds {metric}, which is never negative, but its maximum is "
    "{upper}, so no pose is allowed",
    reason='Appendix "Joint limit metrics": two or three axes are measured as a distance or an '
    "unsigned angle.",
)
BEYOND_HALF_TURN = rule(
    "OMI-J106",
    WARNING,
    "limit {number} reaches {angle}, but no angle is more than half a turn, so that bound has no "
    "effect",
    reason='Appendix "Joint limit metrics": angles are within half a turn, so a cone opens to 180° '
    "at most.",
    fix=Fix.CLEAR_BOUNDS,
    is_safe=True,
)
CONTRADICTION = rule(
    "OMI-J107",
    ERROR,
    "limits {numbers} contradict each other on {axis}, so no pose is allowed",
    reason="OMI_physics_joint: all limits apply at once.",
    fix=Fix.REMOVE_LIMIT,
)
BOUND_TWICE = rule(
    "OMI-J108",
    WARNING,
    "limits {numbers} both bound {axis}; the narrower range applies",
    reason="OMI_physics_joint: all limits apply at once; the Godot importer uses the last one.",
)
SOFT_UNDAMPED = rule(
    "OMI-J109",
    WARNING,
    "limit {number} is soft but has no damping, so bodies that pass its bounds keep swinging",
    reason="OMI_physics_joint: the damping of a limit defaults to 0.",
)
UNEVEN_RANGE = rule(
    "OMI-J110",
    WARNING,
    "limit {number} has an uneven range of {lower} to {upper} on {axes} together; some engines "
    "read it as a hole in the middle, others as a range for each axis",
    reason='Appendix "Joint limit metrics" against importers that split a limit by axis.',
)
METERS_AND_RADIANS = rule(
    "OMI-J111",
    INFO,
    "limit {number} uses the same numbers for meters and for radians",
    reason=(
        "OMI_physics_joint allows both in one limit, as in its weld example; two limits are "
        "clearer when the numbers are not zero."
    ),
)


def check_limits(limits: LimitColumns) -> list[Hit]:
    """Return what is wrong with each limit, in order."""
    is_somewhere = (limits.linear | limits.angular) > 0
    is_bounded = (limits.min > -math.inf) | (limits.max < math.inf)
    judged = is_somewhere & is_bounded
    is_both = (limits.linear > 0) & (limits.angular > 0)
    is_zero = (limits.min == 0.0) & (limits.max == 0.0)
    report = _Hits(limits)
    report(LIMIT_WITHOUT_AXES, ~is_somewhere)
    report(LIMIT_WITHOUT_BOUNDS, is_somewhere & ~is_bounded)
    report(BOUNDS_EXCHANGED, judged & (limits.min > limits.max), _bounds(limits))
    report(SOFT_UNDAMPED, judged & ~np.isinf(limits.stiffness) & (limits.damping == 0.0))
    report(METERS_AND_RADIANS, judged & is_both & ~is_zero)
    for is_angular, axes in ((False, limits.linear), (True, limits.angular)):
        _check_together(
            limits, axes, judged & (AXIS_COUNTS[axes] > 1), report, is_angular=is_angular
        )
        if is_angular:
            _check_turns(limits, judged & (axes > 0), report)
    for rule_, rows, words in implausible_bounds(limits):
        report(rule_, judged & ~is_both & rows, words)
    return report.hits()


class _Hits:
    def __init__(self, limits: LimitColumns) -> None:
        self._owner = limits.owner
        self._number = numbers_within(limits.owner)
        self._found: list[tuple[int, Finding]] = []

    def __call__(self, broken: Rule, rows: Mask, words: Words = lambda _: {}) -> None:
        """Add a finding about each row of a mask."""
        for row in np.flatnonzero(rows).tolist():
            number = int(self._number[row])
            finding = broken("", limit_part(number), number=number + 1, **words(row))
            self._found.append((row, finding))

    def hits(self) -> list[Hit]:
        """Return the findings in the order of limits."""
        found = sorted(self._found, key=lambda item: item[0])
        return [(int(self._owner[row]), finding) for row, finding in found]


def _check_turns(limits: LimitColumns, rows: Mask, report: _Hits) -> None:
    """Report limits of angles that reach beyond half a turn."""
    widest = farther_bound(limits)
    rows = rows & (np.abs(widest) > _HALF_TURN)
    report(BEYOND_HALF_TURN, rows, lambda row: {"angle": amount(widest[row], is_angular=True)})


def _check_together(
    limits: LimitColumns, axes: Masks, rows: Mask, report: _Hits, *, is_angular: bool
) -> None:
    """Report what is wrong with the ranges of limits over several axes of one kind."""
    metric = "an unsigned angle" if is_angular else "a distance"
    bounds = _bounds(limits, is_angular=is_angular)

    def words(*names: str) -> Words:
        def of_row(row: int) -> dict[str, str]:
            letters = " and ".join(AXIS_LETTERS[axis] for axis in axes_of(int(axes[row])))
            known = bounds(row) | {"axes": letters, "metric": metric}
            return {name: known[name] for name in ("axes", *names)}

        return of_row

    is_negative = limits.max < 0.0
    starts_below = (limits.min > -math.inf) & (limits.min < 0.0)
    is_even = (limits.min == 0.0) | (limits.min == -limits.max)
    report(NEGATIVE_MAXIMUM, rows & is_negative, words("metric", "upper"))
    report(NEGATIVE_MINIMUM, rows & ~is_negative & starts_below, words("metric", "lower"))
    report(UNEVEN_RANGE, rows & np.isfinite(limits.min) & ~is_even, words("lower", "upper"))


def check_contradictions(limits: LimitColumns, bounds: AxisBounds) -> Iterator[Hit]:
    """Yield the axes on which several limits leave nothing, or which two limits bound alike."""
    number = numbers_within(limits.owner)
    for is_angular, axes in ((False, limits.linear), (True, limits.angular)):
        for axis in range(3):
            is_empty = bounds.are_empty(axis, is_angular=is_angular)
            naming = np.flatnonzero((limits.min <= limits.max) & ((axes >> axis & 1) > 0))
            named = _Named(
                limits.owner[naming], number[naming], AXIS_COUNTS[axes[naming]] == 1, is_empty
            )
            yield from _check_axis(named, axis_name(axis, is_angular=is_angular))


class _Named(NamedTuple):
    """Limits on one axis, shapes (n,)."""

    owner: Indices
    number: Indices
    """Number of each within its settings."""
    is_alone: Mask
    """Whether it is on no other axis of that kind."""
    is_empty: Mask
    """Which settings leave nothing of the axis, shape (settings,)."""


def _check_axis(named: _Named, axis: str) -> Iterator[Hit]:
    @cache
    def finding(broken: Rule, *of: int) -> Finding:
        return broken("", limit_part(of[-1]), numbers=numbers(of), axis=axis)

    owners, starts, counts = np.unique(named.owner, return_index=True, return_counts=True)
    several = counts > 1
    owners, starts = owners[several], starts[several]
    ends, is_empty = starts + counts[several], named.is_empty[owners]
    number, is_alone = named.number.tolist(), named.is_alone.tolist()
    columns = (owners.tolist(), starts.tolist(), ends.tolist(), is_empty.tolist())
    for settings, start, end, excludes in zip(*columns, strict=True):
        if excludes:
            yield settings, finding(CONTRADICTION, *number[start:end])
        elif len(alone := list(compress(number[start:end], is_alone[start:end]))) > 1:
            yield settings, finding(BOUND_TWICE, *alone)


def _bounds(limits: LimitColumns, *, is_angular: bool | None = None) -> Words:
    """Return the bounds of a row in words, of angles where the limit has no linear axes."""

    def of_row(row: int) -> dict[str, str]:
        turns = limits.linear[row] == 0 if is_angular is None else is_angular
        return {
            "lower": amount(float(limits.min[row]), is_angular=bool(turns)),
            "upper": amount(float(limits.max[row]), is_angular=bool(turns)),
        }

    return of_row
