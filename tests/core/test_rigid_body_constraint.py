"""What joints Blender's Rigid Body Constraints mean; measured signs are in tests with Blender."""

import math

import pytest

from omi_joints_addon.core.engines.blender_constraint import (
    FREE,
    LOCKED,
    ConstraintType,
    Motor,
    RigidBodyConstraint,
    Spring,
    constraint_settings,
)
from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.core.model.joint import JointDrive, JointLimit

RANGES = ((-0.5, 1.0), (-2.0, 3.0), (-0.25, 0.75))


def settings_of(type_: str, **values):
    constraint = RigidBodyConstraint(type=ConstraintType(type_), **values)
    settings, findings = constraint_settings(constraint, "Constraint")
    return settings, [found.code for found in findings]


def limits_of(type_: str, **values):
    settings, codes = settings_of(type_, **values)
    return [(e.linear_axes, e.angular_axes, e.min, e.max) for e in settings.limits], codes


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("FIXED", JointKind.FIXED),
        ("POINT", JointKind.PIN),
        ("HINGE", JointKind.HINGE),
        ("SLIDER", JointKind.SLIDER),
        ("PISTON", JointKind.CYLINDRICAL),
        ("GENERIC", JointKind.FREE),
    ],
)
def test_types_are_the_joints_of_that_name(type_, kind):
    settings, codes = settings_of(type_)
    assert (joint_kind(settings), codes) == (kind, [])


def test_hinge_turns_about_z_and_its_angle_is_mirrored():
    assert limits_of("HINGE", angular=RANGES) == (
        [
            ((0, 1, 2), (), 0.0, 0.0),
            ((), (0, 1), 0.0, 0.0),
            ((), (2,), -0.75, 0.25),
        ],
        [],
    )


def test_piston_turns_about_x_and_its_angle_is_not_mirrored():
    assert limits_of("PISTON", linear=RANGES, angular=RANGES) == (
        [
            ((1, 2), (), 0.0, 0.0),
            ((0,), (), -0.5, 1.0),
            ((), (1, 2), 0.0, 0.0),
            ((), (0,), -0.5, 1.0),
        ],
        [],
    )


def test_slider_has_no_angle():
    limits, codes = limits_of("SLIDER", linear=RANGES, angular=RANGES)
    assert limits == [
        ((1, 2), (), 0.0, 0.0),
        ((0,), (), -0.5, 1.0),
        ((), (0, 1, 2), 0.0, 0.0),
    ]
    assert codes == []


def test_generic_bounds_each_axis_by_itself():
    limits, codes = limits_of("GENERIC", linear=(*RANGES[:2], FREE), angular=(LOCKED, FREE, LOCKED))
    assert limits == [
        ((0,), (), -0.5, 1.0),
        ((1,), (), -2.0, 3.0),
        ((), (0, 2), 0.0, 0.0),
    ]
    assert codes == []


def test_lower_above_upper_is_free():
    assert limits_of("GENERIC", linear=((1.0, 0.0), FREE, FREE)) == ([], [])


@pytest.mark.parametrize(
    "angular", [(LOCKED, FREE, FREE), (RANGES[0], FREE, FREE), (RANGES[0], RANGES[1], LOCKED)]
)
def test_several_angles_are_not_exact(angular):
    assert limits_of("GENERIC", angular=angular)[1] == ["OMI-B045"]


@pytest.mark.parametrize(
    "angular", [(FREE, FREE, FREE), (RANGES[0], LOCKED, LOCKED), (LOCKED, LOCKED, LOCKED)]
)
def test_one_angle_or_all_is_exact(angular):
    assert limits_of("GENERIC", angular=angular)[1] == []


def test_linear_spring_is_a_drive_to_rest():
    spring = Spring(stiffness=100.0, damping=5.0)
    settings, codes = settings_of("GENERIC_SPRING", linear_springs=(None, spring, None))
    assert codes == []
    assert settings.drives == (
        JointDrive(axis=1, position_target=0.0, velocity_target=0.0, stiffness=100.0, damping=5.0),
    )


def test_springs_count_in_generic_springs_only():
    spring = Spring(stiffness=100.0, damping=5.0)
    assert settings_of("GENERIC", linear_springs=(spring, None, None))[0].drives == ()


def test_springs_that_are_not_exact_are_named():
    spring, none = Spring(stiffness=1.0, damping=1.0), (None, None, None)
    old = {"linear_springs": (spring, None, None), "has_old_springs": True}
    assert settings_of("GENERIC_SPRING", **old)[1] == ["OMI-B048"]
    turning = {"linear_springs": none, "angular_springs": (None, None, spring)}
    assert settings_of("GENERIC_SPRING", **turning)[1] == ["OMI-B049"]


def test_motor_drives_the_first_object_with_a_force():
    motor = Motor(velocity=2.0, max_force=10.0)
    settings, codes = settings_of("MOTOR", linear_motor=motor, angular_motor=motor)
    assert codes == ["OMI-B047", "OMI-B047"]
    assert settings.limits == ()
    # Full force of 10 N until the velocity lacks a hundredth of 2 m/s.
    expected = {"max_force": 10.0, "velocity_target": -2.0, "damping": pytest.approx(500.0)}
    for drive, type_ in zip(settings.drives, ("linear", "angular"), strict=True):
        assert (drive.type, drive.axis) == (type_, 0)
        assert {name: getattr(drive, name) for name in expected} == expected


def test_motor_at_rest_is_a_brake():
    (drive,) = settings_of("MOTOR", linear_motor=Motor(velocity=0.0, max_force=1.0))[0].drives
    assert (drive.velocity_target, math.isfinite(drive.damping)) == (0.0, True)


def test_breakable_constraint_is_named():
    settings, codes = settings_of("FIXED", break_force=9.0)
    assert codes == ["OMI-B046"]
    assert settings.limits == (
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0),
    )
