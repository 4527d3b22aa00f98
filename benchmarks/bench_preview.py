"""Time of a tick of a preview of 300 hinges in Blender in background, without drawing."""

import sys
import time
from functools import partial
from pathlib import Path

import bpy
from figures import Table, times_ms
from window_preview import CHAINS, RATE, SIZE, hang_chains

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]
RUNS, FALLING = 45, 30
TARGET = 12.0
"""Most time [ms] of a tick."""


def main() -> None:
    """Print the table."""
    from session import blender

    with blender():
        hang_chains()
        bench()


def bench() -> None:
    """Measure ticks of a simulation, and the parts of it."""
    from omi_joints_addon.overlay.scene_joints import SceneJoints
    from omi_joints_addon.preview.session import begin, stop
    from omi_joints_addon.preview.simulated import SimulationPreview

    preview = SimulationPreview(bpy.context)
    begin(preview)
    tick = partial(preview.tick, bpy.context)
    for _ in range(FALLING):
        tick()
    joints = SceneJoints(preview.live)
    refresh = partial(joints.refresh, bpy.context.view_layer)
    refresh()
    times = partial(times_ms, runs=RUNS, clock=time.thread_time)
    table = Table(f"Preview of {CHAINS * SIZE} hinges in {CHAINS} chains, a frame at {RATE} Hz")
    table.add("tick: simulated and shown", times(tick), target=TARGET)
    table.add("of it simulated", times(preview.next_frame))
    table.add("joints listed for the overlay", times(refresh, prepare=tick))
    stop()


if __name__ == "__main__":
    main()
