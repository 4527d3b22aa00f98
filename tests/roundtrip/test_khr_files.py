"""KHR_physics_rigid_bodies and joints of 2023 through Blender."""

import json
import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from tests.roundtrip.body_meaning import meaning
from tests.roundtrip.documents import (
    HINGE,
    JOINT,
    add,
    add_body,
    add_door,
    assert_same_frame,
    axes_and_place,
    export,
    import_file,
    joints,
    make_hinge,
    node_named,
    parents,
    popups,
    triangle,
    world,
    write,
)
from tests.schemas import registry, schema_errors

KHR, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
OMI = {JOINT, "OMI_physics_body", "OMI_physics_shape"}


@pytest.fixture(scope="module")
def schemas(corpus: Path) -> Any:
    return registry(corpus.parent / "spec" / "schema")


def export_as(folder: Path, *dialects: str, name: str = "file.gltf") -> dict[str, Any]:
    """Export all in some dialects and return the document as it was written."""
    bpy.context.scene.omi_gltf.export_dialects = set(dialects)
    return export(folder, name)


def extensions_in(document: dict[str, Any]) -> set[str]:
    """Return the physics extensions that a document declares or uses."""
    owners = [document, *document["nodes"]]
    used = {name for owner in owners for name in owner.get("extensions", {})}
    assert used <= set(document.get("extensionsUsed", ()))
    assert not document.get("extensionsRequired")
    return set(document.get("extensionsUsed", ())) & (OMI | {KHR, SHAPES})


def json_of_glb(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[12:16])
    return json.loads(data[20 : 20 + length])


def khr_parts(document: dict[str, Any], part: str) -> list[tuple[np.ndarray, Any]]:
    """Return what each node says of a part, with its place, in the order of places in the world.

    References are replaced by what they mean and boxes take the scale of their node, which the
    exporter writes as nodes of their own without scale.
    """
    root = document["extensions"][KHR]
    found = []
    for index, node in enumerate(document["nodes"]):
        said = dict(node.get("extensions", {}).get(KHR, {}).get(part, {}))
        if not said:
            continue
        places = [world(document, index)]
        if part == "joint":
            places.append(world(document, said.pop("connectedNode")))
            said["joint"] = _settings(root["physicsJoints"][said["joint"]])
        elif part == "collider":
            shape = document["extensions"][SHAPES]["shapes"][said.pop("geometry")["shape"]]
            scale = np.linalg.norm(places[0][:3, :3], axis=0)
            said["size"] = np.round(np.array(shape["box"]["size"]) * scale, 5).tolist()
            said["physicsMaterial"] = {"restitution": 0} | root["physicsMaterials"][
                said["physicsMaterial"]
            ]
            said["collisionFilter"] = root["collisionFilters"][said["collisionFilter"]]
        found.append((np.array([axes_and_place(matrix) for matrix in places]), said))
    return sorted(found, key=lambda item: tuple(np.round(item[0][0][:3, 3], 3)))


def _settings(value: dict[str, Any]) -> dict[str, Any]:
    """Return joint settings whose axes ascend: which axes are limited is a set."""
    limits = [
        {key: sorted(member) if "Axes" in key else member for key, member in limit.items()}
        for limit in value.get("limits", ())
    ]
    return value | {"limits": limits}


class TestExport:
    def test_one_dialect_is_written_unless_both_are_wanted(self, tmp_path, schemas):
        add_door()
        assert extensions_in(export_as(tmp_path, "OMI")) == {JOINT, "OMI_physics_body"}
        khr = export_as(tmp_path, "KHR")
        assert extensions_in(khr) == {KHR}
        both = export_as(tmp_path, "OMI", "KHR")
        assert extensions_in(both) == {JOINT, "OMI_physics_body", KHR}
        assert extensions_in(export_as(tmp_path)) == set()
        assert [schema_errors(document, schemas) for document in (khr, both)] == [[], []]

    def test_both_dialects_share_nodes_and_indices(self, tmp_path):
        add_door()
        document = export_as(tmp_path, "OMI", "KHR")
        joint = node_named(document, "Joint")["extensions"]
        assert joint[KHR]["joint"] == joint[JOINT]
        assert document["extensions"][KHR]["physicsJoints"] == [HINGE]
        door = node_named(document, "Door")["extensions"]
        assert door[KHR] == {"motion": {"mass": 1}}
        assert door["OMI_physics_body"] == {"motion": {"type": "dynamic"}}
        wall = node_named(document, "Wall")["extensions"]
        assert KHR not in wall

    def test_joint_to_the_world_gets_a_static_body_in_omi_only(self, tmp_path, schemas):
        door = add_body("Door", "DYNAMIC", location=(1, 2, 3))
        connected = add("Connected", location=(3, 2, 1), rotation_euler=(0.1, 0.2, 0.3))
        make_hinge(add("Joint", parent=door), connected)
        khr = export_as(tmp_path, "KHR")
        assert [node["name"] for node in khr["nodes"]] == ["Connected", "Door", "Joint"] or {
            node["name"] for node in khr["nodes"]
        } == {"Connected", "Door", "Joint"}
        omi = export_as(tmp_path, "OMI")
        anchor = node_named(omi, "Connected World Anchor")
        assert anchor["extensions"] == {"OMI_physics_body": {"motion": {"type": "static"}}}
        index = next(i for i, node in enumerate(omi["nodes"]) if node["name"] == "Connected")
        other = next(i for i, node in enumerate(khr["nodes"]) if node["name"] == "Connected")
        assert anchor["children"] == [index]
        assert world(omi, index) == pytest.approx(world(khr, other))
        assert schema_errors(omi, schemas) == schema_errors(khr, schemas) == []

    def test_joint_below_either_body_is_right_in_khr(self, tmp_path, capsys):
        # OMI wants it below the dynamic one.
        _wall, door, joint, connected = add_door()
        joint.omi_joint.enabled = False
        make_hinge(connected, joint)
        export_as(tmp_path, "KHR")
        assert popups(capsys) == []
        export_as(tmp_path, "OMI", "KHR")
        assert any("OMI-J005 Connected" in line for line in popups(capsys))
        door.omi_body.motion_type = "STATIC"
        export_as(tmp_path, "KHR")
        assert any("OMI-J005 Connected" in line for line in popups(capsys))

    def test_joint_to_a_collider_without_motion_makes_that_static_in_omi(self, tmp_path):
        wall = add("Wall")
        wall.omi_body.collider.source = "CUSTOM"
        wall.omi_body.collider.shape.type = "BOX"
        door = add_body("Door", "DYNAMIC")
        make_hinge(add("Joint", parent=door), add("Connected", parent=wall))
        document = export_as(tmp_path, "OMI", "KHR")
        assert "World Anchor" not in json.dumps(document)
        body = node_named(document, "Wall")["extensions"]
        assert body["OMI_physics_body"]["motion"] == {"type": "static"}
        assert list(body[KHR]) == ["collider"]

    @pytest.mark.parametrize("is_alone", [True, False])
    def test_mesh_shape_is_the_geometry_of_a_node(self, tmp_path, is_alone, schemas):
        body = add_body("Body", "STATIC", data=triangle())
        body.omi_body.collider.source = "CUSTOM"
        body.omi_body.collider.shape.type = "TRIMESH"
        if not is_alone:
            add("Child", triangle("Other"), parent=body)
        document = export_as(tmp_path, "KHR")
        assert schema_errors(document, schemas) == []
        geometry = node_named_or_last(document, "Body")["extensions"][KHR]["collider"]["geometry"]
        node = document["nodes"][geometry["node"]]
        assert node["mesh"] == node_named_or_last(document, "Body")["mesh"]
        assert "children" not in node
        shown = document["scenes"][0]["nodes"] + list(parents(document))
        assert (geometry["node"] in shown) == is_alone
        import_file(tmp_path / "file.gltf")
        assert {obj.name for obj in bpy.data.objects} == {"Body"} | (
            set() if is_alone else {"Child"}
        )
        shape = bpy.data.objects["Body"].omi_body.collider.shape
        assert (shape.type, len(bpy.data.meshes)) == ("TRIMESH", 1 if is_alone else 2)
        # No node for a mesh is added twice.
        assert len(export_as(tmp_path, "KHR", name="again.gltf")["nodes"]) == len(document["nodes"])

    @pytest.mark.parametrize("as_collection", [True, False])
    def test_nodes_that_lend_meshes_stay_out_of_scenes(self, tmp_path, as_collection):
        body = add_body("Body", "STATIC", data=triangle())
        body.omi_body.collider.source = "CUSTOM"
        body.omi_body.collider.shape.type = "TRIMESH"
        add("Child", triangle("Other"), parent=body)
        document = export_as(tmp_path, "KHR")
        # As others write them: named, moved, and before other nodes.
        lent = document["nodes"][-1]
        assert set(lent) == {"mesh"}
        lent |= {"name": "Hull", "translation": [1, 2, 3]}
        document["nodes"].append({"name": "Nobody's"})
        (tmp_path / "file.gltf").write_text(json.dumps(document))
        import_file(tmp_path / "file.gltf", import_scene_as_collection=as_collection)
        assert {obj.name for obj in bpy.data.objects} == {"Body", "Child", "Nobody's"}
        bpy.data.objects.remove(bpy.data.objects["Nobody's"])
        again = export_as(tmp_path, "KHR", name="again.gltf")
        shown = again["scenes"][0]["nodes"] + list(parents(again))
        assert [again["nodes"][index].get("name") for index in again["scenes"][0]["nodes"]] == [
            "Body"
        ]
        geometry = node_named_or_last(again, "Body")["extensions"][KHR]["collider"]["geometry"]
        assert geometry["node"] not in shown
        assert "mesh" in again["nodes"][geometry["node"]]


def node_named_or_last(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a node by name, where others may have none."""
    return next(node for node in document["nodes"] if node.get("name") == name)


class TestOfficialExample:
    """What the add-on of the Khronos draft loses on the way is kept here."""

    def test_everything_of_it_is_written_back(self, corpus, tmp_path, schemas):
        file = corpus / "khr" / "JointTypes.glb"
        import_file(file)
        after = export_as(tmp_path, "KHR")
        before = json_of_glb(file)
        assert schema_errors(after, schemas) == []
        assert extensions_in(after) == {KHR, SHAPES}
        for part, count in {"motion": 14, "collider": 20, "joint": 11}.items():
            pairs = list(zip(khr_parts(after, part), khr_parts(before, part), strict=True))
            assert len(pairs) == count
            for (places, said), (expected, value) in pairs:
                assert said == value
                for place, original in zip(places, expected, strict=True):
                    assert_same_frame(place, original)

        # Colliders of scaled bodies get nodes of their own, frames of joints none.
        found = [node["name"] for node in after["nodes"] if not node["name"].endswith(" Shape")]
        # Blender writes cameras on demand only.
        assert len(found) == len([node for node in before["nodes"] if "camera" not in node])

    def test_bodies_keep_their_joints_and_second_frames(self, corpus):
        import_file(corpus / "khr" / "JointTypes.glb")
        found = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
        assert len(found) == 11
        assert all(obj.omi_joint.connected_object is not None for obj in found)

    def test_it_is_valid_in_omi(self, corpus, tmp_path, schemas):
        import_file(corpus / "khr" / "JointTypes.glb")
        document = export_as(tmp_path, "OMI")
        assert schema_errors(document, schemas) == []
        assert len(joints(document)) == 11


@pytest.mark.parametrize("folder", ["omi", "omi_body"])
def test_official_omi_examples_come_back_through_khr(corpus, tmp_path, folder, schemas):
    for file in sorted((corpus / folder).glob("*.gltf")):
        import_file(file)
        khr = export_as(tmp_path, "KHR", name="khr.gltf")
        assert (file.name, extensions_in(khr) & OMI, schema_errors(khr, schemas)) == (
            file.name,
            set(),
            [],
        )
        import_file(tmp_path / "khr.gltf")
        after = export_as(tmp_path, "OMI", name="omi.gltf")
        before = json.loads(file.read_text())
        assert (file.name, schema_errors(after, schemas)) == (file.name, [])
        assert (file.name, meaning(after)) == (file.name, meaning(before))
        if folder == "omi":
            assert (file.name, joints(after)) == (file.name, joints(before))
            names = [node["name"] for node in after["nodes"]]
            for index, node in enumerate(before["nodes"]):
                if set(node.get("extensions", {})) & OMI:
                    found = world(after, names.index(node["name"]))
                    assert_same_frame(found, world(before, index))


PAIR = {
    "scene": 0,
    "scenes": [{"nodes": [0, 2]}],
    "nodes": [
        {
            "name": "Body",
            "children": [1],
            "translation": [1, 2, 3],
            "extensions": {KHR: {"motion": {"mass": 2}}},
        },
        {"name": "Joint", "extensions": {KHR: {"joint": {"joint": 0, "connectedNode": 2}}}},
        {"name": "World", "translation": [0, 1, 0], "rotation": [0.5, 0.5, 0.5, 0.5]},
    ],
    "extensionsUsed": [KHR],
}


def pair(*limits: dict[str, Any]) -> dict[str, Any]:
    """Return a document of one joint to the world."""
    root = {"physicsJoints": [{"limits": list(limits)}]}
    return json.loads(json.dumps(PAIR | {"extensions": {KHR: root}}))


class TestImport:
    def test_cone_stays_a_cone_and_an_absent_bound_unbounded(self, tmp_path):
        cone = {"angularAxes": [0, 2], "max": 0.5}
        ball = {"linearAxes": [0, 1, 2], "max": 0.25}
        import_file(write(tmp_path, pair(cone, ball)))
        first, second = bpy.data.objects["Joint"].omi_joint.limits
        assert tuple(first.angular_axes) == (True, False, True)
        assert tuple(second.linear_axes) == (True, True, True)
        assert (first.use_min, second.use_min) == (False, False)
        assert (first.max, second.max) == (0.5, 0.25)

    def test_joint_of_bodies_without_a_mesh_to_the_world_keeps_both_frames(self, tmp_path):
        before = pair({"linearAxes": [0], "min": 0, "max": 0})
        import_file(write(tmp_path, before))
        joint, end = bpy.data.objects["Joint"], bpy.data.objects["World"]
        assert joint.omi_joint.connected_object == end
        assert bpy.data.objects["Body"].omi_body.motion_type == "DYNAMIC"
        after = export_as(tmp_path, "KHR")
        assert after["extensions"] == before["extensions"]
        assert {node["name"]: node.get("extensions") for node in after["nodes"]}.keys() == {
            "Body",
            "Joint",
            "World",
        }
        for name in ("Joint", "World"):
            index = [node["name"] for node in after["nodes"]].index(name)
            other = [node["name"] for node in before["nodes"]].index(name)
            assert_same_frame(world(after, index), world(before, other))

    def test_hinge_keeps_its_drive(self, tmp_path):
        drive = {"type": "angular", "mode": "force", "axis": 2, "maxForce": 3}
        drive |= {"velocityTarget": -1.5, "damping": 0.25}
        document = pair({"linearAxes": [0, 1, 2], "min": 0, "max": 0})
        document["extensions"][KHR]["physicsJoints"][0]["drives"] = [drive]
        import_file(write(tmp_path, document))
        after = export_as(tmp_path, "KHR")
        assert after["extensions"][KHR]["physicsJoints"][0]["drives"] == [drive]

    def test_one_unusable_joint_costs_no_neighbour(self, tmp_path, capsys):
        document = pair({"linearAxes": [0], "min": 0, "max": 0})
        bad = {"name": "Bad", "extensions": {KHR: {"joint": {"joint": "x"}}}}
        worse = {"name": "Worse", "extensions": {KHR: {"motion": 5, "collider": {}}}}
        document["nodes"] += [bad, worse]
        document["scenes"][0]["nodes"] += [3, 4]
        import_file(write(tmp_path, document))
        assert bpy.data.objects["Joint"].omi_joint.enabled
        assert not bpy.data.objects["Bad"].omi_joint.enabled
        assert sum("OMI-J42" in line for line in popups(capsys)) >= 2

    def test_omi_wins_where_both_dialects_are_on_a_node(self, tmp_path, capsys):
        document = pair({"linearAxes": [0], "min": 0, "max": 0})
        document["nodes"][0]["extensions"]["OMI_physics_body"] = {
            "motion": {"type": "dynamic", "mass": 7}
        }
        import_file(write(tmp_path, document))
        assert bpy.data.objects["Body"].omi_body.mass == 7
        assert bpy.data.objects["Joint"].omi_joint.enabled
        assert any("OMI-J446" in line for line in popups(capsys))

    def test_mass_that_is_left_to_the_engine_stays_so_until_it_is_set(self, tmp_path):
        document = pair({"linearAxes": [0], "min": 0, "max": 0})
        motion = {"linearVelocity": [1, 0, 0]}
        document["nodes"][0]["extensions"][KHR]["motion"] = motion
        import_file(write(tmp_path, document))
        after = export_as(tmp_path, "KHR")
        assert node_named(after, "Body")["extensions"][KHR]["motion"] == motion
        bpy.data.objects["Body"].omi_body.mass = 3.0
        after = export_as(tmp_path, "KHR")
        assert node_named(after, "Body")["extensions"][KHR]["motion"] == motion | {"mass": 3}

    def test_file_without_physics_is_imported_as_without_the_addon(self, tmp_path):
        import_file(write(tmp_path, {"nodes": [{"name": "A"}], "scenes": [{"nodes": [0]}]}))
        assert not bpy.data.objects["A"].omi_joint.enabled


def test_file_of_both_dialects_comes_back_and_grows_nothing(corpus, tmp_path):
    import_file(corpus / "omi" / "weld_joint.gltf")
    once = export_as(tmp_path, "OMI", "KHR", name="once.gltf")
    import_file(tmp_path / "once.gltf")
    twice = export_as(tmp_path, "OMI", "KHR", name="twice.gltf")
    assert twice["extensions"] == once["extensions"]
    assert len(twice["nodes"]) == len(once["nodes"])
    assert "extras" not in json.dumps(once["extensions"])


class TestOldForm:
    def test_joints_of_2023_get_both_frames(self, tmp_path):
        root = {"constraints": [{"linearAxes": [0, 1, 2]}]}
        document = {
            "scene": 0,
            "scenes": [{"nodes": [0, 1, 2]}],
            "extensionsUsed": [JOINT],
            "extensions": {JOINT: root},
            "nodes": [
                {
                    "name": "Pin",
                    "translation": [-0.23, 0.6, 0],
                    "extensions": {JOINT: {"constraints": [0], "nodeA": 1, "nodeB": 2}},
                },
                {
                    "name": "A",
                    "rotation": [0, 0, -0.6, 0.8],
                    "translation": [-0.45, 0.68, 0],
                    "extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}},
                },
                {
                    "name": "B",
                    "translation": [0, 0.6, 0],
                    "extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}},
                },
            ],
        }
        import_file(write(tmp_path, document))
        pin = bpy.data.objects["Pin"]
        end = pin.omi_joint.connected_object
        assert (pin.parent.name, end.parent.name) == ("A", "B")
        # The place of the joint's node, Y up, in Blender's axes; the axes of the node in the file.
        assert tuple(pin.matrix_world.translation) == pytest.approx((-0.23, 0, 0.6), abs=1e-6)
        assert tuple(end.matrix_world.translation) == pytest.approx((-0.23, 0, 0.6), abs=1e-6)
        after = export_as(tmp_path, "OMI")
        assert joints(after) == {
            "Pin": {
                "joint": {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0, "damping": 1}]},
                "connectedNode": "Pin Joint Frame",
            }
        }
        names = [node["name"] for node in after["nodes"]]
        for name in ("Pin", "Pin Joint Frame"):
            assert_same_frame(world(after, names.index(name)), world(document, 0))
