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
from .body_reading import AUTO, ObjectBody, read_body, surface_owner
from .bones import BodyBone, Node
from .exact import shortest_decimal, shortest_decimals
from .mesh_points import MeshReader
from .rigid_body import rigid_body_of
from .shape import NONE, rounded_shape
from .surface import system_name

_RIGID_MESHES = {"CONVEX_HULL": Convex, "MESH": Trimesh}
DEFORMING = frozenset(
    (
        "CAST",
        "CLOTH",
        "CORRECTIVE_SMOOTH",
        "CURVE",
        "DISPLACE",
        "HOOK",
        "LAPLACIANDEFORM",
        "LAPLACIANSMOOTH",
        "LATTICE",
        "MESH_CACHE",
        "MESH_DEFORM",
        "SHRINKWRAP",
        "SIMPLE_DEFORM",
        "SMOOTH",
        "SOFT_BODY",
        "SURFACE_DEFORM",
        "VOLUME_DISPLACE",
        "WARP",
        "WAVE",
    )
)
"""Types of modifiers that move vertices and add none; armatures are left to the exporter."""


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """A shape of an object."""

    fit: "shapes.fit.Fit"
    mesh: bpy.types.Mesh | None = None
    """Mesh of a convex or trimesh shape; None is the object's own."""
    is_simulated: bool = False
    """Whether the object's own mesh counts with all modifiers, whoever reads it."""


def has_collider(obj: Node) -> bool:
    """Return whether the object is solid, itself or as the parent of shapes."""
    body = read_body(obj)
    return body is not None and body.is_solid


def collider_shape_of(obj: Node, reader: MeshReader) -> ObjectShape | None:
    """Return the shape of an object's collider; None where it has none itself."""
    body = read_body(obj)
    return None if body is None else collider_shape_in(body, reader)


def collider_shape_in(body: ObjectBody, reader: MeshReader) -> ObjectShape | None:
    """Return the shape of a body's collider; None where it has none itself."""
    collider = body.values.collider
    if collider.source == AUTO:
        return _rigid_shape(body.obj, body.rigid, reader)
    if collider.source == NONE or collider.fit is None:
        return None
    return ObjectShape(collider.fit, body.collider_mesh)


def trigger_shape_in(body: ObjectBody) -> ObjectShape | None:
    """Return the shape of a body's trigger; None where it has none itself."""
    trigger = body.values.trigger
    if not trigger.enabled or trigger.fit is None:
        return None
    return ObjectShape(trigger.fit, body.trigger_mesh)


def material_of(obj: Node) -> PhysicsMaterial | None:
    """Return the surface of an object's collider; None takes the engine's.

    A Rigid Body's friction and bounciness meet another's as a product, as in Blender's playback.
    """
    body = read_body(obj)
    return None if body is None else material_in(body)


def material_in(body: ObjectBody) -> PhysicsMaterial | None:
    """Return the surface of a body that was read, as `material_of` does."""
    collider, rigid = body.values.collider, body.rigid
    if collider.material is not None or rigid is None or collider.source != AUTO:
        return collider.material
    rigid = surface_owner(body.obj, rigid)
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


def uses_collision_collections(objects: Iterable[Node]) -> bool:
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
    body: ObjectBody, reader: MeshReader, scene: bpy.types.Scene, *, use_collections: bool
) -> ObjectCollider:
    """Return the collider of a body that is solid.

    Rigid Bodies collide in Blender where they share a collision collection. With `use_collections`
    each gets a filter that says so: one without would meet those that have one.
    """
    collider = body.values.collider
    return ObjectCollider(
        collider_shape_in(body, reader),
        material_in(body),
        _filter_in(body, scene, use_collections=use_collections),
        collider.carried,
        collider.is_hidden,
    )


def _filter_in(
    body: ObjectBody, scene: bpy.types.Scene, *, use_collections: bool
) -> CollisionFilter | None:
    collider, rigid = body.values.collider, body.rigid
    if collider.collision_filter is not None:
        return collider.collision_filter
    if not use_collections or rigid is None or collider.source != AUTO:
        return None
    flags = enumerate(surface_owner(body.obj, rigid).collision_collections)
    systems = tuple(system_name(scene, index) for index, is_member in flags if is_member)
    return CollisionFilter(collision_systems=systems, collide_with_systems=systems)


def _rigid_shape(
    obj: Node, rigid: bpy.types.RigidBodyObject | None, reader: MeshReader
) -> ObjectShape | None:
    kind = "COMPOUND" if rigid is None else rigid.collision_shape
    if kind == "COMPOUND":
        return None
    if kind in _RIGID_MESHES:
        fit = shapes.fit.Fit(shape=_RIGID_MESHES[kind]())
        return _with_source(fit, obj, "BASE" if rigid is None else rigid.mesh_source)
    # Primitives enclose the mesh with all modifiers whatever the source is: measured in Bullet.
    bounds = reader.simulated.bounds(obj)
    return None if bounds is None else _rigid_fit(kind.lower(), bounds)


def _with_source(fit: "shapes.fit.Fit", obj: Node, source: str) -> ObjectShape:
    """Return a shape of the object's mesh with the modifiers that its Rigid Body takes.

    *Deform* takes those that deform and come first.
    """
    data = obj.data
    if isinstance(obj, BodyBone) or not isinstance(data, bpy.types.Mesh):
        return ObjectShape(fit)
    modifiers = _modifiers(obj)
    if not modifiers:
        return ObjectShape(fit)
    if source == "BASE" or (source == "DEFORM" and modifiers[0] not in DEFORMING):
        return ObjectShape(fit, data)
    return ObjectShape(fit, is_simulated=True)


def _modifiers(obj: bpy.types.Object) -> list[str]:
    """Return the types of the modifiers that act, but armatures."""
    return [each.type for each in obj.modifiers if each.show_viewport and each.type != "ARMATURE"]


def stops_between_modifiers(obj: bpy.types.Object, rigid: bpy.types.RigidBodyObject) -> bool:
    """Return whether a Rigid Body takes a mesh as only Blender has it: after some modifiers."""
    kinds = [each in DEFORMING for each in _modifiers(obj)]
    is_mesh = rigid.collision_shape in _RIGID_MESHES and rigid.mesh_source == "DEFORM"
    return is_mesh and bool(kinds) and kinds[0] and not all(kinds)


@lru_cache(maxsize=4096)
def _rigid_fit(type_: str, bounds: "shapes.fit.Bounds") -> ObjectShape:
    fit = shapes.fit.bounds_fit(type_, bounds)
    x, y, z = shortest_decimals(fit.center)
    return ObjectShape(shapes.fit.Fit(shape=rounded_shape(fit.shape), center=(x, y, z)))
