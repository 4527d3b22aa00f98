"""A joint drawn from the end that stays, so that its region does not move with the body."""

from dataclasses import dataclass
from functools import lru_cache

from ..meaning.sides import End
from ..model.joint import JointSettings
from ..rewrite.swap import SwapError, swapped_settings


@dataclass(frozen=True, slots=True)
class DrawnFrom:
    """What to outline, and in which frame.

    At the connected frame the pose to outline is that of the joint's frame in the connected one.
    Bounds and targets of single axes are then the negatives of the joint's own, which `labels` and
    `handles` are to be asked for with `is_mirrored`: the numbers that people see are the joint's
    own, and grow against the axes of the frame.
    """

    settings: JointSettings
    """Settings to outline, seen from the frame that they are drawn in."""
    is_at_connected: bool
    """Whether that is the connected frame, else the joint's."""


def drawn_from(settings: JointSettings, moving: End) -> DrawnFrom:
    """Return how to draw settings whose end `moving` moves.

    Limits that only have a meaning in the axes of the joint's frame are drawn there.
    """
    if moving == End.CONNECTED:
        return DrawnFrom(settings, is_at_connected=False)
    return _drawn_from_connected(settings)


@lru_cache(maxsize=16384)
def _drawn_from_connected(settings: JointSettings) -> DrawnFrom:
    """Return how to draw settings from the connected frame, if that has a meaning."""
    try:
        return DrawnFrom(swapped_settings(settings), is_at_connected=True)
    except SwapError:
        return DrawnFrom(settings, is_at_connected=False)
