"""Our solver and MuJoCo on joints of every kind beside the closed form."""

import pytest

from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.solver import Simulation
from tests.core.probe import TOLERANCE
from tests.core.probes import PROBES
from tests.oracles import mujoco

MUJOCO_THROWS = {"hinge beyond its limit at load"}
"""Where MuJoCo keeps the speed at which it takes a joint back into its limits."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PROBES)
def test_joint_ends_where_the_closed_form_says(name: str) -> None:
    probe = PROBES[name]
    simulation = Simulation(probe.scene())
    for _ in range(round(probe.seconds * 60)):
        simulation.advance(1.0 / 60.0)
    found = probe.measured(_pose(simulation))
    assert found == pytest.approx(probe.expected, abs=TOLERANCE[probe.is_angular])


@pytest.mark.parametrize("name", sorted(PROBES.keys() - MUJOCO_THROWS))
def test_mujoco_agrees(name: str) -> None:
    pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    probe = PROBES[name]
    found = mujoco.measure(probe)
    assert found is None or found == pytest.approx(probe.expected, abs=TOLERANCE[probe.is_angular])


def _pose(simulation: Simulation) -> Pose:
    poses = simulation.relative_poses()
    return Pose(poses.position[0], poses.rotation[0])
