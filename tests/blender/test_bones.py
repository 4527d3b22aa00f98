"""Bones that are bodies: edited, undone, shown and put back as Blender's users do."""

from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import Command
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import JOURNAL, BodyBone
from omi_joints_addon.scene.partial import live_to_core
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.structure import body_bones_of, joint_bodies, parent_of
from omi_joints_addon.scene.watch import WATCH, live_scene
from tests.blender.recording_layout import drawn
from tests.rigs import activate, add_arm, make_body

CHANNELS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def names(rig: Any) -> list[str]:
    return [bone.name for bone in body_bones_of(rig)]


def live() -> Any:
    bpy.context.view_layer.update()
    found = live_scene(bpy.context.scene)
    found.settle(bpy.context.scene)
    return found


def same_as_read() -> Any:
    """Return the live scene as a core scene, which equals what a reading from scratch gives."""
    core, read = live_to_core(live()), scene_to_core(bpy.context.scene)[0]
    count = len(core.names)
    assert core.names == read.names[:count]
    assert core.parents.tolist() == read.parents[:count].tolist()
    assert core.matrices == pytest.approx(read.matrices[:count], abs=1e-6)
    assert dict(core.motions) == dict(read.motions)
    assert [(j.node, j.connected) for j in core.joints] == [
        (j.node, j.connected) for j in read.joints
    ]
    return core


def pose_of(rig: Any) -> list[Any]:
    """Return all channels of a pose as they are stored."""
    return [tuple(getattr(bone, name)) for bone in rig.pose.bones for name in CHANNELS]


def in_mode(mode: str) -> None:
    bpy.ops.object.mode_set(mode=mode)


def simulated(frames: int) -> SimulationPreview:
    """Return a simulation that has shown some frames."""
    preview = SimulationPreview(bpy.context)
    for _ in range(frames):
        preview.tick(bpy.context, 1.0 / 24.0)
    return preview


def test_what_hangs_on_a_bone_belongs_to_the_nearest_body():
    rig = add_arm()
    objects = bpy.data.objects
    upper = BodyBone(rig, "upper")
    assert parent_of(objects["lower Connected"]) == upper  # on a bone without a body
    assert parent_of(upper) == rig
    assert joint_bodies(objects["lower Joint"]) == (BodyBone(rig, "lower"), upper)
    rig.pose.bones["twist"].omi_body.collider.source = "CUSTOM"  # a shape of the upper arm
    assert parent_of(BodyBone(rig, "twist")) == upper


def test_the_live_scene_follows_edits_of_bones():
    rig = add_arm()
    core = same_as_read()
    assert len(core.motions) == 3
    rig.pose.bones["upper"].rotation_euler = (0.5, 0, 0)
    rig.pose.bones["upper"].rotation_mode = "XYZ"
    same_as_read()
    make_body(rig, "twist", mass=0.5)
    assert len(same_as_read().motions) == 4
    rig.pose.bones["twist"].omi_body.mass = 0.75
    assert 0.75 in [motion.mass for motion in same_as_read().motions.values()]
    rig.pose.bones["twist"].omi_body.motion_type = "NONE"
    rig.pose.bones["twist"].omi_body.collider.source = "NONE"
    assert len(same_as_read().motions) == 3
    rig.location.x = 4.0
    same_as_read()


def test_the_panels_of_the_active_bone_draw():
    rig = add_arm()
    activate(rig)
    rig.data.bones.active = rig.data.bones["upper"]
    assert bpy.types.OMI_PT_bone_body.poll(bpy.context)
    calls = drawn(bpy.types.OMI_PT_bone_body)
    assert {("prop", "motion_type"), ("prop", "mass"), ("prop", "up")} <= set(calls)
    assert not bpy.types.OMI_PT_pose_body.poll(bpy.context)
    in_mode("POSE")
    assert bpy.types.OMI_PT_pose_body.poll(bpy.context)
    assert ("prop", "height") in drawn(bpy.types.OMI_PT_pose_body)
    in_mode("EDIT")
    assert not bpy.types.OMI_PT_bone_body.poll(bpy.context)


def test_renaming_and_deleting_bones():
    rig = add_arm()
    same_as_read()
    rig.data.bones["upper"].name = "shoulder"
    core = same_as_read()
    assert "shoulder" in core.names
    assert joint_bodies(bpy.data.objects["upper Joint"])[0] == BodyBone(rig, "shoulder")
    in_mode("EDIT")
    rig.data.edit_bones.remove(rig.data.edit_bones["lower"])
    in_mode("OBJECT")
    assert names(rig) == ["root", "shoulder"]
    same_as_read()


def test_duplicating_and_symmetrizing_bones_copies_their_bodies():
    rig = add_arm()
    rig.data.bones["lower"].name = "lower.L"
    in_mode("EDIT")
    for bone in rig.data.edit_bones:
        bone.select = bone.select_head = bone.select_tail = bone.name == "lower.L"
    bpy.ops.armature.symmetrize()
    in_mode("OBJECT")
    assert "lower.R" in names(rig)
    assert rig.pose.bones["lower.R"].omi_body.mass == 1.5
    same_as_read()


def test_joining_and_separating_armatures_keeps_bodies():
    first, second = add_arm(), add_arm(location=(0, 5, 0))
    activate(first)
    second.select_set(True)
    bpy.ops.object.join()
    assert len(names(first)) == 6
    same_as_read()
    in_mode("EDIT")
    for bone in first.data.edit_bones:
        bone.select = bone.select_head = bone.select_tail = bone.name.endswith(".001")
    bpy.ops.armature.separate()
    in_mode("OBJECT")
    rigs = [obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE"]
    assert sorted(len(names(rig)) for rig in rigs) == [3, 3]
    same_as_read()


def test_a_copy_of_the_rig_has_bodies_of_its_own():
    rig = add_arm()
    activate(rig)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    copy.pose.bones["upper"].omi_body.mass = 9.0
    assert names(copy) == names(rig)
    assert rig.pose.bones["upper"].omi_body.mass == 2.0
    same_as_read()


def test_undo_and_redo_in_object_and_pose_mode():
    rig = add_arm()
    bpy.ops.ed.undo_push(message="made")
    same_as_read()
    rig.pose.bones["upper"].omi_body.mass = 7.0
    bpy.ops.ed.undo_push(message="mass")
    bpy.ops.ed.undo()
    rig = bpy.data.objects["Arm"]
    assert rig.pose.bones["upper"].omi_body.mass == 2.0
    same_as_read()
    bpy.ops.ed.redo()
    rig = bpy.data.objects["Arm"]
    assert rig.pose.bones["upper"].omi_body.mass == 7.0
    same_as_read()
    activate(rig)
    in_mode("POSE")
    bpy.ops.ed.undo_push(message="pose mode")
    rig.pose.bones["upper"].omi_body.motion_type = "KINEMATIC"
    bpy.ops.ed.undo_push(message="type")
    bpy.ops.ed.undo()
    rig = bpy.data.objects["Arm"]
    assert rig.pose.bones["upper"].omi_body.motion_type == "DYNAMIC"
    in_mode("OBJECT")
    same_as_read()


def test_bodies_of_bones_are_saved(tmp_path):
    add_arm()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rig.blend"))
    assert names(bpy.data.objects["Arm"]) == ["root", "upper", "lower"]
    same_as_read()


def test_the_simulation_poses_the_bones_and_puts_them_back_to_the_bit():
    rig = add_arm(rotation_euler=(0, 0.4, 0), is_bent=True)
    limit = rig.pose.bones["upper"].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = True
    bpy.context.view_layer.update()
    before, matrices = pose_of(rig), [bone.matrix.copy() for bone in rig.pose.bones]
    preview = simulated(8)
    bpy.context.view_layer.update()
    assert limit.mute
    assert JOURNAL in rig
    moved = 0.0
    for number, obj in enumerate(preview.objects):
        if isinstance(obj, BodyBone):
            shown = np.array(obj.matrix_world)
            assert shown == pytest.approx(preview.live.shown.poses[number], abs=2e-5)
            moved = max(moved, float(np.abs(shown - preview.scene.matrices[number]).max()))
    assert moved > 0.05
    skin = bpy.data.objects["Skin"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    tip = np.array(skin.to_mesh().vertices[-1].co)
    assert np.abs(tip - np.array(bpy.data.objects["Skin"].data.vertices[-1].co)).max() > 0.05
    assert not preview.is_over
    preview.end()
    bpy.context.view_layer.update()
    assert pose_of(rig) == before
    assert [bone.matrix for bone in rig.pose.bones] == matrices
    assert JOURNAL not in rig
    assert not limit.mute


def test_an_undo_step_made_during_a_preview_holds_the_pose_of_the_animator():
    rig = add_arm(is_bent=True)
    bpy.ops.ed.undo_push(message="made")
    before = pose_of(rig)
    preview = simulated(6)
    bpy.ops.ed.undo_push(message="during")
    preview.end()
    bpy.data.objects["Arm"].location.x = 1.0
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    rig = bpy.data.objects["Arm"]
    assert JOURNAL not in rig
    assert pose_of(rig) == before


def test_a_file_that_was_saved_by_itself_during_a_preview_opens_at_rest(tmp_path):
    rig = add_arm(is_bent=True)
    before = pose_of(rig)
    preview = simulated(6)
    # As Blender saves automatically: without calling the handlers of saving.
    saving = bpy.app.handlers.save_pre[:]
    bpy.app.handlers.save_pre.clear()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "auto.blend"), copy=True)
    bpy.app.handlers.save_pre.extend(saving)
    assert JOURNAL in rig
    preview.end()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "auto.blend"))
    rig = bpy.data.objects["Arm"]
    assert JOURNAL not in rig
    assert pose_of(rig) == before


def test_a_saved_file_and_an_export_hold_the_rest(tmp_path):
    rig = add_arm(is_bent=True)
    before = pose_of(rig)
    preview = simulated(6)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"), copy=True)
    assert pose_of(rig) == before
    preview.end()
    WATCH.hide()


def test_the_range_of_motion_turns_a_bone():
    rig = add_arm()
    activate(bpy.data.objects["upper Joint"])
    preview = PosePreview(bpy.context, bpy.data.objects["upper Joint"])
    preview.obey(Command.SWEEP)
    for _ in range(12):
        preview.tick(bpy.context, 0.1)
    bpy.context.view_layer.update()
    node = next(n for n, obj in enumerate(preview.objects) if obj == BodyBone(rig, "upper"))
    shown = preview.live.shown.poses[node]
    assert np.abs(shown - preview.scene.matrices[node]).max() > 0.05
    assert np.array(BodyBone(rig, "upper").matrix_world) == pytest.approx(shown, abs=2e-5)
    preview.end()


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
def test_baking_keys_the_bones(mode):
    rig = add_arm(is_bent=True)
    for bone in rig.pose.bones:
        bone.rotation_mode = mode
    before = pose_of(rig)
    preview = SimulationPreview(bpy.context)
    for _ in range(10):
        expected = preview.next_frame()
    number = next(n for n, obj in enumerate(preview.objects) if obj == BodyBone(rig, "lower"))
    preview.end()
    assert bpy.ops.omi.preview_bake(frames=10) == {"FINISHED"}
    assert pose_of(rig) == before
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 10)
    assert np.array(BodyBone(rig, "lower").matrix_world) == pytest.approx(
        expected[number], abs=1e-4
    )


def test_triggers_on_bones_are_below_the_armature_and_what_it_hangs_from():
    rig = add_arm()
    whole, part = (bpy.data.objects.new(name, None) for name in ("Whole", "Part"))
    for obj in (whole, part):
        bpy.context.scene.collection.objects.link(obj)
        obj.omi_body.trigger.enabled = True
    rig.parent = whole
    part.parent, part.parent_type, part.parent_bone = rig, "BONE", "twist"
    activate(whole)
    assert bpy.ops.omi.body_trigger_parts() == {"FINISHED"}
    assert [each.node.name for each in whole.omi_body.trigger.nodes] == ["Part"]
