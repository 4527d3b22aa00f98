"""What changes over time of joints, as time samples of their prims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.findings.loss import How, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.animated import settings_at
from ....core.model.animation import Interpolation, Track
from ....core.model.joint import JointSettings
from ....core.model.pose import Array
from ....core.model.scene import Joint
from .joint_prims import JointPrim, joint_prim
from .prim import Prim
from .time_samples import HELD_UNTIL, stepped
from .units import Units

_HALF_TURN = 180.0
COLLIDE = "physics:collisionEnabled"


def extent_of(settings: JointSettings, tracks: Sequence[Track], rate: float) -> JointSettings:
    """Return settings with the widest ranges and strongest drives that there are at some time."""
    for track in tracks:
        if track.kind:
            heights = [track.value_at(seconds) for seconds in _seconds(track, rate).tolist()]
            settings = _with(settings, track, (min if track.member == "min" else max)(heights))
    return settings


def animated_joint_prim(
    joint: Joint,
    tracks: Sequence[Track],
    units: Units,
    rate: float,
    *,
    is_swapped: bool,
    is_turned: bool = True,
) -> JointPrim:
    """Return what a joint prim says of a joint that changes over time, with its time samples.

    `rate` are time codes per second. Raises `SwapError` as `joint_prim` does.
    """
    writing = _AnimatedJoint(joint, tracks, units, rate, is_swapped, is_turned)
    return writing.written()


@dataclass(eq=False)
class _AnimatedJoint:
    joint: Joint
    tracks: Sequence[Track]
    units: Units
    rate: float
    is_swapped: bool
    is_turned: bool

    def written(self) -> JointPrim:
        """Return the prim with the samples of every attribute that changes."""
        self._extent = extent_of(self.joint.settings, self.tracks, self.rate)
        found = self._at(self.joint.settings)
        found = replace(found, prim=found.prim.copied(""))
        changing: dict[str, list[Track]] = {}
        losses: list[tuple[str, How, str]] = []
        for track in self.tracks:
            names = self._changed_by(track)
            for name in names:
                changing.setdefault(name, []).append(track)
            losses += _losses(track, is_written=bool(names), rate=self.rate)
        known: dict[float, Prim] = {}
        for name, tracks in changing.items():
            self._sample(found.prim, name, tracks, known)
        return replace(found, losses=(*found.losses, *losses))

    def _at(self, settings: JointSettings) -> JointPrim:
        return joint_prim(
            settings,
            self.joint.attributes,
            self.units,
            extent=self._extent,
            is_swapped=self.is_swapped,
            is_turned=self.is_turned,
        )

    def _changed_by(self, track: Track) -> list[str]:
        if not track.kind:
            return [COLLIDE]
        highest = float(track.values.reshape(len(track.seconds), -1).max())
        ones, others = (
            self._at(_with(self._extent, track, value)).prim.attributes
            for value in (highest, 0.5 * highest if highest else 0.125)
        )
        return [name for name in ones if ones[name] != others.get(name)]

    def _sample(
        self, prim: Prim, name: str, tracks: Sequence[Track], known: dict[float, Prim]
    ) -> None:
        """Give an attribute its samples; at times at which it has no value it has none."""
        is_stepped = all(track.interpolation == Interpolation.STEP for track in tracks)
        seconds = _times(tracks, self.rate, is_stepped=is_stepped)
        if name == COLLIDE:
            prim.set(COLLIDE, "bool", self.joint.enable_collision)
            found = np.array([tracks[0].value_at(each) > 0.5 for each in seconds.tolist()])
            prim.samples[name] = seconds * self.rate, found
            return
        for each in seconds.tolist():
            if each not in known:
                known[each] = self._at(settings_at(self.joint.settings, [*self.tracks], each)).prim
        values = np.array([known[each].get(name, np.nan) for each in seconds.tolist()], float)
        is_there = ~np.isnan(values)
        codes, values = seconds[is_there] * self.rate, values[is_there]
        values = np.where(np.isinf(values), np.copysign(_HALF_TURN, values), values)
        prim.samples[name] = stepped(codes, values) if is_stepped else (codes, values)


def _with(settings: JointSettings, track: Track, value: float) -> JointSettings:
    """Return settings in which the number of a track has a value."""
    elements: list[Any] = list(getattr(settings, track.kind))
    if track.number < len(elements):
        elements[track.number] = replace(elements[track.number], **{track.member: value})
    change: Mapping[str, Any] = {track.kind: tuple(elements)}
    return replace(settings, **change)


def _times(tracks: Sequence[Track], rate: float, *, is_stepped: bool) -> Array:
    """Return the times [s] of the samples of an attribute that several numbers decide about."""
    times = [_seconds(track, rate) for track in tracks]
    if not is_stepped:
        steps = [track for track in tracks if track.interpolation == Interpolation.STEP]
        times += [track.seconds[1:] - HELD_UNTIL / rate for track in steps]
    return np.unique(np.concatenate(times))


def _seconds(track: Track, rate: float) -> Array:
    """Return the times [s] of the keys of a track; of curves, those of each time code."""
    if track.interpolation != Interpolation.CUBICSPLINE:
        return track.seconds
    first, last = track.seconds[[0, -1]] * rate
    return np.union1d(np.arange(np.ceil(first), last) / rate, track.seconds)


def _losses(track: Track, *, is_written: bool, rate: float) -> Iterator[tuple[str, How, str]]:
    member = track.member.replace("_", " ")
    if not is_written:
        text = Sentence("the joint on the stage has no {member} to change", member=member)
        yield Noun.ANIMATION, How.LOST, text
    elif track.interpolation == Interpolation.CUBICSPLINE:
        text = Sentence(
            "the curve of {member} is sampled {rate} times a second",
            member=member,
            rate=f"{rate:g}",
        )
        yield Noun.ANIMATION, How.CONVERTED, text
