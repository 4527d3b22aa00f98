"""Primitives that MJCF fits to meshes: by the box of the same inertia, or by the bounding box.

MuJoCo turns both to the principal axes of the mesh, the longest side along Z (`mjCMesh::FitGeom`).
"""

from typing import NamedTuple

import numpy as np

from ....core.model.mesh import MeshData
from ....core.model.pose import Array
from ....core.shapes.inertia import Solid

FITTED = frozenset(("box", "sphere", "capsule", "cylinder", "ellipsoid"))
"""Types of geoms that can be fitted to a mesh."""


class Fit(NamedTuple):
    """A primitive in the axes of its mesh."""

    size: tuple[float, ...]
    """Numbers of the attribute `size` [m]."""
    place: Array
    """Matrix (4, 4)."""


def fitted(kind: str, mesh: MeshData, matrix: Array, solid: Solid, *, is_bounding: bool) -> Fit:
    """Return a primitive of a type in `FITTED`.

    `matrix` (4, 4) places the mesh in its own axes, in which it is `solid`. Bounding boxes hold all
    points, others have the inertia of the mesh.
    """
    place, half = _inertia_box(solid)
    if is_bounding:
        points = mesh.points @ matrix[:3, :3].T + matrix[:3, 3]
        local = (points - place[:3, 3]) @ place[:3, :3]
        low, high = local.min(axis=0), local.max(axis=0)
        place[:3, 3] += place[:3, :3] @ (low + high) / 2.0
        half = (high - low) / 2.0
    return Fit(_size(kind, half.tolist(), is_bounding=is_bounding), place)


def _inertia_box(solid: Solid) -> tuple[Array, Array]:
    """Return the place (4, 4) and half the sides (3,) of the box with the inertia of a solid."""
    moments, axes = np.linalg.eigh(solid.inertia)
    # The largest moment is about the shortest side.
    moments, axes = moments[::-1], axes[:, ::-1].copy()
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] *= -1.0
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = axes, solid.center
    squares = 1.5 * (moments.sum() - 2.0 * moments) / solid.volume
    return place, np.sqrt(np.maximum(squares, 0.0))


def _size(kind: str, half: list[float], *, is_bounding: bool) -> tuple[float, ...]:
    """Return the size of a primitive by half the sides of a box."""
    x, y, z = half
    if kind in ("box", "ellipsoid"):
        return x, y, z
    if kind == "sphere":
        return (max(half) if is_bounding else sum(half) / 3.0,)
    radius = max(x, y) if is_bounding else (x + y) / 2.0
    if kind == "cylinder":
        return radius, z
    return radius, max(0.0, z - (radius if is_bounding else radius / 2.0))
