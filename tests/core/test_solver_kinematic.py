"""Kinematic bodies with a velocity move as KHR_physics_rigid_bodies says, and carry others."""

from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.pose import Pose, quaternion_product, rotate
from omi_joints_addon.core.solver import Options, Simulation
from tests.core.solver_scenes import LINEAR, SceneBuilder, matrix, turn

TURNED = turn((0.3, -0.5, 0.8), 0.9)
VELOCITY, SPIN = (0.43, -0.21, 1.37), (0.7, -1.1, 0.4)
SECONDS = 1.3


def led(*, rate: float = 60.0, **motion: object) -> tuple[Simulation, np.ndarray]:
    """Return a simulation of a kinematic body after some time, and where the body is."""
    build = SceneBuilder()
    body = build.body((0.2, 0.1, -0.4), TURNED, type="kinematic", **motion)
    moving = Simulation(build.scene())
    for _ in range(round(rate * SECONDS)):
        moving.advance(1.0 / rate)
    return moving, moving.matrices()[body]


@pytest.mark.parametrize("rate", [30.0, 60.0, 240.0])
def test_velocity_is_constant(rate: float) -> None:
    moving, place = led(rate=rate, linear_velocity=VELOCITY, angular_velocity=SPIN)
    assert moving.moving_nodes == {0}
    goal = np.array((0.2, 0.1, -0.4)) + moving.time * rotate(TURNED, np.array(VELOCITY))
    size = float(np.linalg.norm(SPIN))
    turned = quaternion_product(TURNED, turn(SPIN, size * moving.time))
    assert place == pytest.approx(matrix(goal, turned), abs=1e-9)


def test_a_body_without_velocity_stays_and_one_that_is_driven_goes_where_it_is_driven() -> None:
    moving, place = led()
    assert moving.moving_nodes == frozenset()
    assert place == pytest.approx(matrix((0.2, 0.1, -0.4), TURNED))
    moving, _ = led(linear_velocity=VELOCITY)
    goal = matrix((1.0, 2.0, 3.0))
    moving.advance(0.1, driven={0: goal})
    assert moving.matrices()[0] == pytest.approx(goal)


def test_what_is_pinned_to_it_goes_along() -> None:
    build = SceneBuilder(gravity=(0.0, 0.0, 0.0))
    cart = build.body((0.0, 0.0, 0.0), type="kinematic", linear_velocity=(0.43, 0.0, 0.0))
    bob = build.body((0.0, 0.0, -0.3), mass=1.7, linear_velocity=(0.43, 0.0, 0.0))
    build.joint(JointSettings(limits=(LINEAR,)), cart, bob, (0.0, 0.0, 0.0))
    moving = Simulation(build.scene())
    moving.advance(1.3)
    found: Pose = moving.matrices()[bob][:3, 3]
    assert found == pytest.approx((0.559, 0.0, -0.3), abs=1e-6)


def test_it_stays_where_it_was_carried_when_the_scene_is_edited() -> None:
    moving, place = led(linear_velocity=VELOCITY)
    moving.change(replace(moving.scene, name="Edited"), options=Options())
    assert moving.matrices()[0] == pytest.approx(place)
