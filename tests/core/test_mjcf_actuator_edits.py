"""Drives that are added to a model as actuators, replaced or taken out, judged by MuJoCo."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.core.model.joint import DriveType, JointDrive
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.mjcf import MJCF

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")

HEAD = """<mujoco model="arm">
  <compiler angle="degree"/> <!-- degrees -->
  <option gravity="0 0 0"/>
  {defaults}
  <worldbody>
    <body name="arm">
      <joint name="shoulder" axis="0 1 0" ref="{ref}" damping="0.3"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.5" size="0.04" mass="1.3"/>
      <body name="hand" pos="0 0 0.5">
        <joint type="slide" axis="1 0 0"/> <!-- unnamed -->
        <geom size="0.05" mass="0.7"/>
      </body>
    </body>
  </worldbody>
"""
OWN = """  <actuator>
    <motor name="push" joint="shoulder" gear="2.5"/> <!-- first -->
  </actuator>
  <keyframe>
    <key name="home" ctrl="0.75"/>
  </keyframe>
"""
CLASSES = """<default>
    <position kp="7" ctrlrange="-0.01 0.01" forcerange="-0.02 0.02"/>
    <general gear="3"/>
  </default>"""
SERVO = JointDrive(
    type=DriveType.ANGULAR, axis=2, position_target=0.4, stiffness=37.5, damping=4.5, max_force=29.5
)


def edited(folder: Path, text: str, edit: Any) -> tuple[str, list[str]]:
    path = folder / "arm.xml"
    path.write_text(text)
    read = MJCF.read(Source(path=path))[0]
    assert read.document is not None
    target = Target(path=path, kept=Kept(document=read.document, read=read))
    written = written_scene(MJCF, edit(read.scene), target)
    return bytes(written.files["arm.xml"]).decode(), [str(loss.noun) for loss in written.losses]


def driven(scene: PhysicsScene, number: int, *drives: JointDrive) -> PhysicsScene:
    joints = list(scene.joints)
    settings = replace(joints[number].settings, drives=drives)
    joints[number] = replace(joints[number], settings=settings)
    return replace(scene, joints=tuple(joints))


def numbered(scene: PhysicsScene, name: str) -> int:
    names = [scene.names[joint.node] for joint in scene.joints]
    return names.index(name)


def settled(text: str, controls: dict[str, float] | None = None) -> Any:
    """Return the data of a model after six seconds with the controls of its keyframe, or others."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    if controls is None:
        mujoco.mj_resetDataKeyframe(model, data, model.key("targets").id)
    for name, value in (controls or {}).items():
        data.actuator(name).ctrl = value
    for _ in range(int(6.0 / model.opt.timestep)):
        mujoco.mj_step(model, data)
    return data


@pytest.mark.parametrize("defaults", ["", CLASSES], ids=["plain", "classes"])
@pytest.mark.parametrize("ref", [0, 20])
def test_a_new_drive_is_an_actuator_that_moves_its_joint(
    tmp_path: Path, defaults: str, ref: int
) -> None:
    own = HEAD.format(defaults=defaults, ref=ref)
    text, lost = edited(
        tmp_path, own + "</mujoco>\n", lambda s: driven(s, numbered(s, "shoulder"), SERVO)
    )
    assert lost in ([], ["targets"])
    assert text.startswith(own.replace(' damping="0.3"', "")[:30])
    model = mujoco.MjModel.from_xml_string(text)
    assert model.nu == 1
    assert tuple(model.actuator_forcerange[0]) == pytest.approx((-29.5, 29.5))
    at = settled(text)
    # Limits and targets of MuJoCo are measured from zero, the pose of the file is at ref.
    moved = at.joint("shoulder").qpos[0]
    name = model.actuator(0).name
    assert moved == pytest.approx(at.actuator(name).ctrl[0], abs=1e-3)
    assert settled(text, {name: 0.1}).joint("shoulder").qpos[0] == pytest.approx(0.1, abs=1e-3)


def test_new_actuators_come_last_with_their_controls(tmp_path: Path) -> None:
    slide = JointDrive(
        type=DriveType.LINEAR, axis=0, velocity_target=0.25, damping=12.5, max_force=8.5
    )
    own = HEAD.format(defaults="", ref=0) + OWN + "</mujoco>\n"

    def edit(scene: PhysicsScene) -> PhysicsScene:
        (number,) = {*range(len(scene.joints))} - {numbered(scene, "shoulder")}
        axis = next(
            axis
            for axis in range(3)
            if not any(axis in limit.linear_axes for limit in scene.joints[number].settings.limits)
        )
        return driven(scene, number, replace(slide, axis=axis))

    text, lost = edited(tmp_path, own, edit)
    assert lost in ([], ["targets"])
    model = mujoco.MjModel.from_xml_string(text)
    assert model.actuator(0).name == "push"
    assert model.nu == 2
    home = model.key("home").ctrl
    assert home[0] == 0.75
    assert "<!-- first -->" in text
    assert "<!-- unnamed -->" in text
    data = settled(text, {model.actuator(1).name: 0.25})
    assert data.joint(1).qvel[0] == pytest.approx(0.25, rel=1e-3)


def test_an_actuator_that_is_gone_takes_its_column_along(tmp_path: Path) -> None:
    servo = '<position name="servo" joint="shoulder" kp="37.5"/> <!-- first -->'
    own = HEAD.format(defaults="", ref=0) + OWN.replace(
        '<motor name="push" joint="shoulder" gear="2.5"/> <!-- first -->',
        f'{servo}\n    <motor name="push" joint="shoulder"/>',
    ).replace('"0.75"', '"0.25 0.75"')

    def edit(scene: PhysicsScene) -> PhysicsScene:
        number = numbered(scene, "shoulder")
        joint = scene.joints[number]
        left = tuple(each for each in joint.attributes.actuators if each.name != "servo")
        joints = list(driven(scene, number).joints)
        joints[number] = replace(
            joints[number], attributes=replace(joint.attributes, actuators=left)
        )
        return replace(scene, joints=tuple(joints))

    text, lost = edited(tmp_path, own + "</mujoco>\n", edit)
    assert lost == []
    model = mujoco.MjModel.from_xml_string(text)
    assert [model.actuator(number).name for number in range(model.nu)] == ["push"]
    assert list(model.key("home").ctrl) == [0.75]
