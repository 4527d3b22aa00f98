"""Checks of limits and drives: what joint settings say that cannot work or will surprise.

The places of the findings are empty, their parts lead to the limit or drive.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from ..findings.finding import Finding, finding
from ..meaning.description import AXIS_LETTERS
from ..meaning.recognition import AxisRange, axis_ranges
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings

_HALF_TURN = math.pi * (1.0 + 1e-6)
"""A half turn in single precision is a little more than pi."""
_CLOSE = 1e-6


@lru_cache(maxsize=65536)
def check_settings(settings: JointSettings) -> tuple[Finding, ...]:
    """Return what is wrong with joint settings."""
    if not settings.limits and not settings.drives:
        return (finding("OMI-J112", ""),)
    return (
        *(found for n, limit in enumerate(settings.limits) for found in _check_limit(limit, n)),
        *_check_contradictions(settings),
        *(found for n, drive in enumerate(settings.drives) for found in _check_drive(drive, n)),
        *_check_drives_together(settings),
    )


def axis_name(axis: int, *, is_angular: bool) -> str:
    """Return an axis in words, such as "rotation about Z"."""
    return f"{'rotation about' if is_angular else 'movement along'} {AXIS_LETTERS[axis]}"


def amount(value: float, *, is_angular: bool) -> str:
    """Return a number of metres or radians with its unit, angles in degrees."""
    return f"{math.degrees(value):.4g}°" if is_angular else f"{value:.4g} m"


def limit_part(index: int) -> str:
    """Return the pointer of a limit within its settings."""
    return f"/limits/{index}"


def drive_part(index: int) -> str:
    """Return the pointer of a drive within its settings."""
    return f"/drives/{index}"


def _check_limit(limit: JointLimit, index: int) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    if not limit.linear_axes and not limit.angular_axes:
        yield finding("OMI-J101", "", part, number=number)
        return
    if limit.min == -math.inf and limit.max == math.inf:
        yield finding("OMI-J102", "", part, number=number)
        return
    if limit.min > limit.max:
        bounds = _bounds(limit, is_angular=not limit.linear_axes)
        yield finding("OMI-J103", "", part, number=number, **bounds)
    if not limit.is_rigid and limit.damping == 0.0:
        yield finding("OMI-J109", "", part, number=number)
    if limit.linear_axes and limit.angular_axes and (limit.min, limit.max) != (0.0, 0.0):
        yield finding("OMI-J111", "", part, number=number)
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
        yield finding("OMI-J106", "", part, number=number, angle=amount(widest, is_angular=True))


def _check_together(
    limit: JointLimit, axes: tuple[int, ...], part: str, number: int, *, is_angular: bool
) -> Iterator[Finding]:
    """Yield what is wrong with the range of a limit over several axes of one kind."""
    words = _bounds(limit, is_angular=is_angular) | {
        "axes": " and ".join(AXIS_LETTERS[axis] for axis in axes),
        "metric": "an angle without sign" if is_angular else "a distance",
    }
    if limit.max < 0.0:
        yield finding("OMI-J105", "", part, number=number, **words)
    elif -math.inf < limit.min < 0.0:
        yield finding("OMI-J104", "", part, number=number, **words)
    if math.isfinite(limit.min) and limit.min not in (0.0, -limit.max):
        yield finding("OMI-J110", "", part, number=number, **words)


def _check_contradictions(settings: JointSettings) -> Iterator[Finding]:
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
    words = {"axis": axis_name(axis, is_angular=is_angular), "numbers": _numbers(naming)}
    if ranges[axis].min > ranges[axis].max:
        yield finding("OMI-J107", "", limit_part(naming[-1]), **words)
        return
    limits = [settings.limits[index] for index in naming]
    alone = [i for i, limit in zip(naming, limits, strict=True) if _is_one(limit, is_angular)]
    if len(alone) > 1:
        words["numbers"] = _numbers(alone)
        yield finding("OMI-J108", "", limit_part(alone[-1]), **words)


def _is_one(limit: JointLimit, is_angular: bool) -> bool:
    return len(limit.angular_axes if is_angular else limit.linear_axes) == 1


def _check_drive(drive: JointDrive, index: int) -> Iterator[Finding]:
    part, number = drive_part(index), index + 1
    if drive.position_target is None and drive.velocity_target is None:
        yield finding("OMI-J201", "", part, number=number)
        return
    if drive.position_target is not None and drive.stiffness == 0.0:
        yield finding("OMI-J202", "", part, number=number)
    if _is_powerless_motor(drive):
        yield finding("OMI-J203", "", part, number=number)
    if drive.max_force == 0.0:
        yield finding("OMI-J207", "", part, number=number)


def _is_powerless_motor(drive: JointDrive) -> bool:
    """Return whether a velocity target lacks damping; beside a spring, 0 needs none."""
    if drive.velocity_target is None or drive.damping > 0.0:
        return False
    return drive.velocity_target != 0.0 or drive.position_target is None


def _check_drives_together(settings: JointSettings) -> Iterator[Finding]:
    """Yield drives that share an axis, or that the limits hold back."""
    if not settings.drives:
        return
    ranges = axis_ranges(settings)
    numbers: defaultdict[tuple[bool, int], list[int]] = defaultdict(list)
    for index, drive in enumerate(settings.drives):
        if drive.type in set(DriveType):
            is_angular = drive.type == DriveType.ANGULAR
            numbers[is_angular, drive.axis].append(index)
            axis_range = (ranges.angular if is_angular else ranges.linear)[drive.axis]
            yield from _check_target(drive, index, axis_range, is_angular=is_angular)
    for (is_angular, axis), drives in numbers.items():
        if len(drives) > 1:
            name = axis_name(axis, is_angular=is_angular)
            yield finding(
                "OMI-J204", "", drive_part(drives[-1]), numbers=_numbers(drives), axis=name
            )


def _check_target(
    drive: JointDrive, index: int, axis_range: AxisRange, *, is_angular: bool
) -> Iterator[Finding]:
    words = {"number": index + 1, "axis": axis_name(drive.axis, is_angular=is_angular)}
    if axis_range.min == axis_range.max:
        yield finding("OMI-J206", "", drive_part(index), **words)
        return
    target = drive.position_target
    if target is None or axis_range.min - _CLOSE <= target <= axis_range.max + _CLOSE:
        return
    bounds = {"lower": axis_range.min, "upper": axis_range.max, "target": target}
    shown = {name: amount(value, is_angular=is_angular) for name, value in bounds.items()}
    yield finding("OMI-J205", "", drive_part(index), **words, **shown)


def _bounds(limit: JointLimit, *, is_angular: bool) -> dict[str, str]:
    return {
        "lower": amount(limit.min, is_angular=is_angular),
        "upper": amount(limit.max, is_angular=is_angular),
    }


def _numbers(indices: list[int]) -> str:
    return " and ".join(str(index + 1) for index in indices)
