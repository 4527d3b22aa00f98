"""Cost of physics in Blender's USD export and import: the add-on on and off, side by side.

Every case runs in a process of its own after a small file that loads all modules; the cases take
turns. Both export the same scene and import the same file, which has joints.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import Table

ROOT = Path(__file__).resolve().parent.parent
ADDON = "omi_joints_addon"
LARGEST_TIME = 1.5
RUNS = 5
CASES = OFF, ON = ("off", "on")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--joints", type=int, nargs="+", default=[1000])
    table = Table("USD, without and with the add-on")
    with tempfile.TemporaryDirectory() as folder:
        for count in parser.parse_args().joints:
            _child("author", count, ON, folder)
            for task in ("export", "import"):
                off, on = _medians(task, count, RUNS, folder)
                name = f"{task}, {count:,} joints"
                table.add(name, on, unit="s", baseline=off, target=LARGEST_TIME)


def _medians(task: str, count: int, runs: int, folder: str) -> tuple[float, float]:
    """Return the median processor time [s] without and with the add-on."""
    found: dict[str, list[float]] = {case: [] for case in CASES}
    for run in range(runs):
        for case in CASES if run % 2 else CASES[::-1]:
            found[case].append(_child(task, count, case, folder))
    return statistics.median(found[OFF]), statistics.median(found[ON])


def _child(task: str, count: int, case: str, folder: str) -> float:
    """Run one case in a fresh Blender."""
    command = [sys.executable, __file__, "--child", task, str(count), case, folder]
    environment = os.environ | {"BLENDER_USER_RESOURCES": folder}
    run = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, timeout=600
    )
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    return float(json.loads(run.stdout.splitlines()[-1]))


def child(task: str, count: int, case: str, folder: str) -> None:
    """Do one case and print its time; the process ends without Blender's clean-up."""
    sys.path.insert(0, str(ROOT))
    import bpy

    blend, usd = (str(Path(folder) / f"{count}.{ending}") for ending in ("blend", "usdc"))
    if case == ON:
        import addon_utils

        addon_utils.enable(ADDON, default_set=True)
    if task == "author":
        author(count)
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        bpy.ops.wm.usd_export(filepath=usd)
        print(0.0, flush=True)
    else:
        print(_timed(task, blend, usd), flush=True)
    os._exit(0)


def _timed(task: str, blend: str, usd: str) -> float:
    """Return the processor time [s] of one export or import."""
    import bpy

    warm = usd.replace(".usdc", ".warm.usdc")
    if hasattr(bpy.types.Object, "omi_joint"):
        author(2)
    bpy.ops.wm.usd_export(filepath=warm)
    bpy.ops.wm.usd_import(filepath=warm)
    if task == "export":
        bpy.ops.wm.open_mainfile(filepath=blend)
        usd = usd.replace(".usdc", ".out.usdc")
    else:
        bpy.ops.wm.read_homefile(use_empty=True)
    operator = bpy.ops.wm.usd_export if task == "export" else bpy.ops.wm.usd_import
    start = time.process_time()
    operator(filepath=usd)
    return time.process_time() - start


def author(count: int) -> None:
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
