"""A table of all joints in a pop-up."""

import bpy

from ... import scene
from ...authoring.context import present
from ...classes import OperatorResult

WIDTH = 960
"""Width of the table [pixels at interface scale 1]."""

HEADS = ("Joint", "Kind", "Ranges", "Target")


def columns(layout: bpy.types.UILayout) -> tuple[bpy.types.UILayout, ...]:
    """Return the columns of a row of the table: name, kind, limits, target."""
    name, rest = _halves(layout, 0.24)
    kind, rest = _halves(rest, 0.17)
    return (name, kind, *_halves(rest, 0.8))


def _halves(
    layout: bpy.types.UILayout, factor: float
) -> tuple[bpy.types.UILayout, bpy.types.UILayout]:
    split = layout.split(factor=factor)
    return split.row(align=True), split.row(align=True)


class OMI_OT_joint_table(bpy.types.Operator):
    """Show all joints of the scene with their ranges and targets for editing"""

    bl_idname = "omi.joint_table"
    bl_label = "Table of Joints"
    bl_options = {"REGISTER", "UNDO"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        scene.joint_rows.LISTS.fill(present(context.scene))
        return present(context.window_manager).invoke_popup(self, width=WIDTH)

    def execute(self, _context: bpy.types.Context) -> OperatorResult:
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        for column, title in zip(columns(layout.row()), HEADS, strict=True):
            column.label(text=title)
        layout.template_list(
            "OMI_UL_joint_table",
            "",
            context.window_manager,
            "omi_joint_rows",
            context.scene,
            "omi_joint_row",
            rows=15,
        )
