"""Poses of an armature in its animation, or in the pose library of its file."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from ... import preview
from ... import scene as scenes
from ...authoring.context import present
from ...properties.bones import BodyBone
from ...scene.structure import followers_of

if TYPE_CHECKING:
    from ...core.model.pose import Array


def animated_poses(context: bpy.types.Context, armature: bpy.types.Object) -> "dict[str, Array]":
    """Return the world matrices (f, 4, 4) of bones by name at the frames of their action."""
    with _let_go(armature):
        return _poses(context, armature)


def library_poses(context: bpy.types.Context, armature: bpy.types.Object) -> "dict[str, Array]":
    """Return the world matrices (f, 4, 4) of bones by name in the poses that are assets."""
    import numpy as np

    found = []
    with _let_go(armature):
        for asset in pose_assets(armature):
            with _animated_by(armature, *asset):
                found.append(_poses(context, armature))
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def pose_assets(
    armature: bpy.types.Object,
) -> list[tuple[bpy.types.Action, bpy.types.ActionSlot]]:
    """Return the slots of actions that are assets of the file and pose bones of the armature."""
    names = map(bpy.utils.escape_identifier, present(armature.pose).bones.keys())
    paths = {f'pose.bones["{name}"]' for name in names}
    return [
        (action, slot)
        for action in bpy.data.actions
        for slot in (() if action.asset_data is None else action.slots)
        if any(
            curve.data_path.rpartition(".")[0] in paths
            for curve in scenes.animation.curves_in(action, slot)
        )
    ]


def _poses(context: bpy.types.Context, armature: bpy.types.Object) -> "dict[str, Array]":
    places = [
        float(key.co.x)
        for c in scenes.animation.curves_of(armature.animation_data)
        for key in c.keyframe_points
    ]
    frames = range(math.floor(min(places)), math.ceil(max(places)) + 1)
    bones = [BodyBone(armature, bone.name) for bone in present(armature.pose).bones]
    found = preview.frames.world_matrices(present(context.scene), bones, map(float, frames))
    return {bone.name: found[:, number] for number, bone in enumerate(bones)}


@contextmanager
def _animated_by(
    armature: bpy.types.Object, action: bpy.types.Action, slot: bpy.types.ActionSlot
) -> Iterator[None]:
    """Give an armature another action, and its own back afterwards."""
    data: Any = armature.animation_data or armature.animation_data_create()
    before = data.action, data.action_slot
    data.action, data.action_slot = action, slot
    try:
        yield
    finally:
        data.action, own = before
        if own is not None:
            data.action_slot = own


@contextmanager
def _let_go(armature: bpy.types.Object) -> Iterator[None]:
    """Mute what has bones follow bodies beside the skeleton."""
    following = [each.constraint for each in followers_of(armature).values()]
    muted = [each.mute for each in following]
    for each in following:
        each.mute = True
    try:
        yield
    finally:
        for each, is_muted in zip(following, muted, strict=True):
            each.mute = is_muted
