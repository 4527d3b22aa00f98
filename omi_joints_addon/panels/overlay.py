"""Overlay options: the daily ones in the viewport's popover, all below headings elsewhere."""

from typing import Any

import bpy
from bpy.types import Context

from .. import overlay
from ..authoring.context import present
from ..properties.joint import joint_of
from ..properties.overlay import draw_options, overlay_data, overlay_options
from .places import SceneOptions, draw_props


class OMI_PT_overlay(bpy.types.Panel):
    """Which joints the viewport shows; the preferences and Properties > Scene have the rest"""

    bl_label = "Physics Joints"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_parent_id = "VIEW3D_PT_overlay"

    def draw_header(self, context: Context) -> None:
        """Draw the switch."""
        layout = present(self.layout)
        layout.prop(overlay_options(context), "show", text="")

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        space: Any = context.space_data
        options = overlay_options(context)
        layout.active = space.overlay.show_overlays and options.show
        layout.row().prop(options, "scope", expand=True)
        layout.prop(options, "only_chain")
        columns = layout.grid_flow(row_major=True, columns=2, even_columns=True)
        names = ("show_numbers", "show_shapes", "show_hidden", "show_problems")
        draw_props(columns, options, *names)
        layout.prop(options, "size" if options.size_mode == "WORLD" else "screen_size")
        for message in overlay.joint_overlay.OVERLAY.failures:
            layout.label(text=message, icon="ERROR")


class OMI_PT_scene_overlay(SceneOptions, bpy.types.Panel):
    """Options of the overlay that this scene has instead of those of the preferences"""

    bl_label = "Physics Joints Overlay"
    page = "limits"

    def draw_header(self, context: Context) -> None:
        layout = present(self.layout)
        layout.prop(overlay_data(present(context.scene)), "use_own", text="")

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        data = overlay_data(present(context.scene))
        layout.active = data.use_own
        draw_options(layout, data.own)


def _draw_legend(header: bpy.types.Header, context: Context) -> None:
    """Draw what colors mean, where a joint is active."""
    if joint_of(context.object) is None or not overlay_options(context).show:
        return
    row = present(header.layout).row()
    row.active = False
    row.label(text="Axis color: free   |: at limit   !: broken")


MENUS = (("VIEW3D_HT_tool_header", _draw_legend),)
