"""Khronos' glTF-Validator beside our checks, and over the conformance set."""

import json
import os
import shutil
from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ.get("OMI_NODE_PACKAGES", ROOT / "build" / "node")) / "node_modules"
SET = ROOT / "conformance"


@pytest.fixture
def _validator(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("node") is None or not (PACKAGES / "gltf-validator").is_dir():
        pytest.skip("no gltf-validator: tools/node_packages.sh install")
    monkeypatch.setenv("NODE_PATH", str(PACKAGES))


def _report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, list[str]]:
    """Return the codes of each file's findings."""
    main(["check", "--with-validator", "--format", "json", "--no-config", *words])
    files = json.loads(capsys.readouterr().out)["files"]
    return {
        Path(file["path"]).stem: [found["code"] for found in file["findings"]] for file in files
    }


@pytest.mark.slow
@pytest.mark.usefixtures("_validator")
def test_features_of_the_set_are_sound_gltf(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--select", "KHR-", "--least", "warning", "--jobs", "2")
    found = _report(capsys, "-r", str(SET / "omi"), str(SET / "khr"), *options)
    assert len(found) > 50
    assert {name for name, codes in found.items() if codes} == set()


@pytest.mark.usefixtures("_validator")
def test_what_the_validator_finds_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(SET / "faults" / "accessor_missing.gltf")
    assert set(_report(capsys, file, "--least", "error")["accessor_missing"]) == {
        "OMI-J401",
        "KHR-UNRESOLVED_REFERENCE",
    }
    ignore = ("--ignore", "khr-unresolved_reference", "--severity", "KHR-NODE=warning")
    found = _report(capsys, file, "--least", "warning", *ignore)
    assert sorted(found["accessor_missing"]) == ["KHR-NODE_EMPTY", "OMI-J401"]


@pytest.mark.usefixtures("_validator")
def test_files_outside_of_the_folder_are_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(8))
    (tmp_path / "in").mkdir()
    buffer = {"byteLength": 4, "uri": "../secret.bin"}
    document = {"asset": {"version": "2.0"}, "buffers": [buffer]}
    (tmp_path / "in" / "a.gltf").write_text(json.dumps(document))
    assert "KHR-IO_ERROR" in _report(capsys, str(tmp_path / "in" / "a.gltf"))["a"]


def test_a_missing_validator_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.gltf").write_text('{"asset": {"version": "2.0"}}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NODE_PATH", raising=False)
    node = shutil.which("node")
    monkeypatch.setenv("PATH", "")
    assert main(["check", "--with-validator", "a.gltf"]) == 2
    assert capsys.readouterr().err.endswith("requires Node, which is not installed\n")
    if node is None:
        return
    monkeypatch.setenv("PATH", str(Path(node).parent))
    assert main(["check", "--with-validator", "a.gltf"]) == 2
    assert "npm install --global gltf-validator" in capsys.readouterr().err
