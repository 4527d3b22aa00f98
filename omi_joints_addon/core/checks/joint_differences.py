"""What differs between the joints of two scenes, noun by noun."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any

import numpy as np

from ..findings.loss import ATTRIBUTE_NOUNS, Noun
from ..model.attributes import JointAttributes
from ..model.graph import joint_ends
from ..model.joint import JointDrive
from ..model.scene import Joint, PhysicsScene
from .difference import Difference, are_same_places, is_read_back


def joint_differences(
    before: PhysicsScene,
    after: PhysicsScene,
    match: Mapping[int, int],
    *,
    reach: float = 1.0,
) -> Iterator[Difference]:
    """Yield what of the joints of `before` is not in `after`, as `differences` does."""
    numbers = {joint.node: number for number, joint in enumerate(after.joints)}
    pairs, other_pairs = joint_ends(before).pairs(), joint_ends(after).pairs()
    found = [numbers.get(match.get(joint.node, -1)) for joint in before.joints]
    apart = _apart(before, after, found, reach)
    for at, (joint, pair, number) in enumerate(zip(before.joints, pairs, found, strict=True)):
        if number is None:
            yield Difference(joint.node, Noun.JOINT)
            continue
        other = after.joints[number]
        if tuple(match.get(body, -1) for body in pair) != other_pairs[number]:
            yield Difference(joint.node, Noun.JOINT)
        if before.names[joint.node] != after.names[other.node]:
            yield Difference(joint.node, Noun.NAME)
        for noun in _of_joint(joint, other):
            yield Difference(joint.node, noun)
        if at in apart:
            yield Difference(joint.node, Noun.FRAMES)


def _apart(
    before: PhysicsScene, after: PhysicsScene, found: Sequence[int | None], reach: float
) -> frozenset[int]:
    """Return the joints whose frames are at other places; `found` are their numbers in `after`."""
    numbers = [number for number, other in enumerate(found) if other is not None]
    pairs = [(before.joints[n], after.joints[found[n] or 0]) for n in numbers]
    same = np.ones(len(pairs), dtype=bool)
    for end in ("node", "other"):
        ones = [getattr(one, end) for one, _ in pairs]
        others = [getattr(other, end) for _, other in pairs]
        same &= are_same_places(before.matrices[ones], after.matrices[others], reach)
    return frozenset(compress(numbers, (~same).tolist()))


def _of_joint(one: Joint, other: Joint) -> Iterator[Noun]:
    if one.attributes != other.attributes:
        yield from _of_attributes(one.attributes, other.attributes)
    if one.enable_collision != other.enable_collision:
        yield Noun.ENABLE_COLLISION
    if one.carried != other.carried:
        yield Noun.CARRIED
    if one.settings != other.settings:
        yield from _of_settings(one, other)


def _of_attributes(one: JointAttributes, other: JointAttributes) -> Iterator[Noun]:
    yield from dict.fromkeys(
        noun
        for field, noun in ATTRIBUTE_NOUNS.items()
        if not is_read_back(getattr(one, field), getattr(other, field))
    )


def _of_settings(one: Joint, other: Joint) -> Iterator[Noun]:
    a, b = one.settings, other.settings
    if a.name != b.name:
        yield Noun.SETTINGS_NAME
    parts, others = (a, *a.limits, *a.drives), (b, *b.limits, *b.drives)
    if list(map(_carried, parts)) != list(map(_carried, others)):
        yield Noun.CARRIED
    for noun, read in _LIMIT.items() if a.limits != b.limits else ():
        if not _are_close(a.limits, b.limits, read):
            yield noun
    if a.drives != b.drives:
        yield from _of_drives(a.drives, b.drives)


def _of_drives(one: Sequence[JointDrive], other: Sequence[JointDrive]) -> Iterator[Noun]:
    if [(d.type, d.axis) for d in one] != [(d.type, d.axis) for d in other]:
        yield Noun.DRIVE
    for noun, read in _DRIVE.items():
        if not _are_close(one, other, read):
            yield noun


def _velocity_target(drive: JointDrive) -> float | None:
    """Return the velocity that a drive aims at: beside a position, one that is not given is 0."""
    is_spring = drive.velocity_target is None and drive.position_target is not None
    return 0.0 if is_spring else drive.velocity_target


_carried = attrgetter("carried")
_LIMIT: Mapping[Noun, Callable[[Any], Any]] = {
    Noun.LIMIT: attrgetter("linear_axes", "angular_axes", "min", "max"),
    Noun.LIMIT_SPRING: attrgetter("stiffness", "damping"),
}


def _are_close(one: Sequence[Any], other: Sequence[Any], read: Callable[[Any], Any]) -> bool:
    values, others = tuple(map(read, one)), tuple(map(read, other))
    return values == others or is_read_back(values, others)


_DRIVE: Mapping[Noun, Callable[[Any], Any]] = {
    Noun.DRIVE_MODE: attrgetter("mode"),
    Noun.MAX_FORCE: attrgetter("max_force"),
    Noun.POSITION_TARGET: attrgetter("position_target"),
    Noun.VELOCITY_TARGET: _velocity_target,
    Noun.DRIVE_STIFFNESS: attrgetter("stiffness"),
    Noun.DRIVE_DAMPING: attrgetter("damping"),
}
