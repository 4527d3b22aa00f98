"""The Python code of README.md and docs/ runs as printed and does what the text says."""

import math
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.meaning.presets import Preset
from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.scene import findings
from omi_joints_addon.scene.reading import scene_to_core

BLOCK = re.compile(r"^ *```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
ROOT = Path(__file__).resolve().parents[2]
OWN_TESTS = {"README.md", "docs/python.md"}


def test_the_name_of_the_first_release_warns() -> None:
    with pytest.warns(DeprecationWarning, match="settled_findings"):
        assert findings.scene_findings(bpy.context.scene) == []


def pages_with_code() -> list[str]:
    """Return the pages with Python code that no test of this file names."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [page for page in pages if BLOCK.search(page.read_text(encoding="utf-8"))]
    return [
        name
        for name in (page.relative_to(ROOT).as_posix() for page in found)
        if name not in OWN_TESTS
    ]


def run_page(path: Path) -> dict[str, Any]:
    """Run the code of a page and return its names."""
    names: dict[str, Any] = {}
    for code in BLOCK.findall(path.read_text(encoding="utf-8")):
        exec(compile(textwrap.dedent(code), str(path), "exec"), names)
    bpy.context.view_layer.update()
    return names


def angle(name: str, turned: Any, by: float) -> float:
    """Return what the joint measures about Z after the body turned by an angle about world Z."""
    pivot = bpy.data.objects[name].matrix_world.translation.copy()
    turn = Matrix.Translation(pivot) @ Matrix.Rotation(by, 4, "Z") @ Matrix.Translation(-pivot)
    turned.matrix_world = turn @ turned.matrix_world
    bpy.context.view_layer.update()
    scene, _ = scene_to_core(bpy.context.scene)
    (number,) = [n for n, j in enumerate(scene.joints) if scene.names[j.node] == name]
    return float(angular_metric((2,), scene.relative_poses().rotation[number]))


def test_readme(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run_page(repository / "README.md")
    assert names["robot"].joint("elbow").upper == 2.4
    assert not [loss for loss in names["losses"] if loss.noun == "joint"]
    assert (tmp_path / "robot.sdf").read_text().startswith("<sdf")


def test_the_page_lists_every_preset(repository: Path) -> None:
    text = (repository / "docs" / "python.md").read_text(encoding="utf-8")
    (sentence,) = re.findall(r"Presets are ([A-Z_,\sand]+)\.", text)
    assert set(re.findall(r"[A-Z_]{3,}", sentence)) == {preset.name for preset in Preset}


@pytest.mark.parametrize("page", pages_with_code())
def test_code_of_other_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with the files that the commands of the page make."""
    shutil.copy(ROOT / "omi_joints_addon" / "examples" / "arm.urdf", tmp_path)
    for line in ("convert arm.urdf arm.xml", "check arm.urdf --format json"):
        command = [sys.executable, "-m", "omi_joints_addon", *line.split()]
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        run = subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True)
        if line.endswith("json"):
            (tmp_path / "findings.json").write_bytes(run.stdout)
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / page)


def test_python_page(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run_page(repository / "docs" / "python.md")
    made = names["made"]
    settings = made.omi_joint.settings_to_core()
    assert joint_kind(settings) == JointKind.HINGE
    limit = settings.limits[2]
    assert (limit.min, limit.max) == (0.0, pytest.approx(math.radians(110.0)))
    assert limit.damping == 0.5
    assert angle(made.name, names["panel"], 1.0) == pytest.approx(1.0, abs=1e-5)
    assert b"OMI_physics_joint" in (tmp_path / "panel.glb").read_bytes()
    assert names["kinds"] == {made.name: "Hinge", "Door to Frame Joint": "Hinge", "Hinge": "Hinge"}
    assert names["findings"] == []
    assert names["joint"].omi_joint.limits[2].max == pytest.approx(math.radians(90.0))
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert len(joints) == 4, "the mirrored joint is missing"
    assert angle("Door to Frame Joint", names["door"], 0.5) == pytest.approx(0.5, abs=1e-5)
    assert angle("Hinge", names["other"], 0.5) == pytest.approx(-0.5, abs=1e-5)
    assert np.isfinite(names["scene"].matrices).all()


def test_functions_that_the_page_lists_exist(repository: Path) -> None:
    import importlib

    text = (repository / "docs" / "python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `authoring\.(\w+)\.(\w+)`((?:, `\w+`)*)", text, re.MULTILINE)
    assert len(rows) > 10
    for module, first, others in rows:
        found = importlib.import_module(f"omi_joints_addon.authoring.{module}")
        for name in (first, *re.findall(r"\w+", others)):
            assert getattr(found, name).__doc__, name
