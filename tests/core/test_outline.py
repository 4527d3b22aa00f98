"""What is drawn is what the limits allow: drawn points against the metric, for random poses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from omi_joints_addon.core.meaning.metric import angular_metric, linear_metric
from omi_joints_addon.core.meaning.presets import ball_with_cone
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array, Pose, rotate
from omi_joints_addon.core.outline.angular import STEPS
from omi_joints_addon.core.outline.drives import rotation_of_twists, target_poses
from omi_joints_addon.core.outline.joint import (
    OutlinedJoints,
    Part,
    collect_shapes,
    joint_states,
    outline,
    shape_states,
)
from omi_joints_addon.core.outline.pieces import Piece, Role, State
from omi_joints_addon.core.outline.shapes import ANGULAR, AXIS_SETS, Figure, metric_values
from tests.limit_excess import is_within

AXES = st.sampled_from((0, 1, 2))
SEGMENT = 2.0 * math.pi / STEPS
ANGLES = st.floats(-math.pi, math.pi)
SAMPLES = 100


def joints(*limits: JointLimit, pose: Pose | None = None, drives=()) -> OutlinedJoints:
    """Return one joint with the limits at a pose, the identity if none is given."""
    if pose is None:
        pose = Pose(np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]]))
    each = JointSettings(limits=limits, drives=drives)
    return OutlinedJoints(settings=(each,), pose=pose, is_connected=np.ones(1, bool))


def pieces(drawn: OutlinedJoints, *roles: Role, axis: int | None = None) -> list[Piece]:
    return [
        piece
        for piece in outline(drawn)
        if piece.role in roles and (axis is None or piece.axis[0] == axis)
    ]


def faces(drawn: OutlinedJoints, axis: int | None = None) -> Array:
    """Return the triangles (t, 3, 3) of the allowed region at size 1."""
    found = [p.points()[0].reshape(-1, 3, 3) for p in pieces(drawn, Role.RANGE, axis=axis)]
    return np.concatenate(found) if found else np.empty((0, 3, 3))


def hits(triangles: Array, directions: Array) -> NDArray[np.bool_]:
    """Return whether rays (n, 3) from the origin meet a triangle (t, 3, 3), shape (n,)."""
    matrices = np.moveaxis(triangles, 1, 2)
    solid = np.abs(np.linalg.det(matrices)) > 1e-14
    if not solid.any():
        return np.zeros(len(directions), bool)
    weights = np.einsum("tij,nj->nti", np.linalg.inv(matrices[solid]), directions)
    return (weights >= -1e-7).all(axis=2).any(axis=1)


def covers(triangles: Array, points: Array, axis: int) -> NDArray[np.bool_]:
    """Return whether triangles in the plane across `axis` cover points (n, 3) in it."""
    lift = np.eye(3)[axis]
    return hits(triangles + lift, points + lift)


def about(axis: Array, angle: Array) -> Array:
    """Return the quaternions (n, 4) of rotations about unit axes (n, 3) by angles (n,)."""
    half = angle[:, None] / 2.0
    return np.concatenate((np.sin(half) * axis, np.cos(half)), axis=1)


def turned(rotation: Array) -> Pose:
    return Pose(np.zeros((len(rotation), 3)), rotation)


def moved(position: Array) -> Pose:
    return Pose(position, np.tile((0.0, 0.0, 0.0, 1.0), (len(position), 1)))


def unit(rng: np.random.Generator, width: int = 3) -> Array:
    vectors = rng.normal(size=(SAMPLES, width))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def across(rng: np.random.Generator, axis: int) -> Array:
    """Return random unit vectors perpendicular to an axis."""
    vectors = rng.normal(size=(SAMPLES, 3))
    vectors[:, axis] = 0.0
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def clear_of_edges(limits: tuple[JointLimit, ...], pose: Pose, width: float) -> NDArray[np.bool_]:
    """Return whether no bound is within `width` of the pose."""
    clear = np.ones(len(pose.rotation), bool)
    for limit in limits:
        slack = is_within(limit, pose, tolerance=width)
        tight = JointLimit(
            linear_axes=limit.linear_axes,
            angular_axes=limit.angular_axes,
            min=limit.min + width,
            max=limit.max - width,
        )
        clear &= slack == is_within(tight, pose)
    return clear


@given(axis=AXES, low=ANGLES, high=ANGLES, seed=st.integers(0, 2**32 - 1))
def test_sector_holds_the_allowed_angles(axis: int, low: float, high: float, seed: int) -> None:
    limit = JointLimit(angular_axes=(axis,), min=min(low, high), max=max(low, high))
    rng = np.random.default_rng(seed)
    pose = turned(about(np.tile(np.eye(3)[axis], (SAMPLES, 1)), rng.uniform(-3.1, 3.1, SAMPLES)))
    drawn = 0.5 * rotate(pose.rotation, np.eye(3)[(axis + 1) % 3])
    clear = clear_of_edges((limit,), pose, 1e-3)
    expected = is_within(limit, pose)
    found = covers(faces(joints(limit), axis), drawn, axis)
    assert (found == expected)[clear].all()


@given(
    third=AXES, low=st.floats(0.0, 3.0), width=st.floats(0.1, 3.0), seed=st.integers(0, 2**32 - 1)
)
def test_cone_holds_the_allowed_directions(third: int, low: float, width: float, seed: int) -> None:
    pair = tuple(axis for axis in range(3) if axis != third)
    limit = JointLimit(angular_axes=pair, min=low, max=min(low + width, 3.1))
    pose = turned(unit(np.random.default_rng(seed), 4))
    found = hits(faces(joints(limit), third), rotate(pose.rotation, np.eye(3)[third]))
    clear = clear_of_edges((limit,), pose, SEGMENT)
    assert (found == is_within(limit, pose))[clear].all()


@given(
    third=AXES,
    lows=st.tuples(st.floats(-2.0, 1.0), st.floats(-2.0, 1.0)),
    widths=st.tuples(st.floats(0.1, 2.5), st.floats(0.1, 2.5)),
    cone=st.none() | st.floats(0.3, 2.0),
    seed=st.integers(0, 2**32 - 1),
)
def test_two_angular_limits_leave_the_directions_that_both_allow(
    third: int,
    lows: tuple[float, float],
    widths: tuple[float, float],
    cone: float | None,
    seed: int,
) -> None:
    one, two = (third + 1) % 3, (third + 2) % 3
    limits = [
        JointLimit(angular_axes=(axis,), min=low, max=low + width)
        for axis, low, width in zip((one, two), lows, widths, strict=True)
    ]
    if cone is not None:
        limits.append(JointLimit(angular_axes=tuple(sorted((one, two))), max=cone))
    drawn = joints(*limits)
    assert Figure.SWING in collect_shapes(drawn.settings).rows["kind"]
    rng = np.random.default_rng(seed)
    pose = turned(about(across(rng, third), rng.uniform(0.0, 2.8, SAMPLES)))
    found = hits(faces(drawn), rotate(pose.rotation, np.eye(3)[third]))
    clear = clear_of_edges(tuple(limits), pose, SEGMENT)
    expected = np.all([is_within(limit, pose) for limit in limits], axis=0)
    assert (found == expected)[clear].all()


@given(
    axis=AXES, low=st.floats(0.0, 2.5), width=st.floats(0.1, 3.0), seed=st.integers(0, 2**32 - 1)
)
def test_cap_holds_how_far_a_rotation_may_turn_each_axis(
    axis: int, low: float, width: float, seed: int
) -> None:
    limit = JointLimit(angular_axes=(0, 1, 2), min=low, max=min(low + width, 3.1))
    rng = np.random.default_rng(seed)
    pose = turned(about(across(rng, axis), rng.uniform(0.0, 3.1, SAMPLES)))
    three = [p.points()[0].reshape(-1, 3, 3) for p in pieces(joints(limit), Role.RANGE)]
    found = hits(three[axis], rotate(pose.rotation, np.eye(3)[axis]))
    clear = clear_of_edges((limit,), pose, SEGMENT)
    assert len(three) == 3
    assert (found == is_within(limit, pose))[clear].all()


@given(axis=AXES, low=st.floats(-2.0, 1.0), width=st.floats(0.01, 2.0))
def test_bar_reaches_from_minimum_to_maximum(axis: int, low: float, width: float) -> None:
    limit = JointLimit(linear_axes=(axis,), min=low, max=low + width)
    along = faces(joints(limit), axis).reshape(-1, 3)[:, axis]
    assert (along.min(), along.max()) == pytest.approx((limit.min, limit.max))


def test_unbounded_side_of_a_bar_fades_out() -> None:
    (bar,) = pieces(joints(JointLimit(linear_axes=(0,), min=0.25)), Role.RANGE)
    along, strength = bar.points()[0, :, 0], bar.strength[0]
    assert along.min() == pytest.approx(0.25)
    assert set(strength[along == along.max()]) == {0.0}
    assert set(strength[along == along.min()]) == {1.0}


@given(
    third=AXES, low=st.floats(0.0, 1.0), width=st.floats(0.1, 1.0), seed=st.integers(0, 2**32 - 1)
)
def test_cut_of_a_tube_holds_the_allowed_distances(
    third: int, low: float, width: float, seed: int
) -> None:
    limit = JointLimit(
        linear_axes=tuple(axis for axis in range(3) if axis != third), min=low, max=low + width
    )
    rng = np.random.default_rng(seed)
    pose = moved(across(rng, third) * rng.uniform(0.0, 2.2, (SAMPLES, 1)))
    cut, wall = pieces(joints(limit), Role.RANGE)
    clear = clear_of_edges((limit,), pose, 0.02)
    found = covers(cut.points()[0].reshape(-1, 3, 3), pose.position, third)
    assert (found == is_within(limit, pose))[clear].all()
    radius = np.linalg.norm(np.delete(wall.points()[0], third, axis=1), axis=1)
    assert radius == pytest.approx(limit.max)


@given(
    axis=AXES, low=st.floats(0.0, 1.0), width=st.floats(0.1, 1.0), seed=st.integers(0, 2**32 - 1)
)
def test_cuts_of_a_ball_hold_the_allowed_distances(
    axis: int, low: float, width: float, seed: int
) -> None:
    limit = JointLimit(linear_axes=(0, 1, 2), min=low, max=low + width)
    rng = np.random.default_rng(seed)
    pose = moved(across(rng, axis) * rng.uniform(0.0, 2.2, (SAMPLES, 1)))
    cuts = [p.points()[0].reshape(-1, 3, 3) for p in pieces(joints(limit), Role.RANGE)]
    clear = clear_of_edges((limit,), pose, 0.02)
    assert (covers(cuts[axis], pose.position, axis) == is_within(limit, pose))[clear].all()


def test_tube_ends_where_its_axis_is_limited() -> None:
    tube = JointLimit(linear_axes=(0, 1), max=0.5)
    along = JointLimit(linear_axes=(2,), min=-0.25, max=1.0)
    wall = pieces(joints(tube, along), Role.RANGE, axis=2)[-1].points()[0]
    assert (wall[:, 2].min(), wall[:, 2].max()) == pytest.approx((-0.25, 1.0))


def test_limits_on_one_axis_show_their_intersection() -> None:
    drawn = joints(
        JointLimit(angular_axes=(2,), min=-1.0, max=0.5),
        JointLimit(angular_axes=(2,), min=-0.2, max=2.0),
    )
    rows = collect_shapes(drawn.settings).rows
    (shape,) = rows[rows["kind"] == Figure.SECTOR]
    assert (shape["low"], shape["high"]) == (-0.2, 0.5)


def test_limits_that_leave_nothing_are_errors() -> None:
    drawn = joints(
        JointLimit(angular_axes=(2,), min=-1.0, max=-0.5),
        JointLimit(angular_axes=(2,), min=0.5, max=1.0),
    )
    assert joint_states(drawn).tolist() == [State.ERROR]
    (sector,) = pieces(drawn, Role.RANGE)
    states = shape_states(collect_shapes(drawn.settings), drawn)
    assert states[sector.shape].tolist() == [State.ERROR]


@pytest.mark.parametrize(
    ("angle", "state"),
    [(0.0, State.NORMAL), (0.5, State.AT_LIMIT), (0.6, State.VIOLATED), (-2.0, State.VIOLATED)],
)
def test_state_follows_the_present_angle(angle: float, state: State) -> None:
    pose = turned(about(np.array([[0.0, 1.0, 0.0]]), np.array([angle])))
    drawn = joints(JointLimit(angular_axes=(1,), min=-1.0, max=0.5), pose=pose)
    assert joint_states(drawn).tolist() == [state]


def test_a_bound_where_its_metric_ends_stops_nothing() -> None:
    """A fresh cone, a taut ball of radius 0.3, a whole turn; bounds that stop are still reached."""
    cone = JointLimit(angular_axes=(0, 1), min=0.0, max=0.7)
    rope = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.3)
    hole = JointLimit(angular_axes=(0, 1), min=0.2, max=0.7)
    aside = turned(about(np.array([[0.0, 1.0, 0.0]]), np.array([0.2])))
    rim = turned(about(np.array([[0.0, 1.0, 0.0]]), np.array([0.7])))
    assert joint_states(joints(cone, rope)).tolist() == [State.NORMAL]
    assert joint_states(joints(cone, pose=rim)).tolist() == [State.AT_LIMIT]
    assert joint_states(joints(hole, pose=aside)).tolist() == [State.AT_LIMIT]


def test_a_fresh_ball_with_cone_is_not_at_a_limit() -> None:
    assert joint_states(joints(*ball_with_cone(axis=2).limits)).tolist() == [State.NORMAL]


@given(seed=st.integers(0, 2**32 - 1))
def test_values_of_shapes_are_those_of_the_metric(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose = Pose(rng.normal(size=(SAMPLES, 3)), unit(rng, 4))
    metrics, joint = np.arange(SAMPLES, dtype=np.int8) % (2 * ANGULAR), rng.permutation(SAMPLES)
    found = metric_values(metrics, joint, pose)
    for metric, number, value in zip(metrics, joint, found, strict=True):
        axes = AXIS_SETS[metric % ANGULAR]
        if metric < ANGULAR:
            assert value == linear_metric(axes, pose.position[number])
        else:
            assert value == angular_metric(axes, pose.rotation[number])


def test_locked_axis_at_its_value_is_not_at_a_limit() -> None:
    assert joint_states(joints(JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0))) == [0]


def test_weld_is_six_locked_marks() -> None:
    weld = JointLimit(linear_axes=(0, 1, 2), angular_axes=(0, 1, 2), min=0.0, max=0.0)
    kinds = collect_shapes(joints(weld).settings).rows["kind"]
    assert kinds.tolist() == [Figure.LOCK] * 6


def test_joint_without_limits_is_free_on_six_axes() -> None:
    kinds = collect_shapes(joints().settings).rows["kind"]
    assert sorted(kinds.tolist()) == [Figure.RING] * 3 + [Figure.RAY] * 3


def test_soft_edge_is_dashed() -> None:
    def length(stiffness: float) -> float:
        limit = JointLimit(angular_axes=(0,), min=-1.0, max=1.0, stiffness=stiffness)
        lines = pieces(joints(limit), Role.EDGE)[0].points()[0].reshape(-1, 2, 3)
        return float(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum())

    assert length(100.0) == pytest.approx(length(math.inf) / 2.0)


def test_needle_points_where_the_connected_frame_points() -> None:
    pose = turned(about(np.array([[0.0, 0.0, 1.0]]), np.array([0.3])))
    limit = JointLimit(angular_axes=(2,), min=-1.0, max=1.0)
    (needle,) = pieces(joints(limit, pose=pose), Role.CURRENT, axis=2)
    tip = needle.points()[0, 1]
    assert tip / np.linalg.norm(tip) == pytest.approx((math.cos(0.3), math.sin(0.3), 0.0))


@given(seed=st.integers(0, 2**32 - 1))
def test_ghost_has_the_twists_of_the_targets(seed: int) -> None:
    twists = np.random.default_rng(seed).uniform(-3.0, 3.0, (SAMPLES, 3))
    rotation = rotation_of_twists(twists)
    values = np.stack([angular_metric((axis,), rotation) for axis in range(3)], axis=1)
    assert values == pytest.approx(twists)


def test_target_of_a_linear_drive_is_a_place() -> None:
    drives = (JointDrive(type=DriveType.LINEAR, axis=1, position_target=0.4, stiffness=1.0),)
    pose = moved(np.array([[0.1, 0.2, 0.3]]))
    drawn = joints(drives=drives, pose=pose)
    has_target, target = target_poses(drawn.settings, drawn.pose)
    assert has_target.all()
    assert target.position.tolist() == [[0.1, 0.4, 0.3]]
    (arrow, *_) = pieces(drawn, Role.TARGET)
    assert arrow.points()[0, :2].tolist() == [[0.1, 0.2, 0.3], [0.1, 0.4, 0.3]]


def test_motor_arrow_turns_the_way_of_the_target() -> None:
    drives = (JointDrive(type=DriveType.ANGULAR, axis=2, velocity_target=-1.0),)
    (arrow,) = pieces(joints(drives=drives), Role.VELOCITY)
    start, end = arrow.points()[0, :2]
    assert np.cross(start, end)[2] < 0.0


def test_gap_runs_from_frame_to_frame_and_tethers_to_bodies() -> None:
    drawn = OutlinedJoints(
        settings=(JointSettings(),),
        pose=moved(np.array([[1.0, 0.0, 0.0]])),
        is_connected=np.ones(1, bool),
        bodies=np.array([[[0.0, 2.0, 0.0], [math.nan] * 3]]),
    )
    (gap,) = pieces(drawn, Role.GAP)
    assert gap.points()[0].tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    (tether,) = pieces(drawn, Role.TETHER)
    assert tether.points()[0, -1] == pytest.approx((0.0, 2.0, 0.0))


def test_a_dashed_line_runs_to_the_joint_that_is_followed() -> None:
    drawn = OutlinedJoints(
        settings=(JointSettings(), JointSettings()),
        pose=moved(np.zeros((2, 3))),
        is_connected=np.ones(2, bool),
        followed=np.array([[math.nan] * 3, [0.0, 0.0, 3.0]]),
    )
    (link,) = pieces(drawn, Role.COUPLING)
    assert link.joint.tolist() == [1]
    assert link.points()[0, [0, -1]].tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 3.0]]


def test_only_chosen_parts_are_drawn() -> None:
    roles = {piece.role for piece in outline(joints(), (Part.FRAMES,))}
    assert roles == {Role.FRAME, Role.CONNECTED}


def test_joint_without_connected_frame_has_no_present_value() -> None:
    limit = JointLimit(angular_axes=(2,), min=0.5, max=1.0)
    drawn = joints(limit)
    alone = OutlinedJoints(settings=drawn.settings, pose=drawn.pose, is_connected=np.zeros(1, bool))
    assert not pieces(alone, Role.CURRENT, Role.CONNECTED)
    assert joint_states(alone).tolist() == [State.NORMAL]


def test_no_joints_give_nothing() -> None:
    nothing = OutlinedJoints(
        settings=(),
        pose=Pose(np.empty((0, 3)), np.empty((0, 4))),
        is_connected=np.empty(0, bool),
    )
    assert list(outline(nothing)) == []


@pytest.mark.parametrize("degrees", [5.0, 40.0, 90.0, 140.0])
@pytest.mark.parametrize("stiffness", [math.inf, 10.0])
def test_chords_of_a_cone_keep_to_its_rim(degrees: float, stiffness: float) -> None:
    """Along the chords no point is further from the rim than 0.05 degrees of the unit sphere."""
    angle = math.radians(degrees)
    limit = JointLimit(angular_axes=(0, 1), max=angle, stiffness=stiffness)
    (rim,) = pieces(joints(limit), Role.MAX)
    ends = rim.points()[0].reshape(-1, 2, 3)
    ends = ends / np.linalg.norm(ends[0, 0])
    middles = ends.mean(axis=1)
    radius = np.linalg.norm(middles[:, :2], axis=-1)
    off = np.hypot(radius - math.sin(angle), middles[:, 2] - math.cos(angle))
    assert np.degrees(off.max()) <= 0.05
