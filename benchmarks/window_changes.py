"""What one change costs in a real window with many joints, until Blender is quiet again.

A body is moved, a limit is edited, an animated body plays, a file is opened: each without and with
the extension, in turn, in one Blender. Needs the desktop Blender of `tools/desktop_blender.sh`;
without it nothing is measured. `BENCH_JOINTS` chooses the number of joints, 1,000 at least.
"""

import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
ROUNDS = 3
"""Times that each is measured, without and with the extension."""
MOVES = 3
"""Times that the body is moved in a round."""
REST = 3.0
"""Time [s] after a change in which its processor time is added up: everything is done by then."""
FRAMES = 60
"""Frames that are played."""
PAUSE = 0.02
"""Time [s] between two looks at the window."""
LONGEST = 60.0
"""Time [s] after which nobody waits any longer."""
MOST_MS = {"a body is moved": 5.0, "a frame, Blender's thread": 3.0, "opened": 1000.0}
"""Most time [ms] over that without the extension."""
BODY, JOINT = "00700 Body", "00700 Joint"
Times = dict[str, list[float]]
Steps = Iterator[None]


def main() -> None:
    """Make the file, show it and print the table."""
    from figures import Table
    from window import COUNT, missing, show

    if why := missing():
        sys.exit(f"skipped: {why}")
    with TemporaryDirectory() as folder:
        author = [sys.executable, str(HERE / "window.py"), "--author", folder]
        subprocess.run(author, check=True)
        found = show(folder, Path(__file__))
    table = Table(f"One change in a window with {COUNT:,} joints, over Blender alone [ms]")
    for name, times in found["on"].items():
        alone, ours = (statistics.median(each) for each in (found["off"][name], times))
        table.add(f"{name}: {alone:.1f} → {ours:.1f}", ours - alone, target=MOST_MS.get(name))


class Session:
    """What is done in the window, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        self.file = str(folder / "joints.blend")
        self.found: dict[str, Times] = {"off": defaultdict(list), "on": defaultdict(list)}

    def steps(self) -> Steps:
        """Do everything; each step lets Blender handle events."""
        from window_steps import quiet_preferences

        quiet_preferences()
        for round_number in range(ROUNDS):
            for is_on in (True, False) if round_number % 2 else (False, True):
                yield from self.round(is_on=is_on)

    def round(self, *, is_on: bool) -> Steps:
        """Measure everything, with or without the extension."""
        import addon_utils
        import bpy
        from window_steps import ADDON, move, sidebar, view

        times = self.found["on" if is_on else "off"]
        bpy.ops.wm.read_homefile(use_empty=True)
        yield
        (addon_utils.enable if is_on else addon_utils.disable)(ADDON, default_set=True)
        start = time.process_time()
        bpy.ops.wm.open_mainfile(filepath=self.file)
        yield from self.look_at_joints()
        if is_on:
            sidebar(view()["area"]).active_panel_category = "Joints"
        yield from self.quiet(is_on=is_on)
        times["opened"].append(1000.0 * (time.process_time() - start))
        body, joint = bpy.data.objects[BODY], bpy.data.objects[JOINT]
        yield from self.change(times, "nothing is done", lambda: None)
        for _ in range(MOVES):
            yield from self.change(times, "a body is moved", lambda: move(body))
        if is_on:
            limit = joint.omi_joint.limits[-1]
            yield from self.change(times, "a limit is edited", lambda: _edit(limit))
            self.found["off"]["a limit is edited"] = self.found["off"]["nothing is done"] or [0.0]
        yield from self.played(times, body, is_on=is_on)

    def look_at_joints(self) -> Steps:
        """Look at a part of the joints, the sidebar open."""
        from window_steps import view

        for _ in range(3):
            yield
        space = view()["area"].spaces.active
        space.region_3d.view_distance = 30.0
        space.region_3d.view_location = (100.0, 4.0, 0.0)
        space.show_region_ui = True
        for _ in range(3):
            yield

    def quiet(self, *, is_on: bool) -> Steps:
        """Let Blender work until nothing is left to do."""
        end = time.monotonic() + LONGEST
        yield from _rest()
        while is_on and _is_busy():
            assert time.monotonic() < end, "the extension never has done"
            yield from _rest()

    def change(self, times: Times, name: str, change: object) -> Steps:
        """Change something, and add up the processor time until everything is done."""
        start = time.process_time()
        change()  # type: ignore[operator]
        yield from _rest()
        times[name].append(1000.0 * (time.process_time() - start))

    def played(self, times: Times, body: object, *, is_on: bool) -> Steps:
        """Play an animated body, once all that its first key had Blender report is read."""
        import bpy
        from window_steps import view

        scene, frames = bpy.context.scene, list[int]()
        for frame, height in ((1, 0.0), (FRAMES, 1.0)):
            body.location.z = height  # type: ignore[attr-defined]
            body.keyframe_insert("location", frame=frame)  # type: ignore[attr-defined]
        scene.frame_end, scene.render.fps, scene.sync_mode = 10 * FRAMES, 240, "NONE"
        yield from self.quiet(is_on=is_on)
        bpy.app.handlers.frame_change_post.append(count := lambda *_: frames.append(1))
        with bpy.context.temp_override(**view()):
            bpy.ops.screen.animation_play()
        while len(frames) < 5:
            yield
        start, first = (time.thread_time(), time.process_time()), len(frames)
        while len(frames) - first < FRAMES:
            yield
        taken = (time.thread_time() - start[0], time.process_time() - start[1])
        played = len(frames) - first
        with bpy.context.temp_override(**view()):
            bpy.ops.screen.animation_cancel()
        bpy.app.handlers.frame_change_post.remove(count)
        times["a frame, Blender's thread"].append(1000.0 * taken[0] / played)
        times["a frame"].append(1000.0 * taken[1] / played)
        yield from _rest()


def _edit(limit: object) -> None:
    limit.max += 0.001  # type: ignore[attr-defined]


def _is_busy() -> bool:
    from omi_joints_addon.scene.work import WORK

    return not WORK.is_done


def _rest() -> Steps:
    end = time.monotonic() + REST
    while time.monotonic() < end:
        yield


if __name__ == "__main__":
    if "--" in sys.argv:
        from window_steps import play

        session = Session(Path(sys.argv[-1]))
        play(session.steps(), session.found, Path(sys.argv[-1]), pause=PAUSE)
    else:
        main()
