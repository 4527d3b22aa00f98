"""Poses under names: keyframes of MJCF, group states of SRDF, and the command that takes them."""

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main

LEG = """<mujoco><compiler angle="degree"/><worldbody>
<body name="trunk" pos="0.2 0 0.7"><freejoint/>
  <inertial pos="0 0 0" mass="3.1" diaginertia="0.1 0.1 0.1"/>
  <body name="hip" pos="0 0.1 0"><joint name="swing" type="ball"/>
    <inertial pos="0 0 -0.1" mass="0.8" diaginertia="0.01 0.01 0.01"/>
    <body name="shin" pos="0 0 -0.3"><joint name="knee" axis="0 1 0" ref="10" range="-20 140"/>
      <inertial pos="0 0 -0.1" mass="0.5" diaginertia="0.01 0.01 0.01"/>
      <body name="foot" pos="0 0 -0.3"><joint name="toe" type="slide" axis="1 0 0" range="-0.1 0.1"
        limited="true"/><inertial pos="0 0 0" mass="0.2" diaginertia="0.01 0.01 0.01"/></body>
    </body></body></body></worldbody>
<keyframe><key name="crouch" qpos="0.2 0 0.5 1 0 0 0  1 0 0 0  1.3 0.02"/><key qpos="1"/></keyframe>
</mujoco>"""
SRDF = """<robot name="arm"><group name="all"/>
<group_state name="ready" group="all">
<joint name="lift" value="0.6"/><joint name="bend" value="-0.9"/>
<joint name="missing" value="1"/></group_state>
<group_state name="ready" group="hand"><joint name="grip" value="0.03"/></group_state>
<disable_collisions link1="base" link2="forearm" reason="Never"/>
<disable_collisions link1="base" link2="shoulder" reason="Adjacent"/>
<disable_collisions link1="base" link2="missing" reason="Never"/></robot>"""


@pytest.fixture
def arm(repository: Path, tmp_path: Path) -> Path:
    """Return a robot with an SRDF file in a folder beside it."""
    path = tmp_path / "arm.urdf"
    path.write_bytes((repository / "omi_joints_addon" / "examples" / "arm.urdf").read_bytes())
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "other.srdf").write_text('<robot name="other"/>')
    (tmp_path / "config" / "arm.srdf").write_text(SRDF)
    return path


def test_a_keyframe_is_a_pose_as_mujoco_has_it(tmp_path: Path) -> None:
    (tmp_path / "leg.xml").write_text(LEG)
    scene = omi_joints.read(tmp_path / "leg.xml")
    (pose,) = scene.poses
    assert scene.named_pose("crouch") == {"knee": 1.3, "toe": 0.02}
    model = mujoco.MjModel.from_xml_string(LEG.replace('<key qpos="1"/>', ""))
    data = mujoco.MjData(model)
    data.joint("knee").qpos[0], data.joint("toe").qpos[0] = 1.3, 0.02
    mujoco.mj_kinematics(model, data)
    posed = scene.posed(dict(pose.positions))
    for name in ("trunk", "shin", "foot"):
        assert posed.body(name).pose.position == pytest.approx(data.body(name).xpos, abs=1e-9)


def test_states_and_pairs_come_from_the_srdf_beside_a_robot(arm: Path) -> None:
    scene = omi_joints.read(arm)
    assert scene.named_pose("ready") == {"lift": 0.6, "bend": -0.9, "grip": 0.03}
    pairs = {frozenset(scene.names[node] for node in pair) for pair in scene.excluded_pairs}
    assert pairs == {frozenset(("base", "forearm"))}
    assert omi_joints.write(scene, arm.with_name("same.urdf"), original=arm) == ()
    assert arm.with_name("same.urdf").read_bytes() == arm.read_bytes()


def test_a_damaged_srdf_costs_only_itself(arm: Path) -> None:
    (arm.parent / "config" / "arm.srdf").write_text("<robot name='arm'><group_state")
    scene = omi_joints.read(arm)
    assert not scene.poses
    assert len(scene.joints) == 7


def test_poses_go_into_keyframes(arm: Path) -> None:
    omi_joints.write(omi_joints.read(arm), arm.with_name("arm.xml"))
    model = mujoco.MjModel.from_xml_path(str(arm.with_name("arm.xml")))
    key = model.key("ready").qpos
    values = {model.joint(n).name: key[model.joint(n).qposadr[0]] for n in range(model.njnt)}
    assert values["lift"] == pytest.approx(0.6)
    assert values["grip"] == pytest.approx(0.03)
    assert omi_joints.read(arm.with_name("arm.xml")).named_pose("ready")["bend"] == -0.9


def test_the_command_writes_a_posed_file(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = arm.with_name("posed.glb")
    assert main(["pose", str(arm), str(target), "--pose", "ready", "--set", "turn=30deg"]) == 0
    scene, posed = omi_joints.read(arm), omi_joints.read(target)
    wanted = {**scene.named_pose("ready"), "turn": math.radians(30.0)}
    for name in ("hand", "left_finger", "right_finger"):
        expected = scene.posed(wanted).body(name).pose.position
        assert posed.body(name).pose.position == pytest.approx(expected, abs=1e-6), name
    capsys.readouterr()
    assert main(["pose", str(arm), "--pose", "ready"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "lift: 0.6 rad (34.38°)" in lines
    assert "grip_right: 0.03 m" in lines
    assert lines[-1] == "pose ready: 3 joints"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--pose", "raedy"), "unknown pose 'raedy'; did you mean 'ready'?"),
        (("--set", "lfit=1"), "unknown joint 'lfit'; did you mean 'lift'?"),
    ],
)
def test_unknown_words_are_explained(
    arm: Path, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pose", str(arm), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_simulation_starts_from_a_pose(arm: Path) -> None:
    table = arm.with_name("out.csv")
    command = ["simulate", str(arm), "--start", "ready", "--seconds", "0.05", "--no-contacts"]
    assert main([*command, "--csv", str(table)]) == 0
    head, first = table.read_text().splitlines()[:2]
    row = dict(zip(head.split(","), map(float, first.split(",")), strict=True))
    expected = omi_joints.read(arm)
    place = expected.posed(expected.named_pose("ready")).body("hand").pose.position
    assert [row[f"hand.{axis}"] for axis in "xyz"] == pytest.approx(place, abs=1e-6)
    assert np.isfinite(list(row.values())).all()


def test_poses_go_into_an_srdf_beside_a_new_urdf(arm: Path, tmp_path: Path) -> None:
    """Keyframes of MJCF become group states, under the names that joints have there."""
    assert main(["convert", str(arm), str(tmp_path / "arm.xml")]) == 0
    target = tmp_path / "new" / "arm.urdf"
    target.parent.mkdir()
    assert main(["convert", str(tmp_path / "arm.xml"), str(target)]) == 0
    before, after = (omi_joints.read(path) for path in (tmp_path / "arm.xml", target))
    assert after.named_pose("ready") == pytest.approx(before.named_pose("ready"))
    judge = pytest.importorskip("yourdfpy").URDF.load(str(target), load_meshes=False)
    root = ET.parse(target.with_suffix(".srdf")).getroot()
    named = {each.get("name") for each in root.iter("joint")}
    assert named <= set(judge.joint_map)
    assert root.get("name") == judge.robot.name
    (state,) = (each for each in root.iterfind("group_state") if each.get("name") == "ready")
    assert state.get("group") in {each.get("name") for each in root.iterfind("group")}


@pytest.mark.parametrize("suffix", ["glb", "usda", "json", "sdf"])
def test_formats_without_poses_name_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    if suffix == "usda":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    (tmp_path / "leg.xml").write_text(LEG)
    target = tmp_path / f"leg.{suffix}"
    assert main(["convert", str(tmp_path / "leg.xml"), str(target)]) in (0, 1)
    assert "changed: named pose" in capsys.readouterr().err


def test_an_srdf_of_another_program_is_left_alone(arm: Path, tmp_path: Path) -> None:
    assert main(["convert", str(arm), str(tmp_path / "arm.xml")]) == 0
    target = tmp_path / "new" / "arm.urdf"
    target.parent.mkdir()
    beside = target.with_suffix(".srdf")
    beside.write_text("<robot name='arm'><group name='gripper'/></robot>")
    assert main(["convert", str(tmp_path / "arm.xml"), str(target)]) == 0
    assert beside.read_text() == "<robot name='arm'><group name='gripper'/></robot>"


def test_an_srdf_is_written_again_unless_it_was_edited(arm: Path, tmp_path: Path) -> None:
    assert main(["convert", str(arm), str(tmp_path / "arm.xml")]) == 0
    target = tmp_path / "new" / "arm.urdf"
    target.parent.mkdir()
    again = ["convert", "-f", str(tmp_path / "arm.xml"), str(target)]
    assert main(again) == 0
    beside = target.with_suffix(".srdf")
    model = tmp_path / "arm.xml"
    model.write_text(model.read_text().replace('name="ready"', 'name="other"'))
    assert main(again) == 0
    (state,) = ET.parse(beside).getroot().iterfind("group_state")
    assert state.get("name") == "other"
    edited = beside.read_text().replace(
        '<group name="all">', '<group name="gripper" /><group name="all">'
    )
    beside.write_text(edited)
    assert main(again) == 0
    assert beside.read_text() == edited
