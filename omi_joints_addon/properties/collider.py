"""Collision shapes of objects, from Blender's Rigid Body or from `Object.omi_body`.

SI units, the object's own axes (Z up), its scale not applied.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import bpy
import numpy as np

from ..core.model.body import CollisionFilter, PhysicsMaterial
from ..core.model.pose import Array, Pose, pose_from_matrix, quaternion_product
from ..core.model.shape import Convex, MeshShape, Trimesh, enclosing_scaled_shape
from ..core.shapes.fit import Bounds, Fit, bounds_fit
from ..core.shapes.inertia import Solid, combined, convex_solid, mesh_solid, placed, primitive_solid
from ..core.shapes.placement import along_shape
from .body import AUTO, OMI_PG_collider, body_data, motion_of
from .exact import shortest_decimal, shortest_decimals
from .mesh_points import MeshReader, mesh_points, mesh_triangles
from .rigid_body import rigid_body_of
from .shape import NONE, OMI_PG_shape, rounded_shape
from .surface import system_name

_RIGID_MESHES = {"CONVEX_HULL": Convex, "MESH": Trimesh}
Children = dict[bpy.types.Object, list[bpy.types.Object]]


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """A shape of an object."""

    fit: Fit
    mesh: bpy.types.Mesh | None = None
    """Mesh of a convex or trimesh shape; None is the object's own."""


def source_of(collider: OMI_PG_collider) -> str:
    """Return where a collider comes from; quicker than the property where nobody set it."""
    return collider.source if collider.is_property_set("source") else AUTO


def has_collider(obj: bpy.types.Object) -> bool:
    """Return whether the object is solid, itself or as the parent of shapes."""
    source = source_of(body_data(obj).collider)
    if source == AUTO:
        rigid = rigid_body_of(obj)
        return rigid is not None and rigid.collision_shape != "COMPOUND"
    return source != NONE


def collider_shape_of(obj: bpy.types.Object, reader: MeshReader) -> ObjectShape | None:
    """Return the shape of an object's collider; None where it has none itself."""
    collider = body_data(obj).collider
    source = source_of(collider)
    if source == AUTO:
        return _rigid_shape(obj, reader)
    return None if source == NONE else shape_of(collider.shape)


def trigger_shape_of(obj: bpy.types.Object) -> ObjectShape | None:
    """Return the shape of an object's trigger; None where it has none itself."""
    trigger = body_data(obj).trigger
    return shape_of(trigger.shape) if trigger.enabled else None


def shape_of(group: OMI_PG_shape) -> ObjectShape | None:
    """Return the shape that properties describe; None where the children's shapes count."""
    fit = group.fit()
    return None if fit is None else ObjectShape(fit, group.mesh)


def material_of(obj: bpy.types.Object) -> PhysicsMaterial | None:
    """Return the surface of an object's collider; None takes the engine's.

    A Rigid Body's friction and bounciness meet another's as a product, as in Blender's playback.
    """
    collider = body_data(obj).collider
    rigid = rigid_body_of(obj)
    if rigid is None or source_of(collider) != AUTO or collider.material.use_material:
        return collider.material.to_core()
    return _rigid_material(shortest_decimal(rigid.friction), shortest_decimal(rigid.restitution))


@lru_cache(maxsize=256)
def _rigid_material(friction: float, restitution: float) -> PhysicsMaterial:
    return PhysicsMaterial(
        static_friction=friction,
        dynamic_friction=friction,
        restitution=restitution,
        friction_combine="multiply",
        restitution_combine="multiply",
    )


def uses_collision_collections(objects: Iterable[bpy.types.Object]) -> bool:
    """Return whether Rigid Bodies among the objects differ in their collision collections."""
    rigid = map(rigid_body_of, objects)
    return len({tuple(body.collision_collections) for body in rigid if body is not None}) > 1


def filter_of(
    obj: bpy.types.Object, scene: bpy.types.Scene, *, use_collections: bool
) -> CollisionFilter | None:
    """Return what an object's collider meets; None is everything.

    Rigid Bodies collide in Blender where they share a collision collection. With `use_collections`
    each gets a filter that says so: one without would meet those that have one.
    """
    collider: OMI_PG_collider = body_data(obj).collider
    rigid = rigid_body_of(obj)
    if rigid is None or source_of(collider) != AUTO or collider.collision_filter.use_filter:
        return collider.collision_filter.to_core()
    if not use_collections:
        return None
    flags = enumerate(rigid.collision_collections)
    systems = tuple(system_name(scene, index) for index, is_member in flags if is_member)
    return CollisionFilter(collision_systems=systems, collide_with_systems=systems)


def body_solid(body: bpy.types.Object, children: Children, reader: MeshReader) -> Solid | None:
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


def children_of(objects: Iterable[bpy.types.Object]) -> Children:
    """Return the children of each object; `Object.children` searches the whole file each time."""
    children: Children = {}
    for obj in objects:
        if obj.parent is not None:
            children.setdefault(obj.parent, []).append(obj)
    return children


def _parts(body: bpy.types.Object, children: Children) -> Iterator[bpy.types.Object]:
    """Yield a body and the objects that move with it."""
    waiting = [body]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [child for child in children.get(part, ()) if motion_of(child) is None]


def _rigid_shape(obj: bpy.types.Object, reader: MeshReader) -> ObjectShape | None:
    rigid = rigid_body_of(obj)
    if rigid is None or rigid.collision_shape == "COMPOUND":
        return None
    if rigid.collision_shape in _RIGID_MESHES:
        return ObjectShape(Fit(shape=_RIGID_MESHES[rigid.collision_shape]()))
    bounds = reader.bounds(obj)
    if bounds is None:
        return None
    return _rigid_fit(rigid.collision_shape.lower(), bounds)


@lru_cache(maxsize=4096)
def _rigid_fit(type_: str, bounds: Bounds) -> ObjectShape:
    fit = bounds_fit(type_, bounds)
    x, y, z = shortest_decimals(fit.center)
    return ObjectShape(Fit(shape=rounded_shape(fit.shape), center=(x, y, z)))


def _solid(
    obj: bpy.types.Object, shape: ObjectShape, frame: Array, reader: MeshReader
) -> Solid | None:
    """Return a shape's solid in the axes that `frame` (4, 4) leads to from the world."""
    matrix = frame @ np.array(obj.matrix_world, float)
    if isinstance(shape.fit.shape, MeshShape):
        return _mesh_solid(obj, shape, matrix, reader)
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    solid = primitive_solid(enclosing_scaled_shape(shape.fit.shape, along_shape(scale, shape.fit)))
    if solid is None:
        return None
    center = matrix[:3, :3] @ shape.fit.center + matrix[:3, 3]
    rotation = quaternion_product(pose_from_matrix(matrix).rotation, shape.fit.rotation)
    return placed(solid, Pose(center, rotation))


def _mesh_solid(
    obj: bpy.types.Object, shape: ObjectShape, matrix: Array, reader: MeshReader
) -> Solid | None:
    """Return the solid of a mesh; of its hull where the shape is convex or the mesh not closed."""
    points = reader.points(obj) if shape.mesh is None else mesh_points(shape.mesh)
    corners = points.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    if isinstance(shape.fit.shape, Trimesh):
        triangles = reader.triangles(obj) if shape.mesh is None else mesh_triangles(shape.mesh)
        inside = mesh_solid(corners, triangles)
        if inside is not None:
            return inside
    return convex_solid(corners)


def _rigid_matrix(obj: bpy.types.Object) -> Array:
    """Return the world matrix (4, 4) of an object without its scale."""
    location, rotation, _scale = obj.matrix_world.decompose()
    matrix = np.eye(4)
    matrix[:3, :3] = rotation.to_matrix()
    matrix[:3, 3] = location
    return matrix
