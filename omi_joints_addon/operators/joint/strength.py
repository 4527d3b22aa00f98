"""The strength of drives of many joints at once."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
from bpy.props import FloatProperty

from ...authoring.conditions import Explained, editable_joints, no_selected_joint
from ...classes import OperatorResult
from ...core.model.joint import JointDrive
from ...properties.joint import SettingsCycleError, joint_data, settings_owner
from ...translation import refused, report


class OMI_OT_joint_strength_scale(Explained, bpy.types.Operator):
    """Multiply stiffness, damping and largest force of all drives of the selected joints"""

    bl_idname = "omi.joint_strength_scale"
    bl_label = "Scale Drive Strength"
    conditions = (no_selected_joint,)

    if TYPE_CHECKING:
        factor: float
    else:
        factor: FloatProperty(
            name="Strength",
            description="Factor of stiffness, damping and largest force; 0 leaves joints limp",
            default=1.0,
            min=0.0,
            soft_max=2.0,
            options={"SKIP_SAVE"},
        )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            owners = dict.fromkeys(map(settings_owner, editable_joints(context)))
        except SettingsCycleError as cycle:
            return refused(self, "ERROR", "The settings of {joint} form a loop", joint=str(cycle))
        count = 0
        for owner in owners:
            settings = joint_data(owner).settings_to_core()
            drives = tuple(_scaled(drive, self.factor) for drive in settings.drives)
            joint_data(owner).settings_from_core(replace(settings, drives=drives))
            count += len(drives)
        report(self, "INFO", "Scaled {count} drives", count=count)
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


CLASSES = (OMI_OT_joint_strength_scale,)
