"""Nesting and flattening keep world matrices; nodes may be dropped and put in another order."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.body import Trigger
from omi_joints_addon.core.model.graph import spanning_tree
from omi_joints_addon.core.rewrite.tree import (
    depth_first,
    flattened,
    nested,
    with_nodes,
)
from tests.core.test_graph import graphs, linked


@given(graphs)
def test_nesting_and_flattening_keep_joints_and_trees(graph):
    scene = linked(*graph)
    inside = nested(scene)
    tree = spanning_tree(scene)
    for body in tree.order:
        expected = tree.parents[body] if body in tree.joints else -1
        assert inside.parents[body] == expected
    flat = flattened(inside)
    owners = flat.bodies()
    assert all(flat.parents[n] < 0 or owners[flat.parents[n]] < 0 for n in flat.motions)
    assert flat.parents.tolist() == scene.parents.tolist()
    assert inside.joints == scene.joints
    assert np.array_equal(inside.matrices, scene.matrices)
    assert spanning_tree(inside).joints == tree.joints


@given(graphs, st.randoms(use_true_random=False))
def test_nodes_in_another_order_are_the_same_scene(graph, random):
    scene = replace(linked(*graph), excluded_pairs=((0, 0),), articulations=(Articulation(root=0),))
    order = list(range(len(scene.names)))
    random.shuffle(order)
    back = [order.index(node) for node in range(len(order))]
    again = with_nodes(with_nodes(scene, order), back)
    assert (again.names, again.joints, again.motions) == (scene.names, scene.joints, scene.motions)
    assert again.parents.tolist() == scene.parents.tolist()
    assert (again.excluded_pairs, again.articulations) == (
        scene.excluded_pairs,
        scene.articulations,
    )


def test_what_refers_to_dropped_nodes_goes():
    pairs = [(1, 0), (2, 1)]
    scene = replace(
        linked(["static", "dynamic", "dynamic"], pairs),
        couplings=(Coupling(joint=1, source=0),),
        triggers={1: Trigger(nodes=(2, 3))},
    )
    rest = with_nodes(scene, [0, 1, 2, 4, 5, 6])
    assert [joint.node for joint in rest.joints] == [4]
    assert (rest.couplings, rest.triggers[1].nodes) == ((), (2,))


def test_order_by_parents():
    scene = replace(linked(["static"] * 4, []), parents=np.array([2, -1, 1, 1]))
    assert depth_first(scene) == [1, 2, 0, 3]
