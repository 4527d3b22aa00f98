"""Keyed and driven numbers of joints as keys, from actions or evaluated frame by frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import bpy
import numpy as np

from ..core.findings.finding import Finding
from ..core.model.animation import MOTION, Interpolation, Track
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.rewrite.followed import is_used
from ..properties.bones import BodyBone, Node
from .animation import animated_paths, curves_of, is_evaluated, strips_of
from .body_tracks import body_tracks
from .joint_tracks import COLLISION, number_of, owned_joints
from .keyed_bodies import BodyValue, body_values
from .reading import nodes_of, scene_to_core

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

    @property
    def is_finite(self) -> bool:
        """Whether all are numbers, which expressions of drivers need not give."""
        return bool(np.isfinite(self.frames).all() and np.isfinite(self.values).all())


def moving_scene(
    scene: bpy.types.Scene, *, simulated: bpy.types.Depsgraph | None = None
) -> tuple[PhysicsScene, list[Finding]]:
    """Return what `scene_to_core` does, with all that changes over time of joints and bodies.

    Frame f is at f / rate seconds.
    """
    core, findings = scene_to_core(scene, simulated=simulated)
    rate = scene.render.fps / scene.render.fps_base
    objects = nodes_of(scene)
    tracks = keyed_tracks(scene, core, objects, rate=rate)
    bodies = *body_tracks(scene, core, objects), *_driven_bodies(scene, core, objects, rate)
    return replace(core, tracks=(*tracks, *bodies)), findings


def keyed_tracks(
    scene: bpy.types.Scene, core: PhysicsScene, objects: Sequence[Node], *, rate: float
) -> tuple[Track, ...]:
    """Return what changes over time of the joints of a scene, for a file: key for key.

    Curves are sampled each frame, as are drivers and strips, which only Blender can evaluate.
    `rate` are frames a second; node i of `core` is `objects[i]`.
    """
    found: list[Track] = []
    sampled: list[tuple[bpy.types.Object, tuple[int, ...], str]] = []
    for obj, joints, is_owner in owned_joints(core, objects):
        paths = [path for path in animated_paths(obj) if _is_written(core, joints, path, is_owner)]
        curves = {curve.data_path: curve for curve in _own_curves(obj)}
        for path in paths:
            if path in curves:
                found.append(_track(obj, joints, path, keys_of(curves[path]), rate))
            elif is_evaluated(obj, path):
                sampled.append((obj, joints, path))
    if sampled:
        frames = sampled_frames(scene.frame_start, scene.frame_end, 1)
        keys = evaluated_keys(scene, [(obj, path) for obj, _joints, path in sampled], frames)
        found += [_track(*each, own, rate) for each, own in zip(sampled, keys, strict=True)]
    return tuple(found)


def _driven_bodies(
    scene: bpy.types.Scene, core: PhysicsScene, objects: Sequence[Node], rate: float
) -> Iterator[Track]:
    """Yield what drivers and strips change of the motions of a scene, sampled each frame."""
    sampled: list[tuple[int, bpy.types.Object, BodyValue, int]] = []
    for node in core.motions:
        obj = objects[node]
        if isinstance(obj, BodyBone) or obj.animation_data is None:
            continue
        values = body_values(obj)
        for path in filter(values.__contains__, animated_paths(obj)):
            value = values[path]
            if value.is_of_motion and is_evaluated(obj, path):
                sampled += [(node, obj, value, part) for part in range(value.axes.width)]
    if not sampled:
        return
    frames = sampled_frames(scene.frame_start, scene.frame_end, 1)
    paths = [(obj, value.path_of(part)) for _node, obj, value, part in sampled]
    keys = evaluated_keys(scene, paths, frames)
    for (node, obj, value, part), own in zip(sampled, keys, strict=True):
        yield Track(
            body=node,
            kind=MOTION,
            number=part,
            member=value.path.rpartition(".")[2],
            seconds=own.frames / rate,
            values=own.values,
            place=obj.name,
        )


def _is_written(core: PhysicsScene, joints: tuple[int, ...], path: str, is_owner: bool) -> bool:
    """Return whether a data path changes what an object has of its joints, and they use."""
    target = number_of(path)
    if target is None or bool(target[0]) != is_owner:
        return False
    kind, number, member = target
    elements: Sequence[Any] = getattr(core.joints[joints[0]].settings, kind) if kind else ()
    return not kind or (number < len(elements) and is_used(elements[number], member))


def _own_curves(obj: bpy.types.Object) -> list[Any]:
    """Return the F-curves that alone decide about their values: where no strip is on top."""
    data = obj.animation_data
    if data is None or strips_of(obj):
        return []
    driven = {curve.data_path for curve in data.drivers}
    return [
        curve
        for curve in curves_of(data)
        if not curve.mute and len(curve.keyframe_points) and curve.data_path not in driven
    ]


def _track(
    obj: bpy.types.Object, joints: tuple[int, ...], path: str, keys: Keys, rate: float
) -> Track:
    target = number_of(path)
    assert target is not None
    kind, number, member = target
    is_cubic = keys.interpolation == Interpolation.CUBICSPLINE
    values = keys.values.astype(float)
    return Track(
        joints=joints,
        kind=kind,
        number=number,
        member=member,
        seconds=keys.frames / rate,
        values=values * [rate, 1.0, rate] if is_cubic else values,
        interpolation=Interpolation(keys.interpolation),
        place=obj.name,
    )


def keys_of(
    curve: bpy.types.FCurve, first: float = -np.inf, last: float = np.inf, step: int = 1
) -> Keys:
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
