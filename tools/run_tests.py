"""Run the test layers: run_tests.py [LAYER ...] [-- PYTEST ARGUMENT ...].

Each layer runs in a process of its own on each Blender release, since Blender is one per process;
two run side by side. The window tests are two processes, on the newest release. Output goes to
build/tests; the screen gets a line a minute, and the failures. The last lines sum up each release,
with what was skipped and why.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from environments import ROOT, Environment, prepare_blenders

ALL_LAYERS = ("core", "gui", "blender", "roundtrip", "install")
"""In this order: what takes longest is not started last, when another processor would wait."""

WINDOWS = {
    "tutorials": ("tests/gui/test_tutorials.py",),
    "gui": ("tests/gui", "--ignore=tests/gui/test_tutorials.py"),
}
"""What of the layer `gui` runs side by side: each has a screen of its own."""

SIDE_BY_SIDE = 2
"""Processes at a time, for two processors: with more, windows answer late."""

SILENT_SECONDS = 600
"""How long a run may write nothing: pytest names each test as it starts, so one test is stuck."""

EXIT_SECONDS = 60
"""How long Blender may take to exit once its tests have ended; a hang must fail and not last."""

PATIENCE = float(os.environ.get("OMI_TESTS_PATIENCE", "1"))
"""Factor on those times, for single tests that run long."""

PROGRESS_SECONDS = 60
"""Time between two lines about a layer that runs."""

_LAST_LINES = 30
"""Lines of a log that are shown where it ends without failures."""

LOGS = ROOT / "build" / "tests"
NO_TESTS = 5
"""Pytest's exit code where nothing was collected."""


@dataclass(frozen=True)
class Outcome:
    """How one layer went on one Blender release."""

    layer: str
    release: str
    log: Path
    fault: str
    """Why the run does not count as passed, empty where it does."""
    counts: Counter[str]
    skips: Counter[str]
    """Reasons of skipped tests and how often each."""

    @property
    def closing_line(self) -> str:
        """Pytest's own last line, empty where it wrote none."""
        lines = re.findall(r"^=+ .* in [\d.]+s.* =+$", _text(self.log), re.MULTILINE)
        return lines[-1] if lines else ""

    @property
    def random_cases(self) -> list[str]:
        """Lines that count random cases, with their seeds."""
        return re.findall(r"^random: .*$", _text(self.log), re.MULTILINE)


def main() -> None:
    """Run the layers that are named, by default all, and exit with 1 where one failed."""
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    layers, extra = arguments[:cut] or list(ALL_LAYERS), arguments[cut + 1 :]
    if not set(layers) <= set(ALL_LAYERS):
        sys.exit(__doc__)
    environments = prepare_blenders()
    LOGS.mkdir(parents=True, exist_ok=True)
    runs = list(_runs([layer for layer in ALL_LAYERS if layer in layers], environments))
    os.environ["OMI_TESTS_NEWEST"] = environments[-1].name
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        outcomes = list(pool.map(lambda run: run_layer(run[0], run[1], extra), runs))
    summarise(outcomes)
    sys.exit(any(outcome.fault for outcome in outcomes))


def _runs(layers: list[str], environments: list[Environment]) -> Iterator[tuple[Environment, str]]:
    """Yield what runs in a process of its own."""
    for layer in layers:
        if layer == "gui":
            yield from ((environments[-1], window) for window in WINDOWS)
        else:
            yield from ((environment, layer) for environment in environments)


def run_layer(environment: Environment, layer: str, extra: list[str]) -> Outcome:
    """Run one layer on one release, say how it went, and show its output where it failed."""
    name = f"{layer}-{environment.name}"
    log, report = LOGS / f"{name}.log", LOGS / f"{name}.xml"
    report.unlink(missing_ok=True)
    where = WINDOWS.get(layer, (f"tests/{layer}",))
    pytest = [str(environment.python), "-m", "pytest", "-v", *where]
    started = time.monotonic()
    code = _run(
        [*pytest, f"--junitxml={report}", *extra], log, report, f"{environment.name} {layer}"
    )
    counts, skips = _read_report(report)
    fault = _fault(code, counts, selected=bool(extra))
    outcome = Outcome(layer, environment.name, log, fault, counts, skips)
    seconds = time.monotonic() - started
    text = f"Blender {environment.name} {layer:9} {_sum(counts)} in {seconds:.0f} s"
    if fault:
        text = f"{_failures(_text(log))}\n{text}: FAILED, {fault}; all output: {log}"
    print(text, flush=True)
    return outcome


def summarise(outcomes: list[Outcome]) -> None:
    """Print pytest's closing lines, then one line for each release and what it skipped."""
    print()
    for outcome in outcomes:
        print(f"Blender {outcome.release} {outcome.layer}\n{outcome.closing_line}")
        for line in outcome.random_cases:
            print(line)
    print()
    for release in sorted({outcome.release for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.release == release]
        faults = [f"{outcome.layer} ({outcome.fault})" for outcome in own if outcome.fault]
        total = sum((outcome.counts for outcome in own), Counter())
        verdict = f"FAILED: {', '.join(faults)}" if faults else "OK"
        print(f"Blender {release}: {_sum(total)}. {verdict}")
        for reason, times in sum((outcome.skips for outcome in own), Counter()).items():
            print(f"  skipped {times} x: {reason}")


def _run(command: list[str], log: Path, report: Path, name: str) -> int | None:
    """Run a command with its output in a file; return its exit code, None where it was stuck."""
    shown = time.monotonic()
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            while process.poll() is None and not _is_stuck(log, report):
                time.sleep(0.1)
                if time.monotonic() - shown >= PROGRESS_SECONDS:
                    shown = time.monotonic()
                    print(f"{name}: {_progress(_text(log))}", flush=True)
            return process.poll()
        finally:
            if process.poll() is None:
                _kill(process)
                process.wait()


def _progress(text: str) -> str:
    """Return how far a run is, by its output so far."""
    whole = re.search(r"collected .*?(\d+) (?:items?|selected)$", text, re.MULTILINE)
    if not whole:
        return "starting"
    done = re.findall(r" (PASSED|FAILED|ERROR|SKIPPED|XFAIL) +\[ *\d+%\]", text)
    failed = sum(state in ("FAILED", "ERROR") for state in done)
    return f"{len(done):,} of {int(whole[1]):,} tests, {failed} failed"


def _failures(text: str) -> str:
    """Return what pytest says of failures, else the last lines of its output."""
    found = re.search(r"^=+ (?:FAILURES|ERRORS) =+$", text, re.MULTILINE)
    return text[found.start() :] if found else "\n".join(text.splitlines()[-_LAST_LINES:])


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a run with all that it started, where the system knows such groups."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _is_stuck(log: Path, report: Path) -> bool:
    """Return whether a run has been silent for too long, in a test or after the last one."""
    patience = EXIT_SECONDS if report.exists() else SILENT_SECONDS
    latest = max(path.stat().st_mtime for path in (log, report) if path.exists())
    return time.time() - latest > patience * PATIENCE


def _read_report(report: Path) -> tuple[Counter[str], Counter[str]]:
    """Return how many tests passed, failed and were skipped, and the reasons of the skips."""
    counts: Counter[str] = Counter()
    skips: Counter[str] = Counter()
    if not report.exists():
        return counts, skips
    for case in ET.parse(report).iter("testcase"):
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            counts["failed"] += 1
        elif skipped is None or skipped.get("type") == "pytest.xfail":
            counts["passed"] += 1
        else:
            counts["skipped"] += 1
            skips[skipped.get("message", "")] += 1
    return counts, skips


def _fault(code: int | None, counts: Counter[str], *, selected: bool) -> str:
    """Return why a run did not pass; finding no test is a fault unless tests were selected."""
    if code == 0 or (code == NO_TESTS and selected):
        return ""
    if code is None:
        return "hung at exit after its tests" if counts else "a test was stuck, the last one named"
    if code == NO_TESTS:
        return "no tests"
    if code < 0:
        return f"ended by signal {-code}"
    return f"pytest exit code {code}"


def _sum(counts: Counter[str]) -> str:
    """Return the counts in words."""
    return ", ".join(f"{counts[state]} {state}" for state in ("passed", "failed", "skipped"))


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    main()
