"""Runs scenarios in a desktop Blender that has the built extension installed (see harness.py).

The scenarios of one file share one Blender. Where it crashes, the scenario that it was in has
failed and the rest is played in a new one.
"""

import ast
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DESKTOP = ROOT / "tools" / "desktop_blender.sh"
PICTURES = ROOT / "build" / "gui"

PLATFORMS = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}
"""Zips for platforms by the machine that runs the tests."""

SILENT = 300
"""Seconds that a Blender may write nothing: it names each scenario as it starts."""

FAULTS = re.compile(r"Traceback|Error|ERROR|Exception|property not found|EXCEPTION_")
"""Console lines that tell of a fault: a failing draw leaves no other trace."""


@dataclass(frozen=True)
class Scenario:
    """A scenario by its file and name."""

    file: Path
    name: str

    def __str__(self) -> str:
        """Return the name that pytest shows."""
        return f"{self.file.stem}-{self.name}"


def scenarios_in(folder: str) -> list[Scenario]:
    """Return the public functions of each file, without running it."""
    return [
        Scenario(file, node.name)
        for file in sorted((HERE / folder).glob("*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]


def size_in(file: Path) -> str:
    """Return the size of the window that a file of scenarios wants, as its `SIZE` says."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SIZE":
            return str(ast.literal_eval(node.value))
    return os.environ.get("DESKTOP_BLENDER_SIZE", "1000x700")


class Desktop:
    """Desktop Blender with the extension, and how scenarios ended in it."""

    def __init__(self, folder: Path, archive: Path) -> None:
        """Install the extension into a fresh home below the folder."""
        self.folder = folder
        self.ended: dict[Scenario, str] = {}
        """Fault of each scenario that was played, empty where it passed."""
        reachable = shutil.copy(archive, folder)
        install = ["--command", "extension", "install-file", "-r", "user_default", "--enable"]
        code, console = self._run([*install, reachable])
        assert code == 0, console
        assert "Installed" in console, console  # the exit code is 0 even for a missing zip

    def play(self, scenarios: list[Scenario]) -> None:
        """Play scenarios of one file, in as few Blenders as it takes."""
        while scenarios:
            self._play_once(scenarios)
            scenarios = [scenario for scenario in scenarios if scenario not in self.ended]

    def empty_home(self) -> None:
        """Remove the files that earlier scenarios saved: a dialog asks before overwriting."""
        for path in (self.folder / "home").glob("[!.]*"):
            if path.is_file():
                path.unlink()

    def _play_once(self, scenarios: list[Scenario]) -> None:
        """Play scenarios in one Blender and note how they ended, at least the first."""
        results = self.folder / "results.jsonl"
        results.write_text("")
        play = ["--enable-event-simulate", "--python", str(HERE / "play.py"), "--"]
        pictures = self.folder if scenarios[0].file.parent.name == "faulty" else PICTURES
        paths = [str(path) for path in (scenarios[0].file, results, pictures)]
        size = size_in(scenarios[0].file)
        code, console = self._run([*play, *paths, *(s.name for s in scenarios)], size=size)
        consoles = split_console(console)
        by_name = {scenario.name: scenario for scenario in scenarios}
        for line in results.read_text().splitlines():
            result = json.loads(line)
            written = consoles.pop(result["scenario"])
            self.ended[by_name.pop(result["scenario"])] = result["fault"] or console_fault(
                written, result["expected"]
            )
        crashed = next((name for name in by_name if name in consoles), next(iter(by_name), None))
        if crashed:
            state = f"Blender ended with {code}" if code is not None else "Blender hung"
            self.ended[by_name[crashed]] = f"{state}\n{console[-3000:]}"

    def _run(self, arguments: list[str], *, size: str = "") -> tuple[int | None, str]:
        """Run desktop Blender; return its exit code, None where it was stuck, and its console."""
        environment = os.environ | {
            "DESKTOP_BLENDER_HOME": str(self.folder / "home"),
            "DESKTOP_BLENDER_BIND": f"{ROOT}:{self.folder}",
            "DESKTOP_BLENDER_SIZE": size,
        }
        console = self.folder / "console.txt"
        with console.open("wb") as file:
            process = subprocess.Popen(
                [DESKTOP, "run", *arguments],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            while process.poll() is None and time.time() - console.stat().st_mtime < SILENT:
                time.sleep(0.05)
            code = process.poll()
            if code is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return code, console.read_text(encoding="utf-8", errors="replace")


def split_console(console: str) -> dict[str, str]:
    """Return what each scenario wrote; what Blender wrote at its start belongs to the first."""
    start, *parts = re.split(r"^\[scenario\] (\w+)\n", console, flags=re.MULTILINE)
    consoles = dict(zip(parts[::2], parts[1::2], strict=True))
    if parts:
        consoles[parts[0]] = start + consoles[parts[0]]
    return consoles


def console_fault(console: str, expected: list[str]) -> str:
    """Return the console where a line that was not expected tells of an error, else nothing."""
    lines = [line for line in console.splitlines() if FAULTS.search(line)]
    bad = [line for line in lines if not any(re.search(pattern, line) for pattern in expected)]
    return f"an error on the console:\n{console}" if bad else ""


@pytest.fixture(scope="session")
def desktop(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Desktop]:
    """Return a desktop Blender with the built extension, skip where there is none."""
    status = subprocess.run([DESKTOP, "status"], check=False, capture_output=True, text=True)
    if status.returncode:
        pytest.skip(f"{status.stdout.strip()} (tools/desktop_blender.sh install gets one)")
    for stale in PICTURES.glob("*-failed.png"):
        stale.unlink()
    archive = request.getfixturevalue("extension_zip")
    return Desktop(tmp_path_factory.mktemp("desktop"), archive)


@pytest.fixture(scope="session")
def desktop_with_contacts(
    desktop: Desktop, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> Desktop:
    """Return a desktop Blender with the zip that brings MuJoCo."""
    folder = tmp_path_factory.mktemp("contacts")
    build = [sys.executable, repository / "tools" / "build_zip.py", folder]
    build.append(PLATFORMS[platform.machine()])
    run = subprocess.run(build, check=False, capture_output=True, text=True, timeout=300)
    if "No wheel of MuJoCo" in run.stderr:
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stdout + run.stderr
    (archive,) = folder.glob("*.zip")
    return Desktop(tmp_path_factory.mktemp("desktop"), archive)
