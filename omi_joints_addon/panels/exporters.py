"""Physics in Blender's own export and import: glTF in their dialogs, glTF and USD in the Scene tab.

Who has Godot import a .blend file sees no dialog, and USD dialogs take no options of others.
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
from ..io.usd.hooks import problem
from ..properties.gltf_options import OMI_PG_gltf_options, options_of
from ..properties.usd_options import usd_options
from ..translation import translated
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


class OMI_PT_usd(SceneOptions, bpy.types.Panel):
    """How Blender's USD export and import handle physics"""

    bl_label = "USD Physics"
    page = "usd"

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        options = usd_options(present(context.scene))
        if why := problem():
            draw_message(layout, context, translated("Off: {why}", why=why), icon="INFO")
            return
        layout.use_property_split = True
        layout.use_property_decorate = False
        draw_props(layout, options, "import_physics", "export_physics")
        column = layout.column()
        column.active = options.export_physics
        draw_props(column, options, "nesting", "physx")


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
