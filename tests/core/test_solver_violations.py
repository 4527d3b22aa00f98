"""Limits violated at load are put right, and no speed is left of it."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import LINEAR, LOCK_YZ, SceneBuilder, pendulum, turn, twist

pytestmark = pytest.mark.slow


def course(scene, read, seconds=2.0):
    """Return what `read` gives at every frame."""
    simulation, values = Simulation(scene), []
    for _ in range(round(seconds * 60)):
        simulation.advance(1.0 / 60.0)
        values.append(read(simulation))
    return np.array(values)


def still(settings, **options):
    """Return a pendulum without gravity."""
    scene = pendulum(settings, **options)
    return type(scene)(**{**vars(scene), "gravity": (0.0, 0.0, 0.0)})


@pytest.mark.parametrize("start", [60.0, 45.01, -50.0])
def test_hinge_beyond_its_range_stops_at_its_bound(start):
    """Jolt stops at 45.0003 degrees."""
    bound = math.radians(45.0)
    limit = JointLimit(angular_axes=(0,), min=-bound, max=bound)
    scene = still(JointSettings(limits=(LINEAR, LOCK_YZ, limit)), angle=math.radians(start))
    angles = course(scene, lambda s: math.degrees(twist(s.relative_poses())))
    assert angles[-1] == pytest.approx(math.copysign(45.0, start), abs=0.02)
    assert np.ptp(angles[-60:]) < 0.01


def test_cone_with_a_minimum_stops_at_its_minimum():
    cone = JointLimit(angular_axes=(0, 1), min=math.radians(20.0), max=math.radians(60.0))
    scene = still(JointSettings(limits=(LINEAR, cone)))
    tilts = course(
        scene, lambda s: math.degrees(angular_metric((0, 1), s.relative_poses().rotation)[0])
    )
    assert tilts[-1] == pytest.approx(20.0, abs=0.02)


@pytest.mark.parametrize("apart", [0.3, 3e-3])
def test_frames_apart_come_together_and_rest(apart):
    build = SceneBuilder(gravity=(0.0, 0.0, 0.0))
    body = build.body((0, 0, 0))
    build.joint(presets.pin(), -1, body, (0, 0, 0))
    scene = build.scene()
    scene.matrices[1, 0, 3] = apart
    places = course(scene, lambda s: s.matrices()[body, 0, 3])
    assert places[-1] == pytest.approx(apart, abs=1e-4)
    assert np.ptp(places[-60:]) < 1e-4


def test_velocity_of_a_body_beyond_its_range_is_kept():
    """Back at 5 rad/s already, faster than bodies are taken back, it goes on at that speed."""
    bound = math.radians(45.0)
    limit = JointLimit(angular_axes=(0,), min=-bound, max=bound)
    rotation = turn((1, 0, 0), 1.0)
    way = np.array((0.0, math.sin(1.0), -math.cos(1.0)))
    spin = np.array((-5.0, 0.0, 0.0))
    local = np.array((0.0, 0.0, 0.0))
    local[1] = np.linalg.norm(np.cross(spin, way)) * -1.0
    scene = still(
        JointSettings(limits=(LINEAR, LOCK_YZ, limit)),
        angle=1.0,
        angular_velocity=tuple(spin),
        linear_velocity=tuple(local),
    )
    assert rotation[0] > 0.0
    angles = course(scene, lambda s: twist(s.relative_poses()), 0.2)
    assert angles[5] == pytest.approx(1.0 - 5.0 * 0.1, abs=0.02)
