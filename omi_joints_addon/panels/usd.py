"""Physics in Blender's own USD export and import: options in Properties > Scene."""

import bpy
from bpy.types import Context

from ..authoring.context import present
from ..io.usd.hooks import problem
from ..properties.usd_options import usd_options
from ..translation import translated
from .messages import draw_message
from .places import SceneOptions, draw_props


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


CLASSES = (OMI_PT_usd,)
