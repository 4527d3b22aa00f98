"""Words of findings: axes, amounts, and pointers to limits and drives within settings."""

import math
from collections.abc import Sequence

from ..model.axes import AXIS_LETTERS, remaining_axis

_MOST = 8
"""Numbers of a list that are named; a message of thousands helps nobody."""


def axis_name(axis: int, *, is_angular: bool) -> str:
    """Return an axis in words, such as "rotation about Z"."""
    return f"{'rotation about' if is_angular else 'movement along'} {AXIS_LETTERS[axis]}"


def amount(value: float, *, is_angular: bool) -> str:
    """Return a number of meters or radians with its unit, angles in degrees."""
    return f"{math.degrees(value):.4g}°" if is_angular else f"{value:.4g} m"


def limit_part(index: int) -> str:
    """Return the pointer of a limit within its settings."""
    return f"/limits/{index}"


def drive_part(index: int) -> str:
    """Return the pointer of a drive within its settings."""
    return f"/drives/{index}"


def numbers(indices: Sequence[int]) -> str:
    """Return which limits or drives of a list are meant, counted from 1."""
    shown = [str(index + 1) for index in indices[:_MOST]]
    if len(indices) > _MOST:
        shown.append(f"{len(indices) - _MOST} more")
    return " and ".join(shown)


def shape_of(axes: tuple[int, ...], *, is_angular: bool) -> str:
    """Return what a limit over these axes of one kind bounds, such as "a tube along Z"."""
    if len(axes) == 1:
        return f"the axis {AXIS_LETTERS[axes[0]]}"
    if len(axes) == 3:
        return "any rotation" if is_angular else "a sphere"
    letter = AXIS_LETTERS[remaining_axis(axes)]
    return f"a cone about {letter}" if is_angular else f"a tube along {letter}"
