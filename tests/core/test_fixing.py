"""Safe fixes of `check --fix`: what goes, and that nothing else changes."""

import difflib
import json
import os
import struct
from pathlib import Path
from typing import Any

import pytest
from pygltflib import GLTF2, BufferFormat

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.gltf.container import read_gltf
from omi_joints_addon.io.formats.gltf.fixes import FIXED
from tests.core.documents import door

FAULTS = Path(__file__).resolve().parents[2] / "conformance" / "faults"
FIXABLE = {
    "limit_without_axes": "OMI-J101",
    "limit_without_bounds": "OMI-J102",
    "drive_without_target": "OMI-J201",
    "extension_unlisted": "OMI-J402",
    "limit_axis_twice": "OMI-J431",
    "extension_listed_twice": "OMI-J431",
}
SETTINGS = ("OMI_physics_joint", "KHR_physics_rigid_bodies")


def test_every_code_that_is_fixed_has_a_case() -> None:
    assert set(FIXABLE.values()) == FIXED


def fault(name: str) -> Any:
    return json.loads((FAULTS / f"{name}.gltf").read_text("utf-8"))


def settings(document: Any) -> Any:
    """Return the settings of the only joint."""
    (name,) = (name for name in SETTINGS if name in document["extensions"])
    return document["extensions"][name]["physicsJoints"][0]


def written(folder: Path, document: Any, name: str = "door.gltf") -> Path:
    path = folder / name
    path.write_text(json.dumps(document, indent=1), "utf-8")
    return path


def fixed(path: Path, *options: str) -> Any:
    """Fix a file and return its document."""
    main(["check", "--fix", "--no-config", *options, str(path)])
    return json.loads(path.read_text("utf-8"))


def codes(path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    main(["check", "--no-config", "--format", "json", str(path)])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    return [each["code"] for each in file["findings"]]


@pytest.mark.parametrize("name", FIXABLE)
def test_a_fault_goes_and_the_rest_of_the_text_stays(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "door.gltf"
    before = (FAULTS / f"{name}.gltf").read_text("utf-8")
    path.write_text(before, "utf-8")
    assert main(["check", "--fix", "--no-config", str(path)]) == 0
    assert "1 finding fixed\n" in capsys.readouterr().out
    assert codes(path, capsys) == []
    after = path.read_text("utf-8").splitlines()
    changes = difflib.SequenceMatcher(None, before.splitlines(), after, autojunk=False)
    # One place of the text: a settings object, or the list of extensions.
    assert len([each for each in changes.get_opcodes() if each[0] != "equal"]) == 1


def test_of_several_limits_the_right_ones_go(tmp_path: Path) -> None:
    document = fault("limit_without_bounds")
    limits = settings(document)["limits"]
    kept = [{"angularAxes": [0], "max": 0.5}, {"linearAxes": [0], "min": 0.0, "max": 1.0}]
    limits[:] = [{"angularAxes": [1]}, kept[0], {"min": 0.0}, {"linearAxes": [2]}, kept[1]]
    settings(document)["drives"] = [{"type": "linear", "mode": "force", "axis": 0}]
    after = fixed(written(tmp_path, document))
    assert settings(after) == {"limits": kept}


def test_a_limit_that_goes_for_two_reasons_goes_once(tmp_path: Path) -> None:
    document = fault("limit_axis_twice")
    kept = settings(document)["limits"][:2]
    settings(document)["limits"][2] = {"angularAxes": [2, 2, 2]}
    assert settings(fixed(written(tmp_path, document)))["limits"] == kept


def test_joints_of_khr_keep_their_list_of_limits(tmp_path: Path) -> None:
    """Clients of KHR_physics_rigid_bodies fail without it."""
    document = fault("khr_limit_of_both_kinds")
    settings(document)["limits"] = [{"angularAxes": [2]}]
    assert settings(fixed(written(tmp_path, document))) == {"limits": []}


def test_binary_files_keep_their_buffers(tmp_path: Path) -> None:
    source, path = written(tmp_path, fault("body_without_shape")), tmp_path / "door.glb"
    gltf = GLTF2().load(str(source))
    assert gltf is not None
    gltf.convert_buffers(BufferFormat.BINARYBLOB)
    gltf.extensions["OMI_physics_joint"]["physicsJoints"][0]["limits"].append({"linearAxes": [2]})
    gltf.save(str(path))
    before = GLTF2().load(str(path))
    assert main(["check", "--fix", "--no-config", str(path)]) == 0
    after = GLTF2().load(str(path))
    assert before is not None
    assert after is not None
    assert after.binary_blob() == before.binary_blob()
    before.extensions["OMI_physics_joint"]["physicsJoints"][0]["limits"].pop()
    assert after.to_json() == before.to_json()


def _animated(document: Any) -> None:
    document["extensionsUsed"].append("KHR_animation_pointer")


def _in_two_dialects(document: Any) -> None:
    other = fault("khr_mass_zero")
    document["extensions"]["KHR_physics_rigid_bodies"] = other["extensions"][
        "KHR_physics_rigid_bodies"
    ]
    document["extensionsUsed"].append("KHR_physics_rigid_bodies")


def _for_godot(document: Any) -> None:
    document["asset"]["extras"] = {"OMI_physics_target": "Godot 4 importer"}


def _with_a_broken_list(document: Any) -> None:
    document["extensionsUsed"] = "OMI_physics_joint"


@pytest.mark.parametrize("change", [_with_a_broken_list, _animated, _in_two_dialects, _for_godot])
def test_files_whose_parts_depend_on_the_numbers_stay(change: Any, tmp_path: Path) -> None:
    document = fault("limit_without_bounds")
    change(document)
    assert fixed(written(tmp_path, document)) == document


@pytest.mark.parametrize("options", [("--ignore", "J102"), ("--select", "J1", "--ignore", "J10")])
def test_what_is_ignored_stays(options: tuple[str, ...], tmp_path: Path) -> None:
    document = fault("limit_without_bounds")
    assert fixed(written(tmp_path, document), *options) == document


def test_a_sound_file_is_not_written(tmp_path: Path) -> None:
    path = written(tmp_path, fault("limit_reversed"))
    os.utime(path, (1.0, 1.0))
    fixed(path)
    assert path.stat().st_mtime == 1.0


def test_a_link_leads_to_the_fixed_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    path = written(tmp_path / "real", fault("limit_without_bounds"))
    link = tmp_path / "link.gltf"
    link.symlink_to(path)
    assert len(settings(fixed(link))["limits"]) == 2
    assert link.is_symlink()


def test_standard_input_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--fix", "-"]) == 2
    assert "standard input" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".gltf", ".glb"])
def test_what_is_nested_deeply_is_no_obstacle(suffix: str, tmp_path: Path) -> None:
    """A copy of all of it would not fit on Python's stack; text of JSON may nest further."""
    document = door()
    deep: Any = "bottom"
    for level in range(900):
        deep = {"a": deep} if level % 2 else [deep]
    document["extras"] = deep
    document["extensionsUsed"] = []
    path = tmp_path / f"deep{suffix}"
    data = json.dumps(document).encode()
    if suffix == ".glb":
        data += b" " * (-len(data) % 4)
        head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(data), len(data), 0x4E4F534A)
        data = head + data
    path.write_bytes(data)
    assert main(["check", "--fix", str(path)]) == 0
    found = read_gltf(path).document
    assert "OMI_physics_joint" in found["extensionsUsed"]
    assert found["extras"] == deep
