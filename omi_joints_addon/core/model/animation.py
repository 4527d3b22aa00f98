"""Numbers of joints that change over time, as glTF's animations say them. SI units and radians."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from .joint import JointSettings
from .pose import Array

if TYPE_CHECKING:
    from .scene import PhysicsScene

ENABLE_COLLISION = "enable_collision"
"""Member of a track that turns the collision of a joint's bodies on and off."""


class Interpolation(StrEnum):
    """How values between two keys follow from them; the names are those of glTF."""

    LINEAR = "LINEAR"
    STEP = "STEP"
    CUBICSPLINE = "CUBICSPLINE"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """One number of joints over time; before its first key and after its last one it stays."""

    joints: tuple[int, ...]
    """Numbers of the joints in the scene, which share the settings."""
    kind: str = ""
    """`limits`, `drives`, or empty for `ENABLE_COLLISION`."""
    number: int = 0
    """Number of the limit or drive in its settings."""
    member: str
    """Name of the number in `JointLimit` or `JointDrive`."""
    seconds: Array
    """Times of the keys [s], ascending, shape (n,)."""
    values: Array
    """Shape (n,); of `CUBICSPLINE` (n, 3): tangent in per second, value, tangent out."""
    interpolation: Interpolation = Interpolation.LINEAR
    animation: str = ""
    """Name of the animation that it is in."""
    place: str = ""
    """Where findings about it point."""

    def value_at(self, seconds: float) -> float:
        """Return the value at a time (glTF 2.0, appendix C)."""
        times, heights = self.seconds, self.values.reshape(len(self.seconds), -1)
        middle = heights[:, heights.shape[1] // 2]
        after = int(np.searchsorted(times, seconds, side="right"))
        if after == 0 or after == len(times) or self.interpolation == Interpolation.STEP:
            return float(middle[max(0, after - 1)])
        span = times[after] - times[after - 1]
        part = (seconds - times[after - 1]) / span
        first, last = middle[after - 1], middle[after]
        if self.interpolation == Interpolation.LINEAR:
            return float(first + part * (last - first))
        out, back = span * heights[after - 1, 2], span * heights[after, 0]
        rest = 1.0 - part
        return float(
            rest**2 * ((1.0 + 2.0 * part) * first + part * out)
            + part**2 * ((3.0 - 2.0 * part) * last - rest * back)
        )


def animated_joints(scene: "PhysicsScene") -> dict[int, list[Track]]:
    """Return the tracks of each joint that has some; of one number only the first counts."""
    found: dict[int, dict[tuple[str, int, str], Track]] = {}
    for track in scene.tracks:
        for joint in track.joints:
            key = track.kind, track.number, track.member
            found.setdefault(joint, {}).setdefault(key, track)
    return {joint: list(tracks.values()) for joint, tracks in found.items()}


def scene_at(scene: "PhysicsScene", seconds: float) -> "PhysicsScene":
    """Return the scene with the numbers of its joints as they are at a time."""
    joints = list(scene.joints)
    known: dict[tuple[int, tuple[int, ...]], JointSettings] = {}
    for number, tracks in animated_joints(scene).items():
        joint = joints[number]
        key = id(joint.settings), tuple(map(id, tracks))
        if key not in known:
            known[key] = settings_at(joint.settings, tracks, seconds)
        collides = [track.value_at(seconds) for track in tracks if not track.kind]
        joints[number] = replace(
            joint,
            settings=known[key],
            enable_collision=collides[0] > 0.5 if collides else joint.enable_collision,
        )
    return replace(scene, joints=tuple(joints))


def settings_at(settings: JointSettings, tracks: list[Track], seconds: float) -> JointSettings:
    """Return joint settings as they are at a time; tracks of parts that do not exist are void."""
    parts: dict[str, tuple[Any, ...]] = {}
    for kind in ("limits", "drives"):
        elements: tuple[Any, ...] = getattr(settings, kind)
        parts[kind] = tuple(
            replace(element, **dict(_values(tracks, kind, number, seconds)))
            for number, element in enumerate(elements)
        )
    changes: Mapping[str, Any] = parts
    found = replace(settings, **changes)
    return settings if found == settings else found


def _values(
    tracks: list[Track], kind: str, number: int, seconds: float
) -> Iterator[tuple[str, float]]:
    for track in tracks:
        if (track.kind, track.number) == (kind, number):
            yield track.member, track.value_at(seconds)
