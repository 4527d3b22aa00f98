"""The robot of docs/tutorials/robot.md."""

import shutil
from pathlib import Path

import bpy
from harness import Gui, Steps
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0
ARM = Path(__file__).resolve().parents[3] / "examples" / "arm.urdf"


def robot(gui: Gui) -> Steps:
    gui.expect("Draco|MeshOptimizer")  # libraries that Debian's Blender lacks
    shutil.copy(ARM, Path.home())
    yield from follow(gui, "robot", {})
    yield from gui.wait(4)
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert len(joints) == 7, [obj.name for obj in joints]
    assert b"OMI_physics_joint" in next(Path.home().glob("*.glb")).read_bytes()
