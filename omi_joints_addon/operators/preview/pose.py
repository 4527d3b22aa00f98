"""Operators of named poses: store what is posed, go to a pose, remove one."""

from dataclasses import replace

import bpy

from ... import preview as previews
from ... import scene as scenes
from ...authoring.conditions import Explained, no_joint_in_scene
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import meaning
from ...declared import StringProperty
from ...preview.session import running
from ...properties.joint_position import position_values
from ...properties.named_poses import poses_of
from ...properties.pose import pose_of
from ...scene.watch import shown_scene
from ...translation import refused, report


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
    """Store where joints with one axis are now, as posed or as a preview shows them"""

    bl_idname = "omi.preview_pose_store"
    bl_label = "Store Pose"
    bl_options = {"UNDO"}
    conditions = (no_joint_in_scene,)

    name = StringProperty(
        name="Name",
        description="Name of the pose; a number is added where another one has it",
        default="pose",
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview, scene = running(), present(context.scene)
        if isinstance(preview, previews.mechanism.PosePreview):
            positions = preview.positions()
        else:
            positions = _positions_now(scene)
        if not positions:
            return refused(self, "WARNING", "No joint of the scene has exactly one free axis")
        poses_of(scene).add(self.name or "pose", positions)
        return {"FINISHED"}


def _positions_now(scene: bpy.types.Scene) -> dict[bpy.types.Object, float]:
    """Return where joints with one axis are [m or rad], as a preview shows them if one runs."""
    live = shown_scene(scene)
    core = scenes.partial.live_to_core(live)
    core = replace(core, matrices=live.shown.poses)
    found = meaning.posing.positions_by_joint(core)
    nodes = {number: core.joints[number].node for number in found}
    return {live.nodes.object_at(nodes[n]): at for n, (at, _is_angle) in found.items()}


class OMI_OT_preview_pose_apply(Explained, bpy.types.Operator):
    """Move joints to the selected pose, or toward it by the part that Blend gives"""

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


class OMI_OT_preview_positions_key(Explained, bpy.types.Operator):
    """Key the positions of all joints that are posed at the present frame, for bodies to follow"""

    bl_idname = "omi.preview_positions_key"
    bl_label = "Key Positions"
    bl_options = set()
    conditions = (not_posing,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview, frame = running(), present(context.scene).frame_current
        if not isinstance(preview, previews.mechanism.PosePreview):
            return {"CANCELLED"}
        rows = [row for row in preview.shown_values() if row[0].is_editable]
        for joint, number, value in rows:
            values = position_values(joint)
            values.note(number, value)
            name = "along" if number < 3 else "about"
            values.keyframe_insert(name, index=number % 3, frame=frame)
        if not rows:
            return refused(self, "WARNING", "Joints of a library are keyed as library overrides")
        report(
            self,
            "INFO",
            "{count} positions have keys at frame {frame}",
            count=len(rows),
            frame=frame,
        )
        return {"FINISHED"}
