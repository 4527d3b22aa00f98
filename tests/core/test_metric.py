"""Metrics of limits against closed forms."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.metric import (
    angular_metric,
    excess_of_each,
    limit_metrics,
    linear_metric,
)
from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.core.model.pose import Pose, quaternion_conjugate, rotate, rotation_matrix
from tests.core.strategies import poses, positions, quaternions, some_axes
from tests.limit_excess import is_within, limit_excess

IDENTITY = np.array((0.0, 0.0, 0.0, 1.0))
angles = st.floats(-math.pi, math.pi, allow_subnormal=False)
single = st.integers(0, 2)


def about(axis: int, angle: float) -> np.ndarray:
    """Return the rotation by an angle about an axis."""
    quaternion = np.zeros(4)
    quaternion[axis] = math.sin(angle / 2.0)
    quaternion[3] = math.cos(angle / 2.0)
    return quaternion


class TestLinear:
    def test_three_four_twelve(self):
        position = np.array((3.0, -4.0, 12.0))
        assert linear_metric((1,), position) == -4.0
        assert linear_metric((0, 1), position) == 5.0
        assert linear_metric((0, 1, 2), position) == 13.0

    @given(positions, single)
    def test_two_axes_measure_the_distance_from_the_line_along_the_third(self, position, third):
        line = np.eye(3)[third]
        expected = np.linalg.norm(position - position.dot(line) * line)
        axes = tuple(axis for axis in range(3) if axis != third)
        assert linear_metric(axes, position) == pytest.approx(expected, abs=1e-12)


class TestAngular:
    @given(single, angles.filter(lambda angle: angle > -math.pi))
    def test_rotation_about_the_axis_is_its_signed_angle(self, axis, angle):
        if abs(angle) < math.pi - 1e-9:
            assert angular_metric((axis,), about(axis, angle)) == pytest.approx(angle, abs=1e-9)

    @pytest.mark.parametrize("axis", range(3))
    def test_half_turn_is_positive_whatever_the_sign_of_the_quaternion(self, axis):
        for sign in (1.0, -1.0):
            quaternion = np.zeros(4)
            quaternion[axis] = sign
            assert angular_metric((axis,), quaternion) == math.pi

    @given(single, single, angles)
    def test_rotation_about_another_axis_has_no_twist(self, axis, other, angle):
        if axis != other:
            assert angular_metric((axis,), about(other, angle)) == 0.0

    @pytest.mark.parametrize("axis", range(3))
    def test_half_turn_about_another_axis_has_no_twist(self, axis):
        for other in {0, 1, 2} - {axis}:
            for sign in (1.0, -1.0):
                quaternion = np.zeros(4)
                quaternion[other] = sign
                assert angular_metric((axis,), quaternion) == 0.0

    @given(quaternions, st.integers(0, 2))
    def test_two_axes_measure_the_angle_between_the_third_axes(self, rotation, third):
        axes = tuple(axis for axis in range(3) if axis != third)
        own = np.eye(3)[third]
        other = rotation_matrix(rotation)[:, third]
        # Kahan's form, accurate near 0 and pi where arccos is not.
        expected = 2.0 * math.atan2(np.linalg.norm(own - other), np.linalg.norm(own + other))
        assert angular_metric(axes, rotation) == pytest.approx(expected, abs=1e-9)

    @given(quaternions)
    def test_three_axes_measure_the_angle_of_the_rotation(self, rotation):
        cosine = (np.trace(rotation_matrix(rotation)) - 1.0) / 2.0
        angle = angular_metric((0, 1, 2), rotation)
        assert math.cos(angle) == pytest.approx(cosine, abs=1e-9)
        assert 0.0 <= angle <= math.pi

    @given(quaternions, some_axes)
    def test_both_quaternions_of_a_rotation_measure_the_same(self, rotation, axes):
        one, other = angular_metric(axes, rotation), angular_metric(axes, -rotation)
        turn = abs(float(one) - float(other))
        # Next to a half turn rounding decides on which side of the cut a twist falls.
        assert min(turn, 2.0 * math.pi - turn) == pytest.approx(0.0, abs=1e-9)

    @pytest.mark.parametrize("axes", [(1,), (0, 1), (0, 1, 2)])
    def test_small_angles_keep_their_digits(self, axes):
        assert angular_metric(axes, about(1, 1e-10)) == pytest.approx(1e-10, rel=1e-12)

    @given(quaternions)
    def test_swing_and_twist_make_the_rotation(self, rotation):
        twist = about(0, float(angular_metric((0,), rotation)))
        swing = angular_metric((1, 2), rotation)
        turned = rotate(rotation, rotate(quaternion_conjugate(twist), (1.0, 0.0, 0.0)))
        assert turned[0] == pytest.approx(math.cos(swing), abs=1e-9)

    @given(quaternions, some_axes)
    @example(np.array((0.0, 0.0, -1.0, 2.0**-52)), (2,))  # rounding ended beyond pi
    def test_values_are_in_range(self, rotation, axes):
        angle = angular_metric(axes, rotation)
        assert -math.pi < angle <= math.pi
        assert len(axes) == 1 or angle >= 0.0


class TestLimits:
    HINGE = JointLimit(angular_axes=(2,), min=-0.5, max=1.0)

    @pytest.mark.parametrize(
        ("angle", "excess"), [(-0.5, 0.0), (1.0, 0.0), (0.3, 0.0), (1.25, 0.25), (-0.6, 0.1)]
    )
    def test_excess_is_the_way_back_to_the_nearer_bound(self, angle, excess):
        pose = Pose(np.zeros(3), about(2, angle))
        assert limit_excess(self.HINGE, pose) == pytest.approx(excess, abs=1e-12)

    def test_both_bounds_belong_to_the_range(self):
        limit = JointLimit(linear_axes=(0,), min=-1.0, max=2.0)
        for x, within in ((-1.0, True), (2.0, True), (2.0001, False), (-1.0001, False)):
            assert is_within(limit, Pose(np.array((x, 0.0, 0.0)), IDENTITY)) == within

    def test_hole_of_a_distance_limit(self):
        limit = JointLimit(linear_axes=(0, 1, 2), min=1.0, max=2.0)
        assert limit_excess(limit, Pose(np.zeros(3), IDENTITY)) == 1.0

    def test_weld_holds_linear_and_angular_axes(self):
        weld = JointLimit(linear_axes=(0, 1, 2), angular_axes=(0, 1, 2), min=0.0, max=0.0)
        assert is_within(weld, Pose(np.zeros(3), IDENTITY))
        assert limit_excess(weld, Pose(np.array((0.0, 0.3, 0.4)), IDENTITY)) == 0.5
        assert limit_excess(weld, Pose(np.zeros(3), about(1, 0.75))) == pytest.approx(0.75)

    @given(poses, some_axes)
    def test_limit_without_bounds_always_holds(self, pose, axes):
        assert is_within(JointLimit(linear_axes=axes, angular_axes=axes), pose)

    def test_tolerance_widens_the_range(self):
        pose = Pose(np.array((0.0, 0.0, 1e-4)), IDENTITY)
        limit = JointLimit(linear_axes=(2,), min=0.0, max=0.0)
        assert not is_within(limit, pose)
        assert is_within(limit, pose, tolerance=1e-3)

    @pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,)])
    def test_arrays_of_poses_give_arrays_of_that_shape(self, shape):
        pose = Pose(np.ones((*shape, 3)), np.broadcast_to(IDENTITY, (*shape, 4)))
        for axes in ((1,), (0, 2), (0, 1, 2)):
            limit = JointLimit(linear_axes=axes, angular_axes=axes, min=0.0, max=1.0)
            assert [metric.shape for metric in limit_metrics(limit, pose)] == [shape, shape]
            assert limit_excess(limit, pose).shape == shape
            assert is_within(limit, pose).shape == shape

    @given(st.lists(poses, min_size=1, max_size=4), some_axes)
    def test_array_of_poses_measures_each_alone(self, several, axes):
        stacked = Pose(
            np.stack([pose.position for pose in several]),
            np.stack([pose.rotation for pose in several]),
        )
        limit = JointLimit(linear_axes=axes, angular_axes=axes, min=-0.25, max=0.75)
        alone = [float(limit_excess(limit, pose)) for pose in several]
        assert limit_excess(limit, stacked) == pytest.approx(alone, abs=1e-12)


def test_limits_measured_together_are_outside_by_as_much_as_each_alone() -> None:
    """A distance of 5 m and an angle of 1 rad about X, by bounds of each limit."""
    pose = Pose(np.array((3.0, 4.0, 7.0)), about(0, 1.0))
    both = Pose(np.stack((pose.position, pose.position)), np.stack((pose.rotation, pose.rotation)))
    near, far = (
        JointLimit(linear_axes=(0, 1), min=low, max=high) for low, high in ((0, 2), (6, 9))
    )
    assert excess_of_each([near, far], both).tolist() == pytest.approx([3.0, 1.0])
    loose, tight = (JointLimit(angular_axes=(0,), min=-high, max=high) for high in (2.0, 0.75))
    assert excess_of_each([loose, tight], both).tolist() == pytest.approx([0.0, 0.25])
