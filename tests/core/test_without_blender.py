"""Core and codecs know nothing of Blender."""

import subprocess
import sys
from pathlib import Path


def test_core_and_codecs_import_without_blender(repository: Path):
    script = """
import importlib, pkgutil, sys
for name in ("bpy", "mathutils", "gpu", "gpu_extras", "blf", "bmesh", "io_scene_gltf2"):
    sys.modules[name] = None
import omi_joints_addon.core as core, omi_joints_addon.io.codec as codec
for package in (core, codec):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
        print(module.name)
"""
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=repository, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    names = set(result.stdout.split())
    assert {"omi_joints_addon.core.metric", "omi_joints_addon.io.codec.omi_physics_joint"} <= names
