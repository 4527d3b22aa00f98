"""Previews of bones as their users work: in Pose Mode, pulled by the skin, kept as the pose."""

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_joints_addon.operators.preview.picking import hit_nodes
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import JOURNAL, BodyBone
from omi_joints_addon.scene.structure import body_bones_of
from omi_joints_addon.scene.watch import WATCH
from tests.rigs import activate, add_arm

CHANNELS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def pose_of(rig: Any) -> list[Any]:
    """Return all channels of a pose as they are stored."""
    return [tuple(getattr(bone, name)) for bone in rig.pose.bones for name in CHANNELS]


def started(frames: int = 8) -> SimulationPreview:
    """Return a preview that has shown some frames, as its operator runs it."""
    bpy.context.view_layer.update()
    WATCH.settled(bpy.context.scene)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for _ in range(frames):
        preview.tick(bpy.context, preview.frame_time)
    bpy.context.view_layer.update()
    return preview


def keyed(rig: Any) -> None:
    """Key the arm at frames 1 and 20."""
    for frame, angle in ((1, 0.2), (20, -0.4)):
        bone = rig.pose.bones["upper"]
        bone.rotation_mode, bone.rotation_euler = "XYZ", (angle, 0.1, 0.0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(7)


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
@pytest.mark.parametrize("is_animated", [False, True])
def test_it_runs_on_posed_and_animated_rigs_in_both_modes(mode, is_animated):
    rig = add_arm(is_bent=True)
    if is_animated:
        keyed(rig)
    activate(rig)
    bpy.ops.object.mode_set(mode=mode)
    before = pose_of(rig)
    assert bpy.ops.omi.preview_simulate.poll()
    preview = started()
    assert not preview.is_over
    moved = 0.0
    for bone in body_bones_of(rig):
        node = preview.objects.index(bone)
        shown = np.array(bone.matrix_world)
        assert shown == pytest.approx(preview.shown_matrices[node], abs=2e-5)
        moved = max(moved, float(np.abs(shown - preview.scene.matrices[node]).max()))
    assert moved > 0.05
    stop()
    assert pose_of(rig) == before
    assert JOURNAL not in rig


@pytest.mark.parametrize("is_override", [False, True], ids=["linked", "overridden"])
def test_it_runs_on_rigs_of_libraries(tmp_path, is_override):
    add_arm(is_bent=True)
    scene, asset = bpy.context.scene, bpy.data.collections.new("Asset")
    for obj in list(scene.objects):
        scene.collection.objects.unlink(obj)
        asset.objects.link(obj)
    scene.collection.children.link(asset)
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, here):
        here.collections = ["Asset"]
    scene, asset = bpy.context.scene, bpy.data.collections["Asset"]
    scene.collection.children.link(asset)
    if is_override:
        layer = bpy.context.view_layer
        asset.override_hierarchy_create(scene, layer, do_fully_editable=True)
        scene.collection.children.unlink(asset)
    rig = next(obj for obj in scene.objects if obj.type == "ARMATURE")
    assert (rig.library is None) == is_override
    before = pose_of(rig)
    preview = started()
    bone = BodyBone(rig, "lower")
    node = preview.objects.index(bone)
    assert np.abs(preview.shown_matrices[node] - preview.scene.matrices[node]).max() > 0.05
    assert np.array(bone.matrix_world) == pytest.approx(preview.shown_matrices[node], abs=2e-5)
    stop()
    assert pose_of(rig) == before
    assert JOURNAL not in rig
    started()
    bpy.ops.omi.preview_keep()
    assert (pose_of(rig) != before) == is_override


def test_another_mode_ends_it_and_puts_the_pose_back():
    rig = add_arm(is_bent=True)
    activate(rig)
    before = pose_of(rig)
    preview = started()
    bpy.ops.object.mode_set(mode="POSE")
    preview.tick(bpy.context, preview.frame_time)
    assert preview.is_over
    assert pose_of(rig) == before


def test_a_place_on_the_skin_is_on_the_bone_that_moves_it():
    rig = add_arm(is_bent=True)
    graph = bpy.context.evaluated_depsgraph_get()
    for name, expected in (("upper", "upper"), ("twist", "twist"), ("lower", "lower")):
        bone = rig.pose.bones[name]
        center = rig.matrix_world @ bone.matrix @ Vector((0.0, 0.5 * bone.length, 0.0))
        way = (rig.matrix_world @ bone.matrix).to_3x3().col[2].normalized()
        scene = bpy.context.scene
        hit, _, _, face, obj, _ = scene.ray_cast(graph, center + 0.5 * way, -way)
        assert hit
        found = list(hit_nodes(obj.evaluated_get(graph), face))
        assert found[0] == bpy.data.objects["Skin"]
        assert found[1] == BodyBone(rig, expected)
        # A bone that is not a body belongs to the next one above it.
        assert BodyBone(rig, "upper") in found


def test_bones_keep_the_pose_that_is_shown():
    rig = add_arm(is_bent=True)
    preview = started()
    nodes = {bone: preview.objects.index(bone) for bone in body_bones_of(rig)}
    shown = preview.shown_matrices.copy()
    assert bpy.ops.omi.preview_keep() == {"FINISHED"}
    assert preview.is_over
    bpy.context.view_layer.update()
    assert JOURNAL not in rig
    for bone, node in nodes.items():
        assert np.array(bone.matrix_world) == pytest.approx(shown[node], abs=2e-5)
    assert [tuple(bone.scale) for bone in rig.pose.bones] == [(1.0, 1.0, 1.0)] * 4


def test_keeping_is_one_step_that_can_be_undone():
    rig = add_arm(is_bent=True)
    bpy.ops.ed.undo_push(message="made")
    before = pose_of(rig)
    started()
    bpy.ops.omi.preview_keep("EXEC_DEFAULT", True)
    assert pose_of(bpy.data.objects["Arm"]) != before
    bpy.ops.ed.undo()
    assert pose_of(bpy.data.objects["Arm"]) == before


def test_objects_keep_the_pose_that_is_shown():
    base, door, lid = (bpy.data.objects.new(name, None) for name in ("Base", "Door", "Lid"))
    for obj, place in ((base, (0, 0, 0)), (door, (1, 0, 0)), (lid, (2, 0, 0))):
        bpy.context.scene.collection.objects.link(obj)
        obj.matrix_world = Matrix.Translation(place)
        obj.scale = (2.0, 2.0, 2.0)
        obj.omi_body.motion_type = "DYNAMIC"
    base.omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    lid.parent, lid.matrix_parent_inverse = door, door.matrix_world.inverted()
    for child, parent in ((door, base), (lid, door)):
        activate(parent)
        child.select_set(True)
        bpy.ops.omi.joint_add(preset="HINGE", axis="Y")
    preview = started()
    shown = {obj: preview.shown_matrices[preview.objects.index(obj)] for obj in (base, door, lid)}
    assert np.abs(shown[lid] - np.array(lid.matrix_world)).max() > 0.05
    assert bpy.ops.omi.preview_keep() == {"FINISHED"}
    bpy.context.view_layer.update()
    for obj, matrix in shown.items():
        assert np.array(obj.matrix_world) == pytest.approx(matrix, abs=1e-5)
        assert tuple(obj.scale) == (2.0, 2.0, 2.0)


def test_auto_keying_keys_what_is_kept():
    rig = add_arm()
    keyed(rig)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    preview = started()
    node = preview.objects.index(BodyBone(rig, "lower"))
    shown = preview.shown_matrices[node].copy()
    bpy.ops.omi.preview_keep()
    bpy.context.scene.frame_set(12)
    bpy.context.scene.frame_set(7)
    assert np.array(BodyBone(rig, "lower").matrix_world) == pytest.approx(shown, abs=2e-5)


def test_a_turn_is_kept_in_the_nearest_form():
    rig = add_arm()
    bone = rig.pose.bones["lower"]
    bone.rotation_mode, bone.rotation_euler = "XYZ", (0.0, 0.0, math.tau)
    started(2)
    bpy.ops.omi.preview_keep()
    assert bone.rotation_euler.z == pytest.approx(math.tau, abs=0.5)


def test_without_a_preview_there_is_nothing_to_keep():
    add_arm()
    assert not bpy.ops.omi.preview_keep.poll()
