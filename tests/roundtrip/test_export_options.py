"""Frames are where they are in Blender whatever the options of its exporter are.

Every option that the exporter has is named here, so that a new one is noticed.
"""

import json
import random
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from tests.cases import cases
from tests.roundtrip.documents import (
    BODY,
    Y_UP,
    add,
    add_body,
    add_door,
    axes_and_place,
    joint_nodes,
    make_hinge,
    parents,
    triangle,
    world,
    world_of,
)
from tests.roundtrip.exporter_options import KNOWN, Options, options_of_the_exporter, values_of

CASES = cases(15, 500)
Frames = dict[str, np.ndarray]
"""Frames of each joint by its name, shape (2, 4, 4), without scale."""


def single_values() -> Iterator[tuple[str, Any]]:
    """Yield every option with each of its other values."""
    for name, option in options_of_the_exporter().items():
        for value in values_of(option):
            yield name, value


def author() -> None:
    """Add hinges between bodies of all kinds: moved, scaled, skinned, instanced, on bones."""
    wall, door, _joint, _connected = add_door()
    add("Handle", triangle(), parent=door, location=(0.1, 0.2, 0.3))
    door.keyframe_insert("location", frame=10)
    door.location.x += 1.0
    door.keyframe_insert("location", frame=20)
    door.location.x -= 1.0
    big = add_body("Big", "DYNAMIC", data=triangle(), location=(5, 6, 7), scale=(2, 2, 2))
    make_hinge(add("Big Joint", parent=big, rotation_euler=(1, 2, 3)), wall)

    rig = add_rig(wall)
    skin = add_body("Skin", "DYNAMIC", data=triangle(), parent=rig, location=(0.4, 0.3, 0.2))
    skin.rotation_euler = (0.3, 0.2, 0.1)
    skin.vertex_groups.new(name="Bone").add([0, 1, 2], 1.0, "REPLACE")
    skin.modifiers.new("Rig", "ARMATURE").object = rig
    on_bone = add("On Bone", parent=rig, parent_type="BONE", parent_bone="Bone")
    make_hinge(add("Skin Joint", parent=skin, location=(0.2, 0.1, 0.7)), on_bone)
    loose = add_body("Loose Skin", "DYNAMIC", data=skin.data, parent=wall, location=(1, 2, 1))
    loose.vertex_groups.new(name="Bone")
    loose.modifiers.new("Rig", "ARMATURE").object = rig
    holder = add("Holder", parent=loose, rotation_euler=(0.5, 0.6, 0.7))
    make_hinge(add("Loose Joint", parent=holder, location=(0.2, 0.1, 0.7)), wall)

    scene = bpy.context.scene.collection
    everything = bpy.data.collections.new("All")
    scene.children.link(everything)
    for obj in list(scene.objects):
        everything.objects.link(obj)
        scene.objects.unlink(obj)
        obj.select_set(True)
    add_instance(everything)
    bpy.context.view_layer.update()


def add_instance(collection: Any) -> None:
    """Add an instance of a wall with a hinge, moved and turned, to a collection."""
    parts = bpy.data.collections.new("Parts")
    wall, leaf = add_body("Part Wall", "STATIC"), add_body("Leaf", "DYNAMIC", location=(1, 0, 0))
    frame = add("Leaf Frame", parent=wall, rotation_euler=(0.2, 0.4, 0.6))
    make_hinge(add("Leaf Joint", parent=leaf, location=(-1, 0, 0)), frame)
    for obj in (wall, leaf, frame, bpy.data.objects["Leaf Joint"]):
        parts.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    instance = add("Instance", location=(9, 8, 7), rotation_euler=(0.7, 0.8, 0.9))
    instance.instance_type, instance.instance_collection = "COLLECTION", parts
    instance.select_set(True)
    collection.objects.link(instance)
    bpy.context.scene.collection.objects.unlink(instance)


def add_rig(parent: Any) -> Any:
    """Return an armature of one bone."""
    rig = add("Rig", bpy.data.armatures.new("Rig"), parent=parent, location=(0, 0, 1))
    rig.rotation_euler = (0.3, 0.5, 0.1)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("Bone")
    bone.head, bone.tail = (0, 0, 0), (0, 0.3, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def export_with(folder: Path, options: Options) -> dict[str, Any]:
    """Export with some options and return the document as it was written."""
    chosen = {"export_format": "GLTF_SEPARATE"} | options
    ending = "glb" if chosen["export_format"] == "GLB" else "gltf"
    target = folder / f"file.{ending}"
    assert bpy.ops.export_scene.gltf(filepath=str(target), **chosen) == {"FINISHED"}
    data = target.read_bytes()
    if ending == "gltf":
        return json.loads(data)
    (length,) = struct.unpack("<I", data[12:16])
    return json.loads(data[20 : 20 + length])


def authored_frames() -> Frames:
    """Return the frames of each joint in Blender's world."""
    instance = bpy.data.objects["Instance"]
    found = {}
    for joint in [obj for obj in bpy.data.objects if obj.omi_joint.enabled]:
        ends = (joint, joint.omi_joint.connected_object)
        is_part = joint.name not in bpy.context.scene.objects
        worlds = [world_of(instance) @ place_of(end) if is_part else world_of(end) for end in ends]
        found[joint.name] = np.array([axes_and_place(matrix) for matrix in worlds])
    return found


def place_of(obj: Any) -> np.ndarray:
    """Return the world matrix of an object of no scene, which Blender does not update."""
    matrix = np.array(obj.matrix_basis)
    return matrix if obj.parent is None else place_of(obj.parent) @ matrix


def assert_frames(document: dict[str, Any], options: Options, authored: Frames) -> None:
    """Assert that each joint has its frames, below a body each."""
    to_file = Y_UP if options.get("export_yup", True) else np.eye(4)
    shift = np.eye(4)
    if options.get("collection") and options.get("at_collection_center"):
        # All is moved alike; the handle tells by how much.
        handle = next(n for n, node in enumerate(document["nodes"]) if node["name"] == "Handle")
        expected = to_file @ world_of(bpy.data.objects["Handle"])
        shift[:3, 3] = world(document, handle)[:3, 3] - expected[:3, 3]
    wanted = {name: shift @ to_file @ pair for name, pair in authored.items()}
    if options.get("export_hierarchy_full_collections") and bpy.app.version < (5, 2):
        # Blender 4.5 to 5.1 write no contents of instances then.
        del wanted["Leaf Joint"]
    removing = {"export_hierarchy_flatten_bones", "export_armature_object_remove"}
    if removing <= {*options} and "On Bone" not in names_of(document):
        # Blender leaves objects on bones out then, unless it flattens objects too.
        del wanted["Skin Joint"]
    if options.get("use_active_collection") and not options.get(
        "use_active_collection_with_nested", True
    ):
        # All objects are in a collection below the active one.
        assert "nodes" not in document
        return
    above = parents(document)
    found = [(node, joint["connectedNode"]) for node, joint in joint_nodes(document)]
    assert len(found) == len(wanted)
    for ends in found:
        frames = np.array([axes_and_place(world(document, end)) for end in ends])
        assert min(np.abs(frames - pair).max() for pair in wanted.values()) < 1e-5
        assert all(is_on_body(document, end, above) for end in ends)


def names_of(document: dict[str, Any]) -> set[str]:
    return {node["name"] for node in document.get("nodes", ())}


def is_on_body(document: dict[str, Any], node: int, above: dict[int, int]) -> bool:
    while node >= 0:
        if "motion" in document["nodes"][node].get("extensions", {}).get(BODY, {}):
            return True
        node = above.get(node, -1)
    return False


def test_every_option_of_the_exporter_is_known():
    found = set(options_of_the_exporter())
    only_new = {"export_meshopt_compression_enable", "export_meshopt_extension"}
    assert found == KNOWN - (only_new if bpy.app.version < (5, 2) else set())


def failures(folder: Path, chosen: Iterable[Options]) -> list[str]:
    """Return the options, of those to try, with which a frame is not where it should be."""
    author()
    authored = authored_frames()
    found = []
    for options in chosen:
        bpy.context.scene.frame_set(1)
        try:
            document = export_with(folder, options)
            # The exporter may leave another frame of the animation behind.
            bpy.context.scene.frame_set(1)
            assert_frames(document, options, authored)
        except (AssertionError, RuntimeError) as error:
            if isinstance(error, AssertionError) or not is_refused_by_blender(folder, options):
                found.append(f"{options}: {error}".partition("\n")[0])
    return found


def is_refused_by_blender(folder: Path, options: Options) -> bool:
    """Return whether Blender's exporter fails without the add-on too."""

    def nothing(name: str) -> Any:
        raise AttributeError(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("omi_joints_addon.__getattr__", nothing)
        try:
            export_with(folder, options)
        except RuntimeError:
            return True
    return False


def test_frames_are_right_with_each_value_of_each_option(tmp_path):
    assert failures(tmp_path, ({name: value} for name, value in single_values())) == []


DURING = ({}, {"export_current_frame": True}, {"export_apply": True}, {"export_gn_mesh": True})


@pytest.mark.parametrize("options", [*DURING, {"export_hierarchy_flatten_objs": True}])
def test_frames_are_those_at_rest_while_a_preview_runs(tmp_path, options):
    author()
    authored = authored_frames()
    at_rest = export_with(tmp_path, options)["nodes"]
    bpy.context.scene.frame_set(1)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    try:
        for _ in range(12):
            preview.tick(bpy.context)
        graph = bpy.context.evaluated_depsgraph_get()
        shown = np.array(bpy.data.objects["Big"].evaluated_get(graph).matrix_world)
        assert np.abs(shown[:3, 3] - (5, 6, 7)).max() > 0.01
        document = export_with(tmp_path, options)
    finally:
        stop()
    assert_frames(document, options, authored)
    assert document["nodes"] == at_rest


def test_frames_below_loose_skins_move_with_the_center_of_a_collection(tmp_path):
    """A skinned mesh that lost its armature as its parent is written without place."""
    together = ("export_hierarchy_flatten_objs", "at_collection_center")
    options = dict.fromkeys(together, True) | {"collection": "All"}
    assert failures(tmp_path, [options]) == []


@pytest.mark.attack
def test_frames_are_right_with_several_options_at_once(tmp_path, tally):
    every = list(single_values())
    sources = map(random.Random, range(CASES))
    chosen = [dict(source.sample(every, source.randrange(2, 9))) for source in sources]
    for number in range(CASES):
        tally.add("exports with several options", number)
    assert failures(tmp_path, chosen) == []
