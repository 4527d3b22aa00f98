"""Showing only the joints of the selected chain."""

import bpy

from ...authoring.conditions import Explained, no_joint_in_scene
from ...classes import OperatorResult
from ...properties.overlay import overlay_options
from ...translation import report


class OMI_OT_joint_chain_show(Explained, bpy.types.Operator):
    """Draw only the chains of joints that the selection is in, or all joints again"""

    bl_idname = "omi.joint_chain_show"
    bl_label = "Show Only Selected Chain"
    conditions = (no_joint_in_scene,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        options = overlay_options(context)
        options.only_chain = not options.only_chain
        options.show = True
        text = "Only chains of the selection are drawn" if options.only_chain else "All are drawn"
        report(self, "INFO", text)
        return {"FINISHED"}
