"""Blender's exporter writes KHR_physics_rigid_bodies, alone and beside the OMI extensions."""

import json

import bpy
import pytest

from tests.roundtrip.documents import (
    HINGE,
    JOINT,
    add,
    add_body,
    add_door,
    import_file,
    make_hinge,
    node_named,
    parents,
    popups,
    triangle,
    world,
)
from tests.roundtrip.khr_files import KHR, export_as, extensions_in, node_named_or_last
from tests.schemas import schema_errors


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

    def test_file_has_what_the_extension_authors_loader_needs(self, tmp_path, schemas):
        _wall, _door, joint, _connected = add_door()
        joint.omi_joint.limits.clear()
        floor = add_body("Floor", "STATIC", data=triangle())
        floor.omi_body.collider.source = "CUSTOM"
        floor.omi_body.collider.shape.type = "TRIMESH"
        document = export_as(tmp_path, "KHR")
        assert document["extensions"][KHR]["physicsJoints"] == [{"limits": []}]
        assert schema_errors(document, schemas) == []
        joint.omi_joint.enabled = False
        document = export_as(tmp_path, "KHR")
        assert document["extensions"][KHR] == {"extras": {}}
        geometry = node_named(document, "Floor")["extensions"][KHR]["collider"]["geometry"]
        assert geometry["mesh"] == node_named(document, "Floor")["mesh"]
        assert schema_errors(document, schemas) == []

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
        assert node["mesh"] == geometry["mesh"] == node_named_or_last(document, "Body")["mesh"]
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
