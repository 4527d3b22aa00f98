"""The joint of the active bone in Pose Mode: panels, operators, selection, drawing and handles."""

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_joints_addon.authoring.conditions import active_joint, selected_joints
from omi_joints_addon.authoring.symmetry import twin_of
from omi_joints_addon.classes import classes_of
from omi_joints_addon.core.meaning.presets import ball_with_cone, hinge
from omi_joints_addon.core.rewrite.mirror import (
    mirrored_frame,
    mirrored_settings,
    reflection_across,
)
from omi_joints_addon.overlay.colors import Emphasis
from omi_joints_addon.overlay.handle_places import edited_joint, shown_handles
from omi_joints_addon.overlay.scene_joints import SceneJoints
from omi_joints_addon.panels import bone as bone_panels
from omi_joints_addon.panels.bone import OMI_PT_bone_joint, OMI_PT_pose_joint
from omi_joints_addon.preview.action_poses import used_limits
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.properties.joint import joint_data
from omi_joints_addon.scene.animation import curves_of
from omi_joints_addon.scene.structure import joint_bodies
from omi_joints_addon.scene.watch import shown_scene
from tests.blender.recording_layout import drawn
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("empty_scene")


def choose(rig: Any, *names: str) -> None:
    """Select bones of a rig, the first one active."""
    for bone in rig.pose.bones:
        BodyBone(rig, bone.name).select_set(select=bone.name in names)
    rig.data.bones.active = rig.data.bones[names[0]]
    bpy.context.view_layer.update()


@pytest.fixture
def rig() -> Any:
    """Return an arm of three bones with a ragdoll, in Pose Mode."""
    rig = add_rig("Arm", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.view_layer.update()
    return rig


def moved(joint: Any) -> str:
    return joint_bodies(joint)[0].name


def children(rig: Any) -> list[str]:
    return [name for name in (bone.name for bone in rig.pose.bones) if joint_on(rig, name)]


def joint_on(rig: Any, name: str) -> Any:
    found = (each for each in bpy.context.scene.objects if each.omi_joint.enabled)
    return next((each for each in found if each.parent_bone == name and each.parent == rig), None)


def test_the_active_bone_has_the_joint_that_moves_it(rig: Any) -> None:
    names = children(rig)
    assert len(names) >= 2
    for name in names:
        choose(rig, name)
        joint = active_joint(bpy.context)
        assert (joint, moved(joint)) == (joint_on(rig, name), name)
    root = next(bone.name for bone in rig.pose.bones if bone.name not in names)
    choose(rig, root)
    assert active_joint(bpy.context) is None
    assert not OMI_PT_pose_joint.poll(bpy.context)
    choose(rig, names[0])
    assert OMI_PT_pose_joint.poll(bpy.context)
    assert OMI_PT_bone_joint.poll(bpy.context)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not OMI_PT_pose_joint.poll(bpy.context)


@pytest.mark.parametrize("panel", list(classes_of(bone_panels)), ids=lambda cls: cls.__name__)
def test_panels_draw_what_the_joint_has(rig: Any, panel: Any) -> None:
    choose(rig, children(rig)[0])
    assert panel.poll(bpy.context)
    assert drawn(panel)


def test_limits_presets_and_copies_work_on_bones(rig: Any) -> None:
    first, second = children(rig)[:2]
    choose(rig, first)
    assert bpy.ops.omi.joint_preset_apply(preset="HINGE") == {"FINISHED"}
    settings = joint_data(joint_on(rig, first)).settings_to_core()
    assert bpy.ops.omi.joint_limit_add() == {"FINISHED"}
    assert len(joint_on(rig, first).omi_joint.limits) == len(settings.limits) + 1
    assert bpy.ops.omi.joint_limit_remove() == {"FINISHED"}
    choose(rig, first, second)
    assert [moved(each) for each in selected_joints(bpy.context)] == [first, second]
    assert bpy.ops.omi.joint_settings_copy() == {"FINISHED"}
    assert joint_data(joint_on(rig, second)).settings_to_core() == settings
    bpy.ops.ed.undo_push(message="Before")
    assert not bpy.ops.omi.joint_strength_scale.poll(), "neither has a drive"
    assert bpy.ops.omi.joint_drive_add() == {"FINISHED"}
    assert bpy.ops.omi.joint_strength_scale.poll()
    assert bpy.ops.omi.joint_settings_copy_out() == {"FINISHED"}
    assert bpy.ops.omi.joint_settings_paste.poll()


def test_joints_and_bones_select_each_other(rig: Any) -> None:
    first, second = children(rig)[:2]
    choose(rig, first)
    assert bpy.ops.omi.joint_select(name=joint_on(rig, second).name) == {"FINISHED"}
    assert rig.data.bones.active.name == second
    assert [moved(each) for each in selected_joints(bpy.context)] == [second]
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.omi.joint_connected_select() == {"FINISHED"}
    assert joint_on(rig, second) in bpy.context.selected_objects
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    joint_on(rig, first).select_set(True)
    bpy.context.view_layer.objects.active = joint_on(rig, first)
    assert bpy.ops.omi.joint_bodies_select() == {"FINISHED"}
    assert bpy.context.object == rig
    assert rig.data.bones.active.name == first


def test_a_chain_is_selected_and_its_drives_get_one_strength(rig: Any) -> None:
    assert bpy.ops.omi.ragdoll_activate() == {"FINISHED"}
    names = children(rig)
    drives = {name: [d.stiffness for d in joint_on(rig, name).omi_joint.drives] for name in names}
    choose(rig, names[0])
    assert bpy.ops.omi.joint_connected_select(extend_chain=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert {moved(each) for each in selected_joints(bpy.context)} == set(names)
    assert bpy.ops.omi.joint_strength_scale(factor=2.5) == {"FINISHED"}
    for name, before in drives.items():
        assert before
        now = [drive.stiffness for drive in joint_on(rig, name).omi_joint.drives]
        assert now == pytest.approx([2.5 * each for each in before])


def test_it_is_drawn_as_active_and_has_handles(rig: Any) -> None:
    first, second = children(rig)[:2]
    choose(rig, second)
    joints = SceneJoints(shown_scene(bpy.context.scene))
    for name in (second, first):
        choose(rig, name)
        shown_scene(bpy.context.scene).shown.selections += 1
        joints.refresh(bpy.context.view_layer)
        active = np.flatnonzero(joints.arrays.emphasis == Emphasis.ACTIVE)
        assert [joints.object_of(number) for number in active.tolist()] == [joint_on(rig, name)]
    joint = joint_on(rig, first)
    assert edited_joint(bpy.context) == joint.omi_joint
    assert list(shown_handles(bpy.context, joint.omi_joint))


def test_posing_starts_with_the_mechanism_of_the_active_bone(rig: Any) -> None:
    choose(rig, children(rig)[0])
    preview = PosePreview(bpy.context)
    assert preview.objects[preview._chosen] == BodyBone(rig, children(rig)[0])


LEGS = {
    "hips": (None, (0.0, 0.0, 1.0), (0.0, 0.0, 1.3), 0.0),
    "leg.L": ("hips", (0.2, 0.0, 1.0), (0.3, 0.1, 0.1), 0.3),
    "leg.R": ("hips", (-0.2, 0.0, 1.0), (-0.3, 0.1, 0.1), -0.3),
}


@pytest.mark.parametrize("preset", ["HINGE", "BALL_WITH_CONE"])
def test_the_other_side_follows_with_x_mirror_and_keeps_its_keys(preset: str) -> None:
    rig = add_rig("Walker", LEGS)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="POSE")
    choose(rig, "leg.L")
    assert bpy.ops.omi.joint_preset_apply(preset=preset) == {"FINISHED"}
    joint, other = joint_on(rig, "leg.L"), joint_on(rig, "leg.R")
    place_mirrored(rig, joint, other)
    assert twin_of(bpy.context, joint) is None
    rig.pose.use_mirror_x = True
    rig.pose.bones["leg.L"].rotation_quaternion = (0.9, 0.3, -0.1, 0.2)
    bpy.context.view_layer.update()
    other.omi_joint.settings_from_core(joint.omi_joint.settings_to_core())
    twin = twin_of(bpy.context, joint)
    assert twin.data == other.omi_joint
    free = next(n for n, each in enumerate(joint.omi_joint.limits) if each.min < each.max)
    other.keyframe_insert(f"omi_joint.limits[{free}].max", frame=1)
    joint.omi_joint.limits[free].max = 0.731
    twin.follow(joint.omi_joint.settings_to_core())
    curves = list(curves_of(other.animation_data))
    assert [curve.data_path for curve in curves] == [f"omi_joint.limits[{free}].max"]
    expected = mirrored_settings(joint.omi_joint.settings_to_core(), 2)
    assert other.omi_joint.settings_to_core() == expected
    assert expected.limits[free].max == pytest.approx(0.731, abs=1e-6)


def place_mirrored(rig: Any, joint: Any, other: Any) -> None:
    """Put a joint's frame where it mirrors that of another one across the armature's X."""
    frame = mirrored_frame(np.array(joint.matrix_world), reflection_across(np.eye(4), 0), 2)
    other.matrix_world = Matrix(frame.tolist())
    bpy.context.view_layer.update()


def add_action(rig: Any, name: str, bone: str, angles: list[float]) -> Any:
    """Return an action that turns a bone about its Y through angles [rad], a frame each."""
    action = bpy.data.actions.new(name)
    data = rig.animation_data or rig.animation_data_create()
    data.action = action
    rig.pose.bones[bone].rotation_mode = "XYZ"
    for frame, angle in enumerate(angles, start=1):
        rig.pose.bones[bone].rotation_euler = (0.0, angle, 0.0)
        rig.pose.bones[bone].keyframe_insert("rotation_euler", frame=frame)
    return action


def test_limits_are_fitted_to_the_poses_of_all_actions_of_the_rig(rig: Any) -> None:
    name = children(rig)[0]
    choose(rig, name)
    joint, bone = joint_on(rig, name), rig.pose.bones[name]
    swing = add_action(rig, "Swing", name, [0.0, -0.41, 0.23])
    kick = add_action(rig, "Kick", name, [0.0, 0.87, 0.1])
    other = add_action(add_rig("Other", ARM), "Other", "upper", [0.0, 2.5])
    activate(rig)
    bpy.ops.object.mode_set(mode="POSE")
    choose(rig, name)
    rig.animation_data.action = swing
    bpy.context.scene.frame_set(2)
    bone.rotation_euler, bone.location = (0.05, 0.02, -0.03), (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    before = np.array(bone.matrix_basis)
    assert bpy.ops.omi.joint_limits_fit(all_actions=True, margin=0.01) == {"FINISHED"}
    limits = joint.omi_joint.settings_to_core().limits
    wide = max(limits, key=lambda each: each.max - each.min)
    assert wide.max - wide.min == pytest.approx(0.41 + 0.87 + 0.02, abs=1e-3)
    assert {abs(round(wide.min, 2)), abs(round(wide.max, 2))} == {0.42, 0.88}
    assert rig.animation_data.action == swing
    assert bpy.context.scene.frame_current == 2
    np.testing.assert_array_equal(np.array(bone.matrix_basis), before)
    assert {swing.users, kick.users, other.users} <= {0, 1}


def test_a_ghost_has_the_range_that_the_rig_uses_and_leaves_no_trace(rig: Any) -> None:
    name = children(rig)[0]
    choose(rig, name)
    joint, bone = joint_on(rig, name), rig.pose.bones[name]
    assert used_limits(bpy.context, joint) == (), "nothing animates the rig"
    add_action(rig, "Swing", name, [0.0, -0.41, 0.23])
    # So long that only some of its frames are looked at, the ends among them.
    long = add_action(rig, "Long", name, [0.0])
    bone.rotation_euler = (0.0, 0.87, 0.0)
    bone.keyframe_insert("rotation_euler", frame=3000)
    bone.rotation_euler = (0.05, 0.02, -0.03)
    bpy.context.view_layer.update()
    before = np.array(bone.matrix_basis)
    found = used_limits(bpy.context, joint)
    wide = max(found, key=lambda each: each.max - each.min)
    assert wide.max - wide.min == pytest.approx(0.41 + 0.87, abs=1e-3)
    assert rig.animation_data.action == long
    np.testing.assert_array_equal(np.array(bone.matrix_basis), before)
    joint.omi_joint.settings_from_core(hinge(axis=1))
    found = used_limits(bpy.context, joint)
    assert {len(each.angular_axes) for each in found if not each.is_locked} == {1}
    joint.omi_joint.settings_from_core(ball_with_cone(axis=1))
    found = used_limits(bpy.context, joint)
    assert {len(each.angular_axes) for each in found if each.angular_axes} == {1, 2}


def test_the_range_of_the_active_bones_joint_is_swept_and_dragged_by_its_slider(rig: Any) -> None:
    """In Pose Mode as in Object Mode; the bone itself is where it was afterwards."""
    name = children(rig)[0]
    choose(rig, name)
    joint, bone = joint_on(rig, name), BodyBone(rig, name)
    before = np.array(bone.matrix_world)
    begin(preview := PosePreview(bpy.context, joint))
    manager = bpy.context.window_manager
    number = next(row.value for row in manager.omi_pose.positions)
    manager.omi_joint_parts[number] = 0.9
    preview.tick(bpy.context)
    bpy.context.view_layer.update()
    assert manager.omi_joint_parts[number] == pytest.approx(0.9, abs=0.05)
    assert np.abs(np.array(bone.matrix_world) - before).max() > 0.05
    stop()
    bpy.context.view_layer.update()
    assert np.array(bone.matrix_world) == pytest.approx(before, abs=1e-6)
