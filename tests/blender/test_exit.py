"""A process that used the add-on ends by itself, whether it went well or not.

Blender 4.5 as a module waits for ever at exit where something still refers to `bpy` then, such as a
class or function that a cache of the standard library keeps. It crashes where a function still
draws in views.
"""

import subprocess
import sys
from pathlib import Path

import pytest

USE = """
import sys
import bpy
import addon_utils
addon_utils.enable("omi_joints_addon", default_set=True)
bpy.ops.wm.read_homefile(use_empty=True)
joint, connected = (bpy.data.objects.new(name, None) for name in ("Joint", "Connected"))
for thing in (joint, connected):
    bpy.context.scene.collection.objects.link(thing)
joint.omi_joint.enabled = True
joint.omi_joint.connected_object = connected
joint.omi_joint.limits.add().linear_axes = (True, True, True)
file = sys.argv[1]
bpy.ops.export_scene.gltf(filepath=file)
bpy.ops.import_scene.gltf(filepath=file)
addon_utils.disable("omi_joints_addon", default_set=True)
"""

REGISTER = """
import bpy
import omi_joints_addon
omi_joints_addon.register()
bpy.ops.wm.read_homefile(use_empty=True)
assert hasattr(bpy.types.Object, "omi_joint")
"""


@pytest.mark.parametrize(("ending", "code"), [("", 0), ("raise SystemExit(3)", 3), ("1 / 0", 1)])
def test_process_ends(repository: Path, tmp_path: Path, ending: str, code: int) -> None:
    assert ended(USE + ending, repository, str(tmp_path / "joint.glb")) == code


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("", 0),
        ("1 / 0", 1),
        ("omi_joints_addon.unregister()", 0),
        ("omi_joints_addon.register()", 0),
    ],
)
def test_process_ends_with_everything_registered(repository: Path, ending: str, code: int) -> None:
    assert ended(REGISTER + ending, repository) == code


def ended(program: str, repository: Path, *arguments: str) -> int:
    """Return the exit code of a Python program."""
    command = [sys.executable, "-c", program, *arguments]
    run = subprocess.run(command, cwd=repository, check=False, capture_output=True, timeout=300)
    sys.stderr.buffer.write(run.stderr)
    return run.returncode
