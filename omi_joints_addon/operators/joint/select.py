"""Selecting joints and what belongs to them."""

import bpy

from ... import authoring
from ...authoring.conditions import (
    NO_SELECTED_JOINT,
    Explained,
    no_preview_mode,
    selected_joints,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import BoolProperty, StringProperty
from ...properties.bones import BodyBone, object_of, selected_bones
from ...properties.joint import joint_of
from ...scene.structure import body_object_of, joint_bodies
from ...translation import refused


class OMI_OT_joint_select(Explained, bpy.types.Operator):
    """Select this joint, in Pose Mode the bone that it moves. Shift extends the selection"""

    bl_idname = "omi.joint_select"
    bl_label = "Select Joint"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    name = StringProperty(name="Name", description="Name of the joint", options={"SKIP_SAVE"})
    library = StringProperty(
        name="Library", description="File that the joint is linked from", options={"SKIP_SAVE"}
    )
    extend = BoolProperty(
        name="Extend", description="Keep the current selection", options={"SKIP_SAVE"}
    )
    conditions = (no_preview_mode,)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        self.extend = event.shift
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        joint = present(context.blend_data).objects.get((self.name, self.library or None))
        if joint is None or joint_of(joint) is None:
            return refused(self, "ERROR", "The joint {name!r} does not exist", name=self.name)
        if context.mode == "POSE":
            bone = body_object_of(joint)
            if not authoring.selection.select_bones(context, [bone], extend=self.extend):
                text = "{name} does not move a bone that can be selected here"
                return refused(self, "WARNING", text, name=self.name)
            return {"FINISHED"}
        if not authoring.selection.select_only(context, [joint], extend=self.extend):
            return refused(
                self, "WARNING", "{name} is hidden or not in this view layer", name=self.name
            )
        return {"FINISHED"}


class OMI_OT_joint_bodies_select(Explained, bpy.types.Operator):
    """Select the bodies that the selected joints connect; bones are selected for Pose Mode"""

    bl_idname = "omi.joint_bodies_select"
    bl_label = "Select Joint Bodies"
    extend = BoolProperty(name="Extend", description="Keep the current selection")
    conditions = (no_preview_mode,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        found = map(joint_bodies, selected_joints(context))
        bodies = [body for pair in found for body in pair if body is not None]
        if not bodies:
            # Not in poll: the redo panel asks it while the bodies are selected.
            has_joints = bool(selected_joints(context))
            reason = "The selected joints do not connect any bodies"
            return refused(self, "ERROR", reason if has_joints else NO_SELECTED_JOINT)
        authoring.selection.select_bones(context, bodies, extend=self.extend)
        if context.mode == "OBJECT":
            authoring.selection.select_only(
                context, list(map(object_of, bodies)), extend=self.extend
            )
        return {"FINISHED"}


class OMI_OT_joint_connected_select(Explained, bpy.types.Operator):
    """Select the joints of the selected joints and bodies, in Pose Mode the bones they connect"""

    bl_idname = "omi.joint_connected_select"
    bl_label = "Select Connected Joints"
    conditions = (no_preview_mode,)
    extend_chain = BoolProperty(
        name="Whole Chain",
        description="Continue from body to body through all connected joints",
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        found = authoring.selection.connected_joints(
            [*context.selected_objects, *_selected_bones(context)],
            present(context.scene).objects,
            is_chain=self.extend_chain,
        )
        if not found:
            return refused(self, "ERROR", "Select joints or bodies that joints hold")
        if context.mode == "POSE":
            bodies = [body for joint in found for body in joint_bodies(joint)]
            authoring.selection.select_bones(context, bodies)
        else:
            authoring.selection.select_only(context, found)
        return {"FINISHED"}


def _selected_bones(context: bpy.types.Context) -> list[BodyBone]:
    """Return the selected bones of the active armature, which Pose Mode leaves selected."""
    active = context.object
    return [] if active is None or active.type != "ARMATURE" else selected_bones(active)[0]
