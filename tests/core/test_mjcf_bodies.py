"""MJCF read: orientations, defaults, ranges and masses, with MuJoCo as the judge."""

import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.model.shape import Box
from tests.core.mjcf_models import BALL, assert_as_mujoco, model, mujoco, read, write

ORIENTATIONS = (
    "quat='0.1 0.2 -0.3 0.4'",
    "axisangle='1 2 3 40'",
    "euler='10 20 30'",
    "xyaxes='1 1 0 0 1 1'",
    "zaxis='1 2 -1'",
    "zaxis='0 0 -1'",
)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_orientation(orientation: str, tmp_path: Path) -> None:
    text = model(
        f"<body name='b' pos='1 2 3' {orientation}><joint name='j' axis='1 1 0'/>{BALL}</body>"
    )
    assert_as_mujoco(text, read(text, tmp_path).scene)


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "ZyX", "xzx"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_euler_sequence(sequence: str, angle: str, tmp_path: Path) -> None:
    head = f"<compiler eulerseq='{sequence}' angle='{angle}'/>"
    text = model(f"<body name='b' euler='0.3 -0.7 1.1'><joint/>{BALL}</body>", head)
    assert_as_mujoco(text, read(text, tmp_path).scene)


DEFAULTS = """<default><geom type='box' size='.1 .2 .3'/><joint axis='1 0 0' range='-10 10'/>
<default class='a'><joint axis='0 1 0'/>
<default class='b'><geom size='.3 .2 .1'/></default></default>
</default>"""


@pytest.mark.parametrize(
    "body",
    [
        "<body name='b'><joint name='j'/><geom/></body>",
        "<body name='b' childclass='a'><joint name='j'/><geom/></body>",
        "<body name='b' childclass='a'><joint name='j' class='b'/><geom class='b'/></body>",
        "<body name='b' childclass='b'><joint name='j'/><geom/><body name='c' pos='1 0 0'>"
        "<joint name='k'/><geom/></body></body>",
        "<body name='b'><frame pos='1 0 0' euler='0 0 90' childclass='b'><joint name='j'/><geom/>"
        "<body name='c' pos='0 1 0'><joint name='k' pos='1 0 0'/><geom/></body></frame></body>",
    ],
)
def test_defaults_by_class_and_frames(body: str, tmp_path: Path) -> None:
    text = model(body, DEFAULTS)
    found = read(text, tmp_path)
    assert_as_mujoco(text, found.scene)
    judge = mujoco.MjModel.from_xml_string(text)
    for joint in found.scene.joints:
        low, high = judge.joint(found.scene.names[joint.node]).range
        (limit,) = (limit for limit in joint.settings.limits if limit.angular_axes == (2,))
        assert (limit.min, limit.max) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("attributes", "is_limited"),
    [
        ("range='-10 20'", True),
        ("range='-10 20' limited='false'", False),
        ("limited='false'", False),
        ("range='-10 20' limited='true'", True),
    ],
)
def test_automatic_limits(attributes: str, is_limited: bool, tmp_path: Path) -> None:
    text = model(f"<body name='b'><joint name='j' {attributes}/>{BALL}</body>")
    (joint,) = read(text, tmp_path).scene.joints
    assert mujoco.MjModel.from_xml_string(text).jnt_limited[0] == is_limited
    assert any(limit.angular_axes == (2,) for limit in joint.settings.limits) == is_limited


@pytest.mark.parametrize("bounds", [(-2.0, 3.9), (0.3, 4.0), (-5.0, 0.5)])
def test_ranges_beyond_half_a_turn_move_the_zero_and_come_back(
    bounds: tuple[float, float], tmp_path: Path
) -> None:
    low, high = bounds
    joint = f"range='{low} {high}' ref='0.4' stiffness='3' springref='1.5'"
    text = model(
        f"<body name='b'><joint name='j' {joint}/>{BALL}</body>",
        "<compiler angle='radian'/>",
    )
    scene = read(text, tmp_path).scene
    (limit,) = (limit for limit in scene.joints[0].settings.limits if limit.angular_axes == (2,))
    assert limit.max - limit.min == pytest.approx(high - low)
    assert limit.max <= math.pi
    again, _ = write(scene, tmp_path)
    one, other = (mujoco.MjModel.from_xml_string(each) for each in (text, again))
    assert np.allclose(one.jnt_range, other.jnt_range, atol=1e-12)
    assert np.allclose(one.qpos0, other.qpos0, atol=1e-12)
    assert np.allclose(one.qpos_spring, other.qpos_spring, atol=1e-12)


GEOMS = (
    "<geom type='box' size='.1 .2 .3' pos='1 0 0' euler='0 30 0'/>",
    "<geom type='capsule' fromto='0 0 0 1 1 1' size='.1'/>",
    "<geom type='cylinder' fromto='0 0 0 1 1 1' size='.1' density='500'/>",
    "<geom type='sphere' size='.2' mass='3'/><geom size='.1' pos='0 1 0'/>",
    "<geom type='ellipsoid' size='.1 .2 .3' euler='10 20 30' pos='0 0 1'/>",
    "<geom type='box' size='.1 .2 .3'/><geom size='1' mass='0'/>",
    "<geom size='.1'/><inertial pos='1 0 0' mass='2' diaginertia='1 2 2.5' euler='0 45 0'/>",
    "<geom size='.1'/><inertial pos='1 0 0' mass='2' fullinertia='1 2 2.5 .1 .2 .3'/>",
)


@pytest.mark.parametrize("geoms", GEOMS)
def test_mass_and_inertia(geoms: str, tmp_path: Path) -> None:
    text = model(f"<body name='b' pos='1 2 3' euler='10 20 30'><joint/>{geoms}</body>")
    assert_as_mujoco(text, read(text, tmp_path).scene)


def test_settotalmass_and_groups_of_inertia(tmp_path: Path) -> None:
    geoms = "<geom size='.1'/><geom size='.2' group='3'/>"
    head = "<compiler settotalmass='5' inertiagrouprange='0 2'/>"
    text = model(f"<body name='a'><joint/>{geoms}</body><body name='b'><joint/>{BALL}</body>", head)
    assert_as_mujoco(text, read(text, tmp_path).scene)


def test_planes_are_boxes_by_option(tmp_path: Path) -> None:
    text = model("<geom name='floor' type='plane' size='0 2 .1' pos='0 0 1'/>")
    scene = read(text, tmp_path, planes="box").scene
    node = scene.names.index("floor")
    assert scene.colliders[node].shape == Box(size=(100.0, 4.0, 0.01))
    assert np.allclose(scene.matrices[node][:3, 3], (0.0, 0.0, 0.995), atol=1e-12)


@pytest.mark.parametrize("bounding", ["false", "true"])
@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder", "ellipsoid"])
def test_primitives_are_fitted_to_meshes_as_mujoco_fits_them(kind, bounding, tmp_path):
    points = np.random.default_rng(3).normal(size=(12, 3)) * (0.2, 0.5, 0.3) + (0.3, -0.2, 0.1)
    vertices = " ".join(map(repr, points.ravel().tolist()))
    head = (
        f"<compiler fitaabb='{bounding}'/>"
        f"<asset><mesh name='m' scale='1 1.5 1' vertex='{vertices}'/></asset>"
    )
    geom = f"<geom name='g' type='{kind}' mesh='m' fitscale='1.25' pos='1 2 3' euler='30 0 9'/>"
    text = model(f"<body name='b'><freejoint/>{geom}</body>", head)
    scene = read(text, tmp_path).scene
    judge = mujoco.MjModel.from_xml_string(text)
    again, _ = write(scene, tmp_path)
    ours = mujoco.MjModel.from_xml_string(again)
    assert ours.geom_type[0] == judge.geom_type[0]
    assert ours.geom_size[0] == pytest.approx(judge.geom_size[0], abs=2e-6)
    assert ours.geom_pos[0] == pytest.approx(judge.geom_pos[0], abs=2e-6)
    assert ours.body_mass[1] == pytest.approx(judge.body_mass[1], rel=1e-5)
    turns = [np.zeros(9), np.zeros(9)]
    for turn, each in zip(turns, (ours, judge), strict=True):
        mujoco.mju_quat2Mat(turn, each.geom_quat[0])
    # Primitives look the same with two axes turned round.
    assert np.abs(turns[0]) == pytest.approx(np.abs(turns[1]), abs=1e-5)


@pytest.mark.parametrize("inertia", ["", "legacy", "exact", "convex", "shell"])
def test_meshes_weigh_what_they_weigh_in_mujoco(inertia, tmp_path):
    """A notched block with a side missing: neither closed nor convex."""
    profile = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]
    points = [(x, y, z) for z in (0.0, 0.7) for x, y in profile]
    faces = [(n, (n + 1) % 6, (n + 1) % 6 + 6) for n in range(6)]
    faces += [(n, (n + 1) % 6 + 6, n + 6) for n in range(5)]
    faces += [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
    faces += [(6, 7, 8), (6, 8, 9), (6, 9, 10), (6, 10, 11)]
    numbers = [" ".join(str(n) for each in many for n in each) for many in (points, faces)]
    how = f"inertia='{inertia}'" if inertia else ""
    head = (
        f"<asset><mesh name='m' {how} scale='.1 .1 .1' vertex='{numbers[0]}' face='{numbers[1]}'/>"
        "</asset>"
    )
    geom = "<geom type='mesh' mesh='m' density='700' pos='.1 .2 .3' euler='10 20 30'/>"
    text = model(f"<body name='b'><freejoint/>{geom}</body>", head)
    scene = read(text, tmp_path).scene
    judge = mujoco.MjModel.from_xml_string(text)
    (motion,) = [each for each in scene.motions.values() if each.type == "dynamic"]
    assert motion.mass == pytest.approx(judge.body_mass[1], rel=1e-5)
    assert motion.center_of_mass == pytest.approx(judge.body_ipos[1], abs=1e-6)
    assert sorted(motion.inertia_diagonal) == pytest.approx(sorted(judge.body_inertia[1]), rel=1e-5)


def test_a_primitive_on_a_flat_mesh_is_reported(tmp_path):
    head = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'/></asset>"
    text = model("<body name='b'><freejoint/><geom name='g' type='box' mesh='m'/></body>", head)
    found = [str(each) for each in read(text, tmp_path).findings]
    assert any("mesh must be a mesh with volume" in each for each in found), found


def test_frames_without_mass_weigh_nothing_when_they_are_written(tmp_path: Path) -> None:
    """As robots have them at the flange: MuJoCo asks for mass only of what has a joint."""
    text = model(
        "<body name='arm'><joint axis='0 1 0'/>"
        "<geom type='sphere' size='.1' pos='.5 0 0' mass='2'/>"
        "<body name='flange' pos='1 0 0'/></body>"
    )
    again, _ = write(read(text, tmp_path).scene, tmp_path)
    assert mujoco.MjModel.from_xml_string(again).body_mass.tolist() == [0.0, 2.0, 0.0]
    scene = read(again, tmp_path).scene
    assert scene.motions[scene.names.index("flange")].mass == 0.0


def test_friction_that_nothing_gave_is_no_loss(tmp_path: Path) -> None:
    source = tmp_path / "block.urdf"
    source.write_text(
        '<robot name="r"><link name="block"><inertial><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
        '<collision name="side"><geometry><box size="1 1 1"/></geometry></collision></link></robot>'
    )
    losses = omi_joints.convert(source, tmp_path / "block.xml").losses
    assert not [str(each) for each in losses if each.noun == Noun.MATERIAL]
    (geom,) = ElementTree.parse(tmp_path / "block.xml").iter("geom")
    assert geom.get("friction") == "0.6"


def test_moments_that_mujoco_refuses_are_raised_and_named(tmp_path, capsys):
    pytest.importorskip("pxr")
    source, written = tmp_path / "small.usda", tmp_path / "small.xml"
    source.write_text("""#usda 1.0
( metersPerUnit = 0.01
upAxis = "Z" )
def Cube "grain" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]) {
double size = .1
float physics:mass = 1e-6
float3 physics:diagonalInertia = (1e-12, 2e-12, 2e-11)
}
""")
    assert main(["convert", str(source), str(written)]) == 0
    assert "changed: inertia (grain): MuJoCo requires at least 1e-15" in capsys.readouterr().err
    model = mujoco.MjModel.from_xml_path(str(written))
    assert model.body_mass[1] == pytest.approx(1e-6)
