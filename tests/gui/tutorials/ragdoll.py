"""The ragdoll of docs/tutorials/ragdoll.md."""

from pathlib import Path
from typing import Any

import bpy
from harness import Gui, Steps, addon
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0


def ragdoll(gui: Gui) -> Steps:
    gui.expect("Draco|MeshOptimizer")  # libraries that Debian's Blender lacks
    poses: list[Any] = []
    yield from follow(
        gui,
        "ragdoll",
        {},
        after={
            3: lambda: poses.append(_pose()),
            4: lambda: _is_as_before(poses[0]),
            6: lambda: _is_as_before(poses[0]),
        },
        moved=[("ragdoll-made", "ragdoll-pulled"), ("ragdoll-made", "ragdoll-active")],
    )
    yield from gui.wait(4)
    joints = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    assert len(joints) == 15, [obj.name for obj in joints]
    assert all(len(joint.omi_joint.drives) for joint in joints)
    written = [path.read_bytes() for path in Path.home().glob("*.glb")]
    assert any(b"OMI_physics_joint" in data for data in written)


def _pose() -> list[Any]:
    """Return all channels of the pose as they are stored."""
    bones = bpy.data.objects["Character"].pose.bones
    names = ("location", "rotation_quaternion", "rotation_euler", "scale")
    return [tuple(getattr(bone, name)) for bone in bones for name in names]


def _is_as_before(pose: list[Any]) -> None:
    assert addon("preview.session").running() is None
    assert _pose() == pose
    assert "omi_pose_before_preview" not in bpy.data.objects["Character"]
