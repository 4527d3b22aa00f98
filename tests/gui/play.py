"""Plays scenarios in desktop Blender: ... --python play.py -- FILE RESULTS PICTURES SCENARIO ...

Writes one line of JSON for each scenario that ended, and to the console where each begins, so that
what it left there can be told apart.
"""

import ctypes
import importlib.util
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import bpy

sys.path.insert(0, str(Path(__file__).parent))

from harness import Gui, Steps

TURNS = 2
"""Turns of Blender's event loop in each step."""

LONGEST = 240.0
"""Seconds that one scenario may take, unless its file has a number of its own."""


class Player:
    """Steps through the scenarios of a file, one after the other, from a timer."""

    def __init__(self, file: Path, results: Path, pictures: Path, names: list[str]) -> None:
        """Play the named functions of the file."""
        self.module = load(file)
        self.results = results
        self.pictures = pictures
        self.steps = self.play_all(names)
        self.turn = 0

    def tick(self) -> float:
        """Take the next step in its turn; end Blender after the last."""
        self.turn += 1
        if self.turn % TURNS == 0 and next(self.steps, "ended") == "ended":
            flush()
            os._exit(0)  # an orderly end crashes while gizmos are referred to
        return 0.0

    def play_all(self, names: list[str]) -> Steps:
        """Play each scenario from an empty file and note how it ended."""
        for name in names:
            bpy.ops.wm.read_homefile(use_empty=True)
            flush()
            print(f"[scenario] {name}", flush=True)
            gui = Gui(self.pictures, self.module.__name__)
            fault = yield from self.play(name, gui)
            if fault:
                yield from gui.picture(f"{name}-failed")
            flush()
            self.note({"scenario": name, "fault": fault, "expected": gui.expected})

    def play(self, name: str, gui: Gui) -> Iterator[None]:
        """Play a scenario and return the traceback of what it raised, empty for nothing."""
        longest = getattr(self.module, "LONGEST", LONGEST)
        end = time.monotonic() + longest
        yield from gui.wait()
        try:
            scenario = getattr(self.module, name)(gui)
            while time.monotonic() < end:
                with bpy.context.temp_override(**gui.context()):
                    if next(scenario, "ended") == "ended":
                        return ""
                yield
        except Exception:  # noqa: BLE001 - whatever a scenario raises is its result
            return traceback.format_exc()
        return f"not done after {longest:.0f} s"

    def note(self, result: dict[str, object]) -> None:
        """Add a line to the results."""
        with self.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


def load(file: Path) -> ModuleType:
    """Import a file of scenarios."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flush() -> None:
    """Write out what Python and Blender's own code hold back, so that the console is in order."""
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)


def main(file: str, results: str, pictures: str, *names: str) -> None:
    """Set the preferences that make windows quick and quiet, and start."""
    preferences = bpy.context.preferences
    preferences.view.show_splash = False  # it would take the first click
    preferences.view.smooth_view = 0  # views are where they were turned to at the next step
    preferences.view.use_save_prompt = False  # nobody is there to answer
    preferences.filepaths.use_auto_save_temporary_files = False  # it would make runs differ
    player = Player(Path(file), Path(results), Path(pictures), list(names))
    bpy.app.timers.register(player.tick, persistent=True)


main(*sys.argv[sys.argv.index("--") + 1 :])
