"""Position drives that are aimed from outside while the scene moves."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import LINEAR, SceneBuilder, turn

pytestmark = pytest.mark.slow

FRAME = 1.0 / 24.0


def springs(stiffness: float = 40.0, damping: float = 4.0) -> JointSettings:
    """Return a ball joint with a drive about each axis that holds the pose at rest."""
    drives = (
        JointDrive(
            type="angular", axis=axis, position_target=0.0, stiffness=stiffness, damping=damping
        )
        for axis in (0, 1, 2)
    )
    return JointSettings(limits=(LINEAR,), drives=tuple(drives))


def two_islands(*, speed: float = 0.0) -> SceneBuilder:
    """Return two bodies on ball joints of their own, the second one spinning."""
    build = SceneBuilder((0.0, 0.0, 0.0))
    for x, spin in ((0.0, 0.0), (5.0, speed)):
        node = build.body((x, 0, 0), inertia=0.2, angular_velocity=(0.0, 0.0, spin))
        build.joint(springs(), -1, node, (x, 0, 0), turn((1, 2, 3), 0.4))
    return build


def aim(simulation: Simulation, rotation: np.ndarray, strength: float = 1.0) -> None:
    simulation.aim([0], Pose(np.zeros((1, 3)), rotation[None]), np.array([strength]))


@pytest.mark.parametrize("angle", [0.3, 1.4, 2.8])
def test_three_drives_reach_any_rotation(angle):
    simulation, wanted = Simulation(two_islands().scene()), turn((1.0, -2.0, 0.5), angle)
    for _ in range(96):
        aim(simulation, wanted)
        simulation.advance(FRAME)
    reached = simulation.relative_poses().rotation
    assert abs(float(reached[0] @ wanted)) == pytest.approx(1.0, abs=1e-6)
    # The other joint keeps its own targets.
    assert abs(float(reached[1][3])) == pytest.approx(1.0, abs=1e-12)


def test_aims_hold_where_islands_take_steps_of_their_own():
    simulation, wanted = Simulation(two_islands(speed=80.0).scene()), turn((0, 1, 0), 0.8)
    cuts = set[int]()
    for _ in range(48):
        aim(simulation, wanted)
        simulation.advance(FRAME)
        cuts |= set(simulation.course.cuts.tolist())
    assert len(cuts) > 1
    reached = simulation.relative_poses().rotation[0]
    assert abs(float(reached @ wanted)) == pytest.approx(1.0, abs=1e-6)


def test_strength_is_a_factor_of_stiffness_and_damping():
    """A mass on an arm under gravity: the drive's moment k q equals m g l cos q."""
    build = SceneBuilder()
    node = build.body((1.0, 0, 0), inertia=0.1, mass=2.0)
    build.joint(springs(200.0, 60.0), -1, node, (0, 0, 0))
    simulation = Simulation(build.scene())
    for strength in (1.0, 0.5):
        for _ in range(240):
            aim(simulation, turn((0, 1, 0), 0.0), strength)
            simulation.advance(FRAME)
        q = simulation.relative_poses().rotation[0]
        angle = 2.0 * math.atan2(q[1], q[3])
        assert strength * 200.0 * angle == pytest.approx(2.0 * 9.81 * math.cos(angle), rel=1e-4)


def test_no_strength_is_limp():
    simulations = []
    for settings in (springs(), JointSettings(limits=(LINEAR,))):
        build = SceneBuilder()
        build.joint(settings, -1, build.body((1.0, 0, 0), mass=2.0), (0, 0, 0))
        simulations.append(Simulation(build.scene()))
    for _ in range(24):
        aim(simulations[0], turn((0, 1, 0), 0.7), 0.0)
        for each in simulations:
            each.advance(FRAME)
    first, second = (each.body_poses().position[-1] for each in simulations)
    assert first == pytest.approx(second, abs=1e-3)


def test_a_reset_and_an_edit_bring_back_the_targets_of_the_scene():
    scene = two_islands().scene()
    simulation = Simulation(scene)
    aim(simulation, turn((0, 1, 0), 1.0), 0.0)
    simulation.reset()
    assert (simulation.model.table.center == 0.0).all()
    assert simulation.model.table.stiffness.max() == 40.0
