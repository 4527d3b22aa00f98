"""Preferences of the extension: what scenes without options of their own show."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import PointerProperty

from .properties.overlay import OMI_PG_overlay


class OMI_AP_preferences(bpy.types.AddonPreferences):
    """Defaults of the viewport overlay."""

    bl_idname = __package__

    if TYPE_CHECKING:
        overlay: OMI_PG_overlay
    else:
        overlay: PointerProperty(type=OMI_PG_overlay)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options that scenes follow."""
        layout: Any = self.layout
        layout.use_property_split = True
        layout.label(text="Viewport Overlay")
        for name in OMI_PG_overlay.__annotations__:
            layout.prop(self.overlay, name)


CLASSES = (OMI_AP_preferences,)
