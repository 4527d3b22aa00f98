"""Limits and drives as a whole: presets, copies, and settings that several joints share."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy

from ...authoring.conditions import (
    Explained,
    active_settings_locked,
    editable_joints,
    endless_sharing,
    no_active_joint,
    no_other_joint,
    no_selected_joint,
)
from ...authoring.context import present
from ...core.model.joint import JointSettings
from ...properties.joint import SettingsCycleError, joint_data, settings_owner, shared_settings
from ...scene.structure import sharing_joints
from .parameters import PresetParameters

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems


class Sharing:
    """Who shares settings with whom, looked up once for many joints."""

    def __init__(self, data: bpy.types.BlendData) -> None:
        # Dictionaries as ordered sets: joints leave them one by one.
        self._joints = {
            source: dict.fromkeys(joints) for source, joints in sharing_joints(data.objects).items()
        }

    def end(self, joints: Iterable[bpy.types.Object]) -> None:
        """Give each joint settings that no other joint uses, with the values it has now.

        Where others share a joint's, the first of them keeps the values and the rest share that
        one's. Owners come last: by then few share their settings.
        """
        for joint in sorted(joints, key=lambda joint: joint_data(joint).settings_source is None):
            self._end(joint)

    def _end(self, joint: bpy.types.Object) -> None:
        own = joint_data(joint)
        if own.settings_source is not None:
            own.settings_from_core(_settings_now(joint))
            del self._joints[own.settings_source][joint]
            own.settings_source = None
        others = list(self._joints.pop(joint, ()))
        for other in others:
            joint_data(other).settings_from_core(own.settings_to_core())
            joint_data(other).settings_source = others[0] if other != others[0] else None
        for other in others[1:]:
            self._joints.setdefault(others[0], {})[other] = None


def _settings_now(joint: bpy.types.Object) -> JointSettings:
    """Return the settings that the joint uses; its own where the sharing goes round in a circle."""
    try:
        return shared_settings(joint)
    except SettingsCycleError:
        return joint_data(joint).settings_to_core()


class OMI_OT_joint_preset_apply(Explained, PresetParameters, bpy.types.Operator):
    """Replace the limits and drives of the active joint by those of a common kind of joint"""

    bl_idname = "omi.joint_preset_apply"
    bl_label = "Apply Joint Preset"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (active_settings_locked,)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        owner = joint_data(settings_owner(present(context.object)))
        name = owner.settings_name
        owner.settings_from_core(self.settings())
        owner.settings_name = name
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "preset")
        self.draw_parameters(layout)


class OMI_OT_joint_settings_copy(Explained, bpy.types.Operator):
    """Give the other selected joints copies of the active joint's limits and drives"""

    bl_idname = "omi.joint_settings_copy"
    bl_label = "Copy Joint Settings"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (no_active_joint, endless_sharing, no_other_joint)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        settings = shared_settings(present(context.object))
        others = [joint for joint in editable_joints(context) if joint != context.object]
        Sharing(present(context.blend_data)).end(others)
        for joint in others:
            joint_data(joint).settings_from_core(settings)
        return {"FINISHED"}


class OMI_OT_joint_settings_link(Explained, bpy.types.Operator):
    """Let the other selected joints share the limits and drives of the active joint"""

    bl_idname = "omi.joint_settings_link"
    bl_label = "Link Joint Settings"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (no_active_joint, endless_sharing, no_other_joint)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        owner = settings_owner(present(context.object))
        settings = shared_settings(present(context.object))
        for joint in editable_joints(context):
            if joint != owner:
                joint_data(joint).settings_source = owner
                # A deleted owner leaves the joint whole.
                joint_data(joint).settings_from_core(settings)
        return {"FINISHED"}


class OMI_OT_joint_settings_unlink(Explained, bpy.types.Operator):
    """Give each selected joint limits and drives of its own, with the values it has now"""

    bl_idname = "omi.joint_settings_unlink"
    bl_label = "Make Joint Settings Single-User"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (no_selected_joint,)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        Sharing(present(context.blend_data)).end(editable_joints(context))
        return {"FINISHED"}


CLASSES = (
    OMI_OT_joint_preset_apply,
    OMI_OT_joint_settings_copy,
    OMI_OT_joint_settings_link,
    OMI_OT_joint_settings_unlink,
)
