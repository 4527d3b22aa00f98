"""How far outlines reach, and what is left of joints that are a few pixels large."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array, Pose
from omi_joints_addon.core.outline.far import SPREAD, far_outline, mark_outline, reach_of
from omi_joints_addon.core.outline.joint import OutlinedJoints, Part, outline
from omi_joints_addon.core.outline.ties import METERS

NUMBERS = st.floats(-3.0, 3.0)
BOUNDS = st.one_of(NUMBERS, st.just(math.inf), st.just(0.0))
AXES = st.sets(st.integers(0, 2), min_size=1).map(lambda axes: tuple(sorted(axes)))


@st.composite
def limits(draw: st.DrawFn) -> JointLimit:
    """Return a limit of any axes with bounds of any order."""
    kind = draw(st.sampled_from(("linear_axes", "angular_axes")))
    low, high = draw(BOUNDS), draw(BOUNDS)
    return JointLimit(**{kind: draw(AXES)}, min=-low if low == math.inf else low, max=high)


@st.composite
def drives(draw: st.DrawFn) -> JointDrive:
    return JointDrive(
        type=draw(st.sampled_from(DriveType)),
        axis=draw(st.integers(0, 2)),
        position_target=draw(st.one_of(st.none(), NUMBERS)),
        velocity_target=draw(st.one_of(st.none(), NUMBERS)),
    )


@st.composite
def drawn(draw: st.DrawFn) -> OutlinedJoints:
    """Return one joint of any settings in any pose."""
    settings = JointSettings(
        limits=tuple(draw(st.lists(limits(), max_size=4))),
        drives=tuple(draw(st.lists(drives(), max_size=2))),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rotation = rng.normal(size=(1, 4))
    return OutlinedJoints(
        settings=(settings,),
        pose=Pose(rng.normal(size=(1, 3)), rotation / np.linalg.norm(rotation)),
        is_connected=np.ones(1, bool),
        bodies=rng.normal(size=(1, 2, 3)),
        followed=rng.normal(size=(1, 3)),
    )


def distances(joints: OutlinedJoints) -> Array:
    """Return how far everything that a joint is tied to is away from it."""
    ends = (joints.pose.position, *joints.bodies[0], *joints.followed)
    return np.array([np.linalg.norm(end) for end in ends])


def far_points(joints: OutlinedJoints, size: float) -> list[Array]:
    """Return the points of each piece of one joint that is far, shape (p, 3)."""
    found = [piece.points(size).reshape(-1, 3) for piece in mark_outline(1, tuple(Part))]
    for piece in far_outline(joints.there(), tuple(Part)):
        # Far lines lead to places in meters only.
        assert not piece.tied[..., METERS:].any()
        found.append((piece.tied @ joints.ties()).reshape(-1, 3))
    return found


@given(joints=drawn(), size=st.floats(0.05, 3.0))
def test_nothing_is_drawn_beyond_the_reach(joints: OutlinedJoints, size: float) -> None:
    gap, *others = distances(joints)
    radius = max(SPREAD * size + reach_of(joints.settings[0]) + gap, *others)
    for piece in outline(joints):
        assert np.linalg.norm(piece.points(size), axis=-1).max() <= radius + 1e-9, piece.role
    for points in far_points(joints, size):
        assert np.linalg.norm(points, axis=-1).max() <= radius + 1e-9


@given(joints=drawn())
def test_a_far_joint_keeps_its_place_and_its_lines_to_other_places(joints: OutlinedJoints) -> None:
    mark, *links = far_points(joints, 2.0)
    assert mark.tolist() == [[0.0, 0.0, 0.0]]
    ends = np.stack([points[-1] for points in links])
    expected = [joints.pose.position[0], *joints.bodies[0], joints.followed[0]]
    np.testing.assert_allclose(np.sort(ends, axis=0), np.sort(expected, axis=0), atol=1e-9)
    assert not [*far_outline(joints.there(), ()), *mark_outline(1, ())]
