"""Places of panels, and the layout of those that show names beside values."""

from typing import Any

import bpy

from ..authoring.context import present


class PhysicsTab:
    """Place of a panel: the Physics tab of the Properties editor."""

    bl_space_type: Any = "PROPERTIES"
    bl_region_type: Any = "WINDOW"
    bl_context = "physics"


class Sidebar:
    """Place of a panel: the tab "Joints" of the 3D viewport's sidebar."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Joints"


NARROW = 230.0
"""Width below which names beside values leave no room for these [pixels at interface scale 1]."""


def region_width(context: bpy.types.Context) -> float:
    """Return the width of the region at interface scale 1 [pixels], 0 without one."""
    if context.region is None or context.preferences is None:
        return 0.0
    return context.region.width / context.preferences.system.ui_scale


def is_narrow(context: bpy.types.Context) -> bool:
    """Return whether names are to be inside of their fields."""
    return 0.0 < region_width(context) < NARROW


def split_layout(panel: Any, context: bpy.types.Context) -> bpy.types.UILayout:
    """Return the layout of a panel for names beside their values, where there is room for both."""
    layout: bpy.types.UILayout = present(panel.layout)
    layout.use_property_split = not is_narrow(context)
    layout.use_property_decorate = False
    return layout
