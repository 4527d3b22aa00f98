"""Blender's rigid body world of a scene, which only operators can make and take away."""

from typing import Any

import bpy


def has_world(scene: bpy.types.Scene) -> bool:
    """Return whether the scene has a rigid body world."""
    return scene.rigidbody_world is not None


def world_of(scene: bpy.types.Scene) -> bpy.types.RigidBodyWorld:
    """Return the rigid body world of a scene, made where there is none."""
    if scene.rigidbody_world is None:
        with _context(scene=scene):
            bpy.ops.rigidbody.world_add()  # noqa: TID251 - no other way
    assert scene.rigidbody_world is not None
    return scene.rigidbody_world


def remove_world(scene: bpy.types.Scene) -> None:
    """Take the rigid body world off a scene that has one."""
    with _context(scene=scene):
        bpy.ops.rigidbody.world_remove()  # noqa: TID251 - no other way


def rigid_bodies_of(scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the collection whose objects are Rigid Bodies of a scene, made where there is none."""
    return _collection(world_of(scene), "collection", "RigidBodyWorld")


def constraints_of(scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the collection whose objects are constraints of a scene, made where there is none."""
    return _collection(world_of(scene), "constraints", "RigidBodyConstraints")


def remove_rigid_bodies(scene: bpy.types.Scene, objects: list[bpy.types.Object]) -> None:
    """Take Blender's Rigid Bodies off objects that have one, hidden or not."""
    # All at once: each call of an operator brings the whole scene up to date.
    if not objects:
        return
    first = objects[0]
    # Blender wants the active object to be visible.
    is_hidden, first.hide_viewport = first.hide_viewport, False
    try:
        with _context(scene=scene, object=first, selected_objects=objects):
            bpy.ops.rigidbody.objects_remove()  # noqa: TID251 - no other way
    finally:
        first.hide_viewport = is_hidden


def _collection(world: bpy.types.RigidBodyWorld, part: str, name: str) -> bpy.types.Collection:
    if getattr(world, part) is None:
        setattr(world, part, bpy.data.collections.new(name))
    found: bpy.types.Collection = getattr(world, part)
    return found


def _context(**members: Any) -> Any:
    """Return the place in which an operator of Blender runs."""
    return bpy.context.temp_override(**members)  # noqa: TID251 - operators need a context
