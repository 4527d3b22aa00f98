"""Small scenes that tests of this layer author, and what they compare."""

from typing import Any

import bpy

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.scene.reading import scene_to_core


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


def add_rope(count: int, **options: Any) -> list[Any]:
    """Return the joints of a chain of `count` cubes below a beam."""
    beam = add_cube("Beam", (0.0, 0.0, 0.0))
    links = [add_cube(f"Link {n}", (0.0, 0.0, -2.5 * n)) for n in range(1, count + 1)]
    add_joint(beam, *reversed(links), preset="PIN", pattern="CHAIN", **options)
    return [joint for joint in bpy.context.scene.objects if joint.omi_joint.enabled]


def rows(matrix: Any) -> list[list[float]]:
    """Return the rows of a matrix."""
    return [list(row) for row in matrix]


def codes(joint: Any) -> list[str]:
    """Return the codes of the findings about a joint, those of wrong limits left out."""
    bpy.context.view_layer.update()
    scene, found = scene_to_core(bpy.context.scene)
    every = [*found, *check_scene(scene)]
    return [f.code for f in every if f.place == joint.name and f.code.startswith("OMI-J0")]


def snapshot() -> dict[str, Any]:
    """Return all that operators of joints may change, by object name."""
    bpy.context.view_layer.update()
    return {obj.name: _state(obj) for obj in bpy.context.scene.objects}


def _state(obj: Any) -> tuple[Any, ...]:
    joint = obj.omi_joint
    names = [
        other.name if other else None
        for other in (obj.parent, joint.connected_object, joint.settings_source)
    ]
    place = [[round(number, 4) + 0.0 for number in row] for row in obj.matrix_world]
    flags = joint.enabled, joint.enable_collision, obj.select_get(), obj == bpy.context.object
    settings = joint.settings_to_core(), joint.active_limit, joint.active_drive
    return names, place, flags, settings, obj.omi_body.motion_type
