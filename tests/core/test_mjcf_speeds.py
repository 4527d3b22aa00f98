"""Initial velocities as speeds of joints in a keyframe; MuJoCo is the judge of how bodies move."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.meaning.velocities import body_velocities
from omi_joints_addon.core.model.scene import PhysicsScene

from .mjcf_models import model, mujoco, read, write

BODIES = """<body name='a' pos='0 0 1' euler='10 20 30'><joint name='h' axis='0 1 1' pos='.1 .2 0'/>
<geom type='box' size='.1 .2 .3' pos='.1 0 .2'/>
<frame pos='.1 0 0' euler='40 0 50'><body name='b' pos='.5 0 0'><joint name='o' type='ball'
pos='0 .1 0'/><geom size='.1' pos='.2 0 0'/></body></frame>
<body name='c' pos='-.3 0 0'><joint name='x' type='slide' axis='1 0 0'/><joint name='y'
type='slide' axis='0 1 0'/><joint name='r' axis='0 .6 .8' pos='.1 0 0'/><geom size='.1'
pos='0 .2 0'/></body></body>
<body name='f' pos='2 0 1' euler='0 0 70'><freejoint/><geom size='.1' pos='.1 0 0'/></body>
<body name='m' mocap='true'><geom size='.1'/></body>"""
SPEEDS = np.random.default_rng(3).uniform(-2.0, 2.0, 13)


def started(qvel: str, others: str = "") -> str:
    key = f"<keyframe><key name='targets' qvel='{qvel}'/>{others}</keyframe>"
    return model(BODIES, "", key)


def judged(text: str) -> dict[str, np.ndarray]:
    """Return how each center of mass turns and moves at the start of the first keyframe."""
    judge = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(judge)
    mujoco.mj_resetDataKeyframe(judge, data, 0)
    mujoco.mj_forward(judge, data)
    found = {}
    for number in range(1, judge.nbody):
        six = np.zeros(6)
        kind = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(judge, data, kind, number, six, 0)
        found[judge.body(number).name] = six
    return found


def velocities(scene: PhysicsScene) -> dict[str, np.ndarray]:
    return {
        scene.names[body]: np.concatenate((each.angular, each.linear))
        for body, each in body_velocities(scene).items()
    }


def test_speeds_of_joints_are_the_velocities_of_bodies(tmp_path: Path) -> None:
    text = started(" ".join(map(str, SPEEDS)))
    found = velocities(read(text, tmp_path).scene)
    for name, expected in judged(text).items():
        if name != "m":
            np.testing.assert_allclose(found[name], expected, atol=1e-12, err_msg=name)


def test_written_bodies_start_as_they_were_read(tmp_path: Path) -> None:
    text = started(" ".join(map(str, SPEEDS)))
    written, losses = write(read(text, tmp_path).scene, tmp_path)
    assert any("keyframe 'targets'" in loss for loss in losses)
    assert not any("do not allow" in loss for loss in losses)
    for name, expected in judged(text).items():
        np.testing.assert_allclose(judged(written)[name], expected, atol=1e-9, err_msg=name)
    again, _ = write(read(written, tmp_path).scene, tmp_path)
    assert again == written


def test_velocities_that_joints_do_not_allow_are_named(tmp_path: Path) -> None:
    scene = read(model(BODIES), tmp_path).scene
    body = scene.names.index("a")
    motion = replace(scene.motions[body], linear_velocity=(0.0, 0.0, 3.0))
    scene = replace(scene, motions={**scene.motions, body: motion})
    _, losses = write(scene, tmp_path)
    assert any(" (a): " in loss and "do not allow all of it" in loss for loss in losses)


def test_a_spinning_free_body_starts_in_mujoco(tmp_path: Path) -> None:
    scene = read(model(BODIES), tmp_path).scene
    body = scene.names.index("f")
    motion = replace(
        scene.motions[body], linear_velocity=(1.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 5.0)
    )
    written, _ = write(replace(scene, motions={**scene.motions, body: motion}), tmp_path)
    turn = np.radians(70.0)
    expected = (0.0, 0.0, 5.0, np.cos(turn), np.sin(turn), 0.0)
    np.testing.assert_allclose(judged(written)["f"], expected, atol=1e-12)
    np.testing.assert_allclose(judged(written)["c"], np.zeros(6), atol=1e-12)


@pytest.mark.parametrize("qvel", ["1 2 what", " ".join(["1"] * 14)])
def test_speeds_that_are_no_numbers_of_joints_are_found(qvel: str, tmp_path: Path) -> None:
    found = read(started(qvel), tmp_path)
    assert any("qvel" in str(each) for each in found.findings)
    assert not any(each.any() for each in velocities(found.scene).values())


def test_velocities_of_other_keyframes_stay_there(tmp_path: Path) -> None:
    key = "<keyframe><key name='home' qvel='1 1 1 1 1 1 1 1 1 1 1 1 1'/></keyframe>"
    scene = read(model(BODIES, "", key), tmp_path).scene
    assert not any(each.any() for each in velocities(scene).values())
    written, _ = write(scene, tmp_path)
    assert mujoco.MjModel.from_xml_string(written).key_qvel.tolist() == [[1.0] * 13]


def test_coordinates_of_joints_that_are_gone_are_named(tmp_path: Path) -> None:
    key = "<keyframe><key name='home' time='1' qpos='0 1 0 0 0 1 1 1 2 0 1 1 0 0 0'/></keyframe>"
    scene = read(model(BODIES, "", key), tmp_path).scene
    same, _ = write(scene, tmp_path)
    assert mujoco.MjModel.from_xml_string(same).key_qpos[0][5] == 1.0
    joints = tuple(joint for joint in scene.joints if joint.place != "h")
    written, losses = write(replace(scene, joints=joints), tmp_path)
    assert any(" (home): " in loss and "qpos" in loss for loss in losses)
    judge = mujoco.MjModel.from_xml_string(written)
    np.testing.assert_allclose(judge.key_qpos[0], judge.qpos0)
    assert judge.key_time[0] == 1.0
