"""Outlines of drives: arrows to targets, and a ghost of the connected frame at its target."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..meaning.metric import angular_metric
from ..model.joint import DriveType, JointSettings
from ..model.pose import Array, Pose
from .frames import axes_pieces
from .pieces import BASES, Piece, Role, along, circle, segments, spread
from .shapes import joined_rows

DRIVE = np.dtype([("angular", "?"), ("axis", "i1"), ("target", "f8"), ("velocity", "f8")])
"""A drive; NaN for a missing target."""
STEPS = 16
TARGET_RADIUS, VELOCITY_RADIUS = 0.7, 1.2
"""Radius of turning arrows [size]."""
SWEEP = math.radians(100.0)
"""Length of the arrow of a velocity target."""
BARB = 0.08
_MOST = math.pi - 1e-4


@lru_cache(maxsize=4096)
def drive_rows(settings: JointSettings) -> NDArray[Any]:
    """Return the linear and angular drives, dtype `DRIVE`."""
    rows = [
        (
            drive.type == DriveType.ANGULAR,
            drive.axis,
            math.nan if drive.position_target is None else drive.position_target,
            math.nan if drive.velocity_target is None else drive.velocity_target,
        )
        for drive in settings.drives
        if drive.has_known_type
    ]
    return np.array(rows, DRIVE)


def target_poses(settings: Sequence[JointSettings], pose: Pose) -> tuple[NDArray[np.bool_], Pose]:
    """Return which joints have a position target, and the poses (n,) where their drives pull to.

    Degrees of freedom without target keep their present value; the rotation has the twist of each
    angular target about its axis (`core.meaning.metric`).
    """
    position = pose.position.copy()
    twists = np.stack([angular_metric((axis,), pose.rotation) for axis in range(3)], axis=-1)
    has_target = np.zeros(len(settings), bool)
    for number, each in enumerate(settings):
        for row in drive_rows(each):
            if not math.isnan(row["target"]):
                has_target[number] = True
                (twists if row["angular"] else position)[number, row["axis"]] = row["target"]
    return has_target, Pose(position, rotation_of_twists(twists))


def rotation_of_twists(twists: Array) -> Array:
    """Return the unit quaternions (..., 4) with the twists (..., 3) [rad] about X, Y and Z."""
    halves = np.tan(np.clip(twists, -_MOST, _MOST) / 2.0)
    rotation = np.concatenate((halves, np.ones((*halves.shape[:-1], 1))), axis=-1)
    return np.asarray(rotation / np.linalg.norm(rotation, axis=-1, keepdims=True))


def drive_pieces(settings: Sequence[JointSettings], pose: Pose) -> Iterator[Piece]:
    """Yield the arrows of all drives and the ghosts of the target frames."""
    driven = [number for number, each in enumerate(settings) if each.drives]
    tables = [drive_rows(settings[number]) for number in driven]
    joint = np.repeat(np.array(driven, np.intp), [len(table) for table in tables])
    if not len(joint):
        return
    rows = joined_rows(tables, DRIVE)
    for is_angular in (False, True):
        chosen = np.flatnonzero(rows["angular"] == is_angular)
        yield from _target_arrows(rows[chosen], joint[chosen], pose, is_angular=is_angular)
        yield from _velocity_arrows(rows[chosen], joint[chosen], is_angular=is_angular)
    has_target, target = target_poses(settings, pose)
    yield from axes_pieces(target, np.flatnonzero(has_target), Role.TARGET)


def _target_arrows(
    rows: NDArray[Any], joint: NDArray[np.intp], pose: Pose, *, is_angular: bool
) -> Iterator[Piece]:
    """Yield arrows from the present value to position targets."""
    shown = ~np.isnan(rows["target"])
    rows, joint = rows[shown], joint[shown]
    axis, target = rows["axis"], rows["target"]
    if is_angular:
        twists = np.stack([angular_metric((a,), pose.rotation[joint]) for a in range(3)], axis=-1)
        angle = spread(
            np.take_along_axis(twists, axis[:, None].astype(int), 1)[:, 0], target, STEPS + 1
        )
        yield from _turning(Role.TARGET, joint, axis, angle, TARGET_RADIUS)
    elif len(rows):
        start = pose.position[joint]
        end = start.copy()
        end[np.arange(len(end)), axis] = target
        anchor = np.stack((start, end, end, end, end, end), axis=1)
        sign = np.sign(target - start[np.arange(len(end)), axis])
        yield Piece(Role.TARGET, False, joint, axis, anchor, _barbs(axis, sign))


def _velocity_arrows(
    rows: NDArray[Any], joint: NDArray[np.intp], *, is_angular: bool
) -> Iterator[Piece]:
    """Yield arrows along velocity targets, turning ones for angles."""
    shown = np.nan_to_num(rows["velocity"]) != 0.0
    rows, joint = rows[shown], joint[shown]
    axis, sign = rows["axis"], np.sign(rows["velocity"])
    if is_angular:
        yield from _turning(
            Role.VELOCITY, joint, axis, spread(0.0 * sign, SWEEP * sign, STEPS + 1), VELOCITY_RADIUS
        )
    elif len(rows):
        tip = sign[:, None, None] * VELOCITY_RADIUS * along(axis)
        lines = _barbs(axis, sign) + tip
        lines[:, 0] = 0.0
        yield Piece(Role.VELOCITY, False, joint, axis, None, lines)


def _turning(
    role: Role, joint: NDArray[np.intp], axis: NDArray[np.int8], angle: Array, radius: float
) -> Iterator[Piece]:
    """Yield arcs through angles (m, p) with a head at the last."""
    if not len(joint):
        return
    arc = radius * circle(axis, angle)
    back = angle[:, -1:] - np.sign(angle[:, -1:] - angle[:, :1]) * BARB
    tip = arc[:, -1:]
    barbs = [factor * circle(axis, back) for factor in (radius - BARB / 2.0, radius + BARB / 2.0)]
    head = np.concatenate((tip, barbs[0], tip, barbs[1]), axis=1)
    yield Piece(role, False, joint, axis, None, np.concatenate((segments(arc), head), axis=1))


def _barbs(axis: NDArray[np.int8], sign: Array) -> Array:
    """Return shaft and two barbs (m, 6, 3) of arrows along axes, relative to their tip."""
    side, forward = BASES[axis][:, 0], BASES[axis][:, 2] * sign[:, None]
    zero = np.zeros_like(side)
    barbs = [BARB * (-forward + 0.5 * turn * side) for turn in (1.0, -1.0)]
    return np.stack((zero, zero, zero, barbs[0], zero, barbs[1]), axis=1)
