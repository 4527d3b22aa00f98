"""Keyed positions of joints in glTF: how the bodies move is in the file."""

from pathlib import Path

import bpy
import numpy as np
import pygltflib
import pytest

from omi_joints_addon.cli.main import main
from tests.blender.scenes import select

ANGLES = {1: 0.1, 21: 0.8}
LOST = "OMI-J026"


@pytest.fixture
def arm(repository: Path) -> None:
    """Import an arm, and key a joint of it in the middle."""
    robot = repository / "omi_joints_addon" / "examples" / "arm.urdf"
    assert bpy.ops.omi.scene_import(filepath=str(robot)) == {"FINISHED"}
    scene, lift = bpy.context.scene, bpy.data.objects["lift"]
    select(lift)
    for frame, angle in ANGLES.items():
        lift.omi_position.about = (angle, angle, angle)  # one of them is free
        lift.omi_position.keyframe_insert("about", frame=frame)
    scene.frame_start, scene.frame_end = min(ANGLES), max(ANGLES)


def exported(path: Path, **options: object) -> tuple[pygltflib.GLTF2, list[str]]:
    """Return a document of the scene, and the codes that its export reports."""
    bpy.ops.export_scene.gltf(filepath=str(path), **options)
    codes = [line.noun for line in bpy.context.scene.omi_report.lines]
    return pygltflib.GLTF2().load(str(path)), codes


@pytest.mark.usefixtures("arm")
@pytest.mark.parametrize(
    "options", [{"export_animation_mode": "SCENE"}, {"export_bake_animation": True}]
)
def test_bodies_move_in_the_file_as_in_the_scene(
    options: dict[str, object], tmp_path: Path
) -> None:
    document, codes = exported(tmp_path / "arm.glb", **options)
    assert LOST not in codes
    places = {
        document.nodes[channel.target.node].name: values(document, animation, channel)
        for animation in document.animations
        for channel in animation.channels
        if channel.target.path == "translation"
    }
    hand = bpy.data.objects["hand"]
    for frame, at in ((min(ANGLES), 0), (max(ANGLES), -1)):
        bpy.context.scene.frame_set(frame)
        place = hand.matrix_local.translation
        assert places["hand"][at] == pytest.approx((place.x, place.z, -place.y), abs=1e-4)
    assert np.ptp(places["hand"], axis=0).max() > 0.05


@pytest.mark.usefixtures("arm")
def test_motion_that_an_export_leaves_out_is_named(tmp_path: Path) -> None:
    document, codes = exported(tmp_path / "arm.glb")
    assert document.animations == []
    assert codes.count(LOST) == 1
    assert LOST not in exported(tmp_path / "still.glb", export_animations=False)[1]


@pytest.mark.usefixtures("arm")
@pytest.mark.parametrize("suffix", [".glb", ".urdf", ".usda", ".xml"])
def test_conversions_of_a_blend_file_count_it(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "arm.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert main(["convert", "--strict", str(path), str(tmp_path / f"arm{suffix}")]) == 1
    assert "animation (lift): keyframes or drivers move the joint" in capsys.readouterr().err


def values(document: pygltflib.GLTF2, animation, channel) -> np.ndarray:
    """Return what a channel is at each of its keys, shape (n, 3)."""
    accessor = document.accessors[animation.samplers[channel.sampler].output]
    view = document.bufferViews[accessor.bufferView]
    blob = document.binary_blob()[view.byteOffset :][: view.byteLength]
    return np.frombuffer(blob, np.float32)[: 3 * accessor.count].reshape(-1, 3)
