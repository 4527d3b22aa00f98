"""Named stiffness: how far arms sag, in closed form and in simulations."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.ragdoll.stiffness import STIFFNESSES, stiffened_joints
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import G, SceneBuilder

NAMES = tuple(STIFFNESSES)


def test_names_are_in_order() -> None:
    sags = [each.sag for each in STIFFNESSES.values()]
    assert sags == sorted(sags, reverse=True)


def arm(length: float, mass: float, *, settings=None):
    """Return a level arm of three bodies on the world, with hinges about Y or other joints."""
    build = SceneBuilder()
    settings = settings or presets.hinge(axis=1, min_angle=-3.1, max_angle=3.1)
    nodes = [
        build.body(
            (length * (n + 0.5), 0.0, 0.0),
            mass=mass,
            inertia=np.array((0.05, 1.0, 1.0)) * mass * length**2 / 12.0,
        )
        for n in range(3)
    ]
    for n, node in enumerate(nodes):
        build.joint(settings, nodes[n - 1] if n else -1, node, (length * n, 0.0, 0.0))
    return build.scene(), nodes


def stiffened(scene, nodes, name):
    held = stiffened_joints(scene, dict(enumerate(nodes)), STIFFNESSES[name])
    joints = [replace(joint, settings=held[n]) for n, joint in enumerate(scene.joints)]
    return replace(scene, joints=tuple(joints))


def settled(scene, seconds=2.0, *, simulation=None):
    """Return the simulation after some seconds, and the largest speed of its bodies [m/s]."""
    simulation = simulation or Simulation(scene)
    for _ in range(round(60 * seconds)):
        simulation.advance(1.0 / 60.0)
    before = simulation.matrices()[:, :3, 3].copy()
    simulation.advance(1.0 / 60.0)
    speed = np.abs(simulation.matrices()[:, :3, 3] - before).max() * 60.0
    return simulation, float(speed)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("length", "mass"), [(0.031, 0.017), (0.37, 2.3), (1.3, 870.0)])
def test_the_first_joint_of_an_arm_sags_as_its_name_says(name, length, mass) -> None:
    """Stiffness times angle is the torque of the weight; the other joints are locked."""
    scene, nodes = arm(length, mass)
    fixed = tuple(
        replace(joint, settings=joint.settings if not n else presets.fixed())
        for n, joint in enumerate(scene.joints)
    )
    scene = replace(scene, joints=fixed)
    held = stiffened_joints(scene, {0: nodes[0]}, STIFFNESSES[name])
    scene = replace(scene, joints=(replace(scene.joints[0], settings=held[0]), *scene.joints[1:]))
    (drive,) = held[0].drives
    torque = 3.0 * mass * G * 1.5 * length
    assert drive.stiffness == pytest.approx(torque / STIFFNESSES[name].sag, rel=1e-6)
    wanted = STIFFNESSES[name].sag
    for _ in range(60):
        wanted = 0.5 * (wanted + STIFFNESSES[name].sag * math.cos(wanted))
    # Loose arms still swing by a part of that after two seconds, large ones longer.
    simulation, _ = settled(scene, 2.0 * math.sqrt(max(length / 0.37, 1.0)))
    x, _, z = simulation.matrices()[nodes[0], :3, 3]
    assert math.atan2(-z, x) == pytest.approx(wanted, rel=0.1, abs=2e-3)


def test_an_arm_sags_less_the_stiffer_it_is_and_comes_to_rest() -> None:
    scene, nodes = arm(0.37, 2.3)
    heights, speeds = [], []
    for name in NAMES:
        simulation, speed = settled(stiffened(scene, nodes, name))
        heights.append(float(simulation.matrices()[nodes[-1], 2, 3]))
        speeds.append(speed)
        # What still swings comes to rest.
        assert settled(scene, simulation=simulation)[1] < max(0.5 * speed, 0.02)
    assert heights == sorted(heights)
    assert heights[0] < -0.4
    assert -0.05 < heights[-1] < 0.0
    assert max(speeds[1:]) < 0.02


@pytest.mark.parametrize("name", NAMES)
def test_joints_with_three_axes_and_twist_stay_stable(name) -> None:
    """A chain of balls whose twist has nearly no inertia, hit from the side."""
    settings = presets.ball_with_cone(axis=0, cone=1.2, twist=1.0)
    scene, nodes = arm(0.23, 0.9, settings=settings)
    hit = replace(scene.motions[nodes[-1]], linear_velocity=(0.0, 3.0, 1.0))
    scene = stiffened(replace(scene, motions={**scene.motions, nodes[-1]: hit}), nodes, name)
    simulation, speed = settled(scene)
    assert np.isfinite(simulation.matrices()).all()
    assert speed < 2.0
    assert settled(scene, simulation=simulation)[1] < max(0.5 * speed, 0.02)


def test_without_gravity_joints_are_as_stiff_as_on_earth() -> None:
    scene, nodes = arm(0.37, 2.3)
    here = stiffened(scene, nodes, "STIFF")
    there = stiffened(replace(scene, gravity=(0.0, 0.0, 0.0)), nodes, "STIFF")
    for one, other in zip(here.joints, there.joints, strict=True):
        assert one.settings.drives[0].stiffness == pytest.approx(
            other.settings.drives[0].stiffness, rel=1e-3
        )
    again = stiffened(here, nodes, "LOOSE")
    assert [len(joint.settings.drives) for joint in again.joints] == [1, 1, 1]
