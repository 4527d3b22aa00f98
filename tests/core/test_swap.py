"""Settings of a joint whose ends change places mean the same, or are refused."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.meaning.recognition import joint_kind
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose, quaternion_conjugate, rotate
from omi_joints_addon.core.rewrite.swap import SwapError, swapped_settings
from tests.core.strategies import limits, poses
from tests.limit_excess import limit_excess

SMALL = 1e-9
ANGULAR_LOCK = JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0)
LINEAR_LOCK = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
HINGE_LOCK = JointLimit(angular_axes=(0, 1), min=0.0, max=0.0)
"""Rotation about Z only."""


def inverse(pose: Pose) -> Pose:
    """Return the joint node's frame in the connected frame."""
    back = quaternion_conjugate(pose.rotation)
    return Pose(-rotate(back, pose.position), back)


def excess(settings: JointSettings, pose: Pose) -> float:
    return max((float(limit_excess(limit, pose)) for limit in settings.limits), default=0.0)


def is_at_half_turn(pose: Pose) -> bool:
    """Return whether a twist about an axis is next to the cut of its range."""
    twists = [float(angular_metric((axis,), pose.rotation)) for axis in range(3)]
    return any(abs(twist) > math.pi - 1e-6 for twist in twists)


def assert_means_the_same(settings: JointSettings, pose: Pose) -> None:
    """Check that the pose is as far outside as the inverse pose is after swapping."""
    assume(not is_at_half_turn(pose))
    before, after = excess(settings, pose), excess(swapped_settings(settings), inverse(pose))
    assert after == pytest.approx(before, abs=1e-6)


def assert_allows_the_same(settings: JointSettings, pose: Pose) -> None:
    """Check that the pose is allowed where the inverse pose is allowed after swapping."""
    assume(not is_at_half_turn(pose))
    before, after = excess(settings, pose), excess(swapped_settings(settings), inverse(pose))
    assume(before <= SMALL or before > 1e-6)
    assert (after <= 1e-6) == (before <= SMALL)


bounds = st.floats(-3.5, 3.5, allow_subnormal=False)
angular_limits = limits(bounds=bounds).filter(lambda limit: not limit.linear_axes)
any_limits = limits(bounds=bounds)
limits_around_zero = any_limits.map(
    lambda limit: replace(limit, min=-abs(limit.min), max=abs(limit.max))
)
"""Limits that let locked axes be locked."""


@given(st.lists(angular_limits, max_size=3), poses)
def test_angular_limits_are_always_exact(some, pose):
    assert_means_the_same(JointSettings(limits=tuple(some)), pose)


@given(st.floats(0.0, 20.0), poses)
def test_distance_of_the_origins_is_always_exact(distance, pose):
    rope = JointLimit(linear_axes=(0, 1, 2), max=distance)
    assert_means_the_same(JointSettings(limits=(rope,)), pose)


def turned_about_z(pose: Pose) -> Pose:
    """Return the pose with its rotation replaced by one about Z."""
    half = math.atan2(pose.rotation[2], pose.rotation[3])
    return Pose(pose.position, np.array((0.0, 0.0, math.sin(half), math.cos(half))))


@given(st.lists(any_limits, max_size=3), poses)
def test_what_is_accepted_beside_a_hinge_lock_is_exact_where_the_lock_holds(some, pose):
    settings = JointSettings(limits=(HINGE_LOCK, *some))
    try:
        swapped_settings(settings)
    except SwapError:
        assume(False)
    assert_allows_the_same(settings, turned_about_z(pose))


@given(st.lists(limits_around_zero, max_size=3), poses)
def test_everything_is_exact_where_no_axis_turns(some, pose):
    settings = JointSettings(limits=(ANGULAR_LOCK, *some))
    still = Pose(pose.position, np.array((0.0, 0.0, 0.0, 1.0)))
    assert_allows_the_same(settings, still)


@given(st.lists(limits_around_zero, max_size=3), poses)
def test_everything_is_exact_where_the_origins_stay_together(some, pose):
    settings = JointSettings(limits=(LINEAR_LOCK, *some))
    assert_allows_the_same(settings, Pose(np.zeros(3), pose.rotation))


@given(st.lists(limits_around_zero, max_size=4))
def test_swapping_twice_gives_the_same_meaning(some):
    settings = JointSettings(limits=(ANGULAR_LOCK, *some))
    once = swapped_settings(settings)
    twice = swapped_settings(once)
    assert swapped_settings(twice) == once


def test_half_turn_lock_stays_where_it_is():
    lock = JointLimit(angular_axes=(2,), min=math.pi, max=math.pi)
    assert swapped_settings(JointSettings(limits=(lock,))).limits == (lock,)
    pose = Pose(np.zeros(3), np.array((0.0, 0.0, 1.0, 0.0)))
    assert limit_excess(lock, pose) == limit_excess(lock, inverse(pose)) == 0.0


def test_signed_range_is_mirrored():
    limit = JointLimit(angular_axes=(2,), min=-0.25, max=1.0, damping=3.0, carried='{"extras": 1}')
    (mirrored,) = swapped_settings(JointSettings(limits=(limit,))).limits
    assert mirrored == JointLimit(
        angular_axes=(2,), min=-1.0, max=0.25, damping=3.0, carried='{"extras": 1}'
    )


def test_open_range_is_mirrored():
    limit = JointLimit(angular_axes=(2,), min=0.0)
    (mirrored,) = swapped_settings(JointSettings(limits=(limit,))).limits
    assert (mirrored.min, mirrored.max) == (-math.inf, 0.0)
    assert math.copysign(1.0, mirrored.max) == 1.0


def test_limit_whose_parts_need_different_bounds_becomes_two():
    mixed = JointLimit(linear_axes=(2,), angular_axes=(0, 1), min=0.0, max=0.5)
    swapped = swapped_settings(JointSettings(limits=(ANGULAR_LOCK, mixed))).limits
    assert swapped[1:] == (
        JointLimit(linear_axes=(2,), min=-0.5, max=0.0),
        JointLimit(angular_axes=(0, 1), min=0.0, max=0.5),
    )


def test_hinge_motor_turns_the_other_way():
    (drive,) = swapped_settings(preset_settings(Preset.HINGE_MOTOR)).drives
    assert (drive.velocity_target, drive.position_target) == (-2.0 * math.pi, None)


def test_spring_pulls_to_the_mirrored_position():
    settings = preset_settings(Preset.SUSPENSION_SPRING, position_target=0.05)
    (drive,) = swapped_settings(settings).drives
    assert (drive.position_target, drive.velocity_target) == (-0.05, None)


@pytest.mark.parametrize("preset", Preset)
def test_every_preset_can_be_swapped_and_stays_what_it_is(preset):
    settings = preset_settings(preset)
    swapped = swapped_settings(settings)
    assert joint_kind(swapped) == joint_kind(settings)
    assert swapped_settings(swapped) == settings


SLIDE = JointLimit(linear_axes=(2,), min=-1.0, max=1.0)
LINE = JointLimit(linear_axes=(0, 1), min=0.0, max=0.0)
SOFT_HINGE_LOCK = JointLimit(angular_axes=(0, 1), min=0.0, max=0.0, stiffness=10.0)
TURNED_LOCK = JointLimit(angular_axes=(0,), min=1.0, max=1.0)


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ((SLIDE,), "limit 1 .* local Z"),
        ((JointLimit(linear_axes=(0, 1), max=1.0),), "limit 1 .* local Z"),
        ((HINGE_LOCK, JointLimit(linear_axes=(0,), min=0.0)), "limit 2 .* local X"),
        ((HINGE_LOCK, JointLimit(linear_axes=(1, 2), max=1.0)), "limit 2 .* local X"),
        ((SOFT_HINGE_LOCK, SLIDE), "limit 2 .* X and Y .* rigid"),
        ((TURNED_LOCK, LINE), "limit 2 .* X and Y"),
    ],
)
def test_distances_along_axes_that_may_turn_are_refused(members, name):
    with pytest.raises(SwapError, match=name):
        swapped_settings(JointSettings(limits=members))


def test_refused_distances_really_differ():
    """A point on Z of a frame that has turned about X is not on Z of the other frame."""
    pose = Pose(np.array((0.0, 0.0, 0.5)), np.array((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))))
    assert limit_excess(LINE, pose) == 0.0
    assert limit_excess(LINE, inverse(pose)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("drive", "name"),
    [
        (JointDrive(axis=1, velocity_target=1.0), "drive 1 .* local Y"),
        (JointDrive(type="angular", axis=0, position_target=1.0), "drive 1 .* local X"),
        (JointDrive(type="helical", axis=2), "another extension"),
        (JointDrive(mode="impulse", axis=2), "another extension"),
    ],
)
def test_drives_about_axes_that_may_turn_or_of_other_extensions_are_refused(drive, name):
    with pytest.raises(SwapError, match=name):
        swapped_settings(JointSettings(limits=(HINGE_LOCK,), drives=(drive,)))
