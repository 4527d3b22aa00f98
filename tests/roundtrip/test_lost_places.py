"""Objects and bones whose place is not a number: the file is written, and they are named."""

import math
import random
import re
import shutil
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.io.usd.hooks import problem
from omi_joints_addon.preview.session import stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.animation import curves_of
from omi_joints_addon.scene.reading import scene_to_core
from tests.injection import STEPS
from tests.rigs import activate, add_human, add_skin
from tests.roundtrip.documents import add_door, export, popups
from tests.tally import Faults, Tally


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


def lose_place(obj: Any, source: random.Random) -> None:
    """Lose a place, a rotation or a scale, wholly or in part."""
    values = getattr(obj, source.choice(["location", "rotation_euler", "scale"]))
    values[source.randrange(3)] = source.choice([math.nan, math.inf, -math.inf, 0.0, 1e38])


def lose_limit(obj: Any, source: random.Random) -> None:
    """Remove a limit that a driver or keyframes are of."""
    limits = obj.omi_joint.limits
    if not limits:
        return
    number = source.randrange(len(limits))
    path = f"omi_joint.limits[{number}].{source.choice(['min', 'max', 'stiffness'])}"
    if source.random() < 0.5:
        obj.driver_add(path).driver.expression = source.choice(["frame", "1/0", "nonsense"])
    else:
        obj.keyframe_insert(path, frame=source.randrange(1, 9))
    if source.random() < 0.7:
        limits.remove(number)


def lose_numbers(obj: Any, source: random.Random) -> None:
    """Key something of a joint or body by what is no number."""
    path = "omi_body.mass" if not obj.omi_joint.enabled else "omi_joint.limits[0].max"
    if obj.omi_joint.enabled and not obj.omi_joint.limits:
        return
    obj.keyframe_insert(path, frame=1)
    for curve in curves_of(obj.animation_data):
        curve.keyframe_points[0].co.y = source.choice([math.nan, math.inf, 1e38])


def break_pose(rig: Any, source: random.Random) -> None:
    bone = source.choice(list(rig.pose.bones))
    lose_place(bone, source)


@pytest.mark.attack
@pytest.mark.parametrize("has_rig", [False, True])
def test_every_export_of_a_broken_scene_is_written(
    has_rig: bool, tmp_path: Path, tally: Tally
) -> None:
    faults = Faults()
    for number in range(STEPS):
        seed = f"broken {has_rig} {number}"
        source = random.Random(seed)
        bpy.ops.wm.read_homefile(use_empty=True)
        if has_rig:
            rig = add_human()
            add_skin(rig)
            activate(rig)
            assert bpy.ops.omi.ragdoll_add(bones="ALL", smallest=0.0) == {"FINISHED"}
        parts = [each for _ in range(2) for each in add_door()]
        for _ in range(source.randrange(1, 4)):
            if has_rig and source.random() < 0.5:
                break_pose(rig, source)
            else:
                broken = source.choice([lose_place, lose_limit, lose_numbers])
                broken(source.choice(parts), source)
        bpy.context.view_layer.update()
        with faults.of(seed):
            assert_written(tmp_path, source)
        tally.add("exports of broken scenes", seed)
    faults.tell()


def assert_written(folder: Path, source: random.Random) -> None:
    """Assert that each exporter writes a file, and no number that JSON does not have."""
    shutil.rmtree(folder)
    folder.mkdir()
    bpy.context.scene.omi_gltf.export_dialects = source.choice([{"OMI"}, {"KHR"}, {"OMI", "KHR"}])
    bpy.context.scene.omi_gltf.export_bones_nested = source.random() < 0.5
    document = export(folder, export_yup=source.random() < 0.5)
    assert not re.search(r"NaN|Infinity", (folder / "file.gltf").read_text())
    channels = [each for a in document.get("animations", ()) for each in a["channels"]]
    for channel in channels:
        pointer = channel["target"].get("extensions", {}).get("KHR_animation_pointer")
        assert pointer is None or pointer["pointer"]
    for suffix in ("urdf", "xml", "shift.json"):
        path = folder / f"out.{suffix}"
        assert bpy.ops.omi.scene_export(filepath=str(path)) == {"FINISHED"}
        # A mass that is not a number is a word in what only this program reads.
        found = re.search(r"^(?! *<omi_).*\bnan\b", path.read_text(), re.MULTILINE)
        assert not found, found[0]
    if not problem():
        assert bpy.ops.wm.usd_export(filepath=str(folder / "out.usda")) == {"FINISHED"}
        assert (folder / "out.usda").is_file()
