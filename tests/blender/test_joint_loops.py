"""Close Loops brings a mechanism together in Blender, in one step that can be undone."""

import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import add_cube, add_joint, select


def hinge(moving, still, place):
    """Hinge a body about Z at a point."""
    bpy.context.scene.cursor.location = place
    return add_joint(still, moving, preset="HINGE", axis="Z", pivot="CURSOR", use_range=False)


def gap(joint):
    """How far the frames of a joint are apart [m], with Z axes compared."""
    bpy.context.view_layer.update()
    one, other = (
        np.array(joint.matrix_world),
        np.array(joint.omi_joint.connected_object.matrix_world),
    )
    return max(np.abs(one[:3, 3] - other[:3, 3]).max(), np.abs(one[:3, 2] - other[:3, 2]).max())


@pytest.fixture
def open_four_bar(addon):
    ground = add_cube("Ground", (2.0, -3.0, 0.0))
    bars = [
        add_cube(name, (x, 0.0, 0.0), scale=(0.4, 0.1, 0.1))
        for name, x in (("A", 0.5), ("B", 1.5), ("C", 2.5))
    ]
    joints = [
        hinge(bars[0], ground, (0.0, 0.0, 0.0)),
        hinge(bars[1], bars[0], (1.0, 0.0, 0.0)),
        hinge(bars[2], bars[1], (2.0, 0.0, 0.0)),
        hinge(bars[2], ground, (3.0, 0.0, 0.0)),
    ]
    ground.omi_body.motion_type = "STATIC"
    # Bend the first bar aside, so that the loop is open.
    bars[0].rotation_euler.z = 0.4
    bars[0].location = (0.5 * math.cos(0.4), 0.5 * math.sin(0.4), 0.0)
    bpy.context.view_layer.update()
    return joints


def test_loops_close_in_one_step(open_four_bar):
    before = max(map(gap, open_four_bar))
    assert before > 0.3
    bpy.ops.ed.undo_push()
    names = [joint.name for joint in open_four_bar]
    assert bpy.ops.omi.joint_loops_close() == {"FINISHED"}
    assert max(map(gap, open_four_bar)) < 1e-5
    assert bpy.ops.omi.joint_loops_close() == {"CANCELLED"}
    assert [name for name in names if name in bpy.data.objects] == names
    bpy.ops.ed.undo_push()
    bpy.ops.ed.undo()
    assert max(gap(bpy.data.objects[name]) for name in names) == pytest.approx(before, abs=1e-4)


def test_scene_without_loops_says_so(addon):
    wall, door = add_cube("Wall", (0.0, 0.0, 0.0)), add_cube("Door", (3.0, 0.0, 0.0))
    add_joint(wall, door, preset="HINGE")
    assert bpy.ops.omi.joint_loops_close() == {"CANCELLED"}


def test_bodies_below_bodies_come_to_the_same_places(open_four_bar):
    def places():
        bpy.context.view_layer.update()
        return {obj.name: np.array(obj.matrix_world) for obj in bpy.context.scene.objects}

    bpy.ops.ed.undo_push()
    assert bpy.ops.omi.joint_loops_close() == {"FINISHED"}
    apart = places()
    bpy.ops.ed.undo_push()
    bpy.ops.ed.undo()
    select(*(bpy.data.objects[name] for name in ("A", "B", "C")))
    assert bpy.ops.omi.body_nest() == {"FINISHED"}
    bpy.data.objects["B"].delta_location = (0.1, 0.2, 0.0)
    bpy.data.objects["B"].location -= bpy.data.objects["B"].delta_location
    assert bpy.data.objects["B"].parent == bpy.data.objects["A"]
    assert bpy.ops.omi.joint_loops_close() == {"FINISHED"}
    for name, place in places().items():
        np.testing.assert_allclose(place, apart[name], atol=1e-5, err_msg=name)
