"""The examples run as the README says and make what they promise."""

import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.whole_check import scene_findings

JOINTS = {"room": 15, "hand": 12, "vehicle": 9, "workshop": 14}


@pytest.fixture(scope="module")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what runs an example, once, and returns the folder of its files."""

    @cache
    def folder(name: str) -> Path:
        made = tmp_path_factory.mktemp(name)
        run = _python(repository, made, f"examples/{name}.py")
        assert run.returncode == 0, run.stdout + run.stderr
        return made

    return folder


@pytest.mark.parametrize("name", JOINTS)
def test_example_saves_its_joints(name: str, built: Callable[[str], Path]) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(built(name) / f"{name}.blend"))
    assert sum(obj.omi_joint.enabled for obj in bpy.data.objects) == JOINTS[name]
    assert scene_findings(bpy.context.scene) == []


@pytest.mark.parametrize(
    ("file", "joints"), [("character.glb", 0), ("arm.urdf", 7), ("buggy.glb", 9)]
)
def test_example_of_the_add_menu(file: str, joints: int) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.omi.example_add(example=file) == {"FINISHED"}
    found = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert len(found) == joints
    assert not [item for item in scene_findings(bpy.context.scene) if item.severity == "error"]
    if not joints:
        assert bpy.context.object.type == "ARMATURE"
        assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}


def test_the_buggy_is_written_as_it_is_in_the_add_menu(
    repository: Path, built: Callable[[str], Path]
) -> None:
    folders = (built("vehicle"), repository / "omi_joints_addon" / "examples")
    written, kept = (_document(folder / "buggy.glb") for folder in folders)
    assert _places(written) == {name: pytest.approx(at) for name, at in _places(kept).items()}
    assert _settings(written) == _settings(kept)


def _settings(document: dict[str, Any]) -> list[str]:
    """Return the settings of joints, sorted, with all numbers as decimal fractions."""
    found = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    return sorted(str(json.loads(json.dumps(each), parse_int=float)) for each in found)


def _places(document: dict[str, Any]) -> dict[str, Any]:
    """Return where the nodes of a document are, whose order is that of the Blender release."""
    return {node["name"]: node.get("translation", [0.0, 0.0, 0.0]) for node in document["nodes"]}


def test_demo_compares_equal(repository: Path, tmp_path: Path) -> None:
    run = _python(repository, tmp_path, "examples/demo.py")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "all 15 joints came back" in run.stdout


def test_the_character_is_written_as_it_is_in_the_repository(
    repository: Path, built: Callable[[str], Path]
) -> None:
    written, kept = (
        _document(path / "character.glb")
        for path in (built("character"), repository / "omi_joints_addon" / "examples")
    )
    names = [{node.get("name") for node in each["nodes"]} for each in (written, kept)]
    assert names[0] == names[1]
    assert [each["animations"][0]["name"] for each in (written, kept)] == ["Walk", "Walk"]
    assert len(written["skins"][0]["joints"]) == len(kept["skins"][0]["joints"]) == 24


def _document(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document: dict[str, Any] = json.loads(data[20 : 20 + length])
    return document


def _python(repository: Path, build: Path, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, script],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=repository,
        env=os.environ | {"OMI_BUILD": str(build)},
    )
