"""Spring bones of VRM as bodies on springs, against the steps that VRM's text has for them."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.ragdoll.joints import spring_gravity, spring_settings
from omi_joints_addon.core.ragdoll.plan import Bone, SpringBone
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import G, SceneBuilder

LENGTH, MASS = 0.17, 0.13


def by_vrm(spring: SpringBone, frames: int) -> np.ndarray:
    """Return how far a level bone hangs at each frame [rad]: the Verlet steps of VRM 1.0."""
    rest, down = np.array((1.0, 0.0)), np.array((0.0, -1.0))
    last = now = LENGTH * rest
    found = []
    for _ in range(frames):
        moved = now + (now - last) * (1.0 - spring.drag)
        moved = moved + (spring.stiffness * rest + spring.gravity * down) / 60.0
        last, now = now, LENGTH * moved / np.linalg.norm(moved)
        found.append(-math.atan2(now[1], now[0]))
    return np.array(found)


@pytest.mark.parametrize(
    "spring", [SpringBone(0.7, 0.4, 0.3), SpringBone(1.3, 0.23, 0.41), SpringBone(0.37, 0.61, 0.11)]
)
def test_a_spring_bone_hangs_as_vrm_has_it(spring: SpringBone) -> None:
    build = SceneBuilder(gravity=(0.0, 0.0, -G))
    inertia = (6e-5, MASS * LENGTH**2 / 12.0, MASS * LENGTH**2 / 12.0)
    body = build.body(
        (LENGTH / 2.0, 0, 0), mass=MASS, inertia=inertia, gravity_factor=spring_gravity(spring) / G
    )
    bone = Bone("Hair", -1, np.eye(4), LENGTH, spring=spring)
    build.joint(spring_settings(bone), -1, body, (0, 0, 0))
    simulation, found = Simulation(build.scene()), []
    for _ in range(120):
        simulation.advance(1.0 / 60.0)
        x, _, z = simulation.matrices()[body, :3, 3]
        found.append(-math.atan2(z, x))
    expected = by_vrm(spring, 120)
    assert found[-1] == pytest.approx(expected[-1], abs=0.02)
    assert np.abs(np.array(found) - expected).max() < 0.06
