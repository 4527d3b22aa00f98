"""The tree of nodes changed in place: bodies nested along their joints, flat, in another order.

World matrices stay, so that only parents and the numbers of nodes change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ..findings.loss import Noun
from ..model.articulation import Coupling
from ..model.body import Trigger
from ..model.graph import spanning_tree
from ..model.scene import Joint, PhysicsScene

_SAME = 1e-5
"""Difference of matrices that single precision makes."""
T = TypeVar("T")


def nested(scene: PhysicsScene) -> PhysicsScene:
    """Return the scene with each body below its parent in the tree of joints.

    Roots of the tree lose their parents.
    """
    tree, parents = spanning_tree(scene), scene.parents.copy()
    for body in tree.order:
        parents[body] = tree.parents[body] if body in tree.joints else -1
    return replace(scene, parents=parents)


def flattened(scene: PhysicsScene) -> PhysicsScene:
    """Return the scene with no body below another; what is not a body stays where it is.

    A body below a node that is not a body goes with that node only where no body is above it.
    """
    owner = scene.bodies()
    parents = scene.parents.copy()
    for body in scene.motions:
        if parents[body] >= 0 and owner[parents[body]] >= 0:
            parents[body] = -1
    return replace(scene, parents=parents)


def depth_first(scene: PhysicsScene) -> list[int]:
    """Return all nodes by their parents depth first, siblings in order; cycles come last."""
    children: dict[int, list[int]] = {}
    for node in range(len(scene.parents) - 1, -1, -1):
        children.setdefault(int(scene.parents[node]), []).append(node)
    order: list[int] = []
    front = list(children.get(-1, ()))
    while front:
        node = front.pop()
        order.append(node)
        front += children.get(node, ())
    left = set(range(len(scene.parents))).difference(order)
    return order + sorted(left)


def with_nodes(scene: PhysicsScene, nodes: Sequence[int]) -> PhysicsScene:
    """Return the scene with only `nodes`, in this order; what refers to others goes.

    A node whose parent goes is attached to the nearest node above it that stays. Joints without
    their own node go with their couplings; joints without connected node stay and have none.
    """
    numbers = {node: number for number, node in enumerate(nodes)}
    kept = [n for n, joint in enumerate(scene.joints) if joint.node in numbers]
    return replace(
        scene,
        names=tuple(scene.names[node] for node in nodes),
        parents=np.array([_parent(scene, node, numbers) for node in nodes], dtype=np.intp),
        matrices=scene.matrices[list(nodes)].reshape(-1, 4, 4),
        motions=_moved(scene.motions, numbers),
        carries=_moved(scene.carries, numbers),
        joints=tuple(_joint(scene.joints[number], numbers) for number in kept),
        colliders=_moved(scene.colliders, numbers),
        disabled_colliders=_moved(scene.disabled_colliders, numbers),
        triggers={
            node: _trigger(trigger, numbers)
            for node, trigger in _moved(scene.triggers, numbers).items()
        },
        visuals=_moved(scene.visuals, numbers),
        lights=_moved(scene.lights, numbers),
        articulations=tuple(
            replace(articulation, root=numbers[articulation.root])
            for articulation in scene.articulations
            if articulation.root in numbers
        ),
        couplings=_couplings(scene, {old: new for new, old in enumerate(kept)}),
        excluded_pairs=tuple(
            (numbers[one], numbers[other])
            for one, other in scene.excluded_pairs
            if one in numbers and other in numbers
        ),
    )


def _couplings(scene: PhysicsScene, numbers: Mapping[int, int]) -> tuple[Coupling, ...]:
    """Return the couplings of joints that stay, with their new `numbers`."""
    return tuple(
        replace(coupling, joint=numbers[coupling.joint], source=numbers[coupling.source])
        for coupling in scene.couplings
        if coupling.joint in numbers and coupling.source in numbers
    )


def with_shapes_on_nodes(
    before: PhysicsScene, scene: PhysicsScene, match: Mapping[int, int]
) -> PhysicsScene:
    """Return a scene whose colliders and triggers are on the nodes that have them in `before`.

    Shapes of Blender's scaled objects are on nodes of their own, which are behind the others.
    `match` has the node in `scene` of each node in `before`.
    """
    tables: tuple[tuple[Mapping[int, Any], dict[int, Any]], ...] = (
        (before.colliders, colliders := dict(scene.colliders)),
        (before.triggers, triggers := dict(scene.triggers)),
    )
    gone, taken = set[int](), set(match.values())
    for wanted, table in tables:
        above = {int(scene.parents[node]): node for node in table}
        for node in wanted.keys() & match.keys():
            top = match[node]
            own = above.get(top, -1)
            if top in table or own < 0 or own in scene.visuals or own in taken:
                continue
            if np.abs(scene.matrices[top] - scene.matrices[own]).max() <= _SAME:
                table[top] = table.pop(own)
                gone.add(own)
    if not gone:
        return scene
    kept = [node for node in range(len(scene.names)) if node not in gone]
    return with_nodes(replace(scene, colliders=colliders, triggers=triggers), kept)


def _moved(table: Mapping[int, T], numbers: Mapping[int, int]) -> dict[int, T]:
    return {numbers[node]: value for node, value in table.items() if node in numbers}


def _parent(scene: PhysicsScene, node: int, numbers: Mapping[int, int]) -> int:
    """Return the new number of the nearest node above that stays, -1 for none."""
    seen = {node}
    above = int(scene.parents[node])
    while above >= 0 and above not in numbers and above not in seen:
        seen.add(above)
        above = int(scene.parents[above])
    return numbers.get(above, -1)


def _joint(joint: Joint, numbers: Mapping[int, int]) -> Joint:
    connected = None if joint.connected is None else numbers.get(joint.connected)
    return replace(joint, node=numbers[joint.node], connected=connected)


def _trigger(trigger: Trigger, numbers: Mapping[int, int]) -> Trigger:
    nodes = tuple(numbers[node] for node in trigger.nodes if node in numbers)
    return replace(trigger, nodes=nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """A scene in which colliders and visuals have nodes of their own."""

    scene: PhysicsScene
    moved: tuple[tuple[int, Noun], ...]
    """Nodes that had them before, and what it was."""


def with_parts_apart(scene: PhysicsScene) -> Apart:
    """Return the scene with colliders and visuals of bodies and frames on nodes below them.

    A node that is both collider and visual keeps the collider.
    """
    shared = {*scene.motions, *(end for j in scene.joints for end in (j.node, j.other))}
    moved: list[tuple[int, Noun]] = [
        (node, Noun.COLLIDER) for node in scene.colliders if node in shared
    ]
    moved += [
        (node, Noun.VISUAL) for node in scene.visuals if node in shared or node in scene.colliders
    ]
    if not moved:
        return Apart(scene, ())
    numbers = {key: len(scene.names) + n for n, key in enumerate(moved)}
    nodes = [node for node, _ in moved]
    apart = replace(
        scene,
        names=(*scene.names, *(f"{scene.names[node]}_{noun}" for node, noun in moved)),
        parents=np.append(scene.parents, nodes).astype(np.intp),
        matrices=np.concatenate((scene.matrices, scene.matrices[nodes])),
        colliders={numbers.get((n, Noun.COLLIDER), n): c for n, c in scene.colliders.items()},
        visuals={numbers.get((n, Noun.VISUAL), n): v for n, v in scene.visuals.items()},
    )
    return Apart(apart, tuple(moved))
