"""Joints in the terms of Godot's importer do there what the specification says of the originals."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from omi_joints_addon.core.engines.godot import GODOT
from omi_joints_addon.core.engines.godot.target import (
    in_godot_shape,
    in_godot_terms,
    turned_rest,
)
from omi_joints_addon.core.findings.finding import Severity
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose, pose_from_matrix, rotate
from omi_joints_addon.core.model.shape import Capsule, Cylinder
from omi_joints_addon.core.rewrite.portable import portable
from omi_joints_addon.core.solver import Simulation
from tests.core.probe import TOLERANCE, Probe
from tests.core.probes import PROBES
from tests.core.solver_scenes import turn
from tests.core.strategies import joint_settings
from tests.oracles.godot_importer import as_godot_reads

CANNOT = {
    "angular acceleration",
    "angular motor",
    "cone X",
    "cone Y",
    "cone Z",
    "cone and twist",
    "cone soft",
    "cone with hole",
    "cylindrical",
    "distance",
    "distance with hole",
    "hinge soft",
    "linear motor",
    "rotation",
    "slider soft limit",
    "slider soft lock",
    "tube",
    "weak motor",
}
"""What Godot cannot represent: axes together, softness, damped motors, sliders that turn."""

SLOWLY = {"hinge beyond its limit at load"}
"""What Jolt takes many seconds for."""


def _rest(probe: Probe) -> Pose:
    return Pose(np.array(probe.shift, float), turn(*probe.turned))


def _said(probe: Probe) -> tuple[JointSettings, set[str], Pose]:
    """Return settings for the importer, what they cannot say, and the turn of the frames."""
    result = portable(probe.settings, GODOT)
    found = in_godot_terms(
        result.settings, turned_rest(_rest(probe), result.turn.rotation), probe.mass
    )
    losses = {item.code for item in found.findings if item.severity != Severity.INFO}
    return found.settings, losses, Pose(np.zeros(3), np.array(result.turn.rotation))


@pytest.mark.parametrize("name", PROBES)
def test_report_says_beforehand_what_godot_cannot_represent(name: str) -> None:
    assert bool(_said(PROBES[name])[1]) == (name in CANNOT | SLOWLY)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROBES.keys() - CANNOT))
def test_what_godot_reads_does_what_was_authored(name: str) -> None:
    """The joint starts with both frames in one place, as Godot takes it."""
    probe = PROBES[name]
    settings, _, turned = _said(probe)
    read = as_godot_reads(settings)
    scene = probe.scene()
    matrices = scene.matrices.copy()
    frame = scene.joints[0]
    matrices[[frame.node, frame.connected]] = matrix_from_pose(turned)
    joints = (replace(frame, settings=read),)
    simulation = Simulation(replace(scene, matrices=matrices, joints=joints))
    for _ in range(round(probe.seconds * 60)):
        simulation.advance(1.0 / 60.0)
    moved = simulation.matrices()[0]
    body = Pose(moved[:3, 3], pose_from_matrix(moved).rotation)
    end = Pose(body.position - rotate(body.rotation, np.array(probe.arm)), body.rotation)
    close = TOLERANCE[probe.is_angular]
    assert probe.measured(end) == pytest.approx(probe.expected, abs=close)


def test_capsule_gets_its_full_height() -> None:
    capsule = Capsule(height=0.4, radius_bottom=0.1, radius_top=0.1)
    assert in_godot_shape(capsule) == replace(capsule, height=0.6000000000000001)
    assert in_godot_shape(replace(capsule, radius_top=0.2)).height == 0.4
    assert in_godot_shape(Cylinder()) == Cylinder()


@given(joint_settings)
def test_any_settings_have_some_terms(settings: JointSettings) -> None:
    result = portable(settings, GODOT)
    rest = Pose(np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))
    again = in_godot_terms(result.settings, rest, None)
    assert len(again.settings.drives) == len(settings.drives)


@pytest.mark.parametrize(
    ("position", "axis", "angle", "gap"),
    [
        ((0.0, 1.2e-7, 0.0), (0.6, 0.0, 0.8), 0.37, "21.2°"),
        ((0.13, 0.0, 0.0), (0.6, 0.0, 0.8), 0.37, "0.13 m"),
        ((1.2e-7, 0.0, 0.0), (0.6, 0.0, 0.8), 2e-5, None),
    ],
)
def test_a_frame_that_is_ignored_is_named_by_what_is_seen_of_it(
    position: tuple[float, ...], axis: tuple[float, ...], angle: float, gap: str | None
) -> None:
    """Frames that are turned against each other are not "0 m away"."""
    rest = Pose(np.array(position), turn(axis, angle))
    found = in_godot_terms(JointSettings(), rest, None).findings
    gaps = [item.message for item in found if item.code == "OMI-E113"]
    assert len(gaps) == (gap is not None)
    assert all(f"{gap} away" in text for text in gaps)
