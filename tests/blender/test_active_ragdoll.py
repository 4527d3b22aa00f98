"""Ragdolls that follow the animation of their armature by drives."""

import json
import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import JOURNAL, BodyBone
from omi_joints_addon.scene.watch import WATCH
from tests.rigs import activate, add_human

ARM, HAND = (f"mixamorig:{name}" for name in ("LeftArm", "LeftHand"))
LAST = 48


@pytest.fixture
def rig() -> Any:
    """Return an active ragdoll whose hips go one meter along -Y while both arms swing."""
    human = add_human()
    activate(human)
    bpy.ops.omi.ragdoll_add()
    scene = bpy.context.scene
    scene.frame_end = LAST
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        bone = human.pose.bones[f"mixamorig:{side}Arm"]
        bone.rotation_mode = "XYZ"
        for frame in range(1, LAST + 1, 4):
            angle = 0.4 * sign * math.sin(2.0 * math.pi * (frame - 1) / LAST)
            bone.rotation_euler = (angle, 0.0, 0.0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    hips = human.pose.bones["mixamorig:Hips"]
    for frame, way in ((1, 0.0), (LAST, 1.0)):
        hips.location = (0.0, 0.0, way)
        hips.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    assert bpy.ops.omi.ragdoll_activate() == {"FINISHED"}
    return human


def started() -> SimulationPreview:
    bpy.context.view_layer.update()
    WATCH.settled(bpy.context.scene)
    return SimulationPreview(bpy.context)


def animated(bone: BodyBone) -> np.ndarray:
    """Return the heads of a bone in the animation, (f, 3)."""
    scene, found = bpy.context.scene, []
    for frame in range(1, LAST + 1):
        scene.frame_set(frame)
        found.append(np.array(bone.matrix_world)[:3, 3])
    scene.frame_set(1)
    return np.array(found)


def simulated(preview: SimulationPreview, bone: BodyBone) -> np.ndarray:
    """Return the heads of a bone in a simulation of the same frames, (f, 3)."""
    node = preview.objects.index(bone)
    frames = [preview.scene.matrices, *(preview.next_frame() for _ in range(LAST - 1))]
    return np.array([matrices[node, :3, 3] for matrices in frames])


def error(rig: Any) -> float:
    """Return how far a hand is from its animation at most [m]."""
    bone = BodyBone(rig, HAND)
    wanted, preview = animated(bone), started()
    found = simulated(preview, bone)
    preview.end()
    return float(np.linalg.norm(found - wanted, axis=1).max())


def test_the_stiffer_the_drives_the_closer_the_motion(rig):
    errors = []
    for frequency in (2.0, 4.0, 12.0):
        bpy.ops.omi.ragdoll_activate(frequency=frequency)
        errors.append(error(rig))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.03


def test_strength_goes_from_limp_to_stiff_and_can_be_keyed(rig):
    assert error(rig) < 0.1
    rig.omi_active_ragdoll.strength = 0.0
    assert error(rig) > 0.3
    rig.omi_active_ragdoll.strength = 1.0
    rig.keyframe_insert("omi_active_ragdoll.strength", frame=20)
    rig.omi_active_ragdoll.strength = 0.0
    rig.keyframe_insert("omi_active_ragdoll.strength", frame=21)
    bone = BodyBone(rig, HAND)
    wanted, preview = animated(bone), started()
    away = np.linalg.norm(simulated(preview, bone) - wanted, axis=1)
    preview.end()
    assert away[:19].max() < 0.1
    assert away[-1] > 0.3


def test_the_root_follows_the_animation_itself(rig):
    hips = BodyBone(rig, "mixamorig:Hips")
    assert rig.pose.bones[hips.name].omi_body.motion_type == "KINEMATIC"
    wanted, preview = animated(hips), started()
    assert simulated(preview, hips) == pytest.approx(wanted, abs=1e-6)
    preview.end()
    bpy.ops.omi.ragdoll_activate(use_animated_root=False)
    assert rig.pose.bones[hips.name].omi_body.motion_type == "DYNAMIC"


def test_a_hand_is_pulled_while_the_character_walks_on(rig):
    hand, hips = BodyBone(rig, HAND), BodyBone(rig, "mixamorig:Hips")
    pose = [tuple(bone.matrix_basis[n]) for bone in rig.pose.bones for n in range(4)]
    wanted, walk = animated(hand), animated(hips)
    preview = started()
    node, root = preview.objects.index(hand), preview.objects.index(hips)
    point = preview.scene.matrices[node, :3, 3]
    preview.simulation.grab(node, point)
    for frame in range(1, LAST):
        target = wanted[frame] + (0.0, -0.2, 0.2)
        preview.simulation.drag(target)
        if frame == 36:
            preview.simulation.release()
        preview.tick(bpy.context, preview.frame_time)
        matrices = preview.record[-1]
        if frame == 35:
            assert (matrices[node, :3, 3] - wanted[frame])[2] > 0.1
        assert matrices[root, :3, 3] == pytest.approx(walk[len(preview.record) - 1], abs=1e-6)
    bpy.context.view_layer.update()
    shown = np.array(hips.matrix_world)[:3, 3]
    assert shown == pytest.approx(walk[len(preview.record) - 1], abs=1e-4)
    assert JOURNAL in rig
    preview.end()
    assert [tuple(bone.matrix_basis[n]) for bone in rig.pose.bones for n in range(4)] == pose


def test_a_pose_without_animation_is_held():
    human = add_human()
    activate(human)
    bpy.ops.omi.ragdoll_add()
    arm = human.pose.bones[ARM]
    arm.rotation_mode, arm.rotation_euler = "XYZ", (0.3, 0.0, 0.2)
    bpy.context.view_layer.update()
    bpy.ops.omi.ragdoll_activate(frequency=8.0)
    assert error(human) < 0.05


def test_the_targets_of_the_animation_leave_in_the_file(rig, tmp_path):
    assert bpy.ops.omi.ragdoll_targets_key() == {"FINISHED"}
    joint = next(o for o in bpy.data.objects if o.name == f"{ARM} Joint")
    end = joint.omi_joint.connected_object
    number = next(n for n, d in enumerate(joint.omi_joint.drives) if d.axis == "Y")
    path = tmp_path / "walk.gltf"
    bpy.ops.export_scene.gltf(
        filepath=str(path), export_format="GLTF_EMBEDDED" if _embeds() else "GLTF_SEPARATE"
    )
    document = json.loads(path.read_text("utf-8"))
    pointers = [
        channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
        for animation in document["animations"]
        for channel in animation["channels"]
        if channel["target"]["path"] == "pointer"
    ]
    settings = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    node = next(n for n in document["nodes"] if n.get("name") == joint.name)
    place = node["extensions"]["OMI_physics_joint"]["joint"]
    head = f"/extensions/OMI_physics_joint/physicsJoints/{place}"
    assert f"{head}/drives/{number}/positionTarget" in pointers
    assert "positionTarget" in settings[place]["drives"][number]
    # The keys are the twists that the frames have in Blender, q and -q alike.
    scene = bpy.context.scene
    for frame in (1, 13, 30):
        scene.frame_set(frame)
        turn = (joint.matrix_world.inverted() @ end.matrix_world).to_quaternion()
        angle = 2.0 * math.atan2(turn.y, turn.w)
        found = joint.omi_joint.drives[number].position_target
        assert math.sin(found - angle) == pytest.approx(0.0, abs=1e-5)


def _embeds() -> bool:
    items = bpy.ops.export_scene.gltf.get_rna_type().properties["export_format"].enum_items
    return "GLTF_EMBEDDED" in items.keys()  # noqa: SIM118 - a collection of Blender


def test_what_cannot_be_made_active_is_refused():
    human = add_human()
    activate(human)
    with pytest.raises(RuntimeError, match="No joint connects two bones of Human"):
        bpy.ops.omi.ragdoll_activate()
    with pytest.raises(RuntimeError, match="No drive between bones"):
        bpy.ops.omi.ragdoll_targets_key()


def test_without_frequency_the_drives_are_gone(rig):
    bpy.ops.omi.ragdoll_activate(frequency=0.0)
    joints = [obj.omi_joint for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert not any(len(joint.drives) for joint in joints)
    assert not rig.omi_active_ragdoll.is_on
    assert rig.pose.bones["mixamorig:Hips"].omi_body.motion_type == "DYNAMIC"


def test_it_is_saved_and_undone(rig, tmp_path):
    rig.omi_active_ragdoll.strength = 0.25
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "active.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "active.blend"))
    assert bpy.data.objects["Human"].omi_active_ragdoll.is_on
    assert bpy.data.objects["Human"].omi_active_ragdoll.strength == 0.25
