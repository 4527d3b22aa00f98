"""A file that is read and written again is the same, byte by byte: a repository shows no change."""

import json
from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main
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
