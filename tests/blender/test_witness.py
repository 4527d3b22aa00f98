"""Which object Blender is told of where a preview moved others."""

import bpy
import numpy as np

from omi_joints_addon.scene.nodes import Nodes
from omi_joints_addon.scene.witness import Witness
from tests.blender.scenes import add_cube, add_door


def reported(*moved: bpy.types.Object) -> list[str]:
    """Return what Blender reports where some objects are shown elsewhere."""
    nodes = Nodes()
    nodes.take(nodes.list(bpy.context.scene))
    is_moved = np.array([obj in moved for obj in nodes.objects])
    bpy.context.view_layer.update()
    found: list[str] = []

    def note(_scene, depsgraph):
        found.extend(sorted(update.id.name for update in depsgraph.updates))

    bpy.app.handlers.depsgraph_update_post.append(note)
    numbers = {obj.session_uid: node for node, obj in enumerate(nodes.objects)}
    Witness(nodes.objects, numbers).report(bpy.context.evaluated_depsgraph_get(), is_moved)
    bpy.context.view_layer.update()
    bpy.app.handlers.depsgraph_update_post.remove(note)
    return found


def test_an_empty_at_rest_is_reported_alone():
    _, door, joint = add_door()
    assert reported(door, *door.children) == [joint.omi_joint.connected_object.name]


def test_what_depends_on_something_that_moved_is_not():
    _, door, joint = add_door()
    for obj in (joint, joint.omi_joint.connected_object):
        obj.constraints.new("COPY_LOCATION").target = door
    cube = add_cube("Cube", (4, 0, 0))
    child = add_cube("Child", (5, 0, 0))
    child.parent = door
    walls = [obj for obj in bpy.context.scene.objects if obj not in (door, child, cube)]
    for wall in walls:
        wall.hide_viewport = True
    assert reported(door, child) == ["Cube"]


def test_the_scene_is_where_nothing_else_can_be():
    cube = add_cube("Cube", (0, 0, 0))
    cube.keyframe_insert("location", frame=1)
    assert "Scene" in reported(cube)
