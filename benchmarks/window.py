"""Cost of the extension in a real window with many joints: redraws, undo, previews, longest slices.

The same file is shown twice, without and with the extension, the sidebar open at its tab. Needs the
desktop Blender of `tools/desktop_blender.sh`; without it nothing is measured.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples"), str(HERE)]
DESKTOP = ROOT / "tools" / "desktop_blender.sh"
ADDON = "omi_joints_addon"
COUNT = int(os.environ.get("BENCH_JOINTS", "20000"))
REDRAWS = 5
PATIENCE = 300
"""Longest time [s] of one Blender."""
WIDTH = 150
"""Joints in a row."""
MOST = {"redraw": 1.05, "redraw after moving a body": 1.05, "redraw after undo": 1.2}
"""Largest ratio of the time with the extension to that without."""
MOST_MS = {
    "range of motion starts": 500.0,
    "a limit is added": 100.0,
    "longest draw of ours": 4.0,
    "longest slice of our timer": 4.5,
}
"""Most time [ms]."""
TURNS = 2
"""Turns of Blender's event loop in each step."""
Times = dict[str, float]


def main() -> None:
    """Make the file, show it twice and print the table."""
    from figures import Table

    table = Table(f"Window with {COUNT:,} joints, without and with the extension")
    state = subprocess.run([DESKTOP, "status"], check=False, capture_output=True, text=True)
    if state.returncode:
        sys.exit(f"skipped: {state.stdout}")
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--author", folder], check=True)
        off, on = (_show(folder, is_on=is_on) for is_on in (False, True))
    for name, value in on.items():
        baseline, target = off.get(name), MOST.get(name, MOST_MS.get(name))
        table.add(name, value, baseline=baseline, target=target)


def _show(folder: str, *, is_on: bool) -> Times:
    """Return the times [ms] of one Blender."""
    results = Path(folder, "results.json")
    environment = os.environ | {
        "DESKTOP_BLENDER_HOME": str(Path(folder, "home")),
        "DESKTOP_BLENDER_BIND": f"{ROOT}:{folder}",
    }
    arguments = ["--factory-startup", "--python", __file__, "--", folder, str(int(is_on))]
    command = ["timeout", str(PATIENCE), DESKTOP, "run", *arguments]
    subprocess.run(command, check=False, env=environment, stdout=subprocess.DEVNULL)
    return json.loads(results.read_text())


def author(folder: str) -> None:
    """Write the file: chains of bodies with a hinge between each two."""
    import bpy
    from session import blender

    from omi_joints_addon.core.meaning.presets import hinge

    with blender():
        link = bpy.context.scene.collection.objects.link
        bpy.ops.mesh.primitive_cube_add(size=0.4)
        mesh = bpy.context.object.data
        bpy.data.objects.remove(bpy.context.object)
        before = None
        for number in range(COUNT):
            kinds = (("Body", mesh), ("End", None), ("Joint", None))
            body, end, joint = (
                bpy.data.objects.new(f"{number:05} {kind}", data) for kind, data in kinds
            )
            for obj in (body, end, joint):
                link(obj)
                obj.empty_display_size = 0.1
            before = before if number % WIDTH else None
            body.location = (number % WIDTH, number // WIDTH, 0.0)
            body.omi_body.motion_type = "DYNAMIC" if before else "STATIC"
            joint.parent, end.parent = before or body, body
            joint.omi_joint.enabled, joint.omi_joint.connected_object = True, end
            joint.omi_joint.settings_from_core(hinge(min_angle=-0.5, max_angle=0.5 + number * 1e-5))
            before = body
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(folder, "joints.blend")))
    os._exit(0)


class Slices:
    """How long functions of ours took each time that Blender called them."""

    def __init__(self) -> None:
        self.longest: dict[str, float] = {}
        """Longest processor time [ms] of each."""

    def watch(self, owner: Any, name: str, label: str) -> None:
        """Measure a function from now on."""
        inner = getattr(owner, name)

        def measured(*arguments: Any) -> Any:
            start = time.thread_time()
            try:
                return inner(*arguments)
            finally:
                taken = 1000.0 * (time.thread_time() - start)
                self.longest[label] = max(self.longest.get(label, 0.0), taken)

        # Blender passes as many arguments as a method of a class has names for.
        of_class = {
            2: lambda panel, context: measured(panel, context),  # noqa: PLW0108
            4: lambda rows, context, data, name: measured(rows, context, data, name),  # noqa: PLW0108
        }
        is_class = isinstance(owner, type)
        count = len(signature(inner).parameters)
        setattr(owner, name, of_class[count] if is_class else measured)


class Session:
    """What is done in the window, and how long it takes."""

    def __init__(self, folder: Path, *, is_on: bool) -> None:
        self.folder = folder
        self.is_on = is_on
        self.found: Times = {}
        self.slices = Slices()

    def steps(self) -> Iterator[None]:
        """Do everything; each step lets Blender handle events."""
        import bpy

        bpy.context.preferences.system.viewport_aa = "OFF"
        if self.is_on:
            self._enable()
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / "joints.blend"))
        yield
        yield from self._settle()
        self._select("00700 Joint")
        yield from self._open_sidebar()
        yield from self._settle()
        yield from self._redraws()
        if self.is_on:
            yield from self._with_operators()

    def _redraws(self) -> Iterator[None]:
        """Redraw after one thing and another."""
        import bpy

        self.slices.longest.clear()
        self.found["redraw"] = self._redraw()
        body = bpy.data.objects["00700 Body"]
        self.found["redraw after moving a body"] = self._redraw(lambda: self._move(body))
        self._select("00701 Body")
        yield
        for number in range(2):
            bpy.data.objects["00701 Body"].location.z += 0.1
            bpy.ops.ed.undo_push(message=f"Move {number}")
            yield
        yield from self._settle()
        bpy.ops.ed.undo()
        self.found["redraw after undo"] = self._redraw(runs=1)
        times = []
        for _ in range(4):
            times.append(self._redraw(runs=1))
            yield
        self.found["slowest redraw of the four that follow"] = max(times)
        yield from self._settle()
        self.found["redraw when all is settled"] = self._redraw()

    def _enable(self) -> None:
        import addon_utils

        addon_utils.enable(ADDON, default_set=True)
        from omi_joints_addon.gizmos.joint_overlay import OVERLAY
        from omi_joints_addon.panels import MODULES
        from omi_joints_addon.scene.watch import WATCH

        self.slices.watch(OVERLAY, "draw", "the overlay")
        self.slices.watch(OVERLAY, "draw_numbers", "numbers of the overlay")
        self.slices.watch(WATCH, "work", "timer")
        self.slices.watch(WATCH, "note", "handler")
        for module in MODULES:
            for cls in getattr(module, "CLASSES", ()):
                for name in ("poll", "draw", "draw_header", "draw_header_preset", "filter_items"):
                    if name in vars(cls) and name != "poll":
                        self.slices.watch(cls, name, f"{cls.__name__}.{name}")

    def _with_operators(self) -> Iterator[None]:
        import bpy

        slices = dict(self.slices.longest)
        self._select("00700 Joint")
        yield
        start = time.process_time()
        with bpy.context.temp_override(**self._view()):
            bpy.ops.omi.preview_range("INVOKE_DEFAULT")
        self.found["range of motion starts"] = 1000.0 * (time.process_time() - start)
        yield
        start = time.process_time()
        with bpy.context.temp_override(**self._view()):
            bpy.ops.omi.preview_control(command="STOP")
        self.found["range of motion ends"] = 1000.0 * (time.process_time() - start)
        yield from self._settle()
        start = time.process_time()
        with bpy.context.temp_override(**self._view()):
            bpy.ops.omi.joint_limit_add()
        self.found["a limit is added"] = 1000.0 * (time.process_time() - start)
        self.found["redraw after adding a limit"] = self._redraw(runs=1)
        draws = {name: value for name, value in slices.items() if name not in {"timer", "handler"}}
        self.found["longest draw of ours"] = max(draws.values())
        self.found["longest slice of our timer"] = slices["timer"]
        for name in sorted(slices, key=slices.__getitem__, reverse=True)[:12]:
            self.found[f"longest: {name}"] = slices[name]

    def _settle(self) -> Iterator[None]:
        """Let Blender work until our timer has nothing left to do."""
        import bpy

        for _ in range(20):
            yield
        if not self.is_on:
            return
        from omi_joints_addon.scene import watch

        for _ in range(3000):
            yield
            if not bpy.app.timers.is_registered(watch._work):  # noqa: SLF001
                return

    def _view(self) -> dict[str, Any]:
        import bpy

        window = bpy.context.window_manager.windows[0]
        area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
        region = next(region for region in area.regions if region.type == "WINDOW")
        return {"window": window, "area": area, "region": region}

    def _open_sidebar(self) -> Iterator[None]:
        view = self._view()["area"]
        space = view.spaces.active
        space.region_3d.view_distance = 30.0
        space.region_3d.view_location = (100.0, 4.0, 0.0)
        space.show_region_ui = True
        yield
        region = next(region for region in view.regions if region.type == "UI")
        if self.is_on:
            region.active_panel_category = "Joints"
        yield

    def _select(self, name: str) -> None:
        import bpy

        for obj in bpy.context.selected_objects:
            obj.select_set(False)
        bpy.data.objects[name].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[name]

    def _move(self, body: Any) -> None:
        body.location.z += 0.01

    def _redraw(self, change: Callable[[], None] = lambda: None, runs: int = REDRAWS) -> float:
        """Return the median processor time [ms] of a redraw of the window after a change."""
        import bpy

        times = []
        for _ in range(runs):
            change()
            start = time.process_time()
            with bpy.context.temp_override(**self._view()):
                bpy.ops.wm.redraw_timer(type="DRAW_WIN", iterations=1)
            times.append(1000.0 * (time.process_time() - start))
        return statistics.median(times)


def show(folder: str, *, is_on: bool) -> None:
    """Take the steps of a session, from a timer."""
    import bpy

    session = Session(Path(folder), is_on=is_on)
    steps, turn = session.steps(), 0

    def tick() -> float:
        nonlocal turn
        turn += 1
        if turn % TURNS:
            return 0.0
        try:
            next(steps)
            # Where Blender has to be stopped, what was measured until then is told.
            Path(folder, "results.json").write_text(json.dumps(session.found))
        except StopIteration:
            Path(folder, "results.json").write_text(json.dumps(session.found))
            os._exit(0)
        except Exception:  # noqa: BLE001 - whatever fails, Blender has to end
            traceback.print_exc()
            os._exit(1)
        return 0.0

    bpy.app.timers.register(tick, first_interval=0.5, persistent=True)


if __name__ == "__main__":
    if "--author" in sys.argv:
        author(sys.argv[-1])
    elif "--" in sys.argv:
        show(sys.argv[-2], is_on=sys.argv[-1] == "1")
    else:
        main()
