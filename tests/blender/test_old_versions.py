"""Files that earlier versions saved open with all that they held."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.properties.joint import DATA_VERSION
from omi_joints_addon.scene.findings import settled_findings

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "data" / "versions"
FILES = sorted(FOLDER.glob("*.blend"))


def held(group: Any) -> dict[str, Any]:
    """Return what a group of properties holds, as it was read when the files were made."""
    place = ROOT / "tools" / "version_file.py"
    spec = importlib.util.spec_from_file_location("version_file", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return json.loads(json.dumps(module.held(group), default=sorted))


def groups() -> dict[str, dict[str, Any]]:
    """Return what the groups hold in the open file, by the names of the JSON documents."""
    owners = (("objects", "omi_joint"), ("objects", "omi_body"), ("scenes", "omi_physics"))
    return {
        f"{items}.{item.name}.{name}": held(getattr(item, name))
        for items, name in owners
        for item in getattr(bpy.data, items)
    }


def assert_holds(found: dict[str, dict[str, Any]], wanted: dict[str, dict[str, Any]]) -> None:
    for owner, values in wanted.items():
        assert {path: found[owner].get(path, "gone") for path in values} == values


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_opens_with_all_that_it_held(file: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(file))
    assert_holds(groups(), json.loads(file.with_suffix(".json").read_text("utf-8")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_objects_are_appended_with_all_that_they_held(file: Path) -> None:
    with bpy.data.libraries.load(str(file)) as (source, target):
        target.objects = source.objects
    wanted = json.loads(file.with_suffix(".json").read_text("utf-8"))
    of_objects = {owner: values for owner, values in wanted.items() if owner.startswith("objects")}
    assert of_objects
    assert_holds(groups(), of_objects)


def test_each_version_has_its_file() -> None:
    manifest = (ROOT / "omi_joints_addon" / "blender_manifest.toml").read_text("utf-8")
    assert any(f'\nversion = "{file.stem}"\n' in manifest for file in FILES)


def new_joint() -> bpy.types.Object:
    joint = bpy.data.objects.new("Joint", None)
    bpy.context.scene.collection.objects.link(joint)
    joint.omi_joint.enabled = True
    joint.omi_body.motion_type = "DYNAMIC"
    return joint


def test_saving_marks_joints_and_bodies(tmp_path: Path) -> None:
    joint = new_joint()
    bare = bpy.data.objects.new("Bare", None)
    bpy.context.scene.collection.objects.link(bare)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "file.blend"))
    assert joint.omi_joint.data_version == joint.omi_body.data_version == DATA_VERSION
    assert bare.omi_joint.data_version == bare.omi_body.data_version == 0


def test_data_of_a_newer_version_is_reported_and_kept(tmp_path: Path) -> None:
    new_joint().omi_joint.data_version = DATA_VERSION + 1
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "file.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "file.blend"))
    assert bpy.data.objects["Joint"].omi_joint.data_version == DATA_VERSION + 1
    (found,) = [f for f in settled_findings(bpy.context.scene) if f.code == "OMI-J019"]
    assert found.place == "Joint"
    assert "newer version" in found.message
