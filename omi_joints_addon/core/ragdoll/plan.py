"""Which bones of an armature become bodies, what each takes along, and its parent."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..model.pose import Array
from .parts import ABOVE, Place, Segment, is_merged, recognized

SMALLEST = 0.05
"""Length of a bone [sizes of the armature] below which it belongs to the body above it."""
_THINNEST = 1e-9
"""Volume that the axes of a bone span at least, in that of a cube on the longest one."""
_STANDING_FOR = re.compile(r"^(?:ORG|MCH)-")


@dataclass(frozen=True, slots=True)
class SpringBone:
    """A spring bone as VRM has it, which works at 60 frames per second."""

    stiffness: float
    """Way of its end toward rest that a frame adds, of 1/60 m."""
    drag: float
    """Part of its speed that is lost in a frame, 0 to 1."""
    gravity: float
    """Way down of its end that a frame adds, of 1/60 m."""


@dataclass(frozen=True, slots=True, eq=False)
class Bone:
    """A bone of an armature at rest."""

    name: str
    parent: int
    """Number of the bone above, -1 for none."""
    matrix: Array
    """World matrix (4, 4); Y points along the bone."""
    length: float
    """[m]."""
    part_name: str = ""
    """Name by which the file of the character says what part of a human it is, if it does."""
    spring: SpringBone | None = None
    """How it swings if it is to be part of a chain of hair or cloth."""

    @property
    def known_as(self) -> str:
        """Name that tells which part of a human it is."""
        return self.part_name or self.name

    @property
    def head(self) -> Array:
        """Where the bone begins [m]."""
        return np.asarray(self.matrix[:3, 3])

    @property
    def direction(self) -> Array:
        """Unit vector along the bone."""
        along = self.matrix[:3, 1]
        return np.asarray(along / np.linalg.norm(along))

    @property
    def has_axes(self) -> bool:
        """Whether the scale of its armature leaves it three axes."""
        axes = self.matrix[:3, :3]
        return bool(abs(np.linalg.det(axes)) > _THINNEST * np.abs(axes).max() ** 3)


@dataclass(frozen=True, slots=True)
class PlannedBody:
    """A bone that is to be a body."""

    bone: int
    parent: int
    """Number of its parent, -1 for none."""
    place: Place | None
    """Part of a human body, None where that is unknown."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The bodies of a ragdoll, parents first, and which of them each bone belongs to."""

    bodies: tuple[PlannedBody, ...]
    owner: tuple[int, ...]
    """Number of the body of each bone, -1 for none."""

    @property
    def is_human(self) -> bool:
        """Whether parts of a human body were recognized."""
        return any(body.place is not None for body in self.bodies)


def plan(bones: Sequence[Bone], chosen: Sequence[int], *, smallest: float = SMALLEST) -> Plan:
    """Return the bodies of a ragdoll out of the chosen ones of all bones, parents first.

    Of a human rig, parts are bodies with parents as in a human; of any other rig, bones
    that are not small are. So is each spring bone. The rest belongs to the nearest body above.
    """
    chosen = [number for number in chosen if bones[number].has_axes]
    places = _chosen_places(bones, chosen)
    size = _extent([bones[number] for number in chosen])
    kept = _kept(bones, chosen, places, smallest * size)
    tree = _Tree(bones, kept, places)
    above: dict[int, int] = {}
    for number in kept:
        found = tree.above(number)
        above[number] = -1 if _is_above(above, found, number) else found
    order = _parents_first(kept, above)
    numbers = {bone: number for number, bone in enumerate(order)}
    bodies = tuple(
        PlannedBody(bone=n, parent=numbers.get(above[n], -1), place=places.get(n)) for n in order
    )
    owner = tuple(numbers.get(tree.nearest(n), -1) for n in range(len(bones)))
    return Plan(bodies, owner)


class _Tree:
    """Parents of parts: by the human body, else by the armature."""

    def __init__(
        self, bones: Sequence[Bone], kept: Sequence[int], places: Mapping[int, Place]
    ) -> None:
        self._bones, self._places = bones, places
        self._by_place = {places[n]: n for n in kept if n in places}
        self._body = {n: n for n in kept} | {n: self._by_place[p] for n, p in places.items()}
        names = {bone.name: n for n, bone in enumerate(bones)}
        # In rigs of Rigify the parents of deforming bones are others that stand for one of them.
        self._stand_for = [names.get(_STANDING_FOR.sub("DEF-", bone.name), -1) for bone in bones]

    def above(self, number: int) -> int:
        """Return the parent of a body, -1 for none."""
        place = self._places.get(number)
        if place is None:
            return self.nearest(self._bones[number].parent, but=number)
        for part in ABOVE.get(place.part, ()):
            for side in (place.side, ""):
                if (found := self._by_place.get(Place(part, side))) is not None:
                    return found
        return -1

    def nearest(self, number: int, *, but: int = -1) -> int:
        """Return the body that a bone belongs to, -1 for none; `but` is no such body."""
        front, seen = [number], {-1, but}
        while front:
            number = front.pop()
            if number in seen:
                continue
            if number in self._body:
                return self._body[number]
            seen.add(number)
            front += [self._bones[number].parent, self._stand_for[number]]
        return -1


def _chosen_places(bones: Sequence[Bone], chosen: Sequence[int]) -> dict[int, Place]:
    found = recognized([bones[number].known_as for number in chosen])
    return {chosen[number]: place for number, place in found.items()}


def _kept(
    bones: Sequence[Bone], chosen: Sequence[int], places: Mapping[int, Place], least: float
) -> list[int]:
    """Return the bones that are to be bodies: of each part the first one, and long ones."""
    first = list({place: n for n, place in reversed(list(places.items()))}.values())
    ends = {
        n for n, place in places.items() if place.part in (Segment.HEAD, Segment.HAND, Segment.FOOT)
    }
    others = [
        n
        for n in chosen
        if n not in places
        and bones[n].length >= least
        and not (places and (is_merged(bones[n].known_as) or _is_within(bones, n, ends, places)))
    ]
    springs = [n for n in chosen if bones[n].spring is not None]
    return sorted({*first, *others, *springs})


def _is_within(
    bones: Sequence[Bone], number: int, ends: set[int], places: Mapping[int, Place]
) -> bool:
    """Return whether a bone is below a head, hand or foot, or between parts of a human body."""
    above = bones[number].parent
    while above >= 0:
        if above in ends:
            return True
        above = bones[above].parent
    return any(_is_below(bones, part, number) for part in places)


def _is_below(bones: Sequence[Bone], number: int, top: int) -> bool:
    while number >= 0 and number != top:
        number = bones[number].parent
    return number >= 0


def _is_above(above: Mapping[int, int], number: int, other: int) -> bool:
    """Return whether a body is another one or below it."""
    while number >= 0 and number != other:
        number = above.get(number, -1)
    return number == other


def _parents_first(kept: Sequence[int], above: Mapping[int, int]) -> list[int]:
    def depth(number: int) -> int:
        count = 0
        while number >= 0:
            number, count = above[number], count + 1
        return count

    return sorted(kept, key=lambda number: (depth(number), number))


def _extent(bones: Sequence[Bone]) -> float:
    """Return the largest extent of bones along the world's axes [m]."""
    if not bones:
        return 0.0
    ends = np.array([[b.head, b.head + b.length * b.direction] for b in bones]).reshape(-1, 3)
    return float(np.ptp(ends, axis=0).max())
