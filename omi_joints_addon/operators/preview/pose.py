"""Operators of named poses: store what is posed, go to a pose, remove one."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ... import preview as previews
from ...authoring.conditions import Explained
from ...authoring.context import present
from ...classes import OperatorResult
from ...preview.session import running
from ...properties.named_poses import poses_of
from ...properties.pose import pose_of


def not_posing(_context: bpy.types.Context) -> str | None:
    """Return why no mechanism is posed."""
    is_posing = isinstance(running(), previews.mechanism.PosePreview)
    return None if is_posing else "Start Pose Mechanism first"


def no_pose(context: bpy.types.Context) -> str | None:
    """Return why there is no pose to work on."""
    scene = context.scene
    if scene is None or poses_of(scene).active is None:
        return "No pose is selected; store one with +"
    return None


class OMI_OT_preview_pose_store(Explained, bpy.types.Operator):
    """Store the positions of all joints that are posed under a name"""

    bl_idname = "omi.preview_pose_store"
    bl_label = "Store Pose"
    bl_options = {"UNDO"}
    conditions = (not_posing,)

    if TYPE_CHECKING:
        name: str
    else:
        name: StringProperty(
            name="Name",
            description="Name of the pose; a number is added where another one has it",
            default="pose",
        )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview = running()
        if not isinstance(preview, previews.mechanism.PosePreview):
            return {"CANCELLED"}
        poses_of(present(context.scene)).add(self.name or "pose", preview.positions())
        return {"FINISHED"}


class OMI_OT_preview_pose_apply(Explained, bpy.types.Operator):
    """Move joints to the selected pose, or as far toward it as Blend says"""

    bl_idname = "omi.preview_pose_apply"
    bl_label = "Apply Pose"
    bl_options = set()
    conditions = (not_posing, no_pose)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview, pose = running(), poses_of(present(context.scene)).active
        if pose is None or not isinstance(preview, previews.mechanism.PosePreview):
            return {"CANCELLED"}
        preview.ask(dict(pose.found()), blend=pose_of(context).blend)
        return {"FINISHED"}


class OMI_OT_preview_pose_remove(Explained, bpy.types.Operator):
    """Remove the selected pose; joints stay where they are"""

    bl_idname = "omi.preview_pose_remove"
    bl_label = "Remove Pose"
    conditions = (no_pose,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        poses = poses_of(present(context.scene))
        poses.poses.remove(poses.active_index)
        poses.active_index = max(0, min(poses.active_index, len(poses.poses) - 1))
        return {"FINISHED"}


CLASSES = (
    OMI_OT_preview_pose_store,
    OMI_OT_preview_pose_apply,
    OMI_OT_preview_pose_remove,
)
