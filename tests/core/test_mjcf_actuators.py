"""Actuators through the scene: the control vector keeps its length, order and meaning."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF

from .mjcf_models import model, mujoco, read, write

BODIES = """<body name='a' pos='0 0 1'><joint name='j' axis='0 1 0' range='-60 40' damping='.2'/>
<geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/><site name='tip' pos='.3 0 0'/>
<body name='b' pos='.3 0 0'><joint name='k' axis='0 1 0'/><geom size='.05'/>
<body name='c' pos='.1 0 0'><joint name='s' type='slide' axis='1 0 0'/><geom size='.05'/></body>
</body></body>"""
TENDON = """<tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='k' coef='2'/></fixed>
</tendon>"""
GENERAL = "<general gainprm='5' biastype='affine' biasprm='1 -5 -2' dyntype='filter' dynprm='.3'/>"
MODELS = {
    "order": "<motor name='m' joint='k'/><position name='p' joint='j' kp='3'/>",
    "servo without force range": "<position name='j' joint='j' kp='500' ctrlrange='-1 1'/>",
    "velocity": "<velocity name='v' joint='j' kv='4' ctrlrange='-3 3'/>",
    "gripper": "<general name='g' joint='j' biastype='affine' gainprm='.05' biasprm='0 -10 -1' "
    "ctrlrange='0 255' forcerange='-3 8' gear='2'/>",
    "offset": "<general joint='j' biastype='affine' gainprm='2' biasprm='.3 -10 -1'/>",
    "inherit, filter": "<position joint='j' kp='9' inheritrange='1' timeconst='.1'/>",
    "ratio": "<position joint='j' kp='9' dampratio='1'/>",
    "two on one": "<position joint='j' kp='9'/><motor joint='j' gear='3'/><velocity joint='j'/>",
    "tendon between": "<motor joint='j'/><position tendon='t' kp='4'/><position joint='k' kp='2'/>",
    "site": "<position joint='j'/><motor site='tip' gear='0 0 1 0 0 0'/>",
    "parent": "<motor jointinparent='j'/><muscle name='w' joint='k'/>",
    "others": "<intvelocity joint='k' kp='3' actrange='-1 1'/><damper joint='j' kv='2' "
    "ctrlrange='0 1'/><cylinder joint='s' diameter='.1' timeconst='.2'/><adhesion body='c' "
    "ctrlrange='0 1' gain='3'/>",
    "integrator": "<general joint='j' dyntype='integrator' actlimited='true' actrange='0 1'/>",
    "delay": "<position joint='j' kp='3' delay='.01' nsample='3' interp='linear' user='1 2'/>",
    "free range": "<position joint='j' ctrllimited='false' ctrlrange='-1 1'/>",
}
DEFAULTS = {
    "none": "",
    "general": f"<default>{GENERAL}</default>",
    "last": "<default><velocity kv='7'/><position kp='9' kv='2' ctrlrange='-2 2'/></default>",
    "position": "<default><position kp='9' kv='2' ctrlrange='-2 2'/><motor gear='3'/></default>",
}
ARRAYS = (
    *("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "ctrllimited"),
    *("ctrlrange", "forcelimited", "forcerange", "actlimited", "actrange", "gear", "trntype"),
    *("actnum", "delay", "history", "user"),
)


def assert_same_controls(before: str, after: str) -> None:
    one, other = (mujoco.MjModel.from_xml_string(text) for text in (before, after))
    assert [one.actuator(n).name for n in range(one.nu)] == [
        other.actuator(n).name for n in range(other.nu)
    ]
    for name in ARRAYS:
        pair = [getattr(each, f"actuator_{name}") for each in (one, other)]
        if name.endswith("range"):
            limits = getattr(one, f"actuator_{name.replace('range', 'limited')}")
            pair = [each[np.flatnonzero(limits)] for each in pair]
        np.testing.assert_allclose(*pair, err_msg=name)
    for name in ("dof_damping", "jnt_stiffness", "key_ctrl"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize(
    ("name", "defaults"),
    # Cylinders and the like take parts of the law of other kinds in MuJoCo.
    [(name, each) for name in MODELS for each in DEFAULTS if name != "others" or each == "none"],
)
def test_mujoco_compiles_the_same_actuators(name: str, defaults: str, tmp_path: Path) -> None:
    text = model(BODIES, DEFAULTS[defaults], f"{TENDON}<actuator>{MODELS[name]}</actuator>")
    written, _ = write(read(text, tmp_path).scene, tmp_path)
    assert_same_controls(text, written)


def test_random_controls_move_the_written_model_alike(tmp_path: Path) -> None:
    text = model(
        BODIES, "", f"{TENDON}<actuator>{MODELS['tendon between']}{MODELS['gripper']}</actuator>"
    )
    written, _ = write(read(text, tmp_path).scene, tmp_path)
    found = []
    for source in (text, written):
        judge = mujoco.MjModel.from_xml_string(source)
        judge.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        data, random = mujoco.MjData(judge), np.random.default_rng(5)
        for _ in range(250):
            data.ctrl[:] = random.uniform(-1.0, 1.0, judge.nu)
            mujoco.mj_step(judge, data)
        found.append(data.qpos.copy())
    np.testing.assert_allclose(found[1], found[0], atol=1e-9)


def test_keyframes_keep_their_controls(tmp_path: Path) -> None:
    keys = "<keyframe><key name='home' qpos='.1 .2 0' ctrl='.5 7'/></keyframe>"
    text = model(BODIES, "", f"<actuator>{MODELS['order']}</actuator>{keys}")
    written, _ = write(read(text, tmp_path).scene, tmp_path)
    assert_same_controls(text, written)


def test_keyframes_follow_an_actuator_that_is_gone(tmp_path: Path) -> None:
    keys = "<keyframe><key name='home' qpos='.1 .2 0' ctrl='.5 7'/></keyframe>"
    scene = read(model(BODIES, "", f"<actuator>{MODELS['order']}</actuator>{keys}"), tmp_path).scene
    joints = [
        replace(joint, attributes=replace(joint.attributes, actuators=()))
        if scene.names[joint.node] == "k"
        else joint
        for joint in scene.joints
    ]
    written, _ = write(replace(scene, joints=tuple(joints)), tmp_path)
    judge = mujoco.MjModel.from_xml_string(written)
    assert judge.nu == 1
    assert judge.key_ctrl.tolist() == [[7.0]]


def test_an_edited_drive_scales_its_actuator(tmp_path: Path) -> None:
    scene = read(model(BODIES, "", f"<actuator>{MODELS['gripper']}</actuator>"), tmp_path).scene
    (number,) = [n for n, joint in enumerate(scene.joints) if joint.settings.drives[1:]]
    joint = scene.joints[number]
    passive, servo = joint.settings.drives
    assert (servo.stiffness, servo.damping, servo.max_force) == (40.0, 4.0, 16.0)
    drives = (passive, replace(servo, stiffness=80.0))
    joints = list(scene.joints)
    joints[number] = replace(joint, settings=replace(joint.settings, drives=drives))
    written, _ = write(replace(scene, joints=tuple(joints)), tmp_path)
    judge = mujoco.MjModel.from_xml_string(written)
    assert judge.actuator_gainprm[0][0] == pytest.approx(0.1)
    assert judge.actuator_biasprm[0][:3] == pytest.approx((0.0, -20.0, -1.0))
    assert judge.actuator_ctrlrange[0].tolist() == [0.0, 255.0]
    assert judge.actuator_forcerange[0].tolist() == [-3.0, 8.0]
    assert judge.dof_damping[0] == pytest.approx(0.2)


def test_a_removed_drive_takes_its_actuator_and_no_other(tmp_path: Path) -> None:
    tail = "<actuator><position name='p' joint='j' kp='9'/><motor name='m' joint='j'/></actuator>"
    scene = read(model(BODIES, "", tail), tmp_path).scene
    joints = [
        replace(joint, settings=replace(joint.settings, drives=joint.settings.drives[:1]))
        for joint in scene.joints
    ]
    written, _ = write(replace(scene, joints=tuple(joints)), tmp_path)
    judge = mujoco.MjModel.from_xml_string(written)
    assert [judge.actuator(n).name for n in range(judge.nu)] == ["m"]
    assert judge.dof_damping[0] == pytest.approx(0.2)


def test_plugins_stay_in_their_place(tmp_path: Path) -> None:
    head = (
        "<extension><plugin plugin='mujoco.pid'><instance name='i'><config key='kp' value='3'/>"
        "</instance></plugin></extension>"
    )
    plugin = "<plugin joint='j' plugin='mujoco.pid' instance='i'/>"
    tail = f"<actuator>{plugin}<motor joint='k'/></actuator>"
    written, _ = write(read(model(BODIES, head, tail), tmp_path).scene, tmp_path)
    judge = mujoco.MjModel.from_xml_string(written)
    assert judge.nu == 2
    assert judge.actuator_plugin.tolist() == [0, -1]


def test_gltf_carries_actuators_of_joints(tmp_path: Path) -> None:
    text = model(BODIES, "", f"<actuator>{MODELS['order']}{MODELS['gripper']}</actuator>")
    text = re.sub("<geom[^>]*>", "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>", text)
    scene = read(text, tmp_path).scene
    target = tmp_path / "out.gltf"
    write_files(tmp_path, GLTF.write(scene, Target(path=target)).files)
    assert "actuators" in json.dumps(json.loads(target.read_text())["nodes"])
    again = GLTF.read(Source(path=target))[0].scene
    written, _ = write(again, tmp_path)
    assert_same_controls(text, written)


def test_damaged_data_is_no_actuator() -> None:
    for text in ("", "{", "{}", '{"actuators":[{"name":3}]}', '{"actuators":[[]]}'):
        attributes = JointAttributes(carried=(("actuators", text),))
        assert attributes.actuators == ()
        assert attributes.texts() == {"actuators": text}
