"""Outlines of joints that are a few pixels large, and how far outlines reach."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..model.joint import DriveType, JointSettings
from .frames import link_pieces
from .joint import LINKS, Part
from .pieces import NEUTRAL, Piece, Role

SPREAD = 1.75
"""How far from its frame a joint's angles, arrows and marks are drawn at most [size]."""
_FAINT = np.full(2, 0.5)


def reach_of(settings: JointSettings) -> float:
    """Return how far [m] from its frame settings are drawn at most, besides `SPREAD` sizes."""
    reach = 0.0
    for limit in settings.limits:
        if limit.linear_axes:
            bounds = (abs(limit.min), abs(limit.max))
            reach += max((bound for bound in bounds if bound < math.inf), default=0.0)
    for drive in settings.drives:
        if drive.type == DriveType.LINEAR and drive.position_target is not None:
            reach += abs(drive.position_target)
    return reach


def mark_outline(count: int, parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield a point at each of `count` joints, in place of limits and frames.

    It belongs to shape 0 of each joint, so that it has the color of that one's state.
    """
    if count and (Part.LIMITS in parts or Part.FRAMES in parts):
        joint, axes = np.arange(count), np.full(count, NEUTRAL, np.int8)
        shape = np.zeros(count, np.intp)
        yield Piece(Role.LOCKED, False, joint, axes, offset=np.zeros((count, 1, 3)), shape=shape)


def far_outline(there: NDArray[np.intp], parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield the lines of joints to other places, without dashes.

    `there` (n,) is what each joint is tied to, as a sum of `There`.
    """
    yield from map(_plain, link_pieces(there, [r for r, part in LINKS.items() if part in parts]))


def _plain(link: Piece) -> Piece:
    """Return one line for each of some dashed ones, as faint as its dashes are together."""
    assert link.tied is not None
    if link.length == 2:
        return link
    return replace(link, tied=link.tied[:, [0, -1]], strength=_FAINT)
