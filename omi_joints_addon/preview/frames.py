"""Look at other frames of a scene and leave no trace: unkeyed edits and subframes stay."""

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np

from ..core.model.pose import Array, Pose, pose_from_matrix, relative_pose
from ..properties.bones import Node, world_matrix
from ..scene.animation import action_curves, curves_of

_LAST = re.compile(r'\["(?P<custom>(?:[^"\\]|\\.)*)"\]$|(?:^|\.)(?P<name>\w+)$')
"""The last property of a path."""
_ROTATION_MODE = "rotation_mode"
_ROTATIONS = ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")


def world_matrices(
    scene: bpy.types.Scene, objects: Iterable[Node], frames: Iterable[float]
) -> Array:
    """Return the world matrices of objects at frames, shape (f, o, 4, 4)."""
    chosen = list(objects)
    found = [[np.array(world_matrix(obj)) for obj in chosen] for _ in visited(scene, frames)]
    return np.array(found).reshape(-1, len(chosen), 4, 4)


def visited(scene: bpy.types.Scene, frames: Iterable[float]) -> Iterator[float]:
    """Yield frames one after the other, at which the scene is, and put it back afterwards."""
    with unchanged(scene):
        for frame in frames:
            scene.frame_set(math.floor(frame), subframe=frame % 1.0)
            yield frame


def relative_poses(
    scene: bpy.types.Scene,
    joint: bpy.types.Object,
    connected: bpy.types.Object,
    frames: Iterable[float],
) -> Pose:
    """Return the pose of the connected frame in the joint's frame at each of some frames."""
    found = world_matrices(scene, (joint, connected), frames)
    return relative_pose(pose_from_matrix(found[:, 0]), pose_from_matrix(found[:, 1]))


@contextmanager
def unchanged(scene: bpy.types.Scene) -> Iterator[None]:
    """Put the frame and the camera back afterwards, and every animated value that nobody keyed."""
    # Before frame 0 the subframe that Blender keeps is negative.
    frame, camera = scene.frame_current + scene.frame_subframe, scene.camera
    values = [(owner, path, _value(owner, path)) for owner, path in _animated()]
    # To change a mode of rotation converts the rotation, so that comes first.
    values.sort(key=lambda each: not each[1].endswith(_ROTATION_MODE))
    try:
        yield
    finally:
        scene.frame_set(math.floor(frame), subframe=frame % 1.0)
        if scene.camera != camera:
            # Markers choose one at some frames.
            scene.camera = camera
        for owner, path, value in values:
            # Texts distinguishes zeros of different signs.
            if value is not None and repr(_value(owner, path)) != repr(value):
                _set(owner, path, value)


def _animated() -> Iterator[tuple[Any, str]]:
    """Yield what has animated properties in the file with the path of each, once."""
    for target in bpy.data.user_map():
        yield from _animated_of(target)
        tree = getattr(target, "node_tree", None)
        if tree is not None and tree.is_embedded_data:
            yield from _animated_of(tree)


def _animated_of(target: Any) -> Iterator[tuple[Any, str]]:
    """Yield an ID, and NLA strips that are animated themselves, with the paths of properties."""
    data = getattr(target, "animation_data", None)
    if data is None:
        return
    strips = [each for track in data.nla_tracks for strip in track.strips for each in _below(strip)]
    actions = [curve for strip in strips for curve in action_curves(strip.action)]
    paths = {curve.data_path for curve in (*curves_of(data), *actions)}
    for path in paths:
        yield target, path
        if path.endswith(_ROTATION_MODE):
            above = path.removesuffix(_ROTATION_MODE)
            yield from ((target, above + name) for name in _ROTATIONS if above + name not in paths)
    for strip in strips:
        yield from ((strip, curve.data_path) for curve in strip.fcurves)


def _below(strip: bpy.types.NlaStrip) -> Iterator[bpy.types.NlaStrip]:
    """Yield a strip and those that a meta strip holds."""
    yield strip
    for each in strip.strips:
        yield from _below(each)


def _value(target: Any, path: str) -> Any:
    """Return a property's value as plain data, None where the path leads nowhere."""
    try:
        owner, name, is_custom = _place(target, path)
        # Resolved by its path, a custom property has single precision.
        return _plain(owner[name] if is_custom else getattr(owner, name))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _plain(value: Any) -> Any:
    """Return a copy of a value that does not change with its property."""
    is_array = hasattr(value, "__len__") and not isinstance(value, str | bytes | set)
    return [_plain(each) for each in value] if is_array else value


def _set(target: Any, path: str, value: Any) -> None:
    owner, name, is_custom = _place(target, path)
    if is_custom:
        owner[name] = value
    else:
        setattr(owner, name, value)


def _place(target: Any, path: str) -> tuple[Any, str, bool]:
    """Return what a path's property belongs to, its name, and whether it is a custom one.

    Raises `ValueError` where the path leads nowhere.
    """
    found = _LAST.search(path)
    if found is None:
        raise ValueError(path)
    owner = target.path_resolve(path[: found.start()]) if found.start() else target
    custom, name = found["custom"], found["name"]
    return (owner, name, False) if name else (owner, bpy.utils.unescape_identifier(custom), True)
