"""USD files on the command line."""

from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main

from .usd_scenes import ARM, chain, written

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(chain(3, articulations=ARM), tmp_path)


def test_usd_files_are_checked_shown_and_simulated(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(file)]) in (0, 1)
    assert main(["show", str(file)]) == 0
    assert capsys.readouterr().out.count("Link") >= 3
    assert main(["simulate", str(file), "--seconds", "0.1", "--csv", "-"]) == 0
    assert "Link 0.x" in capsys.readouterr().out


def test_usd_files_are_converted_with_options(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "other.usdc"
    assert main(["convert", str(file), str(target), "-o", "up_axis=Y"]) == 0
    again = tmp_path / "again.usda"
    assert main(["convert", str(target), str(again)]) == 0
    assert "Link_0" in again.read_text("utf-8")


def test_an_unreadable_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.usda"
    path.write_text("#usda 1.0\ndef {", encoding="utf-8")
    assert main(["check", str(path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
