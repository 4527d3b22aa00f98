"""Walks over bodies and joints, against plain definitions of the same."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.graph import (
    WORLD,
    connected_groups,
    joint_ends,
    links_of,
    reached,
    spanning_tree,
)
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from tests.core.physics_scenes import HINGE, motion


def linked(kinds: list[str], pairs: list[tuple[int, int]], **attributes) -> PhysicsScene:
    """Return bodies 0 to n-1 and joints (child, parent); body -1 is a bare node of the world."""
    count = len(kinds)
    nodes = [*range(count), *(n for pair in pairs for n in pair)]
    return PhysicsScene(
        names=tuple(f"n{n}" for n in range(len(nodes))),
        parents=np.array([-1] * count + nodes[count:], dtype=np.intp),
        matrices=np.tile(np.eye(4), (len(nodes), 1, 1)),
        motions={n: motion(type_) for n, type_ in enumerate(kinds)},
        joints=tuple(
            Joint(
                node=count + 2 * n,
                connected=count + 2 * n + 1,
                settings=HINGE,
                attributes=JointAttributes(in_articulation=attributes.get(f"j{n}", True)),
            )
            for n in range(len(pairs))
        ),
    )


graphs = st.integers(1, 9).flatmap(
    lambda count: st.tuples(
        st.lists(
            st.sampled_from(["static", "dynamic", "kinematic"]), min_size=count, max_size=count
        ),
        st.lists(st.tuples(st.integers(-1, count - 1), st.integers(-1, count - 1)), max_size=14),
    )
)


@given(graphs)
def test_tree_holds_each_body_once_after_its_parent_and_every_joint_has_one_place(graph):
    kinds, pairs = graph
    scene = linked(kinds, pairs)
    tree = spanning_tree(scene)
    assert sorted(tree.order) == list(range(len(kinds)))
    place = {body: at for at, body in enumerate(tree.order)}
    for body, number in tree.joints.items():
        parent = tree.parents[body]
        assert set(pairs[number]) == {body, parent}
        assert parent == WORLD or place[parent] < place[body]
        assert kinds[body] == "dynamic"
    used = sorted((*tree.joints.values(), *tree.loops, *tree.idle))
    assert used == list(range(len(pairs)))


@given(graphs)
def test_roots_are_one_for_each_group_that_nothing_holds(graph):
    kinds, pairs = graph
    tree = spanning_tree(linked(kinds, pairs))
    links = links_of(pairs)
    held = reached(links, [WORLD, *(n for n, type_ in enumerate(kinds) if type_ != "dynamic")])
    floating = {frozenset(reached(links, [n])) for n in range(len(kinds)) if n not in held}
    roots = [root for root in tree.roots() if kinds[root] == "dynamic"]
    assert len(roots) == len(floating)
    hanging = {one for one, other in pairs if one != other}
    expected = {min(group, key=lambda body: (body in hanging, body)) for group in floating}
    assert set(roots) == expected


def test_floating_robots_stand_on_the_body_that_hangs_on_nothing_or_is_named():
    scene = linked(["dynamic"] * 3, [(0, 2), (1, 0)])
    assert spanning_tree(scene).roots() == (2,)
    named = replace(scene, articulations=(Articulation(root=1),))
    assert spanning_tree(named).roots() == (1,)


@given(graphs)
def test_groups_are_what_bodies_reach_of_each_other(graph):
    kinds, pairs = graph
    pairs = [pair for pair in pairs if -1 not in pair]
    links = links_of(pairs)
    expected = {frozenset(reached(links, [n])) for n in range(len(kinds))}
    one, other = np.array(pairs, np.intp).reshape(-1, 2).T
    labels = connected_groups(len(kinds), one, other)
    assert {frozenset(np.flatnonzero(labels == each).tolist()) for each in labels} == expected


def test_numbering_is_depth_first_with_children_in_the_order_of_their_nodes():
    pairs = [(3, 0), (1, 0), (2, 1), (4, 3)]
    assert spanning_tree(linked(["static", *["dynamic"] * 4], pairs)).order == (0, 1, 2, 3, 4)


def test_breadth_first_takes_the_shorter_way_and_leaves_the_loop():
    pairs = [(1, 0), (2, 1), (3, 2), (3, 0)]
    tree = spanning_tree(linked(["static", *["dynamic"] * 3], pairs))
    assert (tree.parents[3], tree.parents[2], tree.loops) == (0, 1, (2,))


def test_joints_out_of_the_articulation_close_loops_where_others_hold_the_body():
    pairs = [(2, 0), (1, 0), (2, 1)]
    tree = spanning_tree(linked(["static", "dynamic", "dynamic"], pairs, j0=False))
    assert tree.loops == (0,)
    alone = spanning_tree(linked(["static", "dynamic"], [(1, 0)], j0=False))
    assert alone.joints == {1: 0}


def test_chain_of_20_000_bodies_is_walked_without_recursion():
    count = 20_000
    pairs = [(n, n - 1) for n in range(1, count)]
    tree = spanning_tree(linked(["static", *["dynamic"] * (count - 1)], pairs))
    assert tree.order == tuple(range(count))
    one, other = np.array(pairs, np.intp).T
    assert not connected_groups(count, one, other).any()


def test_a_joint_without_connected_node_counts_as_connected_with_itself():
    scene = linked(["dynamic"], [(0, 0)])
    joint = replace(scene.joints[0], connected=None)
    alone = replace(scene, joints=(joint,))
    assert alone.other_nodes.tolist() == [joint.node]
    assert joint_ends(alone).connected.tolist() == [-1]
    assert spanning_tree(replace(scene, joints=(joint,))).idle == (0,)
