"""Limits and drives through the clipboard, as text that other files and programs can take."""

import bpy

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_joint,
    editable_joints,
    endless_sharing,
    no_active_joint,
    no_selected_joint,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...properties.joint import shared_settings
from ...translation import refused, report
from .dropped import dropped_reported


class OMI_OT_joint_settings_copy_out(Explained, bpy.types.Operator):
    """Copy the limits and drives of the active joint to the clipboard"""

    bl_idname = "omi.joint_settings_copy_out"
    bl_label = "Copy Limits and Drives"
    conditions = (no_active_joint, endless_sharing)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        settings = shared_settings(present(active_joint(context)))
        present(context.window_manager).clipboard = authoring.own_presets.settings_to_text(settings)
        count = len(settings.limits) + len(settings.drives)
        report(self, "INFO", "Copied {count} limits and drives", count=count)
        return {"FINISHED"}


class OMI_OT_joint_settings_paste(Explained, bpy.types.Operator):
    """Paste the limits and drives from the clipboard to the selected joints"""

    bl_idname = "omi.joint_settings_paste"
    bl_label = "Paste Limits and Drives"
    conditions = (no_selected_joint,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            settings = authoring.own_presets.settings_from_text(
                present(context.window_manager).clipboard
            )
        except authoring.own_presets.SettingsTextError as error:
            return refused(
                self,
                "ERROR",
                "The clipboard does not contain limits and drives: {error}",
                error=error,
            )
        joints = editable_joints(context)
        with dropped_reported(self, joints):
            authoring.sharing.copy_settings(present(context.blend_data), settings, joints)
        return {"FINISHED"}
