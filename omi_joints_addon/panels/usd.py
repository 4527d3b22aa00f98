"""Physics in Blender's own USD export and import: options in Properties > Scene."""

import bpy

from ..authoring.context import present
from ..io.usd.hooks import problem
from ..properties.usd_options import usd_options
from ..translation import translated
from .help import Documented

_SHOWN = 12
"""Lines of the last report that are shown."""


class OMI_PT_usd(Documented, bpy.types.Panel):
    """What Blender's USD export and import do about physics"""

    bl_label = "USD Physics"
    page = "usd"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        options = usd_options(present(context.scene))
        if why := problem():
            layout.label(text=translated("Off: {why}", why=why), icon="INFO")
            return
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(options, "import_physics")
        layout.prop(options, "export_physics")
        column = layout.column()
        column.active = options.export_physics
        column.prop(options, "nesting")
        column.prop(options, "physx")
        _draw_report(layout, options.report)


def _draw_report(layout: bpy.types.UILayout, report: str) -> None:
    """Draw what the last export or import said."""
    lines = report.splitlines()
    if not lines:
        return
    box = layout.box().column(align=True)
    box.label(text="Last export or import", icon="TEXT")
    for line in lines[:_SHOWN]:
        box.label(text=line)
    if len(lines) > _SHOWN:
        box.label(text=translated("and {count} more", count=len(lines) - _SHOWN))


CLASSES = (OMI_PT_usd,)
