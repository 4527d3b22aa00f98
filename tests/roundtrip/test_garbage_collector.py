"""The collector leaves older objects alone in a run; the setting comes back on every way out."""

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import bpy
import pytest

from omi_joints_addon.io.gltf.export_hooks import glTF2ExportUserExtension
from omi_joints_addon.io.gltf.import_hooks import glTF2ImportUserExtension
from tests.roundtrip.documents import add_body, add_door, export, import_file, triangle, write

BEFORE = (700, 10, 11)
"""Thresholds that nobody else would choose."""


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    found = gc.get_threshold()
    gc.set_threshold(*BEFORE)
    yield
    gc.set_threshold(*found)


def noting(monkeypatch: Any, cls: type, hook: str) -> list[tuple[int, int, int]]:
    """Return a list that gets the thresholds whenever a hook of the add-on is called."""
    seen: list[tuple[int, int, int]] = []
    original: Callable[..., None] = getattr(cls, hook)

    def recorded(self: Any, *arguments: Any) -> None:
        seen.append(gc.get_threshold())
        original(self, *arguments)

    monkeypatch.setattr(cls, hook, recorded)
    return seen


def assert_as_before() -> None:
    """Assert the setting, after some young collections."""
    for _ in range(16):
        gc.collect(0)
    assert gc.get_threshold() == BEFORE
    assert not [call for call in gc.callbacks if "omi_joints" in type(call).__module__]


def test_old_objects_are_left_alone_during_an_export(tmp_path, monkeypatch):
    seen = noting(monkeypatch, glTF2ExportUserExtension, "gather_gltf_extensions_hook")
    add_door()
    export(tmp_path)
    assert [limits[0] for limits in seen] == [BEFORE[0]]
    assert min(seen[0][1:]) > 1e6
    assert_as_before()


def test_old_objects_are_left_alone_during_an_import(tmp_path, monkeypatch):
    add_door()
    export(tmp_path)
    seen = noting(monkeypatch, glTF2ImportUserExtension, "gather_import_scene_after_nodes_hook")
    import_file(tmp_path / "file.gltf")
    assert min(seen[0][1:]) > 1e6
    assert_as_before()


@pytest.mark.parametrize(
    "fails",
    [
        "io_scene_gltf2.blender.exp.gather.gather_gltf2",
        "io_scene_gltf2.io.exp.export.save_gltf",
        "io_scene_gltf2.blender.exp.exporter.GlTF2Exporter.finalize_images",
    ],
)
def test_an_exporter_that_raises_leaves_no_trace(tmp_path, monkeypatch, fails):
    def fail(*_arguments: Any, **_values: Any) -> None:
        raise ValueError("on purpose")

    monkeypatch.setattr(fails, fail)
    add_door()
    with pytest.raises(RuntimeError, match="on purpose"):
        export(tmp_path)
    assert_as_before()


def test_a_run_right_after_one_that_broke_off_leaves_no_trace(tmp_path, monkeypatch):
    def fail(*_arguments: Any, **_values: Any) -> None:
        raise ValueError("on purpose")

    add_door()
    gc.disable()
    try:
        with monkeypatch.context() as patch:
            patch.setattr("io_scene_gltf2.io.exp.export.save_gltf", fail)
            with pytest.raises(RuntimeError, match="on purpose"):
                export(tmp_path)
        export(tmp_path)
    finally:
        gc.enable()
    assert_as_before()


@pytest.mark.parametrize("text", ["no JSON", '{"asset": {"version": "1.0"}}'])
def test_a_file_that_cannot_be_read_leaves_no_trace(tmp_path, text):
    path = tmp_path / "bad.gltf"
    path.write_text(text)
    with suppress(RuntimeError):
        bpy.ops.import_scene.gltf(filepath=str(path))
    assert_as_before()


def test_an_importer_that_raises_leaves_no_trace(tmp_path, monkeypatch):
    def fail(*_arguments: Any, **_values: Any) -> None:
        raise ValueError("on purpose")

    monkeypatch.setattr("io_scene_gltf2.blender.imp.scene.BlenderScene.create", fail)
    with pytest.raises(RuntimeError, match="on purpose"):
        import_file(write(tmp_path, {"nodes": [{}], "scenes": [{"nodes": [0]}]}))
    assert_as_before()


def test_files_that_are_imported_together(tmp_path, monkeypatch):
    paths = [
        write(tmp_path, {"nodes": [{}], "scenes": [{"nodes": [0]}]}, f"{n}.gltf") for n in "ab"
    ]
    seen = noting(monkeypatch, glTF2ImportUserExtension, "gather_import_scene_after_nodes_hook")
    files = [{"name": path.name} for path in paths]
    bpy.ops.import_scene.gltf(filepath=str(paths[0]), directory=str(tmp_path), files=files)
    assert [min(limits[1:]) > 1e6 for limits in seen] == [True, True]
    assert_as_before()


def test_what_exports_leave_does_not_pile_up(tmp_path):
    """Importers of engines and render farms run hundreds of exports in one process."""
    gc.set_threshold(2000, 10, 10)
    for number in range(40):
        add_body(f"Body {number}", "DYNAMIC", data=triangle())
    known = []
    for _ in range(2):
        for _ in range(20):
            export(tmp_path)
        known.append(len(gc.get_objects()))
    # Before, each left some 3,000.
    assert known[1] - known[0] < 20 * 1000


def test_a_setting_that_someone_makes_right_after_a_run_stays(tmp_path):
    add_door()
    gc.disable()
    export(tmp_path)
    assert min(gc.get_threshold()[1:]) > 1e6
    gc.set_threshold(321, 5, 6)
    gc.enable()
    for _ in range(16):
        gc.collect(0)
    assert gc.get_threshold() == (321, 5, 6)
