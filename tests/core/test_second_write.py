"""A file that is read and written again is the same, byte by byte: a repository shows no change."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.joint import DriveType, JointDrive
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Format, Source, Target
from omi_joints_addon.io.registry import FORMATS
from tests.core.scene_strategies import scenes
from tests.core.solver_scenes import SceneBuilder
from tests.hostile import door_of_everything


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def rewritten(source: Path, folder: Path, suffix: str) -> dict[str, bytes]:
    """Return what a conversion writes into a new folder."""
    folder.mkdir()
    assert main(["convert", str(source), str(folder / f"scene.{suffix}")]) in (0, 1)
    return files_of(folder)


@pytest.mark.parametrize("suffix", ["gltf", "glb", "urdf", "mjcf", "usda", "json"])
def test_second_write_is_the_first(suffix: str, corpus: Path, tmp_path: Path) -> None:
    if suffix == "usda":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    everything = tmp_path / "everything.gltf"
    everything.write_text(json.dumps(door_of_everything()))
    for number, source in enumerate([everything, *sorted((corpus / "omi").glob("*.gltf"))]):
        first = rewritten(source, tmp_path / f"{number}a", suffix)
        path = tmp_path / f"{number}a" / f"scene.{suffix}"
        assert rewritten(path, tmp_path / f"{number}b", suffix) == first, source.name


def written_anew(row: Format, scene: PhysicsScene, folder: Path) -> tuple[dict[str, bytes], Source]:
    """Return the files of a scene, written without those that it was read from."""
    path = folder / f"scene{row.suffixes[0]}"
    files = row.write(scene, Target(path=path)).files
    folder.mkdir(exist_ok=True)
    write_files(folder, files)
    return {name: bytes(content) for name, content in files.items()}, Source(path=path)


@pytest.mark.parametrize("name", ["gltf", "usd", "shift"])
@given(scene=scenes())
@settings(suppress_health_check=list(HealthCheck))
def test_files_that_are_written_anew_reach_a_fixed_point(
    name: str, tmp_path: Path, scene: PhysicsScene
) -> None:
    """A random scene, whose poses are products of poses of a tree after it was read."""
    if name == "usd":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    (row,) = (each for each in FORMATS if each.name == name)
    _, source = written_anew(row, scene, tmp_path / "a")
    second, source = written_anew(row, row.read(source)[0].scene, tmp_path / "b")
    third, _ = written_anew(row, row.read(source)[0].scene, tmp_path / "c")
    assert third == second


def test_carried_hinge_about_x_keeps_its_axis_in_shift(tmp_path: Path) -> None:
    """A hinge with a drive is carried: its frames have to be turned back about its own axis."""
    (row,) = (each for each in FORMATS if each.name == "shift")
    driven = replace(hinge(axis=0), drives=(JointDrive(type=DriveType.ANGULAR, axis=0),))
    build = SceneBuilder()
    build.joint(driven, -1, build.body((0, 0, 0)), (0, 0, 0))
    scene = build.scene()
    for folder in "ab":
        _, source = written_anew(row, scene, tmp_path / folder)
        scene = row.read(source)[0].scene
        (joint,) = scene.joints
        assert joint.settings.drives == driven.drives
        assert np.abs(scene.matrices[joint.node][:3, 0]) == pytest.approx((1, 0, 0))
