"""Pairs of bodies that do not collide, put above a stage or into its layer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .overs import Overs
from .prim import Prim
from .schema import FILTERED, PAIRS


def edit_pairs(
    overs: Overs,
    before: Iterable[Sequence[int]],
    after: Iterable[Sequence[int]],
    paths: Mapping[int, str],
) -> Iterator[Sequence[int]]:
    """Write which bodies collide no more and which do again; yield pairs that cannot be written.

    Pairs are of nodes, -1 for one that is gone; `paths` are those of the prims of bodies.
    """
    ones, others = (
        {frozenset(pair) for pair in pairs if min(pair) >= 0} for pairs in (before, after)
    )
    for changed in sorted(map(sorted, ones ^ others)):
        if not paths.keys() >= {*changed}:
            continue
        one, other = (paths[node] for node in changed)
        if frozenset(changed) in others:
            _exclude(overs, one, other)
        elif not _include(overs, one, other):
            yield changed


def _exclude(overs: Overs, one: str, other: str) -> None:
    prim = Prim(one, schemas=[FILTERED])
    prim.relate(PAIRS, (*_filtered(overs, one), other))
    overs.put(prim, Prim(one), one)


def _include(overs: Overs, one: str, other: str) -> bool:
    """Take a pair from both of its prims; return whether one of them named the other."""
    found = [(a, b) for a, b in ((one, other), (other, one)) if b in _filtered(overs, a)]
    for holder, gone in found:
        rest = [path for path in _filtered(overs, holder) if path != gone]
        overs.relate(overs.stage.GetPrimAtPath(holder), PAIRS, rest)
    return bool(found)


def _filtered(overs: Overs, path: str) -> list[str]:
    """Return the paths that a prim does not collide with, by the layer as it is now."""
    spec = overs.layer.GetRelationshipAtPath(f"{path}.{PAIRS}")
    if spec and spec.targetPathList.isExplicit:
        return [str(each) for each in spec.targetPathList.explicitItems]
    relation = overs.stage.GetPrimAtPath(path).GetRelationship(PAIRS)
    return [str(each) for each in (relation.GetTargets() if relation else ())]
