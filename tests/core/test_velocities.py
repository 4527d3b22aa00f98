"""Velocities along trees of joints: closed forms, the way back, and what a simulation does."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.velocities import at_rest, body_velocities, joint_velocities
from omi_joints_addon.core.model.graph import joint_ends, spanning_tree
from omi_joints_addon.core.model.pose import pose_from_matrix, rotation_matrix
from omi_joints_addon.core.rewrite.tree import flattened, nested
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import SceneBuilder, turn

FREE = presets.hinge(axis=2, min_angle=-math.inf, max_angle=math.inf)
NUMBERS = st.floats(-3.0, 3.0)


def arm():
    """Return two links of one meter on the world, turning about Z, the second one turned."""
    build = SceneBuilder(gravity=(0, 0, 0))
    one = build.body((0.5, 0, 0), inertia=0.1)
    two = build.body((1.5, 0, 0), turn((1, 2, 3), 0.7), inertia=0.1, center_of_mass=(0.1, 0, 0.2))
    build.joint(FREE, -1, one, (0, 0, 0))
    build.joint(FREE, two, one, (1, 0, 0))
    return build.scene(), one, two


def axes_of(scene, node):
    return rotation_matrix(pose_from_matrix(scene.matrices[node]).rotation)


def with_joint_velocities(scene, velocities):
    """Return the scene with bodies that move as their joints do, from the roots of the tree on."""
    tree, connected = spanning_tree(scene), joint_ends(scene).connected_body
    moves, motions = body_velocities(scene), dict(scene.motions)
    for body in tree.order:
        if body not in tree.joints:
            continue
        number = tree.joints[body]
        joint = scene.joints[number]
        axes, place = axes_of(scene, joint.node), scene.matrices[joint.other, :3, 3]
        sign = 1.0 if connected[number] == body else -1.0
        base = moves.get(tree.parents[body], at_rest(place)).at(place)
        along, about = (sign * (axes @ part) for part in np.split(velocities[number], 2))
        moves[body] = base.plus(along, about).at(moves[body].place)
        own = axes_of(scene, body)
        motions[body] = replace(
            motions[body],
            linear_velocity=tuple(moves[body].linear @ own),
            angular_velocity=tuple(moves[body].angular @ own),
        )
    return replace(scene, motions=motions)


def rate(value):
    return np.array((0, 0, 0, 0, 0, value), float)


def test_links_of_an_arm_move_as_the_closed_form_says():
    """ω₂ = q₁' + q₂', v₂ = q₁' z x (1, 0, 0) + ω₂ z x (c - (1, 0, 0)), c its center of mass."""
    scene, one, two = arm()
    # The second joint is on the outer link: what it measures is the inner one seen from it.
    moved = with_joint_velocities(scene, {0: rate(2.0), 1: rate(-3.0)})
    first, second = moved.motions[one], moved.motions[two]
    np.testing.assert_allclose(first.linear_velocity, (0, 1.0, 0), atol=1e-12)
    np.testing.assert_allclose(first.angular_velocity, (0, 0, 2.0), atol=1e-12)
    axes = scene.matrices[two, :3, :3]
    center = scene.matrices[two, :3, 3] + axes @ (0.1, 0, 0.2)
    expected = np.cross((0, 0, 2.0), (1, 0, 0)) + np.cross((0, 0, 5.0), center - (1, 0, 0))
    np.testing.assert_allclose(axes @ second.linear_velocity, expected, atol=1e-12)
    np.testing.assert_allclose(axes @ second.angular_velocity, (0, 0, 5.0), atol=1e-12)
    np.testing.assert_allclose(joint_velocities(moved), [rate(2.0), rate(-3.0)], atol=1e-12)


@given(values=st.lists(NUMBERS, min_size=24, max_size=24))
@settings(max_examples=30, deadline=None)
def test_velocities_of_joints_come_back(values):
    """A tree of four bodies whose joints move in all six ways, nested and flat."""
    build = SceneBuilder()
    pin, before = presets.pin(), -1
    for number in range(4):
        body = build.body((number, 0.3, -0.2), turn((1, number, 2), 0.4 * number))
        first, second = (body, before) if number % 2 else (before, body)
        frame, other = turn((2, 1, number), 0.5), turn((0, 1, 1), 0.3 * number)
        build.joint(pin, first, second, (number - 0.5, 0, 0), frame, turned=other)
        before = body
    wanted = np.array(values).reshape(4, 6)
    for shape in (nested, flattened):
        moved = with_joint_velocities(shape(build.scene()), dict(enumerate(wanted)))
        np.testing.assert_allclose(joint_velocities(moved), wanted, atol=1e-9)


def test_nesting_and_flattening_leave_each_body_its_own_velocity():
    scene, _, _ = arm()
    moving = with_joint_velocities(scene, {0: rate(2.0), 1: rate(1.0)})
    for shape in (nested, flattened):
        assert shape(moving).motions == moving.motions


def test_a_simulation_starts_as_told():
    scene, _, _ = arm()
    simulation = Simulation(with_joint_velocities(scene, {0: rate(2.0), 1: rate(-3.0)}))
    simulation.advance(1e-3, substeps=1)
    angles = [2.0 * math.atan2(q[2], q[3]) for q in simulation.relative_poses().rotation]
    start = [2.0 * math.atan2(q[2], q[3]) for q in scene.relative_poses().rotation]
    assert np.subtract(angles, start) / 1e-3 == pytest.approx((2.0, -3.0), rel=1e-2)


def test_velocities_that_pull_a_joint_apart_are_told():
    scene, one, _ = arm()
    fast = replace(scene.motions[one], linear_velocity=(0.0, 1.0, 0.0))
    torn = replace(scene, motions=scene.motions | {one: fast})
    found = [item for item in check_scene(torn) if item.code == "OMI-J021"]
    assert [item.place for item in found] == [scene.names[joint.node] for joint in scene.joints]
    assert "1 m/s" in found[0].message
    whole = with_joint_velocities(scene, {0: rate(2.0), 1: rate(-3.0)})
    assert "OMI-J021" not in [item.code for item in check_scene(whole)]
