"""Armature, dry friction, largest velocity and effort: beside MuJoCo and closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.joint import DriveMode, JointDrive, JointSettings
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import G, SceneBuilder, integrate, slider_body, twist

pytestmark = pytest.mark.slow

FREE = presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf).limits
TIMES = (0.25, 0.5, 1.0)
ARM, INERTIA = 0.3, 0.1
"""Of a pendulum of 1 kg: length [m] and inertia about its hinge [kg·m²]."""
TORQUE = G * ARM
SERVO = JointDrive(
    type="angular", axis=1, position_target=0.5, stiffness=50.0, damping=2.0, velocity_target=0.0
)
SERVO_OF_MUJOCO = (
    '<general joint="j0" gainprm="1" biastype="affine" biasprm="{goal} -{stiffness} -{damping}"/>'
)


def arms(attributes, *, drives=(), count=1):
    """Return pendulums from the horizontal, each at the end of the one before."""
    build, before = SceneBuilder(), -1
    for number in range(count):
        node = build.body((ARM + 0.6 * number, 0, 0), inertia=0.01)
        settings = JointSettings(limits=FREE, drives=drives)
        build.joint(settings, before, node, (0.6 * number, 0, 0))
        build.joints[-1] = replace(build.joints[-1], attributes=JointAttributes(**attributes))
        before = node
    return build.scene()


def angles(scene, times=TIMES):
    """Return the angles (t, j) [deg] of joints at some times [s]."""
    simulation, found = Simulation(scene), []
    for frame in range(1, round(60 * times[-1]) + 1):
        simulation.advance(1.0 / 60.0)
        if any(frame == round(60 * time) for time in times):
            poses = simulation.relative_poses()
            found.append([twist(poses, joint, 1) for joint in range(len(scene.joints))])
    return np.degrees(found)


def angles_of_mujoco(text, *, actuators="", equality="", count=1):
    """Return the same in MuJoCo, at a step where it has no error to speak of."""
    mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    bodies = "".join(
        f'<body pos="{0.6 if number else 0.0} 0 0"><joint name="j{number}" axis="0 1 0" {text}/>'
        f'<inertial pos="{ARM} 0 0" mass="1" diaginertia=".01 .01 .01"/>'
        for number in range(count)
    )
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="1e-4" integrator="RK4"/>'
        f"<worldbody>{bodies}{'</body>' * count}</worldbody><actuator>{actuators}</actuator>"
        f"<equality>{equality}</equality></mujoco>"
    )
    data, found = mujoco.MjData(model), []
    for time in TIMES:
        while data.time < time - 1e-9:
            mujoco.mj_step(model, data)
        found.append(data.qpos.copy())
    return np.degrees(found)


@pytest.mark.parametrize("count", [1, 3])
def test_armature_is_inertia_of_the_joint(count):
    theirs = angles_of_mujoco('armature="0.2"', count=count)
    off = angles(arms({"armature": 0.2}, count=count)) - theirs
    assert np.abs(off).max() < 0.01


def test_armature_is_felt_by_what_follows():
    scene = arms({"armature": 0.1}, count=2)
    scene = replace(scene, couplings=(Coupling(joint=1, source=0, coefficients=(0.0, -2.0)),))
    equality = (
        '<joint joint1="j1" joint2="j0" polycoef="0 -2 0 0 0" solref=".0005 1" '
        'solimp=".9999 .9999 .001"/>'
    )
    theirs = angles_of_mujoco('armature="0.1"', equality=equality, count=2)
    assert np.abs(angles(scene) - theirs)[:, 0].max() < 0.01


def test_stiff_servo_with_armature_is_not_damped():
    """The rotor is by far the most of what swings, which a step resolves."""
    spring = replace(SERVO, position_target=0.0, stiffness=5000.0, damping=0.0)
    scene = arms({"armature": 2.0}, drives=(replace(spring, velocity_target=None),))
    scene = replace(scene, gravity=(0.0, 0.0, 0.0))
    speed = {"angular_velocity": (0.0, 10.0, 0.0), "linear_velocity": (0.0, 0.0, -10.0 * ARM)}
    scene.motions[0] = replace(scene.motions[0], **speed)
    found = np.abs(angles(scene, np.arange(1, 121) / 60.0))
    expected = math.degrees(10.0 / math.sqrt(5000.0 / (2.0 + INERTIA)))
    assert found[:30].max() == pytest.approx(expected, rel=0.02)
    assert found[-30:].max() == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("goal", [0.0, 0.5])
def test_effort_bounds_a_servo(goal):
    servo = replace(SERVO, position_target=goal)
    actuator = SERVO_OF_MUJOCO.format(goal=50.0 * goal, stiffness=50.0, damping=2.0)
    theirs = angles_of_mujoco('actuatorfrcrange="-2 2"', actuators=actuator)
    assert np.abs(angles(arms({"effort": 2.0}, drives=(servo,))) - theirs).max() < 0.015


def test_effort_bounds_the_sum_of_actuators_and_no_damper():
    parts = (
        replace(SERVO, stiffness=30.0, damping=0.5),
        replace(SERVO, stiffness=20.0, damping=1.5, position_target=0.2, velocity_target=1.0),
        JointDrive(type="angular", axis=1, velocity_target=0.0, damping=0.4),
    )
    goal = 30.0 * 0.5 + 20.0 * 0.2 + 1.5
    actuator = SERVO_OF_MUJOCO.format(goal=goal, stiffness=50.0, damping=2.0)
    theirs = angles_of_mujoco('actuatorfrcrange="-2 2" damping="0.4"', actuators=actuator)
    assert np.abs(angles(arms({"effort": 2.0}, drives=parts)) - theirs).max() < 0.02


def test_friction_below_the_load_slides_as_the_closed_form():
    """A pendulum swings down and up once; where it turns, friction turns too."""

    def acceleration(x, v):
        load = TORQUE * math.cos(x)
        drag = math.copysign(1.0, v) if v else min(max(load, -1.0), 1.0)
        return (load - drag) / INERTIA

    expected = integrate(acceleration, 0.0, 0.0, 1.0)
    found = angles(arms({"friction": 1.0}))[:, 0]
    exact = np.degrees(expected[[round(1e4 * time) for time in TIMES]])
    assert np.abs(found - exact).max() < 0.3


def test_friction_beyond_the_load_sticks():
    assert np.abs(angles(arms({"friction": 4.0}))).max() < 1e-4


def test_friction_stops_a_slider_where_it_must():
    settings = presets.slider(axis=0, min_distance=-9.0, max_distance=9.0)
    scene = slider_body(settings, mass=2.0, linear_velocity=(3.0, 0.0, 0.0))
    joint = replace(scene.joints[0], attributes=JointAttributes(friction=6.0))
    simulation = Simulation(replace(scene, joints=(joint,)))
    for _ in range(120):
        simulation.advance(1.0 / 60.0)
    assert simulation.matrices()[0, 0, 3] == pytest.approx(1.5, abs=1e-3)
    assert simulation.motions.linear[0, 1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_largest_velocity_is_kept(sign):
    motor = JointDrive(type="angular", axis=1, velocity_target=9.0 * sign, damping=1e3)
    found = np.radians(angles(arms({"velocity": 1.0}, drives=(motor,)))[:, 0])
    np.testing.assert_allclose(found, sign * np.array(TIMES), atol=5e-3)


@pytest.mark.parametrize(
    ("settings", "attributes", "left_out"),
    [
        (presets.pin(), {"friction": 1.0, "armature": 1.0}, ["friction", "armature"]),
        (presets.hinge(axis=1), {"effort": 0.0, "velocity": 0.0}, ["effort", "largest velocity"]),
        (presets.hinge(axis=1), {"friction": 1.0, "velocity": 1.0}, []),
        (presets.fixed(), {"friction": 1.0, "effort": 1.0}, []),
    ],
)
def test_what_does_not_act_is_reported(settings, attributes, left_out):
    scene = arms(attributes)
    joint = replace(scene.joints[0], settings=settings)
    findings = Simulation(replace(scene, joints=(joint,))).findings
    messages = [item.message for item in findings if item.code == "OMI-P018"]
    assert len(messages) == len(left_out)
    for message, what in zip(messages, left_out, strict=True):
        assert f"the joint's {what}, " in message


def test_effort_that_bounds_unlike_drives_is_reported():
    drives = (SERVO, replace(SERVO, mode=DriveMode.ACCELERATION))
    findings = Simulation(arms({"effort": 1.0}, drives=drives)).findings
    assert "OMI-P018" in {item.code for item in findings}


def test_attributes_act_in_islands_with_steps_of_their_own():
    """Beside a pendulum that is too fast for whole steps."""
    alone = arms({"armature": 0.2, "friction": 0.1})
    build = SceneBuilder()
    node = build.body((ARM, 0, 0), inertia=0.01)
    build.joint(JointSettings(limits=FREE), -1, node, (0, 0, 0))
    build.joints[-1] = replace(build.joints[-1], attributes=alone.joints[0].attributes)
    speed = {"angular_velocity": (0, 60.0, 0), "linear_velocity": (0, 0, -30.0)}
    build.joint(presets.pin(), -1, build.body((5.5, 0, 0), **speed), (5, 0, 0))
    np.testing.assert_allclose(angles(build.scene())[:, 0], angles(alone)[:, 0], atol=1e-9)
