"""The solver against closed forms and finely integrated equations, at its own choice of steps."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.solver import JointState, Simulation
from tests.core.solver_scenes import (
    LINEAR,
    LOCK_YZ,
    G,
    SceneBuilder,
    chain,
    integrate,
    pendulum,
    slider_body,
    twist,
)

FPS = 60
ARM = 1.01
"""Inertia of the test pendulum about its hinge: 1 kg at 1 m and 0.01 kg·m² of its own."""


def simulated(scene, seconds, read, **options):
    """Return what `read` gives at every frame, the start included, and the simulation."""
    simulation = Simulation(scene, **options)
    values = [read(simulation)]
    for _ in range(round(seconds * FPS)):
        simulation.advance(1.0 / FPS)
        values.append(read(simulation))
    return np.array(values), simulation


def hinge(low, high, **soft):
    limit = JointLimit(angular_axes=(0,), min=low, max=high, **soft)
    return JointSettings(limits=(LINEAR, LOCK_YZ, limit))


def slider(drive):
    locked = JointLimit(linear_axes=(1, 2), angular_axes=(0, 1, 2), min=0.0, max=0.0)
    return JointSettings(limits=(locked,), drives=(drive,))


def angle(simulation):
    return twist(simulation.relative_poses())


def position(simulation):
    return simulation.relative_poses().position[0, 0]


@pytest.mark.parametrize("settings", [presets.pin(), presets.hinge(axis=0)], ids=["pin", "hinge"])
def test_pendulum_keeps_its_period_and_amplitude(settings):
    angles, _ = simulated(pendulum(settings, angle=0.1), 7, angle)
    falls = np.flatnonzero((angles[:-1] > 0.0) & (angles[1:] <= 0.0))
    times = (falls + angles[falls] / (angles[falls] - angles[falls + 1])) / FPS
    period = np.diff(times).mean()
    expected = 2.0 * math.pi * math.sqrt(ARM / G) * (1.0 + 0.1**2 / 16.0)
    assert period == pytest.approx(expected, rel=1e-3)
    assert angles[-2 * FPS :].max() == pytest.approx(0.1, rel=1e-3)


@pytest.mark.parametrize(("low", "high"), [(-45.0, 10.0), (-10.0, 45.0)])
def test_hinge_stops_at_its_limits(low, high):
    limits = math.radians(low), math.radians(high)
    motion = {"angular_velocity": (3.0, 0.0, 0.0), "linear_velocity": (0.0, 3.0, 0.0)}
    angles, _ = simulated(pendulum(hinge(*limits), **motion), 4, angle)
    assert math.degrees(angles.max()) <= high + 0.05
    assert math.degrees(angles.min()) >= low - 0.05
    reached = abs(math.degrees(angles.max()) - high), abs(math.degrees(angles.min()) - low)
    assert min(reached) < 0.05


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_hinge_rests_on_its_limit(axis, sign):
    """A body in front of the hinge is pushed about it in the positive or negative sense."""
    unit, front = np.eye(3)[axis], np.eye(3)[(axis + 1) % 3]
    build = SceneBuilder(gravity=sign * G * np.cross(unit, front))
    node = build.body(front)
    build.joint(presets.hinge(axis=axis, min_angle=-0.3, max_angle=0.5), -1, node, (0, 0, 0))
    angles, simulation = simulated(build.scene(), 4, lambda s: twist(s.relative_poses(), axis=axis))
    assert angles[-1] == pytest.approx(0.5 if sign > 0 else -0.3, abs=math.radians(0.05))
    assert simulation.joint_states() == [JointState.AT_LIMIT]


def sideways(scene):
    """Turn gravity so that a hanging pendulum falls to the positive side."""
    return replace(scene, gravity=(0.0, G, 0.0))


@pytest.mark.parametrize(("stiffness", "damping"), [(50, 0), (500, 0), (50, 5), (500, 20)])
def test_soft_limit_gives_way_as_its_spring_says(stiffness, damping):
    bound = math.radians(45.0)

    def acceleration(x, v):
        force = stiffness * (x - bound) + damping * v if x > bound else 0.0
        return (G * math.cos(x) - max(force, 0.0)) / ARM

    deepest = integrate(acceleration, 0.0, 0.0, 1.5).max() - bound
    soft = hinge(-bound, bound, stiffness=stiffness, damping=damping)
    angles, simulation = simulated(sideways(pendulum(soft)), 1.5, angle)
    assert angles.max() - bound == pytest.approx(deepest, rel=0.03)
    assert JointState.PAST_LIMIT in simulation.joint_states() or angles[-1] < bound


@pytest.mark.parametrize("stiffness", [50, 500, 5000])
def test_soft_limit_rests_where_its_spring_holds(stiffness):
    bound = math.radians(45.0)
    rest = bound
    for _ in range(200):
        rest = bound + G * math.cos(rest) / stiffness
    soft = hinge(-bound, bound, stiffness=stiffness, damping=2.0 * math.sqrt(stiffness))
    angles, _ = simulated(sideways(pendulum(soft, angle=0.7)), 4, angle)
    assert angles[-1] == pytest.approx(rest, rel=1e-3)


def test_spring_keeps_period_and_amplitude():
    drive = JointDrive(position_target=0.2, stiffness=100.0)
    places, _ = simulated(slider_body(slider(drive)), 10, position)
    times = np.arange(len(places)) / FPS
    assert np.ptp(places[-FPS:]) >= 0.99 * 0.4
    # After 16 periods an error of 0.5 % in the period is half a radian of phase.
    phase = 10.0 * 10.0 * 0.005
    largest = 0.2 * phase
    assert np.abs(places - 0.2 * (1.0 - np.cos(10.0 * times))).max() < largest / 4.0


@pytest.mark.parametrize(
    ("mode", "mass"), [("force", 1.0), ("acceleration", 1.0), ("acceleration", 37.0)]
)
def test_critically_damped_drive_follows_the_closed_form(mode, mass):
    drive = JointDrive(mode=mode, position_target=0.5, stiffness=100.0, damping=20.0)
    places, _ = simulated(slider_body(slider(drive), mass=mass), 2, position)
    times = np.arange(len(places)) / FPS
    assert np.abs(places - 0.5 * (1.0 - (1.0 + 10.0 * times) * np.exp(-10.0 * times))).max() < 1e-3


def test_acceleration_drive_of_a_hinge_feels_the_inertia_about_the_hinge():
    """x'' = 100 (0.5 - x) - 20 x' holds for the angle, whatever mass hangs on the hinge."""
    drive = JointDrive(
        type="angular", mode="acceleration", position_target=0.5, stiffness=100.0, damping=20.0
    )
    settings = replace(presets.hinge(axis=0), drives=(drive,))
    scene = replace(pendulum(settings, mass=7.0), gravity=(0.0, 0.0, 0.0))
    angles, _ = simulated(scene, 2, angle)
    times = np.arange(len(angles)) / FPS
    assert np.abs(angles - 0.5 * (1.0 - (1.0 + 10.0 * times) * np.exp(-10.0 * times))).max() < 1e-3


def test_motor_is_bounded_by_its_force_and_reaches_its_velocity():
    drive = JointDrive(velocity_target=2.0, damping=1e4, max_force=3.0)
    places, simulation = simulated(slider_body(slider(drive)), 2, position)
    assert places[30] == pytest.approx(0.5 * 3.0 * 0.5**2, rel=0.01)
    assert (places[-1] - places[-2]) * FPS == pytest.approx(2.0, rel=1e-3)
    assert simulation.joint_states() == [JointState.FREE]


def test_saturated_drive_says_so_and_gives_its_force():
    drive = JointDrive(position_target=10.0, stiffness=1e3, max_force=3.0)
    _, simulation = simulated(slider_body(slider(drive)), 0.5, position)
    assert simulation.joint_states() == [JointState.SATURATED]
    assert simulation.joint_forces()[0, 0] == pytest.approx(3.0, rel=1e-6)


def test_cone_stops_in_every_direction():
    cone = JointSettings(limits=(LINEAR, JointLimit(angular_axes=(0, 1), max=math.radians(30.0))))
    build = SceneBuilder()
    for number, direction in enumerate(np.arange(0.0, 360.0, 30.0)):
        turn_ = math.radians(direction)
        spin = 4.0 * np.array((math.cos(turn_), math.sin(turn_), 0.0))
        motion = {"angular_velocity": spin, "linear_velocity": np.cross(spin, (0.0, 0.0, -1.0))}
        node = build.body((number, 0.0, -1.0), **motion)
        build.joint(cone, -1, node, (number, 0.0, 0.0))

    def tilts(simulation):
        return angular_metric((0, 1), simulation.relative_poses().rotation)

    largest = simulated(build.scene(), 1, tilts)[0].max(axis=0)
    np.testing.assert_allclose(np.degrees(largest), 30.0, atol=0.1)


def test_chain_with_a_heavy_end_keeps_its_length():
    built = chain(presets.pin(), 20, end_mass=100.0)
    built = replace(built, gravity=(0.0, 0.3 * G, -G))

    def length(simulation):
        return np.linalg.norm(simulation.matrices()[-1][:3, 3])

    lengths, simulation = simulated(built, 3, length)
    assert lengths.max() <= 1.02 * 1.9
    assert np.linalg.norm(simulation.relative_poses().position, axis=-1).max() < 1e-4


def test_closed_loop_stays_closed():
    """A four-bar linkage, driven about its crank."""
    build = SceneBuilder()
    crank = build.body((0, 0, 0.15), inertia=0.01)
    rod = build.body((0.5, 0, 0.3), inertia=0.05)
    rocker = build.body((1.0, 0, 0.15), inertia=0.02)
    motor = JointDrive(type="angular", axis=1, velocity_target=3.0, damping=50.0)
    free = presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf)
    build.joint(replace(free, drives=(motor,)), -1, crank, (0, 0, 0))
    build.joint(free, crank, rod, (0, 0, 0.3))
    build.joint(free, rod, rocker, (1, 0, 0.3))
    build.joint(free, -1, rocker, (1, 0, 0))
    gaps, _ = simulated(
        build.scene(), 5, lambda s: np.linalg.norm(s.relative_poses().position, axis=-1).max()
    )
    assert gaps.max() < 1e-3
