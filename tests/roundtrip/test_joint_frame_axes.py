"""Attachment frames: the same places and axes in Blender, in the file, and in Blender again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_joints_addon.authoring.frames import place_under
from tests.roundtrip.documents import (
    BODY,
    HINGE,
    JOINT,
    Y_UP,
    add,
    add_body,
    add_door,
    assert_same_frame,
    export,
    import_file,
    joint_nodes,
    joints,
    make_hinge,
    node_named,
    triangle,
    world,
    world_of,
    write,
)


def plain() -> None:
    add_door()


def parent_inverse() -> None:
    _wall, door, joint, connected = add_door()
    joint.matrix_parent_inverse = Matrix.Translation((1, 2, 3)) @ Matrix.Rotation(0.7, 4, "X")
    door.matrix_parent_inverse = Matrix.Rotation(0.4, 4, "Y")
    connected.matrix_parent_inverse = Matrix.Rotation(-1.1, 4, "Z")


def delta_transform() -> None:
    _wall, _door, joint, connected = add_door()
    joint.delta_location, joint.delta_rotation_euler = (0.5, 0, 1), (0.1, 0.2, 0.3)
    connected.delta_rotation_euler = (2, 0, 1)


def constraint() -> None:
    _wall, _door, joint, connected = add_door()
    connected.constraints.new("COPY_LOCATION").target = joint
    joint.constraints.new("COPY_ROTATION").target = connected


def scaled_parents() -> None:
    wall, door, _joint, connected = add_door()
    wall.scale, door.scale, connected.scale = (2, 2, 2), (0.5, 0.5, 0.5), (1, 2, 3)


def uneven_scale_of_upright_bodies() -> None:
    wall, door, joint, connected = add_door()
    for obj in (wall, door, joint, connected):
        obj.rotation_euler = (0, 0, 0)
    wall.scale, door.scale, joint.scale = (1, 2, 3), (3, 1, 0.5), (2, 1, 4)


def oblique_on_unevenly_scaled_bodies() -> None:
    wall, door, joint, connected = add_door()
    wall.scale, door.scale = (0.1, 0.7, 2.1), (0.9, 0.05, 2.0)
    bpy.context.view_layer.update()
    place = Matrix.Translation((1.3, 0.2, 0.7)) @ Matrix.Rotation(0.6, 4, (0.3, 0.9, 0.1))
    for frame, body in ((joint, door), (connected, wall)):
        place_under(frame, body, place)
    add("Kid", triangle(), parent=joint, location=(1, 2, 3))


def children_below() -> None:
    _wall, _door, joint, connected = add_door()
    kid = add("Kid", triangle(), parent=joint, location=(1, 2, 3), scale=(1, 2, 3))
    add("Grandkid", triangle(), parent=kid, location=(3, 2, 1), rotation_euler=(1, 2, 3))
    add("Lamp", bpy.data.lights.new("Lamp", "SPOT"), parent=connected, rotation_euler=(1, 1, 0))


def frame_below_frame() -> None:
    wall, _door, joint, _connected = add_door()
    below = add("Below", parent=joint, location=(0, 1, 0), rotation_euler=(0, 1, 1))
    make_hinge(below, add("Other", parent=wall, location=(0, 0, 2)))


def mesh_connected() -> None:
    _wall, _door, joint, _connected = add_door()
    mesh = add_body("Block", "STATIC", data=triangle(), location=(3, 1, 0), scale=(1, 2, 3))
    mesh.rotation_euler = (1, 2, 3)
    joint.omi_joint.connected_object = mesh


def joint_on_mesh() -> None:
    _wall, door, _joint, connected = add_door()
    make_hinge(add("Panel", triangle(), parent=door, rotation_euler=(3, 2, 1)), connected)


def body_connected() -> None:
    wall, _door, joint, _connected = add_door()
    joint.omi_joint.connected_object = wall


def camera_connected() -> None:
    wall, _door, joint, _connected = add_door()
    camera = add("Camera", bpy.data.cameras.new("Camera"), parent=wall, rotation_euler=(1, 0, 2))
    joint.omi_joint.connected_object = camera


def light_connected() -> None:
    wall, _door, joint, _connected = add_door()
    light = add("Lamp", bpy.data.lights.new("Lamp", "SPOT"), parent=wall, rotation_euler=(1, 0, 2))
    joint.omi_joint.connected_object = light


def instancer_connected() -> None:
    wall, _door, joint, _connected = add_door()
    collection = bpy.data.collections.new("Parts")
    collection.objects.link(bpy.data.objects.new("Part", triangle()))
    collection.instance_offset = (1, 2, 3)
    instancer = add("Parts", parent=wall, rotation_euler=(1, 0, 2))
    instancer.instance_type, instancer.instance_collection = "COLLECTION", collection
    joint.omi_joint.connected_object = instancer


def add_armature(parent: Any) -> Any:
    """Return an armature of two bones, the upper one posed."""
    armature = add("Rig", bpy.data.armatures.new("Rig"), parent=parent, location=(0, 0, 1))
    armature.rotation_euler = (0.3, 0.5, 0.1)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    lower = armature.data.edit_bones.new("Lower")
    lower.head, lower.tail = (0, 0, 0), (0, 0.3, 1)
    upper = armature.data.edit_bones.new("Upper")
    upper.head, upper.tail, upper.parent = (0, 0.3, 1), (0.5, 0, 2), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones["Upper"].rotation_mode = "XYZ"
    armature.pose.bones["Upper"].rotation_euler = (0.5, 0.2, 0.9)
    return armature


def armature_connected() -> None:
    wall, _door, joint, _connected = add_door()
    joint.omi_joint.connected_object = add_armature(wall)


def bone_parents() -> None:
    wall, door, joint, connected = add_door()
    for obj, parent in ((joint, door), (connected, wall)):
        obj.parent, obj.parent_type, obj.parent_bone = add_armature(parent), "BONE", "Upper"
    add("Kid", triangle(), parent=joint, location=(1, 2, 3))


CASES = [
    plain,
    parent_inverse,
    delta_transform,
    constraint,
    scaled_parents,
    uneven_scale_of_upright_bodies,
    oblique_on_unevenly_scaled_bodies,
    children_below,
    frame_below_frame,
    mesh_connected,
    joint_on_mesh,
    body_connected,
    camera_connected,
    light_connected,
    instancer_connected,
    armature_connected,
    bone_parents,
]
EVERYTHING = {
    "export_cameras": True,
    "export_lights": True,
    # Otherwise Blender writes posed armatures, and what hangs from them, in their rest pose.
    "export_rest_position_armature": False,
}


@pytest.mark.parametrize("is_y_up", [True, False], ids=["y_up", "z_up"])
@pytest.mark.parametrize("author", CASES)
def test_frames_are_the_same_in_the_file_and_after_import(
    author: Callable[[], None], is_y_up: bool, tmp_path: Path
) -> None:
    author()
    authored = [
        (world_of(obj), world_of(obj.omi_joint.connected_object))
        for obj in bpy.context.scene.objects
        if obj.omi_joint.enabled
    ]
    others = {
        obj.name: world_of(obj)
        for obj in bpy.context.scene.objects
        if obj.type == "MESH" and obj.name != "Part"
    }
    document = export(tmp_path, export_yup=is_y_up, **EVERYTHING)
    to_file = Y_UP if is_y_up else np.eye(4)

    written = [(index, joint["connectedNode"]) for index, joint in joint_nodes(document)]
    assert len(written) == len(authored)
    for ends in written:
        found = [world(document, end) for end in ends]
        assert any(
            np.allclose(found[0][:3, 3], (to_file @ pair[0])[:3, 3], atol=1e-4) for pair in authored
        )
        pair = min(authored, key=lambda pair: np.abs(to_file @ pair[0] - found[0]).max())
        for end, frame in zip(found, pair, strict=True):
            assert_same_frame(end, to_file @ frame)
    for name, matrix in others.items():
        index = document["nodes"].index(node_named(document, name))
        assert np.allclose(world(document, index), to_file @ matrix @ to_file.T, atol=1e-5)
    assert all(joint["joint"] == HINGE for joint in joints(document).values())

    import_file(tmp_path / "file.gltf")
    # The importer takes every file as Y up.
    back = Y_UP.T @ to_file
    for obj in [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]:
        found = [world_of(obj), world_of(obj.omi_joint.connected_object)]
        pair = min(authored, key=lambda pair: np.abs(back @ pair[0] - found[0]).max())
        for end, frame in zip(found, pair, strict=True):
            assert_same_frame(end, back @ frame)


@pytest.mark.parametrize("author", CASES)
def test_second_export_is_the_first(author: Callable[[], None], tmp_path: Path) -> None:
    author()
    first = export(tmp_path, **EVERYTHING)
    import_file(tmp_path / "file.gltf")
    second = export(tmp_path, **EVERYTHING)
    assert joints(second) == joints(first)
    assert len(second["nodes"]) == len(first["nodes"])


FOREIGN = {
    "mesh": {"mesh": 0},
    "camera": {"camera": 0},
    "light": {"extensions": {"KHR_lights_punctual": {"light": 0}}},
    "body": {"extensions": {BODY: {"motion": {"type": "dynamic"}}}},
    "mesh and camera": {"mesh": 0, "camera": 0},
    "empty": {},
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_joint_on_a_node_with_data_is_read_and_written_back(kind: str, tmp_path: Path) -> None:
    source = _foreign_file(tmp_path, FOREIGN[kind])
    import_file(source)
    (joint,) = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    document = _foreign_document(FOREIGN[kind])
    for obj, index in ((joint, 1), (joint.omi_joint.connected_object, 2)):
        assert_same_frame(Y_UP @ world_of(obj), world(document, index))

    for _ in range(2):
        written = export(tmp_path, **EVERYTHING)
        assert joints(written) == joints(document)
        assert len(written["nodes"]) <= len(document["nodes"]) + ("and" in kind) * 2
        for index, _joint in joint_nodes(written):
            assert_same_frame(world(written, index), world(document, 1))
        import_file(tmp_path / "file.gltf")


def test_joint_on_a_bone_is_read_and_written_back(tmp_path: Path) -> None:
    document = _foreign_document({}) | {"skins": [{"joints": [1, 2]}]}
    import_file(write(tmp_path, document))
    (joint,) = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    assert joint.parent_type == "BONE"
    assert_same_frame(Y_UP @ world_of(joint), world(document, 1))
    written = export(tmp_path)
    assert joints(written) == joints(document)
    for index, _joint in joint_nodes(written):
        assert_same_frame(world(written, index), world(document, 1))


def _foreign_document(content: dict[str, Any]) -> dict[str, Any]:
    """Return a document with a joint and its connected node on nodes that have `content`."""
    placed = {"translation": [1, 2, 3], "rotation": [0.5, 0.5, -0.5, 0.5]}
    extensions = content.get("extensions", {})
    joint = {JOINT: {"joint": 0, "connectedNode": 2, "enableCollision": True}}
    return {
        "extensionsUsed": [JOINT, BODY, "KHR_lights_punctual"],
        "extensions": {
            JOINT: {"physicsJoints": [HINGE]},
            "KHR_lights_punctual": {"lights": [{"type": "point"}]},
        },
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "Root", "children": [1, 2], "translation": [0, 1, 0]},
            placed | content | {"name": "A", "extensions": extensions | joint},
            placed | content | {"name": "B", "children": [3], "scale": [2, 2, 2]},
            {"name": "C", "translation": [0, 0, 1]},
        ],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
    }


def _foreign_file(folder: Path, content: dict[str, Any]) -> Path:
    """Write such a document; its mesh is what Blender writes of a triangle."""
    add("Triangle", triangle())
    made = export(folder, "triangle.gltf")
    bpy.ops.wm.read_homefile(use_empty=True)
    parts = {key: made[key] for key in ("meshes", "accessors", "bufferViews", "buffers")}
    return write(folder, _foreign_document(content) | parts)
