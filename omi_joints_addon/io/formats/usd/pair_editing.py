"""Pairs of bodies that do not collide, put above a stage or into its layer."""

from collections.abc import Sequence

from .edited import EditedStage
from .prim import Prim
from .schema import FILTERED, PAIRS

Link = tuple[frozenset[int], tuple[str, str]]
"""Two bodies, with the paths of the prim that names another one and of that."""


def edit_pairs(stage: EditedStage, links: Sequence[Link]) -> None:
    """Write which bodies collide no more and which do again.

    `links` are what the stage says, of nodes of the edited scene, -1 for one that is gone.
    """
    before = {pair for pair, _paths in links}
    after = set(map(frozenset, stage.after.excluded_pairs))
    for new in sorted(map(sorted, after - before)):
        if len(new) == 2 and stage.path_of.keys() >= {*new}:
            _exclude(stage, *sorted(new, key=lambda node: node not in stage.made))
    # A pair of bodies with a joint says what the joint does.
    for joint in stage.after.joints:
        if not joint.enable_collision:
            after.add(frozenset(int(stage.owner[end]) for end in (joint.node, joint.other)))
    for pair, (one, other) in links:
        prim = stage.stage.GetPrimAtPath(one)
        if pair not in after and min(pair) >= 0 and not stage.overs.is_removed(one):
            rest = [path for path in stage.overs.targets(one, PAIRS) if path != other]
            stage.overs.relate(prim, PAIRS, rest)


def _exclude(stage: EditedStage, one: int, other: int) -> None:
    holder, target = stage.path_of[one], stage.path_of[other]
    if one in stage.made:
        stage.new.filter(one, other)
        return
    prim = Prim(holder, schemas=[FILTERED])
    prim.relate(PAIRS, (*stage.overs.targets(holder, PAIRS), target))
    stage.overs.put(prim, Prim(holder), stage.after.names[one])
