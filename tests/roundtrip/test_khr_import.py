"""Blender's importer reads KHR_physics_rigid_bodies."""

import json
from typing import Any

import bpy
import pytest

from tests.roundtrip.documents import (
    JOINT,
    assert_same_frame,
    import_file,
    joints,
    node_named,
    popups,
    world,
    write,
)
from tests.roundtrip.khr_files import KHR, export_as

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


class TestOldForm:
    def test_bodies_and_colliders_of_2023_become_those_of_today(self, tmp_path):
        colliders = [{"type": "capsule", "radius": 0.3, "height": 1.8}]
        document = {
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "extensionsUsed": ["OMI_collider", "OMI_physics_body"],
            "extensionsRequired": ["OMI_collider"],
            "extensions": {"OMI_collider": {"colliders": colliders}},
            "nodes": [
                {
                    "name": "Ball",
                    "children": [1],
                    "extensions": {"OMI_physics_body": {"type": "rigid", "mass": 2.5}},
                },
                {"name": "Shape", "extensions": {"OMI_collider": {"collider": 0}}},
            ],
        }
        import_file(write(tmp_path, document))
        after = export_as(tmp_path, "OMI")
        body, shape = node_named(after, "Ball"), node_named(after, "Shape")
        motion = {"type": "dynamic", "mass": 2.5}
        assert body["extensions"] == {"OMI_physics_body": {"motion": motion}}
        assert shape["extensions"] == {"OMI_physics_body": {"collider": {"shape": 0}}}
        (written,) = after["extensions"]["OMI_physics_shape"]["shapes"]
        assert written["capsule"]["height"] == pytest.approx(1.2)
        assert "OMI_collider" not in after["extensionsUsed"]

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
