"""Which bones of an armature follow which of its bones that are bodies.

Rigs that animators work with deform their mesh by bones of one layer, which constraints tie to
others: their parents are controls, or bones of a copy of the skeleton, that no body moves.
"""

from collections.abc import Sequence
from typing import Any

from mathutils.kdtree import KDTree

_SAME_PLACE, _SAME_WAY = 1e-3, 0.999
"""Distance in lengths of a bone, and cosine of directions, at which two bones are one at rest."""


class BoneLeaders:
    """The body that each bone of a pose follows, and the bones that have to be posed for it."""

    def __init__(self, pose: Any, parents: Sequence[int], bodies: Sequence[int]) -> None:
        """Take the bones (n,) of a pose, parents first, and which of them are bodies."""
        self._bones = [each.bone for each in pose]
        self._parents = parents
        self._bodies = frozenset(bodies)
        self._twins = _twins(self._bones)
        self._controls = _twins(self._bones, deforming=False)
        self._above = deforming_parents(self._bones, parents)
        self._carries = self._carrying()
        self._below = self._first_below()
        self.leaders: list[int] = []
        """The body that each bone follows, -1 for none, shape (n,)."""
        self.posed: list[int] = []
        """Bodies, and bones that constraints or other parents would keep from following them."""
        for number, each in enumerate(pose):
            self._take(number, is_tied=any(not tie.mute for tie in each.constraints))

    def _take(self, number: int, *, is_tied: bool) -> None:
        above = self._parents[number]
        carrier = self.leaders[above] if above >= 0 else -1
        if self._bones[number].use_deform or number in self._bodies:
            leader = self._leader(number)
            if leader < 0 and is_tied:
                leader = self._below.get(number, -1)
            if leader < 0 and is_tied:
                # Deforming bones may lie side by side, each tied to its control.
                leader = self._leader(self._controls[number])
        else:
            leader = carrier if not is_tied or self._carries[number] else -1
        self.leaders.append(leader)
        if number in self._bodies or (leader >= 0 and (is_tied or leader != carrier)):
            self.posed.append(number)

    def _leader(self, number: int) -> int:
        """Return the body at a bone or the nearest above it, each by its place at rest too."""
        while number >= 0 and number not in self._bodies:
            if self._twins[number] in self._bodies:
                return self._twins[number]
            number = self._above[number]
        return number

    def _first_below(self) -> dict[int, int]:
        """Return the first body below each bone that has one."""
        found: dict[int, int] = {}
        for body in sorted(self._bodies):
            above = self._parents[body]
            while above >= 0 and above not in found:
                found[above] = body
                above = self._parents[above]
        return found

    def _carrying(self) -> list[bool]:
        """Return which bones have a body or a deforming bone below, shape (n,)."""
        found = [False] * len(self._bones)
        for number in reversed(range(len(self._bones))):
            above = self._parents[number]
            is_needed = number in self._bodies or self._bones[number].use_deform
            if above >= 0 and (found[number] or is_needed):
                found[above] = True
        return found


def deforming_parents(bones: Sequence[Any], parents: Sequence[int]) -> list[int]:
    """Return the parent of each bone: of bones in one place at rest the one that deforms."""
    twins, found = _twins(bones), list(parents)
    for number, above in enumerate(parents):
        if above < 0 or bones[above].use_deform:
            continue
        twin = twins[above]
        if twin >= 0 and not _is_below(found, twin, number):
            found[number] = twin
    return found


def _is_below(parents: Sequence[int], number: int, other: int) -> bool:
    """Return whether a bone is another one or below it."""
    while number >= 0 and number != other:
        number = parents[number]
    return number == other


def _twins(bones: Sequence[Any], *, deforming: bool = True) -> list[int]:
    """Return the bone that starts where each bone does and goes its way, -1 for none.

    It is one that deforms, or one that does not.
    """
    tree = KDTree(len(bones))
    for number, bone in enumerate(bones):
        if bone.use_deform == deforming:
            tree.insert(bone.head_local, number)
    tree.balance()
    return [_twin(tree, bones, number) for number in range(len(bones))]


def _twin(tree: KDTree, bones: Sequence[Any], number: int) -> int:
    bone = bones[number]
    way = (bone.tail_local - bone.head_local).normalized()
    for _, other, _ in tree.find_range(bone.head_local, _SAME_PLACE * bone.length):
        along = (bones[other].tail_local - bones[other].head_local).normalized()
        if other != number and way.dot(along) > _SAME_WAY:
            return int(other)
    return -1
