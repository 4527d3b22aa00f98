"""Poses under names: keyframes of MJCF, group states of SRDF, and the command that takes them."""

import math
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from omi_joints_addon.core.model.named_pose import NamedPose

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


COMMENTED = """<?xml version='1.0'  encoding='utf-8' ?>\r
<!-- written by hand: äöü -->\r
<robot   name="arm" >\r
    <group name='whole'><joint name="lift"/><joint name="bend"/><joint name="grip"/></group>\r
\r
    <!-- how it waits -->\r
    <group_state name="ready" group="whole">   <!-- two of three -->\r
        <joint name="lift"   value="0.60"/><joint name='bend' value='-9e-1'/>\r
        <joint name="missing" value="1"/>\r
    </group_state>\r
    <group_state name="home" group="whole"><joint name="lift" value="0"/></group_state>\r
    <disable_collisions link1="base" link2="forearm" reason="Never"/> <!-- measured -->\r
    <disable_collisions link2="shoulder" link1="base"  reason="Adjacent"/>\r
    <end_effector name="tool" parent_link="hand" group="whole"/>\r
    <unknown vendor="x"><![CDATA[<raw>]]></unknown>\r
</robot>\r
<!-- the end -->""".encode()


@pytest.fixture
def commented(arm: Path) -> Path:
    """Return a robot whose SRDF file was written by hand."""
    (arm.parent / "config" / "arm.srdf").write_bytes(COMMENTED)
    return arm


def _written_in_place(path: Path, scene: omi_joints.Scene) -> tuple[bytes, tuple[object, ...]]:
    """Write a scene over its file; return the SRDF file, and what was lost."""
    urdf = path.read_bytes()
    losses = omi_joints.write(scene, path, original=path, overwrite=True)
    assert path.read_bytes() == urdf, "nothing of it is in the URDF"
    assert not path.with_suffix(".srdf").exists()
    return (path.parent / "config" / "arm.srdf").read_bytes(), losses


def test_an_edit_of_a_pose_is_one_value_of_an_srdf(commented: Path) -> None:
    scene = omi_joints.read(commented)
    poses = tuple(
        replace(pose, positions=tuple((n, 0.71 if n == "lift" else at) for n, at in pose.positions))
        if pose.name == "ready"
        else pose
        for pose in scene.poses
    )
    data, losses = _written_in_place(commented, replace(scene, poses=poses))
    assert (data, losses) == (COMMENTED.replace(b'"0.60"', b'"0.71"'), ())
    assert omi_joints.read(commented).named_pose("ready") == {"lift": 0.71, "bend": -0.9}


def test_poses_and_pairs_are_added_to_an_srdf_and_taken_out(commented: Path) -> None:
    scene = omi_joints.read(commented)
    node = scene.names.index
    ready = next(pose for pose in scene.poses if pose.name == "ready")
    ready = replace(ready, positions=(("bend", -0.9), ("grip", 0.01)))
    new = NamedPose(name="far", positions=(("lift", 1.1), ("grip", 0.02)))
    pairs = ((node("hand"), node("base")),)
    edited = replace(scene, poses=(ready, new), excluded_pairs=pairs)
    data, losses = _written_in_place(commented, edited)
    text = COMMENTED.replace(b'<joint name="lift"   value="0.60"/>', b"", 1)
    text = text.replace(
        b'        <joint name="missing" value="1"/>\r\n',
        b'        <joint name="missing" value="1"/>\r\n'
        b'        <joint name="grip" value="0.01"/>\r\n',
    )
    text = text.replace(
        b'    <group_state name="home" group="whole">'
        b'<joint name="lift" value="0"/></group_state>\r\n',
        b"",
    )
    text = text.replace(
        b"    </group_state>\r\n",
        b'    </group_state>\r\n    <group_state name="far" group="whole">\r\n'
        b'        <joint name="lift" value="1.1"/>\r\n        <joint name="grip" value="0.02"/>\r\n'
        b"    </group_state>\r\n",
    )
    text = text.replace(
        b'<disable_collisions link1="base" link2="forearm" reason="Never"/>',
        b"",
    )
    assert losses == ()
    # Whitespace around what was taken out is not judged; all else is there to the byte.
    assert b"".join(data.split()).replace(
        b'<disable_collisionslink1="base"link2="hand"reason="User"/>', b""
    ) == b"".join(text.split())
    for kept in (
        b"<!-- written by hand: \xc3\xa4",
        b"<!-- how it waits -->\r\n",
        b"<![CDATA[<raw>]]>",
    ):
        assert kept in data
    again = omi_joints.read(commented)
    assert {pose.name for pose in again.poses} == {"ready", "far"}
    assert again.named_pose("far") == {"lift": 1.1, "grip": 0.02}
    found = {frozenset(again.names[n] for n in pair) for pair in again.excluded_pairs}
    assert found == {frozenset(("base", "hand"))}
    # MoveIt wants the joints of a state in its group.
    groups = {g.get("name"): g for g in ET.fromstring(data).iterfind("group")}
    for state in ET.fromstring(data).iterfind("group_state"):
        own = {each.get("name") for each in groups[state.get("group")].iterfind("joint")}
        named = {each.get("name") for each in state.iterfind("joint")} - {"missing"}
        assert named <= own


def test_a_pose_of_joints_of_no_group_gets_one(commented: Path) -> None:
    scene = omi_joints.read(commented)
    new = NamedPose(name="whole", positions=(("turn", 0.4), ("lift", 0.2)))
    data, _ = _written_in_place(commented, replace(scene, poses=(*scene.poses, new)))
    root = ET.fromstring(data)
    (state,) = (each for each in root.iterfind("group_state") if each.get("name") == "whole")
    (group,) = (each for each in root.iterfind("group") if each.get("name") == state.get("group"))
    assert {each.get("name") for each in group} == {"turn", "lift"}


def test_names_of_joints_and_links_follow_in_an_srdf(commented: Path) -> None:
    scene = omi_joints.read(commented)
    new = {"lift": "shoulder_lift", "forearm": "ulna", "hand": "palm"}
    names = tuple(new.get(name, name) for name in scene.names)
    poses = tuple(
        replace(pose, positions=tuple((new.get(n, n), at) for n, at in pose.positions))
        for pose in scene.poses
    )
    omi_joints.write(
        replace(scene, names=names, poses=poses), commented, original=commented, overwrite=True
    )
    wanted = COMMENTED.replace(b'"lift"', b'"shoulder_lift"').replace(b'"forearm"', b'"ulna"')
    wanted = wanted.replace(b'parent_link="hand"', b'parent_link="palm"')
    assert (commented.parent / "config" / "arm.srdf").read_bytes() == wanted
    assert omi_joints.read(commented).named_pose("ready")["shoulder_lift"] == 0.6


def test_a_copy_beside_gets_its_own_srdf_and_one_elsewhere_the_same_names(commented: Path) -> None:
    scene = omi_joints.read(commented)
    edited = replace(scene, poses=scene.poses[:1])
    beside = commented.with_name("copy.urdf")
    assert omi_joints.write(edited, beside, original=commented) == ()
    assert (commented.parent / "config" / "arm.srdf").read_bytes() == COMMENTED
    assert {pose.name for pose in omi_joints.read(beside).poses} == {"ready"}
    assert {pose.name for pose in omi_joints.read(commented).poses} == {"ready", "home"}
    elsewhere = commented.parent / "new" / "arm.urdf"
    elsewhere.parent.mkdir()
    assert omi_joints.write(edited, elsewhere, original=commented) == ()
    assert (elsewhere.parent / "config" / "arm.srdf").exists()
    assert {pose.name for pose in omi_joints.read(elsewhere).poses} == {"ready"}


def test_an_srdf_of_another_program_beside_a_copy_stays_and_the_edit_is_named(
    commented: Path,
) -> None:
    other = commented.with_name("copy.srdf")
    other.write_text("<robot name='else'/>")
    edited = replace(omi_joints.read(commented), poses=(NamedPose(name="far", positions=()),))
    losses = omi_joints.write(edited, commented.with_name("copy.urdf"), original=commented)
    assert other.read_text() == "<robot name='else'/>"
    assert "named pose" in {str(loss.noun) for loss in losses}


def test_pairs_go_into_an_srdf_beside_a_new_urdf(arm: Path, tmp_path: Path) -> None:
    scene = omi_joints.read(arm)
    target = tmp_path / "new" / "arm.urdf"
    target.parent.mkdir()
    omi_joints.write(replace(scene, poses=()), target)
    (line,) = ET.parse(target.with_suffix(".srdf")).getroot().iterfind("disable_collisions")
    assert {line.get("link1"), line.get("link2")} == {"base", "forearm"}
    again = omi_joints.read(target)
    found = {frozenset(again.names[n] for n in pair) for pair in again.excluded_pairs}
    assert found == {frozenset(("base", "forearm"))}
    assert "excluded" not in target.read_text()
