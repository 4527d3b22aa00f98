"""Cost of physics in Blender's glTF export and import: the add-on on and off, side by side.

Every case runs in a process of its own, after a run with a small scene that loads all modules; the
cases take turns, so that all meet the same machine. `collector not spared` is the ratio where
Python's garbage collector runs as it likes (`io.gltf.garbage`).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from figures import Table

ROOT = Path(__file__).resolve().parent.parent
ADDON = "omi_joints_addon"
RUNS = {1000: 3, 5000: 2}
"""Runs of each case by the number of pairs."""
MOST_NOT_SPARED = 1000
"""Pairs up to which runs without sparing the collector are measured too."""
LARGEST_TIME = 1.10
LARGEST_MEMORY = 1.2
CASES = OFF, ON, NOT_SPARED = ("off", "on", "collecting")
"""The add-on disabled, enabled, and enabled without sparing the garbage collector."""
Run = tuple[float, float]
"""Time [s] and peak memory [MB]."""


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(RUNS))
    sizes = parser.parse_args().sizes
    table = Table("glTF, without and with the add-on")
    with tempfile.TemporaryDirectory() as folder:
        for count in sizes:
            _child("author", count, ON, folder)
        for task in ("export", "import"):
            own = [_compare(table, task, count, folder) for count in sizes]
            if len(sizes) > 1:
                table.add_growth(f"{task}, the add-on's own share", sizes, own)


def _compare(table: Table, task: str, count: int, folder: str) -> float:
    """Print the figures of one task; return the add-on's own share [ms]."""
    cases = CASES if count <= MOST_NOT_SPARED else (OFF, ON)
    found = _measure(task, count, cases, folder)
    (off, off_peak), (on, on_peak), *rest = (_medians(found[case]) for case in cases)
    name = f"{task}, {count:,} pairs"
    table.add(name, on, unit="s", baseline=off, target=LARGEST_TIME)
    for collecting, _peak in rest:
        table.add(f"{name}, collector not spared", collecting, unit="s", baseline=off)
    table.add(f"{name}, memory", on_peak, unit="MB", baseline=off_peak, target=LARGEST_MEMORY)
    return 1000.0 * (on - off)


def _measure(task: str, count: int, cases: tuple[str, ...], folder: str) -> dict[str, list[Run]]:
    """Return each run of each case."""
    found: dict[str, list[Run]] = {case: [] for case in cases}
    for run in range(RUNS.get(count, 1)):
        first = run % len(cases)
        for case in cases[first:] + cases[:first]:
            found[case].append(_child(task, count, case, folder))
    return found


def _child(task: str, count: int, case: str, folder: str) -> Run:
    """Run one case in a fresh Blender."""
    command = [sys.executable, __file__, "--child", task, str(count), case, folder]
    environment = os.environ | {"BLENDER_USER_RESOURCES": folder}
    run = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, timeout=600
    )
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    return json.loads(run.stdout.splitlines()[-1])


def _medians(runs: list[Run]) -> list[float]:
    return [statistics.median(values) for values in zip(*runs, strict=True)]


def child(task: str, count: int, case: str, folder: str) -> None:
    """Do one case and print time and peak memory; the process ends without Blender's clean-up."""
    sys.path.insert(0, str(ROOT))
    import bpy

    blend, gltf = (str(Path(folder) / f"{count}.{ending}") for ending in ("blend", "glb"))
    if case != OFF:
        import addon_utils

        addon_utils.enable(ADDON, default_set=True)
    if case == NOT_SPARED:
        from omi_joints_addon.io.gltf import hooks

        hooks.SparedCollector = lambda: SimpleNamespace(end=lambda: None)
    if task == "author":
        _author(count)
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        bpy.ops.export_scene.gltf(filepath=gltf)
        result = (0.0, 0.0)
    else:
        result = _timed(task, blend, gltf)
    print(json.dumps(result), flush=True)
    os._exit(0)


def _timed(task: str, blend: str, gltf: str) -> tuple[float, float]:
    """Return time [s] and peak memory [MB] of one export or import."""
    import bpy

    warm = gltf.replace(".glb", ".warm.glb")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.export_scene.gltf(filepath=warm)
    bpy.ops.import_scene.gltf(filepath=warm)
    if task == "export":
        bpy.ops.wm.open_mainfile(filepath=blend)
        gltf = gltf.replace(".glb", ".out.glb")
    else:
        bpy.ops.wm.read_homefile(use_empty=True)
    operator = bpy.ops.export_scene.gltf if task == "export" else bpy.ops.import_scene.gltf
    start = time.process_time()
    operator(filepath=gltf)
    duration = time.process_time() - start
    return duration, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _author(count: int) -> None:
    """Make pairs of cubes with a hinge between each, the limits of every tenth its own."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    link = bpy.context.scene.collection.objects.link
    for number in range(count):
        bodies = []
        for side, motion in (("A", "DYNAMIC"), ("B", "STATIC")):
            body = bpy.data.objects.new(f"{side}{number}", mesh)
            body.location = (number % 50 * 4, number // 50 * 4, 2.5 * (side == "A"))
            body.omi_body.motion_type = motion
            link(body)
            bodies.append(body)
        frames = []
        for side, body in zip("AB", bodies, strict=True):
            frame = bpy.data.objects.new(f"Frame {side}{number}", None)
            frame.parent = body
            link(frame)
            frames.append(frame)
        joint = frames[0].omi_joint
        joint.enabled, joint.connected_object = True, frames[1]
        joint.limits.add().linear_axes = (True, True, True)
        joint.limits.add().angular_axes = (True, True, False)
        turn = joint.limits.add()
        turn.angular_axes, turn.min = (False, False, True), -1.0
        turn.max = 1.0 + number / 1e4 if number % 10 == 0 else 1.0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5])
    main()
