"""Several hinges of one door."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.model.body import Motion, MotionType
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import LINEAR, SceneBuilder, turn

HINGE = JointSettings(limits=(LINEAR, JointLimit(angular_axes=(0, 1), min=0.0, max=0.0)))
X, Y, Z = np.eye(3)


def _door(offset: float = 0.0, angle: float = 0.0, settings: JointSettings = HINGE) -> PhysicsScene:
    """Return a door with two hinges a metre apart, the upper one displaced and turned."""
    build = SceneBuilder()
    wall = build.body((0, 0, 0))
    build.motions[wall] = Motion(type=MotionType.STATIC)
    door = build.body((0.5, 0, 0), mass=20.0, inertia=(1.0, 3.0, 2.0), angular_velocity=(0, 0, 1))
    build.joint(HINGE, wall, door, (0, 0, -0.5))
    build.joint(settings, wall, door, (0, offset, 0.5), turn(X, angle))
    scene = build.scene()
    joints = tuple(
        replace(joint, place=name)
        for joint, name in zip(scene.joints, ("Lower", "Upper"), strict=True)
    )
    return replace(scene, joints=joints)


def _found(scene: PhysicsScene) -> list[str]:
    return [str(item) for item in check_scene(scene) if item.code == "OMI-J018"]


def test_hinges_in_line_are_sound() -> None:
    assert not _found(_door())
    assert not _found(_door(offset=1e-4))


@pytest.mark.parametrize(
    ("offset", "angle", "gap"), [(0.003, 0.0, "0.003 m"), (0.0, math.radians(0.5), "0.5°")]
)
def test_hinges_out_of_line_are_told_with_the_pair(offset: float, angle: float, gap: str) -> None:
    (line,) = _found(_door(offset, angle))
    assert "Upper" in line
    assert "'Lower'" in line
    assert gap in line


def test_soft_hinge_gives_way() -> None:
    soft = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=1e5, damping=1e3)
    assert not _found(_door(0.003, settings=JointSettings(limits=(soft, HINGE.limits[1]))))


def test_what_is_told_is_what_freezes() -> None:
    """The door that is told of does not turn, the one that is not does."""
    turned = []
    for offset in (0.0, 0.003):
        simulation = Simulation(_door(offset))
        for _ in range(60):
            simulation.advance(1.0 / 60.0)
        rotation = simulation.relative_poses().rotation[0]
        turned.append(2.0 * math.atan2(abs(rotation[2]), abs(rotation[3])))
    assert turned[0] > 0.2
    assert turned[1] < 0.05
