"""Mirrored joints: what the metric measures of the mirrored pose is what it measured before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.metric import angular_metric, linear_metric
from omi_joints_addon.core.meaning.presets import PRESETS, Preset, preset_settings
from omi_joints_addon.core.model.joint import DriveType, JointSettings
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose, pose_from_matrix, relative_pose
from omi_joints_addon.core.rewrite.mirror import (
    best_flip,
    mirrored_frame,
    mirrored_settings,
    reflection_across,
)
from tests.core.strategies import drives, limits
from tests.limit_excess import limit_excess

SETTINGS = st.builds(
    JointSettings,
    limits=st.lists(limits(bounds=st.floats(-4.0, 4.0)), max_size=4).map(tuple),
    drives=st.lists(drives, max_size=3).map(tuple),
)
quaternions = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 4)
    .map(np.array)
    .filter(lambda q: np.linalg.norm(q) > 0.1 and abs(q[3]) > 1e-3)
    .map(lambda q: q / np.linalg.norm(q))
)
poses = st.builds(Pose, st.tuples(*[st.floats(-3.0, 3.0)] * 3).map(np.array), quaternions)


def mirrored_pose(pose: Pose, flip: int) -> Pose:
    sign = np.ones(3)
    sign[flip] = -1.0
    return Pose(pose.position * sign, pose.rotation * np.append(-sign, 1.0))


@given(settings=SETTINGS, first=poses, second=poses, space=poses, axis=st.integers(0, 2))
def test_metric_of_the_mirrored_pose_is_the_original_s(settings, first, second, space, axis):
    flip = best_flip(settings)
    reflection = reflection_across(matrix_from_pose(space), axis)
    frames = [mirrored_frame(matrix_from_pose(each), reflection, flip) for each in (first, second)]
    assert all(np.linalg.det(frame[:3, :3]) == pytest.approx(1.0) for frame in frames)
    before = relative_pose(first, second)
    after = relative_pose(*(pose_from_matrix(frame) for frame in frames))
    straight = mirrored_pose(before, flip)
    np.testing.assert_allclose(after.position, straight.position, atol=1e-9)
    assert abs(after.rotation @ straight.rotation) == pytest.approx(1.0, abs=1e-9)
    mirrored = mirrored_settings(settings, flip)
    assert _excess(mirrored, straight) == pytest.approx(_excess(settings, before), abs=1e-7)
    for drive, other in zip(settings.drives, mirrored.drives, strict=True):
        if drive.type in set(DriveType) and drive.position_target is not None:
            one = drive.position_target - _value(drive, before)
            assert abs(other.position_target - _value(other, straight)) == pytest.approx(
                abs(one), abs=1e-7
            )


@given(settings=SETTINGS, flip=st.integers(0, 2))
def test_mirroring_twice_is_where_it_began(settings, flip):
    twice = mirrored_settings(mirrored_settings(settings, flip), flip)
    assert len(twice.drives) == len(settings.drives)
    pose = Pose(np.array((0.3, -0.7, 0.2)), np.array((0.1, 0.5, -0.3, 0.8)) / np.sqrt(0.99))
    assert _excess(twice, pose) == pytest.approx(_excess(settings, pose))


@pytest.mark.parametrize("preset", list(Preset))
def test_settings_of_presets_need_no_change(preset):
    """So that mirrored joints share the settings of the originals."""
    settings = preset_settings(preset)
    assert mirrored_settings(settings, best_flip(settings)) == settings
    assert PRESETS[preset]


def test_one_sided_hinge_about_z_keeps_its_numbers():
    settings = preset_settings(Preset.HINGE, min_angle=0.0, max_angle=2.0)
    assert best_flip(settings) == 2
    assert mirrored_settings(settings, 2) == settings
    turned = mirrored_settings(settings, 0).limits[-1]
    assert (turned.min, turned.max) == (-2.0, 0.0)


def _excess(settings, pose):
    return max((float(limit_excess(limit, pose)) for limit in settings.limits), default=0.0)


def _value(drive, pose):
    if drive.type == DriveType.ANGULAR:
        return float(angular_metric((drive.axis,), pose.rotation))
    return float(linear_metric((drive.axis,), pose.position))
