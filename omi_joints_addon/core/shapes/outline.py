"""Outlines of collision shapes as line segments, in the shape's axes, standing on Z. Meters."""

import math
from functools import lru_cache

import numpy as np

from ..model.pose import Array
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere

SIDES = 32
"""Segments of a full circle; a multiple of 4, so that quarters meet the axes."""


@lru_cache(maxsize=1024)
def shape_segments(shape: Shape) -> Array:
    """Return the outline of a shape, shape (s, 2, 3); empty for meshes and unknown shapes.

    Boxes have their edges, round shapes their circles and the lines between them seen from the
    sides.
    """
    if isinstance(shape, Box):
        return _box_segments(np.array(shape.size))
    if isinstance(shape, Sphere):
        return _sphere_segments(shape.radius)
    if isinstance(shape, Capsule):
        return _capsule_segments(shape)
    if isinstance(shape, Cylinder):
        return _cylinder_segments(shape)
    return np.empty((0, 2, 3))


def _box_segments(size: Array) -> Array:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    pairs = [
        (first, second)
        for first in range(8)
        for second in range(first + 1, 8)
        if np.abs(corners[first] - corners[second]).sum() == 2.0
    ]
    edges: Array = corners[pairs] * size / 2.0
    return edges


def _sphere_segments(radius: float) -> Array:
    circle = _strip(_arc(radius, 0.0, 2.0 * math.pi))
    return np.concatenate([np.roll(circle, turn, axis=-1) for turn in range(3)])


def _cylinder_segments(shape: Cylinder) -> Array:
    half = shape.height / 2.0
    ends = ((-half, shape.radius_bottom), (half, shape.radius_top))
    sides = [
        np.array([[(x * radius, y * radius, height) for height, radius in ends]])
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))
    ]
    return np.concatenate([*(_ring(height, radius) for height, radius in ends), *sides])


def _capsule_segments(shape: Capsule) -> Array:
    """Return rings where caps and cone meet, and the silhouette in two planes."""
    half, bottom, top = shape.height / 2.0, shape.radius_bottom, shape.radius_top
    if abs(bottom - top) >= shape.height:
        # One sphere holds the other.
        radius, height = (bottom, -half) if bottom > top else (top, half)
        return _raised(_sphere_segments(radius), height)
    tilt = math.asin((bottom - top) / shape.height)
    above = _arc(top, tilt, math.pi - tilt)
    below = _arc(bottom, math.pi - tilt, 2.0 * math.pi + tilt)
    above[:, 1] += half
    below[:, 1] -= half
    silhouette = _strip(np.concatenate((above, below, above[:1])))
    # The arcs are drawn in the x-y plane: y becomes z, then x becomes y.
    front = silhouette[..., (0, 2, 1)]
    side = silhouette[..., (2, 0, 1)]
    rings = [_ring(above[0, 1], above[0, 0]), _ring(below[-1, 1], below[-1, 0])]
    return np.concatenate([front, side, *rings])


def _arc(radius: float, start: float, end: float) -> Array:
    """Return points (n, 3) of an arc in the x-y plane from one angle [rad] to another."""
    count = max(2, math.ceil(SIDES * (end - start) / (2.0 * math.pi)) + 1)
    turn = np.linspace(start, end, count)
    points: Array = radius * np.stack((np.cos(turn), np.sin(turn), 0.0 * turn), axis=1)
    return points


def _ring(height: float, radius: float) -> Array:
    return _raised(_strip(_arc(radius, 0.0, 2.0 * math.pi)), height)


def _raised(segments: Array, height: float) -> Array:
    raised: Array = segments + np.array((0.0, 0.0, height))
    return raised


def _strip(points: Array) -> Array:
    """Return the segments (n - 1, 2, 3) between successive points (n, 3)."""
    return np.stack((points[:-1], points[1:]), axis=1)
