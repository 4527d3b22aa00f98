"""Keyed positions of joints in glTF: how the bodies move is in the file."""

import bpy
import numpy as np
import pygltflib
import pytest

from tests.blender.scenes import select

ANGLES = {1: 0.1, 21: 0.8}


@pytest.mark.parametrize(
    "options", [{"export_animation_mode": "SCENE"}, {"export_bake_animation": True}]
)
def test_bodies_move_in_the_file_as_in_the_scene(
    options: dict[str, object], repository, tmp_path
) -> None:
    robot = repository / "omi_joints_addon" / "examples" / "arm.urdf"
    assert bpy.ops.omi.scene_import(filepath=str(robot)) == {"FINISHED"}
    scene, lift = bpy.context.scene, bpy.data.objects["lift"]
    select(lift)
    for frame, angle in ANGLES.items():
        lift.omi_position.about = (angle, angle, angle)  # one of them is free
        lift.omi_position.keyframe_insert("about", frame=frame)
    scene.frame_start, scene.frame_end = min(ANGLES), max(ANGLES)
    path = tmp_path / "arm.glb"
    bpy.ops.export_scene.gltf(filepath=str(path), **options)
    document = pygltflib.GLTF2().load(str(path))
    places = {
        document.nodes[channel.target.node].name: values(document, animation, channel)
        for animation in document.animations
        for channel in animation.channels
        if channel.target.path == "translation"
    }
    hand = bpy.data.objects["hand"]
    for frame, at in ((min(ANGLES), 0), (max(ANGLES), -1)):
        scene.frame_set(frame)
        place = hand.matrix_local.translation
        assert places["hand"][at] == pytest.approx((place.x, place.z, -place.y), abs=1e-4)
    assert np.ptp(places["hand"], axis=0).max() > 0.05


def values(document: pygltflib.GLTF2, animation, channel) -> np.ndarray:
    """Return what a channel is at each of its keys, shape (n, 3)."""
    accessor = document.accessors[animation.samplers[channel.sampler].output]
    view = document.bufferViews[accessor.bufferView]
    blob = document.binary_blob()[view.byteOffset :][: view.byteLength]
    return np.frombuffer(blob, np.float32)[: 3 * accessor.count].reshape(-1, 3)
