"""Degrees of freedom: what moves, clamping into limits, paths, fitted limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.freedom import (
    clamped,
    fitted_limits,
    freedoms,
    pose_of_values,
    sweeps,
    values_of_pose,
)
from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.meaning.sag import static_sag
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose
from tests.limit_excess import is_within

CONE = presets.ball_with_cone(axis=2, cone=0.5)
BOX = JointSettings(
    limits=(
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(0,), min=-0.4, max=1.2),
        JointLimit(angular_axes=(2,), min=-1.0, max=0.3),
    )
)
BALL = JointSettings(
    limits=(JointLimit(linear_axes=(0, 1, 2), max=0.7), JointLimit(angular_axes=(0, 1, 2), max=0.6))
)
HOLE = JointSettings(limits=(JointLimit(linear_axes=(0, 1), min=0.3, max=0.7),))
EXAMPLES = [
    CONE,
    BOX,
    BALL,
    HOLE,
    presets.hinge(axis=1, min_angle=-0.2, max_angle=0.7),
    presets.slider(axis=2, min_distance=0.1, max_distance=0.4),
]
SIX = st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6).map(np.array)


def test_hinge_has_one_degree_of_freedom_between_its_limits():
    (only,) = freedoms(presets.hinge(axis=1, min_angle=-0.2, max_angle=0.7))
    assert (only.label, only.low, only.high, only.is_bounded) == ("About Y", -0.2, 0.7, True)


def test_free_axes_get_half_a_turn_and_a_meter():
    found = freedoms(JointSettings())
    assert [(f.low, f.high) for f in found] == [(-1.0, 1.0)] * 3 + [(-math.pi, math.pi)] * 3
    assert not any(f.is_bounded for f in found)


def test_cone_has_two_shared_directions_and_twist():
    found = freedoms(CONE)
    assert [f.label for f in found] == ["About X", "About Y", "About Z"]
    assert [f.is_shared for f in found] == [True, True, False]


def test_fixed_joint_has_none():
    assert freedoms(presets.fixed()) == ()


@given(SIX)
def test_values_without_cone_are_the_twists(values):
    pose = pose_of_values(BOX, values)
    for axis in range(3):
        assert angular_metric((axis,), pose.rotation) == pytest.approx(values[3 + axis], abs=1e-6)


@given(SIX)
def test_values_with_cone_are_swing_and_twist(values):
    pose = pose_of_values(CONE, values)
    swing = math.hypot(values[3], values[4])
    if swing < 3.1:
        assert angular_metric((0, 1), pose.rotation) == pytest.approx(swing, abs=1e-6)
        assert angular_metric((2,), pose.rotation) == pytest.approx(values[5], abs=1e-6)


@given(SIX, st.sampled_from([CONE, BOX]))
def test_values_come_back_from_their_pose(values, joint):
    if joint is CONE and math.hypot(values[3], values[4]) > 3.1:
        return
    back = values_of_pose(joint, pose_of_values(joint, values))
    np.testing.assert_allclose(back, values, atol=1e-6)


@given(SIX, st.sampled_from(EXAMPLES))
@settings(deadline=None)
def test_clamped_values_are_within_every_limit(values, joint):
    pose = pose_of_values(joint, clamped(joint, values))
    assert all(is_within(limit, pose, tolerance=1e-6) for limit in joint.limits)


@pytest.mark.parametrize("joint", EXAMPLES)
def test_sweeps_stay_within_and_touch_the_limits(joint):
    for sweep in sweeps(joint):
        poses = pose_of_values(joint, sweep.values)
        assert all(is_within(limit, poses, tolerance=1e-6).all() for limit in joint.limits)
    assert sweeps(joint)[-1].values.shape[1] == 6


def test_cone_is_swept_around_its_edge():
    edge = sweeps(CONE)[-1]
    assert edge.label == "Around XY"
    angles = angular_metric((0, 1), pose_of_values(CONE, edge.values[1:-1]).rotation)
    np.testing.assert_allclose(angles, 0.5, atol=1e-9)


@given(st.lists(SIX, min_size=1, max_size=8), st.sampled_from([None, 0, 2]))
@settings(deadline=None)
def test_fitted_limits_contain_the_poses(rows, cone_axis):
    poses = pose_of_values(JointSettings(), np.array(rows))
    for limit in fitted_limits(poses, cone_axis=cone_axis):
        assert is_within(limit, poses, tolerance=1e-6).all()


def test_fitted_limits_are_tight_and_lock_what_does_not_move():
    angles = np.linspace(-0.3, 0.8, 12)
    values = np.zeros((12, 6))
    values[:, 3] = angles
    found = fitted_limits(pose_of_values(JointSettings(), values))
    assert found[0] == JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
    assert found[1] == JointLimit(angular_axes=(1, 2), min=0.0, max=0.0)
    assert (found[2].angular_axes, found[2].min, found[2].max) == (
        (0,),
        pytest.approx(-0.3),
        pytest.approx(0.8),
    )


def test_soft_lock_sags_by_load_over_stiffness():
    soft = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=0.3)
    assert static_sag(soft, 9.81) == pytest.approx(32.7)
    assert static_sag(JointLimit(linear_axes=(0,), min=-1.0, max=1.0, stiffness=0.3), 9.81) is None
    assert static_sag(JointLimit(angular_axes=(0,), min=0.0, max=0.0, stiffness=0.3), 9.81) is None


def test_a_pose_of_arrays_keeps_its_shape():
    assert pose_of_values(CONE, np.zeros((4, 6))).rotation.shape == (4, 4)
    assert isinstance(pose_of_values(CONE, np.zeros(6)), Pose)
