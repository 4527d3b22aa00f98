"""Limits and drives in words."""

import math

import pytest

from omi_joints_addon.core.meaning.description import describe_drive, describe_limit
from omi_joints_addon.core.model.joint import JointDrive, JointLimit

LIMITS = {
    "fixed along X, Y, Z": JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
    "fixed about X, Y": JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
    "turns about Z -90° to 45°": JointLimit(angular_axes=(2,), min=-math.pi / 2, max=math.pi / 4),
    "turns about Y up to 30°": JointLimit(angular_axes=(1,), max=math.pi / 6),
    "swings in a cone about X within 30°": JointLimit(
        angular_axes=(1, 2), min=-math.pi / 6, max=math.pi / 6
    ),
    "swings in a cone about X within 10° to 30°": JointLimit(
        angular_axes=(1, 2), min=math.pi / 18, max=math.pi / 6
    ),
    "slides along X -0.5 m to 0.5 m, soft 500 N/m, damping 5": JointLimit(
        linear_axes=(0,), min=-0.5, max=0.5, stiffness=500.0, damping=5.0
    ),
    "slides along Z from 0 m": JointLimit(linear_axes=(2,), min=0.0),
    "stays within 2 m of the point": JointLimit(linear_axes=(0, 1, 2), max=2.0),
    "fixed along X, fixed about Z": JointLimit(
        linear_axes=(0,), angular_axes=(2,), min=0.0, max=0.0
    ),
    "turns about Z at 90°": JointLimit(angular_axes=(2,), min=math.pi / 2, max=math.pi / 2),
    "limits nothing": JointLimit(),
}
DRIVES = {
    "motor at 180°/s about Z, at most 5 N·m": JointDrive(
        type="angular", axis=2, velocity_target=math.pi, max_force=5.0
    ),
    "spring to 0.2 m (100 N/m) along X, damping 3": JointDrive(
        axis=0, position_target=0.2, stiffness=100.0, damping=3.0
    ),
    "no target along Y, acceleration mode": JointDrive(axis=1, mode="acceleration"),
}


@pytest.mark.parametrize("words", LIMITS)
def test_limit_in_words(words: str) -> None:
    assert describe_limit(LIMITS[words]) == words


@pytest.mark.parametrize("words", DRIVES)
def test_drive_in_words(words: str) -> None:
    assert describe_drive(DRIVES[words]) == words
