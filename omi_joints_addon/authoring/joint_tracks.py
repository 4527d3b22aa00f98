"""What changes over time of joints as F-curves of their objects."""

from collections.abc import Iterable, Mapping
from typing import Any

import bpy
import numpy as np

from ..core.model.animation import LENGTHS, Interpolation, Track
from ..core.model.pose import Array
from ..properties.joint import joint_data, settings_owner
from ..scene.joint_tracks import COLLISION, PREFIX

_BLENDERS: Any = bpy.types.Keyframe.bl_rna.properties["interpolation"]
KEY_KINDS: dict[str, int] = {
    each: _BLENDERS.enum_items[name].value
    for each, name in (
        (Interpolation.LINEAR, "LINEAR"),
        (Interpolation.STEP, "CONSTANT"),
        (Interpolation.CUBICSPLINE, "BEZIER"),
    )
}
"""Kinds of keyframes in Blender by those of tracks."""


def key_tracks(
    joints: Mapping[int, bpy.types.Object], tracks: Iterable[Track], *, rate: float
) -> None:
    """Key the numbers of joints, `rate` frames a second from frame 0.

    `joints` are the objects of the joints that tracks name by number, in the lengths of the scene.
    Of one number the first track counts.
    """
    seen = set[tuple[bpy.types.Object, str]]()
    for track in tracks:
        for number in track.joints:
            obj = settings_owner(joints[number]) if track.kind else joints[number]
            path = path_of(obj, track.kind, track.number, track.member)
            if path is None or (obj, path) in seen:
                continue
            seen.add((obj, path))
            curve = _curve(obj, path)
            set_keys(curve, track.seconds * rate, track.values, track.interpolation, rate)


def key_target(obj: bpy.types.Object, drive: int, frames: Array, values: Array) -> None:
    """Have the position target of a drive follow values at frames, in place of its keys."""
    path = path_of(obj, "drives", drive, "position_target")
    if path is not None:
        set_keys(_curve(obj, path), frames, values)


def path_of(obj: bpy.types.Object, kind: str, number: int, member: str) -> str | None:
    """Return the data path of the number that a `Track` changes, None where there is none.

    Lengths and angles have the properties that the panels show, in the user's unit.
    """
    if not kind:
        return COLLISION
    elements = getattr(joint_data(obj), kind)
    if number >= len(elements):
        return None
    element = elements[number]
    is_angle = any(element.angular_axes) if kind == "limits" else element.type == "ANGULAR"
    unit = ("_angle" if is_angle else "_distance") if member in LENGTHS else ""
    _use(element, member)
    return f"{PREFIX}{kind}[{number}].{member}{unit}"


def _use(element: Any, member: str) -> None:
    """Switch on what a limit or drive has only where it is used."""
    if hasattr(element, f"use_{member}"):
        setattr(element, f"use_{member}", True)


def _curve(obj: bpy.types.Object, path: str) -> bpy.types.FCurve:
    data: Any = obj.animation_data or obj.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new(obj.name)
    found: bpy.types.FCurve = data.action.fcurve_ensure_for_datablock(obj, path)
    return found


def set_keys(
    curve: bpy.types.FCurve,
    frames: Array,
    values: Array,
    interpolation: str = Interpolation.LINEAR,
    rate: float = 1.0,
) -> None:
    """Give a curve keys, and no others: `values` are those of a `Track`, `rate` frames a second."""
    is_cubic = interpolation == Interpolation.CUBICSPLINE
    heights = values[:, 1] if is_cubic else values
    points = curve.keyframe_points
    points.clear()
    points.add(len(frames))
    points.foreach_set("co", np.column_stack((frames, heights)).reshape(-1).astype(np.float32))
    kind = KEY_KINDS.get(interpolation, KEY_KINDS[Interpolation.LINEAR])
    points.foreach_set("interpolation", np.full(len(frames), kind, np.int32))
    if is_cubic:
        _set_handles(points, frames, values / rate)
    curve.update()


def _set_handles(points: Any, frames: Array, values: Array) -> None:
    """Set the handles of keys to a third of the time, with the tangents per frame in `values`."""
    spans = np.diff(frames) / 3.0
    before, after = np.append(spans[:1], spans), np.append(spans, spans[-1:])
    for point, left, right, (slope_in, _, slope_out) in zip(
        points, before, after, values, strict=True
    ):
        point.handle_left_type = point.handle_right_type = "FREE"
        point.handle_left = point.co.x - left, point.co.y - left * slope_in
        point.handle_right = point.co.x + right, point.co.y + right * slope_out
