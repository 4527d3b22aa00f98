"""Checks of drives: values that cannot work or have surprising effects.

All drives of all settings are judged at once. The places of the findings are empty, their parts
lead to the drive.
"""

from collections.abc import Iterator

import numpy as np

from ..findings.finding import WARNING, Finding, rule
from ..findings.fix import Fix
from ..findings.words import amount, axis_name, drive_part, numbers
from .axis_bounds import AxisBounds
from .settings_columns import DriveColumns, numbers_within

Hit = tuple[int, Finding]
"""Number of the settings, and what is wrong with them."""

_CLOSE = 1e-6

DRIVE_WITHOUT_TARGET = rule(
    "OMI-J201",
    WARNING,
    "drive {number} has neither a position nor a velocity target, so it does nothing",
    reason="OMI_physics_joint: without a target a drive is neither spring nor motor.",
    fix=Fix.REMOVE_DRIVE,
    is_safe=True,
)
SPRING_WITHOUT_STIFFNESS = rule(
    "OMI-J202",
    WARNING,
    "drive {number} has a position target but no stiffness, so nothing pulls toward it",
    reason="OMI_physics_joint: the force of a drive is stiffness times distance from its target.",
)
MOTOR_WITHOUT_DAMPING = rule(
    "OMI-J203",
    WARNING,
    "drive {number} has a velocity target but no damping, so nothing pushes toward it",
    reason="OMI_physics_joint: the force of a drive is damping times difference from its velocity.",
)
DRIVEN_TWICE = rule(
    "OMI-J204",
    WARNING,
    "drives {numbers} both act on {axis}; their forces add up, or an engine ignores one",
    reason="OMI_physics_joint: a drive describes a single degree of freedom.",
    fix=Fix.REMOVE_DRIVE,
)
TARGET_BEYOND_LIMITS = rule(
    "OMI-J205",
    WARNING,
    "drive {number} pulls {axis} to {target}, outside its limits of {lower} to {upper}",
    reason="Limit and drive push against each other forever.",
    fix=Fix.CLAMP_TARGET,
)
DRIVE_ON_LOCKED_AXIS = rule(
    "OMI-J206",
    WARNING,
    "drive {number} acts on {axis}, which is locked, so it cannot move anything",
    reason="OMI_physics_joint: min and max at the same value fix the axis.",
    fix=Fix.REMOVE_DRIVE,
)
DRIVE_WITHOUT_FORCE = rule(
    "OMI-J207",
    WARNING,
    "the maximum force of drive {number} is zero, so it does nothing",
    reason="OMI_physics_joint: maxForce is the largest force or torque the drive can apply.",
)


def check_drives(drives: DriveColumns) -> Iterator[Hit]:
    """Yield what is wrong with each drive, in order."""
    has_position, has_velocity = ~np.isnan(drives.position), ~np.isnan(drives.velocity)
    is_aimed = has_position | has_velocity
    # Beside a spring, the velocity target 0 needs no damping.
    is_motor = has_velocity & ((drives.velocity != 0.0) | ~has_position)
    broken = (
        (DRIVE_WITHOUT_TARGET, ~is_aimed),
        (SPRING_WITHOUT_STIFFNESS, has_position & (drives.stiffness == 0.0)),
        (MOTOR_WITHOUT_DAMPING, is_motor & ~(drives.damping > 0.0)),
        (DRIVE_WITHOUT_FORCE, is_aimed & (drives.max_force == 0.0)),
    )
    within = numbers_within(drives.owner)
    is_broken = np.logical_or.reduce([rows for _, rows in broken])
    for row in np.flatnonzero(is_broken).tolist():
        number = int(within[row])
        for rule_, rows in broken:
            if rows[row]:
                yield int(drives.owner[row]), rule_("", drive_part(number), number=number + 1)


def check_drives_together(drives: DriveColumns, bounds: AxisBounds) -> Iterator[Hit]:
    """Yield drives that share an axis, or that the limits hold back."""
    yield from _check_targets(drives, bounds)
    known = np.flatnonzero(drives.type >= 0)
    place = drives.owner[known] * 6 + drives.type[known] * 3 + drives.axis[known]
    _, group, count = np.unique(place, return_inverse=True, return_counts=True)
    shared = known[count[group] > 1]
    seen: dict[int, list[int]] = {}
    for row, at in zip(shared.tolist(), place[count[group] > 1].tolist(), strict=True):
        seen.setdefault(at, []).append(row)
    within = numbers_within(drives.owner)
    for rows in seen.values():
        numbered, first = within[rows].tolist(), rows[0]
        name = axis_name(int(drives.axis[first]), is_angular=bool(drives.type[first]))
        finding = DRIVEN_TWICE("", drive_part(numbered[-1]), numbers=numbers(numbered), axis=name)
        yield int(drives.owner[first]), finding


def _check_targets(drives: DriveColumns, bounds: AxisBounds) -> Iterator[Hit]:
    """Yield drives on axes that are locked, or whose target is outside the limits."""
    lower, upper = bounds.along(drives.owner, drives.type, drives.axis)
    is_known = drives.type >= 0
    is_locked = is_known & (lower == upper)
    inside = (lower - _CLOSE <= drives.position) & (drives.position <= upper + _CLOSE)
    is_beyond = is_known & ~np.isnan(drives.position) & ~inside
    within = numbers_within(drives.owner)
    for row in np.flatnonzero(is_locked | is_beyond).tolist():
        is_angular, part = bool(drives.type[row]), drive_part(int(within[row]))
        axis = axis_name(int(drives.axis[row]), is_angular=is_angular)
        words: dict[str, str | float] = {"number": int(within[row]) + 1, "axis": axis}
        if is_locked[row]:
            yield int(drives.owner[row]), DRIVE_ON_LOCKED_AXIS("", part, **words)
            continue
        values = {"lower": lower[row], "upper": upper[row], "target": drives.position[row]}
        shown = {name: amount(float(v), is_angular=is_angular) for name, v in values.items()}
        yield int(drives.owner[row]), TARGET_BEYOND_LIMITS("", part, **words, **shown)
