"""The active bone as a physics body: in Properties > Bone, and in Pose Mode beside the viewport."""

from typing import Any

import bpy

from .. import authoring
from ..authoring.context import present
from ..operators.body.body import OMI_OT_body_bone_add
from ..operators.body.lists import OMI_OT_body_pair_add, OMI_OT_body_pair_remove
from ..properties.body import body_data
from ..properties.bones import BodyBone
from ..properties.shape import NONE
from ..properties.words import OTHER
from .body import draw_motion, draw_sizes
from .help import Documented
from .places import Sidebar, split_layout


class _BoneBody(Documented):
    """What both panels draw."""

    page = "how-to/characters"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw motion and collider of the active bone."""
        bone = active_bone(context)
        layout: Any = split_layout(self, context)
        if bone is None:
            layout.label(text="No bone is active", icon="INFO")
            return
        body = body_data(bone)
        if body.motion_type == NONE:
            layout.operator(OMI_OT_body_bone_add.bl_idname, icon="ADD")
        else:
            layout.prop(body, "motion_type")
            if body.motion_type == OTHER:
                layout.prop(body, "other_motion_type")
            draw_motion(layout, body)
        collider = body.collider
        layout.prop(collider, "source")
        if collider.source == "CUSTOM":
            draw_sizes(layout, collider.shape)
        for item in collider.collision_filter.systems:
            layout.prop(item, "system", text="Collision System")
        if body.motion_type != NONE and collider.source == "CUSTOM":
            _draw_pairs(layout, bone, is_editable=context.mode == "POSE")


class OMI_PT_bone_body(_BoneBody, bpy.types.Panel):
    """How a physics engine sees the active bone"""

    bl_label = "Physics Body"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "bone"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_bone(context) is not None


class OMI_PT_pose_body(_BoneBody, Sidebar, bpy.types.Panel):
    """How a physics engine sees the active bone, in Pose Mode"""

    bl_label = "Bone Body"
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "POSE"


def _draw_pairs(layout: bpy.types.UILayout, bone: BodyBone, *, is_editable: bool) -> None:
    """Draw the bones that a bone passes through by a collision system of their own."""
    for number, each in enumerate(authoring.bone_pairs.passed_bones(bone)):
        row = layout.row(align=True, heading="" if number else "Does Not Collide With")
        row.label(text=each.name, translate=False)
        if is_editable:
            remove: Any = row.operator(OMI_OT_body_pair_remove.bl_idname, text="", icon="X")
            remove.index = number
    if is_editable:
        layout.operator(OMI_OT_body_pair_add.bl_idname, icon="MOD_PHYSICS")


def active_bone(context: bpy.types.Context) -> BodyBone | None:
    """Return the active bone of the active armature, None in Edit Mode and where there is none."""
    armature = context.object
    if armature is None or armature.pose is None or armature.mode == "EDIT":
        return None
    data = present(armature.data)
    bone = data.bones.active  # type: ignore[attr-defined]
    return (
        None
        if bone is None or bone.name not in armature.pose.bones
        else BodyBone(armature, bone.name)
    )


CLASSES = (OMI_PT_bone_body, OMI_PT_pose_body)
