"""Cost of the extension in a real window with many joints: redraws, undo, previews, longest slices.

Needs the desktop Blender of `tools/desktop_blender.sh`; without it nothing is measured.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from figures import Table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]
DESKTOP = ROOT / "tools" / "desktop_blender.sh"
COUNT = int(os.environ.get("BENCH_JOINTS", "20000"))
PATIENCE = 1800
"""Longest time [s] that Blender may take."""
WIDTH = 150
"""Joints in a row."""
MOST = {"redraw": 1.05, "redraw after moving a body": 1.05, "redraw after undo": 1.2}
"""Largest ratio of the time with the extension to that without."""
MOST_MS = {
    "range of motion starts": 500.0,
    "a limit is added": 100.0,
    "longest slice of the timer": 4.5,
    "longest handler": 4.0,
    "longest draw of the overlay": 4.0,
    "longest draw of a panel": 1.0,
}
"""Most time [ms]."""


def main() -> None:
    """Make the file, show it and print the table."""
    if why := missing():
        sys.exit(f"skipped: {why}")
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--author", folder], check=True)
        found = show(folder, HERE / "window_steps.py")
    table = Table(f"Window with {COUNT:,} joints, without and with the extension")
    for name, times in found["on"].items():
        baseline = statistics.median(found["off"][name])
        table.add(name, statistics.median(times), baseline=baseline, target=MOST.get(name))
    for name, value in found["only"].items():
        table.add(name, value, target=MOST_MS.get(name))


def missing() -> str:
    """Return why there is no window, nothing where there is one."""
    state = subprocess.run([DESKTOP, "status"], check=False, capture_output=True, text=True)
    return state.stdout.strip() if state.returncode else ""


def show(folder: str, script: Path) -> dict[str, Any]:
    """Return what a script measured in the window."""
    results = Path(folder, "results.json")
    environment = os.environ | {
        "DESKTOP_BLENDER_HOME": str(Path(folder, "home")),
        "DESKTOP_BLENDER_BIND": f"{ROOT}:{folder}",
    }
    steps = ["--factory-startup", "--python", str(script), "--", folder]
    command = ["timeout", str(PATIENCE), str(DESKTOP), "run", *steps]
    subprocess.run(command, check=False, env=environment, stdout=sys.stderr)
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


if __name__ == "__main__":
    if "--author" in sys.argv:
        author(sys.argv[-1])
    else:
        main()
