"""What meshes weigh in MuJoCo, by the attribute `inertia` of theirs (`mjCMesh::Process`).

Meshes of files are seldom closed: unless asked otherwise, MuJoCo counts the tetrahedra between a
point within and each triangle as positive, whichever way the triangle faces.
"""

import math

import numpy as np

from ....core.model.mesh import MeshData
from ....core.model.pose import Array
from ....core.shapes.inertia import Solid, convex_solid

LEGACY = "legacy"
"""The value of `inertia` where none is given."""


def solid_of_mesh(mesh: MeshData, matrix: Array, inertia: str) -> Solid | None:
    """Return the solid of a mesh that `matrix` (4, 4) places, None without volume or area.

    `inertia` is legacy, exact, convex or shell; the volume of a shell is its area.
    """
    points = np.asarray(mesh.points, float) @ matrix[:3, :3].T + matrix[:3, 3]
    triangles = np.asarray(mesh.triangles, np.intp)
    if inertia == "convex":
        return convex_solid(points)
    if not len(triangles):
        return None
    corners = points[triangles]
    areas = np.linalg.norm(np.cross(*_sides(corners)), axis=1) / 2.0
    if not areas.sum() > 0.0:
        return None
    middle = areas @ corners.mean(axis=1) / areas.sum()
    if inertia == "shell":
        return _weighed(areas, corners - middle, middle, 12.0)
    is_legacy = inertia == LEGACY
    volumes = _volumes(corners - middle, is_legacy=is_legacy)
    if not abs(volumes.sum()) > 0.0:
        return None
    center = middle + volumes @ (corners - middle).sum(axis=1) / (4.0 * volumes.sum())
    volumes = _volumes(corners - center, is_legacy=is_legacy)
    return _weighed(volumes, corners - center, center, 20.0)


def _sides(corners: Array) -> tuple[Array, Array]:
    return corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]


def _volumes(corners: Array, *, is_legacy: bool) -> Array:
    """Return the volumes (n,) of the tetrahedra from the origin to triangles (n, 3, 3)."""
    found: Array = (
        np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    )
    return np.abs(found) if is_legacy else found


def _weighed(parts: Array, corners: Array, center: Array, share: float) -> Solid | None:
    """Return a solid about its center from the sizes (n,) of parts at corners (n, 3, 3).

    `share` is 12 for triangles, and 20 for tetrahedra that the origin is a corner of.
    """
    size = float(parts.sum())
    if not abs(size) > 0.0:
        return None
    points = np.concatenate((corners, corners.sum(axis=1, keepdims=True)), axis=1)
    second = np.einsum("n,nij,nik->jk", parts, points, points) / (share * size) * abs(size)
    return Solid(abs(size), center, np.trace(second) * np.eye(3) - second)


def ellipsoid_solid(radii: list[float]) -> Solid | None:
    """Return the solid of an ellipsoid of three half axes [m]."""
    if len(radii) != 3 or min(radii) <= 0.0:
        return None
    squares = np.array(radii) ** 2
    volume = 4.0 / 3.0 * math.pi * float(np.prod(radii))
    inertia = np.diag(squares.sum() - squares) * volume / 5.0
    return Solid(volume, np.zeros(3), inertia)
