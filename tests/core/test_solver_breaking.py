"""Joints that break: when, beside closed forms, and what becomes of their bodies."""

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.shape import Box
from omi_joints_addon.core.solver import STEP, JointState, Options, Simulation
from tests.core.solver_scenes import G, SceneBuilder, integrate
from tests.core.test_simulate_command import document

FREE = presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf)
ARM, INERTIA, MASS = 0.37, 0.013, 1.7
ABOUT = INERTIA + MASS * ARM**2


def breaking(scene, **attributes):
    """Return a scene whose first joint breaks."""
    first, *others = scene.joints
    return replace(
        scene, joints=(replace(first, attributes=JointAttributes(**attributes)), *others)
    )


def pendulum(settings=FREE):
    """Return an arm that is let go from the horizontal."""
    build = SceneBuilder()
    node = build.body((ARM, 0, 0), inertia=INERTIA, mass=MASS)
    build.joint(settings, -1, node, (0, 0, 0))
    return build.scene()


def run(scene, seconds, **options):
    simulation = Simulation(scene, options=Options(**options))
    for _ in range(round(60 * seconds)):
        simulation.advance(1.0 / 60.0)
    return simulation


def held(angle):
    """Return the force [N] at the pivot of an arm that has fallen by an angle."""
    rate = 2.0 * MASS * G * ARM * math.sin(angle) / ABOUT
    turning = MASS * G * ARM * math.cos(angle) / ABOUT
    along = MASS * (G * math.sin(angle) + ARM * rate)
    return math.hypot(along, MASS * (G * math.cos(angle) - ARM * turning))


@pytest.mark.parametrize("angle", [0.31, 0.82, 1.33])
def test_an_arm_breaks_at_the_angle_where_it_holds_so_much(angle):
    simulation = run(breaking(pendulum(), break_force=held(angle)), 1.0)
    ((joint, time),) = simulation.broken_joints.items()
    step = 1e-4
    angles = integrate(lambda x, _v: MASS * G * ARM * math.cos(x) / ABOUT, 0.0, 0.0, 1.0, step=step)
    assert joint == 0
    assert time == pytest.approx(step * np.searchsorted(angles, angle), abs=2.0 * STEP)
    # Forces of the step that broke it act until its middle; nothing holds it from there.
    end = time - 0.5 * STEP
    now, left = float(angles[round(end / step)]), 1.0 - end
    rate = math.sqrt(2.0 * MASS * G * ARM * math.sin(now) / ABOUT)
    x = ARM * math.cos(now) - ARM * rate * math.sin(now) * left
    z = -ARM * math.sin(now) - ARM * rate * math.cos(now) * left - 0.5 * G * left**2
    found = simulation.matrices()[0, :3, 3]
    np.testing.assert_allclose(found, (x, 0.0, z), atol=0.02)


def test_an_arm_that_holds_more_than_it_ever_has_to_does_not_break():
    most = held(math.pi / 2.0)
    assert not run(breaking(pendulum(), break_force=1.003 * most), 1.0).broken_joints
    assert run(breaking(pendulum(), break_force=0.99 * most), 1.0).broken_joints


@pytest.mark.parametrize(("part", "breaks"), [(0.99, True), (1.01, False)])
def test_a_weld_breaks_by_its_torque(part, breaks):
    scene = breaking(pendulum(presets.fixed()), break_torque=part * MASS * G * ARM)
    simulation = run(scene, 0.5)
    assert bool(simulation.broken_joints) == breaks
    assert [finding.code for finding in simulation.problems()] == ["OMI-P038"] * breaks


def test_what_a_drive_gives_does_not_count():
    """The torque of a servo about the free axis goes through no bearing."""
    servo = JointDrive(type="angular", axis=1, position_target=0.0, stiffness=1e4, damping=50.0)
    scene = pendulum(JointSettings(limits=FREE.limits, drives=(servo,)))
    assert not run(breaking(scene, break_torque=0.3 * MASS * G * ARM), 0.5).broken_joints
    assert run(breaking(scene, break_force=0.9 * MASS * G), 0.5).broken_joints


def chain():
    """Return three weights that hang from each other."""
    build, before = SceneBuilder(), -1
    for number, mass in enumerate((0.7, 1.3, 2.1)):
        node = build.body((0, 0, -0.4 * number - 0.2), mass=mass, inertia=0.01)
        build.joint(presets.pin(), before, node, (0, 0, -0.4 * number))
        before = node
    return build.scene()


def test_the_weakest_of_a_chain_breaks_and_the_others_go_on():
    first, second, third = chain().joints
    second = replace(second, attributes=JointAttributes(break_force=0.9 * 3.4 * G))
    scene = replace(chain(), joints=(first, second, third))
    simulation = run(scene, 0.5)
    assert list(simulation.broken_joints) == [1]
    assert list(simulation.acting_joints) == [0, 2]
    upper, middle, lower = simulation.matrices()[[0, 3, 6], 2, 3]
    fallen = 0.5 * G * (0.5 - simulation.broken_joints[1]) ** 2
    assert upper == pytest.approx(-0.2, abs=1e-4)
    assert middle == pytest.approx(-0.6 - fallen, abs=0.5 * G * STEP)
    assert lower == pytest.approx(middle - 0.4, abs=1e-4)


def test_it_is_whole_again_at_rest_and_stays_broken_through_edits():
    scene = breaking(pendulum(), break_force=0.4 * MASS * G)
    simulation = run(scene, 0.5)
    simulation.change(replace(scene, gravity=(0.0, 0.0, -3.0)), options=Options())
    assert list(simulation.broken_joints) == [0]
    assert not simulation.acting_joints
    simulation.reset()
    assert not simulation.broken_joints
    assert list(simulation.acting_joints) == [0]


def test_what_followed_a_joint_that_broke_is_free():
    build = SceneBuilder((0.0, 0.0, 0.0))
    nodes = [build.body((0.3, 0, z), inertia=0.05) for z in (0.0, 1.0)]
    for node, z in zip(nodes, (0.0, 1.0), strict=True):
        build.joint(FREE, -1, node, (0, 0, z))
    build.motions[nodes[0]] = replace(build.motions[nodes[0]], angular_velocity=(0.0, 9.0, 0.0))
    geared = replace(build.scene(), couplings=(Coupling(joint=1, source=0),))
    simulation = run(breaking(geared, break_force=1.0), 0.5)
    assert list(simulation.broken_joints) == [0]
    assert list(simulation.acting_joints) == [1]


def test_bodies_collide_once_nothing_holds_them():
    build = SceneBuilder()
    lower = build.body((0, 0, 0.5), type="static")
    upper = build.body((0, 0, 1.8), mass=MASS)
    build.joint(presets.fixed(), lower, upper, (0, 0, 1.4))
    colliders = {node: Collider(shape=Box(size=(1.0, 1.0, 1.0))) for node in (lower, upper)}
    scene = replace(breaking(build.scene(), break_force=0.5 * MASS * G), colliders=colliders)
    simulation = run(scene, 1.5, contacts=True)
    assert simulation.broken_joints
    assert simulation.matrices()[upper, 2, 3] == pytest.approx(1.5, abs=2e-3)


def test_simulate_writes_when_a_joint_broke(tmp_path, capsys):
    file, table = tmp_path / "arm.gltf", tmp_path / "arm.csv"
    data = document({"linearAxes": [0, 1, 2], "min": 0, "max": 0})
    data["nodes"][3]["extras"] = {"OMI_physics_joint": {"breakForce": 30.0}}
    file.write_text(json.dumps(data))
    asked = ["--seconds", "1", "--fps", "30", "--columns", "states", "--csv", str(table)]
    assert main(["simulate", str(file), *asked]) == 0
    states = [int(row["Joint.state"]) for row in csv.DictReader(table.open())]
    told = "".join(capsys.readouterr())
    time = float(told.split("the joint broke after ")[1].split(" s")[0])
    assert JointState(max(states)) is JointState.BROKEN
    assert states.index(JointState.BROKEN) == math.ceil(30.0 * time)
    assert states == sorted(states)
