"""Joint settings of files that Godot wrote, in the specification's terms.

Godot's exporter writes the numbers of its nodes as they are: softness and bias of a node stand for
stiffness and damping, angles are those of the joint's body seen from the connected one, and each
axis of a limit has the range of its own. Jolt, its engine, holds limits rigidly. Measured as
`importer` describes.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from ...model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from .importer import SLIDER, X, Z, counting_limits, godot_class, is_fixed

_FULL_FORCE = 0.01
"""Share of the target velocity that a motor may lack and still push with all its force."""
_SLOWEST = 0.01
"""Velocity [m/s or rad/s] below which a motor counts as a brake."""
_SERVO = 1e4
"""Damping of a motor without a largest force, which has its velocity at once."""


def meant_by_godot(settings: JointSettings) -> JointSettings:
    """Return what a joint does in the scene that Godot wrote."""
    settings = replace(settings, drives=tuple(_hinge_drives(settings)))
    counting = counting_limits(settings)
    limits = [
        *(_limit(False, axis, limit) for axis, limit in sorted(counting.linear.items())),
        *(_limit(True, axis, limit) for axis, limit in sorted(counting.angular.items())),
    ]
    if godot_class(settings) == SLIDER and X not in counting.angular:
        limits.append(JointLimit(angular_axes=(X,), min=0.0, max=0.0))
    return replace(
        settings,
        limits=tuple(_joined(limits)),
        drives=tuple(map(_drive, settings.drives)),
    )


def _hinge_drives(settings: JointSettings) -> Iterator[JointDrive]:
    """Yield the drives; the motor of a hinge is written as one along its locked axis."""
    limits = counting_limits(settings)
    is_pinned = all(is_fixed(limits.linear.get(axis)) for axis in range(3))
    turns = not is_fixed(limits.angular.get(Z))
    for drive in settings.drives:
        is_motor = drive.type == DriveType.LINEAR and drive.axis == Z
        is_motor &= drive.velocity_target is not None and is_pinned and turns
        yield replace(drive, type=DriveType.ANGULAR) if is_motor else drive


def _limit(is_angular: bool, axis: int, limit: JointLimit) -> JointLimit:
    """Return the rigid range of one axis; lower above upper is free in Godot."""
    if is_angular:
        return JointLimit(angular_axes=(axis,), min=0.0 - limit.max, max=0.0 - limit.min)
    return JointLimit(linear_axes=(axis,), min=limit.min, max=limit.max)


def _joined(limits: list[JointLimit]) -> Iterator[JointLimit]:
    """Yield locked axes of a kind as one limit, the others as they are, without free ones."""
    locked = [limit for limit in limits if is_fixed(limit)]
    if linear := tuple(axis for limit in locked for axis in limit.linear_axes):
        yield JointLimit(linear_axes=linear, min=0.0, max=0.0)
    if angular := tuple(axis for limit in locked for axis in limit.angular_axes):
        yield JointLimit(angular_axes=angular, min=0.0, max=0.0)
    yield from (limit for limit in limits if limit not in locked and limit.min <= limit.max)


def _drive(drive: JointDrive) -> JointDrive:
    if drive.type == DriveType.ANGULAR:
        drive = drive.reversed()
    drive = replace(drive, mode=DriveMode.FORCE)
    if drive.velocity_target is None or drive.damping > 0.0:
        return drive
    slowest = max(abs(drive.velocity_target), _SLOWEST)
    is_endless = math.isinf(drive.max_force)
    damping = _SERVO if is_endless else drive.max_force / (_FULL_FORCE * slowest)
    return replace(drive, damping=damping)
