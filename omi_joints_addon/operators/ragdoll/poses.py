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
        for action in pose_assets(armature):
            with _animated_by(armature, action):
                found.append(_poses(context, armature))
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def pose_assets(armature: bpy.types.Object) -> list[bpy.types.Action]:
    """Return the actions of the file that are assets and pose bones of the armature."""
    names = map(bpy.utils.escape_identifier, present(armature.pose).bones.keys())
    paths = {f'pose.bones["{name}"]' for name in names}
    return [
        action
        for action in bpy.data.actions
        if action.asset_data is not None
        and any(
            curve.data_path.rpartition(".")[0] in paths
            for curve in scenes.animation.action_curves(action)
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
def _animated_by(armature: bpy.types.Object, action: bpy.types.Action) -> Iterator[None]:
    """Give an armature another action, and its own back afterwards."""
    data: Any = armature.animation_data or armature.animation_data_create()
    before = data.action, data.action_slot
    data.action = action
    if data.action_slot is None and len(action.slots):
        data.action_slot = action.slots[0]
    try:
        yield
    finally:
        data.action, slot = before[0], before[1]
        if slot is not None:
            data.action_slot = slot


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
