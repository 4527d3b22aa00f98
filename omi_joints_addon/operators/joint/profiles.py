"""Operators of named profiles: sets of limits and drives that selected joints switch between."""

import bpy

from ... import authoring
from ...authoring.conditions import (
    Explained,
    editable_joints,
    joints_with_numbers,
    no_selected_joint,
    no_selected_numbers,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import StringProperty
from ...translation import refused, report
from .dropped import dropped_reported


class _OfSelected(Explained):
    """Does something about a profile of all selected joints."""

    conditions = (no_selected_numbers,)
    name = StringProperty(name="Name", description="Name of the profile")

    def joints(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        """Return the joints to do it to."""
        return joints_with_numbers(context)

    def change(self, joints: list[bpy.types.Object], name: str) -> int:
        """Do it; return how many sets of limits and drives it was about."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            joints = self.joints(context)
            with dropped_reported(self, joints):
                count = self.change(joints, self.name)
        except authoring.own_presets.SettingsTextError as error:
            return refused(
                self, "ERROR", "The profile {name!r}: {error}", name=self.name, error=error
            )
        except authoring.profiles.OverrideError as error:
            return refused(self, "ERROR", error)
        if not count:
            return refused(
                self, "WARNING", "No selected joint has the profile {name!r}", name=self.name
            )
        report(self, "INFO", "Joints with {name}: {count}", name=self.name, count=count)
        return {"FINISHED"}


class OMI_OT_joint_profile_store(_OfSelected, bpy.types.Operator):
    """Keep the limits and drives of the selected joints under a name, to switch back to later"""

    bl_idname = "omi.joint_profile_store"
    bl_label = "Store Profile"
    name = StringProperty(
        name="Name",
        description="Name of the profile; a profile of the same name is replaced",
        default="Profile",
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        return present(context.window_manager).invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        self.name = self.name.strip()
        if not self.name:
            return refused(self, "ERROR", "A profile needs a name")
        return super().execute(context)

    def change(self, joints: list[bpy.types.Object], name: str) -> int:
        return authoring.profiles.store_profile(joints, name)


class OMI_OT_joint_profile_apply(_OfSelected, bpy.types.Operator):
    """Give all selected joints that have this profile the limits and drives stored in it"""

    bl_idname = "omi.joint_profile_apply"
    bl_label = "Apply Profile"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def change(self, joints: list[bpy.types.Object], name: str) -> int:
        return authoring.profiles.apply_profile(joints, name)


class OMI_OT_joint_profile_remove(_OfSelected, bpy.types.Operator):
    """Remove this profile from all selected joints; the limits and drives in use stay"""

    bl_idname = "omi.joint_profile_remove"
    bl_label = "Remove Profile"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    conditions = (no_selected_joint,)

    def joints(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        return editable_joints(context)

    def change(self, joints: list[bpy.types.Object], name: str) -> int:
        return authoring.profiles.remove_profile(joints, name)
