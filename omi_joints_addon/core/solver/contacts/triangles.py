"""Triangles that do not move: each is the front of a prism that ends within what it encloses."""

import numpy as np

from ...model.pose import Array
from ..elimination import Indices
from .boxes import BoxTree

_DEPTH = 0.1
"""Depth of a prism as a part of the size of its triangle, where nothing is behind it."""
_SHARE = 0.5
"""Part of the way to what is behind a triangle that its prism takes: both sides have one."""
_LEAST = 1e-4
"""Depth [m] that every prism has."""
_SMALLEST = 1e-12
"""Twice the area [m²] below which a triangle counts for nothing."""
_SAMPLES = np.array(
    ((1, 1, 1), (8, 1, 1), (1, 8, 1), (1, 1, 8), (5, 5, 1), (1, 5, 5), (5, 1, 5)), float
)
_SAMPLES /= _SAMPLES.sum(axis=1, keepdims=True)
"""Where the way behind a triangle is measured, as weights of its corners."""
_AT_ONCE = 2**16


class Triangles:
    """A surface of triangles in the axes of its body."""

    def __init__(self, points: Array, triangles: Indices) -> None:
        """Take corners (p, 3) [m] and triangles (t, 3), fronts where they run counterclockwise."""
        corners = points[triangles].reshape(-1, 3, 3)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = np.linalg.norm(across, axis=1)
        is_usable = area > _SMALLEST
        self.corners = corners[is_usable]
        self.normals = across[is_usable] / area[is_usable, None]
        """Shape (t, 3)."""
        most = _DEPTH * np.sqrt(area[is_usable])
        behind = _way_behind(self.corners, self.normals, most / _SHARE)
        self.depth = np.maximum(np.minimum(most, _SHARE * behind), _LEAST)
        """Of the prisms [m]."""
        prisms = self.prisms(np.arange(len(most)))
        self.tree = BoxTree(prisms.min(axis=1), prisms.max(axis=1)) if len(most) else None

    def prisms(self, numbers: Indices) -> Array:
        """Return the corners (n, 6, 3) of prisms, those of the front first."""
        fronts = self.corners[numbers]
        back = (self.depth[numbers, None] * self.normals[numbers])[:, None]
        return np.concatenate((fronts, fronts - back), axis=1)


def _way_behind(corners: Array, normals: Array, most: Array) -> Array:
    """Return how far behind each triangle (t, 3, 3) the back of another one is, at most `most`."""
    result = most.copy()
    if not len(corners):
        return result
    ends = corners - (most[:, None] * normals)[:, None]
    both = np.concatenate((corners, ends), axis=1)
    tree = BoxTree(corners.min(axis=1), corners.max(axis=1))
    for start in range(0, len(corners), _AT_ONCE):
        own = slice(start, start + _AT_ONCE)
        near, other = tree.overlapping(both[own].min(axis=1), both[own].max(axis=1))
        near = near + start
        # What is enclosed ends at a triangle that faces away.
        is_back = (normals[near] * normals[other]).sum(axis=1) < -1e-6
        near, other = near[is_back], other[is_back]
        ways = _ways(corners[near], normals[near], corners[other], normals[other])
        np.minimum.at(result, near, ways)
    return result


def _ways(corners: Array, normals: Array, others: Array, their_normals: Array) -> Array:
    """Return how far behind triangles (p, 3, 3) other ones are at the samples, inf where not."""
    starts = np.einsum("sk,pkc->psc", _SAMPLES, corners)
    slope = -(normals * their_normals).sum(axis=1)[:, None]
    from_start = others[:, None, 0] - starts
    way = (from_start * their_normals[:, None]).sum(axis=2) / slope
    hits = starts - way[:, :, None] * normals[:, None]
    is_inside = way > 0.0
    for one, next_one in ((0, 1), (1, 2), (2, 0)):
        side = np.cross(others[:, next_one] - others[:, one], their_normals)
        is_inside &= ((hits - others[:, None, one]) * side[:, None]).sum(axis=2) <= 1e-9
    return np.asarray(np.where(is_inside, way, np.inf).min(axis=1))
