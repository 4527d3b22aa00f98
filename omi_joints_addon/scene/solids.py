"""Volume, center and inertia of bodies by the shapes of their objects.

SI units, the body's own axes (Z up), its scale not applied.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from ..core.model.pose import Array, Pose, pose_from_matrix, quaternion_product
from ..core.model.shape import MeshShape, Trimesh, enclosing_scaled_shape
from ..core.shapes.inertia import Solid, combined, convex_solid, mesh_solid, placed, primitive_solid
from ..core.shapes.placement import along_shape
from ..properties.body import motion_of
from ..properties.bones import Node, world_matrix
from ..properties.collider import ObjectShape, collider_shape_of
from ..properties.mesh_points import MeshReader, mesh_points, mesh_triangles
from .structure import parent_of

Children = dict[Node, list[Node]]


def body_solid(body: Node, children: Children, reader: MeshReader) -> Solid | None:
    """Return volume, center and inertia of a body's shapes [m], in its axes without scale.

    Shapes of bodies below it are their own; None where no shape has a volume.
    """
    frame = np.linalg.inv(_rigid_matrix(body))
    parts = [
        solid
        for part in _parts(body, children)
        if (shape := collider_shape_of(part, reader)) is not None
        and (solid := _solid(part, shape, frame, reader)) is not None
    ]
    return combined(parts)


def children_of(objects: Iterable[Node]) -> Children:
    """Return the children of each node; `Object.children` searches the whole file each time."""
    children: Children = {}
    for obj in objects:
        if (parent := parent_of(obj)) is not None:
            children.setdefault(parent, []).append(obj)
    return children


def _parts(body: Node, children: Children) -> Iterator[Node]:
    """Yield a body and the objects that move with it."""
    waiting = [body]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [child for child in children.get(part, ()) if motion_of(child) is None]


def _solid(obj: Node, shape: ObjectShape, frame: Array, reader: MeshReader) -> Solid | None:
    """Return a shape's solid in the axes that `frame` (4, 4) leads to from the world."""
    matrix = frame @ np.array(world_matrix(obj), float)
    if isinstance(shape.fit.shape, MeshShape):
        return _mesh_solid(obj, shape, matrix, reader)
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    solid = primitive_solid(enclosing_scaled_shape(shape.fit.shape, along_shape(scale, shape.fit)))
    if solid is None:
        return None
    center = matrix[:3, :3] @ shape.fit.center + matrix[:3, 3]
    rotation = quaternion_product(pose_from_matrix(matrix).rotation, shape.fit.rotation)
    return placed(solid, Pose(center, rotation))


def _mesh_solid(obj: Node, shape: ObjectShape, matrix: Array, reader: MeshReader) -> Solid | None:
    """Return the solid of a mesh; of its hull where the shape is convex or the mesh not closed."""
    points = reader.points(obj) if shape.mesh is None else mesh_points(shape.mesh)
    corners = points.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    if isinstance(shape.fit.shape, Trimesh):
        triangles = reader.triangles(obj) if shape.mesh is None else mesh_triangles(shape.mesh)
        inside = mesh_solid(corners, triangles)
        if inside is not None:
            return inside
    return convex_solid(corners)


def _rigid_matrix(obj: Node) -> Array:
    """Return the world matrix (4, 4) of an object without its scale."""
    location, rotation, _scale = world_matrix(obj).decompose()
    matrix = np.eye(4)
    matrix[:3, :3] = rotation.to_matrix()
    matrix[:3, 3] = location
    return matrix
