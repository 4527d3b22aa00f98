"""Joints where one object is many nodes, nodes are merged or moved, or joints are many."""

from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.roundtrip.documents import (
    BODY,
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
    parents,
    popups,
    triangle,
    world,
    world_of,
)


def add_links(count: int, *, is_ring: bool) -> list[Any]:
    """Return joints between `count` bodies, all with the same settings."""
    bodies = [add_body(f"Link{n}", "DYNAMIC", location=(n, 0, 0)) for n in range(count)]
    pairs = list(zip(bodies, bodies[1:] + bodies[:1], strict=True))
    found = []
    for one, other in pairs if is_ring else pairs[:-1]:
        joint = add(f"Joint of {one.name}", parent=one)
        found.append(make_hinge(joint, add(f"Frame on {other.name}", parent=other)))
    return found


def into_collection(name: str, objects: list[Any]) -> Any:
    """Move objects into a new collection of no scene."""
    collection = bpy.data.collections.new(name)
    for obj in objects:
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    return collection


def add_instance(collection: Any, name: str, **values: Any) -> Any:
    """Return an instance of a collection."""
    instance = add(name, **values)
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    return instance


def top_of(document: dict[str, Any], node: int) -> str:
    """Return the name of the outermost node above a node, or of the node itself."""
    above = parents(document)
    while node in above:
        node = above[node]
    return document["nodes"][node]["name"]


@pytest.mark.parametrize("is_ring", [False, True])
def test_rope_and_ring_of_two_thousand(is_ring: bool, tmp_path: Path) -> None:
    count = len(add_links(2000, is_ring=is_ring))
    document = export(tmp_path)
    found = joints(document)
    assert len(found) == count == 2000 - (not is_ring)
    for name, joint in found.items():
        number = int(name.removeprefix("Joint of Link"))
        assert joint["connectedNode"] == f"Frame on Link{(number + 1) % 2000}"
    assert len(document["extensions"][JOINT]["physicsJoints"]) == 1


def test_each_instance_of_a_collection_is_jointed_within_itself(tmp_path: Path) -> None:
    objects = list(add_door())
    collection = into_collection("Doors", objects)
    collection.instance_offset = (1, 1, 0)
    for n in range(3):
        add_instance(collection, f"Instance{n}", location=(0, 10 * n, 0))
    document = export(tmp_path)
    found = list(joint_nodes(document))
    assert len(found) == 3
    tops = [top_of(document, index) for index, _joint in found]
    assert sorted(tops) == ["Instance0", "Instance1", "Instance2"]
    assert tops == [top_of(document, joint["connectedNode"]) for _index, joint in found]
    assert len({joint["joint"] for _index, joint in found}) == 1


def test_original_and_instance_are_jointed_within_themselves(tmp_path: Path) -> None:
    objects = list(add_door())
    collection = into_collection("Doors", objects)
    bpy.context.scene.collection.children.link(collection)
    add_instance(collection, "AInstance", location=(0, 10, 0))
    document = export(tmp_path)
    tops = {
        top_of(document, index): top_of(document, joint["connectedNode"])
        for index, joint in joint_nodes(document)
    }
    assert tops == {"AInstance": "AInstance", "Door": "Wall"}


def test_instances_nested_and_jointed_to_the_world(tmp_path: Path) -> None:
    wall, door, joint, connected = add_door()
    inner = into_collection("Inner", [door, joint])
    outer = into_collection("Outer", [add_instance(inner, "InnerInstance")])
    for n in range(2):
        add_instance(outer, f"Outer{n}", location=(0, 5 * n, 0))
    document = export(tmp_path)
    ends = [
        (top_of(document, index), top_of(document, joint["connectedNode"]))
        for index, joint in joint_nodes(document)
    ]
    assert sorted(ends) == [("Outer0", "Wall"), ("Outer1", "Wall")]
    assert {wall.name, connected.name} <= {node["name"] for node in document["nodes"]}


def test_frames_of_instances_are_where_the_instances_are(tmp_path: Path) -> None:
    _wall, _door, joint, connected = add_door()
    frames = world_of(joint), world_of(connected)
    into = into_collection("Doors", list(bpy.context.scene.objects))
    instance = add_instance(into, "Instance", location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3))
    document = export(tmp_path)
    ((index, written),) = joint_nodes(document)
    for node, frame in zip((index, written["connectedNode"]), frames, strict=True):
        assert_same_frame(world(document, node), Y_UP @ world_of(instance) @ frame)


def test_each_scene_is_jointed_within_itself(tmp_path: Path) -> None:
    objects = add_door()
    other = bpy.data.scenes.new("Other")
    for obj in objects:
        other.collection.objects.link(obj)
    document = export(tmp_path)
    found = list(joint_nodes(document))
    assert len(found) == 2
    roots = [set(scene["nodes"]) for scene in document["scenes"]]
    above = parents(document)

    def scene_of(node: int) -> int:
        while node in above:
            node = above[node]
        return [node in scene for scene in roots].index(True)

    assert {scene_of(index) for index, _joint in found} == {0, 1}
    for index, joint in found:
        assert scene_of(index) == scene_of(joint["connectedNode"])


def test_joint_whose_other_end_is_in_another_scene_only_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall, _door, _joint, connected = add_door()
    other = bpy.data.scenes.new("Other")
    for obj in (wall, connected):
        bpy.context.scene.collection.objects.unlink(obj)
        other.collection.objects.link(obj)
    document = export(tmp_path)
    assert list(joint_nodes(document)) == []
    (warning,) = popups(capsys)
    assert "OMI-J002 Joint" in warning
    assert "Connected" in warning


def test_gpu_instancing_merges_no_body_and_no_frame(tmp_path: Path) -> None:
    mesh = triangle()
    shelf = add("Shelf")
    for n in range(4):
        add(f"Book{n}", mesh, parent=shelf)
    room = add("Room")
    bodies = [add_body(f"Box{n}", "DYNAMIC", data=mesh, parent=room) for n in range(3)]
    joint = make_hinge(add("Joint", parent=bodies[0]), bodies[1])
    assert joint
    document = export(tmp_path, export_gpu_instances=True)
    names = [node["name"] for node in document["nodes"]]
    assert not any(name.startswith("Book") for name in names)
    assert "EXT_mesh_gpu_instancing" in node_named(document, "Shelf")["extensions"]
    for body in bodies:
        assert BODY in node_named(document, body.name)["extensions"]
    ((_index, written),) = joint_nodes(document)
    assert names[parents(document)[written["connectedNode"]]] == "Box1"


def test_flattened_hierarchy_keeps_frames_below_their_bodies(tmp_path: Path) -> None:
    wall, door, joint, connected = add_door()
    holder = add("Holder", parent=door, location=(1, 0, 0), rotation_euler=(0, 1, 0))
    joint.parent = holder
    add("Loose", triangle(), parent=holder)
    frames = world_of(joint), world_of(connected)
    document = export(tmp_path, export_hierarchy_flatten_objs=True)
    names = [node["name"] for node in document["nodes"]]
    above = {names[child]: names[parent] for child, parent in parents(document).items()}
    assert above == {"Joint": door.name, "Connected": wall.name}
    assert sorted(document["scenes"][0]["nodes"]) == sorted(
        names.index(name) for name in ("Wall", "Door", "Holder", "Loose")
    )
    ((index, written),) = joint_nodes(document)
    for node, frame in zip((index, written["connectedNode"]), frames, strict=True):
        assert_same_frame(world(document, node), Y_UP @ frame)
    import_file(tmp_path / "file.gltf")
    assert bpy.data.objects["Joint"].omi_joint.connected_object.name == "Connected"


def test_full_collection_hierarchy_keeps_frames_of_another_collection_below_their_bodies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall, door, joint, connected = add_door()
    for name, objects in (("A Joints", [joint, connected]), ("Bodies", [wall, door])):
        bpy.context.scene.collection.children.link(into_collection(name, objects))
    frames = world_of(joint), world_of(connected)
    document = export(tmp_path, export_hierarchy_full_collections=True)
    names = [node["name"] for node in document["nodes"]]
    above = {names[child]: names[parent] for child, parent in parents(document).items()}
    assert (above["Joint"], above["Connected"]) == ("Door", "Wall")
    assert popups(capsys) == []
    ((index, written),) = joint_nodes(document)
    for node, frame in zip((index, written["connectedNode"]), frames, strict=True):
        assert_same_frame(world(document, node), Y_UP @ frame)


def test_full_collection_hierarchy(tmp_path: Path) -> None:
    wall, door, joint, connected = add_door()
    for name, objects in (("Left", [wall, connected]), ("Right", [door, joint])):
        bpy.context.scene.collection.children.link(into_collection(name, objects))
    frames = world_of(joint), world_of(connected)
    document = export(tmp_path, export_hierarchy_full_collections=True)
    ((index, written),) = joint_nodes(document)
    for node, frame in zip((index, written["connectedNode"]), frames, strict=True):
        assert_same_frame(world(document, node), Y_UP @ frame)


def test_collection_exporter_centres_frames_with_the_rest(tmp_path: Path) -> None:
    objects = list(add_door())
    objects[3].parent = None
    frames = [world_of(obj) for obj in objects[2:]]
    collection = into_collection("Doors", objects)
    bpy.context.scene.collection.children.link(collection)
    document = export(tmp_path, collection="Doors", at_collection_center=True)
    ((index, written),) = joint_nodes(document)
    found = [world(document, node) for node in (index, written["connectedNode"])]
    shift = found[0][:3, 3] - (Y_UP @ frames[0])[:3, 3]
    for node, frame in zip(found, frames, strict=True):
        expected = Y_UP @ frame
        expected[:3, 3] += shift
        assert_same_frame(node, expected)
