"""Poses of an armature in its animation."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

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
    places = [
        float(key.co.x)
        for c in scenes.animation.curves_of(armature.animation_data)
        for key in c.keyframe_points
    ]
    frames = range(math.floor(min(places)), math.ceil(max(places)) + 1)
    bones = [BodyBone(armature, bone.name) for bone in present(armature.pose).bones]
    with _let_go(armature):
        found = preview.frames.world_matrices(present(context.scene), bones, map(float, frames))
    return {bone.name: found[:, number] for number, bone in enumerate(bones)}


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
