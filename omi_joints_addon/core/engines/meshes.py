"""Meshes that collide, of which engines make flat ones or hulls."""

import numpy as np

from ..model.mesh import MeshData
from ..model.scene import PhysicsScene

_FLAT = 1e-6
"""How far from a plane counts as in it [m]."""
_AT_ONCE = 64
"""Triangles."""


def mesh_data(scene: PhysicsScene, mesh: int | None) -> MeshData | None:
    """Return the triangles of a mesh, None where it has none or cannot be read."""
    try:
        data = None if mesh is None else scene.meshes[mesh].read()
    except (IndexError, ValueError):
        return None
    return data if data is not None and len(data.points) >= 3 else None


def is_flat(data: MeshData) -> bool:
    """Return whether all points are in one plane."""
    from_middle = data.points - data.points.mean(axis=0)
    return bool(np.linalg.svd(from_middle, compute_uv=False)[-1] < _FLAT)


def is_convex(data: MeshData) -> bool:
    """Return whether no point is in front of a triangle."""
    points = data.points - data.points.mean(axis=0)
    one, two, three = np.swapaxes(points[data.triangles], 0, 1)
    normals = np.cross(two - one, three - one)
    highest = (normals * one).sum(axis=1) + _FLAT * np.linalg.norm(normals, axis=1)
    # Some at a time: the first ones show what most meshes are, and all at once would be too many.
    starts = range(0, len(normals), _AT_ONCE)
    parts = (slice(start, start + _AT_ONCE) for start in starts)
    return not any((normals[part] @ points.T > highest[part, None]).any() for part in parts)
