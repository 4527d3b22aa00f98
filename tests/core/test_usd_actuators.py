"""Actuators of MuJoCo's and Newton's schemas are values: in the scene, in MJCF, and edited."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.model.actuator import Actuator, actuators_of
from omi_joints_addon.core.model.joint import JointDrive
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from tests.usd_actuators import ARM, HEAD, SERVO
from tests.usd_layers import opinions

from .usd_scenes import read_text

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

MOTOR = """
def MjcActuator "motor" {
    uniform double[] mjc:gear = [10, 0, 0, 0, 0, 0]
    uniform double[] mjc:dynPrm = [0.1, 0, 0]
    uniform token mjc:dynType = "filter"
    rel mjc:target = </W/Slide>
}
"""
NEWTON = """
def NewtonActuator "pd" (apiSchemas = ["NewtonPDControlAPI", "NewtonMaxEffortClampingAPI"]) {
    float newton:kp = 30
    float newton:kd = 3
    float newton:maxEffort = 7
    rel newton:targets = </W/Hinge>
}
"""
DRIVEN = ARM.replace(
    '"Hinge" {',
    '"Hinge" (apiSchemas = ["PhysicsDriveAPI:angular"]) {\n'
    "    float drive:angular:physics:stiffness = 1",
)
STACK = """
def Xform "Base" {}
def Xform "Link" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
    float physics:mass = 2
    float3 physics:diagonalInertia = (0.1, 0.1, 0.1)
}
def PhysicsRevoluteJoint "About Y" {
    uniform token physics:axis = "Y"
    rel physics:body0 = </W/Base>
    rel physics:body1 = </W/Link>
}
def PhysicsRevoluteJoint "About X" {
    uniform token physics:axis = "X"
    rel physics:body0 = </W/Base>
    rel physics:body1 = </W/Link>
}
def MjcActuator "y" {
    rel mjc:target = </W/AboutY>
}
def MjcActuator "x" {
    rel mjc:target = </W/AboutX>
}
""".replace('"About ', '"About')


def scene_of(text: str, folder: Path) -> PhysicsScene:
    return read_text(HEAD + text + "}\n", folder).scene


def actuators(scene: PhysicsScene) -> list[Actuator]:
    return [each for joint in scene.joints for each in actuators_of(joint.attributes)]


def compiled(scene: PhysicsScene, folder: Path):
    """Return MuJoCo's model of a scene as MJCF."""
    mujoco = pytest.importorskip("mujoco")
    written = MJCF.write(scene, Target(path=folder / "model.xml"))
    return mujoco.MjModel.from_xml_string(written.files["model.xml"].decode())


def drives(scene: PhysicsScene) -> dict[str, tuple[JointDrive, ...]]:
    return {joint.place: joint.settings.drives for joint in scene.joints}


def test_a_servo_is_a_drive_of_its_joint(tmp_path: Path) -> None:
    """Force on the joint: gear · (gain · u − 40 · gear · q − 2 · gear · v), at most gear · 5."""
    (drive,) = drives(scene_of(ARM + SERVO, tmp_path))["Hinge"]
    assert (drive.axis, drive.stiffness, drive.damping, drive.max_force) == (1, 160.0, 8.0, 10.0)


def test_mujoco_compiles_the_same_actuators(tmp_path: Path) -> None:
    model = compiled(scene_of(ARM + MOTOR + SERVO, tmp_path), tmp_path)
    assert model.nu == 2
    assert [model.actuator(n).name for n in (0, 1)] == ["motor", "servo"]
    assert model.actuator_gear[:, 0].tolist() == [10.0, 2.0]
    assert model.actuator_gainprm[:, 0].tolist() == [1.0, 40.0]
    assert model.actuator_biasprm[1, :3].tolist() == [0.0, -40.0, -2.0]
    assert model.actuator_ctrlrange[1].tolist() == [-1.0, 1.0]
    assert model.actuator_forcerange[1].tolist() == [-5.0, 5.0]
    assert model.actuator_dyntype.tolist() == [2, 0]
    assert model.actuator_dynprm[0, 0] == 0.1


def test_a_control_turns_the_body_about_the_axis_of_its_prim(tmp_path: Path) -> None:
    """Two hinges between the same bodies are one joint here, with an actuator on each axis."""
    mujoco = pytest.importorskip("mujoco")
    scene = scene_of(STACK, tmp_path)
    assert len(scene.joints) == 1
    model = compiled(scene, tmp_path)
    for name, axis in (("y", 1), ("x", 0)):
        data = mujoco.MjData(model)
        data.ctrl[model.actuator(name).id] = 1.0
        mujoco.mj_step(model, data, 5)
        mujoco.mj_forward(model, data)
        spin = data.body("Link").cvel[:3]
        assert int(np.argmax(np.abs(spin))) == axis
        assert spin[axis] > 0.0


def test_the_law_of_newton_s_controller(tmp_path: Path) -> None:
    scene = scene_of(ARM + NEWTON, tmp_path)
    (drive,) = drives(scene)["Hinge"]
    assert (drive.stiffness, drive.damping, drive.max_force) == (30.0, 3.0, 7.0)
    model = compiled(scene, tmp_path)
    assert model.actuator_gainprm[0, 0] == 30.0
    assert model.actuator_biasprm[0, :3].tolist() == [0.0, -30.0, -3.0]
    assert model.actuator_forcerange[0].tolist() == [-7.0, 7.0]


def test_a_drive_beside_newton_s_actuator_gives_way_with_a_finding(tmp_path: Path) -> None:
    read = read_text(HEAD + DRIVEN + NEWTON + "}\n", tmp_path)
    assert [drive.stiffness for drive in drives(read.scene)["Hinge"]] == [30.0]
    assert [each.place for each in read.findings if each.code == "OMI-U057"] == ["/W/Hinge"]


def test_a_drive_beside_mujoco_s_actuator_acts_as_well(tmp_path: Path) -> None:
    found = drives(scene_of(DRIVEN + SERVO, tmp_path))["Hinge"]
    assert [round(drive.stiffness, 3) for drive in found] == [round(180.0 / np.pi, 3), 160.0]


@pytest.mark.parametrize(
    "prim",
    [
        'def MjcActuator "a" {\n rel mjc:target = </W/Base>\n}',
        'def MjcActuator "a" {\n rel mjc:target = </W/Gone>\n}',
        'def MjcActuator "a" {\n}',
        'def MjcActuator "a" {\n uniform token mjc:dynType = "muscle"\n'
        " rel mjc:target = </W/Hinge>\n}",
        'def MjcActuator "a" {\n uniform token mjc:gainType = "affine"\n'
        " rel mjc:target = </W/Hinge>\n}",
        'def NewtonActuator "a" (apiSchemas = ["NewtonPIDControlAPI"]) {\n'
        " rel newton:targets = </W/Hinge>\n}",
    ],
)
def test_what_values_do_not_hold_is_reported(prim: str, tmp_path: Path) -> None:
    read = read_text(HEAD + ARM + prim + "\n}\n", tmp_path)
    assert not actuators(read.scene)
    kind = prim.split()[1]
    assert [str(each.message) for each in read.findings if each.place == "/W/a"] == [
        f"{kind} is not understood (1 in the file); USD files made from this one keep it, other "
        "files do not have it"
    ]


def edited(folder: Path, text: str, **changes: float) -> tuple[dict[str, object], list[str]]:
    """Return the opinions and losses of a layer with an edited drive of the hinge."""
    path = folder / "robot.usda"
    path.write_text(f"#usda 1.0\n{HEAD}{text}}}\n")
    read = USD.read(Source(path=path))[0]
    assert read.document is not None
    joint = read.scene.joints[0]
    found = tuple(replace(drive, **changes) for drive in joint.settings.drives if changes)
    joint = replace(joint, settings=replace(joint.settings, drives=found))
    scene = replace(read.scene, joints=(joint, *read.scene.joints[1:]))
    layer = folder / "physics.usda"
    kept = Kept(document=read.document, read=read)
    written = USD.write(scene, Target(path=layer, options={"layer": "above"}, kept=kept))
    layer.write_bytes(written.files[layer.name])
    return opinions(layer), [str(loss) for loss in written.losses]


def test_an_edited_drive_is_an_edited_actuator(tmp_path: Path) -> None:
    """Stiffness 320 N·m/rad at a gear of 2 is a gain of 80."""
    said, losses = edited(tmp_path, ARM + SERVO, stiffness=320.0)
    assert said == {
        "/W/servo.mjc:gainPrm": [80.0, *[0.0] * 9],
        "/W/servo.mjc:biasPrm": [0.0, -80.0, -2.0, *[0.0] * 7],
    }
    assert not losses


def test_an_edited_force_is_a_range_of_the_actuator(tmp_path: Path) -> None:
    said, _ = edited(tmp_path, ARM + SERVO, max_force=4.0)
    assert said == {"/W/servo.mjc:forceRange:min": -2.0, "/W/servo.mjc:forceRange:max": 2.0}


def test_newton_s_numbers_are_edited(tmp_path: Path) -> None:
    said, _ = edited(tmp_path, ARM + NEWTON, stiffness=50.0, max_force=9.0)
    assert said == {"/W/pd.newton:kp": 50.0, "/W/pd.newton:maxEffort": 9.0}


def test_an_edited_target_is_named_as_lost(tmp_path: Path) -> None:
    said, losses = edited(tmp_path, ARM + SERVO, position_target=0.5)
    assert said == {}
    assert losses == [
        "lost: Hinge: drive: the target of an actuator is its control, which the stage does not "
        "have"
    ]


def test_a_drive_that_is_gone_takes_its_actuator_along(tmp_path: Path) -> None:
    edited(tmp_path, ARM + SERVO)
    from pxr import Usd

    stage = Usd.Stage.Open(str(tmp_path / "physics.usda"))
    assert not stage.GetPrimAtPath("/W/servo").IsActive()
    assert stage.GetPrimAtPath("/W/Hinge").IsActive()
