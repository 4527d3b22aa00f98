"""What benchmarks do in a real window; runs inside desktop Blender."""

import gc
import json
import os
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

import addon_utils
import bpy

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
ADDON = "omi_joints_addon"
TURNS = 2
"""Turns of Blender's event loop in each step."""
LONGEST = 60.0
"""Processor time [s] after which nobody waits for the extension to have read the scene."""
COLLECTION = "garbage collection of Python"
Times = dict[str, list[float]]
Steps = Iterator[None]


class Slices:
    """How long functions of ours took each time that Blender called them."""

    def __init__(self) -> None:
        self.times: Times = defaultdict(list)
        """Processor time of the thread [ms] of each call, by label."""
        self._handlers: list[tuple[list[Any], int, Any]] = []
        self._collecting, self._collected = 0.0, 0.0
        gc.callbacks.append(self._note_collection)

    def _note_collection(self, phase: str, about: dict[str, int]) -> None:
        """Measure Python's longer collections apart: they come whoever makes the last object.

        Python 3.14 calls each part of a full one a collection of generation 1.
        """
        if about["generation"] < 1:
            return
        if phase == "start":
            self._collecting = time.thread_time()
            return
        taken = time.thread_time() - self._collecting
        self._collected += taken
        self.times[COLLECTION].append(1000.0 * taken)

    def watch(self, owner: Any, name: str, label: str) -> None:
        """Measure a method of a class from now on."""
        inner = getattr(owner, name)
        # Blender passes as many arguments as a method of a class has names for.
        names = ", ".join(signature(inner).parameters)
        measured = self._measured(inner, label)
        setattr(owner, name, eval(f"lambda {names}: measured({names})", {"measured": measured}))

    def watch_handlers(self) -> None:
        """Measure the handlers of the extension until `leave_handlers`."""
        for name in dir(bpy.app.handlers):
            handlers = getattr(bpy.app.handlers, name)
            for at, inner in enumerate(handlers if isinstance(handlers, list) else ()):
                if inner.__module__.startswith(ADDON):
                    self._handlers.append((handlers, at, inner))
                    handlers[at] = self._measured(inner, f"handler: {name}")

    def leave_handlers(self) -> None:
        """Put handlers back, so that the extension can remove them."""
        for handlers, at, inner in self._handlers:
            handlers[at] = inner
        self._handlers.clear()

    def _measured(self, inner: Callable[..., Any], label: str) -> Callable[..., Any]:
        @wraps(inner)
        def measured(*arguments: Any) -> Any:
            start, collected = time.thread_time(), self._collected
            try:
                return inner(*arguments)
            finally:
                taken = time.thread_time() - start - (self._collected - collected)
                self.times[label].append(1000.0 * taken)

        return measured

    def total(self) -> float:
        """Return the time [ms] in functions of ours."""
        return sum(sum(times) for label, times in self.times.items() if label != COLLECTION)


class Session:
    """A window in which the extension is measured."""

    def __init__(self) -> None:
        self.slices = Slices()

    def watch(self) -> None:
        """Measure what Blender calls of the extension."""
        from omi_joints_addon.classes import classes_of
        from omi_joints_addon.gizmos import MODULES as GIZMOS
        from omi_joints_addon.overlay.joint_overlay import JointOverlay
        from omi_joints_addon.overlay.shape_overlay import ShapeOverlay
        from omi_joints_addon.panels import MODULES
        from omi_joints_addon.scene.work import Work

        self.slices.watch(JointOverlay, "draw", "overlay: joints")
        self.slices.watch(JointOverlay, "draw_numbers", "overlay: numbers")
        self.slices.watch(ShapeOverlay, "draw", "overlay: shapes")
        self.slices.watch(Work, "slice", "timer")
        for cls in (cls for module in GIZMOS for cls in classes_of(module)):
            if hasattr(cls, "draw_prepare"):
                self.slices.watch(cls, "draw_prepare", f"gizmos: {cls.__name__}")
        for cls in (cls for module in MODULES for cls in classes_of(module)):
            for name in ("draw", "draw_header", "draw_header_preset", "filter_items", "draw_item"):
                if name in vars(cls):
                    self.slices.watch(cls, name, f"panel: {cls.__name__}.{name}")

    def enable(self, *, is_on: bool) -> Steps:
        """Enable or disable the extension, and wait until it has read everything."""
        self.slices.leave_handlers()
        if is_on != addon_utils.check(ADDON)[1]:
            (addon_utils.enable if is_on else addon_utils.disable)(ADDON, default_set=True)
        for _ in range(3):  # tabs exist once they were drawn
            tag_all()
            yield
        if is_on:
            self.slices.watch_handlers()
            sidebar(view()["area"]).active_panel_category = "Joints"
        yield from self.settle(is_on=is_on)

    def settle(self, *, is_on: bool) -> Steps:
        """Let Blender work until the extension's timer has nothing left to do."""
        for _ in range(5):
            yield
        if not is_on:
            return
        from omi_joints_addon.scene.work import WORK

        end = time.process_time() + LONGEST
        while not WORK.is_done:
            assert time.process_time() < end, "the extension never has done"
            yield

    def arrange(self) -> Steps:
        """Look at a part of the joints, the sidebar open."""
        space = view()["area"].spaces.active
        space.region_3d.view_distance = 30.0
        space.region_3d.view_location = (100.0, 4.0, 0.0)
        space.show_region_ui = True
        yield

    def select(self, name: str) -> None:
        """Select one object."""
        for obj in bpy.context.selected_objects:
            obj.select_set(False)
        bpy.data.objects[name].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[name]


def quiet_preferences() -> None:
    """Set what makes windows quick and the same in every run."""
    preferences = bpy.context.preferences
    preferences.view.show_splash = False  # it would take the first click
    preferences.view.smooth_view = 0  # a view that turns by itself is drawn many times
    preferences.filepaths.use_auto_save_temporary_files = False  # saving is not what is timed


def view() -> dict[str, Any]:
    """Return the context of the 3D view."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    return {"window": window, "area": area, "region": region}


def sidebar(area: bpy.types.Area) -> bpy.types.Region:
    """Return the sidebar of an area."""
    return next(region for region in area.regions if region.type == "UI")


def tag_all() -> None:
    """Have Blender draw the whole window."""
    for area in bpy.context.window_manager.windows[0].screen.areas:
        area.tag_redraw()


def play(steps: Steps, found: object, folder: Path, *, pause: float = 0.0) -> None:
    """Take steps from a timer, with a pause [s] between its turns, and end Blender.

    What they have `found` at the end is written into the folder.
    """
    turn = 0

    def tick() -> float:
        nonlocal turn
        turn += 1
        if turn % TURNS:
            return pause
        try:
            next(steps)
        except StopIteration:
            (folder / "results.json").write_text(json.dumps(found))
            leave(0)
        except Exception:  # noqa: BLE001 - whatever fails, Blender has to end
            traceback.print_exc()
            leave(1)
        return pause

    bpy.app.timers.register(tick, first_interval=0.5, persistent=True)


def leave(code: int) -> None:
    """End Blender at once."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
