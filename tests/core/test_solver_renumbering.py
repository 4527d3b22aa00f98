"""Numbers that change while a scene moves: the model stays, and so does what moves."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver import Options, Simulation

OPTIONS = Options(contacts=True)


def crank(*, velocity: float = 0.7, upper: float = 2.3) -> PhysicsScene:
    """Return an arm on a motor, beside a box that falls onto a floor."""
    build = omi_joints.SceneBuilder()
    static = omi_joints.MotionType.STATIC
    build.add_body("floor", pose=(0, 0, -0.1), shape=omi_joints.box((4, 4, 0.2)), motion=static)
    build.add_body("box", pose=(1, 0, 0.13), shape=omi_joints.box((0.2, 0.2, 0.2)), mass=1.3)
    build.add_body("arm", pose=(-1, 0, 1), shape=omi_joints.box((0.6, 0.1, 0.1)), mass=2.1)
    motor = omi_joints.Motor(velocity=velocity, damping=5.3, max_force=9.0)
    build.hinge(
        "motor", None, "arm", pivot=(-1.3, 0, 1), axis=(0, 1, 0), lower=-1.9, upper=upper,
        motor=motor,
    )  # fmt: skip
    return build.scene()


def started(scene: PhysicsScene) -> Simulation:
    return Simulation(scene, options=OPTIONS)


def with_drive(scene: PhysicsScene, **numbers: Any) -> PhysicsScene:
    (joint,) = scene.joints
    drives = tuple(replace(each, **numbers) for each in joint.settings.drives)
    settings = replace(joint.settings, drives=drives)
    return replace(scene, joints=(replace(joint, settings=settings),))


def moved(simulation: Simulation, frames: int = 20) -> np.ndarray:
    for _ in range(frames):
        simulation.advance(1.0 / 60.0)
    return simulation.matrices()


@pytest.mark.parametrize(
    "scene",
    [
        *(crank(velocity=-1.1), crank(upper=0.1), with_drive(crank(), damping=6.1)),
        with_drive(crank(), stiffness=11.0, position_target=0.3),
    ],
    ids=["target", "bound", "damping", "spring"],
)
def test_other_numbers_leave_the_model_and_act(scene: PhysicsScene) -> None:
    simulation = started(crank())
    system, course = simulation.model.system, simulation.course
    simulation.change(scene, options=OPTIONS)
    assert simulation.model.system is system
    assert simulation.course is course
    assert simulation.scene is scene
    assert moved(simulation) == pytest.approx(moved(started(scene)), abs=1e-12)


def test_numbers_that_changed_are_there_after_a_reset() -> None:
    scene, simulation = crank(velocity=-1.1), started(crank())
    simulation.change(scene, options=OPTIONS)
    moved(simulation, 7)
    simulation.reset()
    assert moved(simulation) == pytest.approx(moved(started(scene)), abs=1e-12)


def test_what_is_more_than_a_number_makes_the_model_anew() -> None:
    whole = crank()
    (joint,) = whole.joints
    heavy = {node: replace(each, mass=3.7) for node, each in whole.motions.items()}
    others = {
        "no drive": replace(
            whole, joints=(replace(joint, settings=replace(joint.settings, drives=())),)
        ),
        "friction": replace(
            whole,
            joints=(replace(joint, attributes=omi_joints.JointAttributes(friction=0.4)),),
        ),
        "mass": replace(whole, motions=heavy),
        "weightless": replace(whole, gravity=(0.0, 0.0, -1.7)),
    }
    for name, scene in others.items():
        simulation = started(whole)
        course = simulation.course
        simulation.change(scene, options=OPTIONS)
        assert simulation.course is not course, name
        assert moved(simulation) == pytest.approx(moved(started(scene)), abs=1e-9), name


def test_what_has_to_be_assumed_of_a_joint_is_said_after_numbers_change() -> None:
    """An effort cannot limit two drives one of which has a bound of its own (OMI-P018)."""
    (joint,) = crank().joints
    free = replace(joint.settings.drives[0], max_force=np.inf)
    scenes = []
    for first in (free, joint.settings.drives[0]):
        settings = replace(joint.settings, drives=(first, free))
        attributes = omi_joints.JointAttributes(effort=4.0)
        limited = replace(joint, settings=settings, attributes=attributes)
        scenes.append(replace(crank(), joints=(limited,)))
    simulation = started(scenes[0])
    assert "OMI-P018" not in [found.code for found in simulation.findings]
    simulation.change(scenes[1], options=OPTIONS)
    assert "OMI-P018" in [found.code for found in simulation.findings]


def test_other_inertias_make_the_model_anew() -> None:
    scene = crank()
    arm = scene.names.index("arm")
    simulation = Simulation(scene, options=OPTIONS, inertias={arm: np.eye(3)})
    course = simulation.course
    simulation.change(scene, options=OPTIONS, inertias={arm: np.eye(3)})
    assert simulation.course is course
    simulation.change(scene, options=OPTIONS, inertias={arm: 2.0 * np.eye(3)})
    assert simulation.course is not course


def test_a_servo_whose_target_stiffness_and_force_are_keyed_follows_its_equation() -> None:
    mass, arm, damping, last = 2.7, 0.3, 1.9, 1.3
    keys = {"position_target": (0.0, 1.1), "stiffness": (31.0, 90.0), "max_force": (4.0, 11.0)}
    build = omi_joints.SceneBuilder()
    build.add_body("arm", pose=(arm, 0, 1), shape=omi_joints.box((0.6, 0.1, 0.1)), mass=mass)
    spring = omi_joints.Spring(stiffness=31.0, damping=damping, max_force=4.0)
    build.hinge("servo", None, "arm", pivot=(0, 0, 1), axis=(0, 1, 0), spring=spring)
    times = np.array((0.0, last))
    tracks = [
        omi_joints.Track(
            joints=(0,), kind="drives", member=name, seconds=times, values=np.array(values)
        )
        for name, values in keys.items()
    ]
    scene = replace(build.scene(tracks=tuple(tracks)), gravity=(0.0, 0.0, 0.0))
    moment = mass * (0.6**2 + 0.1**2) / 12.0 + mass * arm**2

    def rate(state: np.ndarray, time: float) -> np.ndarray:
        part = min(time / last, 1.0)
        target, stiffness, most = (low + part * (high - low) for low, high in keys.values())
        torque = stiffness * (target - state[0]) - damping * state[1]
        return np.array((state[1], np.clip(torque, -most, most) / moment))

    wanted, state, step = [0.0], np.zeros(2), 1e-3
    for number in range(2000):
        time = number * step
        first = rate(state, time)
        second = rate(state + 0.5 * step * first, time + 0.5 * step)
        third = rate(state + 0.5 * step * second, time + 0.5 * step)
        fourth = rate(state + step * third, time + step)
        state = state + step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
        if (number + 1) % 50 == 0:
            wanted.append(float(state[0]))
    moved = omi_joints.simulate(scene, seconds=2.0, fps=20.0)
    turned = np.abs(moved.joint_values[:, 0, 3:]).max(axis=1)
    assert turned == pytest.approx(np.abs(wanted), abs=2e-4)
