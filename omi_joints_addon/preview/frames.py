"""Look at other frames of a scene and leave no trace: unkeyed edits and subframes stay."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np

from ..core.model.pose import Array, Pose, pose_from_matrix, relative_pose


def world_matrices(
    scene: bpy.types.Scene, objects: Iterable[bpy.types.Object], frames: Iterable[float]
) -> Array:
    """Return the world matrices of objects at frames, shape (f, o, 4, 4)."""
    chosen = list(objects)
    found = []
    with unchanged(scene):
        for frame in frames:
            scene.frame_set(int(np.floor(frame)), subframe=frame % 1.0)
            found.append([np.array(obj.matrix_world) for obj in chosen])
    return np.array(found).reshape(-1, len(chosen), 4, 4)


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
    """Put the frame back afterwards, and every animated value that nobody keyed."""
    frame, subframe = scene.frame_current, scene.frame_subframe
    values = [(target, path, _value(target, path)) for target, path in _animated()]
    try:
        yield
    finally:
        scene.frame_set(frame, subframe=subframe)
        for target, path, value in values:
            if value is not None and _value(target, path) != value:
                _set(target, path, value)


def curves_of(data: Any) -> list[Any]:
    """Return the F-curves of the animation data of an ID, of slots and layers too."""
    if data is None or data.action is None:
        return []
    if hasattr(data.action, "layers") and data.action_slot is not None:
        strips = [strip for layer in data.action.layers for strip in layer.strips]
        bags = [strip.channelbag(data.action_slot) for strip in strips]
        return [curve for bag in bags if bag is not None for curve in bag.fcurves]
    return list(getattr(data.action, "fcurves", ()))


def _animated() -> Iterator[tuple[Any, str]]:
    """Yield the IDs of the file with the paths of their animated properties, each once."""
    seen: set[tuple[int, str]] = set()
    for target in bpy.data.user_map():
        data = getattr(target, "animation_data", None)
        if data is None:
            continue
        strips = [strip for track in data.nla_tracks for strip in track.strips]
        actions = [curve for strip in strips if strip.action for curve in _all_curves(strip.action)]
        for curve in (*curves_of(data), *actions):
            key = (target.session_uid, curve.data_path)
            if key not in seen:
                seen.add(key)
                yield target, curve.data_path


def _all_curves(action: Any) -> list[Any]:
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def _value(target: Any, path: str) -> Any:
    """Return a property's value as plain data, None where the path leads nowhere."""
    try:
        value = target.path_resolve(path)
    except ValueError:
        return None
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def _set(target: Any, path: str, value: Any) -> None:
    owner, _, name = path.rpartition(".")
    if path.endswith("]"):
        owner, _, name = path.rpartition("[")
        (target.path_resolve(owner) if owner else target)[name[1:-2]] = value
    else:
        setattr(target.path_resolve(owner) if owner else target, name, value)
