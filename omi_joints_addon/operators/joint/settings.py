"""Limits and drives as a whole: presets, copies, and settings that several joints share."""

import bpy

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_settings,
    active_settings_locked,
    editable_joints,
    endless_sharing,
    no_active_joint,
    no_other_joint,
    no_selected_joint,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...properties.joint import joint_data, shared_settings
from ...scene.structure import body_object_of
from .parameters import PresetParameters


class OMI_OT_joint_preset_apply(Explained, PresetParameters, bpy.types.Operator):
    """Replace the limits and drives of the active joint with those of a common joint type"""

    bl_idname = "omi.joint_preset_apply"
    bl_label = "Apply Joint Preset"
    conditions = (active_settings_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        owner = active_settings(context)
        name = owner.settings_name
        body = body_object_of(context.object) or present(context.object)
        owner.settings_from_core(self.settings(authoring.frames.largest_extent(body)))
        owner.settings_name = name
        authoring.joints.show_range(owner)
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        layout.prop(self, "preset")
        self.draw_parameters(layout)


class OMI_OT_joint_settings_copy(Explained, bpy.types.Operator):
    """Copy the active joint's limits and drives to the other selected joints"""

    bl_idname = "omi.joint_settings_copy"
    bl_label = "Copy Joint Settings"
    conditions = (no_active_joint, endless_sharing, no_other_joint)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        settings = shared_settings(present(context.object))
        others = [joint for joint in editable_joints(context) if joint != context.object]
        authoring.sharing.Sharing(present(context.blend_data)).end(others)
        for joint in others:
            joint_data(joint).settings_from_core(settings)
        return {"FINISHED"}


class OMI_OT_joint_settings_link(Explained, bpy.types.Operator):
    """Let the other selected joints share the limits and drives of the active joint"""

    bl_idname = "omi.joint_settings_link"
    bl_label = "Link Joint Settings"
    conditions = (no_active_joint, endless_sharing, no_other_joint)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        authoring.sharing.share_settings(present(context.object), editable_joints(context))
        return {"FINISHED"}


class OMI_OT_joint_settings_unlink(Explained, bpy.types.Operator):
    """Make the limits and drives of each selected joint its own, keeping their values"""

    bl_idname = "omi.joint_settings_unlink"
    bl_label = "Make Joint Settings Single-User"
    conditions = (no_selected_joint,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        authoring.sharing.Sharing(present(context.blend_data)).end(editable_joints(context))
        return {"FINISHED"}


CLASSES = (
    OMI_OT_joint_preset_apply,
    OMI_OT_joint_settings_copy,
    OMI_OT_joint_settings_link,
    OMI_OT_joint_settings_unlink,
)
