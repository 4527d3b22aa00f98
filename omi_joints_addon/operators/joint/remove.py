"""Removing joints."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, editable_joints, no_selected_joint, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult


class OMI_OT_joint_remove(Explained, bpy.types.Operator):
    """Remove the selected joints and their frames, unless used otherwise; the bodies are kept"""

    bl_idname = "omi.joint_remove"
    bl_label = "Remove Physics Joint"
    conditions = (not_object_mode, no_selected_joint)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        authoring.removal.remove_joints(present(context.blend_data), editable_joints(context))
        return {"FINISHED"}
