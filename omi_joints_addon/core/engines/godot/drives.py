"""What Godot loses of drives, as measured."""

import math
from collections.abc import Iterator

from ...findings.finding import ERROR, WARNING, Finding, rule
from ...findings.words import amount, axis_name, drive_part
from ...model.axes import AXIS_LETTERS
from ...model.joint import DriveMode, DriveType, JointDrive, JointSettings
from .importer import HINGE, MEASURED, godot_class, turns_about
from .limits import MIRRORED_RANGE

SPRING_ON_HINGE = rule(
    "OMI-E102",
    ERROR,
    "Godot: a hinge about Z with a position target and no velocity target turns positions "
    "into NaN; turn the frames so that the hinge is about X",
    reason=f"The importer reads the missing velocity target as NaN. {MEASURED}",
)
DEAD_SPRING = rule(
    "OMI-E103",
    WARNING,
    "Godot: the velocity target of {target} on {axis} overrules the position target there, "
    "so the spring has no effect",
    reason="A motor without limited force holds its velocity whatever else acts on the axis. "
    f"{MEASURED}",
)
SPRING_LOST = rule(
    "OMI-E110",
    WARNING,
    "Godot: the spring on a hinge about Z is lost, only its velocity target is used",
    reason=f"HingeJoint3D has a motor and no spring. {MEASURED}",
)
FORCE_IN_GODOT = rule(
    "OMI-E111",
    WARNING,
    "Godot: drive {number} is in acceleration mode, but its values are used as forces",
    reason=f"The importer knows force mode only. {MEASURED}",
)
FULL_SPEED_AT_ONCE = rule(
    "OMI-E118",
    WARNING,
    "Godot: the damping of drive {number} has no effect; the motor reaches its velocity at once, "
    "by as much force as its maximum allows",
    reason=f"The importer uses the damping of springs only. {MEASURED}",
)
SPRING_UNLIMITED = rule(
    "OMI-E136",
    WARNING,
    "Godot: the maximum force of drive {number} does not limit its spring",
    reason=f"A spring with 17 N carried a weight of 22.6 N up by 0.77 m in 0.4 s. {MEASURED}",
)
MOTOR_UNLIMITED = rule(
    "OMI-E137",
    WARNING,
    "Godot: the maximum torque of drive {number} does not limit the motor of a hinge about Z; turn "
    "the frames so that the hinge is about X",
    reason=f"HingeJoint3D turned by 206° in 0.4 s where 2.1 N·m allow 28°. {MEASURED}",
)
ONE_DRIVE = rule(
    "OMI-E138",
    WARNING,
    "Godot: drive {number} replaces the spring or motor of an earlier drive on {axis}",
    reason=f"A node has one spring and one motor for each axis. {MEASURED}",
)


def check_drives(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong with drives or is lost of them."""
    is_hinge = godot_class(settings) == HINGE
    for index, drive in enumerate(settings.drives):
        part, number = drive_part(index), index + 1
        yield from _check_targets(drive, part, number, is_hinge=is_hinge)
        if drive.mode == DriveMode.ACCELERATION:
            yield FORCE_IN_GODOT("", part, number=number)
        has_target = bool(drive.position_target or drive.velocity_target)
        if drive.type == DriveType.ANGULAR and has_target and turns_about(settings, drive.axis):
            yield MIRRORED_RANGE("", part, axis=AXIS_LETTERS[drive.axis], what="target")
    yield from _check_maximum(settings, is_hinge=is_hinge)
    yield from _check_several(settings)


def _check_targets(
    drive: JointDrive, part: str, number: int, *, is_hinge: bool
) -> Iterator[Finding]:
    if drive.position_target is None:
        if drive.velocity_target is not None and drive.damping > 0.0:
            yield FULL_SPEED_AT_ONCE("", part, number=number)
    elif is_hinge:
        lost = SPRING_ON_HINGE if drive.velocity_target is None else SPRING_LOST
        yield lost("", part)
    elif drive.velocity_target is not None:
        is_angular = drive.type == DriveType.ANGULAR
        target = amount(drive.velocity_target, is_angular=is_angular) + "/s"
        axis = axis_name(drive.axis, is_angular=is_angular)
        yield DEAD_SPRING("", part, target=target, axis=axis)


def _check_maximum(settings: JointSettings, *, is_hinge: bool) -> Iterator[Finding]:
    for index, drive in enumerate(settings.drives):
        if math.isinf(drive.max_force):
            continue
        if is_hinge and drive.velocity_target is not None:
            yield MOTOR_UNLIMITED("", drive_part(index), number=index + 1)
        elif drive.position_target is not None and drive.velocity_target is None:
            yield SPRING_UNLIMITED("", drive_part(index), number=index + 1)


def _check_several(settings: JointSettings) -> Iterator[Finding]:
    seen: set[tuple[str, int]] = set()
    for index, drive in enumerate(settings.drives):
        if (drive.type, drive.axis) in seen:
            axis = axis_name(drive.axis, is_angular=drive.type == DriveType.ANGULAR)
            yield ONE_DRIVE("", drive_part(index), number=index + 1, axis=axis)
        seen.add((drive.type, drive.axis))
