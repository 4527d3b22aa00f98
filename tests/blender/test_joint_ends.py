"""The two ends: swapping, aligning, snapping, selecting, removing."""

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.core.model.pose import pose_from_matrix, relative_pose
from omi_joints_addon.properties.joint import shared_settings
from tests.blender.scenes import add_cube, add_door, add_joint, add_rope, rows, select
from tests.limit_excess import limit_excess


def excesses(joint: Any) -> list[float]:
    """Return how far each limit of the joint is violated as the scene stands."""
    bpy.context.view_layer.update()
    ends = [
        pose_from_matrix(rows(end.matrix_world))
        for end in (joint, joint.omi_joint.connected_object)
    ]
    pose = relative_pose(*ends)
    return [float(limit_excess(limit, pose)) for limit in shared_settings(joint).limits]


def test_swap_means_the_same_from_the_other_end() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    joint = add_joint(wall, door, preset="HINGE", min_angle=-0.2, max_angle=0.9)
    connected = joint.omi_joint.connected_object
    door.rotation_euler.z = 1.0
    before = excesses(joint)
    assert before[2] > 0.05

    bpy.ops.omi.joint_ends_swap()

    assert bpy.context.object == connected
    assert not joint.omi_joint.enabled
    assert connected.omi_joint.connected_object == joint
    assert (connected.parent, joint.parent) == (wall, door)
    moving = connected.omi_joint.settings_to_core().limits[2]
    assert (moving.min, moving.max) == pytest.approx((-0.9, 0.2))
    assert excesses(connected) == pytest.approx(before, abs=1e-5)


def test_swap_exchanges_names_and_looks() -> None:
    joint = add_door()[2]
    connected = joint.omi_joint.connected_object
    bpy.ops.omi.joint_ends_swap()
    assert (connected.name, joint.name) == ("Door to Wall Joint", "Door to Wall Connected")
    assert connected.omi_joint.display_size > joint.omi_joint.display_size == 0.0


def test_swap_twice_is_where_it_began() -> None:
    joint = add_door()[2]
    joint.omi_joint.enable_collision = True
    before = joint.omi_joint.settings_to_core()
    bpy.ops.omi.joint_ends_swap()
    bpy.ops.omi.joint_ends_swap()
    assert bpy.context.object == joint
    assert joint.omi_joint.settings_to_core() == before
    assert joint.omi_joint.enable_collision


def test_swap_refuses_what_has_no_mirror_image() -> None:
    """A plate that also tilts: the distance along Z is measured in the joint's axes only."""
    joint = add_door()[2]
    joint.omi_joint.limits.clear()
    joint.omi_joint.limits.add().from_core(JointLimit(linear_axes=(2,), min=0.0, max=1.0))
    with pytest.raises(RuntimeError, match="limit 1 needs local Z"):
        bpy.ops.omi.joint_ends_swap()
    assert joint.omi_joint.enabled


def test_swap_of_shared_settings_that_change_leaves_the_others_theirs() -> None:
    joints = add_rope(3, share_settings=True)
    owner = next(joint for joint in joints if joint.omi_joint.settings_source is None)
    followers = [joint for joint in joints if joint != owner]
    owner.omi_joint.limits.add().from_core(JointLimit(angular_axes=(2,), min=-0.25, max=0.5))
    select(owner)
    bpy.ops.omi.joint_ends_swap()
    assert shared_settings(bpy.context.object).limits[-1].max == 0.25
    assert [shared_settings(joint).limits[-1].max for joint in followers] == [0.5, 0.5]


def test_swap_of_shared_settings_that_stay_keeps_sharing() -> None:
    joints = add_rope(3, share_settings=True)
    owner = next(joint for joint in joints if joint.omi_joint.settings_source is None)
    followers = [joint for joint in joints if joint != owner]
    select(owner)
    bpy.ops.omi.joint_ends_swap()
    new_owner = bpy.context.object
    assert [joint.omi_joint.settings_source for joint in followers] == [new_owner, new_owner]
    select(followers[0])
    bpy.ops.omi.joint_ends_swap()
    assert bpy.context.object.omi_joint.settings_source == new_owner


def test_swap_refuses_a_body_as_the_joint() -> None:
    wall, _door, joint = add_door()
    joint.omi_joint.connected_object = wall
    assert not bpy.ops.omi.joint_ends_swap.poll()


@pytest.mark.parametrize(("end", "moved"), [("CONNECTED", 1), ("JOINT", 0)])
def test_align_moves_one_end_only(end: str, moved: int) -> None:
    _wall, door, joint = add_door()
    door.scale = (1.0, 0.3, 2.0)
    bpy.context.view_layer.update()
    ends = [joint, joint.omi_joint.connected_object]
    ends[moved].location.x += 0.7
    ends[moved].rotation_euler = (0.3, 0.6, 0.9)
    bpy.context.view_layer.update()
    target = rows(ends[1 - moved].matrix_world.normalized())
    bpy.ops.omi.joint_frame_align(end=end)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(rows(ends[moved].matrix_world), target, atol=1e-5)


@pytest.mark.parametrize("end", ["BOTH", "JOINT", "CONNECTED"])
def test_snap_moves_frames_to_the_cursor(end: str) -> None:
    joint = add_door()[2]
    connected = joint.omi_joint.connected_object
    before = rows(joint.matrix_world)
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    bpy.ops.omi.joint_frame_snap(end=end)
    bpy.context.view_layer.update()
    for frame, moved in ((joint, end != "CONNECTED"), (connected, end != "JOINT")):
        matrix = np.array(frame.matrix_world)
        wanted = (1.0, 2.0, 3.0) if moved else np.array(before)[:3, 3]
        np.testing.assert_allclose(matrix[:3, 3], wanted, atol=1e-6)
        np.testing.assert_allclose(matrix[:3, :3], np.array(before)[:3, :3], atol=1e-6)


def test_snap_can_take_the_direction_of_the_cursor() -> None:
    joint = add_door()[2]
    bpy.context.scene.cursor.rotation_euler = (math.pi / 2.0, 0.0, 0.0)
    bpy.ops.omi.joint_frame_snap(use_rotation=True)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(joint.matrix_world.col[2][:3], (0.0, -1.0, 0.0), atol=1e-6)


def test_snap_keeps_a_bone_as_parent() -> None:
    bpy.ops.object.armature_add(location=(1, 0, 0))
    armature = bpy.context.object
    joint = add_door()[2]
    joint.parent, joint.parent_type, joint.parent_bone = armature, "BONE", "Bone"
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    bpy.ops.omi.joint_frame_snap()
    bpy.context.view_layer.update()
    assert (joint.parent_type, joint.parent_bone) == ("BONE", "Bone")
    np.testing.assert_allclose(joint.matrix_world.translation, (1.0, 2.0, 3.0), atol=1e-5)


def test_bodies_of_the_selected_joints_are_selected() -> None:
    wall, door, _joint = add_door()
    bpy.ops.omi.joint_bodies_select()
    assert set(bpy.context.selected_objects) == {wall, door}
    assert bpy.context.object == door


def test_select_by_name() -> None:
    wall, _door, joint = add_door()
    select(wall)
    bpy.ops.omi.joint_select(name=joint.name, extend=True)
    assert set(bpy.context.selected_objects) == {wall, joint}
    bpy.ops.omi.joint_select(name=joint.name)
    assert bpy.context.selected_objects == [joint]
    with pytest.raises(RuntimeError, match="'Wall' does not exist"):
        bpy.ops.omi.joint_select(name="Wall")


def test_select_says_when_a_joint_is_hidden() -> None:
    wall, _door, joint = add_door()
    joint.hide_set(True)
    select(wall)
    assert bpy.ops.omi.joint_select(name=joint.name) == {"CANCELLED"}
    assert bpy.context.object == wall


def test_remove_takes_both_frames_and_leaves_the_bodies() -> None:
    add_door()
    bpy.ops.omi.joint_remove()
    assert {obj.name for obj in bpy.data.objects} == {"Wall", "Door"}


def test_remove_takes_the_world_s_static_empty() -> None:
    add_joint(add_cube("Fan", (0, 0, 0)), preset="HINGE_MOTOR")
    bpy.ops.omi.joint_remove()
    assert {obj.name for obj in bpy.data.objects} == {"Fan"}


def test_remove_leaves_a_connected_frame_that_another_joint_uses() -> None:
    wall, _door, joint = add_door()
    connected = joint.omi_joint.connected_object
    other = add_joint(wall, add_cube("Flap", (0, 3, 0)))
    other.omi_joint.connected_object = connected
    select(joint)
    bpy.ops.omi.joint_remove()
    assert connected.name in bpy.data.objects
    assert other.omi_joint.connected_object == connected


def test_remove_leaves_empties_that_carry_something() -> None:
    wall, door, joint = add_door()
    lamp = add_cube("Lamp", (0, 0, 5))
    lamp.parent = joint
    joint.omi_joint.connected_object = wall
    select(joint)
    bpy.ops.omi.joint_remove()
    assert joint.name in bpy.data.objects
    assert not joint.omi_joint.enabled
    assert wall.name in bpy.data.objects
    assert door.name in bpy.data.objects


def test_remove_of_an_owner_leaves_the_settings_with_the_others() -> None:
    joints = add_rope(3, share_settings=True)
    owner = next(joint for joint in joints if joint.omi_joint.settings_source is None)
    followers = [joint for joint in joints if joint != owner]
    owner.omi_joint.settings_name = "Rope"
    select(owner)
    bpy.ops.omi.joint_remove()
    assert [shared_settings(joint).name for joint in followers] == ["Rope", "Rope"]
    assert [joint.omi_joint.settings_source for joint in followers] == [None, followers[0]]


def test_undo_brings_removed_joints_back_with_their_names_and_ends() -> None:
    joints = add_rope(4)
    before = {joint.name: joint.omi_joint.connected_object.name for joint in joints}
    objects = {obj.name for obj in bpy.data.objects}
    select(*joints)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.omi.joint_remove() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="removed")
    assert not before.keys() & set(bpy.data.objects.keys())
    bpy.ops.ed.undo()
    assert {obj.name for obj in bpy.data.objects} == objects
    found = {n: bpy.data.objects[n].omi_joint.connected_object.name for n in before}
    assert found == before


def test_names_of_removed_joints_are_free_at_once() -> None:
    _wall, _door, joint = add_door()
    name = joint.name
    bpy.ops.omi.joint_remove()
    assert bpy.data.objects.new(name, None).name == name


def test_bodies_are_deleted_with_their_joints_and_come_back_by_undo() -> None:
    joints = add_rope(4)
    bodies = [obj for obj in bpy.data.objects if obj.omi_body.motion_type == "DYNAMIC"]
    handle = add_cube("Handle", (1, 2, 3))
    handle.parent = bodies[0]
    bpy.context.view_layer.update()
    place = rows(handle.matrix_world)
    objects = {obj.name for obj in bpy.data.objects}
    gone = {obj.name for obj in (*bodies, *joints)}
    select(*bodies)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.omi.body_remove() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert not gone & set(bpy.data.objects.keys())
    assert handle.parent is None
    assert np.allclose(rows(handle.matrix_world), place)
    bpy.ops.ed.undo_push(message="removed")
    bpy.ops.ed.undo()
    assert {obj.name for obj in bpy.data.objects} == objects
    assert bpy.data.objects["Handle"].parent.name in gone


def test_the_world_is_deleted_together_with_what_hangs_on_it() -> None:
    """Its anchor goes with the last joint, so it must not be deleted a second time."""
    door = add_cube("Door", (1, 0, 0))
    for _ in range(4):
        assert bpy.ops.omi.body_anchor_add() == {"FINISHED"}
        anchor = bpy.context.object
        add_joint(anchor, door)
    anchors = [obj for obj in bpy.data.objects if obj.name.startswith("World Anchor")]
    select(door, *anchors)
    assert bpy.ops.omi.body_remove() == {"FINISHED"}
    assert list(bpy.data.objects) == []
