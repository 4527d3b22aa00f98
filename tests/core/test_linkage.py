"""Joints that follow others, moved by hand: positions in closed form, limits of all of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.coupling import CannotFollowError
from omi_joints_addon.core.meaning.kinematics import Kinematics
from omi_joints_addon.core.meaning.linkage import led
from omi_joints_addon.core.meaning.reaching import Reach
from omi_joints_addon.core.model.articulation import Coupling
from tests.core.solver_scenes import SceneBuilder, twist

FREE = presets.hinge(axis=2, min_angle=-math.inf, max_angle=math.inf)


def wheels(*couplings, count=3, settings=FREE):
    """Return wheels about Z on the world, beside each other."""
    build = SceneBuilder()
    for number in range(count):
        build.joint(settings, -1, build.body((number, 0, 0)), (number, 0, 0))
    return replace(build.scene(), couplings=couplings)


def at(tree, number, axis, position):
    """Return the values at rest but for one."""
    values = tree.rest.copy()
    values[number, axis] = position
    return values


def turned(scene, number, angle):
    """Return the twists of all joints after one was moved to an angle."""
    tree = Kinematics(scene)
    moved = replace(scene, matrices=tree.matrices(led(tree, number, at(tree, number, 5, angle))))
    return [twist(moved.relative_poses(), n, 2) for n in range(len(scene.joints))]


def test_a_chain_of_polynomials_is_followed():
    first = Coupling(joint=1, source=0, coefficients=(0.1, -2.0))
    second = Coupling(joint=2, source=1, coefficients=(0.0, 0.5, 0.25))
    one = 0.1 - 2.0 * 0.4
    expected = (0.4, one, 0.5 * one + 0.25 * one**2)
    # In whatever order couplings are listed.
    for couplings in ((first, second), (second, first)):
        assert turned(wheels(*couplings), 0, 0.4) == pytest.approx(expected)


def test_a_gear_turns_on_beyond_half_a_turn():
    scene = wheels(Coupling(joint=1, source=0, coefficients=(0.0, -2.0)), count=2)
    assert turned(scene, 0, 2.0) == pytest.approx((2.0, 2.0 * math.pi - 4.0))


def test_what_follows_moves_what_it_follows_and_the_rest():
    scene = wheels(
        Coupling(joint=1, source=0, coefficients=(0.1, -2.0)),
        Coupling(joint=2, source=0, coefficients=(0.0, 1.0, 0.0, 1.0)),
    )
    leader = (0.5 - 0.1) / -2.0
    assert turned(scene, 1, 0.5) == pytest.approx((leader, 0.5, leader + leader**3))
    leader = 0.2
    found = turned(scene, 2, leader + leader**3)
    assert found == pytest.approx((leader, 0.1 - 2 * leader, leader + leader**3))


@pytest.mark.parametrize("coefficients", [(0.0, 0.0, 1.0), (0.3,), (0.3, 0.0)])
def test_what_has_no_single_answer_is_refused_in_plain_words(coefficients):
    scene = wheels(Coupling(joint=1, source=0, coefficients=coefficients), count=2)
    names = [scene.names[joint.node] for joint in scene.joints]
    with pytest.raises(CannotFollowError, match=f"move {names[0]} instead"):
        turned(scene, 1, 0.2)
    assert turned(scene, 0, 0.2)[1] == pytest.approx(
        sum(c * 0.2**power for power, c in enumerate(coefficients))
    )


def test_a_curve_that_turns_outside_of_the_range_has_one_answer():
    bounded = presets.hinge(axis=2, min_angle=0.0, max_angle=1.0)
    scene = wheels(
        Coupling(joint=1, source=0, coefficients=(0.0, 0.0, 1.0)), count=2, settings=bounded
    )
    assert turned(scene, 1, 0.25) == pytest.approx((0.5, 0.25))


def test_the_limit_of_what_follows_stops_what_leads():
    build = SceneBuilder()
    bounded = presets.hinge(axis=2, min_angle=-0.5, max_angle=0.6)
    for number, settings in enumerate((FREE, bounded)):
        build.joint(settings, -1, build.body((number, 0, 0)), (number, 0, 0))
    scene = replace(
        build.scene(), couplings=(Coupling(joint=1, source=0, coefficients=(0.0, -2.0)),)
    )
    tree = Kinematics(scene)
    within = Reach(tree).within
    assert within(at(tree, 0, 5, 1.0))[:, 5] == pytest.approx((0.25, -0.5))
    assert within(at(tree, 0, 5, -1.0))[:, 5] == pytest.approx((-0.3, 0.6))


def test_what_follows_stops_at_the_end_of_what_it_follows():
    build = SceneBuilder()
    bounded = presets.hinge(axis=2, min_angle=-0.5, max_angle=0.5)
    for number, settings in enumerate((bounded, FREE)):
        build.joint(settings, -1, build.body((number, 0, 0)), (number, 0, 0))
    scene = replace(
        build.scene(), couplings=(Coupling(joint=1, source=0, coefficients=(0.0, 3.0)),)
    )
    tree = Kinematics(scene)
    goal = Reach(tree).within(led(tree, 1, at(tree, 1, 5, 2.0)))
    assert goal[:, 5] == pytest.approx((0.5, 1.5))


def test_a_gripper_closes_with_either_finger_and_its_hand_stays():
    build = SceneBuilder()
    hand = build.body((0, 0, 0), mass=5.0)
    slider = presets.slider(axis=0, min_distance=0.0, max_distance=0.04)
    fingers = [build.body((side, 0, 0.1)) for side in (-0.1, 0.1)]
    tip = build.body((0.1, 0, 0.2))
    for finger in fingers:
        build.joint(slider, hand, finger, (0, 0, 0.1))
    build.joint(presets.fixed(), fingers[1], tip, (0.1, 0, 0.15))
    scene = replace(
        build.scene(), couplings=(Coupling(joint=1, source=0, coefficients=(0.0, -1.0)),)
    )
    tree = Kinematics(scene, first=(0, fingers[0]))
    moved = tree.matrices(tree.with_followers(at(tree, 0, 0, 0.03)))
    np.testing.assert_allclose(moved[hand], scene.matrices[hand])
    np.testing.assert_allclose(moved[fingers, 0, 3], (-0.07, 0.07))
    np.testing.assert_allclose(moved[tip, 0, 3], 0.07)
    # Where the hand is what moves, the finger that was taken stays.
    tree = Kinematics(scene, first=(0, hand))
    carried = tree.matrices(tree.with_followers(at(tree, 0, 0, 0.03)))
    np.testing.assert_allclose(carried[fingers, 0, 3], (-0.1, 0.04))


def test_couplings_between_joints_with_several_axes_are_left_out():
    scene = wheels(Coupling(joint=1, source=0), count=2, settings=presets.pin())
    assert turned(scene, 0, 0.3)[1] == 0.0
