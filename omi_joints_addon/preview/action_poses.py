"""Poses that a rig has in all of its actions; its own pose and action are put back afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np

from ..authoring.conditions import uneditable
from ..authoring.context import present
from ..core.meaning.freedom import fitted_limits
from ..core.model.axes import remaining_axis
from ..core.model.joint import JointLimit
from ..core.model.pose import Pose
from ..properties.bones import BodyBone
from ..properties.joint import joint_data
from ..scene.animation import action_curves
from ..scene.structure import body_object_of
from ..scene.watch import WATCH
from .frames import relative_poses, unchanged

_QUICK = 240
"""Frames that are looked at where somebody waits."""
_TRANSFORMS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def actions_of_rig(actions: "bpy.types.BlendDataActions", rig: bpy.types.Object) -> list[Any]:
    """Return the actions that animate bones of a rig, but for those that only others play."""
    names = {f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"]' for bone in _bones(rig)}

    def is_of_rig(action: bpy.types.Action) -> bool:
        users = [user for slot in action.slots for user in slot.users()]
        curves = action_curves(action)
        is_of_bones = any(curve.data_path.rpartition(".")[0] in names for curve in curves)
        return is_of_bones and (not users or rig in users)

    return list(filter(is_of_rig, actions))


def poses_in_actions(
    context: bpy.types.Context, joint: bpy.types.Object, *, most: int | None = None
) -> Pose | None:
    """Return the pose of the connected frame in the joint's frame in all actions of its rig.

    Of each frame, or of about `most` in all. None where no action animates the rig.
    """
    scene, body = present(context.scene), body_object_of(joint)
    if not isinstance(body, BodyBone) or uneditable(body.armature) is not None:
        return None
    actions = actions_of_rig(present(context.blend_data).actions, body.armature)
    connected = present(joint_data(joint).connected_object)
    found = []
    with unchanged(scene), _own_pose(body.armature) as data:
        for action in actions:
            data.action, data.use_nla = action, False
            if data.action_slot is None and data.action_suitable_slots:
                data.action_slot = data.action_suitable_slots[0]
            first, last = action.frame_range
            frames = np.unique(np.append(np.arange(first, last), last))
            if most is not None and len(frames) * len(actions) > most:
                frames = np.linspace(first, last, max(2, most // len(actions)))
            found.append(relative_poses(scene, joint, connected, frames.tolist()))
    if not found:
        return None
    return Pose(
        np.concatenate([each.position for each in found]),
        np.concatenate([each.rotation for each in found]),
    )


def used_limits(context: bpy.types.Context, joint: bpy.types.Object) -> tuple[JointLimit, ...]:
    """Return the limits that hold what the actions of a joint's rig use, none where it has none.

    As quick as a drag begins: of many frames only some count.
    """
    if WATCH.is_showing or joint_data(joint).connected_object is None:
        return ()
    poses = poses_in_actions(context, joint, most=_QUICK)
    limits = joint_data(joint).settings_to_core().limits
    pairs = [each.angular_axes for each in limits if not each.is_locked]
    cones = [remaining_axis(axes) for axes in pairs if len(axes) == 2]
    return () if poses is None else fitted_limits(poses, cone_axis=next(iter(cones), None))


@contextmanager
def _own_pose(rig: bpy.types.Object) -> Iterator[Any]:
    """Put the action and the pose of a rig back afterwards; give its animation data."""
    had_data, data = rig.animation_data is not None, rig.animation_data_create()
    before = (data.action, data.action_slot, data.use_nla)
    values = [
        (bone, name, tuple(getattr(bone, name))) for bone in _bones(rig) for name in _TRANSFORMS
    ]
    try:
        yield data
    finally:
        data.action, data.use_nla = before[0], before[2]
        if before[0] is not None and before[1] is not None:
            data.action_slot = before[1]
        if not had_data:
            rig.animation_data_clear()
        for bone, name, value in values:
            setattr(bone, name, value)


def _bones(rig: bpy.types.Object) -> list[Any]:
    return [] if rig.pose is None else list(rig.pose.bones)
