"""Joints that follow others (`model.articulation.Coupling`): which do, and where they are then.

Positions are the signed distances or angles of joints with one axis, SI units and radians.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..model.articulation import Coupling
from ..model.joint import JointSettings
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .axes import joint_axes
from .freedom import Freedom, freedoms

_TINY = 1e-9


class CannotFollowError(Exception):
    """A joint cannot be moved by the joint that follows it; the text is the reason."""


def only_freedom_of(settings: JointSettings) -> Freedom | None:
    """Return the degree of freedom of a joint with one axis, None for all other joints."""
    found = freedoms(settings)
    return found[0] if len(found) == 1 else None


def is_usable(scene: PhysicsScene, coupling: Coupling) -> bool:
    """Return whether both joints have one axis, and the coefficients are numbers."""
    if not all(math.isfinite(c) for c in coupling.coefficients):
        return False
    pair = (coupling.joint, coupling.source)
    return pair[0] != pair[1] and all(
        only_freedom_of(scene.joints[number].settings) is not None for number in pair
    )


def usable_couplings(scene: PhysicsScene) -> tuple[Coupling, ...]:
    """Return the couplings that act."""
    return tuple(each for each in scene.couplings if is_usable(scene, each))


def position_at(coupling: Coupling, source: float) -> float:
    """Return where the joint that follows is [m or rad], with its source at `source` [m or rad]."""
    return float(np.polyval(coupling.coefficients[::-1], source))


class GearTrain:
    """A joint and all whose positions follow from its own; angles go on beyond half a turn."""

    def __init__(self, scene: PhysicsScene, number: int) -> None:
        """Take joint `number` of a scene."""
        self._scene, self._number = scene, number
        couplings = usable_couplings(scene)
        self._up = list(_leaders(couplings, number))
        leader = self._up[-1].source if self._up else number
        self._down = list(_followers(couplings, leader, self._up))
        self.joints = (leader, *(each.joint for each in self._down))
        """Numbers of the joints, the one that leads all others first."""
        self._ranges = {n: _range(scene.joints[n].settings) for n in self.joints}

    def positions(self, position: float) -> dict[int, float]:
        """Return the positions of all joints with this one at `position`.

        What it follows is moved so that it arrives there or, where the range of that ends before,
        as near as possible; raises `CannotFollowError` where no single position does.
        """
        top = position
        for each in self._up:
            top = self._source_position(each, top)
        found = {self.joints[0]: top}
        for each in self._down:
            found[each.joint] = position_at(each, found[each.source])
        return found

    def _source_position(self, coupling: Coupling, wanted: float) -> float:
        """Return where a joint puts the one that follows it at `wanted`, or nearest to it."""
        curve = np.array(coupling.coefficients[::-1])
        low, high = self._ranges[coupling.source]
        if not _is_one_way(curve, low, high):
            joint, source = (self._name(n) for n in (coupling.joint, coupling.source))
            raise CannotFollowError(
                f"{joint} does not determine where {source} is, which it follows; "
                f"move {source} instead"
            )
        roots = np.roots(np.append(curve[:-1], curve[-1] - wanted))
        real = roots[np.abs(roots.imag) < 1e-6].real
        inside = real[(real >= low - _TINY) & (real <= high + _TINY)]
        if len(inside):
            return float(inside[0])
        ends = [end for end in (low, high) if math.isfinite(end)]
        return min(ends, key=lambda end: abs(float(np.polyval(curve, end)) - wanted))

    def _name(self, number: int) -> str:
        return self._scene.names[self._scene.joints[number].node]


def _leaders(couplings: Sequence[Coupling], number: int) -> Iterator[Coupling]:
    """Yield what a joint follows, what that follows, and so on; each joint once."""
    seen = {number}
    by_joint = {each.joint: each for each in reversed(couplings)}
    while number in by_joint and by_joint[number].source not in seen:
        yield by_joint[number]
        number = by_joint[number].source
        seen.add(number)


def _followers(
    couplings: Sequence[Coupling], leader: int, first: Sequence[Coupling]
) -> Iterator[Coupling]:
    """Yield what follows a joint, each after its source: `first` before others, each joint once."""
    seen, front = {leader}, [leader]
    ordered = (*first, *couplings)
    while front:
        source = front.pop(0)
        for each in ordered:
            if each.source == source and each.joint not in seen:
                seen.add(each.joint)
                front.append(each.joint)
                yield each


def _range(settings: JointSettings) -> tuple[float, float]:
    """Return the bounds of a joint with one axis, infinite where it has none."""
    freedom = only_freedom_of(settings)
    if freedom is None:
        return -math.inf, math.inf
    axis = joint_axes(settings).all[freedom.number]
    return axis.min, axis.max


def _is_one_way(curve: Array, low: float, high: float) -> bool:
    """Return whether a curve, highest power first, only rises or only falls between two ends."""
    slope = np.polyder(curve)
    turns = np.roots(slope)
    turns = np.sort(turns[np.abs(turns.imag) < _TINY].real)
    marks = [low, *(turn for turn in turns if low < turn < high), high]
    if math.isinf(low):
        marks[0] = min(marks[1], 1e6) - 1.0
    if math.isinf(high):
        marks[-1] = marks[-2] + 2.0
    middles = (np.array(marks[:-1]) + np.array(marks[1:])) / 2.0
    return bool(abs(np.sign(np.polyval(slope, middles)).sum()) == len(middles))
