"""How firmly joints hold the pose they are in, by name."""

import bpy

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_joint,
    editable_joints,
    locked,
    no_selected_joint,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import EnumProperty
from ...translation import refused, report


class OMI_OT_joint_stiffness_set(Explained, bpy.types.Operator):
    """Give joints drives that hold their pose, as strong as the bodies below each joint need"""

    bl_idname = "omi.joint_stiffness_set"
    bl_label = "Set Stiffness"
    conditions = (no_selected_joint,)

    stiffness = EnumProperty(
        name="Stiffness",
        description="How far the weight of what a joint carries turns it",
        items=(
            ("LOOSE", "Loose", "Sags by most of a right angle and swings, as of a sleeper"),
            ("NATURAL", "Natural", "Sags by 20 degrees, as of someone who is tired"),
            ("STIFF", "Stiff", "Sags by 5 degrees"),
            ("HELD", "Held", "Sags by 1 degree, nearly as if it were locked"),
        ),
        default="NATURAL",
    )
    scope = EnumProperty(
        name="Joints",
        description="Joints that get drives",
        items=(
            ("SELECTED", "Selected", "Selected joints, in Pose Mode those of selected bones"),
            ("CHAIN", "Chain", "The active joint and all joints below it"),
            ("ALL", "Whole Mechanism", "All joints that are connected with selected ones"),
        ),
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        from ...core.ragdoll.stiffness import STIFFNESSES

        joints = [joint for joint in self._joints(context) if locked(joint) is None]
        found = authoring.stiffness.stiffen(context, joints, self.stiffness)
        if not found:
            return refused(self, "WARNING", "None of these joints turns a body that moves freely")
        label = STIFFNESSES[self.stiffness].label
        report(self, "INFO", "{count} joints are {stiffness}", count=len(found), stiffness=label)
        return {"FINISHED"}

    def _joints(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        chosen, active = editable_joints(context), active_joint(context)
        if self.scope == "ALL":
            objects = present(context.scene).objects
            return authoring.selection.connected_joints(chosen, objects, is_chain=True)
        if self.scope == "CHAIN":
            return authoring.stiffness.joints_below(context, active or chosen[0])
        return chosen
