"""Animation and attachment frames: what is below a frame moves on, the frame itself is at rest."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from tests.roundtrip.animations import animated_world, channels_of
from tests.roundtrip.documents import (
    Y_UP,
    add,
    add_door,
    assert_same_frame,
    export,
    joint_nodes,
    joints,
    parents,
    popups,
    triangle,
    world,
    world_of,
)


def animate(obj: Any) -> None:
    """Move and turn an object from frame 1 to frame 11."""
    obj.rotation_mode = "XYZ"
    for frame, place, turn in ((1, (0, 0, 0), 0.0), (11, (1, 2, 3), 1.2)):
        obj.location, obj.rotation_euler = place, (turn, turn / 2, 0.3)
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)


MODES = ["ACTIONS", "SCENE"]


@pytest.mark.parametrize("mode", MODES)
def test_children_of_a_frame_move_as_in_blender(mode: str, tmp_path: Path) -> None:
    _wall, _door, joint, connected = add_door()
    kid = add("Kid", triangle(), parent=joint)
    add("Grandkid", triangle(), parent=kid, location=(0, 0, 1))
    animate(kid)
    kid_of_connected = add("Other", triangle(), parent=connected)
    animate(kid_of_connected)
    document = export(tmp_path, export_animation_mode=mode)
    for frame in (1, 6, 11):
        bpy.context.scene.frame_set(frame)
        for name in ("Kid", "Grandkid", "Other"):
            obj = bpy.data.objects[name]
            index = [node["name"] for node in document["nodes"]].index(name)
            found = animated_world(document, tmp_path, index, frame / 24)
            assert np.allclose(found, Y_UP @ world_of(obj) @ Y_UP.T, atol=1e-4)
    bpy.context.scene.frame_set(1)
    ((index, written),) = joint_nodes(document)
    assert_same_frame(world(document, index), Y_UP @ world_of(joint))
    assert_same_frame(world(document, written["connectedNode"]), Y_UP @ world_of(connected))


@pytest.mark.parametrize("mode", MODES)
def test_animation_of_a_frame_is_dropped_with_a_warning(
    mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wall, door, joint, connected = add_door()
    animate(joint)
    animate(door)
    bpy.context.scene.frame_set(1)
    document = export(tmp_path, export_animation_mode=mode)
    ((index, written),) = joint_nodes(document)
    assert channels_of(document, index) == []
    assert channels_of(document, parents(document)[index]) != []
    assert_same_frame(world(document, index), Y_UP @ world_of(joint))
    assert_same_frame(world(document, written["connectedNode"]), Y_UP @ world_of(connected))
    (warning,) = popups(capsys)
    assert "OMI-J440" in warning
    assert "Joint" in warning


def test_animation_of_a_frame_with_children_stays_theirs(tmp_path: Path) -> None:
    _wall, door, joint, _connected = add_door()
    animate(joint)
    add("Kid", triangle(), parent=joint, location=(0, 1, 0))
    bpy.context.scene.frame_set(1)
    document = export(tmp_path)
    ((index, _written),) = joint_nodes(document)
    names = [node["name"] for node in document["nodes"]]
    assert names[parents(document)[index]] == door.name
    assert channels_of(document, index) == []
    assert_same_frame(world(document, index), Y_UP @ world_of(joint))
    bpy.context.scene.frame_set(11)
    found = animated_world(document, tmp_path, names.index("Kid"), 11 / 24)
    assert np.allclose(found, Y_UP @ world_of(bpy.data.objects["Kid"]) @ Y_UP.T, atol=1e-4)


def test_an_animated_body_carries_its_frame(tmp_path: Path) -> None:
    wall, _door, joint, _connected = add_door()
    wall.omi_body.motion_type = "KINEMATIC"
    animate(wall)
    joint.omi_joint.connected_object = wall
    bpy.context.scene.frame_set(1)
    document = export(tmp_path)
    ((_index, written),) = joint_nodes(document)
    connected = written["connectedNode"]
    names = [node["name"] for node in document["nodes"]]
    assert names[parents(document)[connected]] == "Wall"
    bpy.context.scene.frame_set(11)
    found = animated_world(document, tmp_path, connected, 11 / 24)
    assert_same_frame(found, Y_UP @ world_of(wall))


def test_an_animated_part_of_a_body_leaves_its_frame_at_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall, _door, joint, _connected = add_door()
    handle = add("Handle", triangle(), parent=wall)
    animate(handle)
    joint.omi_joint.connected_object = handle
    bpy.context.scene.frame_set(1)
    document = export(tmp_path)
    ((_index, written),) = joint_nodes(document)
    names = [node["name"] for node in document["nodes"]]
    assert names[parents(document)[written["connectedNode"]]] == "Wall"
    assert channels_of(document, names.index("Handle")) != []
    assert_same_frame(world(document, written["connectedNode"]), Y_UP @ world_of(handle))
    (warning,) = popups(capsys)
    assert "OMI-J440" in warning
    assert "Handle" in warning


def test_import_of_animation_below_a_frame_keeps_it(tmp_path: Path) -> None:
    _wall, _door, joint, _connected = add_door()
    kid = add("Kid", parent=joint)
    animate(kid)
    add("Tip", triangle(), parent=kid, location=(0, 0, 1))
    expected = {}
    for frame in (1, 6, 11):
        bpy.context.scene.frame_set(frame)
        expected[frame] = world_of(bpy.data.objects["Tip"])
    bpy.context.scene.frame_set(1)
    first = export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    for frame, matrix in expected.items():
        bpy.context.scene.frame_set(frame)
        assert np.allclose(world_of(bpy.data.objects["Tip"]), matrix, atol=1e-4)
    bpy.context.scene.frame_set(1)
    assert joints(export(tmp_path)) == joints(first)
