"""Joints and bodies at a time: what is animated of them, and its values."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..model.animation import Track
from ..model.body import Motion
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene

_BOUNDS = ("min", "max")
_FORCE = "gravity_factor"
_OF_START = ("linear_velocity", "angular_velocity")


def animated_joints(scene: PhysicsScene) -> dict[int, list[Track]]:
    """Return the tracks of each joint that has some; of one number only the first counts."""
    found: dict[int, dict[tuple[str, int, str], Track]] = {}
    for track in scene.tracks:
        for joint in track.joints:
            key = track.kind, track.number, track.member
            found.setdefault(joint, {}).setdefault(key, track)
    return {joint: list(tracks.values()) for joint, tracks in found.items()}


def animated_motions(scene: PhysicsScene) -> dict[int, list[Track]]:
    """Return the tracks of each body that has some, by node; of one number the first counts."""
    found: dict[int, dict[tuple[str, int], Track]] = {}
    for track in scene.tracks:
        if track.body is not None and track.body in scene.motions:
            found.setdefault(track.body, {}).setdefault((track.member, track.number), track)
    return {body: list(tracks.values()) for body, tracks in found.items()}


def starts_only(scene: PhysicsScene) -> list[tuple[int, str]]:
    """Return what changes over time of dynamic bodies though it only counts at the start."""
    found = {
        (body, track.member)
        for body, tracks in animated_motions(scene).items()
        for track in tracks
        if scene.is_dynamic(body) and track.member in _OF_START
    }
    return sorted(found)


def scene_at(scene: PhysicsScene, seconds: float, *, end: float | None = None) -> PhysicsScene:
    """Return the scene with the numbers of its joints and bodies as they are at a time [s].

    In a step that begins then, bounds of limits are those at its `end`, where what they push is
    there when they are, and velocities those in its middle.
    """
    end = seconds if end is None else end
    joints = list(scene.joints)
    known: dict[tuple[int, tuple[int, ...]], JointSettings] = {}
    for number, tracks in animated_joints(scene).items():
        joint = joints[number]
        key = id(joint.settings), tuple(map(id, tracks))
        if key not in known:
            known[key] = settings_at(joint.settings, tracks, seconds, end=end)
        collides = [track.value_at(seconds) for track in tracks if not track.kind]
        joints[number] = replace(
            joint,
            settings=known[key],
            enable_collision=collides[0] > 0.5 if collides else joint.enable_collision,
        )
    moved = {
        body: _motion_at(scene.motions[body], tracks, seconds, 0.5 * (seconds + end))
        for body, tracks in animated_motions(scene).items()
    }
    motions = {**scene.motions, **moved} if moved else scene.motions
    return replace(scene, joints=tuple(joints), motions=motions)


def _motion_at(motion: Motion, tracks: list[Track], seconds: float, middle: float) -> Motion:
    changes: dict[str, Any] = {}
    for track in tracks:
        value: Any = track.value_at(middle if track.member in _OF_START else seconds)
        if track.member == _FORCE:
            # Forces of a step act from half a step before it: a jump counts from when it is.
            quarter = 0.5 * (middle - seconds)
            value = 0.5 * (track.value_at(seconds - quarter) + track.value_at(seconds + quarter))
        before = changes.get(track.member, getattr(motion, track.member))
        if isinstance(before, tuple):
            value = (*before[: track.number], value, *before[track.number + 1 :])
        changes[track.member] = value
    return replace(motion, **changes)


def settings_at(
    settings: JointSettings, tracks: list[Track], seconds: float, *, end: float | None = None
) -> JointSettings:
    """Return joint settings as they are at a time [s]; tracks of parts that do not exist are void.

    `end` as in `scene_at`.
    """
    end = seconds if end is None else end
    parts: dict[str, tuple[Any, ...]] = {}
    for kind in ("limits", "drives"):
        elements: tuple[Any, ...] = getattr(settings, kind)
        parts[kind] = tuple(
            replace(element, **dict(_values(tracks, kind, number, seconds, end)))
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
        if joints or track.body is not None
    )


def _values(
    tracks: list[Track], kind: str, number: int, seconds: float, end: float
) -> Iterator[tuple[str, float]]:
    for track in tracks:
        if (track.kind, track.number) == (kind, number):
            yield track.member, track.value_at(end if track.member in _BOUNDS else seconds)
