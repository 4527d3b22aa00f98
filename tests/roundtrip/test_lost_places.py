"""Objects and bones whose place is not a number: the file is written, and they are named."""

import math
import re
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.io.usd.hooks import problem
from omi_joints_addon.preview.session import stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.reading import scene_to_core
from tests.rigs import activate, add_human, add_skin
from tests.roundtrip.documents import add_door, export, popups


def break_bone() -> str:
    """Make a character a ragdoll; a broken driver or constraint then loses one of its bones."""
    rig = add_human()
    add_skin(rig)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add(bones="ALL", smallest=0.0) == {"FINISHED"}
    bone = rig.pose.bones[len(rig.pose.bones) // 2]
    bone.location.x = math.nan
    return str(bone.name)


def break_object() -> str:
    _wall, door, *_ = add_door()
    door.location.z = math.nan
    return str(door.name)


@pytest.fixture(params=[break_bone, break_object])
def lost(request: pytest.FixtureRequest) -> str:
    """Lose the place of something; return its name."""
    name = request.param()
    bpy.context.view_layer.update()
    return str(name)


def numbers(value: Any) -> list[float]:
    """Return all numbers of a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for each in value for number in numbers(each)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("nests", [True, False])
def test_gltf_is_written_without_them(
    nests: bool, lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bpy.context.scene.omi_gltf.export_bones_nested = nests
    document = export(tmp_path)
    text = (tmp_path / "file.gltf").read_text()
    assert "NaN" not in text
    assert "Infinity" not in text
    assert all(math.isfinite(number) for number in numbers(document))
    assert "physicsJoints" in text
    found = popups(capsys)
    assert [text for text in found if f"OMI-B058 {lost}" in text]


@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_robots_are_written_without_them(suffix: str, lost: str, tmp_path: Path) -> None:
    path = tmp_path / f"out.{suffix}"
    assert bpy.ops.omi.scene_export(filepath=str(path)) == {"FINISHED"}
    assert not re.search(r"\bnan\b", path.read_text())
    report = bpy.data.texts["Exchange Report"].as_string()
    assert f"{lost}: OMI-B058" in report


@pytest.mark.skipif(bool(problem()), reason=problem() or "-")
def test_stages_are_written_without_them(
    lost: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "out.usda"
    assert bpy.ops.wm.usd_export(filepath=str(path)) == {"FINISHED"}
    assert f"OMI-B058 {lost}: " in caplog.text
    assert "Joint" in path.read_text()


def test_a_preview_starts_and_ends(lost: str) -> None:
    preview = SimulationPreview(bpy.context)
    for _ in range(3):
        preview.next_frame()
    stop()


def test_shapes_stay_on_what_they_are_shapes_of(lost: str) -> None:
    core, findings = scene_to_core(bpy.context.scene)
    assert lost in {found.place for found in findings if found.code == "OMI-B058"}
    assert np.isfinite(core.matrices).all()
    node = core.names.index(lost)
    above = core.parents[node]
    expected = core.matrices[above] if above >= 0 else np.eye(4)
    assert core.matrices[node] == pytest.approx(expected)
    places = core.matrices[:, :3, 3]
    for collider in core.colliders:
        body = core.bodies()[collider]
        assert np.linalg.norm(places[collider] - places[body]) < 0.5
