"""Cost of a frame of a preview in a real window: 300 hinges that are simulated and drawn at 60 Hz.

Needs the desktop Blender of `tools/desktop_blender.sh`; without it nothing is measured. Times are
processor time of Blender's thread; without a graphics card the processor draws, in threads of its
own where there are several processors.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT), str(ROOT / "examples")]
CHAINS, SIZE = 30, 10
FRAMES, WARMING_UP = 40, 8
"""Frames that are measured, and before that."""
RATE = 60
LONGEST = 150.0
"""Time [s] after which nobody waits for frames."""
OURS = ("tick", "overlay", "handler", "timer")
"""What is done every frame; sidebars are drawn ten times a second."""
TARGETS = {"ours, in all": 12.0, "a frame": 1000.0 / RATE}
"""Most time [ms]."""


def main() -> None:
    """Make the file, show it and print the table."""
    from figures import Samples, Table
    from window import missing, show

    if why := missing():
        sys.exit(f"skipped: {why}")
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--author", folder], check=True)
        found = show(folder, Path(__file__))
    table = Table(f"A frame of a preview of {CHAINS * SIZE} hinges in a window")
    for name, times in found.items():
        table.add(name, Samples(times), target=TARGETS.get(name))


def author(folder: Path) -> None:
    """Write the file."""
    import bpy
    from session import blender

    with blender():
        hang_chains()
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "hinges.blend"))
    os._exit(0)


def hang_chains() -> None:
    """Hang chains of hinges into the scene; gravity pulls to one side, so that they fall."""
    import bpy

    from omi_joints_addon.core.meaning.presets import hinge

    scene = bpy.context.scene
    scene.gravity, scene.render.fps = (5.0, 0.0, -9.81), RATE
    bpy.ops.mesh.primitive_cube_add(size=0.4)
    mesh = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    for chain in range(CHAINS):
        before = None
        for number in range(SIZE + 1):
            body, end, joint = (
                bpy.data.objects.new(f"{chain:02} {number:02} {kind}", data)
                for kind, data in (("Body", mesh), ("End", None), ("Joint", None))
            )
            body.location = (chain % 6 * 8.0, chain // 6 * 2.0, -0.5 * number)
            body.omi_body.motion_type = "DYNAMIC" if before else "STATIC"
            for obj in (body, end, joint) if before else (body,):
                scene.collection.objects.link(obj)
                obj.empty_display_size = 0.1
            if before is not None:
                joint.parent, end.parent = before, body
                joint.location.z, end.location.z = -0.25, 0.25
                joint.omi_joint.enabled, joint.omi_joint.connected_object = True, end
                joint.omi_joint.settings_from_core(hinge(axis=1))
            before = body


class Clock:
    """Times of Blender's thread and of the whole process [s] whenever a frame begins."""

    def __init__(self) -> None:
        asked = [time.thread_time() for _ in range(200)]
        self.asking = statistics.median(two - one for one, two in pairwise(asked))
        """What it takes to ask for the time [s]."""
        self.moments: list[tuple[float, float, float]] = []
        self.parts: dict[str, float] = {}
        """Time [s] in functions of ours, in all."""
        self.frames: list[dict[str, float]] = []
        """`parts` at the beginning of each frame."""

    def begin_frame(self) -> None:
        """Note that a frame begins."""
        self.moments.append((time.thread_time(), time.process_time(), time.perf_counter()))
        self.frames.append(dict(self.parts))

    def watch(self, owner: Any, name: str, label: str) -> None:
        """Measure a method of a class from now on."""
        inner = getattr(owner, name)

        def measured(*arguments: Any, **options: Any) -> Any:
            start = time.thread_time()
            try:
                return inner(*arguments, **options)
            finally:
                spent = time.thread_time() - start - self.asking
                self.parts[label] = self.parts.get(label, 0.0) + spent

        setattr(owner, name, measured)

    def watch_draw(self, panel: Any) -> None:
        """Measure a panel; Blender passes as many arguments as the method has names for."""
        self.watch(panel, "draw", f"panel: {panel.__name__}")
        measured = panel.draw

        def draw(panel: Any, context: Any) -> None:
            measured(panel, context)

        panel.draw = draw

    def clear(self) -> None:
        """Forget all frames."""
        self.moments, self.frames, self.parts = [], [], {}

    def times(self, column: int) -> list[float]:
        """Return how long each frame took [ms]: 0 Blender's thread, 1 the process, 2 for a user."""
        return [1000.0 * (two[column] - one[column]) for one, two in pairwise(self.moments)]

    def part(self, *starts: str) -> list[float]:
        """Return the time of each frame [ms] in what has a label that begins in some way."""
        sums = [
            sum(value for label, value in frame.items() if label.startswith(starts))
            for frame in self.frames
        ]
        return [1000.0 * (after - before) for before, after in pairwise(sums)]


def steps(folder: Path, found: dict[str, list[float]]) -> Iterator[None]:
    """Measure; each step lets Blender handle events and draw."""
    import bpy
    from window_steps import Session, quiet_preferences, view

    quiet_preferences()
    bpy.ops.wm.open_mainfile(filepath=str(folder / "hinges.blend"))
    yield
    look(view()["area"].spaces.active)
    clock = Clock()
    yield from blenders_own(clock, found)
    yield from Session().enable(is_on=True)
    watch(clock)
    with bpy.context.temp_override(**view()):
        bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from frames(clock)
    found["a frame"] = clock.times(0)
    found["a frame, all threads"] = clock.times(1)
    found["a frame, as a user waits for it"] = clock.times(2)
    panels = statistics.median(clock.part("panel"))
    found["the sidebar, ten times a second"] = [panels]
    found["ours, in all"] = [each + 10.0 / RATE * panels for each in clock.part(*OURS)]
    labels = [label for label in clock.parts if not label.startswith("panel")]
    found |= {f"  {label}": clock.part(label) for label in labels}
    # What is inside costs time to ask for, which counts outside.
    watch_parts(clock)
    yield from frames(clock)
    inner = [label for label in clock.parts if label.startswith("of")]
    found |= {f"    {label}": clock.part(label) for label in inner}


def look(space: Any) -> None:
    """See everything from the front, with the sidebar."""
    view = space.region_3d
    view.view_perspective, view.view_rotation = "ORTHO", (0.7071, 0.7071, 0.0, 0.0)
    view.view_location, view.view_distance = (20.0, 4.0, -2.0), 40.0
    space.show_region_ui = True


def blenders_own(clock: Clock, found: dict[str, list[float]]) -> Iterator[None]:
    """Measure redraws of the same scene without the extension, at rest and where bodies move."""
    import bpy
    from window_steps import view

    bodies = [obj for obj in bpy.context.scene.objects if obj.type == "MESH"]

    def redraw() -> float:
        clock.begin_frame()
        view()["area"].tag_redraw()
        return 1.0 / RATE

    def move() -> float:
        for number, body in enumerate(bodies):
            body.delta_location.x = 0.01 * (len(clock.moments) + number % 7)
        return redraw()

    for name, action in (("at rest", redraw), ("with all bodies moved by a script", move)):
        bpy.app.timers.register(action)
        yield from frames(clock)
        bpy.app.timers.unregister(action)
        found[f"Blender alone, {name}"] = clock.times(0)
        found[f"Blender alone, {name}, all threads"] = clock.times(1)
    for body in bodies:
        body.delta_location.x = 0.0


def frames(clock: Clock) -> Iterator[None]:
    """Wait until enough frames are measured."""
    end = time.monotonic() + LONGEST
    for count in (WARMING_UP, FRAMES):
        clock.clear()
        while len(clock.moments) <= count:
            assert time.monotonic() < end, "frames never come"
            yield


def watch(clock: Clock) -> None:
    """Measure what Blender calls of the extension."""
    import bpy

    from omi_joints_addon.classes import classes_of
    from omi_joints_addon.operators.preview.preview import Modal
    from omi_joints_addon.overlay.joint_overlay import JointOverlay
    from omi_joints_addon.overlay.shape_overlay import ShapeOverlay
    from omi_joints_addon.panels import MODULES
    from omi_joints_addon.preview.pace import Pace
    from omi_joints_addon.scene.watch import Watch
    from omi_joints_addon.scene.work import Work

    # One frame a tick, however late it is.
    Pace.frames_due = lambda _self, _elapsed: 1
    clock.watch(Modal, "_tick", "tick")
    for owner, name, label in (
        (JointOverlay, "draw", "overlay: joints"),
        (JointOverlay, "draw_numbers", "overlay: numbers"),
        (ShapeOverlay, "draw", "overlay: shapes"),
        (Work, "slice", "timer"),
        (Watch, "note", "handler"),
    ):
        clock.watch(owner, name, label)
    for cls in (cls for module in MODULES for cls in classes_of(module)):
        if issubclass(cls, bpy.types.Panel) and "draw" in vars(cls):
            clock.watch_draw(cls)
    inner = Modal._tick  # noqa: SLF001

    def tick(self: Any, context: bpy.types.Context) -> None:
        duration = self._timer.time_duration
        if duration != self._elapsed:
            clock.begin_frame()
        inner(self, context)

    Modal._tick = tick  # noqa: SLF001


def watch_parts(clock: Clock) -> None:
    """Measure what takes long in it."""
    from omi_joints_addon.overlay.joint_overlay import JointOverlay
    from omi_joints_addon.preview.simulated import SimulationPreview
    from omi_joints_addon.scene.shown import ShownScene

    clock.watch(SimulationPreview, "move", "of the tick: simulation")
    clock.watch(ShownScene, "show", "of the tick: poses shown")
    clock.watch(JointOverlay, "_joints_of", "of the overlay: joints listed")
    clock.watch(JointOverlay, "_update", "of the overlay: vertices")


def inside(folder: Path) -> None:
    """Take the steps in the window."""
    from window_steps import play

    found: dict[str, list[float]] = {}
    play(steps(folder, found), found, folder, pause=0.05)


if __name__ == "__main__":
    if "--author" in sys.argv:
        author(Path(sys.argv[-1]))
    elif "--" in sys.argv:
        inside(Path(sys.argv[-1]))
    else:
        main()
