"""What each axis of a joint can do, however its limits are grouped."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.checks.axis_bounds import axis_bounds
from omi_joints_addon.core.checks.settings_columns import columns_of
from omi_joints_addon.core.meaning.axes import (
    FREE,
    LOCKED,
    Interval,
    JointAxes,
    JointAxis,
    joint_axes,
    one_axis_limit,
    one_axis_settings,
)
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose
from tests.core.limits import joint_of
from tests.core.strategies import joint_settings, limits, poses
from tests.limit_excess import limit_excess

Range = tuple[float, float, bool]
ANY, ZERO = (-math.inf, math.inf, False), (0.0, 0.0, False)


def ranges(axes: tuple[JointAxis, ...]) -> list[Range]:
    return [(axis.min, axis.max, axis.is_shared) for axis in axes]


def settings_of(axes: JointAxes) -> JointSettings:
    """Return the settings that axes and what stands beside them are."""
    own = [
        one_axis_limit(number, axis.own)
        for number, axis in enumerate(axes.all)
        if not axis.own.is_free
    ]
    return JointSettings(limits=(*own, *axes.shared, *axes.further))


class TestRanges:
    def test_limits_on_one_axis_intersect(self):
        axes = joint_axes(joint_of(("X", "", -2, 1), ("X", "", -1, 3)))
        assert ranges(axes.linear) == [(-1.0, 1.0, False), ANY, ANY]
        assert ranges(axes.angular) == [ANY, ANY, ANY]

    def test_limits_that_exclude_each_other_leave_an_empty_range(self):
        (x, _, _) = joint_axes(joint_of(("X", "", 1, 2), ("X", "", -2, -1))).linear
        assert x.min > x.max
        assert [x.is_locked, x.is_free, x.is_bounded] == [False, False, False]

    def test_tube_is_shared_by_its_axes(self):
        shared = (-0.5, 0.5, True)
        assert ranges(joint_axes(joint_of(("XZ", "", 0, 0.5))).linear) == [shared, ANY, shared]

    def test_limit_over_several_axes_is_not_shared_where_one_of_them_moves(self):
        axes = joint_axes(joint_of(("XZ", "", 0, 0.5), ("Z", "", 0, 0)))
        assert ranges(axes.linear) == [(-0.5, 0.5, False), ANY, ZERO]

    def test_bounds_that_no_angle_reaches_have_no_effect(self):
        wide = joint_of(("", "XY", 0, math.pi), ("", "Z", -4, 4))
        assert ranges(joint_axes(wide).angular) == [ANY, ANY, ANY]
        (x, _, _) = joint_axes(joint_of(("", "X", -4, 1))).angular
        assert (x.min, x.max) == (-math.inf, 1.0)


@given(st.lists(joint_settings, max_size=4))
def test_ranges_of_many_are_those_of_each(many: list[JointSettings]):
    bounds = axis_bounds(columns_of(many))
    for settings, lower, upper in zip(many, bounds.lower, bounds.upper, strict=True):
        both = [(axis.min, axis.max) for axis in joint_axes(settings).all]
        assert both == list(zip(lower, upper, strict=True))


def excess(settings: JointSettings, pose: Pose) -> float:
    return max((float(np.max(limit_excess(limit, pose))) for limit in settings.limits), default=0.0)


@given(st.lists(limits(bounds=st.floats(-3.0, 3.0)), max_size=4), poses)
def test_axes_mean_what_the_limits_meant(some, pose):
    rigid = tuple(
        JointLimit(linear_axes=x.linear_axes, angular_axes=x.angular_axes, min=x.min, max=x.max)
        for x in some
    )
    axes = joint_axes(JointSettings(limits=rigid))
    again = settings_of(axes)
    before, after = excess(JointSettings(limits=rigid), pose), excess(again, pose)
    assert (before <= 1e-9) == (after <= 1e-9) or min(before, after) < 1e-6
    assert [axis.own for axis in joint_axes(again).all] == [axis.own for axis in axes.all]


def test_axes_of_a_hinge():
    settings = hinge(min_angle=-1.0, max_angle=2.0)
    axes = joint_axes(settings)
    assert (axes.moving, axes.shared, axes.further) == ((5,), (), ())
    assert [axis.own for axis in axes.all] == [LOCKED] * 5 + [Interval(min=-1.0, max=2.0)]
    assert one_axis_settings(5, Interval(min=-1.0, max=2.0)) == settings


def test_a_joint_of_one_axis_that_is_locked_is_a_weld():
    (linear, angular) = one_axis_settings(1, LOCKED).limits
    assert (linear.linear_axes, angular.angular_axes) == ((0, 1, 2), (0, 1, 2))


def test_shared_limits_and_soft_ones_beside_hard_ones_stay_beside():
    cone = JointLimit(angular_axes=(1, 2), max=0.5)
    soft = JointLimit(angular_axes=(0,), min=-0.1, max=0.1, stiffness=5.0)
    hard = JointLimit(angular_axes=(0,), min=-1.0, max=1.0)
    axes = joint_axes(JointSettings(limits=(soft, cone, hard)))
    assert (axes.shared, axes.further) == ((cone,), (soft,))
    assert axes.angular[1].own == FREE
    assert (axes.angular[0].min, axes.angular[0].own.min) == (-0.1, -1.0)


def test_damping_of_rigid_limits_does_not_keep_them_apart():
    limits_ = (
        JointLimit(linear_axes=(0,), min=-1.0, damping=3.0),
        JointLimit(linear_axes=(0,), max=2.0),
    )
    axes = joint_axes(JointSettings(limits=limits_))
    assert (axes.linear[0].own.min, axes.linear[0].own.max, axes.further) == (-1.0, 2.0, ())


def test_drives_are_on_their_axis_and_those_of_other_extensions_on_none():
    along, about = JointDrive(axis=1), JointDrive(type=DriveType.ANGULAR, axis=1)
    other = JointDrive(type="VENDOR_drive", axis=1)
    axes = joint_axes(JointSettings(drives=(other, about, along, about)))
    assert [axis.drives for axis in axes.all] == [(), (along,), (), (), (about, about), ()]
