"""Physics in the dialogs of Blender's glTF exporter and importer, and of collection exporters.

Who has Godot import a .blend file sees no dialog, so the options are in Properties > Scene, too.
"""

from typing import Any

import bpy
from bpy.types import Context, UILayout

from ..authoring.context import present
from ..io.gltf.upstream import (
    ADDON,
    OTHER_ADDON_TEXT,
    UNSEEN,
    add_dialog_panels,
    is_found_by_exporters,
    is_other_addon_enabled,
    remove_dialog_panels,
)
from ..properties.gltf_options import OMI_PG_gltf_options, options_of
from .messages import draw_message
from .places import SceneOptions, draw_props, section


def draw_export(context: Context, layout: UILayout) -> None:
    """Draw the options of an export; those of the collection where its exporter is shown."""
    is_collection = context.space_data is not None and context.space_data.type == "PROPERTIES"
    owner: Any = context.collection if is_collection else context.scene
    section(layout, _draw_writing, context, options_of(owner), text="Physics", is_closed=False)


def draw_import(context: Context, layout: UILayout) -> None:
    """Draw the options of an import."""
    options = options_of(present(context.scene))
    section(layout, _draw_reading, context, options, text="Physics", is_closed=False)


class OMI_PT_gltf(SceneOptions, bpy.types.Panel):
    """How Blender's glTF export handles physics, also where Godot imports this Blender file"""

    bl_label = "glTF Physics"
    page = "dialects"

    def draw(self, context: Context) -> None:
        _draw_writing(present(self.layout), context, options_of(present(context.scene)))


def _draw_writing(layout: UILayout, context: Context, options: OMI_PG_gltf_options) -> None:
    _draw_unseen(layout, context)
    column = layout.column(heading="Write", align=True)
    names = ("export_joints", "export_bodies", "export_constraints", "export_bones_nested")
    draw_props(column, options, *names)
    draw_props(layout, options, "export_dialects", "export_for")


def _draw_reading(layout: UILayout, context: Context, options: OMI_PG_gltf_options) -> None:
    _draw_unseen(layout, context)
    column = layout.column(heading="Read", align=True)
    draw_props(column, options, "import_joints", "import_bodies")
    row = column.row()
    row.active = options.import_bodies
    row.prop(options, "import_rigid_bodies")


def _draw_unseen(layout: UILayout, context: Context) -> None:
    """Have names beside values, below why the options have no effect, where they have none."""
    layout.use_property_split, layout.use_property_decorate = True, False
    if not is_found_by_exporters():
        draw_message(layout, context, UNSEEN, icon="ERROR")
    if is_other_addon_enabled():
        draw_message(layout, context, OTHER_ADDON_TEXT, icon="INFO")


def attach() -> None:
    """Show the options in the dialogs."""
    add_dialog_panels(ADDON, draw_export, draw_import)


def detach() -> None:
    """Remove the options from the dialogs."""
    remove_dialog_panels(ADDON)


CLASSES = (OMI_PT_gltf,)
