"""What Blender's own exporter and importer of glTF had to say, in the list of the sidebar."""

from pathlib import Path

import bpy

from tests.roundtrip.documents import JOINT, add, add_body, add_door, export, import_file, write


def lines() -> list[tuple[str, str, str]]:
    return [(line.kind, line.place, line.noun) for line in bpy.context.scene.omi_report.lines]


def test_an_export_lists_what_it_left_out(tmp_path: Path) -> None:
    add_door()
    lonely = add("Lonely", parent=add_body("Crate", "DYNAMIC"))
    lonely.omi_joint.enabled = True
    export(tmp_path, "door.gltf")
    report = bpy.context.scene.omi_report
    assert report.title == "glTF export: door.gltf"
    assert ("error", "Lonely", "OMI-J001") in lines()
    bpy.data.objects.remove(lonely)
    export(tmp_path, "again.gltf")
    assert report.title == "glTF export: again.gltf"
    assert not [line for line in lines() if line[1] == "Lonely"]


def test_an_export_without_physics_says_nothing(tmp_path: Path) -> None:
    add("Plain")
    export(tmp_path)
    assert not bpy.context.scene.omi_report.title


def test_an_import_lists_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    document = {
        "asset": {"version": "2.0"},
        "extensionsUsed": [JOINT],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Joint", "extensions": {JOINT: {"joint": 7}}}],
        "extensions": {JOINT: {"physicsJoints": []}},
    }
    import_file(write(tmp_path, document, "bad.gltf"))
    assert bpy.context.scene.omi_report.title == "glTF import: bad.gltf"
    assert any(place.startswith("/nodes/0") for _, place, _ in lines())
