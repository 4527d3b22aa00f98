"""Solids of the bodies of a scene, from the colliders that move with them."""

from collections.abc import Collection

import numpy as np

from ..model.body import Collider
from ..model.pose import Array, pose_from_matrix, rotation_matrix
from ..model.scene import PhysicsScene
from ..model.shape import MeshShape, Trimesh, enclosing_scaled_shape
from .inertia import Solid, combined, convex_solid, mesh_solid, placed, primitive_solid


def body_solids(
    scene: PhysicsScene, bodies: Collection[int]
) -> tuple[dict[int, Solid], dict[int, str]]:
    """Return the solids [m] of the nodes `bodies`, in their axes without scale.

    Colliders on a body and on the nodes below it count, but for those of bodies below. Bodies
    without volume are left out. Also returned is why a mesh of a body cannot be read, by body.
    """
    owner = scene.bodies()
    parts: dict[int, list[Solid]] = {}
    faults: dict[int, str] = {}
    for node, collider in scene.colliders.items():
        body = int(owner[node])
        if body not in bodies:
            continue
        try:
            solid = _solid(scene, collider, _matrix_in(scene, body, node))
        except ValueError as error:
            faults[body] = str(error)
            continue
        if solid is not None:
            parts.setdefault(body, []).append(solid)
    whole = {body: combined(solids) for body, solids in parts.items()}
    return {body: solid for body, solid in whole.items() if solid is not None}, faults


def _matrix_in(scene: PhysicsScene, body: int, node: int) -> Array:
    """Return the matrix (4, 4) of a node in the axes of its body without scale."""
    pose = pose_from_matrix(scene.matrices[body])
    frame = rotation_matrix(pose.rotation)
    matrix = np.array(scene.matrices[node], float)
    matrix[:3, 3] -= pose.position
    matrix[:3] = frame.T @ matrix[:3]
    return matrix


def _solid(scene: PhysicsScene, collider: Collider, matrix: Array) -> Solid | None:
    shape = collider.shape
    if shape is None or not np.isfinite(matrix).all():
        return None
    if isinstance(shape, MeshShape):
        return None if shape.mesh is None else _mesh_solid(scene, shape, matrix)
    x, y, z = (float(factor) for factor in np.linalg.norm(matrix[:3, :3], axis=0))
    solid = primitive_solid(enclosing_scaled_shape(shape, (x, y, z)))
    return None if solid is None else placed(solid, pose_from_matrix(matrix))


def _mesh_solid(scene: PhysicsScene, shape: MeshShape, matrix: Array) -> Solid | None:
    """Return the solid of a mesh; of its hull where the shape is convex or the mesh not closed.

    Raises `ValueError` where the mesh cannot be read.
    """
    if shape.mesh is None or not 0 <= shape.mesh < len(scene.meshes):
        raise ValueError(f"mesh {shape.mesh} does not exist")
    data = scene.meshes[shape.mesh].read()
    corners = data.points.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    inside = mesh_solid(corners, data.triangles) if isinstance(shape, Trimesh) else None
    return inside if inside is not None else convex_solid(corners)
