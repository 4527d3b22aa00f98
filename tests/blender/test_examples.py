"""The examples run as the README says and make what they promise."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.whole_check import scene_findings

JOINTS = {"room": 15, "hand": 12, "vehicle": 9, "workshop": 14}
_COUNT = """
import sys
sys.path.insert(0, "examples")
import bpy, session
with session.blender():
    bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
    print("joints:", sum(obj.omi_joint.enabled for obj in bpy.data.objects))
    from tests.whole_check import scene_findings
    for found in scene_findings(bpy.context.scene):
        print("finding:", found)
"""


@pytest.mark.parametrize("name", JOINTS)
def test_example_saves_its_joints(name: str, repository: Path, tmp_path: Path) -> None:
    run = _python(repository, tmp_path, f"examples/{name}.py")
    assert run.returncode == 0, run.stdout + run.stderr
    count = _python(repository, tmp_path, "-c", _COUNT, str(tmp_path / f"{name}.blend"))
    assert f"joints: {JOINTS[name]}" in count.stdout, count.stdout + count.stderr
    assert "finding:" not in count.stdout


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


def test_the_buggy_is_written_as_it_is_in_the_add_menu(repository: Path, tmp_path: Path) -> None:
    run = _python(repository, tmp_path, "examples/vehicle.py")
    assert run.returncode == 0, run.stdout + run.stderr
    folders = (tmp_path, repository / "omi_joints_addon" / "examples")
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
    repository: Path, tmp_path: Path
) -> None:
    run = _python(repository, tmp_path, "examples/character.py")
    assert run.returncode == 0, run.stdout + run.stderr
    written, kept = (
        _document(path / "character.glb")
        for path in (tmp_path, repository / "omi_joints_addon" / "examples")
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


def _python(repository: Path, build: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=repository,
        env=os.environ | {"OMI_BUILD": str(build)},
    )
