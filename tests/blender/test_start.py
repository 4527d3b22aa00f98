"""What a start of Blender loads of the extension: other modules wait for their first use."""

import ast
import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from omi_joints_addon.io.registry import FORMATS

DOORS = {
    "authoring": {"conditions", "context"},
    "cli": {"command"},
    "core.checks": set[str](),
    "core.engines": {"names"},
    "core.findings": {"finding", "fix", "loss", "sentence", "titles"},
    "core.meaning": {"axes", "preset_parameters", "presets", "recognition", "sides"},
    "core.model": {
        "actuator",
        "attributes",
        "axes",
        "body",
        "joint",
        "named_pose",
        "numbers",
        "plain",
        "shape",
    },
    "core.outline": set[str](),
    "core.rewrite": set[str](),
    "core.shapes": set[str](),
    "core.solver": {"rate"},
    "io": {
        *(
            "blend",
            "collector",
            "files",
            "registry",
            "staging",
            "stopping",
            "gltf",
            "gltf.upstream",
            "usd",
            "usd.hooks",
        ),
        *("formats", "formats.revision", "formats.format", "formats.inventory", "formats.keeping"),
        *(f"formats.{row.name}" for row in FORMATS if row.name != "blend"),
        "formats.usd.content",
    },
    "overlay": set[str](),
    "pictures": set[str](),
    "preview": {"draw", "driven", "session"},
    "scene": {
        *("data_version", "disabled", "findings", "rules", "structure", "updates"),
        *("watch", "windows", "work"),
    },
}
"""What a start may load of each room: what Blender's classes and handlers are made of."""
ENABLE = """
import json, sys
import bpy
import addon_utils
sys.modules["numpy"] = None  # Blender as a module has loaded it, Blender with a window has not
addon_utils.enable("omi_joints_addon", default_set=True)
print(json.dumps([name for name in sys.modules if name.startswith("omi_joints_addon.")]))
addon_utils.disable("omi_joints_addon", default_set=True)
"""
EXPORT = """
import json, os, sys
import bpy
import addon_utils
addon_utils.enable("io_scene_gltf2", default_set=True)
addon_utils.enable("omi_joints_addon", default_set=True)
bpy.ops.wm.read_homefile(use_empty=True)
body, end, joint = (bpy.data.objects.new(name, None) for name in ("Body", "End", "Joint"))
for each in (body, end, joint):
    bpy.context.collection.objects.link(each)
joint.parent = body
joint.omi_joint.enabled = True
joint.omi_joint.connected_object = end
bpy.ops.export_scene.gltf(filepath=sys.argv[1], export_format="GLTF_SEPARATE")
print(json.dumps([name for name in sys.modules if name.startswith("omi_joints_addon.")]))
bpy.ops.wm.read_homefile(use_empty=True)
addon_utils.disable("omi_joints_addon", default_set=True)
"""
NOT_OF_EXPORTS = (
    *("authoring.joints", "core.engines.engine", "core.engines.godot", "io.formats.checking"),
    *("io.formats.gltf.document", "io.formats.gltf.godot_target", "io.formats.gltf.mesh_data"),
    *("io.gltf.document_import", "io.gltf.import_hooks", "io.gltf.joint_import"),
)
"""What an export does not load: imports, readers of documents, engines."""
NOT_OF_CHECKS = ("core.engines.engine", "core.findings.loss", "core.model.light", "cli.fixing")
"""What `check` of a glTF file does not load."""


ROOMS = sorted(
    place.parent
    for place in (Path(__file__).parents[2] / "omi_joints_addon").rglob("__init__.py")
    if "rooms.loader(__name__)" in place.read_text()
)


FIX = """
import bpy
import addon_utils
addon_utils.enable("omi_joints_addon", default_set=True)
joint = bpy.data.objects.new("Joint", None)
bpy.context.collection.objects.link(joint)
joint.omi_joint.enabled = True
limit = joint.omi_joint.limits.add()
limit.use_min = limit.use_max = True
limit.min, limit.max = 2.0, 1.0
bpy.ops.omi.check_fix_swap_bounds(code="OMI-J103", place="Joint", part="/limits/0")
assert (limit.min, limit.max) == (1.0, 2.0)
addon_utils.disable("omi_joints_addon", default_set=True)
print("fixed")
"""


def test_a_script_fixes_a_finding_before_anything_was_checked(repository: Path) -> None:
    command = [sys.executable, "-c", FIX]
    run = subprocess.run(command, cwd=repository, check=False, capture_output=True, timeout=300)
    assert b"fixed" in run.stdout.splitlines(), run.stderr.decode()


@pytest.mark.parametrize("folder", ROOMS, ids=lambda folder: folder.name)
def test_a_room_lists_its_modules_and_loads_them(folder: Path, repository: Path) -> None:
    name = ".".join(folder.relative_to(repository).parts)
    room = importlib.import_module(name)
    listed = {
        alias.name
        for found in ast.walk(ast.parse((folder / "__init__.py").read_text()))
        if isinstance(found, ast.ImportFrom) and found.module is None and found.level == 1
        for alias in found.names
    }
    modules = {module.name for module in pkgutil.iter_modules([str(folder)])}
    assert listed == modules
    for module in modules:
        assert getattr(room, module).__name__ == f"{name}.{module}"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = room.nothing


def test_what_no_class_is_made_of_is_loaded_when_it_is_used_and_numpy_too(repository: Path) -> None:
    command = [sys.executable, "-c", ENABLE]
    run = subprocess.run(command, cwd=repository, check=True, capture_output=True, timeout=300)
    listed = next(line for line in run.stdout.decode().splitlines() if line.startswith("["))
    loaded = {name.removeprefix("omi_joints_addon.") for name in json.loads(listed)}
    assert "operators.preview.preview" in loaded
    for room, doors in DOORS.items():
        inside = {n.removeprefix(f"{room}.") for n in loaded if n.startswith(f"{room}.")}
        assert inside <= doors, room


def test_an_export_loads_nothing_of_imports_and_engines(repository: Path, tmp_path: Path) -> None:
    path = tmp_path / "joint.gltf"
    command = [sys.executable, "-c", EXPORT, str(path)]
    run = subprocess.run(command, cwd=repository, check=True, capture_output=True, timeout=300)
    listed = next(line for line in run.stdout.decode().splitlines() if line.startswith("["))
    loaded = {name.removeprefix("omi_joints_addon.") for name in json.loads(listed)}
    assert "OMI_physics_joint" in path.read_text()
    assert "io.gltf.physics_export" in loaded
    assert not loaded.intersection(NOT_OF_EXPORTS)


def test_a_check_of_gltf_loads_neither_engines_nor_what_writes(
    repository: Path, tmp_path: Path
) -> None:
    path = tmp_path / "empty.gltf"
    path.write_text('{"asset": {"version": "2.0"}}')
    command = [sys.executable, "-X", "importtime", "-m", "omi_joints_addon", "check", str(path)]
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    env = os.environ | {"PYTHONPATH": str(repository)}
    run = subprocess.run(
        command, cwd=tmp_path, env=env, check=True, capture_output=True, timeout=300
    )
    loaded = {line.rpartition("|")[2].strip() for line in run.stderr.decode().splitlines()}
    assert "omi_joints_addon.io.formats.gltf.document" in loaded
    assert not loaded.intersection({"bpy", "tomllib"})
    assert not loaded.intersection(f"omi_joints_addon.{name}" for name in NOT_OF_CHECKS)
