"""The joints that are posed together, and the rows of positions that each of them has."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..core.meaning.freedom import freedoms
from ..core.meaning.linkage import Range, range_of
from ..core.model.graph import joint_ends, mechanism_of
from ..core.model.scene import Joint, PhysicsScene


@dataclass(frozen=True, slots=True)
class Row:
    """What a row of positions stands for."""

    joint: int
    """Number of the joint."""
    value: int
    """Which of its six values it is (`core.meaning.freedom`)."""
    label: str
    """Name of that value."""
    low: float
    """Least value to show [m or rad]."""
    high: float
    """Largest value to show [m or rad]."""
    is_bounded: bool
    """Whether limits give both ends."""
    zero: float
    """What the joint's author counts more than that value [rad]."""
    chain: str
    """Name of the last body of the chain that the joint is in."""


def mechanism_joints(scene: PhysicsScene, node: int) -> set[int]:
    """Return the joints of the mechanism that a node is in, all where it is in none."""
    pairs, joints = joint_ends(scene).pairs(), range(len(scene.joints))
    body = int(scene.bodies()[node]) if node >= 0 else -1
    on = [pairs[n] for n in joints if scene.joints[n].node == node]
    linked = mechanism_of(scene, on[0] if on else (body,))
    found = {n for n in joints if not linked.isdisjoint(pairs[n])}
    return found or set(joints)


def rows_of(
    joint: Joint, number: int, chain: str, ranges: Callable[[int], Range | None]
) -> Iterator[Row]:
    """Yield the rows of what a joint may move along and about.

    `ranges` returns those of its values where what follows it narrows them.
    """
    found = freedoms(joint.settings)
    for each in found:
        is_author = len(found) == 1 and not each.is_linear
        zero = joint.attributes.zero if is_author else 0.0
        low, high = ranges(each.number) or range_of(joint, each)
        is_bounded = math.isfinite(low) and math.isfinite(high)
        if not is_bounded:
            low, high = each.low, each.high
        yield Row(number, each.number, each.label, low, high, is_bounded, zero, chain)


def locked_rows(joint: Joint, number: int, chain: str) -> Iterator[Row]:
    """Yield the rows of what a joint may not move along and about."""
    free = {each.number for each in freedoms(joint.settings)}
    for value in sorted(set(range(6)) - free):
        label = f"{'Along' if value < 3 else 'About'} {'XYZ'[value % 3]}"
        span = 1.0 if value < 3 else math.pi
        yield Row(number, value, label, -span, span, False, 0.0, chain)
