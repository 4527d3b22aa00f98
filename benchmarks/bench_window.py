"""What the extension costs in a real window with 1,000 joints: opening, edits, undo, playing.

Needs the desktop Blender of `tools/desktop_blender.sh`; without it nothing is measured.
`BENCH_JOINTS` chooses another number of joints, 1,000 at least. The extension is disabled and
enabled in turn in one Blender. Blender draws a view several times after each change, for its edges,
and what takes until the last of these is counted. Without a graphics card the processor draws.
"""

import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
COUNT = int(os.environ.get("BENCH_JOINTS", "1000"))
ROUNDS = 2
"""Times that all is measured, without and with the extension."""
AGAIN = 2
"""Times that each is measured in a round."""
FRAMES = 40
QUIET = 0.5
"""Time [s] without a draw and without work of ours after which everything is done."""
LONGEST = 120.0
"""Time [s] after which nobody waits any longer."""
PAUSE = 0.02
"""Time [s] between two looks at the window."""
MOST = {"a body is moved": 1.05, "undo, first redraw": 1.05, "all is drawn once": 1.05}
"""Largest ratio of the processor time with the extension to that without."""
MOST_MS = {"a body is moved": 5.0, "a frame is played": 3.0, "nothing is done": 0.01}
"""Most time [ms] in functions of ours."""
MOST_AT_ONCE_MS = {"timer": 4.5, "handler": 4.0, "overlay": 4.0, "panel": 1.0}
"""Most time [ms] of one call."""
Times = dict[str, list[float]]
Steps = Iterator[None]


def main() -> None:
    """Make the file, show it and print the tables."""
    from figures import Samples, Table
    from window import author, missing, show

    if why := missing():
        Table(f"Window: skipped, {why}")
        return
    with TemporaryDirectory() as folder:
        author(folder, COUNT)
        found = show(folder, Path(__file__))
    table = Table(f"Window with {COUNT:,} joints, without and with the extension")
    for name, times in found["off"].items():
        on = Samples(found["on"][name])
        table.add(name, on, baseline=Samples(times), target=MOST.get(name))
    table = Table(f"Window with {COUNT:,} joints, in functions of the extension")
    for name, times in found["ours"].items():
        table.add(name, Samples(times), target=MOST_MS.get(name))
    for kind, most in MOST_AT_ONCE_MS.items():
        name, longest = found["longest"][kind]
        table.add(f"longest call: {name}", longest, target=most)
    table.add("first draw in a Blender, the driver's compiler with it", found["first"])


class Measures:
    """What is done in the window, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        from window_steps import Session

        self.file = str(folder / "joints.blend")
        self.session = Session()
        self.found: dict[str, Any] = {
            "off": defaultdict(list),
            "on": defaultdict(list),
            "ours": defaultdict(list),
            "longest": {},
        }
        self._is_on = False
        self._drawn = 0.0

    def steps(self) -> Steps:
        """Do everything; each step lets Blender handle events."""
        import bpy
        from window_steps import quiet_preferences

        quiet_preferences()
        bpy.types.SpaceView3D.draw_handler_add(self._note_draw, (), "WINDOW", "POST_PIXEL")
        yield from self._first()
        for number in range(ROUNDS):
            for is_on in (True, False) if number % 2 else (False, True):
                yield from self._begin(is_on=is_on)
                yield from self._round()

    def _begin(self, *, is_on: bool) -> Steps:
        """Begin with an empty file, with or without the extension."""
        import bpy

        self._is_on = is_on
        bpy.ops.wm.read_homefile(use_empty=True)
        yield  # Blender crashes where its new windows are arranged before they are there
        yield from self.session.arrange()
        yield from self.session.enable(is_on=is_on)

    def _first(self) -> Steps:
        """Open the file before all else: a driver compiles shaders when they are drawn with first.

        Blender's own shaders would count for whatever is opened first, too.
        """
        import bpy

        yield from self._begin(is_on=True)
        self.session.watch()
        bpy.ops.wm.open_mainfile(filepath=self.file)
        yield from self._rest()
        yield from self.session.arrange()
        yield from self._rest()
        self.found["first"] = max(self.session.slices.times["overlay: joints"])

    def _round(self) -> Steps:
        """Measure everything, with or without the extension."""
        import bpy
        from window_steps import tag_all

        yield from self._timed("opened", lambda: bpy.ops.wm.open_mainfile(filepath=self.file))
        yield from self.session.arrange()
        self.session.select("00700 Joint")
        yield from self._rest()
        for _ in range(AGAIN):
            yield from self._timed("nothing is done", lambda: None)
            yield from self._timed("all is drawn once", tag_all)
            yield from self._timed("a body is moved", _move)
            yield from self._undo()
        yield from self._played()

    def _undo(self) -> Steps:
        """Undo the move of one body, and draw at once what it has changed."""
        import bpy
        from window_steps import view

        for step in range(2):
            _move()
            with bpy.context.temp_override(**view()):
                bpy.ops.ed.undo_push(message=f"Move {step}")
        yield from self._rest()
        before = self._began()
        with bpy.context.temp_override(**view()):
            bpy.ops.ed.undo()
            bpy.ops.wm.redraw_timer(type="DRAW_WIN", iterations=1)
        self._note("undo, first redraw", before)
        yield from self._rest()
        self._note("undo, until all is read and drawn", before)

    def _played(self) -> Steps:
        """Play an animated body."""
        import bpy
        from window_steps import view

        scene, body, frames = bpy.context.scene, bpy.data.objects["00700 Body"], list[int]()
        for frame, height in ((1, 0.0), (20 * FRAMES, 10.0)):
            body.location.z = height
            body.keyframe_insert("location", frame=frame)
        scene.frame_end, scene.render.fps, scene.sync_mode = 20 * FRAMES, 240, "NONE"
        yield from self._rest()
        bpy.app.handlers.frame_change_post.append(count := lambda *_: frames.append(1))
        with bpy.context.temp_override(**view()):
            bpy.ops.screen.animation_play()
        while len(frames) < 5:
            yield
        before, first = self._began(), len(frames)
        while len(frames) - first < FRAMES:
            yield
        self._note("a frame is played", before, times=len(frames) - first)
        with bpy.context.temp_override(**view()):
            bpy.ops.screen.animation_cancel()
        bpy.app.handlers.frame_change_post.remove(count)
        yield from self._rest()

    def _timed(self, name: str, change: Callable[[], object]) -> Steps:
        """Change something, and measure what it takes until everything is done."""
        before = self._began()
        change()
        yield from self._rest()
        self._note(name, before)

    def _began(self) -> float:
        """Begin to measure; return the processor time [s] so far."""
        self.session.slices.times.clear()
        return time.process_time()

    def _note(self, name: str, began: float, *, times: int = 1) -> None:
        """Add up what was done since, so many times."""
        taken = 1000.0 * (time.process_time() - began) / times
        self.found["on" if self._is_on else "off"][name].append(taken)
        if not self._is_on:
            return
        slices = self.session.slices
        self.found["ours"][name].append(slices.total() / times)
        for label, each in slices.times.items():
            kind, longest = label.partition(":")[0], (f"{label}, {name}", max(each))
            known = self.found["longest"].get(kind, longest)
            self.found["longest"][kind] = max(known, longest, key=lambda named: named[1])

    def _note_draw(self) -> None:
        self._drawn = time.monotonic()

    def _rest(self) -> Steps:
        """Let Blender work until nothing is left to do."""
        start = busy = time.monotonic()
        while (now := time.monotonic()) - max(busy, self._drawn) < QUIET:
            assert now - start < LONGEST, "Blender never has done"
            yield
            if self._is_on and _is_busy():
                busy = time.monotonic()


def _is_busy() -> bool:
    from omi_joints_addon.scene.work import WORK

    return not WORK.is_done


def _move() -> None:
    import bpy

    bpy.data.objects["00701 Body"].location.z += 0.01
    bpy.context.view_layer.update()


if __name__ == "__main__":
    if "--" in sys.argv:
        from window_steps import play

        measures = Measures(Path(sys.argv[-1]))
        play(measures.steps(), measures.found, Path(sys.argv[-1]), pause=PAUSE)
    else:
        main()
