"""Keyed and driven numbers of joints as keys of glTF, from actions or evaluated frame by frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import bpy
import numpy as np

from ...core.model.pose import Array
from ...scene.joint_tracks import COLLISION, number_of

_MEMBERS = {
    "max_force": "maxForce",
    "position_target": "positionTarget",
    "velocity_target": "velocityTarget",
}
"""Members of the extensions that have another name than ours."""
_THIRD = 1e-3
"""How far, in parts of an interval, a Bezier handle may be from a third of it."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Values of one number over time."""

    frames: Array
    """(n,) increasing, in frames of the scene."""
    values: np.ndarray[Any, np.dtype[Any]]
    """(n,) or, of `CUBICSPLINE`, (n, 3): tangent in, value and tangent out, per frame."""
    interpolation: str
    """That of glTF: `LINEAR`, `STEP` or `CUBICSPLINE`."""


def part_of(path: str) -> str | None:
    """Return the part of a joint that a data path of its object changes, such as `/limits/0/max`.

    None for what the extensions have no pointer to.
    """
    found = number_of(path)
    if found is None:
        return None
    kind, number, member = found
    return f"/{kind}/{number}/{_MEMBERS.get(member, member)}" if kind else "/enableCollision"


def keys_of(curve: bpy.types.FCurve, first: float, last: float, step: int) -> Keys:
    """Return the keys of a curve between two frames: as they are where glTF can say them.

    Else the curve is sampled each `step` frames.
    """
    exact = _exact_keys(curve, first, last)
    if exact is not None:
        return exact
    whole: Any = curve.range()
    start, end = (float(np.clip(value, first, last)) for value in whole)
    frames = sampled_frames(start, end, step)
    return _keys(frames, np.array([curve.evaluate(frame) for frame in frames]), curve.data_path)


def _exact_keys(curve: bpy.types.FCurve, first: float, last: float) -> Keys | None:
    points = list[Any](curve.keyframe_points)
    is_inside = all(first <= point.co.x <= last for point in points)
    if not is_inside or any(not modifier.mute for modifier in curve.modifiers):
        return None
    frames, values = np.array([tuple(point.co) for point in points]).T
    kinds = {point.interpolation for point in points[:-1]}
    if curve.data_path == COLLISION:
        return Keys(frames, values > 0.5, "STEP")
    if kinds <= {"CONSTANT"} or kinds <= {"LINEAR"}:
        return Keys(frames, values, "STEP" if "CONSTANT" in kinds else "LINEAR")
    if kinds == {"BEZIER"} and all(_is_cubic(*pair) for pair in pairwise(points)):
        before, after = np.array([_slopes(point) for point in points]).T
        return Keys(frames, np.column_stack((before, values, after)), "CUBICSPLINE")
    return None


def _keys(frames: Array, values: Array, path: str) -> Keys:
    if path == COLLISION:
        return Keys(frames, values > 0.5, "STEP")
    return Keys(frames, values, "LINEAR")


def sampled_frames(first: float, last: float, step: int) -> Array:
    """Return frames from the first to the last one, both included."""
    frames = np.arange(first, last, max(1, step))
    return np.append(frames, last)


def evaluated_keys(
    scene: bpy.types.Scene, paths: Sequence[tuple[bpy.types.Object, str]], frames: Array
) -> list[Keys]:
    """Return the values of data paths of objects as Blender evaluates them at some frames."""
    values = np.empty((len(frames), len(paths)))
    current, fraction = scene.frame_current, scene.frame_subframe
    try:
        for row, frame in enumerate(frames):
            scene.frame_set(int(frame), subframe=float(frame - int(frame)))
            graph: Any = scene.view_layers[0].depsgraph
            for column, (obj, path) in enumerate(paths):
                values[row, column] = obj.evaluated_get(graph).path_resolve(path)
    finally:
        scene.frame_set(current, subframe=fraction)
    return [_keys(frames, column, path) for column, (_, path) in zip(values.T, paths, strict=True)]


def _is_cubic(before: Any, after: Any) -> bool:
    """Return whether a Bezier piece is a Hermite one: its handles at thirds of the time."""
    span = after.co.x - before.co.x
    ends = before.handle_right.x - before.co.x, after.co.x - after.handle_left.x
    return all(abs(3.0 * end - span) <= _THIRD * span for end in ends)


def _slopes(point: Any) -> list[float]:
    """Return the tangents at a key, per frame."""
    before, after = point.co - point.handle_left, point.handle_right - point.co
    return [end.y / end.x if end.x > 0.0 else 0.0 for end in (before, after)]
