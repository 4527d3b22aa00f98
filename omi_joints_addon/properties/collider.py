"""Collision shapes of objects, from Blender's Rigid Body or from `Object.omi_body`.

SI units, the object's own axes (Z up), its scale not applied.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import bpy

from ..core import shapes
from ..core.model.body import CollisionFilter, PhysicsMaterial
from ..core.model.shape import Convex, Trimesh
from .body import AUTO, OMI_PG_body, OMI_PG_collider, body_data_of
from .exact import shortest_decimal, shortest_decimals
from .mesh_points import MeshReader
from .rigid_body import rigid_body_of
from .shape import NONE, OMI_PG_shape, rounded_shape
from .surface import system_name

_RIGID_MESHES = {"CONVEX_HULL": Convex, "MESH": Trimesh}


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """A shape of an object."""

    fit: "shapes.fit.Fit"
    mesh: bpy.types.Mesh | None = None
    """Mesh of a convex or trimesh shape; None is the object's own."""


def collider_of(body: OMI_PG_body | None) -> OMI_PG_collider | None:
    """Return the collider of body data, None where nobody ever set any: to read it makes it."""
    is_set = body is not None and body.is_property_set("collider")
    return body.collider if body is not None and is_set else None


def source_of(collider: OMI_PG_collider | None) -> str:
    """Return where a collider comes from."""
    return AUTO if collider is None else collider.source


def has_collider(obj: bpy.types.Object) -> bool:
    """Return whether the object is solid, itself or as the parent of shapes."""
    return is_solid(collider_of(body_data_of(obj)), rigid_body_of(obj))


def is_solid(collider: OMI_PG_collider | None, rigid: bpy.types.RigidBodyObject | None) -> bool:
    """Return whether an object with some collider and Rigid Body is solid."""
    source = source_of(collider)
    if source == AUTO:
        return rigid is not None and rigid.collision_shape != "COMPOUND"
    return source != NONE


def collider_shape_of(obj: bpy.types.Object, reader: MeshReader) -> ObjectShape | None:
    """Return the shape of an object's collider; None where it has none itself."""
    return _shape_in(obj, collider_of(body_data_of(obj)), rigid_body_of(obj), reader)


def _shape_in(
    obj: bpy.types.Object,
    collider: OMI_PG_collider | None,
    rigid: bpy.types.RigidBodyObject | None,
    reader: MeshReader,
) -> ObjectShape | None:
    source = source_of(collider)
    if collider is None or source == AUTO:
        return _rigid_shape(obj, rigid, reader)
    return None if source == NONE else shape_of(collider.shape)


def is_trigger(body: OMI_PG_body | None) -> bool:
    """Return whether body data says that there is a trigger."""
    return body is not None and body.is_property_set("trigger") and body.trigger.enabled


def trigger_shape_of(obj: bpy.types.Object) -> ObjectShape | None:
    """Return the shape of an object's trigger; None where it has none itself."""
    body = body_data_of(obj)
    return shape_of(body.trigger.shape) if body is not None and is_trigger(body) else None


def shape_of(group: OMI_PG_shape) -> ObjectShape | None:
    """Return the shape that properties describe; None where the children's shapes count."""
    fit = group.fit()
    return None if fit is None else ObjectShape(fit, group.mesh)


def material_of(obj: bpy.types.Object) -> PhysicsMaterial | None:
    """Return the surface of an object's collider; None takes the engine's.

    A Rigid Body's friction and bounciness meet another's as a product, as in Blender's playback.
    """
    return _material_in(collider_of(body_data_of(obj)), rigid_body_of(obj))


def _material_in(
    collider: OMI_PG_collider | None, rigid: bpy.types.RigidBodyObject | None
) -> PhysicsMaterial | None:
    if collider is not None and collider.is_property_set("material"):
        own = collider.material.to_core()
        if own is not None:
            return own
    if rigid is None or source_of(collider) != AUTO:
        return None
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
    return len({body.collision_collections[:] for body in rigid if body is not None}) > 1


class ObjectCollider(NamedTuple):
    """The collider of an object."""

    shape: ObjectShape | None
    material: PhysicsMaterial | None
    collision_filter: CollisionFilter | None
    """What it meets; None is everything."""
    carried: str
    is_hidden: bool
    """Whether the object's mesh is for collisions only."""


def read_collider(
    obj: bpy.types.Object, reader: MeshReader, scene: bpy.types.Scene, *, use_collections: bool
) -> ObjectCollider:
    """Return the collider of an object that is solid.

    Rigid Bodies collide in Blender where they share a collision collection. With `use_collections`
    each gets a filter that says so: one without would meet those that have one.
    """
    collider, rigid = collider_of(body_data_of(obj)), rigid_body_of(obj)
    return ObjectCollider(
        _shape_in(obj, collider, rigid, reader),
        _material_in(collider, rigid),
        _filter_in(collider, rigid, scene, use_collections=use_collections),
        "" if collider is None else collider.carried,
        collider is not None and collider.is_hidden,
    )


def _filter_in(
    collider: OMI_PG_collider | None,
    rigid: bpy.types.RigidBodyObject | None,
    scene: bpy.types.Scene,
    *,
    use_collections: bool,
) -> CollisionFilter | None:
    if collider is not None and collider.is_property_set("collision_filter"):
        own = collider.collision_filter.to_core()
        if own is not None:
            return own
    if not use_collections or rigid is None or source_of(collider) != AUTO:
        return None
    flags = enumerate(rigid.collision_collections)
    systems = tuple(system_name(scene, index) for index, is_member in flags if is_member)
    return CollisionFilter(collision_systems=systems, collide_with_systems=systems)


def _rigid_shape(
    obj: bpy.types.Object, rigid: bpy.types.RigidBodyObject | None, reader: MeshReader
) -> ObjectShape | None:
    kind = "COMPOUND" if rigid is None else rigid.collision_shape
    if kind == "COMPOUND":
        return None
    if kind in _RIGID_MESHES:
        return ObjectShape(shapes.fit.Fit(shape=_RIGID_MESHES[kind]()))
    bounds = reader.bounds(obj)
    return None if bounds is None else _rigid_fit(kind.lower(), bounds)


@lru_cache(maxsize=4096)
def _rigid_fit(type_: str, bounds: "shapes.fit.Bounds") -> ObjectShape:
    fit = shapes.fit.bounds_fit(type_, bounds)
    x, y, z = shortest_decimals(fit.center)
    return ObjectShape(shapes.fit.Fit(shape=rounded_shape(fit.shape), center=(x, y, z)))
