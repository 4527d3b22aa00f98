"""Drives on one axis as one drive of the same force, for engines that have one for each axis."""

import math
from collections.abc import Sequence
from dataclasses import replace

from ..model.joint import JointDrive


def merged_drives(drives: Sequence[JointDrive]) -> tuple[JointDrive, ...]:
    """Return drives with those on one axis as one where that has the same force, at the last.

    Forces add up (OMI_physics_joint), so that they can where none has a maximum and all have one
    mode.
    """
    result: list[JointDrive] = []
    for drive in drives:
        same = next((n for n, one in enumerate(result) if _are_one(one, drive)), None)
        if same is None:
            result.append(drive)
        else:
            result.append(_sum(result.pop(same), drive))
    return tuple(result)


def _are_one(one: JointDrive, other: JointDrive) -> bool:
    is_same = (one.type, one.axis, one.mode) == (other.type, other.axis, other.mode)
    is_plain = all(each.is_known and not each.carried for each in (one, other))
    return is_same and is_plain and math.isinf(one.max_force) and math.isinf(other.max_force)


def _sum(one: JointDrive, other: JointDrive) -> JointDrive:
    """Return the drive whose force is that of two."""
    stiffness = one.acting_stiffness + other.acting_stiffness
    damping = one.acting_damping + other.acting_damping
    pull = _pull(one) + _pull(other)
    push = one.acting_damping * (one.velocity_target or 0.0)
    push += other.acting_damping * (other.velocity_target or 0.0)
    velocity = push / damping if push else 0.0
    gains = replace(other, stiffness=stiffness, damping=damping, position_target=None)
    if not stiffness:
        return replace(gains, velocity_target=velocity)
    return replace(gains, position_target=pull / stiffness, velocity_target=velocity or None)


def _pull(drive: JointDrive) -> float:
    return drive.acting_stiffness * (drive.position_target or 0.0)
