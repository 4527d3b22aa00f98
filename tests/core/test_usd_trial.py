"""USD files that crash OpenUSD, or make it take gigabytes, cost a line and no process of ours."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.usd import trial
from omi_joints_addon.io.formats.usd.trial import OUT_OF_MEMORY
from omi_joints_addon.io.formats.usd.trial_process import outcome_of

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not copy processes"),
]
pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

ROOT = Path(__file__).resolve().parents[2]
STAGE = '#usda 1.0\ndef Sphere "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}\n'
DEEP = "#usda 1.0\n" + 'def "A" {\n' * 100_000 + "}\n" * 100_000
"""A text that is too deep for the stack of OpenUSD 26's parser."""


def take_gigabytes() -> object:
    return bytearray(64 * 2**30)


def crash() -> object:
    return os.kill(os.getpid(), signal.SIGKILL)


def fail() -> object:
    return 1 / 0


@pytest.mark.parametrize(
    ("work", "code"),
    [(crash, -signal.SIGKILL), (take_gigabytes, OUT_OF_MEMORY), (fail, 0), (list, 0)],
)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_copy_ends_as_its_work_does(work: Callable[[], object], code: int) -> None:
    assert outcome_of(work, size=1000).code == code


def test_commands_go_on_to_the_next_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.usda").write_text(DEEP)
    (tmp_path / "sound.usda").write_text(STAGE)
    assert main(["check", "--recursive", str(tmp_path)]) == 2
    output, errors = capfd.readouterr()
    assert "bad.usda: makes OpenUSD crash (SIGSEGV)" in errors
    assert "1 unreadable" in output


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("/bin/true", "that ended without an answer, as it does where memory is short"),
        ("/none", "No such file or directory"),
    ],
)
def test_a_file_without_an_answer_is_not_read(
    program: str,
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever kept the trial from its answer would be met here, too."""
    path = tmp_path / "sound.usda"
    path.write_text(STAGE)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", program)
        trial._trials.cache_clear()
        assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err.rstrip().endswith(f"so it is not read: {problem}")
    assert main(["check", str(path)]) == 0


CHECK = """
import sys
from omi_joints_addon.cli.main import main
sys.exit(main(["check", sys.argv[1]]) or "pxr" in sys.modules)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_the_process_that_asks_never_gives_openusd_a_file(threads: int, tmp_path: Path) -> None:
    """Whether what reads it is a copy of a process, or starts anew beside numpy's threads."""
    path = tmp_path / "sound.usda"
    path.write_text(STAGE)
    run = subprocess.run(
        [sys.executable, "-c", CHECK, str(path)],
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "1 file checked" in run.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize("kilobytes", [300_000, 500_000, 900_000])
def test_too_little_memory_costs_a_sentence(kilobytes: int, tmp_path: Path) -> None:
    """OpenUSD ends its process by a segmentation fault there, some of it while it is loaded."""
    path = tmp_path / "sound.usda"
    path.write_text(STAGE)
    command = f"ulimit -v {kilobytes}; exec {sys.executable} -m omi_joints check -q {path}"
    run = subprocess.run(
        ["bash", "-c", command], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 2, run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith(f"{path}: ")


def test_files_are_read_beside_threads_of_openusd(tmp_path: Path) -> None:
    from pxr import Work

    Work.SetMaximumConcurrencyLimit()
    path = tmp_path / "sound.usda"
    path.write_text(STAGE)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert main(["check", str(path)]) == 0
    finally:
        stop.set()
        thread.join()
