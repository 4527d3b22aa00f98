"""Outlines of joints that are a few pixels large, and how far outlines reach."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..model.joint import DriveType, JointSettings
from .frames import coupling_pieces, gap_pieces, tether_pieces
from .joint import OutlinedJoints, Part
from .pieces import Piece, Role

SPREAD = 1.75
"""How far from its frame a joint's angles, arrows and marks are drawn at most [size]."""
_FAINT = np.full(2, 0.5)
_CROSS = np.stack((-np.eye(3), np.eye(3)), axis=1)


def reach_of(settings: JointSettings) -> float:
    """Return how far [m] from its frame settings are drawn at most, besides `SPREAD` sizes."""
    bounds = (
        max((abs(bound) for bound in (limit.min, limit.max) if math.isfinite(bound)), default=0.0)
        for limit in settings.limits
        if limit.linear_axes
    )
    targets = (
        abs(drive.position_target)
        for drive in settings.drives
        if drive.type == DriveType.LINEAR and drive.position_target is not None
    )
    return sum(bounds) + sum(targets)


def far_outline(joints: OutlinedJoints, parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield a cross in place of limits and frames, and lines to other places without dashes.

    The cross belongs to shape 0 of each joint, so that it has the color of that one's state.
    """
    count = len(joints.settings)
    if count and (Part.LIMITS in parts or Part.FRAMES in parts):
        joint = np.repeat(np.arange(count), 3)
        axes = np.tile(np.arange(3, dtype=np.int8), count)
        cross = np.tile(_CROSS, (count, 1, 1))
        nothing = np.zeros(len(joint), np.int8)
        shape = np.zeros(len(joint), np.intp)
        yield Piece(Role.LOCKED, False, joint, axes, nothing, None, cross, None, shape)
    if Part.FRAMES in parts:
        yield from gap_pieces(joints.pose, joints.is_connected)
    if Part.TETHERS in parts and len(joints.bodies):
        yield from map(_plain, tether_pieces(joints.pose, joints.is_connected, joints.bodies))
    if Part.COUPLINGS in parts and len(joints.followed):
        yield from map(_plain, coupling_pieces(joints.followed))


def _plain(dashes: Piece) -> Piece:
    """Return one line for each of some dashed ones, as faint as its dashes are together."""
    assert dashes.anchor is not None
    return replace(dashes, anchor=dashes.anchor[:, [0, -1]], strength=_FAINT)
