"""A ragdoll from the human that comes with Blender's Rigify, on its bones and beside them."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.structure import body_bones_of, followers_of
from tests.blender.test_ragdoll import _excess, findings, joints, ragdoll
from tests.rigs import add_skin

LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
BODIES = {"spine", "spine.001", "spine.002", "spine.004"} | {
    f"{name}.{side}" for name in LIMBS for side in "LR"
}
KINDS = pytest.mark.parametrize("beside", [False, True], ids=["on bones", "beside"])


@pytest.fixture
def rig() -> Iterator[Any]:
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    made = bpy.context.object
    add_skin(made, 0.05)
    bpy.context.view_layer.update()
    yield made
    bpy.ops.preferences.addon_disable(module="rigify")


def bodies(rig: Any, beside: bool) -> dict[str, Any]:
    if beside:
        return {name: each.body for name, each in followers_of(rig).items()}
    return {bone.name: BodyBone(rig, bone.name) for bone in body_bones_of(rig)}


@KINDS
@pytest.mark.parametrize("held", ["spine", "spine.004", "hand.L", "foot.R"])
def test_it_hangs_within_its_limits(rig, beside, held):
    ragdoll(rig, use_beside=beside)
    found = bodies(rig, beside)
    assert set(found) == BODIES
    assert len(joints()) == 15
    assert findings() == []
    found[held].omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    worst_gap = worst_angle = 0.0
    for _ in range(48):
        matrices = preview.next_frame()
        for joint in preview.scene.joints:
            frame, end = matrices[joint.node], matrices[joint.connected]
            worst_gap = max(worst_gap, float(np.linalg.norm(frame[:3, 3] - end[:3, 3])))
            worst_angle = max(worst_angle, _excess(joint.settings, frame, end))
    still = preview.objects.index(found[held])
    assert matrices[still] == pytest.approx(preview.scene.matrices[still], abs=1e-9)
    preview.end()
    assert worst_gap < 3e-4
    assert worst_angle < np.radians(0.1)


@KINDS
@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_it_comes_back_from_a_file(rig, beside, dialect, tmp_path):
    ragdoll(rig, use_beside=beside)
    bpy.context.scene.omi_gltf.export_dialects = {dialect}
    before, _ = scene_to_core(bpy.context.scene)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "human.glb"))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "human.glb"))
    bpy.context.view_layer.update()
    assert findings() == []
    after, _ = scene_to_core(bpy.context.scene)
    nodes = {name: node for node, name in enumerate(after.names)}
    known = {joint.place: joint for joint in after.joints}
    assert len(known) == len(before.joints) == 15
    for joint in before.joints:
        there = known[joint.place]
        assert there.settings == joint.settings
        for end, other in ((there.node, joint.node), (there.connected, joint.connected)):
            assert_same_place(after.matrices[end], before.matrices[other])
    for node, motion in before.motions.items():
        there = nodes[before.names[node]]
        assert after.motions[there].mass == pytest.approx(motion.mass, rel=1e-6)
        assert_same_place(after.matrices[there], before.matrices[node])


def assert_same_place(there: Any, here: Any) -> None:
    """Compare places by 1e-6 m; axes by more, as Rigify's own are 6e-6 off right angles."""
    assert there[:3, 3] == pytest.approx(here[:3, 3], abs=1e-6)
    assert there[:3, :3] == pytest.approx(here[:3, :3], abs=3e-6)
