"""Couplings, attributes and articulations through Blender's own exporter and importer."""

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.roundtrip.documents import (
    JOINT,
    add,
    add_body,
    export,
    import_file,
    make_hinge,
)


def author_gears() -> None:
    """Author two wheels on a base; the second one follows the first."""
    base = add_body("Base", "STATIC")
    base.omi_body.articulation = base.omi_body.articulation_is_fixed = True
    joints = []
    for name, x in (("Drive", 1.0), ("Slave", -1.0)):
        wheel = add_body(f"{name} Wheel", "DYNAMIC", location=(x, 0, 0))
        end = add(f"{name} End", parent=base, location=(x, 0, 0))
        joints.append(make_hinge(add(name, parent=wheel), end))
    joints[0].omi_joint.attributes.effort = 12.5
    joints[0]["note"] = "mine"
    slave = joints[1].omi_joint.coupling
    slave.source, slave.offset, slave.multiplier = joints[0], 0.25, -2.0


def nodes_of(document: dict[str, Any]) -> dict[str, Any]:
    return {node["name"]: node for node in document["nodes"]}


@pytest.mark.parametrize("extras", [False, True])
def test_they_are_in_the_file_and_come_back(tmp_path: Path, extras: bool) -> None:
    author_gears()
    document = export(tmp_path, export_extras=extras)
    nodes = nodes_of(document)
    extra = {"note": "mine"} if extras else {}
    assert nodes["Drive"]["extras"] == extra | {JOINT: {"effort": 12.5}}
    follows = nodes["Slave"]["extras"][JOINT]["follows"]
    assert document["nodes"][follows["node"]]["name"] == follows["name"] == "Drive"
    assert follows["coefficients"] == [0.25, -2.0]
    assert nodes["Base"]["extras"] == {"OMI_physics_body": {"articulation": {"fixed": True}}}
    assert "extras" not in nodes["Drive End"]

    import_file(tmp_path / "file.gltf")
    objects = bpy.data.objects
    coupling = objects["Slave"].omi_joint.coupling
    assert coupling.source == objects["Drive"]
    assert coupling.to_core() == (0.25, -2.0)
    assert objects["Drive"].omi_joint.attributes.effort == 12.5
    assert objects["Base"].omi_body.articulation
    assert objects["Base"].omi_body.articulation_is_fixed
    # Nothing of it is left as a custom property; the user's own is.
    assert all(JOINT not in obj for obj in objects)
    assert ("note" in objects["Drive"]) == extras


def test_each_instance_follows_its_own(tmp_path: Path) -> None:
    author_gears()
    machine = bpy.data.collections.new("Machine")
    for obj in list(bpy.context.scene.collection.objects):
        bpy.context.scene.collection.objects.unlink(obj)
        machine.objects.link(obj)
    for number in range(2):
        copy = add(f"Copy {number}", location=(0, 5.0 * number, 0))
        copy.instance_type, copy.instance_collection = "COLLECTION", machine
    document = export(tmp_path)
    nodes = document["nodes"]
    slaves = [node for node in nodes if "follows" in node.get("extras", {}).get(JOINT, {})]
    sources = {slave["extras"][JOINT]["follows"]["node"] for slave in slaves}
    assert len(slaves) == len(sources) == 2
    assert all(nodes[source]["name"].startswith("Drive") for source in sources)
    parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", ())}

    def top(node: int) -> int:
        while node in parents:
            node = parents[node]
        return node

    for slave in slaves:
        assert top(nodes.index(slave)) == top(slave["extras"][JOINT]["follows"]["node"])


def test_lengths_follow_the_unit_scale(tmp_path: Path) -> None:
    """A rack of 0.5 m per radian moves 50 units in a scene of centimeters."""
    author_gears()
    rack = bpy.data.objects["Slave"].omi_joint
    linear, turn = rack.limits[0], rack.limits[2]
    linear.linear_axes, linear.angular_axes = (True, True, False), (False, False, True)
    turn.angular_axes, turn.linear_axes = (False, False, False), (False, False, True)
    rack.coupling.offset, rack.coupling.multiplier = 0.1, 0.5
    export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = 0.01
    assert bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf")) == {"FINISHED"}
    assert bpy.data.objects["Slave"].omi_joint.coupling.to_core() == pytest.approx((10.0, 50.0))


def test_for_godot_they_are_kept(tmp_path: Path) -> None:
    author_gears()
    bpy.context.scene.omi_gltf.export_for = "GODOT"
    document = export(tmp_path)
    assert json.dumps(document).count('"follows"') == 1
    import_file(tmp_path / "file.gltf")
    assert bpy.data.objects["Slave"].omi_joint.coupling.source == bpy.data.objects["Drive"]
