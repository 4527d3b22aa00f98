"""Blender's own export and import with the add-on and without, side by side.

A scene is made and written once. Each case is a process of its own, as a user's Blender is, that
exports or imports it when it is told to. They take turns, so that each run has its counterpart a
second later on the same machine.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from figures import MOST, Samples

ROOT = Path(__file__).resolve().parent.parent
ADDON = "omi_joints_addon"
OFF, ON = "off", "on"
TASKS = ("export", "import")
Author = Callable[[str, int], None]
Run = tuple[float, float]
"""Processor time [s], and memory at the peak so far [MB]."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Runs of one task, by case."""

    times: dict[str, Samples]
    """Processor time [s]."""
    peaks: dict[str, float]
    """Memory at the peak of the first run [MB]."""


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """Export and import of one format, as a benchmark compares them."""

    script: str
    """File of the benchmark, which its processes run too."""
    suffix: str
    operators: tuple[str, str]
    """Names of the operators of export and import in `bpy.ops`."""
    author: Author
    """Makes a scene of a kind and a size in the empty file."""
    within: Mapping[str, Callable[[], AbstractContextManager[Any]]] = field(default_factory=dict)
    """Further cases by name: the add-on enabled, and what is around all runs."""

    def make(self, kind: str, count: int, folder: str) -> None:
        """Make a scene, and write it as a file of Blender and in the format."""
        with _Process(self.script, "author", kind, count, folder, ON) as process:
            process.run()

    def compare(
        self,
        task: str,
        kind: str,
        count: int,
        folder: str,
        *,
        runs: int,
        target: float,
        extra: str = "",
    ) -> Compared:
        """Return so many runs of a task, or more where the ratio is too close to the target."""
        cases = [OFF, ON, *([extra] if extra else [])]
        found: dict[str, list[Run]] = {case: [] for case in cases}
        samples: dict[str, Samples] = {}
        with ExitStack() as stack:
            processes = {
                case: stack.enter_context(_Process(self.script, task, kind, count, folder, case))
                for case in cases
            }
            for number in range(MOST * runs):
                if number >= runs and not samples[ON].over(samples[OFF]).is_close_to(target):
                    break
                for case in cases if number % 2 else cases[::-1]:
                    found[case].append(processes[case].run())
                samples = {case: Samples([one[0] for one in found[case]]) for case in cases}
        return Compared(samples, {case: found[case][0][1] for case in cases})

    def serve(self) -> None:
        """Be the process that the arguments ask for, if they do; it ends without clean-up."""
        if sys.argv[1:2] != ["--child"]:
            return
        task, kind, count, folder, case = sys.argv[2:]
        out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        # What Blender says goes elsewhere.
        os.dup2(2, 1)
        _start(is_on=case != OFF)
        place = str(Path(folder) / f"{kind}{count}")
        with self.within.get(case, nullcontext)():
            for _command in sys.stdin:
                taken = self._do(task, kind, int(count), place)
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
                out.write(json.dumps((taken, peak)) + "\n")
                out.flush()
        os._exit(0)

    def _do(self, task: str, kind: str, count: int, place: str) -> float:
        """Make the scene, or return the processor time [s] of a run."""
        import bpy

        bpy.ops.wm.read_homefile(use_empty=True)
        if task == "author":
            self.author(kind, count)
            bpy.ops.wm.save_as_mainfile(filepath=f"{place}.blend")
            self._operator("export")(filepath=place + self.suffix)
            bpy.ops.wm.read_homefile(use_empty=True)
            self.author(kind, 2)
            self._operator("export")(filepath=f"{place}.few{self.suffix}")
            return 0.0
        self._warm_up(place)
        if task == "export":
            bpy.ops.wm.open_mainfile(filepath=f"{place}.blend")
            bpy.context.view_layer.update()
        else:
            bpy.ops.wm.read_homefile(use_empty=True)
        operator, out = self._operator(task), ".out" if task == "export" else ""
        start = time.process_time()
        operator(filepath=place + out + self.suffix)
        return time.process_time() - start

    def _warm_up(self, place: str) -> None:
        """Load all modules with a file of very little."""
        self._operator("import")(filepath=f"{place}.few{self.suffix}")
        self._operator("export")(filepath=f"{place}.warm{self.suffix}")

    def _operator(self, task: str) -> Callable[..., Any]:
        import bpy

        group, name = self.operators[TASKS.index(task)].split(".")
        return getattr(getattr(bpy.ops, group), name)


class _Process:
    """A Blender that does its task once each time that it is told to."""

    def __init__(self, script: str, *arguments: object) -> None:
        """Start `script` with the arguments that `SideBySide.serve` takes."""
        folder = str(arguments[3])
        self._process = subprocess.Popen(
            [sys.executable, script, "--child", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"BLENDER_USER_RESOURCES": folder},
        )

    def run(self) -> Run:
        """Return what a run takes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("run\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            sys.exit("a process of the benchmark has ended; see its messages")
        taken, peak = json.loads(line)
        return taken, peak

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """End the process and wait for it."""
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()


def _start(*, is_on: bool) -> None:
    """Load Blender, with the add-on or without."""
    sys.path.insert(0, str(ROOT))
    import bpy  # noqa: F401 isort: skip - makes addon_utils importable
    import addon_utils

    if is_on:
        addon_utils.enable(ADDON, default_set=True)
