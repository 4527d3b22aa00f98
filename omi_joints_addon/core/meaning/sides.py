"""Which end of a joint moves and which one stays."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from ..model.body import Motion, MotionType

Pair = tuple[int, int]
"""The body and the connected body of a joint, -1 for the world."""


class End(StrEnum):
    """An end of a joint."""

    JOINT = "joint"
    """The body that the joint's frame is on."""
    CONNECTED = "connected"
    """The body that the connected frame is on."""

    @property
    def other(self) -> "End":
        """The end opposite to this one."""
        return End.CONNECTED if self == End.JOINT else End.JOINT


def moving_ends(
    pairs: Sequence[Pair], dynamic: Collection[int], roots: Collection[int] = ()
) -> list[End | None]:
    """Return which end of each joint moves, None where `moving_end` of its two bodies decides.

    Between two `dynamic` bodies it is the end away from those that do not move, however many bodies
    are between. Where nothing holds them, it is the end away from the root of an articulation
    (`roots`) or from the only body that no joint frame is on, else the one with fewer bodies. A
    joint between a body and itself ends nowhere.
    """
    movable = frozenset(dynamic)
    ends = {number: pair for number, pair in enumerate(pairs) if pair[0] != pair[1]}
    ties = {number: pair for number, pair in ends.items() if movable.issuperset(pair)}
    walk = _Walk(ties)
    loose = {number: pair for number, pair in ends.items() if number not in ties}
    walk.go(sorted(movable.intersection(body for pair in loose.values() for body in pair)))
    found: dict[int, End | None] = {}
    framed = {own for own, _ in ties.values()}
    bodies = {body for pair in ties.values() for body in pair}
    for root in sorted(bodies, key=lambda body: (body not in roots, body in framed, body)):
        if root not in walk.depths:
            group = walk.go([root])
            is_root = root in roots or (len(group) > 2 and framed.issuperset(group[1:]))
            found |= {} if is_root else walk.smaller_ends(group)
    others = {number: walk.end_of(number) for number in ties.keys() - found.keys()}
    return [found.get(number, others.get(number)) for number in range(len(pairs))]


class _Walk:
    """A walk over joints between bodies, breadth first."""

    def __init__(self, ties: Mapping[int, Pair]) -> None:
        self._ties = ties
        self._beside: dict[int, list[Pair]] = {}
        """The joints of each body, and the bodies behind them."""
        for number, (one, other) in ties.items():
            self._beside.setdefault(one, []).append((number, other))
            self._beside.setdefault(other, []).append((number, one))
        self.depths: dict[int, int] = {}
        """How many joints each body is away from where the walk began."""
        self._ways: dict[int, int] = {}
        """The joint over which each body was reached."""

    def go(self, starts: Sequence[int]) -> list[int]:
        """Go on from some bodies; return those that were found, in order."""
        found = list(starts)
        self.depths |= dict.fromkeys(found, 0)
        for body in found:
            for number, other in self._beside.get(body, ()):
                if other not in self.depths:
                    self.depths[other] = self.depths[body] + 1
                    self._ways[other] = number
                    found.append(other)
        return found

    def end_of(self, number: int) -> End | None:
        """Return the end of a joint that is farther from where the walk began."""
        one, other = self._ties[number]
        if self._ways.get(one) == number or self.depths[one] > self.depths[other]:
            return End.JOINT
        return End.CONNECTED if self.depths[one] < self.depths[other] else None

    def smaller_ends(self, found: Sequence[int]) -> dict[int, End | None]:
        """Return the ends with fewer bodies of the joints over which bodies were found."""
        sizes, ends = dict.fromkeys(found, 1), dict[int, End | None]()
        for body in reversed(found):
            number = self._ways.get(body)
            if number is None:
                continue
            one, other = self._ties[number]
            sizes[one if other == body else other] += sizes[body]
            behind = End.JOINT if one == body else End.CONNECTED
            more = len(found) - 2 * sizes[body]
            ends[number] = (behind if more > 0 else behind.other) if more else None
        return ends


def moving_end(own: Motion | None, connected: Motion | None) -> End:
    """Return the end of a pair that moves: of the body that can; of two, of the lighter one.

    `own` and `connected` are the motions of the bodies at both ends, None for the world. Where both
    are alike the joint's own body moves.
    """
    is_own, is_connected = _is_dynamic(own), _is_dynamic(connected)
    if is_own != is_connected:
        return End.JOINT if is_own else End.CONNECTED
    if own is not None and connected is not None and own.mass > connected.mass and is_own:
        return End.CONNECTED
    return End.JOINT


def _is_dynamic(motion: Motion | None) -> bool:
    return motion is not None and motion.type == MotionType.DYNAMIC
