"""Frames that are turned or moved measure the same with the settings that come with them."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.axes import joint_axes
from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.pose import (
    Pose,
    compose,
    quaternion_product,
    relative_pose,
    rotate,
    rotation_matrix,
)
from omi_joints_addon.core.rewrite.turning import (
    HALF_TURNS,
    IDENTITY,
    X_BECOMES_Y,
    X_BECOMES_Z,
    arcs,
    frames_of_axes,
    moved_connected_frames,
    turned_scene,
    turned_settings,
    zero_of_range,
)
from tests.core.physics_scenes import door
from tests.core.strategies import drives, limits, poses, quaternions
from tests.limit_excess import limit_excess

TURNS = (IDENTITY, X_BECOMES_Y, X_BECOMES_Z, *HALF_TURNS)
IDENTITY_POSE = Pose(np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))
angles = st.floats(-3.0, 3.0)
bounded = limits(bounds=st.floats(-3.0, 3.0))
unit = quaternions.map(lambda q: rotate(q, np.array((0.0, 0.0, 1.0))))


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    return np.array((*(math.sin(angle / 2.0) * axis), math.cos(angle / 2.0)))


def turned_frame(frame: Pose, turn: np.ndarray) -> Pose:
    """Return a frame turned in its own axes."""
    return Pose(frame.position, quaternion_product(frame.rotation, turn))


def excess(settings: JointSettings, pose: Pose) -> float:
    return max((float(limit_excess(limit, pose)) for limit in settings.limits), default=0.0)


@pytest.mark.parametrize("turn", TURNS)
def test_names_of_axes_fit_the_rotation(turn):
    columns = rotation_matrix(np.array(turn.rotation)).T
    for axis, column in enumerate(columns):
        expected = np.eye(3)[turn.sources[axis]] * turn.signs[axis]
        assert column == pytest.approx(expected, abs=1e-15)


@given(st.lists(bounded, max_size=3), poses, poses, st.sampled_from(TURNS))
def test_renamed_axes_measure_the_same(some, first, second, turn):
    settings = JointSettings(limits=tuple(some))
    before = relative_pose(first, second)
    twists = [float(angular_metric((axis,), before.rotation)) for axis in range(3)]
    assume(all(abs(twist) < math.pi - 1e-6 for twist in twists))
    after = relative_pose(turned_frame(first, turn.rotation), turned_frame(second, turn.rotation))
    assert excess(turned_settings(settings, turn), after) == pytest.approx(
        excess(settings, before), abs=1e-6
    )


@given(st.lists(bounded, max_size=3), st.lists(drives, max_size=2), st.sampled_from(HALF_TURNS))
def test_two_half_turns_change_no_number(some, pulls, turn):
    settings = JointSettings(limits=tuple(some), drives=tuple(pulls))
    back = turned_settings(turned_settings(settings, turn), turn)
    assert joint_axes(back) == joint_axes(settings) or back == settings
    assert [d.position_target for d in back.drives] == [
        None if d.position_target is None else d.position_target + 0.0 for d in settings.drives
    ]


@given(unit, angles)
def test_hinges_of_tree_formats_measure_the_angle_of_the_file(axis, angle):
    """The child turned by `angle` about `axis`, seen from the parent."""
    frame = Pose(np.zeros(3), frames_of_axes(axis, main=2))
    child = compose(Pose(np.zeros(3), about(axis, angle)), frame)
    twist = angular_metric((2,), relative_pose(child, frame).rotation)
    assert float(twist) == pytest.approx(angle, abs=1e-9)


@given(unit, st.floats(-5.0, 5.0))
def test_sliders_of_tree_formats_measure_the_distance_of_the_file(axis, distance):
    frame = Pose(np.zeros(3), frames_of_axes(axis, main=0))
    child = Pose(distance * axis, frame.rotation)
    assert relative_pose(child, frame).position[0] == pytest.approx(distance, abs=1e-9)


@given(unit, unit)
def test_arcs_turn_onto_the_goal(start, goal):
    turned = rotate(arcs(start, goal), start)
    assert turned == pytest.approx(goal, abs=1e-14)


def test_arc_onto_the_opposite_is_a_half_turn():
    arc = arcs(np.eye(3)[2], -np.eye(3)[2])
    assert abs(arc[3]) < 1e-15
    assert rotate(arc, np.eye(3)[2]) == pytest.approx(-np.eye(3)[2])


@given(angles, st.floats(-3.0, 3.0), st.sampled_from(range(3)))
def test_moved_zero_of_a_hinge_measures_less_by_its_amount(angle, by, axis):
    turned = Pose(np.zeros(3), about(np.eye(3)[axis], angle))
    moved = moved_connected_frames(turned, is_angular=True, axis=axis, by=by)
    expected = math.remainder(angle - by, 2.0 * math.pi)
    measured = float(angular_metric((axis,), moved.rotation))
    assert math.remainder(measured - expected, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)


def test_moved_zero_of_a_slider():
    moved = moved_connected_frames(IDENTITY_POSE, is_angular=False, axis=0, by=0.25)
    assert moved.position.tolist() == [-0.25, 0.0, 0.0]


@pytest.mark.parametrize(
    ("lower", "upper", "zero"),
    [
        (-1.0, 1.0, 0.0),
        (-math.pi, math.pi, None),
        (0.0, math.pi, 0.0),
        (-0.02, 3.75, 1.865),
        (-4.0, -3.5, -3.75),
        (-2.0 * math.pi, 2.0 * math.pi, None),
        (0.0, 2.0 * math.pi, None),
        (-math.inf, 1.0, None),
    ],
)
def test_zero_of_ranges_beyond_half_a_turn(lower, upper, zero):
    assert zero_of_range(lower, upper) == (zero if zero is None else pytest.approx(zero))


def test_scene_of_y_up_stands_up():
    scene = turned_scene(door(gravity=(0.0, -9.81, 0.0)), (0.5**0.5, 0.0, 0.0, 0.5**0.5))
    assert scene.gravity == pytest.approx((0.0, 0.0, -9.81))
    assert scene.matrices[0][:3, 1].tolist() == [0.0, 0.0, 1.0]
