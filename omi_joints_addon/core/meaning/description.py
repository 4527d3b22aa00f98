"""Limits and drives in words, for tables and lists: degrees and meters, axes by letter."""

import math
from collections.abc import Iterator
from functools import cache

from ..model.axes import AXIS_LETTERS, remaining_axis
from ..model.joint import DriveType, JointDrive, JointLimit


def describe_limit(limit: JointLimit) -> str:
    """Return what a limit allows, such as "turns about Z -90° to 0°, soft 500 N·m/rad"."""
    parts = list(_ranges(limit))
    return ", ".join([*parts, *_softness(limit)]) if parts else "limits nothing"


def describe_drive(drive: JointDrive) -> str:
    """Return what a drive does, such as "spring to 30° about Z, 100 N·m/rad, at most 5 N·m"."""
    is_angular = drive.type == DriveType.ANGULAR
    unit = "°" if is_angular else " m"
    aims = []
    if drive.position_target is not None:
        stiffness = _stiffness(drive.stiffness, is_angular=is_angular)
        aims.append(f"spring to {_number(drive.position_target, is_angular)}{unit} ({stiffness})")
    if drive.velocity_target is not None:
        aims.append(f"motor at {_number(drive.velocity_target, is_angular)}{unit}/s")
    words = " and ".join(aims) or "no target"
    where = f"{'about' if is_angular else 'along'} {AXIS_LETTERS[drive.axis]}"
    return ", ".join((f"{words} {where}", *_drive_strength(drive, is_angular=is_angular)))


def _ranges(limit: JointLimit) -> Iterator[str]:
    """Yield the range of the linear, then of the angular axes."""
    is_fixed = limit.min == limit.max == 0.0
    if limit.linear_axes:
        fixed = f"fixed along {_letters(limit.linear_axes)}"
        yield fixed if is_fixed else _linear_range(limit, _bounds(limit, is_angular=False))
    if limit.angular_axes:
        fixed = f"fixed about {_letters(limit.angular_axes)}"
        yield fixed if is_fixed else f"{_angular_verb(limit)} {_bounds(limit, is_angular=True)}"


def _linear_range(limit: JointLimit, bounds: str) -> str:
    if len(limit.linear_axes) == 1:
        return f"slides along {_letters(limit.linear_axes)} {bounds}"
    if len(limit.linear_axes) == 2:
        return f"stays within {bounds} of the {_third(limit.linear_axes)} line"
    return f"stays within {bounds} of the point"


def _angular_verb(limit: JointLimit) -> str:
    if len(limit.angular_axes) == 1:
        return f"turns about {_letters(limit.angular_axes)}"
    if len(limit.angular_axes) == 2:
        return f"swings in a cone about {_third(limit.angular_axes)} within"
    return "turns any way within"


def _bounds(limit: JointLimit, *, is_angular: bool) -> str:
    """Return the bounds with their unit; of a distance the maximum alone where it can."""
    unit = "°" if is_angular else " m"
    axes = limit.angular_axes if is_angular else limit.linear_axes
    low, high = _number(limit.min, is_angular) + unit, _number(limit.max, is_angular) + unit
    if limit.min == limit.max:
        return f"at {low}"
    if limit.min == -math.inf or (len(axes) > 1 and limit.min <= 0.0):
        if limit.max == math.inf:
            return "without bounds"
        return f"up to {high}" if len(axes) == 1 else high
    return f"from {low}" if limit.max == math.inf else f"{low} to {high}"


def _softness(limit: JointLimit) -> Iterator[str]:
    if not limit.is_rigid:
        is_angular = bool(limit.angular_axes) and not limit.linear_axes
        yield f"soft {_stiffness(limit.stiffness, is_angular=is_angular)}"
    if limit.damping:
        yield f"damping {limit.damping:g}"


def _drive_strength(drive: JointDrive, *, is_angular: bool) -> Iterator[str]:
    """Yield damping, bound and mode of a drive."""
    if drive.damping:
        yield f"damping {drive.damping:g}"
    if drive.max_force != math.inf:
        yield f"at most {drive.max_force:g} {'N·m' if is_angular else 'N'}"
    if drive.mode != "force":
        yield f"{drive.mode} mode"
    if not drive.has_known_type:
        yield f"type {drive.type!r}"


def _stiffness(value: float, *, is_angular: bool) -> str:
    return f"{value:g} {'N·m/rad' if is_angular else 'N/m'}"


def _number(value: float, is_angular: bool) -> str:
    """Return a number of meters or, from radians, degrees, without digits that say nothing."""
    shown = math.degrees(value) if is_angular else value
    return f"{round(shown, 4) + 0.0:g}"


@cache
def _letters(axes: tuple[int, ...]) -> str:
    """Return the letters of axes, such as "X, Y"."""
    return ", ".join(AXIS_LETTERS[axis] for axis in axes)


def _third(axes: tuple[int, ...]) -> str:
    """Return the letter of the axis that is not among two."""
    return AXIS_LETTERS[remaining_axis(axes)]
