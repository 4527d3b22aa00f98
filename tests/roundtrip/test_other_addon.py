"""Another add-on that reads and writes the same physics is left out: joints arrive once.

The add-on of the extension's author cannot be had in a test. The one here does the same, as far as
it matters: it makes an object of each joint in a file, and writes a joint for each such object.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

from tests.roundtrip.documents import export, import_file, popups, write
from tests.roundtrip.khr_files import KHR
from tests.roundtrip.test_khr_import import pair

MADE = "made_by_the_other"


class _Export:
    def gather_node_hook(self, node: Any, obj: bpy.types.Object | None, _settings: Any) -> None:
        if obj is not None and obj.get(MADE):
            node.extensions[KHR] = {"joint": {"joint": 0, "connectedNode": 0}}

    def gather_gltf_extensions_hook(self, document: Any, _settings: Any) -> None:
        document.extensions.setdefault(KHR, {"physicsJoints": [{"limits": []}]})


class _Import:
    def gather_import_node_after_hook(
        self, _vnode: Any, node: Any, obj: bpy.types.Object, _importer: Any
    ) -> None:
        if "joint" in ((node.extensions or {}).get(KHR) or {}):
            bpy.data.objects.new(obj.name + " by the other", None)[MADE] = True


@pytest.fixture
def other() -> Iterator[None]:
    """Enable the other add-on as an extension, by a module of its name."""
    name = f"bl_ext.user_default.{KHR}"
    module = ModuleType(name)
    for hooks, of in ((_Export, "Export"), (_Import, "Import")):
        kind = type(f"glTF2{of}UserExtension", (hooks,), {"__module__": f"{name}.blender"})
        setattr(module, f"glTF2{of}UserExtension", kind)
    addons = bpy.context.preferences.addons
    sys.modules[name] = module
    entry = addons.new()
    entry.module = name
    yield
    addons.remove(addons[name])
    del sys.modules[name]


def made() -> list[str]:
    return [obj.name for obj in bpy.data.objects if obj.get(MADE)]


def joints_in(document: dict[str, Any]) -> int:
    extensions = [node.get("extensions", {}) for node in document["nodes"]]
    return sum("OMI_physics_joint" in each or "joint" in each.get(KHR, {}) for each in extensions)


def test_joints_stay_as_many_through_rounds(
    other: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, pair({"linearAxes": [0, 1, 2], "min": 0, "max": 0}))
    for number in range(3):
        import_file(path)
        assert made() == []
        name = f"round{number}.gltf"
        assert joints_in(export(tmp_path, name)) == 1
        path = tmp_path / name
    assert any("OMI-B050" in line for line in popups(capsys))


def test_the_other_one_works_where_ours_is_turned_off(other: None, tmp_path: Path) -> None:
    path = write(tmp_path, pair())
    options = bpy.context.scene.omi_gltf
    options.import_joints = options.import_bodies = False
    assert bpy.ops.import_scene.gltf(filepath=str(path)) == {"FINISHED"}
    assert len(made()) == 1
