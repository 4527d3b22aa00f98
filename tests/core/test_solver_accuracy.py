"""The solver against closed forms and finely integrated equations, at its own choice of steps.

The scenes of all tests are simulated as islands of one (`Together`).
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.metric import angular_metric
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.solver import JointState, Simulation
from tests.core.solver_scenes import (
    LINEAR,
    LOCK_YZ,
    G,
    SceneBuilder,
    Together,
    chain,
    integrate,
    pendulum,
    slider_body,
    twist,
)

pytestmark = pytest.mark.slow

FPS = 60
SECONDS = 10
ARM = 1.01
"""Inertia of the test pendulum about its hinge: 1 kg at 1 m and 0.01 kg·m² of its own."""


class Course:
    """What the joints of one scene did: at every frame, the start included."""

    def __init__(self, positions, rotations, states, forces):
        self.positions, self.rotations, self.states, self.forces = (
            positions,
            rotations,
            states,
            forces,
        )

    def angles(self, seconds, axis=0):
        """Return the twists of the first joint."""
        return np.array(
            [
                twist(Pose(None, rotation), axis=axis)
                for rotation in self.rotations[: round(seconds * FPS) + 1]
            ]
        )

    def places(self, seconds):
        """Return the positions of the first joint along X."""
        return self.positions[: round(seconds * FPS) + 1, 0, 0]


def hinge(low, high, **soft):
    limit = JointLimit(angular_axes=(0,), min=low, max=high, **soft)
    return JointSettings(limits=(LINEAR, LOCK_YZ, limit))


def slider(drive):
    locked = JointLimit(linear_axes=(1, 2), angular_axes=(0, 1, 2), min=0.0, max=0.0)
    return JointSettings(limits=(locked,), drives=(drive,))


def sideways(scene):
    """Turn gravity so that a hanging pendulum falls to the positive side."""
    return replace(scene, gravity=(0.0, G, 0.0))


BOUND = math.radians(45.0)
PENDULUMS = {"pin": presets.pin(), "hinge": presets.hinge(axis=0)}
STOPS = [(-45.0, 10.0), (-10.0, 45.0)]
PUSHES = [(axis, sign) for axis in range(3) for sign in (-1.0, 1.0)]
SOFT = [(50, 0), (500, 0), (50, 5), (500, 20)]
RESTS = [50, 500, 5000]
DRIVES = [("force", 1.0), ("acceleration", 1.0), ("acceleration", 37.0)]


def pushed(axis, sign):
    """Return a body in front of a hinge, pushed about it in the positive or negative sense."""
    unit, front = np.eye(3)[axis], np.eye(3)[(axis + 1) % 3]
    build = SceneBuilder(gravity=sign * G * np.cross(unit, front))
    settings = presets.hinge(axis=axis, min_angle=-0.3, max_angle=0.5)
    build.joint(settings, -1, build.body(front), (0, 0, 0))
    return build.scene()


def critical(mode, mass):
    drive = JointDrive(mode=mode, position_target=0.5, stiffness=100.0, damping=20.0)
    return slider_body(slider(drive), mass=mass)


def turned_by_acceleration():
    drive = JointDrive(
        type="angular", mode="acceleration", position_target=0.5, stiffness=100.0, damping=20.0
    )
    settings = replace(presets.hinge(axis=0), drives=(drive,))
    return replace(pendulum(settings, mass=7.0), gravity=(0.0, 0.0, 0.0))


def cones():
    cone = JointSettings(limits=(LINEAR, JointLimit(angular_axes=(0, 1), max=math.radians(30.0))))
    build = SceneBuilder()
    for number, direction in enumerate(np.arange(0.0, 360.0, 30.0)):
        turn_ = math.radians(direction)
        spin = 4.0 * np.array((math.cos(turn_), math.sin(turn_), 0.0))
        motion = {"angular_velocity": spin, "linear_velocity": np.cross(spin, (0.0, 0.0, -1.0))}
        node = build.body((number, 0.0, -1.0), **motion)
        build.joint(cone, -1, node, (number, 0.0, 0.0))
    return build.scene()


def four_bars():
    """Return a four-bar linkage, driven about its crank."""
    build = SceneBuilder(gravity=(0.0, 0.0, -G))
    crank = build.body((0, 0, 0.15), inertia=0.01)
    rod = build.body((0.5, 0, 0.3), inertia=0.05)
    rocker = build.body((1.0, 0, 0.15), inertia=0.02)
    motor = JointDrive(type="angular", axis=1, velocity_target=3.0, damping=50.0)
    free = presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf)
    build.joint(replace(free, drives=(motor,)), -1, crank, (0, 0, 0))
    build.joint(free, crank, rod, (0, 0, 0.3))
    build.joint(free, rod, rocker, (1, 0, 0.3))
    build.joint(free, -1, rocker, (1, 0, 0))
    return build.scene()


def scenes():
    """Return the scenes of all tests by name."""
    found = {name: pendulum(settings, angle=0.1) for name, settings in PENDULUMS.items()}
    motion = {"angular_velocity": (3.0, 0.0, 0.0), "linear_velocity": (0.0, 3.0, 0.0)}
    for low, high in STOPS:
        settings = hinge(math.radians(low), math.radians(high))
        found[f"stop {low} {high}"] = pendulum(settings, **motion)
    found |= {f"push {axis} {sign}": pushed(axis, sign) for axis, sign in PUSHES}
    for stiffness, damping in SOFT:
        soft = hinge(-BOUND, BOUND, stiffness=stiffness, damping=damping)
        found[f"soft {stiffness} {damping}"] = sideways(pendulum(soft))
    for stiffness in RESTS:
        soft = hinge(-BOUND, BOUND, stiffness=stiffness, damping=2.0 * math.sqrt(stiffness))
        found[f"rest {stiffness}"] = sideways(pendulum(soft, angle=0.7))
    found |= {f"drive {mode} {mass}": critical(mode, mass) for mode, mass in DRIVES}
    spring = JointDrive(position_target=0.2, stiffness=100.0)
    motor = JointDrive(velocity_target=2.0, damping=1e4, max_force=3.0)
    full = JointDrive(position_target=10.0, stiffness=1e3, max_force=3.0)
    for name, drive in (("spring", spring), ("motor", motor), ("saturated", full)):
        found[name] = slider_body(slider(drive))
    heavy = replace(chain(presets.pin(), 20, end_mass=100.0), gravity=(0.0, 0.3 * G, -G))
    return found | {
        "turned": turned_by_acceleration(),
        "cones": cones(),
        "heavy": heavy,
        "four bars": four_bars(),
    }


@pytest.fixture(scope="module")
def courses():
    """Return the course of each scene."""
    together = Together(scenes())
    simulation = Simulation(together.scene)
    frames = []
    for frame in range(SECONDS * FPS + 1):
        if frame:
            simulation.advance(1.0 / FPS)
        poses = simulation.relative_poses()
        states = np.array(simulation.joint_states())
        frames.append((poses.position, poses.rotation, states, simulation.joint_forces()))
    every = [np.array(values) for values in zip(*frames, strict=True)]
    return {
        name: Course(*(values[:, joints] for values in every))
        for name, joints in together.joints.items()
    }


@pytest.mark.parametrize("name", PENDULUMS)
def test_pendulum_keeps_its_period_and_amplitude(name, courses):
    angles = courses[name].angles(7)
    falls = np.flatnonzero((angles[:-1] > 0.0) & (angles[1:] <= 0.0))
    times = (falls + angles[falls] / (angles[falls] - angles[falls + 1])) / FPS
    period = np.diff(times).mean()
    expected = 2.0 * math.pi * math.sqrt(ARM / G) * (1.0 + 0.1**2 / 16.0)
    assert period == pytest.approx(expected, rel=1e-3)
    assert angles[-2 * FPS :].max() == pytest.approx(0.1, rel=1e-3)


@pytest.mark.parametrize(("low", "high"), STOPS)
def test_hinge_stops_at_its_limits(low, high, courses):
    angles = np.degrees(courses[f"stop {low} {high}"].angles(4))
    assert angles.max() <= high + 0.05
    assert angles.min() >= low - 0.05
    assert min(abs(angles.max() - high), abs(angles.min() - low)) < 0.05


@pytest.mark.parametrize(("axis", "sign"), PUSHES)
def test_hinge_rests_on_its_limit(axis, sign, courses):
    course = courses[f"push {axis} {sign}"]
    angles = course.angles(4, axis=axis)
    assert angles[-1] == pytest.approx(0.5 if sign > 0 else -0.3, abs=math.radians(0.05))
    assert course.states[4 * FPS] == [JointState.AT_LIMIT]


@pytest.mark.parametrize(("stiffness", "damping"), SOFT)
def test_soft_limit_gives_way_as_its_spring_says(stiffness, damping, courses):
    def acceleration(x, v):
        force = stiffness * (x - BOUND) + damping * v if x > BOUND else 0.0
        return (G * math.cos(x) - max(force, 0.0)) / ARM

    deepest = integrate(acceleration, 0.0, 0.0, 1.5).max() - BOUND
    course = courses[f"soft {stiffness} {damping}"]
    angles = course.angles(1.5)
    assert angles.max() - BOUND == pytest.approx(deepest, rel=0.03)
    state = course.states[len(angles) - 1]
    assert state == [JointState.PAST_LIMIT] or angles[-1] < BOUND


@pytest.mark.parametrize("stiffness", RESTS)
def test_soft_limit_rests_where_its_spring_holds(stiffness, courses):
    rest = BOUND
    for _ in range(200):
        rest = BOUND + G * math.cos(rest) / stiffness
    assert courses[f"rest {stiffness}"].angles(4)[-1] == pytest.approx(rest, rel=1e-3)


def test_spring_keeps_period_and_amplitude(courses):
    places = courses["spring"].places(10)
    times = np.arange(len(places)) / FPS
    assert np.ptp(places[-FPS:]) >= 0.99 * 0.4
    # After 16 periods an error of 0.5 % in the period is half a radian of phase.
    phase = 10.0 * 10.0 * 0.005
    largest = 0.2 * phase
    assert np.abs(places - 0.2 * (1.0 - np.cos(10.0 * times))).max() < largest / 4.0


def off_critical(values):
    """Return how far values are from 0.5 (1 - (1 + 10 t) exp(-10 t))."""
    times = np.arange(len(values)) / FPS
    return np.abs(values - 0.5 * (1.0 - (1.0 + 10.0 * times) * np.exp(-10.0 * times))).max()


@pytest.mark.parametrize(("mode", "mass"), DRIVES)
def test_critically_damped_drive_follows_the_closed_form(mode, mass, courses):
    assert off_critical(courses[f"drive {mode} {mass}"].places(2)) < 1e-3


def test_acceleration_drive_of_a_hinge_feels_the_inertia_about_the_hinge(courses):
    """x'' = 100 (0.5 - x) - 20 x' holds for the angle, whatever mass hangs on the hinge."""
    assert off_critical(courses["turned"].angles(2)) < 1e-3


def test_motor_is_bounded_by_its_force_and_reaches_its_velocity(courses):
    course = courses["motor"]
    places = course.places(2)
    assert places[30] == pytest.approx(0.5 * 3.0 * 0.5**2, rel=0.01)
    assert (places[-1] - places[-2]) * FPS == pytest.approx(2.0, rel=1e-3)
    assert course.states[2 * FPS] == [JointState.FREE]


def test_saturated_drive_says_so_and_gives_its_force(courses):
    course = courses["saturated"]
    assert course.states[30] == [JointState.SATURATED]
    # In the axes of the world, which here may be turned.
    assert np.linalg.norm(course.forces[30, 0, :3]) == pytest.approx(3.0, rel=1e-6)


def test_cone_stops_in_every_direction(courses):
    tilts = angular_metric((0, 1), courses["cones"].rotations[: FPS + 1])
    np.testing.assert_allclose(np.degrees(tilts.max(axis=0)), 30.0, atol=0.1)


def test_chain_with_a_heavy_end_keeps_its_length(courses):
    """No link can be longer than its gaps are wide."""
    gaps = np.linalg.norm(courses["heavy"].positions[: 3 * FPS + 1], axis=-1)
    assert gaps.max() < 1e-4


def test_closed_loop_stays_closed(courses):
    gaps = np.linalg.norm(courses["four bars"].positions[: 5 * FPS + 1], axis=-1)
    assert gaps.max() < 1e-3
