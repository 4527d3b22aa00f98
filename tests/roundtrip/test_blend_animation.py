"""Keyed and driven joints of .blend files, on the command line as in the file exported of them."""

import csv
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.blend import BLEND
from omi_joints_addon.io.formats.format import Source
from tests.roundtrip.documents import export
from tests.roundtrip.test_animation_pointers import MAX, key
from tests.roundtrip.test_usd_animation import SPEED, door

FRAMES = (1, 60)


@pytest.fixture(params=["keyed", "driven"])
def moved(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a file with a door whose motor and limit change over time."""
    joint = door()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES
    if request.param == "driven":
        joint.driver_add(SPEED).driver.expression = "frame / 20"
        joint.driver_add(MAX).driver.expression = "0.4 + frame / 100"
    else:
        key(joint, SPEED, [(1, 0.0), (50, 3.0)], "LINEAR")
        key(joint, MAX, [(1, 0.4), (30, 1.0)], "LINEAR")
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def rows(path: Path, *arguments: str) -> list[dict[str, str]]:
    target = path.with_suffix(f"{path.suffix}.csv")
    assert main(["simulate", str(path), "--seconds", "1", "--csv", str(target), *arguments]) == 0
    with target.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def numbers(found: list[dict[str, str]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([[float(cell or 0) for _, cell in sorted(row.items())] for row in found])


def test_a_simulation_follows_what_is_keyed_and_driven(moved: Path) -> None:
    export(moved.parent)
    ours, files = rows(moved), rows(moved.parent / "file.gltf")
    assert ours[0].keys() == files[0].keys()
    np.testing.assert_allclose(numbers(ours), numbers(files), atol=2e-5)
    bpy.ops.wm.open_mainfile(filepath=str(moved))
    (joint,) = (obj for obj in bpy.data.objects if obj.omi_joint.enabled)
    joint.animation_data_clear()
    still = moved.parent / "still.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(still))
    assert np.abs(numbers(rows(still)) - numbers(ours)).max() > 0.1


def test_a_range_that_crosses_on_the_way_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    joint = door()
    key(joint, MAX, [(1, 0.5), (24, -2.0)], "LINEAR")
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert main(["check", str(path)]) == 1
    assert "OMI-J023" in capsys.readouterr().out


def test_values_over_time_survive_a_usd_file_and_a_blend_file(
    moved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (before,) = BLEND.read(Source(path=moved))
    for name in ("door.usda", "again.blend"):
        source = moved if name.endswith("usda") else moved.parent / "door.usda"
        assert main(["convert", str(source), str(moved.parent / name)]) == 0
    assert "lost" not in capsys.readouterr().err
    (after,) = BLEND.read(Source(path=moved.parent / "again.blend"))
    found = {(track.kind, track.member): track for track in after.scene.tracks}
    assert len(before.scene.tracks) == len(found) == 2
    for track in before.scene.tracks:
        again = found[track.kind, track.member]
        for seconds in np.linspace(0.0, 2.5, 26):
            assert again.value_at(seconds) == pytest.approx(track.value_at(seconds), abs=1e-6)
