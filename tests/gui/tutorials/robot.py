"""The robot of docs/tutorials/robot.md."""

from pathlib import Path

import bpy
from harness import Gui, Steps
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0


def robot(gui: Gui) -> Steps:
    gui.expect("Draco|MeshOptimizer")  # libraries that Debian's Blender lacks
    yield from follow(gui, "robot", {}, moved=[("robot-imported", "robot-elbow")])
    yield from gui.wait(4)
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert len(joints) == 7, [obj.name for obj in joints]
    written = [path.read_bytes() for path in Path.home().glob("*.glb")]
    assert any(b"OMI_physics_joint" in data for data in written)
