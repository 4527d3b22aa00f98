"""A mesh remembered by a few of its points, and how a later one lies in other axes.

Points are an array (n, 3) [m], as those of `fit`.
"""

import base64
import struct
from dataclasses import dataclass

import numpy as np

from ..model.pose import Array
from .fit import Points

_FIXED = struct.Struct("<I8I27f")
_REFERENCES = 8
_SAME = 1e-5
"""Distance up to which points are the same, in extents of the mesh."""
_MOVED = 1e-4
"""Distance from an affine map that is still rounding, in extents of the mesh."""


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """How many points a mesh has, some of them, and the mean of all."""

    count: int
    numbers: tuple[int, ...]
    """Which points are kept: the outermost along each axis, the first and the last."""
    points: Array
    """(9, 3): those and the mean."""

    def text(self) -> str:
        """Return the anchor as text for a property."""
        numbers = self.points.astype(np.float32).reshape(-1).tolist()
        return base64.b64encode(_FIXED.pack(self.count, *self.numbers, *numbers)).decode()

    @property
    def extent(self) -> float:
        """Largest distance between points along an axis [m]."""
        return float(np.ptp(self.points, axis=0).max())


def anchor_of(points: Points) -> Anchor | None:
    """Return the anchor of a mesh, None where it has no extent."""
    if not len(points):
        return None
    ends = [int(find(column)) for column in points.T for find in (np.argmin, np.argmax)]
    return _anchor(points, (*ends, 0, len(points) - 1))


def anchor_from_text(text: str) -> Anchor | None:
    """Return the anchor of `Anchor.text`, None for another text."""
    try:
        count, *values = _FIXED.unpack(base64.b64decode(text))
    except (ValueError, struct.error):
        return None
    numbers, points = values[:_REFERENCES], np.array(values[_REFERENCES:], float)
    is_sound = np.isfinite(points).all() and max(numbers) < count
    return Anchor(count, tuple(numbers), points.reshape(-1, 3)) if is_sound else None


def is_at(anchor: Anchor, points: Points) -> bool:
    """Return whether points are those that were remembered."""
    if len(points) != anchor.count:
        return False
    ends, kept = anchor_of(points), _anchor(points, anchor.numbers)
    if ends is None or kept is None:
        return False
    slack = _SAME * anchor.extent
    is_as_large = np.abs(_bounds(ends) - _bounds(anchor)).max() <= slack
    return bool(is_as_large and np.abs(kept.points - anchor.points).max() <= slack)


def map_to(anchor: Anchor, points: Points) -> Array | None:
    """Return the affine map (4, 4) that took the remembered mesh to these points.

    None where the mesh was changed in another way, and where it lies on a line.
    """
    if len(points) != anchor.count:
        return None
    now = _anchor(points, anchor.numbers)
    if now is None:
        return None
    before, after = anchor.points - anchor.points[-1], now.points - now.points[-1]
    _, sizes, ways = np.linalg.svd(before)
    if sizes[1] <= _SAME * sizes[0]:
        return None
    if sizes[2] <= _SAME * sizes[0]:
        across = _across(before, after, ways)
        if across is None:
            return None
        before, after = np.vstack((before, ways[2])), np.vstack((after, across))
    linear = np.linalg.lstsq(before, after, rcond=None)[0].T
    is_affine = np.abs(before @ linear.T - after).max() <= _MOVED * max(now.extent, anchor.extent)
    if not is_affine or abs(np.linalg.det(linear)) == 0.0:
        return None
    found = np.eye(4)
    found[:3, :3] = linear
    found[:3, 3] = now.points[-1] - linear @ anchor.points[-1]
    return found


def _anchor(points: Points, numbers: tuple[int, ...]) -> Anchor | None:
    kept = points[list(numbers)].astype(float)
    found = Anchor(len(points), numbers, np.vstack((kept, points.mean(axis=0, dtype=float))))
    return found if np.isfinite(found.points).all() and found.extent > 0.0 else None


def _bounds(anchor: Anchor) -> Array:
    return np.array((anchor.points.min(axis=0), anchor.points.max(axis=0)))


def _across(before: Array, after: Array, ways: Array) -> Array | None:
    """Return where the unit vector (3,) across a flat mesh went: nothing is known but the side."""
    flat = np.linalg.lstsq(before, after, rcond=None)[0]
    across = np.cross(ways[0] @ flat, ways[1] @ flat)
    length = np.linalg.norm(across)
    return None if length == 0.0 else np.sign(np.linalg.det(ways)) * across / length
