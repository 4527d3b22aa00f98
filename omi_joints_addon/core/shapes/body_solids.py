"""Solids of the bodies of a scene, from the colliders that move with them."""

from collections.abc import Collection, Sequence

import numpy as np

from ..model.pose import Array, pose_from_matrix, rotation_matrix
from ..model.scene import PhysicsScene
from ..model.shape import MeshShape, Shape, Trimesh, enclosing_scaled_shape
from .inertia import Solid, combined, convex_solid, mesh_solid, placed_all, primitive_solid

Scale = tuple[float, float, float]


def body_solids(
    scene: PhysicsScene, bodies: Collection[int]
) -> tuple[dict[int, Solid], dict[int, str]]:
    """Return the solids [m] of the nodes `bodies`, in their axes without scale.

    Colliders on a body and on the nodes below it count, but for those of bodies below. Bodies
    without volume are left out. Also returned is why a mesh of a body cannot be read, by body.
    """
    owner, wanted = scene.bodies().tolist(), frozenset(bodies)
    nodes = [node for node in scene.colliders if owner[node] in wanted]
    parts: dict[int, list[Solid]] = {}
    faults: dict[int, str] = {}
    for node, found in zip(nodes, _solids(scene, nodes, [owner[n] for n in nodes]), strict=True):
        if isinstance(found, ValueError):
            faults[owner[node]] = str(found)
        elif found is not None:
            parts.setdefault(owner[node], []).append(found)
    whole = {body: combined(solids) for body, solids in parts.items()}
    return {body: solid for body, solid in whole.items() if solid is not None}, faults


def _solids(
    scene: PhysicsScene, nodes: Sequence[int], bodies: Sequence[int]
) -> list[Solid | ValueError | None]:
    """Return the solid of each collider in the axes of its body, or why it cannot be read."""
    found: list[Solid | ValueError | None] = [None] * len(nodes)
    matrices = _matrices_in(scene, bodies, nodes)
    primitives: dict[int, Solid] = {}
    scaled = _ScaledSolids()
    scales = np.linalg.norm(matrices[:, :3, :3], axis=1).tolist()
    are_finite = np.isfinite(matrices).all(axis=(1, 2)).tolist()
    for number, node in enumerate(nodes):
        shape = scene.colliders[node].shape
        if shape is None or not are_finite[number]:
            continue
        if isinstance(shape, MeshShape):
            found[number] = _mesh_solid(scene, shape, matrices[number])
        elif (solid := scaled.of(shape, tuple(scales[number]))) is not None:
            primitives[number] = solid
    poses = pose_from_matrix(matrices[list(primitives)])
    for number, solid in zip(primitives, placed_all([*primitives.values()], poses), strict=True):
        found[number] = solid
    return found


class _ScaledSolids:
    """Solids of primitives at scales, of equal ones once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Shape, Scale], Solid | None] = {}

    def of(self, shape: Shape, scale: Scale) -> Solid | None:
        key = (shape, scale)
        if key not in self._known:
            self._known[key] = primitive_solid(enclosing_scaled_shape(shape, scale))
        return self._known[key]


def _matrices_in(scene: PhysicsScene, bodies: Sequence[int], nodes: Sequence[int]) -> Array:
    """Return the matrices (n, 4, 4) of nodes in the axes of their bodies without scale."""
    pose = pose_from_matrix(scene.matrices[list(bodies)].reshape(-1, 4, 4))
    matrices: Array = scene.matrices[list(nodes)].reshape(-1, 4, 4).copy()
    matrices[:, :3, 3] -= pose.position
    matrices[:, :3] = np.swapaxes(rotation_matrix(pose.rotation), 1, 2) @ matrices[:, :3]
    return matrices


def _mesh_solid(scene: PhysicsScene, shape: MeshShape, matrix: Array) -> Solid | ValueError | None:
    """Return the solid of a mesh; of its hull where the shape is convex or the mesh not closed.

    Where the mesh cannot be read, the reason is returned.
    """
    if shape.mesh is None:
        return None
    if not 0 <= shape.mesh < len(scene.meshes):
        return ValueError(f"mesh {shape.mesh} does not exist")
    try:
        data = scene.meshes[shape.mesh].read()
    except ValueError as error:
        return error
    corners = data.points.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    inside = mesh_solid(corners, data.triangles) if isinstance(shape, Trimesh) else None
    return inside if inside is not None else convex_solid(corners)
