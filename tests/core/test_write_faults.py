"""A disk that fails at any step of a write: the old files stay, no half file, one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from tests.hostile import door_of_everything
from tests.injection import disk, steps_of
from tests.tally import Tally

SUFFIXES = ("gltf", "glb", "usda", "usdc", "urdf", "xml", "json")


def commands(source: Path, folder: Path) -> dict[str, list[Any]]:
    """Return commands that write a file `target.SUFFIX` and others beside it."""
    found = {each: ["convert", source, folder / f"target.{each}", "-f"] for each in SUFFIXES}
    table = ["--csv", folder / "target.csv"]
    return found | {"csv": ["simulate", source, "--seconds", "0.1", *table, "-f"]}


def run(arguments: list[Any]) -> int:
    return main([str(argument) for argument in arguments])


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*SUFFIXES, "csv"])
def test_a_write_that_fails_at_any_step_changes_nothing(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], tally: Tally
) -> None:
    document = door_of_everything()
    source, folder = tmp_path / "in.gltf", tmp_path / "out"
    folder.mkdir()
    source.write_text(json.dumps(document))
    arguments = commands(source, folder)[kind]
    assert run(arguments) == 0
    after = contents(folder)
    before = dict.fromkeys(after, b"mine")
    for number in range(len(steps_of(disk, lambda: run(arguments)))):
        for name, data in before.items():
            (folder / name).write_bytes(data)
        capsys.readouterr()
        with disk(number) as steps:
            code = run(arguments)
        error = capsys.readouterr().err
        messages = [line for line in error.splitlines() if "No space left" in line]
        place = f"step {number}, {steps.names[number]}"
        if code == 2:
            assert contents(folder) == before, place
            assert len(messages) == 1, error
        else:
            # Where the fault was in something that could be done without.
            assert (code, contents(folder)) == (0, after), f"{place}: {error}"
        tally.add("writes that fail at each step", f"{kind} {number}")
    assert source.read_text() == json.dumps(document)
