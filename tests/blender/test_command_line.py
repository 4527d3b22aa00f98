"""Commands that need Blender, by the bpy module; tests/gui has them in a desktop Blender."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from tests.blender.scenes import add_door
from tests.core.documents import door


def _run(repository: Path, *arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "omi_joints_addon", *map(str, arguments)]
    return subprocess.run(
        command, cwd=repository, check=False, capture_output=True, text=True, timeout=300
    )


def _save_door(file: Path, **settings: Any) -> None:
    _, _, joint = add_door()
    if settings:
        joint.omi_joint.settings_from_core(JointSettings(**settings))
    bpy.ops.wm.save_as_mainfile(filepath=str(file))


def test_blend_file_is_checked_and_shown(repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "door.blend"
    _save_door(file, limits=(JointLimit(angular_axes=(0,), min=1.0, max=-1.0),))
    check = _run(repository, "check", file, "--format", "json")
    assert check.returncode == 1, check.stderr
    (report,) = json.loads(check.stdout)["files"]
    assert [found["code"] for found in report["findings"] if found["severity"] == "error"] == [
        "OMI-J103"
    ]
    show = _run(repository, "show", file)
    assert show.returncode == 0, show.stderr
    assert "2 bodies, 1 joint" in show.stdout


def test_conversion_there_and_back(repository: Path, tmp_path: Path) -> None:
    source, there, back = (tmp_path / name for name in ("a.gltf", "b.blend", "c.glb"))
    source.write_text(json.dumps(door()))
    for one, other in ((source, there), (there, back)):
        run = _run(repository, "convert", one, other)
        assert run.returncode == 0, run.stderr
        assert run.stdout == f"wrote {other}: 2 bodies, 1 joint\n"
    shown = [_run(repository, "show", file).stdout.splitlines()[1:] for file in (source, back)]
    assert shown[0] == shown[1]


def test_options_and_their_faults(repository: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "door.blend", tmp_path / "door.gltf"
    _save_door(source)
    bad = _run(repository, "convert", source, target, "-o", "export_nonsense=1")
    assert bad.returncode == 2
    assert bad.stderr.count("\n") == 1
    assert not target.exists()
    good = _run(
        repository, "convert", source, target, "-o", "export_format=GLTF_SEPARATE",
        "-o", "export_extras=True",
    )  # fmt: skip
    assert good.returncode == 0, good.stderr
    assert "OMI_physics_joint" in target.read_text()


def test_options_of_ours_are_checked_for_blend_files_too(repository: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "door.blend", tmp_path / "door.gltf"
    _save_door(source)
    for option in ("dialect=nonsense", "for=nonsense", "dialect=5"):
        bad = _run(repository, "convert", source, target, "-o", option)
        assert bad.returncode == 2, bad.stderr
        assert bad.stderr.count("\n") == 1
    good = _run(repository, "convert", source, target, "-o", "dialect=khr")
    assert good.returncode == 0, good.stderr
    assert "KHR_physics_rigid_bodies" in target.read_text()


def test_collection_that_does_not_exist_is_not_exported(repository: Path, tmp_path: Path) -> None:
    """Blender itself writes an empty file then."""
    source, target = tmp_path / "door.blend", tmp_path / "door.gltf"
    _save_door(source)
    run = _run(repository, "convert", source, target, "-o", "collection=nonsense")
    assert run.returncode == 2
    assert run.stderr.endswith("has no collection 'nonsense'\n")
    assert not target.exists()


def test_failing_exporter_is_one_line(repository: Path, tmp_path: Path) -> None:
    """Blender's own traceback is for programmers; the line names what is not written, and why."""
    source, target = tmp_path / "door.blend", tmp_path / "door.glb"
    _save_door(source)
    code = (
        "import resource, signal, sys; from omi_joints_addon.cli.main import main;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "convert", str(source), str(target)]
    run = subprocess.run(
        command, cwd=repository, check=False, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 2, run.stderr
    assert run.stderr.endswith(f"{target}: OSError: [Errno 27] File too large\n")
    assert run.stderr.count("\n") == 1
    assert not target.exists()


@pytest.mark.parametrize("way", ["export", "import"])
def test_fault_of_a_hook_is_a_bug_and_writes_nothing(
    repository: Path, tmp_path: Path, way: str
) -> None:
    """Blender's exporter and importer go on after it; a file without physics would look whole."""
    if way == "export":
        source, target, broken = tmp_path / "a.blend", tmp_path / "b.glb", "add_bodies"
        _save_door(source)
    else:
        source, target, broken = tmp_path / "a.gltf", tmp_path / "b.blend", "keep"
        source.write_text(json.dumps(door()))
    code = (
        "import sys, bpy; from omi_joints_addon.cli.main import main;"
        f"from omi_joints_addon.io.gltf import {way}_hooks as hooks;"
        f"hooks.{broken} = None; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "convert", str(source), str(target)]
    run = subprocess.run(
        command, cwd=repository, check=False, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 3, run.stderr
    assert run.stderr.count("this is a bug") == 1
    assert "'NoneType' object is not callable" in run.stderr
    assert not target.exists()


@pytest.mark.parametrize("element", ["buffers", "images"])
def test_pipe_that_a_document_refers_to_does_not_hang(
    repository: Path, tmp_path: Path, element: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    source = tmp_path / "door.gltf"
    source.write_text(json.dumps(door() | {element: [{"uri": "pipe", "byteLength": 1}]}))
    for command in (("convert", source, tmp_path / "x.blend"), ("picture", source, "x.png")):
        run = _run(repository, *command)
        assert run.returncode == 2
        assert run.stderr.endswith("refers to 'pipe', which is not a regular file\n")


def test_stop_on_errors_writes_nothing(repository: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "door.blend", tmp_path / "door.glb"
    _save_door(source, limits=(JointLimit(angular_axes=(0,), min=1.0, max=-1.0),))
    assert _run(repository, "convert", source, target, "--stop-on-errors").returncode == 1
    assert not target.exists()
    assert _run(repository, "convert", source, target).returncode == 1
    assert target.exists()


def test_broken_blend_file_is_one_line(repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "broken.blend"
    file.write_bytes(b"BLENDER")
    for arguments in (("check", file), ("show", file), ("convert", file, tmp_path / "x.glb")):
        run = _run(repository, *arguments)
        assert run.returncode == 2
        assert run.stderr.count("\n") == 1, run.stderr


def test_command_runs_inside_blender(tmp_path: Path) -> None:
    from omi_joints_addon.cli.main import run_in_blender

    file = tmp_path / "door.gltf"
    file.write_text(json.dumps(door()))
    assert run_in_blender(["check", str(file)]) == 0
