"""Presets: what they are, and the habits of engines they follow."""

import inspect
import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning.axes import joint_axes
from omi_joints_addon.core.meaning.preset_parameters import Quantity
from omi_joints_addon.core.meaning.presets import PRESETS, Preset, preset_settings
from omi_joints_addon.core.meaning.recognition import (
    JointKind,
    joint_kind,
    main_axis_of,
)
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.pose import Pose
from tests.limit_excess import is_within

KINDS = {
    Preset.FIXED: JointKind.FIXED,
    Preset.PIN: JointKind.PIN,
    Preset.HINGE: JointKind.HINGE,
    Preset.SLIDER: JointKind.SLIDER,
    Preset.CYLINDRICAL: JointKind.CYLINDRICAL,
    Preset.PLANAR: JointKind.PLANAR,
    Preset.BALL_WITH_CONE: JointKind.BALL_WITH_CONE,
    Preset.UNIVERSAL: JointKind.UNIVERSAL,
    Preset.SUSPENSION_SPRING: JointKind.SLIDER,
    Preset.HINGE_MOTOR: JointKind.HINGE,
    Preset.POSITION_SERVO: JointKind.HINGE,
}
"""What each preset is recognised as."""


def is_fixed(settings: JointSettings, *, linear: str = "", angular: str = "") -> bool:
    """Return whether exactly the named axes are fixed."""
    axes = joint_axes(settings)
    return (linear, angular) == tuple(
        "".join("XYZ"[axis] for axis in range(3) if three[axis].is_locked)
        for three in (axes.linear, axes.angular)
    )


def test_every_preset_has_an_entry():
    assert set(PRESETS) == set(Preset) == set(KINDS)


@pytest.mark.parametrize("preset", Preset)
class TestEveryPreset:
    def test_is_recognised(self, preset):
        settings = preset_settings(preset)
        assert joint_kind(settings) == KINDS[preset]
        assert main_axis_of(settings) == PRESETS[preset].axis

    def test_is_recognised_about_any_axis(self, preset):
        if PRESETS[preset].axis is None:
            assert "axis" not in inspect.signature(PRESETS[preset].build).parameters
            return
        for axis in range(3):
            settings = preset_settings(preset, axis=axis)
            assert (joint_kind(settings), main_axis_of(settings)) == (KINDS[preset], axis)
            assert {drive.axis for drive in settings.drives} <= {axis}

    def test_allows_the_pose_in_which_the_frames_coincide(self, preset):
        identity = Pose(np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))
        assert all(is_within(limit, identity) for limit in preset_settings(preset).limits)

    def test_keeps_linear_and_angular_axes_apart_and_limits_rigid(self, preset):
        for limit in preset_settings(preset).limits:
            assert bool(limit.linear_axes) != bool(limit.angular_axes)
            assert limit.is_rigid
            # What several axes bound has no sign, and so no lower bound.
            several = len(limit.linear_axes) + len(limit.angular_axes) > 1 and not limit.is_locked
            assert limit.min == -math.inf if several else math.isfinite(limit.min)
            assert math.isfinite(limit.max)

    def test_has_texts_to_show(self, preset):
        info = PRESETS[preset]
        assert info.label.istitle() or info.label == "Ball with Cone"
        assert not info.description.endswith(".")


def test_hinge_is_what_importers_recognise_about_z():
    assert is_fixed(preset_settings(Preset.HINGE), linear="XYZ", angular="XY")


def test_slider_is_what_importers_recognise_along_x():
    assert is_fixed(preset_settings(Preset.SLIDER), linear="YZ", angular="XYZ")


def test_cylindrical_joint_turns_freely_about_its_slide():
    settings = preset_settings(Preset.CYLINDRICAL)
    assert is_fixed(settings, linear="YZ", angular="YZ")
    assert joint_axes(settings).angular[0].is_free


def test_universal_joint_locks_the_twist_about_its_shaft():
    assert is_fixed(preset_settings(Preset.UNIVERSAL), linear="XYZ", angular="X")


@pytest.mark.parametrize("preset", [Preset.BALL_WITH_CONE, Preset.UNIVERSAL])
def test_cone_bounds_an_angle_without_sign(preset):
    cone = preset_settings(preset, cone=0.5).limits
    swing = next(limit for limit in cone if limit.angular_axes == (1, 2))
    assert (swing.min, swing.max) == (-math.inf, 0.5)


@pytest.mark.parametrize(
    ("preset", "parameters"),
    [
        (Preset.HINGE, {"min_angle": -math.inf, "max_angle": math.inf}),
        (Preset.SLIDER, {"min_distance": -math.inf, "max_distance": math.inf}),
        (Preset.BALL_WITH_CONE, {"twist": math.inf}),
    ],
)
def test_infinite_range_is_no_limit(preset, parameters):
    unbounded = preset_settings(preset, **parameters)
    assert joint_kind(unbounded) == KINDS[preset]
    assert len(unbounded.limits) == len(preset_settings(preset).limits) - 1


@pytest.mark.parametrize("preset", [Preset.SUSPENSION_SPRING, Preset.POSITION_SERVO])
def test_springs_have_no_velocity_target_that_would_freeze_them(preset):
    (drive,) = preset_settings(preset).drives
    assert (drive.position_target, drive.velocity_target) == (0.0, None)
    assert drive.stiffness > 0.0
    assert drive.damping > 0.0


def test_motor_has_damping_and_no_spring():
    (drive,) = preset_settings(Preset.HINGE_MOTOR).drives
    assert drive == JointDrive(
        type="angular", axis=2, velocity_target=2.0 * math.pi, damping=10.0, max_force=100.0
    )


def test_servo_is_not_about_z_where_an_importer_loses_its_spring():
    assert main_axis_of(preset_settings(Preset.POSITION_SERVO)) == 0


def test_parameters_reach_the_settings():
    settings = preset_settings(Preset.SLIDER, min_distance=0.0, max_distance=0.25)
    along = joint_axes(settings).linear[0]
    assert (along.min, along.max) == (0.0, 0.25)


def test_a_parameter_has_one_meaning_by_its_name_and_another_by_its_quantity():
    meanings = {
        parameter for info in PRESETS.values() for parameter, _ in info.parameters().values()
    }
    assert len({parameter.name for parameter in meanings}) == len(meanings)
    (angle, _), (distance, _) = (
        PRESETS[preset].parameters()["position_target"]
        for preset in (Preset.POSITION_SERVO, Preset.SUSPENSION_SPRING)
    )
    assert (angle.quantity, distance.quantity) == (Quantity.ANGLE, Quantity.DISTANCE)
