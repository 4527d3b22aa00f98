"""Files for Godot's importer through Blender: what they say, and what is authored afterwards."""

from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.roundtrip.documents import (
    JOINT,
    add_door,
    assert_same_frame,
    export,
    import_file,
    popups,
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


def _upper_bound(document: Any) -> float:
    return document["extensions"][JOINT]["physicsJoints"][0]["limits"][2]["max"]


@pytest.mark.parametrize("chosen", ["AUTO", "SPECIFICATION"])
def test_file_outside_of_a_godot_project_follows_the_specification(
    tmp_path: Path, chosen: str
) -> None:
    add_door()
    bpy.context.scene.omi_gltf.export_for = chosen
    document = export(tmp_path, "plain.gltf")
    assert "extras" not in document["asset"]
    assert _upper_bound(document) == 1.5


@pytest.mark.parametrize("folder", ["", "models", ".godot/imported", "godot/imported"])
def test_file_in_a_godot_project_is_for_its_importer_by_default(
    tmp_path: Path, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Godot exports a .blend file into a folder of the project, and nobody sees the dialog."""
    add_door()
    (tmp_path / "project.godot").write_text("config_version=5\n")
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    document = export(tmp_path / folder, "door.gltf")
    assert document["asset"]["extras"] == {"OMI_physics_target": "Godot 4 importer"}
    assert _upper_bound(document) == 0.25
    # Bodies that Godot cannot have as authored are named as in Blender.
    logged = capsys.readouterr().out
    assert "info OMI-J441 door.gltf" in logged
    assert "warning OMI-E113 Joint" in logged
    bpy.context.scene.omi_gltf.export_for = "SPECIFICATION"
    assert _upper_bound(export(tmp_path / folder, "door.gltf")) == 1.5


def test_choice_of_earlier_versions_is_kept() -> None:
    """Files store numbers, not names."""
    options = bpy.context.scene.omi_gltf
    items = options.bl_rna.properties["export_for"].enum_items
    assert {item.identifier: item.value for item in items} == {
        "SPECIFICATION": 0, "GODOT": 1, "AUTO": 2,
    }  # fmt: skip
    assert options.export_for == "AUTO"


@pytest.mark.parametrize("chosen", ["AUTO", "GODOT"])
def test_khr_alone_is_not_called_a_file_for_godot(
    tmp_path: Path, chosen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    add_door()
    (tmp_path / "project.godot").write_text("config_version=5\n")
    bpy.context.scene.omi_gltf.export_for = chosen
    bpy.context.scene.omi_gltf.export_dialects = {"KHR"}
    assert "extras" not in export(tmp_path, "door.gltf")["asset"]
    assert any("OMI-J442" in line for line in popups(capsys))


@pytest.mark.parametrize("what", ["visible", "renderable"])
def test_joint_whose_frame_is_hidden_is_named(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _wall, door, joint, _connected = add_door()
    if what == "visible":
        joint.hide_set(True)
    else:
        joint.hide_render = True
    document = export(tmp_path, "door.gltf", **{f"use_{what}": True})
    assert JOINT not in document.get("extensionsUsed", ())
    assert any("OMI-J443 Joint" in line for line in popups(capsys))
    door.hide_render = True
    door.hide_set(True)
    export(tmp_path, "door.gltf", **{f"use_{what}": True})
    assert not any("OMI-J443" in line for line in popups(capsys))
    export(tmp_path, "door.gltf")
    assert not any("OMI-J443" in line for line in popups(capsys))
