"""The toolbar's tool: handles of the active joint, and a click that puts its frames somewhere."""

import bpy

PIVOT_TOOL = "omi.joint_limits"
"""The tool's name, which scripts and workspaces have kept since it was for limits only."""
PLACE = "omi.joint_frame_place"
"""Operator of `operators.joint.ends`, which this layer knows by name only."""


class OMI_WT_joint_limits(bpy.types.WorkSpaceTool):
    """Tool of joints in Object Mode.

    The handles are shown with every tool and are not this one's: Blender removes a tool's handles
    where a script chooses another tool, and crashes where one of them is being dragged.
    """

    bl_space_type = "VIEW_3D"
    bl_context_mode = "OBJECT"
    bl_idname = PIVOT_TOOL
    bl_label = "Joint Pivot"
    bl_description = (
        "Place the pivot of the active joint: Ctrl Click snaps its frames to the vertex, edge, "
        "face or bone under the mouse. Drag the handles to change its limits"
    )
    bl_icon = "ops.mesh.spin"
    bl_keymap = (
        (PLACE, {"type": "LEFTMOUSE", "value": "CLICK", "ctrl": True}, None),
        ("view3d.select", {"type": "LEFTMOUSE", "value": "CLICK"}, None),
        (
            "view3d.select",
            {"type": "LEFTMOUSE", "value": "CLICK", "shift": True},
            {"properties": [("toggle", True)]},
        ),
    )

    @staticmethod
    def draw_settings(
        context: bpy.types.Context, layout: bpy.types.UILayout, tool: bpy.types.WorkSpaceTool
    ) -> None:
        """Draw the header: which frames move, to what, and whether they turn."""
        options = tool.operator_properties(PLACE)
        layout.prop(options, "end", expand=True)
        layout.prop(options, "element", text="", icon_only=False)
        layout.prop(options, "use_rotation")


def attach() -> None:
    """Add the tool to the toolbar."""
    bpy.utils.register_tool(OMI_WT_joint_limits, after={"builtin.transform"}, separator=True)


def detach() -> None:
    """Take the tool from the toolbar."""
    bpy.utils.unregister_tool(OMI_WT_joint_limits)
