"""Characters as of Mixamo, MMD and Auto-Rig Pro: limp, baked, active and exported."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.session import stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from omi_joints_addon.scene.structure import body_bones_of
from omi_joints_addon.scene.watch import WATCH
from tests.blender.scenes import select
from tests.blender.test_preview_rigs import held, previewed
from tests.character_rigs import RIGS, add_character

pytestmark = pytest.mark.usefixtures("empty_scene")


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    stop()
    preview_options(bpy.context).property_unset("floor")


@pytest.fixture(params=RIGS)
def character(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """Return a rig with its ragdoll, and its skin of boxes."""
    return add_character(request.param)


def middles(skin: Any) -> dict[str, np.ndarray]:
    """Return the middle of the box of each deforming bone in the world."""
    shown = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([skin.matrix_world @ vertex.co for vertex in shown.data.vertices])
    names = [group.name for group in skin.vertex_groups]
    return dict(zip(names, points.reshape(-1, 8, 3).mean(axis=1), strict=True))


def carried(ways: dict[str, np.ndarray], point: np.ndarray, now: np.ndarray) -> float:
    """Return how far [m] a point is from where the body that fits best takes it."""
    places = [(way @ np.append(point, 1.0))[:3] for way in ways.values()]
    return min(float(np.linalg.norm(place - now)) for place in places)


def test_it_is_a_human_in_one_piece(character: tuple[Any, Any]) -> None:
    rig, _ = character
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert (len(body_bones_of(rig)), len(joints)) == (16, 15)
    masses = [bone.pose_bone.omi_body.mass for bone in body_bones_of(rig)]
    assert sum(masses) == pytest.approx(70.0, rel=1e-4)


def test_the_skin_falls_with_the_bodies_and_comes_back_to_the_bit(
    character: tuple[Any, Any],
) -> None:
    rig, skin = character
    before, state = middles(skin), held(rig)
    _, ways = previewed(rig)
    assert max(np.abs(way[:3, 3]).max() for way in ways.values()) > 0.2
    after = middles(skin)
    far = {name: carried(ways, before[name], after[name]) for name in before}
    assert {name: round(each, 3) for name, each in far.items() if each > 0.02} == {}
    stop()
    bpy.context.view_layer.update()
    assert held(rig) == state
    np.testing.assert_array_equal(list(middles(skin).values()), list(before.values()))


def test_the_bake_plays_what_was_simulated(character: tuple[Any, Any]) -> None:
    rig, skin = character
    before = middles(skin)
    preview = SimulationPreview(bpy.context)
    for _ in range(12):
        preview.next_frame()
    nodes = {bone.name: preview.objects.index(bone) for bone in body_bones_of(rig)}
    ways = {
        name: preview.record[-1][node] @ np.linalg.inv(preview.record[0][node])
        for name, node in nodes.items()
    }
    assert bpy.ops.omi.preview_bake(frames=12) == {"FINISHED"}
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 12)
    after = middles(skin)
    far = {name: carried(ways, before[name], after[name]) for name in before}
    assert {name: round(each, 3) for name, each in far.items() if each > 0.02} == {}


def test_it_holds_its_pose_when_it_is_active(character: tuple[Any, Any]) -> None:
    rig, _ = character
    select(rig)
    # What is active follows an animation, be it one that stands still.
    root = next(bone for bone in rig.pose.bones if bone.omi_body.motion_type == "DYNAMIC")
    root.keyframe_insert("location", frame=1)
    preview_options(bpy.context).floor = "OFF"
    ways = []
    for frequency in (0.0, 4.0):
        assert bpy.ops.omi.ragdoll_activate(frequency=frequency) == {"FINISHED"}
        bpy.context.view_layer.update()
        WATCH.settled(bpy.context.scene)
        preview = SimulationPreview(bpy.context)
        for _ in range(24):
            preview.next_frame()
        nodes = sorted(preview.simulation.moving_nodes)
        ways.append(np.abs((preview.record[-1] - preview.record[0])[nodes, :3, 3]).max())
    assert ways[0] > 2.0, "a limp one falls"
    assert ways[1] < 0.2, "an active one holds"


def test_its_file_has_all_bodies_on_bones(character: tuple[Any, Any], tmp_path: Path) -> None:
    rig, _ = character
    path = tmp_path / "character.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    document = json.loads(path.read_text("utf-8"))
    bodies = {
        node["name"]
        for node in document["nodes"]
        if "motion" in node.get("extensions", {}).get("OMI_physics_body", {})
    }
    assert bodies == {bone.name for bone in body_bones_of(rig)}
    assert len(document["skins"]) == 1
