"""Own presets: limits and drives saved by name, as files that can be shared."""

from pathlib import Path

import bpy

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_joint,
    active_owner,
    active_settings_locked,
    endless_sharing,
    no_active_joint,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import StringProperty
from ...properties.joint import joint_data, shared_settings
from ...translation import refused, report
from .dropped import dropped_reported


class OMI_OT_joint_preset_save(Explained, bpy.types.Operator):
    """Save the limits and drives of the active joint as your own preset"""

    bl_idname = "omi.joint_preset_save"
    bl_label = "Save Joint Preset"
    conditions = (no_active_joint, endless_sharing)
    name = StringProperty(name="Name", description="Name of the preset", default="My Joint")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        return present(context.window_manager).invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        if not self.name.strip():
            return refused(self, "ERROR", "A preset needs a name")
        path = authoring.own_presets.save_preset(
            self.name.strip(), shared_settings(present(active_joint(context)))
        )
        report(self, "INFO", "Saved {path}", path=path)
        return {"FINISHED"}


class OMI_OT_joint_preset_load(Explained, bpy.types.Operator):
    """Replace the limits and drives of the active joint with those of your own preset"""

    bl_idname = "omi.joint_preset_load"
    bl_label = "Load Joint Preset"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    conditions = (active_settings_locked,)
    filepath = StringProperty(name="File", description="File of the preset", subtype="FILE_PATH")

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            settings = authoring.own_presets.load_preset(Path(self.filepath))
        except authoring.own_presets.SettingsTextError as error:
            return refused(self, "ERROR", "Not a joint preset: {error}", error=error)
        joint = active_owner(context)
        with dropped_reported(self, [joint]):
            authoring.joint_curves.JointCurves().replace(joint, settings)
        authoring.joints.show_range(joint_data(joint))
        return {"FINISHED"}


class OMI_OT_joint_preset_delete(bpy.types.Operator):
    """Delete one of your own presets"""

    bl_idname = "omi.joint_preset_delete"
    bl_label = "Delete Joint Preset"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    name = StringProperty(name="Name", description="Name of the preset")

    def execute(self, _context: bpy.types.Context) -> OperatorResult:
        found = next(
            (path for path in authoring.own_presets.own_presets() if path.stem == self.name), None
        )
        try:
            if found is None:
                raise FileNotFoundError(self.name)
            found.unlink()
        except OSError as error:
            return refused(
                self,
                "ERROR",
                "Cannot delete the preset {name!r}: {error}",
                name=self.name,
                error=error.strerror,
            )
        return {"FINISHED"}
