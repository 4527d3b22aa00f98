"""What `window.py` does in the window; runs inside desktop Blender.

The extension is disabled and enabled in turn, so that both are measured in the same Blender.
"""

import gc
import json
import os
import statistics
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import addon_utils
import bpy

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
ADDON = "omi_joints_addon"
ROUNDS = 2
"""Times that each is measured, without and with the extension."""
TURNS = 2
"""Turns of Blender's event loop in each step."""
LONGEST = 60.0
"""Processor time [s] after which nobody waits for the extension to have read the scene."""
MENTIONED = 10.0
"""Time [ms] from which on it is told what took it."""
COLLECTION = "garbage collection of Python"
Times = dict[str, list[float]]
Steps = Iterator[None]


class Slices:
    """How long functions of ours took each time that Blender called them."""

    def __init__(self) -> None:
        self.times: Times = defaultdict(list)
        """Processor time of the thread [ms] of each call, by label."""
        self._told: dict[str, int] = {}
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

        def measured(*arguments: Any) -> Any:
            start, collected = time.thread_time(), self._collected
            try:
                return inner(*arguments)
            finally:
                taken = time.thread_time() - start - (self._collected - collected)
                self.times[label].append(1000.0 * taken)

        # Blender passes as many arguments as a method of a class has names for.
        names = ", ".join(signature(inner).parameters)
        setattr(owner, name, eval(f"lambda {names}: measured({names})", {"measured": measured}))

    def new(self) -> Iterator[str]:
        """Yield what took more than a moment since this was asked last."""
        for label, times in self.times.items():
            new = times[self._told.get(label, 0) :]
            self._told[label] = len(times)
            if sum(new) > MENTIONED:
                yield f"{label}: {sum(new):.0f} ms in {len(new)}, longest {max(new):.1f} ms"

    def longest(self, *starts: str) -> float:
        """Return the longest time [ms] of what has a label that begins in one of some ways."""
        return max((max(times) for label, times in self.times.items() if label.startswith(starts)))


class Session:
    """What is done in the window, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.off: Times = defaultdict(list)
        self.on: Times = defaultdict(list)
        self.only: dict[str, float] = {}
        """Times [ms] of what there is with the extension only."""
        self.slices = Slices()
        self.started = time.monotonic()

    def steps(self) -> Steps:
        """Do everything; each step lets Blender handle events."""
        quiet_preferences()
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / "joints.blend"))
        yield
        self.watch()
        self.select("00700 Joint")
        yield from self.arrange()
        for round_number in range(ROUNDS):
            for is_on in (True, False) if round_number % 2 else (False, True):
                yield from self.enable(is_on=is_on)
                yield from self.redraws(self.on if is_on else self.off)
        yield from self.enable(is_on=True)
        yield from self.operators()
        self.tell_slices()

    def say(self, what: str) -> None:
        """Tell how far things are, and what took time since."""
        taken = f"{time.monotonic() - self.started:6.1f} s, {time.process_time():6.1f} s of work"
        print(f"[{taken}] {what}", flush=True)
        for line in self.slices.new():
            print(f"    {line}", flush=True)

    def watch(self) -> None:
        """Measure what Blender calls of the extension."""
        from omi_joints_addon.classes import classes_of
        from omi_joints_addon.overlay.joint_overlay import JointOverlay
        from omi_joints_addon.overlay.shape_overlay import ShapeOverlay
        from omi_joints_addon.panels import MODULES
        from omi_joints_addon.scene.watch import Watch
        from omi_joints_addon.scene.work import Work

        self.slices.watch(JointOverlay, "draw", "overlay: joints")
        self.slices.watch(JointOverlay, "draw_numbers", "overlay: numbers")
        self.slices.watch(ShapeOverlay, "draw", "overlay: shapes")
        self.slices.watch(Work, "slice", "timer")
        self.slices.watch(Watch, "note", "handler")
        for cls in (cls for module in MODULES for cls in classes_of(module)):
            for name in ("draw", "draw_header", "draw_header_preset", "filter_items", "draw_item"):
                if name in vars(cls):
                    self.slices.watch(cls, name, f"panel: {cls.__name__}.{name}")

    def enable(self, *, is_on: bool) -> Steps:
        """Enable or disable the extension, and wait until it has read everything."""
        self.say("on" if is_on else "off")
        if is_on != addon_utils.check(ADDON)[1]:
            (addon_utils.enable if is_on else addon_utils.disable)(ADDON, default_set=True)
        for _ in range(3):  # tabs exist once they were drawn
            tag_all()
            yield
        if is_on:
            sidebar(view()["area"]).active_panel_category = "Joints"
        self.say("enabled")
        yield from self.settle(is_on=is_on)
        self.say("settled")

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

    def redraws(self, times: Times) -> Steps:
        """Redraw after one thing and another."""
        is_on = times is self.on
        body = bpy.data.objects["00700 Body"]
        for _ in range(3):
            for _ in range(4):
                times["redraw"].append(redraw_ms())
                times["redraw, Blender's thread"].append(redraw_ms(clock=time.thread_time))
            times["redraw after moving a body"].append(redraw_ms(lambda: move(body)))
            yield from self.settle(is_on=is_on)
        yield from self.redraw_after_undo(times)
        self.say("undone")
        yield from self.settle(is_on=is_on)

    def redraw_after_undo(self, times: Times) -> Steps:
        """Redraw after undo."""
        for number in range(2):
            bpy.data.objects["00701 Body"].location.z += 0.1
            with bpy.context.temp_override(**view()):
                bpy.ops.ed.undo_push(message=f"Move {number}")
            yield
        yield from self.settle(is_on=times is self.on)
        with bpy.context.temp_override(**view()):
            bpy.ops.ed.undo()
        times["redraw after undo"].append(redraw_ms())
        for _ in range(3):
            yield
        times["redraw later after undo"].append(redraw_ms())

    def operators(self) -> Steps:
        """Start and end a preview, and edit a joint."""
        self.select("00700 Joint")
        yield from self.settle(is_on=True)
        range_of_motion, control = bpy.ops.omi.preview_range, bpy.ops.omi.preview_control
        with bpy.context.temp_override(**view()):
            self.only["range of motion starts"] = timed(lambda: range_of_motion("INVOKE_DEFAULT"))
        yield
        with bpy.context.temp_override(**view()):
            self.only["range of motion ends"] = timed(lambda: control(command="STOP"))
        yield from self.settle(is_on=True)
        with bpy.context.temp_override(**view()):
            pushed = timed(lambda: bpy.ops.ed.undo_push(message="Nothing"))
            added = timed(lambda: bpy.ops.omi.joint_limit_add("EXEC_DEFAULT", True))
        self.only["an undo push of Blender"] = pushed
        self.only["a limit is added, with its undo push"] = added
        self.only["a limit is added"] = max(0.0, added - pushed)
        self.only["redraw after adding a limit"] = redraw_ms()
        yield from self.settle(is_on=True)

    def tell_slices(self) -> None:
        """Take over how long functions of ours took."""
        slices = self.slices
        self.only["longest slice of the timer"] = slices.longest("timer")
        self.only["longest handler"] = slices.longest("handler")
        self.only["longest draw of the overlay"] = slices.longest("overlay")
        self.only["longest draw of a panel"] = slices.longest("panel")
        for label in sorted(slices.times, key=slices.longest, reverse=True)[:16]:
            times = slices.times[label]
            told = f"median {statistics.median(times):.2f} of {len(times)}"
            self.only[f"longest: {label}, {told}"] = max(times)

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
    preferences.system.viewport_aa = "OFF"  # its samples are drawn after what is timed


def view() -> dict[str, Any]:
    """Return the context of the 3D view."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    return {"window": window, "area": area, "region": region}


def sidebar(area: bpy.types.Area) -> bpy.types.Region:
    """Return the sidebar of an area."""
    return next(region for region in area.regions if region.type == "UI")


def move(body: bpy.types.Object) -> None:
    """Move a body and have Blender evaluate it."""
    body.location.z += 0.01
    bpy.context.view_layer.update()


def tag_all() -> None:
    """Have Blender draw the whole window."""
    for area in bpy.context.window_manager.windows[0].screen.areas:
        area.tag_redraw()


def redraw_ms(
    change: Callable[[], object] = lambda: None, clock: Callable[[], float] = time.process_time
) -> float:
    """Return the processor time [ms] of a change and a redraw of the window."""

    def both() -> None:
        change()
        tag_all()
        bpy.ops.wm.redraw_timer(type="DRAW_WIN", iterations=1)

    with bpy.context.temp_override(**view()):
        return timed(both, clock)


def timed(action: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return the processor time [ms] of an action."""
    start = clock()
    action()
    return 1000.0 * (clock() - start)


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


def main(folder: Path) -> None:
    """Take the steps of a session."""
    session = Session(folder)
    play(session.steps(), {"off": session.off, "on": session.on, "only": session.only}, folder)


if __name__ == "__main__":
    main(Path(sys.argv[-1]))
