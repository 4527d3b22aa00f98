"""Preferences of the extension: where frames go, and what scenes show without own options."""

import bpy

from .declared import PointerProperty, StringProperty
from .manual import address
from .properties.colors import OMI_PG_colors
from .properties.overlay import OMI_PG_overlay, draw_options


class OMI_AP_preferences(bpy.types.AddonPreferences):
    """Where new frames go, and defaults of the viewport overlay."""

    bl_idname = __package__

    frame_collection = StringProperty(
        name="Collection of New Frames",
        description=(
            "Collection for the frames of new joints, created if missing; if empty, frames "
            "are placed in the collections of their bodies"
        ),
    )
    overlay = PointerProperty(type=OMI_PG_overlay)
    colors = PointerProperty(type=OMI_PG_colors)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options that scenes follow."""
        layout: bpy.types.UILayout = self.layout
        layout.use_property_split = True
        layout.prop(self, "frame_collection")
        layout.operator("wm.url_open", text="Open Manual", icon="HELP").url = address("index")
        layout.separator()
        layout.label(text="Viewport Overlay")
        draw_options(layout, self.overlay)
        layout.prop(self.colors, "palette")
        if self.colors.palette == "OWN":
            for name in ("axis_x", "axis_y", "axis_z", "at_limit", "violated"):
                layout.prop(self.colors, name)
