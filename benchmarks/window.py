"""A scene of many joints, and scripts that run with it in a real window.

Needs the desktop Blender of `tools/desktop_blender.sh`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]
DESKTOP = ROOT / "tools" / "desktop_blender.sh"
PATIENCE = 1800
"""Longest time [s] that Blender may take."""
WIDTH = 150
"""Joints in a row."""


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


def author(folder: str, count: int) -> None:
    """Write a file into a folder: chains of bodies with a hinge between each two."""
    subprocess.run([sys.executable, __file__, folder, str(count)], check=True)


def _author(folder: str, count: int) -> None:
    import bpy
    from session import blender

    from omi_joints_addon.core.meaning.presets import hinge

    with blender():
        link = bpy.context.scene.collection.objects.link
        bpy.ops.mesh.primitive_cube_add(size=0.4)
        mesh = bpy.context.object.data
        bpy.data.objects.remove(bpy.context.object)
        before = None
        for number in range(count):
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
    _author(sys.argv[1], int(sys.argv[2]))
