"""Files for Godot's importer through Blender: what they say, and what is authored afterwards."""

from pathlib import Path

import bpy
import pytest

from tests.roundtrip.documents import (
    JOINT,
    add_door,
    assert_same_frame,
    export,
    import_file,
    world_of,
)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_export_for_godot_is_in_its_terms_and_comes_back(tmp_path: Path, axis: int) -> None:
    """A door that turns by -0.25 to 1.5 rad about one of its axes; Godot's hinges are about Z."""
    _, _, joint, connected = add_door()
    fixed, own = joint.omi_joint.limits[1], joint.omi_joint.limits[2]
    fixed.angular_axes = [other != axis for other in range(3)]
    own.angular_axes = [other == axis for other in range(3)]
    bpy.context.view_layer.update()
    connected.matrix_world = joint.matrix_world
    bpy.context.view_layer.update()
    authored, place = joint.omi_joint.settings_to_core(), world_of(joint)
    bpy.context.scene.omi_gltf.export_for = "GODOT"
    document = export(tmp_path, "godot.gltf")
    assert document["asset"]["extras"] == {"OMI_physics_target": "Godot 4 importer"}
    (settings,) = document["extensions"][JOINT]["physicsJoints"]
    assert settings["limits"][2] == {"angularAxes": [2], "min": -1.5, "max": 0.25}
    import_file(tmp_path / "godot.gltf")
    back = bpy.data.objects["Joint"]
    assert back.omi_joint.settings_to_core() == authored
    assert_same_frame(world_of(back), place)
    assert "OMI_specification" not in back


def test_meshes_are_on_nodes_of_their_own_and_come_back(tmp_path: Path) -> None:
    """Godot shows nothing of a mesh on the node of a body."""
    add_door()
    mesh = bpy.data.meshes.new("Panel")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 0, 2)], [], [(0, 1, 2)])
    panel = bpy.data.objects.new("Panel", mesh)
    bpy.context.scene.collection.objects.link(panel)
    panel.omi_body.motion_type = "DYNAMIC"
    bpy.context.view_layer.update()
    names = sorted(obj.name for obj in bpy.data.objects)
    bpy.context.scene.omi_gltf.export_for = "GODOT"
    nodes = export(tmp_path, "godot.gltf")["nodes"]
    owner = next(node for node in nodes if node["name"] == "Panel")
    assert "mesh" not in owner
    (below,) = (nodes[child] for child in owner["children"])
    assert below["name"] == "Panel Mesh"
    assert "mesh" in below
    import_file(tmp_path / "godot.gltf")
    assert sorted(obj.name for obj in bpy.data.objects) == names
    back = bpy.data.objects["Panel"]
    assert len(back.data.vertices) == 3
    assert back.omi_body.motion_type == "DYNAMIC"


def test_default_is_the_specification(tmp_path: Path) -> None:
    add_door()
    document = export(tmp_path, "plain.gltf")
    assert "extras" not in document["asset"]
    assert document["extensions"][JOINT]["physicsJoints"][0]["limits"][2]["max"] == 1.5
