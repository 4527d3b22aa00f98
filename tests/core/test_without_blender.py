"""The model and the codecs can be imported by any Python, each module by itself."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import omi_joints_addon.core
import omi_joints_addon.io.codec

IMPORT = """
import importlib, sys
for name in sys.argv[2].split():
    sys.modules[name] = None
importlib.import_module(sys.argv[1])
"""
BLENDER = "bpy bpy_extras mathutils gpu gpu_extras blf bmesh addon_utils io_scene_gltf2"
PACKAGES = (omi_joints_addon.core, omi_joints_addon.io.codec)


def test_every_module_imports_without_blender(repository: Path) -> None:
    names = [
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    ]
    assert names
    for name in names:
        command = [sys.executable, "-c", IMPORT, name, BLENDER]
        run = subprocess.run(
            command, cwd=repository, check=False, capture_output=True, text=True, timeout=60
        )
        assert run.returncode == 0, f"{name}\n{run.stderr}"
