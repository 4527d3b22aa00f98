"""The joint on the other side of a character, which edits of one side change alike.

Keys and drivers of the other joint stay: its limits and drives get values, they do not come or go.
"""

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.joint import JointSettings
from ..core.model.pose import Array, matrix_from_pose, pose_from_matrix
from ..core.rewrite.mirror import mirrored_frame, mirrored_settings, reflection_across
from ..properties.bones import BodyBone, world_matrix
from ..properties.joint import joint_data, settings_owner
from ..scene.structure import body_object_of
from .conditions import joints_of_bones, uneditable

_ALIKE = 1e-3
"""Largest difference of directions [rad] of frames that mirror each other."""


class Twin:
    """The joint whose frame mirrors that of another one."""

    def __init__(self, joint: bpy.types.Object, flip: int) -> None:
        """Take the object with its settings, and the axis that is flipped (`rewrite.mirror`)."""
        self.data, self._flip = joint_data(joint), flip
        self.start = self.data.settings_to_core()

    def follow(self, settings: JointSettings) -> None:
        """Take over settings of the other side, where both have as many limits and drives."""
        own, mirrored = self.data, mirrored_settings(settings, self._flip)
        if len(mirrored.limits) != len(own.limits) or len(mirrored.drives) != len(own.drives):
            return
        for limit, new_limit in zip(own.limits, mirrored.limits, strict=True):
            if limit.to_core() != new_limit:
                limit.from_core(new_limit)
        for drive, new_drive in zip(own.drives, mirrored.drives, strict=True):
            if drive.to_core() != new_drive:
                drive.from_core(new_drive)


def twin_of(context: bpy.types.Context, joint: bpy.types.Object) -> Twin | None:
    """Return the other side's joint in Pose Mode with X-Axis Mirror, None where there is none."""
    bone = body_object_of(joint)
    if context.mode != "POSE" or not isinstance(bone, BodyBone):
        return None
    armature: Any = bone.armature
    other = armature.pose.bones.get(bpy.utils.flip_name(bone.name))
    if not armature.pose.use_mirror_x or other is None or other.name == bone.name:
        return None
    reflection, frame = reflection_across(np.eye(4), 0), _at_rest(joint, bone)
    for each in joints_of_bones(context, [other]):
        owner, there = settings_owner(each), _at_rest(each, BodyBone(armature, other.name))
        if uneditable(owner) or owner == settings_owner(joint):
            continue
        for flip in range(3):
            turned = mirrored_frame(frame, reflection, flip)
            if np.abs(turned[:3, :3] - there[:3, :3]).max() < _ALIKE:
                return Twin(owner, flip)
    return None


def _at_rest(joint: bpy.types.Object, bone: BodyBone) -> Array:
    """Return a joint's frame (4, 4) in the armature's axes with its bone at rest."""
    own: Any = bone.pose_bone.bone
    matrix: Matrix = own.matrix_local @ world_matrix(bone).inverted_safe() @ world_matrix(joint)
    return matrix_from_pose(pose_from_matrix(np.array(matrix)))
