"""Shapes as points and triangles, for what shows them as meshes. Metres, axes of the node."""

import numpy as np
from numpy.typing import NDArray

from ..model.mesh import MeshData
from ..model.pose import Array
from ..model.shape import Box, Capsule, Shape, Sphere, Upright

_SEGMENTS, _RINGS = 32, 8
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def shape_surface(shape: Shape) -> MeshData | None:
    """Return the surface of a box, sphere, capsule or cylinder; None for any other shape."""
    if isinstance(shape, Box):
        quads = [half for a, b, c, d in _FACES for half in ((a, b, c), (a, c, d))]
        return MeshData(_CORNERS * np.array(shape.size) / 2.0, np.array(quads, np.intp))
    if isinstance(shape, Sphere):
        return _turned(_arc(shape.radius, 0.0, -1.0) + _arc(shape.radius, 0.0, 1.0))
    if isinstance(shape, Capsule):
        half = shape.height / 2.0
        below = _arc(shape.radius_bottom, -half, -1.0)
        return _turned(below + _arc(shape.radius_top, half, 1.0))
    if isinstance(shape, Upright):
        half = shape.height / 2.0
        ends = ((0.0, -half), (shape.radius_bottom, -half), (shape.radius_top, half), (0.0, half))
        return _turned(list(ends))
    return None


def _arc(radius: float, middle: float, side: float) -> list[tuple[float, float]]:
    """Return distance from the axis and height of a quarter circle, from below to above."""
    angles = np.linspace(0.0, np.pi / 2.0, _RINGS + 1)
    points = np.stack((radius * np.cos(angles), middle + side * radius * np.sin(angles)), axis=1)
    ordered = points[::-1] if side < 0.0 else points
    return [(float(distance), float(height)) for distance, height in ordered]


def _turned(profile: list[tuple[float, float]]) -> MeshData:
    """Return the surface that a profile from below to above makes about the Z axis."""
    turn = np.linspace(0.0, 2.0 * np.pi, _SEGMENTS, endpoint=False)
    around = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    rings = np.array(profile)
    points = np.empty((len(rings), _SEGMENTS, 3))
    points[..., :2] = rings[:, None, :1] * around
    points[..., 2] = rings[:, None, 1]
    return MeshData(points.reshape(-1, 3), _strip(points))


def _strip(points: Array) -> NDArray[np.intp]:
    """Return the triangles between rings of points (r, s, 3) that have an area."""
    rings, segments = points.shape[:2]
    ring, step = np.meshgrid(np.arange(rings - 1), np.arange(segments), indexing="ij")
    after = (step + 1) % segments
    a, b = ring * segments + step, ring * segments + after
    c, d = b + segments, a + segments
    triangles = np.concatenate((np.stack((a, b, c), -1), np.stack((a, c, d), -1))).reshape(-1, 3)
    corners = points.reshape(-1, 3)[triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept: NDArray[np.intp] = triangles[(np.abs(area) > 1e-12).any(axis=1)].astype(np.intp)
    return kept
