"""Bodies that do not collide: pairs of the scene, those that filters keep apart, ends of joints.

MuJoCo leaves out collisions of a body with its parent, but not where one of them stands still, and
not between the ends of an equality constraint.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from ....core.checks.acting_alike import held_bodies, welded_and_held
from ....core.model.body import CollisionFilter
from ....core.model.filters import filtered_pairs
from ....core.model.graph import WORLD, SpanningTree, joint_ends, spanning_tree
from ....core.model.plain import kept_object
from ....core.model.scene import PhysicsScene

Pair = tuple[int, int]
BITS = ("contype", "conaffinity")
"""Attributes of a geom: the groups that it is in, and those that it meets."""


def written_exclusions(
    scene: PhysicsScene, tree: SpanningTree, colliding: Mapping[int, Pair]
) -> set[Pair]:
    """Return the pairs of bodies that a document has to exclude from collisions, each once.

    `colliding` is `colliding_joints` of the tree.
    """
    hanging = set(map(_sorted, tree.parents.items()))
    filtered = set(map(_sorted, filtered_pairs(scene, _filters(scene))))
    jointed = {
        _sorted(pair)
        for number, pair in colliding.items()
        if not scene.joints[number].enable_collision
    }
    excluded = set(map(_sorted, scene.excluded_pairs)) - set(_of_welds(scene, tree))
    return excluded | (filtered - hanging) | jointed


def _of_welds(scene: PhysicsScene, tree: SpanningTree) -> Iterator[Pair]:
    """Yield the bodies that MuJoCo keeps apart because others are welded to them.

    Bodies that are welded together count as one, which does not collide with its parent.
    """
    solid = {int(scene.bodies()[node]) for node in scene.colliders}
    if len(solid) < 2:
        return
    welds, held = welded_and_held(scene)
    first: dict[int, int] = {}
    for body in tree.order:
        parent = tree.parents.get(body, WORLD)
        is_welded = tree.joints.get(body) in welds and parent not in (WORLD, *held)
        first[body] = first[parent] if is_welded else body
    groups: dict[int, list[int]] = {}
    for body in solid & first.keys() - held:
        groups.setdefault(first[body], []).append(body)
    for root, bodies in groups.items():
        above = groups.get(first.get(tree.parents.get(root, WORLD), WORLD), [])
        for pair in (*combinations(bodies, 2), *product(bodies, above)):
            if tree.parents.get(pair[0]) != pair[1] and tree.parents.get(pair[1]) != pair[0]:
                yield _sorted(pair)


def _sorted(pair: Pair) -> Pair:
    return min(pair), max(pair)


def _filters(scene: PhysicsScene) -> dict[int, CollisionFilter | None]:
    """Return the filters of colliders by node, but those that are written as bits."""
    filters = {node: collider.collision_filter for node, collider in scene.colliders.items()}
    return {
        node: None if each is not None and filter_bits(each) else each
        for node, each in filters.items()
    }


def filter_bits(collision_filter: CollisionFilter) -> dict[str, str]:
    """Return the attributes of a geom that a filter was read from."""
    kept = kept_object(collision_filter.carried)
    return {key: str(kept[key]) for key in BITS if key in kept}


def filter_of_bits(bits: list[int]) -> CollisionFilter | None:
    """Return the filter of contype and conaffinity, None for the usual ones."""
    if bits == [1, 1]:
        return None
    own, others = (_systems(value) for value in bits)
    carried = json.dumps(dict(zip(BITS, bits, strict=True)))
    return CollisionFilter(
        name=f"contype {bits[0]} conaffinity {bits[1]}",
        collision_systems=own,
        collide_with_systems=others,
        carried=carried,
    )


def _systems(value: int) -> tuple[str, ...]:
    return tuple(f"bit {bit}" for bit in range(32) if value >> bit & 1)


def with_exclusions(scene: PhysicsScene, pairs: Sequence[Pair]) -> PhysicsScene:
    """Return a scene that was read, its joints without collisions where its file excludes them."""
    excluded = set(map(frozenset, pairs))
    loops = [n for n, joint in enumerate(scene.joints) if not joint.attributes.in_articulation]
    joints = list(scene.joints)
    jointed = set()
    for number, pair in colliding_joints(scene, loops).items():
        jointed.add(frozenset(pair))
        can_collide = frozenset(pair) not in excluded
        joints[number] = replace(joints[number], enable_collision=can_collide)
    rest = [pair for pair in pairs if frozenset(pair) not in jointed]
    rest += (pair for pair in _of_welds(scene, spanning_tree(scene)) if {*pair} not in excluded)
    return replace(scene, joints=tuple(joints), excluded_pairs=tuple(rest))


def colliding_joints(scene: PhysicsScene, loops: Collection[int]) -> dict[int, Pair]:
    """Return the bodies of each joint whose ends collide unless they are excluded, by number."""
    owner = scene.bodies()
    solid, ends = {int(owner[node]) for node in scene.colliders}, joint_ends(scene)
    pairs = zip(ends.body.tolist(), ends.connected_body.tolist(), strict=True)
    apart = {
        number: pair
        for number, pair in enumerate(pairs)
        if pair[0] != pair[1] and solid.issuperset(pair)
    }
    held = held_bodies(scene) if apart else set()
    moving = {
        number: sum(scene.is_dynamic(body) and body not in held for body in pair)
        for number, pair in apart.items()
    }
    return {
        number: pair
        for number, pair in apart.items()
        if moving[number] == 1 or (moving[number] == 2 and number in loops)
    }
