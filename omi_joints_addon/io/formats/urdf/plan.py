"""Which links and joints a scene becomes: names, frames, and which link is whose child."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ....core.meaning.naming import take_free_name
from ....core.model.body import Motion, MotionType
from ....core.model.graph import WORLD, SpanningTree, spanning_tree
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.rewrite.tree import depth_first

_STILL = np.eye(4)
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How a scene becomes a robot."""

    tree: SpanningTree
    has_world: bool
    """Whether a link stands for the world, above all others."""
    rigid: Array
    """World matrices of all nodes without scale, shape (n, 4, 4)."""
    matrices: Mapping[int, Array]
    """Rigid world matrix of the link of each node that is one; -1 is the world's."""
    names: Mapping[int, str]
    """Name of the link of each node that is one."""
    joint_names: Mapping[int, str]
    """Name of each joint by its number."""
    holders: Mapping[int, int]
    """Node of the link that holds each node which is a plain link; bodies are in the tree."""
    link_of: Mapping[int, int]
    """Node of the link that each other node is part of, such as colliders."""


def plan_of(scene: PhysicsScene, *, is_ros: bool = False) -> Plan:
    """Return how a scene becomes a robot; `is_ros` keeps names to letters, digits and _."""
    tree = spanning_tree(scene)
    frames = {end for joint in scene.joints for end in (joint.node, joint.other)}
    beside = frames | scene.colliders.keys() | scene.visuals.keys() | scene.triggers.keys()
    beside |= _around_shapes(scene)
    owner = scene.bodies()
    holders: dict[int, int] = {}
    link_of: dict[int, int] = {}
    for node in depth_first(scene):
        if node in scene.motions:
            continue
        above = int(scene.parents[node])
        link = above if above in scene.motions or above in holders else link_of.get(above, WORLD)
        if node not in beside and owner[node] >= 0:
            holders[node] = link
        else:
            link_of[node] = link
    rigid = scene.rigid_matrices
    matrices = {WORLD: _STILL} | {node: rigid[node] for node in holders}
    matrices |= {body: _link_matrix(scene, tree, rigid[body], body) for body in tree.order}
    links = [*tree.order, *holders]
    taken: set[str] = set()
    names = {node: _unique(scene.names[node] or "link", taken, is_ros=is_ros) for node in links}
    names[WORLD] = _unique("world", taken, is_ros=is_ros)
    # Links and joints have names of their own each.
    taken_by_joints: set[str] = set()
    return Plan(
        tree=tree,
        has_world=_needs_world(scene, tree, link_of, matrices),
        rigid=rigid,
        matrices=matrices,
        names=names,
        joint_names={
            number: _unique(scene.names[joint.node] or "joint", taken_by_joints, is_ros=is_ros)
            for number, joint in enumerate(scene.joints)
        },
        holders=holders,
        link_of=link_of,
    )


def _around_shapes(scene: PhysicsScene) -> set[int]:
    """Return the nodes that only hold the shape of a scaled object of Blender, in its place."""
    counts = np.bincount(scene.parents[scene.parents >= 0], minlength=len(scene.names))
    found = set[int]()
    for node in scene.colliders:
        above = int(scene.parents[node])
        is_only = above >= 0 and counts[above] == 1 and above not in scene.motions
        if is_only and scene.names[node] == f"{scene.names[above]} Shape":
            found.add(above)
    return found


def _needs_world(
    scene: PhysicsScene,
    tree: SpanningTree,
    link_of: Mapping[int, int],
    matrices: Mapping[int, Array],
) -> bool:
    """Return whether there is not one link above all others, at the origin if it stands still."""
    parts = scene.colliders.keys() | scene.visuals.keys()
    roots = tree.roots()
    is_on_world = any(tree.parents[body] == WORLD for body in tree.joints)
    if len(roots) != 1 or is_on_world or any(link_of.get(node) == WORLD for node in parts):
        return True
    if scene.is_dynamic(roots[0]):
        return False
    # A root with mass may fall, and readers take it for a body that does.
    motion = scene.motions[roots[0]]
    is_heavy = motion != Motion(type=motion.type)
    return is_heavy or bool(np.abs(matrices[roots[0]] - _STILL).max() > _CLOSE)


def _link_matrix(scene: PhysicsScene, tree: SpanningTree, own: Array, body: int) -> Array:
    """Return the frame of a body's link: its own, moved to the joint to its parent."""
    matrix = own.copy()
    if body in tree.joints:
        joint = scene.joints[tree.joints[body]]
        is_own = _is_on(scene, joint.node, body)
        matrix[:3, 3] = scene.matrices[joint.node if is_own else joint.other][:3, 3]
    return matrix


def _is_on(scene: PhysicsScene, node: int, body: int) -> bool:
    seen: set[int] = set()
    while node >= 0 and node not in seen:
        if node in scene.motions:
            return node == body
        seen.add(node)
        node = int(scene.parents[node])
    return False


def _unique(name: str, taken: set[str], *, is_ros: bool) -> str:
    if is_ros:
        name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    return take_free_name(name, taken)


def motion_type(scene: PhysicsScene, body: int) -> str:
    """Return how a body moves, static for the world."""
    return scene.motions[body].type if body >= 0 else MotionType.STATIC
