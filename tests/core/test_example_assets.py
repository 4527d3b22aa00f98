"""The assets for those who make engines: complete, sound, and where their tables say."""

import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest

import omi_joints
from omi_joints_addon.core.meaning.presets import Preset

pytestmark = pytest.mark.slow

LAWS = ("animated_motor", "spring_and_motor_on_one_axis")
_EXPECTED = {"OMI-J108", "OMI-J204"}
"""What is reported of several limits and drives on one axis."""


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assets")
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "examples/assets.py"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=root,
        env=os.environ | {"OMI_BUILD": str(folder)},
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "assets"


def poses(assets: Path, name: str) -> np.ndarray:
    """Return the rows of a table: time, place and quaternion."""
    with (assets / "poses" / f"{name}.csv").open(encoding="utf-8") as file:
        return np.array([list(map(float, row)) for row in list(csv.reader(file))[1:]])


def test_every_kind_of_joint_is_there_in_both_extensions(assets: Path) -> None:
    names = {path.stem for path in (assets / "khr").glob("*.gltf")}
    assert {f"kind_{preset}" for preset in Preset} <= names
    assert names - {path.stem for path in (assets / "omi").glob("*.gltf")} == {"plane_collider"}
    assert names == {path.stem for path in (assets / "poses").glob("*.csv")}
    text = (assets / "README.md").read_text("utf-8")
    assert all(f"| {name} |" in text for name in names)


def test_no_file_has_an_error(assets: Path) -> None:
    for path in assets.glob("*/*.gltf"):
        found = omi_joints.check(path)
        serious = [each for each in found if each.severity != omi_joints.Severity.INFO]
        assert {each.code for each in serious} <= _EXPECTED, path


def test_animations_change_what_is_there(assets: Path) -> None:
    for path in assets.glob("*/animated_*.gltf"):
        document = json.loads(path.read_text("utf-8"))
        (animation,) = pygltflib.GLTF2().load(str(path)).animations
        assert "KHR_animation_pointer" in document["extensionsUsed"]
        for channel in animation.channels:
            place: Any = document
            pointer = channel.target.extensions["KHR_animation_pointer"]["pointer"]
            for step in pointer.split("/")[1:]:
                place = place[int(step)] if isinstance(place, list) else place[step]
            assert isinstance(place, (int, float)), path


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("dialect", ["omi", "khr"])
def test_closed_forms_are_where_the_solver_is(dialect: str, name: str, assets: Path) -> None:
    scene = omi_joints.read(assets / dialect / f"{name}.gltf")
    motion = omi_joints.simulate(scene, seconds=4.0, fps=10.0)
    body = motion.bodies.index(scene.names.index("Body"))
    turns = motion.rotations[:, body]
    expected = poses(assets, name)[:, [4, 6, 5, 7]] * (1.0, -1.0, 1.0, 1.0)
    alike = np.abs((turns * expected).sum(axis=1))
    assert 2.0 * np.arccos(np.clip(alike, -1.0, 1.0)) == pytest.approx(0.0, abs=5e-3)


def test_bodies_come_to_rest_where_forces_are_even(assets: Path) -> None:
    assert poses(assets, "soft_limit_in_a_rigid_one")[-1, 2] == pytest.approx(-0.1981, abs=2e-4)
    assert poses(assets, "two_limits_on_one_axis")[-1, 2] == pytest.approx(-0.2, abs=2e-4)
    assert poses(assets, "plane_collider")[-1, 2] == pytest.approx(-0.4)


def test_a_lock_holds_until_it_is_opened(assets: Path) -> None:
    rows = poses(assets, "animated_lock")
    assert rows[rows[:, 0] <= 1.0, 2] == pytest.approx(0.0, abs=1e-3)
    assert rows[-1, 2] == pytest.approx(-0.5 * math.sin(1.2), abs=2e-3)
