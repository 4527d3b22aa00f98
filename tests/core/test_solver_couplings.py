"""Joints that follow others in the simulation: gears in closed form, energy, findings."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.solver import JointState, Options, Simulation
from tests.core.solver_scenes import SceneBuilder, matrix, turn

pytestmark = pytest.mark.slow

FREE = presets.hinge(axis=2, min_angle=-math.inf, max_angle=math.inf)
TORQUE = 0.7


def pushed(settings, force, *, kind="angular", axis=2):
    """Return settings with a motor that gives a constant force or torque."""
    drive = JointDrive(type=kind, axis=axis, velocity_target=1e6, damping=1.0, max_force=force)
    return JointSettings(limits=settings.limits, drives=(drive,))


def wheels(inertias, couplings, *, first=FREE, others=FREE):
    """Return wheels about Z on the world, the first one pushed."""
    build = SceneBuilder(gravity=(0, 0, 0))
    for number, inertia in enumerate(inertias):
        settings = others if number else pushed(first, TORQUE)
        build.joint(settings, -1, build.body((number, 0, 0), inertia=inertia), (number, 0, 0))
    return replace(build.scene(), couplings=tuple(couplings))


def spins(simulation):
    """Return angular velocities about Z of the bodies, in the middle of the last step."""
    return simulation.motions.angular[2, 1:]


@pytest.mark.parametrize("substeps", [0, 1])
@pytest.mark.parametrize("ratio", [-2.0, 0.5, 7.3])
def test_a_gear_adds_its_reflected_inertia(ratio, substeps):
    scene = wheels((0.02, 0.03), [Coupling(joint=1, source=0, coefficients=(0.0, ratio))])
    simulation = Simulation(scene)
    for _ in range(60):
        simulation.advance(1.0 / 60.0, substeps=substeps)
    acceleration = TORQUE / (0.02 + ratio**2 * 0.03)
    step = 1.0 / 240.0 if substeps == 0 else 1.0 / 60.0
    expected = acceleration * (1.0 - step / 2.0)
    np.testing.assert_allclose(spins(simulation), (expected, ratio * expected), rtol=1e-5)
    # Many turns later the two are still where they belong.
    angle = acceleration / 2.0
    shown = simulation.relative_poses().rotation
    wanted = np.array([turn((0, 0, 1), angle), turn((0, 0, 1), ratio * angle)])
    assert np.abs((shown * wanted).sum(axis=1)) == pytest.approx(1.0, abs=1e-6)
    kinetic = 0.5 * (0.02 + ratio**2 * 0.03) * expected**2
    assert simulation.energies().sum() == pytest.approx(kinetic, rel=1e-5)
    assert not simulation.problems()


def test_trains_and_several_gears_on_one_wheel_add_up():
    couplings = [
        Coupling(joint=2, source=1, coefficients=(0.0, 3.0)),
        Coupling(joint=1, source=0, coefficients=(0.2, -2.0)),
        Coupling(joint=3, source=0, coefficients=(0.0, 0.25)),
    ]
    scene = wheels((0.1, 0.02, 0.01, 0.5), couplings)
    simulation = Simulation(scene)
    simulation.advance(0.5)
    total = 0.1 + 4 * 0.02 + 36 * 0.01 + 0.5 / 16
    speed = TORQUE / total * (0.5 - 1 / 480)
    np.testing.assert_allclose(
        spins(simulation), np.array((1.0, -2.0, -6.0, 0.25)) * speed, rtol=1e-4
    )


def test_a_rack_moves_with_its_pinion():
    """A slider of mass m that follows by r: the wheel feels I + m r²."""
    build = SceneBuilder(gravity=(0, 0, 0))
    build.joint(pushed(FREE, TORQUE), -1, build.body((0, 0, 0), inertia=0.02), (0, 0, 0))
    slider = presets.slider(axis=0, min_distance=-9.0, max_distance=9.0)
    build.joint(slider, -1, build.body((0, 1, 0), mass=3.0), (0, 1, 0))
    scene = replace(build.scene(), couplings=(Coupling(joint=1, source=0, coefficients=(0, 0.1)),))
    simulation = Simulation(scene)
    simulation.advance(1.0)
    acceleration = TORQUE / (0.02 + 3.0 * 0.01)
    assert simulation.relative_poses().position[1, 0] == pytest.approx(
        0.1 * acceleration / 2, rel=1e-5
    )


def test_a_gear_on_a_carrier_pushes_back_on_it():
    """Floating: the angular momentum of all stays zero, so with u the relative rate of the first
    wheel the carrier turns at 2 I u / (0.1 + 2 · 0.5² + 2 I) = u / 7, and the motor feels 23.8/49.
    """
    build = SceneBuilder(gravity=(0, 0, 0))
    carrier = build.body((0, 0, 0), mass=2.0, inertia=0.1)
    for x, settings in ((0.5, pushed(FREE, TORQUE)), (-0.5, FREE)):
        build.joint(settings, carrier, build.body((x, 0, 0), inertia=0.05), (x, 0, 0))
    scene = replace(build.scene(), couplings=(Coupling(joint=1, source=0, coefficients=(0, -3)),))
    simulation = Simulation(scene)
    simulation.advance(0.25)
    b, m = simulation.bodies, simulation.motions
    orbital = np.cross(m.center.T, b.mass[:, None] * m.linear.T)
    assert np.abs((orbital + m.spin.T)[1:].sum(axis=0)).max() < 1e-5
    relative = spins(simulation) - spins(simulation)[0]
    assert relative[2] == pytest.approx(-3.0 * relative[1], rel=1e-4)
    expected = TORQUE / (23.8 / 49.0) * (0.25 - 1.0 / 480.0)
    assert relative[1] == pytest.approx(expected, rel=1e-4)
    assert spins(simulation)[0] == pytest.approx(expected / 7.0, rel=1e-4)


def test_a_curve_keeps_the_energy_of_what_swings_on_it():
    """Two pendulums in gravity, the second turned by a cubic of the first."""
    build = SceneBuilder()
    hinge = presets.hinge(axis=0, min_angle=-math.inf, max_angle=math.inf)
    for x, angle in ((0.0, 0.8), (1.0, 0.4 * 0.8 + 0.5 * 0.8**3)):
        rotation = turn((1, 0, 0), angle)
        place = (x, math.sin(angle), -math.cos(angle))
        body = build.body(place, rotation, mass=1.0 + x, inertia=0.05)
        build.joint(hinge, -1, body, (x, 0, 0), turned=rotation)
    coupling = Coupling(joint=1, source=0, coefficients=(0.0, 0.4, 0.0, 0.5))
    simulation = Simulation(replace(build.scene(), couplings=(coupling,)))
    start = simulation.energies().sum()
    simulation.advance(1.0 / 240.0)
    energies, off = [], []
    for _ in range(180):
        simulation.advance(1.0 / 60.0)
        energies.append(simulation.energies().sum())
        one, other = (2.0 * np.arctan2(q[0], q[3]) for q in simulation.relative_poses().rotation)
        off.append(other - 0.4 * one - 0.5 * one**3)
    size = 9.81 * (1.0 + 2.0)
    assert np.abs(off).max() < 1e-3
    assert max(energies) - start < 2e-3 * size
    assert start - min(energies) < 1e-2 * size


def test_a_leader_that_is_animated_takes_what_follows_along():
    build = SceneBuilder(gravity=(0, 0, 0))
    crank = build.body((0, 0, 0), type="kinematic")
    build.joint(FREE, -1, crank, (0, 0, 0))
    build.joint(FREE, -1, build.body((1, 0, 0), inertia=0.3), (1, 0, 0))
    scene = replace(build.scene(), couplings=(Coupling(joint=1, source=0, coefficients=(0, 0.5)),))
    simulation = Simulation(scene)
    for frame in range(1, 241):
        angle = 6.0 * frame / 60.0
        goal = {crank: matrix((0, 0, 0), turn((0, 0, 1), angle))}
        simulation.advance(1.0 / 60.0, driven=goal)
    shown = simulation.relative_poses().rotation[1]
    assert abs(shown @ turn((0, 0, 1), 12.0)) == pytest.approx(1.0, abs=1e-6)
    assert not simulation.findings


def test_a_rest_pose_apart_is_brought_together_without_throwing():
    scene = wheels((0.1, 0.1), [Coupling(joint=1, source=0, coefficients=(0.4, 1.0))])
    still = replace(scene.joints[0], settings=FREE)
    simulation = Simulation(replace(scene, joints=(still, *scene.joints[1:])))
    for _ in range(60):
        simulation.advance(1.0 / 60.0)
    one, other = (2.0 * np.arctan2(q[2], q[3]) for q in simulation.relative_poses().rotation)
    assert other - one == pytest.approx(0.4, abs=1e-4)
    assert other == pytest.approx(0.2, abs=1e-3)
    assert np.abs(spins(simulation)).max() < 1e-3


def test_the_limit_of_what_follows_holds_what_leads():
    bounded = presets.hinge(axis=2, min_angle=-0.5, max_angle=0.5)
    scene = wheels((0.1, 0.1), [Coupling(joint=1, source=0)], others=bounded)
    simulation = Simulation(scene)
    simulation.advance(2.0)
    assert 2.0 * np.arctan2(*simulation.relative_poses().rotation[0, [2, 3]]) == pytest.approx(
        0.5, abs=1e-3
    )
    assert simulation.joint_states() == [JointState.SATURATED, JointState.AT_LIMIT]


def test_an_edit_keeps_the_turns_that_gears_have_made():
    scene = wheels((0.02, 0.02), [Coupling(joint=1, source=0, coefficients=(0.0, 0.3))])
    simulation = Simulation(scene)
    simulation.advance(1.0)
    before = simulation.motions.rotation.copy()
    assert 4.0 * math.pi < TORQUE / (0.02 * 1.09) / 2
    simulation.change(replace(scene, gravity=(0, 0, 1)), options=Options())
    simulation.advance(1.0 / 240.0)
    turned = 2.0 * np.arccos(np.minimum(1.0, np.abs((before * simulation.motions.rotation).sum(0))))
    assert turned.max() < 0.2
    assert not simulation.problems()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"settings": presets.pin()}, "exactly one free axis"),
        ({"attributes": JointAttributes(enabled=False)}, "disabled"),
        ({"connected": None}, "not between two bodies"),
    ],
)
def test_what_cannot_be_followed_is_told(change, why):
    scene = wheels((0.1, 0.1), [Coupling(joint=1, source=0)])
    other = replace(scene.joints[1], **change)
    simulation = Simulation(replace(scene, joints=(scene.joints[0], other)))
    found = [item for item in simulation.findings if item.code == "OMI-P017"]
    assert [why in item.message for item in found] == [True]
    simulation.advance(0.5)
    assert spins(simulation)[1] == 0.0


def test_what_is_held_elsewhere_is_told():
    scene = wheels((0.1, 0.1), [Coupling(joint=1, source=0)])
    held = replace(scene.joints[1], settings=presets.hinge(axis=2, min_angle=0.3, max_angle=0.31))
    locked = presets.hinge(axis=2, min_angle=-0.01, max_angle=0.0)
    first = replace(scene.joints[0], settings=locked)
    simulation = Simulation(replace(scene, joints=(first, held)))
    for _ in range(120):
        simulation.advance(1.0 / 60.0)
    assert "OMI-P016" in [item.code for item in simulation.problems()]


def test_islands_with_steps_of_their_own_keep_their_gears():
    """A fast island cuts its own steps; gears of others are numbered anew in their parts."""
    build = SceneBuilder(gravity=(0, 0, 0))
    for x in (0.0, 1.0):
        settings = pushed(FREE, TORQUE) if x else FREE
        build.joint(settings, -1, build.body((x, 0, 0), inertia=0.05), (x, 0, 0))
    build.joint(FREE, -1, build.body((2, 0, 0), inertia=0.05), (2, 0, 0))
    velocity = {"angular_velocity": (0, 0, 60.0), "linear_velocity": (0, 30.0, 0)}
    fast = build.body((5.5, 0, 0), inertia=0.01, **velocity)
    build.joint(presets.pin(), -1, fast, (5, 0, 0))
    scene = replace(build.scene(), couplings=(Coupling(joint=2, source=1, coefficients=(0, 2)),))
    simulation = Simulation(scene)
    for _ in range(30):
        simulation.advance(1.0 / 60.0)
    assert len(set(simulation.course.cuts[1:].tolist())) > 1
    expected = TORQUE / (0.05 * 5) * (0.5 - 1 / 480)
    np.testing.assert_allclose(spins(simulation)[:3], (0, expected, 2 * expected), atol=1e-3)
