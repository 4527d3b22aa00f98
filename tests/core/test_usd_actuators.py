"""Actuators of MuJoCo's and Newton's schemas are values: in the scene, in MJCF, and edited."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.model.actuator import Actuator
from omi_joints_addon.core.model.joint import JointDrive
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
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
    return [each for joint in scene.joints for each in joint.attributes.actuators]


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
        "changed: drive (Hinge): the target of an actuator is its control, which the stage does "
        "not have"
    ]


def test_a_drive_that_is_gone_takes_its_actuator_along(tmp_path: Path) -> None:
    edited(tmp_path, ARM + SERVO)
    from pxr import Usd

    stage = Usd.Stage.Open(str(tmp_path / "physics.usda"))
    assert not stage.GetPrimAtPath("/W/servo").IsActive()
    assert stage.GetPrimAtPath("/W/Hinge").IsActive()


CONTROLLED = """<mujoco><compiler angle="radian"/>
<worldbody><body name="a"><joint name="j1" axis="0 1 0" range="-1 1"/>
<geom type="box" size=".1 .1 .1"/>
<body name="b" pos="0 0 .5"><joint name="j2" axis="0 1 0" damping="0.1" ref="0.3"/>
<geom type="box" size=".1 .1 .1"/>
<body name="c" pos="0 0 .5"><joint name="j3" type="slide" axis="0 0 1" range="-.2 .2"/>
<geom type="box" size=".1 .1 .1"/></body></body></body></worldbody>
<actuator>
<motor name="left motor" joint="j1" gear="30" ctrlrange="-1 1"/>
<position name="p2" joint="j2" kp="40" kv="2" ctrlrange="-1 1" forcerange="-5 5"/>
<general name="g3" joint="j3" gear="2" gainprm="7" biasprm="1 0 -3" biastype="affine"
 dyntype="filter" dynprm="0.2" forcerange="-9 9"/>
<motor name="m3" joint="j3"/>
</actuator></mujoco>"""
LAW = ("gainPrm", "biasPrm", "dynPrm", "gear", "gainType", "biasType", "dynType")
RANGES = ("ctrl", "force")


def controlled(folder: Path, name: str = "model.usda") -> Path:
    """Write the model as a stage."""
    source = folder / "model.xml"
    source.write_text(CONTROLLED)
    read = MJCF.read(Source(path=source))[0]
    written = USD.write(read.scene, Target(path=folder / name))
    (folder / name).write_bytes(written.files[name])
    return folder / name


def general(prim: Any) -> str:
    """Return a prim of mjcPhysics as the general actuator that it is."""
    found = {}
    for name in LAW:
        value = prim.GetAttribute(f"mjc:{name}").Get()
        if value is not None:
            is_text = isinstance(value, str)
            found[name.lower()] = value if is_text else " ".join(map(repr, value))
    for name in RANGES:
        limited = prim.GetAttribute(f"mjc:{name}Limited").Get()
        if limited == "true":
            ends = (prim.GetAttribute(f"mjc:{name}Range:{end}").Get() for end in ("min", "max"))
            found |= {f"{name}limited": "true", f"{name}range": " ".join(map(repr, ends))}
    (target,) = prim.GetRelationship("mjc:target").GetTargets()
    attributes = " ".join(f'{key}="{value}"' for key, value in found.items())
    return f'<general joint="{target.name}" {attributes}/>'


def test_motors_are_prims_of_mujocos_schema_that_act_as_in_the_model(tmp_path: Path) -> None:
    """MuJoCo compiles both alike; a servo beside no other drive stays a drive of UsdPhysics."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    from pxr import Usd

    stage = Usd.Stage.Open(str(controlled(tmp_path)))
    prims = [prim for prim in stage.Traverse() if prim.GetTypeName() == "MjcActuator"]
    assert [prim.GetName() for prim in prims] == ["left_motor", "p2", "g3", "m3"]
    section = CONTROLLED.partition("<actuator>")
    texts = "".join(map(general, prims))
    again = mujoco.MjModel.from_xml_string(f"{section[0]}<actuator>{texts}</actuator></mujoco>")
    model = mujoco.MjModel.from_xml_string(CONTROLLED)
    data, other = mujoco.MjData(model), mujoco.MjData(again)
    source = np.random.default_rng(3)
    for _ in range(20):
        control, place, speed = (source.normal(size=n) for n in (4, 3, 3))
        for one in (data, other):
            one.ctrl, one.qvel, one.act = control, speed, 0.3
        data.qpos, other.qpos = place, place
        mujoco.mj_forward(model, data)
        mujoco.mj_forward(again, other)
        assert other.qfrc_actuator == pytest.approx(data.qfrc_actuator)
    assert again.actuator_ctrlrange == pytest.approx(model.actuator_ctrlrange)
    assert again.actuator_forcerange == pytest.approx(model.actuator_forcerange)


@pytest.mark.parametrize("is_foreign", [False, True])
def test_controls_of_a_model_come_back_from_a_stage(is_foreign: bool, tmp_path: Path) -> None:
    """A stage of another program has no words of ours, so a motor is a general actuator there."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    path = controlled(tmp_path)
    if is_foreign:
        from pxr import Sdf

        layer = Sdf.Layer.OpenAsAnonymous(str(path))
        layer.Traverse("/", lambda at: _forget(layer.GetObjectAtPath(at)))
        path.write_text(layer.ExportToString())
    read = USD.read(Source(path=path))[0]
    written = MJCF.write(read.scene, Target(path=tmp_path / "again.xml"))
    again = mujoco.MjModel.from_xml_string(bytes(written.files["again.xml"]).decode())
    model = mujoco.MjModel.from_xml_string(CONTROLLED)
    names = [[each.actuator(n).name for n in range(each.nu)] for each in (model, again)]
    assert names[0] == names[1]
    for name in ("gear", "ctrlrange", "forcerange", "dyntype"):
        one, other = (getattr(each, f"actuator_{name}") for each in (model, again))
        assert other == pytest.approx(one)
    for each in (model, again):
        assert [each.actuator(n).gainprm[0] for n in range(4)] == pytest.approx([1, 40, 7, 1])
        assert each.actuator("p2").biasprm[:3] == pytest.approx([0, -40, -2])


def _forget(spec: Any) -> None:
    if spec is not None and spec.HasInfo("customData"):
        spec.ClearInfo("customData")


def test_only_what_is_not_on_the_stage_is_lost(tmp_path: Path) -> None:
    source = tmp_path / "model.xml"
    source.write_text(CONTROLLED)
    read = MJCF.read(Source(path=source))[0]
    assert read.document is not None
    unheld = tuple(MJCF.unheld(read.document))
    nouns = {str(loss.noun).partition(" ×")[0] for loss in unheld}
    assert {"ctrlrange of motor", "dyntype of general"} <= nouns
    kept = Kept(document=read.document, read=read, unheld=unheld)
    written = written_scene(USD, read.scene, Target(path=tmp_path / "m.usda", kept=kept))
    assert not [loss for loss in written.losses if "motor" in str(loss.noun)]
    assert not [loss for loss in written.losses if "general" in str(loss.noun)]
    assert not [loss for loss in written.losses if loss.noun == "drive"]
