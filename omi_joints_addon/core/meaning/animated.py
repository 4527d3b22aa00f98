"""Joints at a time: what is animated of them, and its values."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..model.animation import Track
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene

_BOUNDS = ("min", "max")


def animated_joints(scene: PhysicsScene) -> dict[int, list[Track]]:
    """Return the tracks of each joint that has some; of one number only the first counts."""
    found: dict[int, dict[tuple[str, int, str], Track]] = {}
    for track in scene.tracks:
        for joint in track.joints:
            key = track.kind, track.number, track.member
            found.setdefault(joint, {}).setdefault(key, track)
    return {joint: list(tracks.values()) for joint, tracks in found.items()}


def scene_at(scene: PhysicsScene, seconds: float, *, bounds: float | None = None) -> PhysicsScene:
    """Return the scene with the numbers of its joints as they are at a time [s].

    Bounds of limits may have a time of their own: what they push is there when they are.
    """
    joints = list(scene.joints)
    known: dict[tuple[int, tuple[int, ...]], JointSettings] = {}
    for number, tracks in animated_joints(scene).items():
        joint = joints[number]
        key = id(joint.settings), tuple(map(id, tracks))
        if key not in known:
            known[key] = settings_at(joint.settings, tracks, seconds, bounds=bounds)
        collides = [track.value_at(seconds) for track in tracks if not track.kind]
        joints[number] = replace(
            joint,
            settings=known[key],
            enable_collision=collides[0] > 0.5 if collides else joint.enable_collision,
        )
    return replace(scene, joints=tuple(joints))


def settings_at(
    settings: JointSettings, tracks: list[Track], seconds: float, *, bounds: float | None = None
) -> JointSettings:
    """Return joint settings as they are at a time [s]; tracks of parts that do not exist are void.

    `bounds` as in `scene_at`.
    """
    bounds = seconds if bounds is None else bounds
    parts: dict[str, tuple[Any, ...]] = {}
    for kind in ("limits", "drives"):
        elements: tuple[Any, ...] = getattr(settings, kind)
        parts[kind] = tuple(
            replace(element, **dict(_values(tracks, kind, number, seconds, bounds)))
            for number, element in enumerate(elements)
        )
    changes: Mapping[str, Any] = parts
    found = replace(settings, **changes)
    return settings if found == settings else found


def tracks_without(tracks: Sequence[Track], gone: Collection[int]) -> tuple[Track, ...]:
    """Return the tracks of the joints that are left where some are taken out of a scene."""
    before = [tuple(joint for joint in track.joints if joint not in gone) for track in tracks]
    return tuple(
        replace(track, joints=tuple(joint - sum(n < joint for n in gone) for joint in joints))
        for track, joints in zip(tracks, before, strict=True)
        if joints
    )


def _values(
    tracks: list[Track], kind: str, number: int, seconds: float, bounds: float
) -> Iterator[tuple[str, float]]:
    for track in tracks:
        if (track.kind, track.number) == (kind, number):
            yield track.member, track.value_at(bounds if track.member in _BOUNDS else seconds)
