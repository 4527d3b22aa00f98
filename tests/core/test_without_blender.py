"""The model and the codecs can be imported by any Python, each module by itself."""

import subprocess
import sys
from pathlib import Path

IMPORT_EACH = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    sys.modules[name] = None

def forget():
    for name in [name for name in sys.modules if name.startswith("omi_joints_addon")]:
        del sys.modules[name]

for name in ("omi_joints_addon.core", "omi_joints_addon.io.formats"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        forget()
        importlib.import_module(module.name)
        print(module.name)
"""
BLENDER = (
    "bpy",
    "bpy_extras",
    "mathutils",
    "gpu",
    "gpu_extras",
    "blf",
    "bmesh",
    "addon_utils",
    "io_scene_gltf2",
)


def test_every_module_imports_without_blender(repository: Path) -> None:
    command = [sys.executable, "-c", IMPORT_EACH, *BLENDER]
    run = subprocess.run(
        command, cwd=repository, check=False, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "omi_joints_addon.core.meaning.metric" in run.stdout.split()
