"""Checks of limits: what they say that cannot work or will surprise.

The places of the findings are empty, their parts lead to the limit.
"""

import math
from collections.abc import Iterator

from ..findings.finding import ERROR, INFO, WARNING, Finding, rule
from ..findings.fix import Fix
from ..findings.words import amount, axis_name, limit_part, numbers
from ..meaning.recognition import AxisRange, axis_ranges
from ..model.axes import AXIS_LETTERS
from ..model.joint import JointLimit, JointSettings

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


def check_limit(limit: JointLimit, index: int) -> Iterator[Finding]:
    """Yield what is wrong with one limit, number `index` of its settings."""
    part, number = limit_part(index), index + 1
    if not limit.linear_axes and not limit.angular_axes:
        yield LIMIT_WITHOUT_AXES("", part, number=number)
        return
    if limit.min == -math.inf and limit.max == math.inf:
        yield LIMIT_WITHOUT_BOUNDS("", part, number=number)
        return
    if limit.min > limit.max:
        bounds = _bounds(limit, is_angular=not limit.linear_axes)
        yield BOUNDS_EXCHANGED("", part, number=number, **bounds)
    if not limit.is_rigid and limit.damping == 0.0:
        yield SOFT_UNDAMPED("", part, number=number)
    if limit.linear_axes and limit.angular_axes and (limit.min, limit.max) != (0.0, 0.0):
        yield METERS_AND_RADIANS("", part, number=number)
    for is_angular, axes in ((False, limit.linear_axes), (True, limit.angular_axes)):
        if axes:
            yield from _check_range(limit, axes, part, number, is_angular=is_angular)


def _check_range(
    limit: JointLimit, axes: tuple[int, ...], part: str, number: int, *, is_angular: bool
) -> Iterator[Finding]:
    if len(axes) > 1:
        yield from _check_together(limit, axes, part, number, is_angular=is_angular)
    far = [bound for bound in (limit.min, limit.max) if math.isfinite(bound)]
    widest = max(far, key=abs, default=0.0)
    if is_angular and abs(widest) > _HALF_TURN:
        yield BEYOND_HALF_TURN("", part, number=number, angle=amount(widest, is_angular=True))


def _check_together(
    limit: JointLimit, axes: tuple[int, ...], part: str, number: int, *, is_angular: bool
) -> Iterator[Finding]:
    """Yield what is wrong with the range of a limit over several axes of one kind."""
    letters = " and ".join(AXIS_LETTERS[axis] for axis in axes)
    metric = "an unsigned angle" if is_angular else "a distance"
    words: dict[str, str | float] = {"number": number, "axes": letters}
    bounds = _bounds(limit, is_angular=is_angular)
    if limit.max < 0.0:
        yield NEGATIVE_MAXIMUM("", part, **words, metric=metric, upper=bounds["upper"])
    elif -math.inf < limit.min < 0.0:
        yield NEGATIVE_MINIMUM("", part, **words, metric=metric, lower=bounds["lower"])
    if math.isfinite(limit.min) and limit.min not in (0.0, -limit.max):
        yield UNEVEN_RANGE("", part, **words, **bounds)


def check_contradictions(settings: JointSettings) -> Iterator[Finding]:
    """Yield the axes on which several limits leave nothing, or which two limits bound alike."""
    named = {
        (is_angular, axis): _naming(settings, axis, is_angular=is_angular)
        for is_angular in (False, True)
        for axis in range(3)
    }
    repeated = {place: naming for place, naming in named.items() if len(naming) > 1}
    if not repeated:
        return
    ranges = axis_ranges(settings)
    for (is_angular, axis), naming in repeated.items():
        axis_range = ranges.angular if is_angular else ranges.linear
        yield from _check_axis(settings, naming, axis, axis_range, is_angular=is_angular)


def _naming(settings: JointSettings, axis: int, *, is_angular: bool) -> list[int]:
    """Return which limits that allow anything name an axis."""
    return [
        index
        for index, limit in enumerate(settings.limits)
        if axis in (limit.angular_axes if is_angular else limit.linear_axes)
        and limit.min <= limit.max
    ]


def _check_axis(
    settings: JointSettings,
    naming: list[int],
    axis: int,
    ranges: tuple[AxisRange, ...],
    *,
    is_angular: bool,
) -> Iterator[Finding]:
    words = {"axis": axis_name(axis, is_angular=is_angular), "numbers": numbers(naming)}
    if ranges[axis].min > ranges[axis].max:
        yield CONTRADICTION("", limit_part(naming[-1]), **words)
        return
    limits = [settings.limits[index] for index in naming]
    alone = [i for i, limit in zip(naming, limits, strict=True) if _is_one(limit, is_angular)]
    if len(alone) > 1:
        words["numbers"] = numbers(alone)
        yield BOUND_TWICE("", limit_part(alone[-1]), **words)


def _is_one(limit: JointLimit, is_angular: bool) -> bool:
    return len(limit.angular_axes if is_angular else limit.linear_axes) == 1


def _bounds(limit: JointLimit, *, is_angular: bool) -> dict[str, str]:
    return {
        "lower": amount(limit.min, is_angular=is_angular),
        "upper": amount(limit.max, is_angular=is_angular),
    }
