"""Checks of numbers that change over time: what joints come to on the way."""

from collections.abc import Iterator

import numpy as np

from ..findings.finding import ERROR, INFO, WARNING, Finding, rule
from ..meaning.animated import animated_joints, settings_at
from ..model.animation import Interpolation, Track
from ..model.joint import JointSettings
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .settings import check_settings

FAILS_ON_THE_WAY = rule(
    "OMI-J023",
    ERROR,
    "at {seconds:.4g} s of its animation: {problem}",
    reason="What the specification demands of limits and drives holds at all times.",
)
WARNS_ON_THE_WAY = rule(
    "OMI-J024",
    WARNING,
    "at {seconds:.4g} s of its animation: {problem}",
    reason="What is surprising at rest is surprising on the way, too.",
)
_PARTS = 8
"""Into how many parts the time between two keys is cut where a curve may leave their range."""


def check_animation(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what is wrong with joint settings at some time of their animation, but not at rest.

    Of each rule and part only the first time is named; settings that joints share are judged once.
    """
    if not scene.tracks:
        return
    seen: set[str] = set()
    for number, tracks in animated_joints(scene).items():
        place = scene.settings_place(number)
        if place not in seen:
            seen.add(place)
            for finding in _check_joint(scene.joints[number].settings, tracks):
                yield finding.at(place)


def _check_joint(settings: JointSettings, tracks: list[Track]) -> Iterator[Finding]:
    times = _times(tracks)
    first: dict[JointSettings, float] = {}
    for seconds in times.tolist():
        first.setdefault(settings_at(settings, tracks, seconds), seconds)
    known, *found = check_settings((settings, *first))
    seen = {(finding.code, finding.part) for finding in known}
    for seconds, findings in zip(first.values(), found, strict=True):
        for finding in findings:
            key = finding.code, finding.part
            if key not in seen and finding.severity != INFO:
                seen.add(key)
                on_the_way = FAILS_ON_THE_WAY if finding.severity == ERROR else WARNS_ON_THE_WAY
                yield on_the_way("", finding.part, seconds=seconds, problem=finding.message)


def _times(tracks: list[Track]) -> Array:
    """Return the times of all keys [s], and some between those of curves."""
    times: Array = np.unique(np.concatenate([track.seconds for track in tracks]))
    if all(track.interpolation != Interpolation.CUBICSPLINE for track in tracks):
        return times
    parts = np.arange(_PARTS) / _PARTS
    between = times[:-1, None] + np.diff(times)[:, None] * parts
    whole: Array = np.append(between.reshape(-1), times[-1])
    return whole
