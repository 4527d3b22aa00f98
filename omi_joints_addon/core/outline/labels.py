"""Numbers beside outlines: the bounds of each shape and their places in the joint's frame."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..model.joint import JointSettings
from ..model.pose import Array
from .pieces import along, circle, direction
from .shapes import ANGULAR, Figure, shape_rows

BESIDE = 0.15
"""Distance of a number from what it names [size]."""
_SIDE = math.pi / 4.0
_RADIAL = (Figure.TUBE, Figure.BALL)


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A bound and its place, `anchor + size * offset`."""

    anchor: Array
    """[m], shape (3,)."""
    offset: Array
    """[size], shape (3,)."""
    value: float
    """[m or rad]."""
    is_angle: bool


@lru_cache(maxsize=512)
def labels(settings: JointSettings, *, is_mirrored: bool = False) -> tuple[Label, ...]:
    """Return the bounds of the shapes that settings are drawn as.

    `is_mirrored` tells that the settings are those seen from the connected frame (`sides`): bounds
    of single axes are reported with the sign that they have in the joint's frame.
    """
    sign = -1.0 if is_mirrored else 1.0
    return tuple(label for row in shape_rows(settings) for label in _labels(row, sign))


def _labels(row: Any, sign: float) -> Iterator[Label]:
    kind, is_angle = Figure(int(row["kind"])), bool(row["metric"] >= ANGULAR)
    if kind in (Figure.RING, Figure.RAY, Figure.SWING, Figure.BOX) or (
        kind == Figure.LOCK and row["low"] == 0.0
    ):
        return
    is_signed = kind in (Figure.SECTOR, Figure.BAR)
    bounds = {float(row["low"]), float(row["high"])}
    for value in sorted(bounds):
        if not math.isfinite(value) or (value <= 0.0 and not (is_signed or kind == Figure.LOCK)):
            continue
        if is_angle and abs(value) >= math.pi:
            continue
        # Zero has no sign.
        shown = sign * value + 0.0 if is_signed or kind == Figure.LOCK else value
        side = _SIDE if value == row["high"] else _SIDE + math.pi
        anchor, offset = _place(kind, np.array([row["axis"]]), value, side, is_angle=is_angle)
        yield Label(anchor, offset, shown, is_angle)


def _place(
    kind: Figure, axis: Any, value: float, around: float, *, is_angle: bool
) -> tuple[Array, Array]:
    """Return anchor and offset of a bound, at the angle `around` [rad] about its axis."""
    side = circle(axis, [[around]])[0, 0]
    if kind in (Figure.CONE, Figure.CAP):
        return np.zeros(3), (1.0 + BESIDE) * direction(axis, np.array([value]), side[None, None])[
            0, 0
        ]
    if is_angle:
        return np.zeros(3), (1.0 + BESIDE) * circle(axis, [[value]])[0, 0]
    if kind in _RADIAL:
        return value * side, BESIDE * side
    return value * along(axis)[0, 0], 1.5 * BESIDE * side
