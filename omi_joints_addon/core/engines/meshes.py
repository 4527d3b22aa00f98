"""Meshes that collide, of which engines make flat ones or hulls."""

import numpy as np

from ..model.mesh import MeshData
from ..model.scene import PhysicsScene

_FLAT = 1e-6
"""How far from a plane counts as in it [m]."""


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
    for one, two, three in data.points[data.triangles]:
        normal = np.cross(two - one, three - one)
        size = float(np.linalg.norm(normal))
        if size and ((data.points - one) @ normal > _FLAT * size).any():
            return False
    return True
