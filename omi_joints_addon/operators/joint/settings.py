"""Limits and drives as a whole: presets, copies, settings that joints share, strength."""

import math
from contextlib import suppress
from dataclasses import replace

import bpy

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_joint,
    active_owner,
    active_settings_locked,
    editable_joints,
    endless_sharing,
    no_active_joint,
    no_other_joint,
    no_selected_joint,
    shown_joint,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.model.joint import JointDrive
from ...declared import FloatProperty
from ...properties.joint import SettingsCycleError, joint_data, settings_owner, shared_settings
from ...scene.structure import body_object_of
from ...translation import report
from .dropped import dropped_reported
from .parameters import PresetParameters


class OMI_OT_joint_preset_apply(Explained, PresetParameters, bpy.types.Operator):
    """Replace the limits and drives of the active joint with those of a common joint type"""

    bl_idname = "omi.joint_preset_apply"
    bl_label = "Apply Joint Preset"
    conditions = (active_settings_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        joint = active_owner(context)
        owner = joint_data(joint)
        name = owner.settings_name
        body = body_object_of(present(shown_joint(context))) or joint
        settings = self.settings(authoring.frames.largest_extent(body))
        with dropped_reported(self, [joint]):
            authoring.joint_curves.JointCurves().replace(joint, settings)
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
        active = present(active_joint(context))
        settings = shared_settings(active)
        others = [joint for joint in editable_joints(context) if joint != active]
        with dropped_reported(self, others):
            authoring.sharing.copy_settings(present(context.blend_data), settings, others)
        return {"FINISHED"}


class OMI_OT_joint_settings_link(Explained, bpy.types.Operator):
    """Let the other selected joints share the limits and drives of the active joint"""

    bl_idname = "omi.joint_settings_link"
    bl_label = "Link Joint Settings"
    conditions = (no_active_joint, endless_sharing, no_other_joint)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        joint: bpy.types.Object = present(active_joint(context))
        others = [each for each in editable_joints(context) if each != settings_owner(joint)]
        with dropped_reported(self, others):
            authoring.sharing.share_settings(joint, others)
        return {"FINISHED"}


class OMI_OT_joint_settings_unlink(Explained, bpy.types.Operator):
    """Make the limits and drives of each selected joint its own, keeping their values"""

    bl_idname = "omi.joint_settings_unlink"
    bl_label = "Make Joint Settings Single-User"
    conditions = (no_selected_joint,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        authoring.sharing.Sharing(present(context.blend_data)).end(editable_joints(context))
        return {"FINISHED"}


def no_selected_drive(context: bpy.types.Context) -> str | None:
    """Return why no selected joint has a drive whose strength can be edited."""
    reason = no_selected_joint(context)
    if reason is not None:
        return reason
    for joint in editable_joints(context):
        with suppress(SettingsCycleError):
            if len(joint_data(settings_owner(joint)).drives):
                return None
    return "No selected joint has a drive"


class OMI_OT_joint_strength_scale(Explained, bpy.types.Operator):
    """Multiply stiffness, damping and largest force of all drives of the selected joints"""

    bl_idname = "omi.joint_strength_scale"
    bl_label = "Scale Drive Strength"
    conditions = (no_selected_drive,)

    factor = FloatProperty(
        name="Strength",
        description="Factor of stiffness, damping and largest force; 0 leaves joints limp",
        default=1.0,
        min=0.0,
        soft_max=2.0,
        options={"SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        owners = dict.fromkeys(map(settings_owner, editable_joints(context)))
        count = 0
        for owner in owners:
            settings = joint_data(owner).settings_to_core()
            drives = tuple(_scaled(drive, self.factor) for drive in settings.drives)
            joint_data(owner).settings_from_core(replace(settings, drives=drives))
            count += len(drives)
        report(self, "INFO", "Drives scaled: {count}", count=count)
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        if layout is not None:
            layout.prop(self, "factor", slider=True)


def _scaled(drive: JointDrive, factor: float) -> JointDrive:
    is_limited = math.isfinite(drive.max_force)
    return replace(
        drive,
        stiffness=drive.stiffness * factor,
        damping=drive.damping * factor,
        max_force=drive.max_force * factor if is_limited else drive.max_force,
    )
