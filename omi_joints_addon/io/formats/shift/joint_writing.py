"""What Shift can say of a joint: its type, its axis, what limits and drives become."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.meaning.axes import JointAxes, joint_axes, one_axis_limit
from ....core.model.attributes import JointAttributes
from ....core.model.joint import DriveMode, DriveType, JointDrive, JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, rotation_matrix
from ....core.model.scene import Joint
from ....core.rewrite.turning import HALF_TURNS, frames_of_axes
from .placing import UNITS
from .restraint_joints import ALONG
from .restraints import restraints_of_drive, restraints_of_limit

CARRY, SPRINGS = HARD_LIMITS = ("carry", "springs")
"""What may become of hard limits, which Shift does not have."""
_STIFF = 1e6
"""Stiffness of the springs that stand for hard limits [N/m or N·m/rad]."""
_HALF_TURNS = rotation_matrix([turn.rotation for turn in HALF_TURNS])
_TOKENS = ("Tx", "Ty", "Tz", "Rx", "Ry", "Rz")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenJoint:
    """A joint in Shift's words."""

    kind: str
    """"revolute", "prismatic", "spherical" or "rigid"."""
    axis: Array
    """Unit axis of Shift's frames that it moves along or turns about; of no meaning for others."""
    turn: Array
    """From the axes of the attachment frames to those of Shift's frames, shape (4, 4)."""
    members: JsonObject
    """`type`, `axis`, `stiffness` and `damping`."""
    restraints: tuple[JsonObject, ...] = ()
    """Soft limits; what joint they are for is left to add."""
    is_whole: bool = True
    """Whether nothing of the settings is missing."""


def written_joint(
    joint: Joint,
    place: str,
    losses: Losses,
    *,
    version: str,
    axis: Array | None,
    hard_limits: str = CARRY,
) -> WrittenJoint | None:
    """Return a joint in Shift's words, None where it has none; losses tell what they leave out.

    `axis` is the axis that the joint had in its frames in a Shift file, None where it had none.
    `hard_limits` "springs" also says hard limits as stiff springs.
    """
    axes = joint_axes(joint.settings)
    moving = axes.moving
    if not moving:
        return _plain("rigid")
    if len(moving) == 1 and not axes.shared:
        return _one_axis(
            joint.settings, axes, place, losses, version=version, axis=axis, hard_limits=hard_limits
        )
    is_pin = moving == (3, 4, 5) and all(axes.all[number].own.is_free for number in moving)
    is_plain = not (joint.settings.drives or axes.shared or axes.further)
    if is_pin and is_plain and version != "0.2":
        return _plain("spherical")
    return None


def written_tie(joint: Joint) -> list[JsonObject]:
    """Return the restraint that a joint without rigid limits is, empty where it is not one.

    What it belongs to is left to add.
    """
    settings = joint.settings
    is_plain = joint.enable_collision and joint.attributes == JointAttributes(in_articulation=False)
    if not is_plain or len(settings.limits) + len(settings.drives) != 1 or settings.carried:
        return []
    for limit in settings.limits:
        along = _along(limit.linear_axes)
        is_soft = not limit.is_rigid and limit.stiffness > 0.0 and limit.damping == 0.0
        if is_soft and not limit.angular_axes and along is not None:
            return [restraint | along for restraint in restraints_of_limit(limit)]
    return [each for drive in settings.drives for each in _tie_of_drive(drive)]


def _tie_of_drive(drive: JointDrive) -> list[JsonObject]:
    """Return the one restraint along an axis that a drive is, empty where it is more."""
    found = restraints_of_drive(drive)
    is_one = len(found) == 1 and (found[0]["type"] == "damper") != bool(drive.stiffness)
    is_whole = (
        is_one and math.isinf(drive.max_force) and bool(drive.damping) != bool(drive.stiffness)
    )
    if not is_whole or drive.type != DriveType.LINEAR or not _is_spring(drive):
        return []
    return [found[0] | (_along((drive.axis,)) or {})]


def _along(axes: tuple[int, ...]) -> JsonObject | None:
    """Return the member that says along which axis a distance is, none for that of points."""
    if axes == (0, 1, 2):
        return {}
    names = {axis: name for name, axis in ALONG.items()}
    return {"distance_type": names[axes[0]]} if len(axes) == 1 else None


def _plain(kind: str) -> WrittenJoint:
    return WrittenJoint(kind=kind, axis=UNITS[2], turn=np.eye(4), members={"type": kind})


def _one_axis(
    settings: JointSettings,
    axes: JointAxes,
    place: str,
    losses: Losses,
    *,
    version: str,
    axis: Array | None,
    hard_limits: str,
) -> WrittenJoint:
    """Return a hinge or slider; both frames are turned back from how reading turns them."""
    (number,) = axes.moving
    is_angular, own = number >= 3, number % 3
    main = 2 if is_angular else 0
    before = len(losses)
    if axis is None or own != main:
        axis = UNITS[own]
    members = _type(axis, is_angular=is_angular, version=version)
    members |= _springs(axes.all[number].drives, len(settings.drives), place, losses)
    restraints = _soft_limits(axes, number, place, losses, hard_limits=hard_limits)
    if settings.name or settings.carried:
        losses.same(place, Noun.SETTINGS_NAME)
    is_whole = len(losses) == before
    turn = np.eye(4)
    if own == main:
        turn[:3, :3] = _turned_back(tuple(axis.tolist()), main)
    else:
        if is_whole:
            losses.same(place, Noun.FRAMES)
        turn[:3, :3] = _HALF_TURNS[0 if own == 2 else 2].T
    return WrittenJoint(
        kind="revolute" if is_angular else "prismatic",
        axis=axis,
        turn=turn,
        members=members,
        restraints=restraints,
        is_whole=is_whole,
    )


@lru_cache(maxsize=256)
def _turned_back(axis: tuple[float, float, float], main: int) -> Array:
    """Return the matrix (3, 3) that undoes how reading turns frames for an axis."""
    return rotation_matrix(frames_of_axes(axis, main=main)).T


def _type(axis: Array, *, is_angular: bool, version: str) -> JsonObject:
    """Return the members that name the type of a joint with one axis."""
    numbers = axis.tolist()
    if version == "0.2" and sorted(numbers) == [0.0, 0.0, 1.0]:
        return {"type": _TOKENS[numbers.index(1.0) + 3 * is_angular]}
    return {"type": "revolute" if is_angular else "prismatic", "axis": numbers}


def _springs(drives: tuple[JointDrive, ...], count: int, place: str, losses: Losses) -> JsonObject:
    """Return `stiffness` and `damping` of the drives of an axis, lowest power first.

    `count` is the number of all drives of the joint.
    """
    springs = [drive for drive in drives if _is_spring(drive)]
    if len(springs) < count:
        losses.carried(
            place,
            Noun.DRIVE,
            "Shift only has springs and dampers; the drives are kept for this program",
        )
    for drive in springs:
        _report_idle(drive, place, losses)
    stiffness = sum(drive.acting_stiffness for drive in springs)
    preload = -sum(drive.acting_stiffness * (drive.position_target or 0.0) for drive in springs)
    damping = sum(drive.acting_damping for drive in springs)
    members: JsonObject = {}
    if stiffness:
        members["stiffness"] = [preload, stiffness]
    if damping:
        members["damping"] = [0.0, damping]
    return members


def _report_idle(drive: JointDrive, place: str, losses: Losses) -> None:
    """Note what of a spring and damper has no place in Shift."""
    if math.isfinite(drive.max_force):
        losses.carried(place, Noun.MAX_FORCE, "Shift springs have no maximum force")
    if drive.acting_stiffness != drive.stiffness:
        losses.same(place, Noun.DRIVE_STIFFNESS)  # it has no effect without a target
    if drive.acting_damping != drive.damping:
        losses.same(place, Noun.DRIVE_DAMPING)  # it has no effect without a target


def _is_spring(drive: JointDrive) -> bool:
    """Return whether a spring or damper of Shift can do what a drive does."""
    return drive.mode == DriveMode.FORCE and drive.velocity_target in (None, 0.0)


def _soft_limits(
    axes: JointAxes, number: int, place: str, losses: Losses, *, hard_limits: str
) -> tuple[JsonObject, ...]:
    interval = axes.all[number].own
    limits = [one_axis_limit(number, interval), *axes.further]
    found: list[JsonObject] = []
    for limit in limits:
        if limit.is_rigid and (math.isfinite(limit.min) or math.isfinite(limit.max)):
            losses.carried(
                place,
                Noun.LIMIT,
                "Shift does not support hard limits; they are kept for this program",
            )
            if hard_limits == SPRINGS:
                found += restraints_of_limit(replace(limit, stiffness=_STIFF))
        elif not limit.is_rigid and not interval.is_free:
            found += restraints_of_limit(limit)
            if limit.damping:
                text = "soft limits in Shift have no damping; it is kept for this program"
                losses.carried(place, Noun.LIMIT_SPRING, text)
    return tuple(found)
