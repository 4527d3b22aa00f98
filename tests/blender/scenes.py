"""Small scenes that tests of this layer author."""

from typing import Any

import bpy


def add_cube(name: str, location: tuple[float, float, float], **transform: Any) -> Any:
    """Return a new cube of edge 2 m."""
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=location, **transform)
    bpy.context.object.name = name
    return bpy.context.object


def select(active: Any, *others: Any) -> None:
    """Select objects only, the first one active."""
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in (active, *others):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = active


def add_joint(active: Any, *others: Any, **options: Any) -> Any:
    """Return the joint that the operator makes active."""
    select(active, *others)
    assert bpy.ops.omi.joint_add(**options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def add_door() -> tuple[Any, Any, Any]:
    """Return a wall, a door beside it, and a hinge between the two."""
    wall = add_cube("Wall", (0.0, 0.0, 0.0))
    door = add_cube("Door", (3.0, 0.0, 0.0))
    return wall, door, add_joint(wall, door, preset="HINGE")
