"""The joint that moves the active bone: in Properties > Bone, and in Pose Mode's sidebar."""

from typing import Any

import bpy

from ..authoring.conditions import active_joint
from ..authoring.context import present
from ..core.meaning.presets import settings_label
from ..operators.joint.clipboard import OMI_OT_joint_settings_copy_out, OMI_OT_joint_settings_paste
from ..operators.joint.select import OMI_OT_joint_connected_select
from ..operators.joint.settings import OMI_OT_joint_preset_apply, OMI_OT_joint_strength_scale
from ..operators.joint.stiffness import OMI_OT_joint_stiffness_set
from ..properties.joint import joint_data, shared_settings
from ..scene.structure import joint_bodies
from .joint_settings import DrivesPanel, LimitsPanel
from .places import Sidebar


class _BoneTab:
    """Place of a panel: the Bone tab of the Properties editor."""

    bl_space_type: Any = "PROPERTIES"
    bl_region_type: Any = "WINDOW"
    bl_context = "bone"


class _BoneJoint:
    """What both panels draw."""

    bl_label = "Bone Joint"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "POSE" and active_joint(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what a joint connects, and the tools that work on bones."""
        layout = present(self.layout)  # type: ignore[attr-defined]
        layout.use_property_split, layout.use_property_decorate = True, False
        joint = present(active_joint(context))
        _own, other = joint_bodies(joint)
        layout.label(text=joint.name, icon="CONSTRAINT", translate=False)
        row = layout.row(heading="To")
        row.label(text="The World" if other is None else other.name, translate=other is None)
        layout.prop(joint_data(joint), "enable_collision")
        kind = settings_label(shared_settings(joint))
        row = layout.row(align=True)
        row.operator_menu_enum(
            OMI_OT_joint_preset_apply.bl_idname, "preset", text=kind, icon="CONSTRAINT"
        )
        row.menu("OMI_MT_joint_presets", text="", icon="PRESET")
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        grid.operator(OMI_OT_joint_settings_copy_out.bl_idname, text="Copy", icon="COPYDOWN")
        grid.operator(OMI_OT_joint_settings_paste.bl_idname, text="Paste", icon="PASTEDOWN")
        grid.operator(OMI_OT_joint_strength_scale.bl_idname, text="Drive Strength", icon="DRIVER")
        chain = grid.operator(OMI_OT_joint_connected_select.bl_idname, text="Select Chain")
        chain.extend_chain = True
        layout.operator_menu_enum(OMI_OT_joint_stiffness_set.bl_idname, "stiffness")


class OMI_PT_bone_joint(_BoneJoint, _BoneTab, bpy.types.Panel):
    """The joint that moves the active bone"""


class OMI_PT_bone_joint_limits(_BoneTab, LimitsPanel, bpy.types.Panel):
    """Limits of the joint that moves the active bone"""

    bl_parent_id = "OMI_PT_bone_joint"


class OMI_PT_bone_joint_drives(_BoneTab, DrivesPanel, bpy.types.Panel):
    """Drives of the joint that moves the active bone"""

    bl_parent_id = "OMI_PT_bone_joint"


class OMI_PT_pose_joint(_BoneJoint, Sidebar, bpy.types.Panel):
    """The joint that moves the active bone, in Pose Mode"""

    bl_order = 0


class OMI_PT_pose_joint_limits(Sidebar, LimitsPanel, bpy.types.Panel):
    """Limits of the joint that moves the active bone, in Pose Mode"""

    bl_parent_id = "OMI_PT_pose_joint"
    bl_context = ""


class OMI_PT_pose_joint_drives(Sidebar, DrivesPanel, bpy.types.Panel):
    """Drives of the joint that moves the active bone, in Pose Mode"""

    bl_parent_id = "OMI_PT_pose_joint"
    bl_context = ""
    bl_options = {"DEFAULT_CLOSED"}


CLASSES = (
    OMI_PT_bone_joint,
    OMI_PT_bone_joint_limits,
    OMI_PT_bone_joint_drives,
    OMI_PT_pose_joint,
    OMI_PT_pose_joint_limits,
    OMI_PT_pose_joint_drives,
)
