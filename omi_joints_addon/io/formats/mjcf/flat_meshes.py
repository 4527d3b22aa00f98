"""Meshes that MuJoCo rejects with the whole file: flat ones, and those that enclose nothing."""

import numpy as np

from ....core.model.mesh import MeshData
from ....core.model.pose import Array
from ....core.shapes.hull import convex_hull

_FLAT, _EMPTY = 1e-5, 1e-6
"""Thickness and volume as parts of the extent and its cube, below which there is none."""
_DEPTH = 0.1
"""Of a plate, as part of its extent: MuJoCo pushes bodies out on the nearer side."""


def plate_below(data: MeshData) -> tuple[MeshData, float] | None:
    """Return a plate below flat triangles and its depth [m]; None where they are not flat."""
    extent, normal = float(np.ptp(data.points, axis=0).max(initial=0.0)), _least_axis(data.points)
    if extent == 0.0 or np.ptp(data.points @ normal) > _FLAT * extent:
        return None
    areas = np.cross(*_sides(data))
    upward = normal if areas.sum(axis=0) @ normal >= 0.0 else -normal
    depth = _DEPTH * extent
    points = np.concatenate((data.points, data.points - depth * upward))
    return MeshData(points, convex_hull(points)), depth


def has_area(data: MeshData) -> bool:
    """Return whether not all triangles are points or lines."""
    if not len(data.triangles):
        return False
    extent = float(np.ptp(data.points, axis=0).max(initial=0.0))
    return bool((np.linalg.norm(np.cross(*_sides(data)), axis=1) > _EMPTY * extent**2).any())


def has_four_corners(data: MeshData) -> bool:
    """Return whether there are as many corners as MuJoCo wants of what is only shown."""
    return len(np.unique(data.points[data.triangles.ravel()], axis=0)) > 3


def encloses_nothing(data: MeshData) -> bool:
    """Return whether the triangles, as they are oriented, have no volume."""
    corners = (data.points - data.points.mean(axis=0))[data.triangles]
    volume = float(np.linalg.det(corners).sum()) / 6.0
    return volume <= _EMPTY * float(np.ptp(data.points, axis=0).max()) ** 3


def _least_axis(points: Array) -> Array:
    """Return the unit vector along which points spread least."""
    centered = points - points.mean(axis=0)
    return np.asarray(np.linalg.eigh(centered.T @ centered)[1][:, 0])


def _sides(data: MeshData) -> tuple[Array, Array]:
    one, two, three = np.swapaxes(data.points[data.triangles], 0, 1)
    return two - one, three - one
