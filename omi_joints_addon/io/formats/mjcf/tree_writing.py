"""Which joints of a scene nest the bodies of an MJCF file, and which become equalities."""

from collections.abc import Iterator
from dataclasses import replace

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.axes import joint_axes
from ....core.model.graph import WORLD, SpanningTree, joint_ends, spanning_tree
from ....core.model.scene import PhysicsScene

_DEEPEST = 400
"""Bodies below each other: MuJoCo's parser refuses elements nested 500 deep, and so does ours."""
_EQUALITIES = ((), (3, 4, 5))
"""Moving axes of welds and pins, the equalities of MuJoCo."""


def written_tree(scene: PhysicsScene, losses: Losses) -> SpanningTree:
    """Return the tree of bodies.

    Pins and welds that are not in an articulation are equalities, also where nothing else holds
    their bodies.
    """
    loops = set(_equalities(scene))
    cut = (
        replace(joint, connected=None) if number in loops else joint
        for number, joint in enumerate(scene.joints)
    )
    tree = _shallow(spanning_tree(replace(scene, joints=tuple(cut))), scene, losses)
    idle = tuple(number for number in tree.idle if number not in loops)
    return tree._replace(loops=tuple(sorted({*tree.loops, *loops})), idle=idle)


def _equalities(scene: PhysicsScene) -> Iterator[int]:
    pairs = joint_ends(scene).pairs()
    for number, (joint, (one, other)) in enumerate(zip(scene.joints, pairs, strict=True)):
        if joint.attributes.in_articulation or joint.connected is None or one == other:
            continue
        axes = joint_axes(joint.settings)
        if axes.moving in _EQUALITIES and not (axes.shared or joint.settings.drives):
            yield number


def _shallow(tree: SpanningTree, scene: PhysicsScene, losses: Losses) -> SpanningTree:
    """Return the tree with no body more than `_DEEPEST` deep.

    One that would be starts a tree of its own, and its joint is written as those of loops are.
    """
    depths = {WORLD: 0}
    cut: list[int] = []
    for body in tree.order:
        above = tree.parents[body] if body in tree.joints else WORLD
        depths[body] = depths[above] + 1
        if depths[body] > _DEEPEST:
            depths[body] = 1
            cut.append(body)
    for body in cut:
        place = scene.names[scene.joints[tree.joints[body]].node]
        text = Sentence("MuJoCo reads no more than {count} bodies in a row", count=_DEEPEST)
        losses.converted(place, Noun.JOINT, text)
    joints = {body: number for body, number in tree.joints.items() if body not in cut}
    return tree._replace(joints=joints, loops=(*tree.loops, *(tree.joints[body] for body in cut)))
