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


def split_layout(panel: Any) -> bpy.types.UILayout:
    """Return the layout of a panel for names beside their values."""
    layout: bpy.types.UILayout = present(panel.layout)
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout
