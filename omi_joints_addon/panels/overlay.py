"""Overlay options in the viewport's overlay popover."""

from typing import Any

import bpy

from .. import overlay
from ..authoring.context import present
from ..properties.overlay import overlay_data, overlay_options


class OMI_PT_overlay(bpy.types.Panel):
    """Which joints the viewport shows, and how"""

    bl_label = "Physics Joints"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_parent_id = "VIEW3D_PT_overlay"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch."""
        layout = present(self.layout)
        layout.prop(overlay_options(context), "show", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        space: Any = context.space_data
        assert context.scene is not None
        options = overlay_options(context)
        layout.active = space.overlay.show_overlays and options.show
        layout.row().prop(options, "scope", expand=True)
        row = layout.split(factor=0.35)
        row.label(text="Fixed To")
        row.prop(options, "fixed_to", text="")
        layout.row().prop(options, "color_by", expand=True)
        layout.row().prop(options, "size_mode", expand=True)
        layout.prop(options, "size" if options.size_mode == "WORLD" else "screen_size")
        columns = layout.grid_flow(row_major=True, columns=2, even_columns=True)
        for name in _PARTS:
            columns.prop(options, name)
        columns.prop(options, "show_problems")
        row = layout.row()
        row.prop(options, "show_hidden")
        fade = row.row()
        fade.active = options.show_hidden
        fade.prop(options, "hidden_opacity", text="", slider=True)
        layout.prop(overlay_data(context.scene), "use_own")
        for message in overlay.joint_overlay.OVERLAY.failures:
            layout.label(text=message, icon="ERROR")


_PARTS = (
    "show_limits",
    "show_frames",
    "show_drives",
    "show_tethers",
    "show_couplings",
    "show_numbers",
    "show_shapes",
)
CLASSES = (OMI_PT_overlay,)
