"""Poses: products, rotations, matrices."""

import math

import numpy as np
import pytest
from hypothesis import given

from omi_joints_addon.core.model.pose import (
    Pose,
    compose,
    matrix_from_pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
    relative_pose,
    rotate,
    rotation_from_matrix,
    rotation_matrix,
)
from omi_joints_addon.core.model.settled import settled_rotation
from tests.core.strategies import poses, positions, quaternions

HALF = math.sqrt(0.5)
QUARTER_Z = np.array((0.0, 0.0, HALF, HALF))
QUARTER_X = np.array((HALF, 0.0, 0.0, HALF))


def assert_same_rotation(left, right):
    assert abs(float(np.dot(left, right))) == pytest.approx(1.0, abs=1e-9)


def test_quarter_turn_about_z_takes_x_to_y():
    assert rotate(QUARTER_Z, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


def test_product_applies_the_right_factor_first():
    # Y to Z about X, then Z stays about Z; the other order takes Y to -X.
    assert rotate(quaternion_product(QUARTER_Z, QUARTER_X), (0, 1, 0)) == pytest.approx((0, 0, 1))
    assert rotate(quaternion_product(QUARTER_X, QUARTER_Z), (0, 1, 0)) == pytest.approx((-1, 0, 0))


def test_columns_of_a_matrix_are_the_rotated_axes():
    assert rotation_matrix(QUARTER_Z) == pytest.approx(
        np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    )


@given(quaternions, positions)
def test_rotating_by_the_conjugate_undoes(rotation, vector):
    back = rotate(quaternion_conjugate(rotation), rotate(rotation, vector))
    assert back == pytest.approx(vector, abs=1e-9)


@given(quaternions)
def test_quaternion_of_a_matrix_is_the_rotation(rotation):
    found = rotation_from_matrix(rotation_matrix(rotation))
    assert found[3] >= 0.0
    assert_same_rotation(found, rotation)


@given(poses)
def test_pose_of_a_matrix_is_the_pose(pose):
    found = pose_from_matrix(matrix_from_pose(pose))
    assert found.position == pytest.approx(pose.position, abs=1e-9)
    assert_same_rotation(found.rotation, pose.rotation)


@given(poses, poses)
def test_relative_pose_composed_with_its_frame_is_the_other_frame(frame_a, frame_b):
    found = compose(frame_a, relative_pose(frame_a, frame_b))
    assert found.position == pytest.approx(frame_b.position, abs=1e-9)
    assert_same_rotation(found.rotation, frame_b.rotation)


@given(poses, poses)
def test_relative_pose_is_that_of_the_matrices(frame_a, frame_b):
    expected = np.linalg.inv(matrix_from_pose(frame_a)) @ matrix_from_pose(frame_b)
    found = matrix_from_pose(relative_pose(frame_a, frame_b))
    assert found == pytest.approx(expected, abs=1e-9)


@given(poses)
def test_scale_does_not_reach_the_pose(pose):
    scale = np.diag((2.0, 0.5, 3.0, 1.0))
    found = pose_from_matrix(matrix_from_pose(pose) @ scale)
    assert found.position == pytest.approx(pose.position, abs=1e-9)
    assert_same_rotation(found.rotation, pose.rotation)


@pytest.mark.parametrize("scale", [(-1, 1, 1), (0, 0, 0), (1, 0, 1), (-1, -1, -1)])
def test_mirrored_and_flat_matrices_give_unit_quaternions(scale):
    found = pose_from_matrix(np.diag((*scale, 1.0)))
    assert np.linalg.norm(found.rotation) == pytest.approx(1.0)


def test_all_functions_take_arrays_of_poses():
    rng = np.random.default_rng(1)
    rotations = rng.normal(size=(2, 3, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    many = Pose(rng.normal(size=(2, 3, 3)), rotations)
    found = relative_pose(many, pose_from_matrix(matrix_from_pose(many)))
    assert found.position == pytest.approx(np.zeros((2, 3, 3)), abs=1e-12)
    assert np.abs(found.rotation[..., 3]) == pytest.approx(np.ones((2, 3)))
    one = compose(Pose(many.position[1, 2], many.rotation[1, 2]), many)
    assert one.position.shape == (2, 3, 3)
    assert one.rotation.shape == (2, 3, 4)


@pytest.mark.parametrize("turn", [(1, 1, 1, 0), (0, -1, -1, 1), (1, -1, 1, 0), (2, 1, 0, 2)])
def test_settled_rotation_stays_as_it_is(turn: tuple[float, ...]) -> None:
    """Thirds in a matrix, rounded, are an exact rotation by chance, which they did not start as."""
    once = settled_rotation(np.array(turn) / np.linalg.norm(turn))
    assert settled_rotation(once).tolist() == once.tolist()
    assert settled_rotation([once, once]).tolist() == [once.tolist()] * 2
