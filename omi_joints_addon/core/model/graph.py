"""Walks over the graph of bodies and joints: ends, connected groups, spanning trees.

Bodies are the nodes of a scene that have a motion; -1 is the world, which all else is
attached to. Nothing here recurses, so that chains may be as long as they like.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .body import MotionType
from .scene import PhysicsScene

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Links = Mapping[int, Collection[int]]
"""Things beside each thing."""
WORLD = -1


class JointEnds(NamedTuple):
    """Nodes and bodies of all joints of a scene, shapes (j,); -1 for none."""

    node: Indices
    """Node of the joint's attachment frame."""
    connected: Indices
    """Node of the connected attachment frame."""
    body: Indices
    """Nearest body at or above the joint node."""
    connected_body: Indices
    """Nearest body at or above the connected node."""
    is_dynamic: Mask
    """Whether `body` is dynamic."""
    is_connected_dynamic: Mask
    """Whether `connected_body` is dynamic."""

    def pairs(self) -> list[tuple[int, int]]:
        """Return the body and the connected body of each joint."""
        return list(zip(self.body.tolist(), self.connected_body.tolist(), strict=True))

    def are_beside_others(self) -> Mask:
        """Return which joints are not the only one between their two bodies, shape (j,)."""
        low = np.minimum(self.body, self.connected_body) + 1
        high = np.maximum(self.body, self.connected_body) + 1
        pair = low * (high.max(initial=0) + 1) + high
        _, group, count = np.unique(pair, return_inverse=True, return_counts=True)
        return np.asarray(count[group] > 1)


class SpanningTree(NamedTuple):
    """Joint and parent of each body, and the joints that are left."""

    order: tuple[int, ...]
    """Bodies depth first, each after its parent, children in the order of their nodes."""
    parents: Mapping[int, int]
    """Parent of each body; -1 is the world, or none where `joints` has no entry."""
    joints: Mapping[int, int]
    """Number of the joint of a body to its parent; roots have none."""
    loops: tuple[int, ...]
    """Numbers of the joints between bodies that the tree holds without them."""
    idle: tuple[int, ...]
    """Numbers of the joints that tie no two bodies: no connected node, or one body."""

    def roots(self) -> tuple[int, ...]:
        """Return the bodies that no joint connects to another body."""
        return tuple(body for body in self.order if body not in self.joints)

    def children(self) -> dict[int, list[int]]:
        """Return the bodies connected to each body, and to the world (-1), depth first."""
        found: dict[int, list[int]] = {}
        for body in self.order:
            if body in self.joints:
                found.setdefault(self.parents[body], []).append(body)
        return found

    def chains(self) -> Iterator[tuple[int, ...]]:
        """Yield the bodies in chains, depth first; where a body carries several, others begin."""
        carried, chain = self.children(), list[int]()
        for body in self.order:
            above = self.parents[body] if body in self.joints else None
            if chain and (above != chain[-1] or len(carried[chain[-1]]) > 1):
                yield tuple(chain)
                chain = []
            chain.append(body)
        if chain:
            yield tuple(chain)


def joint_ends(scene: PhysicsScene) -> JointEnds:
    """Return nodes and bodies of all joints."""
    bodies = np.append(scene.bodies(), -1)
    dynamic = np.append(scene.are_dynamic(), False)
    node, connected = scene.joint_nodes, scene.connected_nodes
    body, other = bodies[node], bodies[connected]
    return JointEnds(node, connected, body, other, dynamic[body], dynamic[other])


def connected_groups(count: int, one: Indices, other: Indices) -> Indices:
    """Return a label below `count` for each of `count` things that pairs connect.

    The smallest label spreads over the pairs while labels jump to their own label (Shiloach and
    Vishkin, "An O(log n) parallel connectivity algorithm", 1982).
    """
    label = np.arange(count)
    for _ in range(count):
        least = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, label[one], least)
        np.minimum.at(label, label[other], least)
        label = label[label]
        if np.array_equal(label, before):
            break
    return label


def links_of(pairs: Iterable[tuple[int, int]]) -> Links:
    """Return what each thing is paired with."""
    links: dict[int, set[int]] = {}
    for one, other in pairs:
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    return links


def reached(links: Links, starts: Iterable[int], *, blocked: Collection[int] = ()) -> set[int]:
    """Return `starts` and all that links lead to without passing what is blocked."""
    found = set(starts)
    front = list(found)
    while front:
        new = {other for other in links.get(front.pop(), ()) if other not in blocked} - found
        found |= new
        front += new
    return found


def mechanism_of(scene: PhysicsScene, starts: Iterable[int]) -> set[int]:
    """Return the bodies that joints tie to those of `starts` that move, or to these if none does.

    A floor that two robots are bolted to does not make them one: bodies that do not move end it.
    """
    still, own = set(_still(scene)), set(starts) - {WORLD}
    links = links_of(joint_ends(scene).pairs())
    return reached(links, own - still or own, blocked={WORLD, *still})


def spanning_tree(scene: PhysicsScene, *, first: tuple[int, int] | None = None) -> SpanningTree:
    """Return the tree in which joints connect bodies to those that do not move.

    Breadth first from the world and all bodies that are not dynamic, then from each body that is
    not reached: roots of articulations first, then bodies without a joint node, which are attached
    to nothing, each in the order of nodes. Joints that are not `in_articulation` are taken last.
    `first` is a joint and the one of its bodies that it carries in the tree in any case.
    """
    pairs = joint_ends(scene).pairs()
    idle = {
        number
        for number, (one, other) in enumerate(pairs)
        if one == other or scene.joints[number].connected is None
    }
    beside, fixed = _joints_beside(pairs, idle), [WORLD, *_still(scene)]
    floating = _seeds(scene, pairs, idle)
    if first is not None:
        only, carried = first
        one, other = pairs[only]
        holding = other if one == carried else one
        beside = {
            body: [way for way in ways if way[1] != carried or way[0] == only]
            for body, ways in beside.items()
        }
        fixed = [body for body in fixed if body != carried]
        floating = [body for body in (holding, *floating) if body != carried]
    parents: dict[int, int] = {}
    joints: dict[int, int] = {}
    for body, parent, number in _breadth_first(scene, beside, fixed, floating):
        parents[body] = parent
        if number >= 0:
            joints[body] = number
    parents.pop(WORLD, None)
    used = set(joints.values()) | idle
    return SpanningTree(
        order=_depth_first(parents, joints),
        parents=parents,
        joints=joints,
        loops=tuple(number for number in range(len(pairs)) if number not in used),
        idle=tuple(sorted(idle)),
    )


def articulated_bodies(scene: PhysicsScene) -> set[int]:
    """Return the bodies that joints tie to roots of articulations."""
    links = links_of(
        pair for pair in joint_ends(scene).pairs() if min(pair) >= 0 and pair[0] != pair[1]
    )
    roots = [articulation.root for articulation in scene.articulations]
    still = [
        body
        for body, motion in scene.motions.items()
        if motion.type == MotionType.STATIC and body not in roots
    ]
    return reached(links, roots, blocked=still)


def articulated_joints(scene: PhysicsScene) -> list[int]:
    """Return the joints between bodies of articulations that are part of them."""
    if not scene.articulations:
        return []
    inside, pairs = articulated_bodies(scene), joint_ends(scene).pairs()
    return [
        number
        for number, joint in enumerate(scene.joints)
        if joint.attributes.in_articulation and inside.issuperset(pairs[number])
    ]


def child_first_joints(scene: PhysicsScene) -> list[int]:
    """Return the joints of articulations whose joint node is on the side away from the root."""
    if not scene.articulations:
        return []
    inside, tree, own = articulated_bodies(scene), spanning_tree(scene), joint_ends(scene).body
    return sorted(
        number
        for body, number in tree.joints.items()
        if body in inside
        and own[number] == body
        and scene.joints[number].attributes.in_articulation
    )


def _joints_beside(
    pairs: Sequence[tuple[int, int]], idle: Collection[int]
) -> dict[int, list[tuple[int, int]]]:
    """Return for each body its joints and the bodies behind them."""
    beside: dict[int, list[tuple[int, int]]] = {}
    for number, (one, other) in enumerate(pairs):
        if number not in idle:
            beside.setdefault(one, []).append((number, other))
            beside.setdefault(other, []).append((number, one))
    return beside


def _seeds(
    scene: PhysicsScene, pairs: Sequence[tuple[int, int]], idle: Collection[int]
) -> list[int]:
    """Return the dynamic bodies in the order in which they are taken as roots."""
    roots = {articulation.root for articulation in scene.articulations}
    hanging = {one for number, (one, _) in enumerate(pairs) if number not in idle}
    movable = (body for body in scene.motions if scene.is_dynamic(body))
    return sorted(movable, key=lambda body: (body not in roots, body in hanging, body))


def _still(scene: PhysicsScene) -> list[int]:
    """Return the bodies that are not dynamic, in the order of nodes."""
    return [body for body in sorted(scene.motions) if not scene.is_dynamic(body)]


def _breadth_first(
    scene: PhysicsScene,
    beside: Mapping[int, Sequence[tuple[int, int]]],
    fixed: Sequence[int],
    floating: Sequence[int],
) -> Iterator[tuple[int, int, int]]:
    """Yield each body once, the world too, with parent and joint; -1 for none."""
    soon = deque((body, WORLD, -1) for body in fixed)
    late: deque[tuple[int, int, int]] = deque()
    seeds = deque((body, WORLD, -1) for body in floating)
    found: set[int] = set()
    while soon or late or seeds:
        body, parent, number = (soon or late or seeds).popleft()
        if body in found:
            continue
        found.add(body)
        yield body, parent, number
        for next_number, other in beside.get(body, ()):
            is_tree = scene.joints[next_number].attributes.in_articulation
            (soon if is_tree else late).append((other, body, next_number))


def _depth_first(parents: Mapping[int, int], joints: Mapping[int, int]) -> tuple[int, ...]:
    children: dict[int, list[int]] = {}
    for body in sorted(parents, reverse=True):
        children.setdefault(parents[body] if body in joints else WORLD, []).append(body)
    order: list[int] = []
    front = list(children.get(WORLD, ()))
    while front:
        body = front.pop()
        order.append(body)
        front += children.get(body, ())
    return tuple(order)
