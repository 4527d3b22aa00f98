"""Blender's Rigid Body of objects, made from core values."""

import bpy

from ..core.model.body import CollisionFilter, Motion, MotionType, PhysicsMaterial
from ..core.model.shape import Cylinder, MeshShape, Shape, ShapeType, shape_type
from .bones import BodyBone, Node
from .surface import COLLISION_COLLECTIONS, physics_scene, set_system_name, system_name

PREVIEW_TAG = "omi_rigid_body_preview"
"""Custom property of all that the rigid body preview makes or changes."""
PREVIEW_MADE, PREVIEW_CHANGED = "made", "changed"
_SHAPES: dict[str, str] = {
    ShapeType.BOX: "BOX",
    ShapeType.SPHERE: "SPHERE",
    ShapeType.CAPSULE: "CAPSULE",
    ShapeType.CYLINDER: "CYLINDER",
    ShapeType.CONVEX: "CONVEX_HULL",
    ShapeType.TRIMESH: "MESH",
}


def rigid_body_of(obj: Node) -> bpy.types.RigidBodyObject | None:
    """Return Blender's Rigid Body of an object, but for one that only a preview has given it."""
    if isinstance(obj, BodyBone) or obj.rigid_body is None:
        return None
    return None if obj.get(PREVIEW_TAG) is not None else obj.rigid_body


def rigid_body_from_core(
    obj: bpy.types.Object,
    bodies: bpy.types.Collection,
    motion: Motion,
    shape: Shape | None,
) -> bpy.types.RigidBodyObject | None:
    """Make a mesh object a Rigid Body; without shape it is the compound of those below.

    `bodies` are those of the scene (`authoring.rigid_body_world`). None where none can be made.
    """
    if obj.rigid_body is None:
        bodies.objects.link(obj)
    rigid = obj.rigid_body
    if rigid is None:
        return None
    rigid.type = "ACTIVE" if motion.type == MotionType.DYNAMIC else "PASSIVE"
    rigid.kinematic = motion.type == MotionType.KINEMATIC
    rigid.enabled = True
    rigid.mass = motion.mass
    shape_from_core(rigid, shape)
    return rigid


def shape_from_core(rigid: bpy.types.RigidBodyObject, shape: Shape | None) -> None:
    """Set the collision shape; Blender takes its size from the mesh."""
    rigid.collision_shape = _collision_shape(shape)  # type: ignore[assignment]
    if isinstance(shape, MeshShape):
        # Blender's margin would make the shape larger than it is.
        rigid.use_margin = True
        rigid.collision_margin = 0.0


def surface_from_core(rigid: bpy.types.RigidBodyObject, material: PhysicsMaterial | None) -> None:
    """Set friction and bounciness for Blender's playback."""
    if material is not None:
        rigid.friction = material.dynamic_friction
        rigid.restitution = material.restitution


def collections_from_core(
    rigid: bpy.types.RigidBodyObject,
    scene: bpy.types.Scene,
    collision_filter: CollisionFilter | None,
) -> None:
    """Set the collision collections of a Rigid Body where they say what the filter does.

    They do where the body meets the systems that it is a member of; names get free collections.
    """
    if collision_filter is None or not collision_filter.collision_systems:
        return
    systems = collision_filter.collision_systems
    if collision_filter.collide_with_systems != systems:
        return
    indices = [_collection_named(scene, name) for name in systems]
    if None not in indices:
        rigid.collision_collections = [n in indices for n in range(COLLISION_COLLECTIONS)]


def _collection_named(scene: bpy.types.Scene, name: str) -> int | None:
    """Return the collision collection of a name, named so if need be; None where all are taken."""
    names = [system_name(scene, index) for index in range(COLLISION_COLLECTIONS)]
    if name in names:
        return names.index(name)
    for index in range(COLLISION_COLLECTIONS):
        if not getattr(physics_scene(scene), f"system_{index + 1}"):
            set_system_name(scene, index, name)
            return index
    return None


def _collision_shape(shape: Shape | None) -> str:
    if shape is None:
        return "COMPOUND"
    if isinstance(shape, Cylinder) and shape.radius_top == 0.0:
        return "CONE"
    return _SHAPES.get(shape_type(shape), "BOX")
