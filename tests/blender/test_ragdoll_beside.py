"""A ragdoll beside the skeleton: objects that the bones follow."""

from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.structure import followers_of
from tests.blender.test_ragdoll import BODIES, findings, joints, ragdoll
from tests.rigs import activate, add_human


def bodies(rig: Any) -> dict[str, Any]:
    found = followers_of(rig)
    return {name.removeprefix("mixamorig:"): each.body for name, each in found.items()}


def poses(rig: Any) -> Any:
    bpy.context.view_layer.update()
    return np.array([rig.matrix_world @ bone.matrix for bone in rig.pose.bones])


def channels(rig: Any) -> list[Any]:
    return [
        (
            *(tuple(getattr(bone, name)) for name in ("location", "rotation_quaternion", "scale")),
            tuple(bone.rotation_euler),
            [(each.name, each.type, each.mute) for each in bone.constraints],
            dict(bone.items()),
        )
        for bone in rig.pose.bones
    ]


def pose(rig: Any) -> None:
    """Animate an arm, and hold a leg by a constraint."""
    arm = rig.pose.bones["mixamorig:LeftArm"]
    arm.rotation_mode, arm.rotation_euler = "XYZ", (0.4, 0.2, 0.1)
    arm.keyframe_insert("rotation_euler", frame=1)
    limit = rig.pose.bones["mixamorig:LeftLeg"].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = True
    bpy.context.view_layer.update()


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_bodies_stand_at_the_bones_and_move_them(scale):
    rig = add_human(location=(1, 2, 0), rotation_euler=(0.1, 0.2, 0.7), scale=(scale,) * 3)
    before = poses(rig)
    ragdoll(rig, use_beside=True)
    assert set(bodies(rig)) == BODIES
    assert len(joints()) == 15
    assert findings() == []
    assert poses(rig) == pytest.approx(before, abs=3e-6)
    hand = bodies(rig)["LeftHand"]
    hand.location.z += 0.1
    bpy.context.view_layer.update()
    bone = rig.matrix_world @ rig.pose.bones["mixamorig:LeftHand"].matrix
    assert np.array(bone) == pytest.approx(np.array(hand.matrix_world), abs=3e-6)


def test_they_are_the_ragdoll_that_bones_are():
    rig = add_human(location=(1, 2, 0))
    ragdoll(rig)
    on_bones, _ = scene_to_core(bpy.context.scene)
    assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}
    ragdoll(rig, use_beside=True)
    beside, _ = scene_to_core(bpy.context.scene)
    masses = [sorted(each.mass for each in core.motions.values()) for core in (on_bones, beside)]
    assert masses[0] == masses[1]
    known = {joint.place: joint for joint in beside.joints}
    assert len(known) == len(on_bones.joints) == 15
    for joint in on_bones.joints:
        assert known[joint.place].settings == joint.settings
        for end, other in (("node", "node"), ("connected", "connected")):
            expected = on_bones.matrices[getattr(joint, end)]
            found = beside.matrices[getattr(known[joint.place], other)]
            assert found == pytest.approx(expected, abs=2e-6)


def test_removing_leaves_the_armature_as_it_was_to_the_bit():
    rig = add_human()
    pose(rig)
    before, shown = channels(rig), poses(rig)
    count, curves = len(bpy.data.objects), len(bpy.data.actions)
    ragdoll(rig, use_beside=True)
    assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}
    assert channels(rig) == before
    assert (poses(rig) == shown).all()
    assert (len(bpy.data.objects), len(bpy.data.actions)) == (count, curves)


def test_another_run_updates_and_keeps_what_was_edited():
    rig = add_human()
    ragdoll(rig, use_beside=True)
    bodies(rig)["Hips"].omi_body.mass = 99.0
    bodies(rig)["LeftFoot"].location.x += 0.01
    joint = next(j for j in joints() if j.parent == bodies(rig)["LeftLeg"])
    joint.omi_joint.limits[2].min = -1.0
    place = bodies(rig)["LeftFoot"].location.copy()
    before = len(bpy.data.objects)
    ragdoll(rig, use_beside=True, mass=35.0)
    assert len(bpy.data.objects) == before
    assert bodies(rig)["Hips"].omi_body.mass == 99.0
    assert bodies(rig)["LeftFoot"].location == place
    assert joint.omi_joint.limits[2].min == -1.0
    assert bodies(rig)["LeftHand"].omi_body.mass < 0.3


def test_bones_that_are_no_bodies_any_more_are_free_again():
    rig = add_human()
    ragdoll(rig, use_beside=True)
    rig.data.bones["mixamorig:LeftHand"].use_deform = False
    ragdoll(rig, use_beside=True)
    assert set(bodies(rig)) == BODIES - {"LeftHand"}
    assert not rig.pose.bones["mixamorig:LeftHand"].constraints
    assert len(joints()) == 14
    assert not any("LeftHand" in obj.name for obj in bpy.data.objects)


def test_one_kind_at_a_time():
    rig = add_human()
    for kind, text in ((True, "beside its skeleton"), (False, "on its bones")):
        ragdoll(rig, use_beside=kind)
        with pytest.raises(RuntimeError, match=text):
            bpy.ops.omi.ragdoll_add(use_beside=not kind)
        activate(rig)
        assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}


def test_previews_move_the_skin():
    rig = add_human()
    pose(rig)
    before = channels(rig)
    ragdoll(rig, use_beside=True)
    with_ragdoll, at_rest = channels(rig), poses(rig)
    bodies(rig)["Hips"].omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    for _ in range(12):
        preview.tick(bpy.context, 1.0 / 24.0)
    bpy.context.view_layer.update()
    matrices = preview.live.shown.poses
    numbers = {obj: node for node, obj in enumerate(preview.objects)}
    for name, body in bodies(rig).items():
        bone = rig.matrix_world @ rig.pose.bones[f"mixamorig:{name}"].matrix
        assert np.array(bone) == pytest.approx(matrices[numbers[body]], abs=1e-5)
    arm = numbers[bodies(rig)["LeftArm"]]
    assert np.abs(matrices[arm] - preview.scene.matrices[arm]).max() > 0.02
    preview.end()
    assert channels(rig) == with_ragdoll
    assert poses(rig) == pytest.approx(at_rest, abs=0)
    assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}
    assert channels(rig) == before


@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_it_comes_back_from_a_file(tmp_path, dialect):
    rig = add_human(location=(1, 2, 0))
    ragdoll(rig, use_beside=True)
    bpy.context.scene.omi_gltf.export_dialects = {dialect}
    before, _ = scene_to_core(bpy.context.scene)
    path = str(tmp_path / "human.gltf")
    bpy.ops.export_scene.gltf(filepath=path, export_format="GLTF_SEPARATE")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    bpy.context.view_layer.update()
    assert findings() == []
    after, _ = scene_to_core(bpy.context.scene)
    numbers = {name: node for node, name in enumerate(after.names)}
    for node, motion in before.motions.items():
        there = numbers[before.names[node]]
        assert after.motions[there].mass == pytest.approx(motion.mass, rel=1e-6)
        assert after.matrices[there] == pytest.approx(before.matrices[node], abs=2e-6)
    known = {joint.place: joint for joint in after.joints}
    assert len(known) == len(before.joints) == 15
    for joint in before.joints:
        assert known[joint.place].settings == joint.settings
        there = after.matrices[known[joint.place].node]
        assert there == pytest.approx(before.matrices[joint.node], abs=2e-6)
