"""Bones as bodies, their joints, and ragdolls: in Properties > Bone and in the sidebar."""

from typing import Any

import bpy
from bpy.types import Context, UILayout

from .. import authoring
from ..authoring.conditions import active_joint
from ..authoring.context import present
from ..properties.active_ragdoll import active_ragdoll
from ..properties.body import body_data
from ..properties.bones import BodyBone
from ..properties.joint import joint_data
from ..properties.shape import NONE
from ..scene.structure import joint_bodies, settings_of
from .body import draw_inertia, draw_pair_removal, draw_sizes, draw_velocities
from .joint import draw_kind
from .joint_settings import draw_settings
from .joint_tools import draw_range, has_bones
from .places import BoneTab, Documented, Sidebar, draw_choice, section, split_layout


class _BoneBody(Documented):
    """What both panels of bodies draw."""

    page = "how-to/characters"

    def draw(self, context: Context) -> None:
        """Draw motion and collider of the active bone."""
        bone = active_bone(context)
        layout: Any = split_layout(self, context)
        if bone is None:
            layout.label(text="No bone is active", icon="INFO")
            return
        body = body_data(bone)
        is_body, collider = body.motion_type != NONE, body.collider
        if is_body:
            draw_choice(layout, body, "motion_type")
            layout.prop(body, "mass")
            section(layout, draw_inertia, body, text="Mass Properties")
            section(layout, draw_velocities, body, text="Velocity")
        else:
            layout.operator("omi.body_bone_add", icon="ADD")
        layout.prop(collider, "source")
        if collider.source == "CUSTOM":
            draw_choice(layout, collider.shape, "type")
            draw_sizes(layout, collider.shape)
        for item in collider.collision_filter.systems:
            layout.prop(item, "system", text="Collision System")
        if is_body and collider.source == "CUSTOM":
            _draw_pairs(layout, bone, is_editable=context.mode == "POSE")


class OMI_PT_bone_body(_BoneBody, BoneTab, bpy.types.Panel):
    """How a physics engine sees the active bone"""

    bl_label = "Physics Body"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return active_bone(context) is not None


class OMI_PT_pose_body(_BoneBody, Sidebar, bpy.types.Panel):
    """How a physics engine sees the active bone, in Pose Mode"""

    bl_label = "Bone Body"
    bl_order = 1

    @classmethod
    def poll(cls, context: Context) -> bool:
        return context.mode == "POSE"


class _BoneJoint:
    """What both panels of joints draw."""

    bl_label = "Bone Joint"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return context.mode == "POSE" and active_joint(context) is not None

    def draw(self, context: Context) -> None:
        """Draw what a joint connects, the tools that work on bones, limits and drives."""
        layout, joint = split_layout(self, context), present(active_joint(context))
        _own, other = joint_bodies(joint)
        layout.label(text=joint.name, icon="CONSTRAINT", translate=False)
        row = layout.row(heading="To")
        row.label(text="The World" if other is None else other.name, translate=other is None)
        layout.prop(joint_data(joint), "enable_collision")
        settings = settings_of(joint)
        if settings is not None:
            draw_kind(layout, settings)
            draw_range(layout.column(align=True), context, settings)
        layout.operator("omi.preview_range", text="Sweep All", icon="PLAY").sweep = True
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        grid.operator("omi.joint_settings_copy_out", text="Copy", icon="COPYDOWN")
        grid.operator("omi.joint_settings_paste", text="Paste", icon="PASTEDOWN")
        grid.operator("omi.joint_strength_scale", text="Drive Strength", icon="DRIVER")
        grid.operator("omi.joint_connected_select", text="Select Chain").extend_chain = True
        layout.operator_menu_enum("omi.joint_stiffness_set", "stiffness")
        draw_settings(layout, joint)


class OMI_PT_bone_joint(_BoneJoint, BoneTab, bpy.types.Panel):
    """The joint that moves the active bone: kind, tools, limits and drives"""


class OMI_PT_pose_joint(_BoneJoint, Sidebar, bpy.types.Panel):
    """The joint that moves the active bone, in Pose Mode: kind, tools, limits and drives"""

    bl_order = 0


class OMI_PT_active_ragdoll(Documented, Sidebar, bpy.types.Panel):
    """Following the animation of the armature in a simulation"""

    bl_label = "Active Ragdoll"
    page = "how-to/characters"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return has_bones(context.object)

    def draw(self, context: Context) -> None:
        layout = split_layout(self, context)
        group = active_ragdoll(present(authoring.skins.armature_of(context.object)))
        layout.operator("omi.ragdoll_activate", icon="ARMATURE_DATA")
        layout.prop(group, "is_on")
        column = layout.column()
        column.active = group.is_on
        column.prop(group, "strength")
        layout.operator("omi.ragdoll_targets_key", icon="KEY_HLT")


def _draw_pairs(layout: UILayout, bone: BodyBone, *, is_editable: bool) -> None:
    """Draw the bones that a bone passes through by a collision system of their own."""
    for number, each in enumerate(authoring.bone_pairs.passed_bones(bone)):
        row = layout.row(align=True, heading="" if number else "Does Not Collide With")
        row.label(text=each.name, translate=False)
        if is_editable:
            draw_pair_removal(row, number)
    if is_editable:
        layout.operator("omi.body_pair_add", icon="MOD_PHYSICS")


def active_bone(context: Context) -> BodyBone | None:
    """Return the active bone of the active armature, None in Edit Mode and where there is none."""
    armature = context.object
    if armature is None or armature.pose is None or armature.mode == "EDIT":
        return None
    bone = present(armature.data).bones.active  # type: ignore[attr-defined]
    is_posed = bone is not None and bone.name in armature.pose.bones
    return BodyBone(armature, bone.name) if is_posed else None
