"""What the constraints of Jolt lose of joint settings."""

import math
from collections.abc import Iterator

from ...findings.finding import INFO, WARNING, Finding, rule
from ...findings.words import amount, drive_part, limit_part, shape_of
from ...model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from .constraints import SMALLEST_CONE, is_hinge

_MEASURED = "Measured with jolt-physics 1.1.0."
_READ = "Read in the source of Jolt Physics 5."

PRISM = rule(
    "OMI-E501",
    INFO,
    "Jolt: limit {number} on {shape} becomes a prism of 16 sides, up to 2 % wider",
    reason=f"SixDOFConstraint has a range for each axis of translation. {_MEASURED}",
)
NARROW_CONE = rule(
    "OMI-E502",
    INFO,
    "Jolt: limit {number} allows less than half a degree, which becomes a lock",
    reason=f"Jolt locks the swing of such cones. {_READ}",
)
HOLE_LEFT_OUT = rule(
    "OMI-E503",
    WARNING,
    "Jolt: the minimum of {lower} of limit {number} on {shape} is left out",
    reason=f"No constraint of Jolt keeps a cone, a tube or a rotation open. {_READ}",
)
RIGID_ANGLE = rule(
    "OMI-E504",
    WARNING,
    "Jolt: the angular limit {number} is soft, but becomes rigid; only hinges have soft ones",
    reason=f"SixDOFConstraint has springs for translations only. {_READ}",
)
WIDER_ROTATION = rule(
    "OMI-E505",
    INFO,
    "Jolt: limit {number} on any rotation becomes a cone and a twist of that angle, which allow "
    "more where both are used",
    reason=f"SixDOFConstraint bounds swing and twist each. {_MEASURED}",
)
SINE_LAW = rule(
    "OMI-E506",
    INFO,
    "Jolt: the angular spring of drive {number} grows with the sine of half the error, so it is "
    "weaker than authored at large angles",
    reason=f"The torque of a SixDOFConstraint's motor is k·2·sin(e/2) instead of k·e. {_READ}",
)
OWN_CENTER = rule(
    "OMI-E507",
    WARNING,
    "Jolt: drive {number} in acceleration mode uses the inertia about the center of mass; "
    "where the joint is elsewhere it is slower than authored",
    reason=f"The specification's inertia is that about the joint. {_MEASURED}",
)
DAMPED_ANYWAY = rule(
    "OMI-E508",
    INFO,
    "Jolt: the spring of {part} has no damping, but still loses energy: nearly half its amplitude "
    "in three seconds",
    reason=f"Jolt integrates springs implicitly: 45 % for 100 N/m on 1 kg. {_MEASURED}",
)


def check_settings(settings: JointSettings) -> Iterator[Finding]:
    """Yield what the constraints are not exactly, or lose."""
    hinge = is_hinge(settings)
    for index, limit in enumerate(settings.limits):
        yield from _check_range(limit, index)
        if not limit.is_rigid:
            yield from _check_soft(limit, index, hinge=hinge)
    for index, drive in enumerate(settings.drives):
        yield from _check_drive(drive, index, hinge=hinge)


def _check_range(limit: JointLimit, index: int) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    for is_angular, axes in limit.parts():
        most = math.pi if is_angular else math.inf
        if len(axes) < 2 or (limit.min <= 0.0 and limit.max == 0.0):
            continue
        shape = shape_of(axes, is_angular=is_angular)
        is_distance = len(axes) == 3 and not is_angular
        if limit.min > 0.0 and not is_distance:
            lower = amount(limit.min, is_angular=is_angular)
            yield HOLE_LEFT_OUT("", part, lower=lower, number=number, shape=shape)
        if limit.max >= most or is_distance:
            continue
        if not is_angular:
            yield PRISM("", part, number=number, shape=shape)
        elif limit.max < SMALLEST_CONE:
            yield NARROW_CONE("", part, number=number)
        elif len(axes) == 3:
            yield WIDER_ROTATION("", part, number=number)


def _check_soft(limit: JointLimit, index: int, *, hinge: bool) -> Iterator[Finding]:
    part, number = limit_part(index), index + 1
    if limit.angular_axes and not (hinge and len(limit.angular_axes) == 1):
        yield RIGID_ANGLE("", part, number=number)
    elif limit.damping == 0.0 and limit.stiffness > 0.0:
        yield DAMPED_ANYWAY("", part, part=f"limit {number}")


def _check_drive(drive: JointDrive, index: int, *, hinge: bool) -> Iterator[Finding]:
    part, number = drive_part(index), index + 1
    is_spring = drive.position_target is not None and drive.stiffness > 0.0
    is_angular = drive.type == DriveType.ANGULAR
    if is_spring and is_angular and not hinge:
        yield SINE_LAW("", part, number=number)
    if is_spring and drive.damping == 0.0:
        yield DAMPED_ANYWAY("", part, part=f"drive {number}")
    if is_angular and drive.mode == DriveMode.ACCELERATION:
        yield OWN_CENTER("", part, number=number)
