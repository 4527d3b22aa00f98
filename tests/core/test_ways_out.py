"""Every way out of a command: streams that are closed or full, signals, missing memory."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli import sources
from omi_joints_addon.cli.main import main
from omi_joints_addon.io import staging
from tests.core.documents import door
from tests.core.test_outputs import run, writers

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
POSIX = pytest.mark.skipif(os.name != "posix", reason="this system has no such signals")
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")


@pytest.fixture(autouse=True)
def no_signal_is_ignored() -> Iterator[None]:
    """Take signals as a terminal has them: under `nohup` and in the background some are ignored."""
    usual = {signal.SIGINT: signal.default_int_handler}
    stops = [getattr(signal, name) for name in STOPS if hasattr(signal, name)]
    kept = {number: signal.signal(number, usual.get(number, signal.SIG_DFL)) for number in stops}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "door.gltf"
    path.write_text(json.dumps(door()))
    return path


def program(*arguments: Any, closed: int = 3, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process that starts without the stream of the number `closed`."""
    command = [sys.executable, "-m", "omi_joints_addon", *map(str, arguments)]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run(
        command, check=False, timeout=300, preexec_fn=lambda: _close(closed), **options
    )


def _close(number: int) -> None:
    if number < 3:
        os.close(number)


@pytest.mark.parametrize("command", ["check", "show", "simulate", "convert"])
def test_closed_input_is_one_line(command, tmp_path, repository):
    others = [tmp_path / "x.glb"] if command == "convert" else []
    done = program(command, "-", *others, closed=0, cwd=repository)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr
    assert b"standard input is closed" in done.stderr


def test_input_without_end_is_refused_by_its_start(repository):
    with Path("/dev/zero").open("rb") as endless:
        done = program("check", "-", cwd=repository, stdin=endless)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr


def commands(source: Path) -> dict[str, tuple[list[Any], int]]:
    """Return commands that say something on stderr, and their exit codes."""
    target = source.with_name("door.urdf")
    return {
        "check": (["check", source.with_name("none.glb")], 2),
        "convert": (["convert", source, target, "-f"], 0),
        "simulate": (["simulate", source, "--seconds", "0.1", "--csv", "-"], 0),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["check", "convert", "simulate"])
def test_closed_errors_change_no_exit_code(name, source, repository):
    arguments, code = commands(source)[name]
    assert program(*arguments, closed=2, cwd=repository).returncode == code


@pytest.mark.slow
@FULL
@pytest.mark.parametrize("name", ["check", "convert", "simulate"])
def test_full_errors_change_no_exit_code(name, source, repository):
    arguments, code = commands(source)[name]
    with Path("/dev/full").open("w") as full:
        assert program(*arguments, cwd=repository, stderr=full).returncode == code


def test_missing_memory_is_no_fault_of_ours(source, monkeypatch, capsys):
    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(sources, "source_of", fail)
    assert run("show", source) == 2
    assert capsys.readouterr().err.endswith("show: there is not enough memory\n")


def test_missing_part_of_ours_is_a_bug(source, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "omi_joints_addon.cli.overview", None)
    assert run("show", source) == 3
    assert "this is a bug" in capsys.readouterr().err


@POSIX
@pytest.mark.parametrize("name", STOPS)
@pytest.mark.parametrize("number", [0, 1])
def test_signal_leaves_nothing_behind(name, number, source, monkeypatch, capsys):
    """A signal comes when everything has been staged: the old file stays, and one line is said."""
    target = source.with_name("target.gltf")
    target.write_text("mine")
    before = sorted(source.parent.iterdir())
    settle = staging._settle

    def settled(path: Path, place: Path) -> None:
        settle(path, place)
        os.kill(os.getpid(), getattr(signal, name))
        time.sleep(1)

    monkeypatch.setattr(staging, "_settle", settled)
    assert run(*writers(source, target)[number], "-f") == 128 + getattr(signal, name)
    assert capsys.readouterr().err.count("\n") == 1
    assert (target.read_text(), sorted(source.parent.iterdir())) == ("mine", before)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@POSIX
def test_signal_among_the_moves_comes_after_them(source, monkeypatch, capsys):
    (source.parent / "beside.bin").write_bytes(b"\0" * 4)
    document = door()
    document["buffers"] = [{"uri": "beside.bin", "byteLength": 4}]
    source.write_text(json.dumps(document))
    folder = source.with_name("out")
    folder.mkdir()
    replace, moved = Path.replace, []

    def moving(path: Path, place: Path) -> Path:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)
        moved.append(place)
        return replace(path, place)

    monkeypatch.setattr(Path, "replace", moving)
    assert main(["convert", str(source), str(folder / "door.gltf")]) == 128 + signal.SIGTERM
    assert len(moved) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["beside.bin", "door.gltf"]
    assert capsys.readouterr().err.count("\n") == 1


@POSIX
def test_ignored_signals_stay_ignored(source, monkeypatch):
    """As `nohup` asks."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    read = sources.registry.format_of

    def killed(path: Path) -> Any:
        os.kill(os.getpid(), signal.SIGHUP)
        return read(path)

    monkeypatch.setattr(sources.registry, "format_of", killed)
    try:
        assert run("show", source) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_table_and_picture_are_written_together_or_not(source, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    table, gone = source.with_name("table.csv"), source.with_name("gone")
    gone.mkdir()
    table.write_text("mine")
    made = staging.scratch

    def failing(beside: Path | None = None) -> Any:
        if beside == gone:
            raise OSError(28, "No space left on device")
        return made(beside)

    monkeypatch.setattr(staging, "scratch", failing)
    picture = gone / "curves.png"
    wanted = ["--csv", table, "--picture", picture]
    assert run("simulate", source, "--seconds", "0.1", *wanted, "-f") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (table.read_text(), picture.exists()) == ("mine", False)
