"""Keyed numbers of joints as tracks over the frames of a scene, as their F-curves say.

Drivers and strips are not among them: only Blender can evaluate these, frame by frame.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np

from ..core.model.animation import ENABLE_COLLISION, LENGTHS, MEMBERS, Track
from ..core.model.scene import PhysicsScene
from ..core.rewrite.followed import is_used
from ..properties.bones import BodyBone, Node
from ..properties.joint import settings_owner
from .animation import curves_of

PREFIX = "omi_joint."
COLLISION = f"{PREFIX}enable_collision"
_PATH = re.compile(r"omi_joint\.(limits|drives)\[(\d+)\]\.(\w+)")
_UNITS = ("", "_distance", "_angle")
_MEMBERS = {
    kind: {
        f"{name}{unit}": name for name in names for unit in (_UNITS if name in LENGTHS else ("",))
    }
    for kind, names in MEMBERS.items()
}
"""Members of `JointLimit` and `JointDrive` that may change over time, by properties."""
_PARTS = 2
"""Values of a curve in each frame."""


def number_of(path: str) -> tuple[str, int, str] | None:
    """Return kind, number and member of what a data path of a joint changes, as in `Track`.

    None for what may not change over time.
    """
    if path == COLLISION:
        return "", 0, ENABLE_COLLISION
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    kind, number, name = match.groups()
    member = _MEMBERS[kind].get(name)
    return None if member is None else (kind, int(number), member)


def joint_tracks(
    scene: bpy.types.Scene, core: PhysicsScene, objects: Sequence[Node]
) -> tuple[Track, ...]:
    """Return what F-curves change of the joints of a scene; frame f is at f / rate seconds.

    Node i of `core` is `objects[i]`.
    """
    return tuple(
        track
        for obj, joints, is_owner in owned_joints(core, objects)
        for track in _tracks(scene, core, obj, joints, is_owner=is_owner)
    )


def owned_joints(
    core: PhysicsScene, objects: Sequence[Node]
) -> Iterator[tuple[bpy.types.Object, tuple[int, ...], bool]]:
    """Yield objects that something animates, with the joints whose numbers they have.

    True for one with what its joints share, False for what a joint has of its own.
    """
    sharing: dict[bpy.types.Object, list[int]] = {}
    for number, joint in enumerate(core.joints):
        obj = objects[joint.node]
        if isinstance(obj, BodyBone):
            continue
        sharing.setdefault(settings_owner(obj), []).append(number)
        if obj.animation_data is not None:
            yield obj, (number,), False
    for owner, joints in sharing.items():
        if owner.animation_data is not None:
            yield owner, tuple(joints), True


def _tracks(
    scene: bpy.types.Scene,
    core: PhysicsScene,
    obj: bpy.types.Object,
    joints: tuple[int, ...],
    *,
    is_owner: bool,
) -> Iterator[Track]:
    """Yield the tracks of an object: of what its joints share, or of its own."""
    data: Any = obj.animation_data
    settings = core.joints[joints[0]].settings
    for curve in curves_of(data):
        target = None if curve.mute else number_of(curve.data_path)
        if target is None or bool(target[0]) != is_owner:
            continue
        kind, number, member = target
        elements: Sequence[Any] = getattr(settings, kind) if kind else ()
        if kind and not (number < len(elements) and is_used(elements[number], member)):
            continue
        frames = frames_of(scene, curve)
        yield Track(
            joints=joints,
            kind=kind,
            number=number,
            member=member,
            seconds=frames * (scene.render.fps_base / scene.render.fps),
            values=np.array([curve.evaluate(frame) for frame in frames]),
            animation=data.action.name,
            place=obj.name,
        )


def frames_of(scene: bpy.types.Scene, curve: Any) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return the frames of the scene at which a curve is evaluated, and those of its keys."""
    first, last = curve.range()
    first, last = min(first, scene.frame_start), max(last, scene.frame_end)
    keys = [point.co.x for point in curve.keyframe_points]
    return np.union1d(np.arange(_PARTS * first, _PARTS * last + 1) / _PARTS, keys)
