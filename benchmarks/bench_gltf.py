"""Cost of physics in Blender's glTF export and import: the add-on on and off, side by side.

Run by `make bench`. Every case runs in a process of its own, after a run with an empty scene that
loads all modules; the cases take turns. Times are processor time: other work on the machine hardly
touches it. Prints medians, their ratio and the growth of the add-on's own share beside the targets,
and the ratio where Python's garbage collector is not spared (`io.gltf.garbage`); to miss a target
is no failure.
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

ROOT = Path(__file__).resolve().parent.parent
ADDON = "omi_joints_addon"
SIZES = (1000, 5000)
LARGEST_TIME = 1.10
LARGEST_GROWTH = 5.5
LARGEST_MEMORY = 1.2
CASES = OFF, ON, NOT_SPARED = ("off", "on", "collecting")
"""The add-on disabled, enabled, and enabled without sparing the garbage collector."""
Runs = dict[str, list[list[float]]]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each case")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for count in options.sizes:
            _child("author", count, ON, folder)
        measured = {
            (task, count): _measure(task, count, options.runs, folder)
            for task in ("export", "import")
            for count in options.sizes
        }
    _print(measured, options.sizes)


def _measure(task: str, count: int, runs: int, folder: str) -> Runs:
    """Return time [s] and peak memory [MB] of each run of each case."""
    found: Runs = {case: [] for case in CASES}
    for run in range(runs):
        for case in CASES[run % 3 :] + CASES[: run % 3]:
            found[case].append(_child(task, count, case, folder))
    return found


def _child(task: str, count: int, case: str, folder: str) -> list[float]:
    """Run one case in a fresh Blender."""
    command = [sys.executable, __file__, "--child", task, str(count), case, folder]
    environment = os.environ | {"BLENDER_USER_RESOURCES": folder}
    run = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, timeout=600
    )
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    return json.loads(run.stdout.splitlines()[-1])


def _print(measured: dict[tuple[str, int], Runs], sizes: list[int]) -> None:
    missed = []
    print(
        f"{'':18}{'off [s]':>9}{'on [s]':>9}{'ratio':>7}{'target':>7}{'own [s]':>9}"
        f"{'memory':>8}{'target':>7}{'not spared':>12}"
    )
    own = {}
    for (task, count), runs in measured.items():
        (off, off_peak), (on, on_peak), (collecting, _) = (_medians(runs[case]) for case in CASES)
        own[task, count] = on - off
        line = f"{task} {count} pairs"
        print(
            f"{line:18}{off:9.2f}{on:9.2f}{on / off:7.2f}{LARGEST_TIME:7.2f}{on - off:9.3f}"
            f"{on_peak / off_peak:8.2f}{LARGEST_MEMORY:7.2f}{collecting / off:12.2f}"
        )
        if on / off > LARGEST_TIME:
            missed.append(f"{line}: {on / off:.2f} x of Blender's own time")
        if on_peak / off_peak > LARGEST_MEMORY:
            missed.append(f"{line}: {on_peak / off_peak:.2f} x of the memory")
    for task in ("export", "import"):
        growth = own[task, sizes[-1]] / max(own[task, sizes[0]], 1e-3)
        print(
            f"{task}: the add-on's share grows {growth:.1f} x for {sizes[-1] / sizes[0]:g} x, "
            f"target {LARGEST_GROWTH}"
        )
        if growth > LARGEST_GROWTH:
            missed.append(f"{task}: share grows {growth:.1f} x")
    print("\n".join(["Targets missed:", *missed] if missed else ["All targets are met"]))


def _medians(runs: list[list[float]]) -> list[float]:
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
