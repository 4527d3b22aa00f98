"""Checks of drives: what they say that cannot work or will surprise.

The places of the findings are empty, their parts lead to the drive.
"""

from collections import defaultdict
from collections.abc import Iterator

from ..findings.finding import WARNING, Finding, rule
from ..findings.fix import Fix
from ..findings.words import amount, axis_name, drive_part, numbers
from ..meaning.recognition import AxisRange, axis_ranges
from ..model.joint import DriveType, JointDrive, JointSettings

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


def check_drive(drive: JointDrive, index: int) -> Iterator[Finding]:
    """Yield what is wrong with one drive, number `index` of its settings."""
    part, number = drive_part(index), index + 1
    if drive.position_target is None and drive.velocity_target is None:
        yield DRIVE_WITHOUT_TARGET("", part, number=number)
        return
    if drive.position_target is not None and drive.stiffness == 0.0:
        yield SPRING_WITHOUT_STIFFNESS("", part, number=number)
    if _is_powerless_motor(drive):
        yield MOTOR_WITHOUT_DAMPING("", part, number=number)
    if drive.max_force == 0.0:
        yield DRIVE_WITHOUT_FORCE("", part, number=number)


def _is_powerless_motor(drive: JointDrive) -> bool:
    """Return whether a velocity target lacks damping; beside a spring, 0 needs none."""
    if drive.velocity_target is None or drive.damping > 0.0:
        return False
    return drive.velocity_target != 0.0 or drive.position_target is None


def check_drives_together(settings: JointSettings) -> Iterator[Finding]:
    """Yield drives that share an axis, or that the limits hold back."""
    if not settings.drives:
        return
    ranges = axis_ranges(settings)
    driving: defaultdict[tuple[bool, int], list[int]] = defaultdict(list)
    for index, drive in enumerate(settings.drives):
        if drive.type in set(DriveType):
            is_angular = drive.type == DriveType.ANGULAR
            driving[is_angular, drive.axis].append(index)
            axis_range = (ranges.angular if is_angular else ranges.linear)[drive.axis]
            yield from _check_target(drive, index, axis_range, is_angular=is_angular)
    for (is_angular, axis), drives in driving.items():
        if len(drives) > 1:
            name = axis_name(axis, is_angular=is_angular)
            yield DRIVEN_TWICE("", drive_part(drives[-1]), numbers=numbers(drives), axis=name)


def _check_target(
    drive: JointDrive, index: int, axis_range: AxisRange, *, is_angular: bool
) -> Iterator[Finding]:
    words: dict[str, str | float] = {
        "number": index + 1,
        "axis": axis_name(drive.axis, is_angular=is_angular),
    }
    if axis_range.min == axis_range.max:
        yield DRIVE_ON_LOCKED_AXIS("", drive_part(index), **words)
        return
    target = drive.position_target
    if target is None or axis_range.min - _CLOSE <= target <= axis_range.max + _CLOSE:
        return
    bounds = {"lower": axis_range.min, "upper": axis_range.max, "target": target}
    shown = {name: amount(value, is_angular=is_angular) for name, value in bounds.items()}
    yield TARGET_BEYOND_LIMITS("", drive_part(index), **words, **shown)
