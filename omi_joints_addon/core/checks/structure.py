"""Checks of how joints connect bodies: which node is on which body, connected to which.

Everything is worked out for all joints at once; only those that break a rule are looked at singly.
"""

from collections.abc import Iterator

import numpy as np

from ..findings.finding import ERROR, INFO, WARNING, Finding, rule
from ..findings.fix import Fix
from ..model.graph import Indices, JointEnds, Mask, connected_groups, joint_ends
from ..model.pose import Pose, pose_from_matrix
from ..model.scene import PhysicsScene

_BESIDE = ("mesh", "camera", "light", "collider", "trigger")
"""What must not share a node with a joint (`PhysicsScene.carries`)."""
_GRID = 1e-4
"""Frames closer than this [m, and parts of a unit quaternion] are one."""
_MASS_RATIO = 10.0
_SAME_MASS = 1.0 + 1e-6


NO_CONNECTED_NODE = rule(
    "OMI-J001",
    ERROR,
    "the joint has no connected object; set one or remove the joint",
    reason="connectedNode is required by node.OMI_physics_joint.",
    fix=Fix.ADD_ANCHOR,
)
NOT_BELOW_DYNAMIC = rule(
    "OMI-J005",
    WARNING,
    "neither the joint nor any object above it is a dynamic body",
    reason="OMI_physics_joint: the joint node must have a dynamic body ancestor for the joint to "
    "function. Official files break this and engines accept it, as long as the connected body"
    " is dynamic.",
    fix=Fix.MARK_DYNAMIC,
)
CONNECTED_TO_NO_BODY = rule(
    "OMI-J006",
    WARNING,
    "the connected object {connected!r} is not on or under a physics body",
    reason="OMI_physics_joint: the connected node must be a descendant of a physics body.",
    fix=Fix.ADD_BODY,
)
NOTHING_DYNAMIC = rule(
    "OMI-J007",
    ERROR,
    "neither end of the joint is on a dynamic body, so nothing can move",
    reason="OMI_physics_joint: joints constrain dynamic bodies, to each other or to others.",
    fix=Fix.MARK_DYNAMIC,
)
CONNECTED_TO_TRIGGER = rule(
    "OMI-J008",
    WARNING,
    "the connected object {connected!r} belongs to a trigger, which holds nothing",
    reason="OMI_physics_joint: the connected node must be a descendant of a physics body; the "
    "Godot importer connects the joint to the world instead.",
    fix=Fix.ADD_BODY,
)
WITHIN_ONE_BODY = rule(
    "OMI-J009",
    ERROR,
    "both ends of the joint are on the same body, {body!r}, so it holds nothing",
    reason="OMI_physics_joint: a joint constrains the relative motion of two bodies.",
)
NOT_DIRECTLY_BELOW = rule(
    "OMI-J010",
    WARNING,
    "the joint is not a direct child of its body {body!r}, and some engines will not find the body",
    reason="The specification allows any descendant; the Godot importer expects direct children.",
    fix=Fix.REPARENT,
    is_safe=True,
)
SHARES_NODE = rule(
    "OMI-J011",
    WARNING,
    "the joint is on an object that is also a {kinds}; give the joint an empty of its own",
    reason="OMI_physics_joint: a joint must be on its own node, not with a mesh, camera, light or "
    "shape.",
)
ON_BODY_ITSELF = rule(
    "OMI-J012",
    WARNING,
    "the joint is on the physics body itself; put it on an empty below the body",
    reason="OMI_physics_joint: a joint must be on its own node; the Godot importer ignores it "
    "otherwise.",
)
SAME_FRAMES = rule(
    "OMI-J013",
    WARNING,
    "the joint connects the same two frames as {other!r}",
    reason="Two joints in the same place work against each other, or an engine ignores one.",
    fix=Fix.REMOVE_JOINT,
)
HELD_BY_NOTHING = rule(
    "OMI-J014",
    INFO,
    "no static or kinematic body holds the {count} bodies connected to {body!r}, so they will fall"
    " together",
    reason="Right for a ragdoll or a vehicle; in a chain that should hang, a joint is missing.",
)
MASS_RATIO = rule(
    "OMI-J015",
    WARNING,
    "{heavy!r} weighs {ratio:.0f} times as much as {light!r}; such joints stretch or shake",
    reason="Iterative solvers converge poorly above a mass ratio of 10.",
)
ON_NO_BODY = rule(
    "OMI-J016",
    ERROR,
    "the joint is not on a body, and nothing it is connected to can move; was the body deleted?",
    reason="OMI_physics_joint: joints constrain dynamic bodies. A deleted body leaves its frames.",
    fix=Fix.REMOVE_JOINT,
)


def check_structure(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what is wrong with what the joints of a scene connect, groups left out."""
    if not scene.joints:
        return
    ends = joint_ends(scene)
    yield from _check_ends(scene, ends)
    yield from _check_nodes(scene, ends)
    yield from _check_duplicates(scene, ends)
    yield from _check_masses(scene, ends)


def check_ends(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield joints whose ends are on no bodies that they could move."""
    if scene.joints:
        yield from _check_ends(scene, joint_ends(scene))


def _check_ends(scene: PhysicsScene, ends: JointEnds) -> Iterator[Finding]:
    has_end = ends.connected >= 0
    for index in np.flatnonzero(~has_end):
        yield NO_CONNECTED_NODE(scene.joint_place(index))
    still = ~ends.is_dynamic & has_end
    for index in np.flatnonzero(still):
        is_alone = ends.body[index] < 0 and scene.parents[ends.node[index]] < 0
        broken = ON_NO_BODY if is_alone else NOTHING_DYNAMIC
        broken = NOT_BELOW_DYNAMIC if ends.is_connected_dynamic[index] else broken
        yield broken(scene.joint_place(index))
    bodiless = np.flatnonzero(has_end & (ends.connected_body < 0))
    is_trigger = _below_triggers(scene) if len(bodiless) else np.zeros(0, dtype=np.bool_)
    for index in bodiless:
        node = ends.connected[index]
        broken = CONNECTED_TO_TRIGGER if is_trigger[node] else CONNECTED_TO_NO_BODY
        yield broken(scene.joint_place(index), connected=scene.names[node])
    same = has_end & (ends.body >= 0) & (ends.body == ends.connected_body)
    for index in np.flatnonzero(same):
        yield WITHIN_ONE_BODY(scene.joint_place(index), body=scene.names[ends.body[index]])


def _below_triggers(scene: PhysicsScene) -> Mask:
    """Return which nodes are triggers or below one, shape (n,); parents may form cycles."""
    marked = np.zeros(len(scene.parents), dtype=np.bool_)
    marked[[node for node, kinds in scene.carries.items() if "trigger" in kinds]] = True
    above = scene.parents.copy()
    for _ in range(len(above).bit_length()):
        inside = above >= 0
        marked[inside] |= marked[above[inside]]
        above[inside] = above[above[inside]]
    return marked


def _check_nodes(scene: PhysicsScene, ends: JointEnds) -> Iterator[Finding]:
    """Yield joints that are deep below their body, or share their node."""
    node = scene.frame_owners()[ends.node]
    is_on_body = ends.body == node
    deep = (ends.body >= 0) & ~is_on_body & (scene.parents[node] != ends.body)
    for index in np.flatnonzero(deep):
        yield NOT_DIRECTLY_BELOW(scene.joint_place(index), body=scene.names[ends.body[index]])
    is_more = np.zeros(len(scene.parents), dtype=np.bool_)
    is_more[[at for at, kinds in scene.carries.items() if not kinds.isdisjoint(_BESIDE)]] = True
    for index in np.flatnonzero(is_more[node]):
        kinds = [kind for kind in _BESIDE if kind in scene.carries[int(node[index])]]
        yield SHARES_NODE(scene.joint_place(index), kinds=" and a ".join(kinds))
    for index in np.flatnonzero(is_on_body):
        yield ON_BODY_ITSELF(scene.joint_place(index))


def _check_duplicates(scene: PhysicsScene, ends: JointEnds) -> Iterator[Finding]:
    """Yield joints between two bodies at the same two frames as an earlier one."""
    pairs = np.sort(np.stack((ends.body, ends.connected_body), axis=1), axis=1)
    chosen = np.flatnonzero(ends.are_beside_others() & (ends.connected >= 0))
    if not len(chosen):
        return
    first = _cells(scene, ends.node[chosen])
    second = _cells(scene, ends.connected[chosen])
    seen: dict[tuple[tuple[int, ...], ...], str] = {}
    for index, one, other in zip(chosen, first, second, strict=True):
        place = scene.joint_place(index)
        key = (tuple(pairs[index].tolist()), *sorted((one, other)))
        if key in seen:
            yield SAME_FRAMES(place, other=seen[key])
        else:
            seen[key] = place


def _cells(scene: PhysicsScene, nodes: Indices) -> list[tuple[int, ...]]:
    """Return in which cell of a fine grid the pose of each node lies."""
    matrices = scene.matrices[nodes]
    usable = np.isfinite(matrices).all(axis=(-2, -1)) & (np.abs(matrices) < 1e12).all(axis=(-2, -1))
    pose: Pose = pose_from_matrix(np.where(usable[:, None, None], matrices, np.eye(4)))
    parts = (pose.position, pose.rotation, nodes[:, None] * ~usable[:, None] * _GRID)
    return list(map(tuple, np.rint(np.concatenate(parts, axis=1) / _GRID).tolist()))


def check_groups(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield groups of three or more connected bodies that nothing holds."""
    if not scene.joints:
        return
    for number, body, count in loose_groups(joint_ends(scene), scene.are_dynamic()):
        yield HELD_BY_NOTHING(scene.joint_place(number), count=count, body=scene.names[body])


def loose_groups(ends: JointEnds, is_dynamic: Mask) -> Iterator[tuple[int, int, int]]:
    """Yield the number of a joint, its body and the number of bodies of each loose group.

    `is_dynamic` says which nodes are dynamic bodies, shape (n,).
    """
    linked = np.flatnonzero((ends.body >= 0) & (ends.connected_body >= 0))
    if not len(linked):
        return
    nodes, number = _numbered(len(is_dynamic), ends.body[linked], ends.connected_body[linked])
    one, other = number[ends.body[linked]], number[ends.connected_body[linked]]
    group = connected_groups(len(nodes), one, other)
    is_held = np.zeros(len(nodes), dtype=np.bool_)
    is_held[group[~is_dynamic[nodes]]] = True
    is_held[group[_fastened(ends, number)]] = True
    first = np.full(len(nodes), len(one))
    np.minimum.at(first, group[one], np.arange(len(one)))
    sizes = np.bincount(group, minlength=len(nodes))
    is_loose = (sizes > 2) & ~is_held & (first < len(one))
    for label in np.flatnonzero(is_loose).tolist():
        at = first[label]
        yield int(linked[at]), int(nodes[one[at]]), int(sizes[label])


def _numbered(count: int, *parts: Indices) -> tuple[Indices, Indices]:
    """Return the nodes that occur among `count`, ascending, and the number of each, else -1."""
    is_there = np.zeros(count, dtype=np.bool_)
    for part in parts:
        is_there[part] = True
    nodes, number = np.flatnonzero(is_there), np.full(count, -1, dtype=np.intp)
    number[nodes] = np.arange(len(nodes))
    return nodes, number


def _fastened(ends: JointEnds, number: Indices) -> Indices:
    """Return the numbers of bodies that are joined to no body, which is the world."""
    alone = (ends.body < 0) ^ (ends.connected_body < 0)
    bodies = np.maximum(ends.body, ends.connected_body)[alone & (ends.connected >= 0)]
    numbers = number[bodies]
    return np.asarray(numbers[numbers >= 0])


def _check_masses(scene: PhysicsScene, ends: JointEnds) -> Iterator[Finding]:
    masses = np.ones(len(scene.names) + 1)
    masses[list(scene.motions)] = [motion.mass for motion in scene.motions.values()]
    pairs = np.stack((masses[ends.body], masses[ends.connected_body]), axis=1)
    light, heavy = pairs.min(axis=1), pairs.max(axis=1)
    both = ends.is_dynamic & ends.is_connected_dynamic & (light > 0.0)
    ratio = heavy / np.where(both, light, 1.0)
    for index in np.flatnonzero(both & (ratio > _MASS_RATIO * _SAME_MASS)):
        bodies = (int(ends.body[index]), int(ends.connected_body[index]))
        low, high = sorted(bodies, key=masses.__getitem__)
        names = {"light": scene.names[low], "heavy": scene.names[high]}
        yield MASS_RATIO(scene.joint_place(index), ratio=ratio[index], **names)
