"""Options in the dialogs of Blender's glTF exporter and importer."""

import contextlib
from types import SimpleNamespace
from typing import Any

import bpy
import io_scene_gltf2
import pytest

KEY = "omi_joints_addon"
PANELS = {
    "exporter_extension_layout_draw": [
        "export_joints",
        "export_bodies",
        "export_constraints",
        "export_bones_nested",
        "export_dialects",
        "export_for",
    ],
    "importer_extension_layout_draw": ["import_joints", "import_bodies", "import_rigid_bodies"],
}


class Layout:
    """Notes which properties are drawn, in place of a layout, which needs a window."""

    def __init__(self) -> None:
        self.drawn: list[tuple[Any, str]] = []

    def panel(self, _name: str, **_options: Any) -> tuple["Layout", "Layout"]:
        return self, self

    def label(self, **_options: Any) -> None:
        pass

    def column(self, **_options: Any) -> "Layout":
        return self

    def row(self, **_options: Any) -> "Layout":
        return self

    def prop(self, owner: Any, name: str) -> None:
        assert name in owner.bl_rna.properties
        self.drawn.append((owner, name))


@pytest.mark.parametrize("table", PANELS)
def test_dialog_shows_the_options_of_the_scene(table: str) -> None:
    layout = Layout()
    getattr(io_scene_gltf2, table)[KEY](bpy.context, layout)
    assert layout.drawn == [(bpy.context.scene.omi_gltf, name) for name in PANELS[table]]


def test_exporter_of_a_collection_shows_its_options() -> None:
    collection = bpy.data.collections.new("Doors")
    context = SimpleNamespace(
        space_data=SimpleNamespace(type="PROPERTIES"),
        scene=bpy.context.scene,
        collection=collection,
    )
    layout = Layout()
    io_scene_gltf2.exporter_extension_layout_draw[KEY](context, layout)
    names = PANELS["exporter_extension_layout_draw"]
    assert layout.drawn == [(collection.omi_gltf, name) for name in names]


def test_dialog_is_clean_after_disabling() -> None:
    bpy.ops.preferences.addon_disable(module=KEY)
    try:
        assert all(KEY not in getattr(io_scene_gltf2, table) for table in PANELS)
    finally:
        bpy.ops.preferences.addon_enable(module=KEY)
    assert all(KEY in getattr(io_scene_gltf2, table) for table in PANELS)


def test_import_dialog_shows_one_panel() -> None:
    # The importer looks for panels by itself, under the name of the add-on, when it is opened;
    # without a window opening goes no further.
    with contextlib.suppress(RuntimeError):
        bpy.ops.import_scene.gltf("INVOKE_DEFAULT")
    tables = io_scene_gltf2.importer_extension_layout_draw
    assert [key for key in tables if "omi" in key] == [KEY]


def test_collection_exporter_writes_by_its_own_options(tmp_path: Any) -> None:
    from tests.roundtrip.documents import JOINT, add_door, export

    collection = bpy.data.collections.new("Doors")
    bpy.context.scene.collection.children.link(collection)
    for obj in add_door():
        collection.objects.link(obj)
    collection.omi_gltf.export_joints = False
    assert JOINT not in export(tmp_path, collection="Doors")["extensionsUsed"]
    assert JOINT in export(tmp_path)["extensionsUsed"]
