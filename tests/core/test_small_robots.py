"""Robots as people have them: names, sizes, masses and files that many readers take."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import UnreadableError

INERTIAL = """<inertial><mass value="1.3"/>
<inertia ixx=".1" iyy=".2" izz=".25" ixy="0" ixz="0" iyz="0"/></inertial>"""
NAMES = f"""<robot name="r"><link name="base">{INERTIAL}</link><link name="hand">{INERTIAL}</link>
<joint name="hand" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
</joint><link name="tool"/><joint name="tool" type="fixed"><origin xyz="0 1 0"/>
<parent link="hand"/><child link="tool"/></joint></robot>"""
BALL = f"""<robot name="ball"><link name="base">{INERTIAL}</link><link name="x"/>
<link name="tip">{INERTIAL}</link>
<joint name="jx" type="continuous"><parent link="base"/><child link="x"/><axis xyz="1 0 0"/></joint>
<joint name="jy" type="continuous"><parent link="x"/><child link="tip"/><axis xyz="0 1 0"/></joint>
</robot>"""
STAGE = """#usda 1.0
(
    defaultPrim = "W"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "W"
{
    def Xform "a" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 1.3
    }

    def PhysicsRevoluteJoint "j"
    {
        uniform token physics:axis = "X"
        rel physics:body1 = </W/a>
        float physics:lowerLimit = -40
        float physics:upperLimit = 40
        float physxJoint:armature = 0.013
    }
}
"""


def test_a_joint_and_a_link_may_have_one_name(tmp_path: Path) -> None:
    source, target = tmp_path / "a.urdf", tmp_path / "b.urdf"
    source.write_text(NAMES)
    assert main(["convert", str(source), str(target), "-o", "source=new", "--strict"]) == 0
    root = ET.parse(target).getroot()
    assert [each.get("name") for each in root.iter("link")] == ["base", "hand", "tool"]
    assert [each.get("name") for each in root.iter("joint")] == ["hand", "tool"]


@pytest.mark.parametrize("shape", ['<sphere radius="0"/>', '<box size=".1 0 .2"/>'])
def test_what_is_shown_without_a_size_is_left_out_of_mjcf(tmp_path: Path, shape: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    source, target = tmp_path / "a.urdf", tmp_path / "b.xml"
    shown = f"<visual><geometry>{shape}</geometry></visual>"
    source.write_text(NAMES.replace('<link name="tool"/>', f'<link name="tool">{shown}</link>'))
    (loss,) = omi_joints.convert(source, target).losses
    assert str(loss).startswith("looks only: visual (tool_visual): it has a size of 0")
    assert mujoco.MjModel.from_xml_path(str(target)).ngeom == 0


@pytest.mark.parametrize("target", ["b.glb", "b.usda", "b.xml"])
def test_links_without_mass_weigh_the_same_little_everywhere(tmp_path: Path, target: str) -> None:
    if target == "b.usda":
        pytest.importorskip("pxr")
    source = tmp_path / "a.urdf"
    source.write_text(BALL)
    losses = omi_joints.convert(source, tmp_path / target).losses
    (line,) = [str(loss) for loss in losses if loss.noun == "mass"]
    assert line == "changed: mass (x): moving bodies need a mass, so 1e-06 kg is written"
    scene = omi_joints.read(tmp_path / target)
    masses = {scene.names[node]: motion.mass for node, motion in scene.motions.items()}
    assert masses["x"] == pytest.approx(1e-6, rel=1e-6)


def test_blank_lines_before_the_declaration_are_kept(tmp_path: Path) -> None:
    source, target = tmp_path / "a.urdf", tmp_path / "b.urdf"
    text = f'\n \n<?xml version="1.0"?>\n{NAMES}'
    source.write_text(text)
    omi_joints.convert(source, target)
    assert target.read_text() == text
    source.write_text(text.replace("</robot>", "</robt>"))
    with pytest.raises(UnreadableError, match="line 9, "):
        omi_joints.read(source)


def test_files_beside_a_robot_are_called_what_they_are(tmp_path: Path) -> None:
    source = tmp_path / "a.urdf"
    pairs = '<disable_collisions link1="a" link2="b" reason="Adjacent"/>'
    source.write_text(f'<robot name="r"><group name="arm"><joint name="j"/></group>{pairs}</robot>')
    with pytest.raises(UnreadableError, match="is an SRDF file"):
        omi_joints.read(source)
    xacro = 'xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/>'
    source.write_text(NAMES.replace('name="r">', f'name="r" {xacro}'))
    with pytest.raises(UnreadableError, match=r"xacrodoc FILE -o robot\.urdf"):
        omi_joints.read(source)


def test_an_edited_limit_of_a_stage_adds_no_schema(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    source, target = tmp_path / "a.usda", tmp_path / "b.usda"
    source.write_text(STAGE)
    scene = omi_joints.read(source)
    (joint,) = scene.joints
    limits = tuple(
        replace(limit, max=0.5 * limit.max) if limit.max else limit
        for limit in joint.settings.limits
    )
    joint = replace(joint, settings=replace(joint.settings, limits=limits))
    omi_joints.write(replace(scene, joints=(joint,)), target, original=source)
    assert target.read_text() == STAGE.replace("upperLimit = 40", "upperLimit = 20")


def test_defaults_of_what_a_model_does_not_have_are_no_loss(tmp_path: Path) -> None:
    source = tmp_path / "a.xml"
    source.write_text(
        '<mujoco><default><tendon width=".1"/><muscle ctrlrange="0 1"/></default><worldbody>'
        '<body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    losses = omi_joints.convert(source, tmp_path / "b.usda").losses
    assert not [str(loss) for loss in losses]


@pytest.mark.parametrize(
    ("root", "kind"),
    [("<robot ", "urdf"), ("<mujoco>", "mjcf"), ("<sdf version='1.9'>", "sdf"), ("<map/>", None)],
)
def test_a_comment_before_the_root_decides_nothing(root: str, kind: str | None) -> None:
    comment = '<!-- "assemblies" of <sdf> and <mujoco> and <robot > -->\n'
    for text in (comment + root, '<?xml version="1.0"?>\n' + 30 * comment + root):
        found = registry.format_by_content(text.encode())
        assert (found.name if found else None) == kind
        assert registry.format_by_content(b"\xff\xfe" + text.encode("utf-16-le")) == found


SPACED = f"""<?xml version="1.0"?>
<robot xmlns="http://drake.mit.edu" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://drake.mit.edu drakeURDF.xsd" name="p"><link name="base"/>
 <link name="arm">{INERTIAL}</link><joint name="theta" type="revolute"><parent link="base"/>
 <child link="arm"/><axis xyz="0 1 0"/><limit lower="-.5" upper="0.7" effort="3" velocity="2"/>
 </joint></robot>"""


def test_a_robot_in_a_namespace_is_read_and_edited(tmp_path: Path) -> None:
    source, target = tmp_path / "a.urdf", tmp_path / "b.urdf"
    source.write_text(SPACED)
    scene = omi_joints.read(source)
    assert scene.joint("theta").upper == 0.7
    assert not omi_joints.write(scene.with_joint("theta", upper=0.9), target, original=source)
    assert target.read_text() == SPACED.replace("0.7", "0.9")


IMPOSSIBLE = """<robot name="r"><link name="base"/><link name="arm"><inertial>
<origin xyz=".1 0 0" rpy=".1 .2 .3"/><mass value="1.3"/>
<inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
</joint></robot>"""


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((0.1, 0.2, 0.25), (0.1, 0.2, 0.25)),
        ((0.1, 0.2, 0.37), (0.67 / 3.0,) * 3),
        ((0.1, 0.2, 0.30000000001), (0.1, 0.2, 0.3)),
    ],
)
def test_moments_that_no_body_has_do_not_keep_mujoco_from_loading(
    tmp_path: Path, capsys, moments, expected
) -> None:
    mujoco = pytest.importorskip("mujoco")
    source, target = tmp_path / "a.urdf", tmp_path / "b.xml"
    source.write_text(IMPOSSIBLE.format(*moments))
    assert main(["convert", str(source), str(target)]) == 0
    model = mujoco.MjModel.from_xml_path(str(target))
    assert sorted(model.body_inertia[-1]) == pytest.approx(expected, rel=1e-9)
    is_mean = len({*expected}) == 1
    assert ("MuJoCo is asked to make them equal: 0.2233" in capsys.readouterr().err) == is_mean
    assert main(["convert", str(source), str(tmp_path / "b.sdf")]) == 0
    inertia = ET.parse(tmp_path / "b.sdf").find(".//inertial/inertia")
    written = sorted(float(inertia.find(name).text) for name in ("ixx", "iyy", "izz"))
    assert written == pytest.approx(expected, rel=1e-9)
    assert ("their mean is written" in capsys.readouterr().err) == is_mean


def test_what_weighs_nothing_is_as_light_in_every_format_and_its_inertia_is_named(
    tmp_path: Path, capsys
) -> None:
    light = """<link name="w"><inertial><mass value="0.0"/>
    <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    (tmp_path / "a.urdf").write_text(BALL.replace('<link name="x"/>', light.replace('"w"', '"x"')))
    for name, path in (("a.xml", ".//inertial[@mass='1e-06']"), ("a.sdf", ".//mass[.='1e-06']")):
        assert main(["convert", str(tmp_path / "a.urdf"), str(tmp_path / name)]) == 0
        assert ET.parse(tmp_path / name).find(path) is not None, name
        shown = capsys.readouterr().err
        assert "changed: inertia without mass: only URDF files have this; first at x" in shown


def test_a_color_that_is_more_than_white_is_white_in_sdf(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    cube = 'def Cube "c"\n{\n color3f[] primvars:displayColor = [(1.4, 0, 1)]\n}\n'
    shown = STAGE.replace("float physics:mass = 1.3\n", f"float physics:mass = 1.3\n{cube}")
    (tmp_path / "a.usda").write_text(shown)
    assert main(["convert", str(tmp_path / "a.usda"), str(tmp_path / "a.sdf")]) == 0
    (color,) = ET.parse(tmp_path / "a.sdf").iterfind(".//visual/material/diffuse")
    assert [float(value) for value in color.text.split()] == [1.0, 0.0, 1.0, 1.0]
