"""MJCF read and written, with MuJoCo itself as the judge of poses, ranges, masses and motion."""

import json
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.pose import rotation_matrix
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.formats.format import Read, Source, Target, UnreadableError
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.cases import cases
from tests.core.solver_scenes import SceneBuilder
from tests.mutation import mutated_bytes

mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")

CASES = cases(50)


def model(body: str, head: str = "", tail: str = "") -> str:
    return f"<mujoco model='m'>{head}<worldbody>{body}</worldbody>{tail}</mujoco>"


def read(text: str | bytes, folder: Path, **options: object) -> Read:
    path = folder / "model.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (found,) = MJCF.read(Source(path=path, options=options))
    return found


def write(scene: PhysicsScene, folder: Path) -> tuple[str, list[str]]:
    written = MJCF.write(scene, Target(path=folder / "out.xml"))
    for name, data in written.files.items():
        (folder / name).write_bytes(data)
    return (folder / "out.xml").read_text(), [str(loss) for loss in written.losses]


def place(scene: PhysicsScene, name: str) -> np.ndarray:
    return scene.matrices[scene.names.index(name)]


def assert_as_mujoco(text: str, scene: PhysicsScene) -> None:
    """Compare bodies and joints of a scene with what MuJoCo makes of the text."""
    judge = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(judge)
    mujoco.mj_kinematics(judge, data)
    mujoco.mj_comPos(judge, data)
    for number in range(1, judge.nbody):
        name = judge.body(number).name
        world = place(scene, name)
        assert np.allclose(world[:3, 3], data.xpos[number], atol=1e-9), name
        assert np.allclose(world[:3, :3].ravel(), data.xmat[number], atol=1e-9), name
        motion = scene.motions[scene.names.index(name)]
        if motion.type != "dynamic":
            continue
        assert motion.mass == pytest.approx(judge.body_mass[number])
        axes = world[:3, :3] @ rotation_matrix(np.array(motion.inertia_orientation))
        inertia = axes @ np.diag(motion.inertia_diagonal) @ axes.T
        judged = data.ximat[number].reshape(3, 3)
        expected = judged @ np.diag(judge.body_inertia[number]) @ judged.T
        assert np.allclose(inertia, expected, atol=1e-9 + 1e-6 * np.abs(expected).max()), name
        center = world[:3, :3] @ np.array(motion.center_of_mass) + world[:3, 3]
        assert np.allclose(center, data.xipos[number], atol=1e-9), name
    for number in range(judge.njnt):
        kind, name = judge.jnt_type[number], judge.joint(number).name
        if kind == mujoco.mjtJoint.mjJNT_FREE or name not in scene.names:
            continue
        frame = place(scene, name)
        assert np.allclose(frame[:3, 3], data.xanchor[number], atol=1e-9), name
        if kind != mujoco.mjtJoint.mjJNT_BALL:
            column = 2 if kind == mujoco.mjtJoint.mjJNT_HINGE else 0
            assert np.allclose(-frame[:3, column], data.xaxis[number], atol=1e-9), name


ORIENTATIONS = (
    "quat='0.1 0.2 -0.3 0.4'",
    "axisangle='1 2 3 40'",
    "euler='10 20 30'",
    "xyaxes='1 1 0 0 1 1'",
    "zaxis='1 2 -1'",
    "zaxis='0 0 -1'",
)
BALL = "<geom type='sphere' size='0.1'/>"


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


def settled(text: str, seconds: float) -> dict[str, np.ndarray]:
    """Return where MuJoCo's bodies are after a while."""
    judge = mujoco.MjModel.from_xml_string(text)
    judge.opt.timestep = 2e-4
    judge.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    data = mujoco.MjData(judge)
    if judge.nkey:
        mujoco.mj_resetDataKeyframe(judge, data, 0)
        data.qpos[:] = judge.qpos0
    for _ in range(round(seconds / judge.opt.timestep)):
        mujoco.mj_step(judge, data)
    return {judge.body(n).name: data.xpos[n].copy() for n in range(1, judge.nbody)}


CHAIN = model(
    """<body name='a' pos='0 0 2'>
    <joint name='spring' axis='0 1 0' stiffness='40' springref='20' damping='1'/>
    <geom type='capsule' fromto='0 0 0 .5 0 0' size='.05' contype='0' conaffinity='0'/>
    <body name='b' pos='.5 0 0'><joint name='servo' axis='0 0 1' range='-114 223' damping='.1'/>
    <geom type='capsule' fromto='0 0 0 .4 0 0' size='.04' contype='0' conaffinity='0'/>
    <body name='c' pos='.4 0 0'><joint name='motor' axis='1 0 0' damping='.05'/>
    <geom type='box' size='.1 .2 .05' pos='.1 .1 0' contype='0' conaffinity='0'/>
    </body></body></body>""",
    tail="""<actuator><position joint='servo' kp='60' kv='6' forcerange='-40 40'/>
    <velocity joint='motor' kv='2'/></actuator>
    <keyframe><key name='targets' ctrl='1.2 3' qpos='0 0 0'/></keyframe>""",
)


def test_chain_moves_as_in_mujoco_and_so_does_what_is_written(tmp_path: Path) -> None:
    seconds = 0.5
    expected = settled(CHAIN, seconds)
    scene = read(CHAIN, tmp_path).scene
    simulation = Simulation(scene)
    for _ in range(round(seconds * 60)):
        simulation.advance(1.0 / 60.0, substeps=32)
    matrices = simulation.matrices()
    for name, position in expected.items():
        assert np.allclose(matrices[scene.names.index(name)][:3, 3], position, atol=2e-3), name
    again, _ = write(scene, tmp_path)
    for name, position in settled(again, seconds).items():
        assert np.allclose(position, expected[name], atol=1e-4), name


numbers = st.floats(-1.0, 1.0).map(lambda value: round(value, 3))
vectors = st.tuples(numbers, numbers, numbers).map(lambda v: " ".join(map(str, v)))
axes = st.tuples(numbers, numbers, numbers).filter(lambda v: max(map(abs, v)) > 0.1)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """Models of up to seven bodies, each hung on an earlier one."""
    count = draw(st.integers(1, 7))
    inner: dict[int, list[int]] = {}
    for number in range(1, count):
        inner.setdefault(draw(st.integers(0, number - 1)), []).append(number)

    def body(number: int) -> str:
        kind = draw(st.sampled_from(("hinge", "slide", "ball", "weld")))
        axis = " ".join(map(str, draw(axes)))
        reference = f" ref='{draw(numbers)}'" if kind in ("hinge", "slide") else ""
        words = f"name='j{number}' axis='{axis}' pos='{draw(vectors)}'{reference}"
        joint = f"<joint type='{kind.replace('weld', 'hinge')}' {words}/>"
        below = "".join(body(child) for child in inner.get(number, ()))
        return (
            f"<body name='b{number}' pos='{draw(vectors)}' euler='{draw(vectors)}'>"
            f"{'' if kind == 'weld' and number else joint}{BALL}{below}</body>"
        )

    return model(body(0), "<compiler angle='radian'/>")


@given(trees(), st.randoms(use_true_random=False))
def test_random_trees_move_alike_after_reading_and_writing(
    text: str, source: random.Random
) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = read(text, Path(folder))
        assert_as_mujoco(text, found.scene)
        again, losses = write(found.scene, Path(folder))
    assert not [loss for loss in losses if loss.startswith("lost")]
    one, other = (mujoco.MjModel.from_xml_string(each) for each in (text, again))
    first, second = mujoco.MjData(one), mujoco.MjData(other)
    for number in range(one.njnt):
        twin = mujoco.mj_name2id(other, mujoco.mjtObj.mjOBJ_JOINT, one.joint(number).name)
        assert one.jnt_type[number] == other.jnt_type[twin]
        at, there = one.jnt_qposadr[number], other.jnt_qposadr[twin]
        size = 4 if one.jnt_type[number] == mujoco.mjtJoint.mjJNT_BALL else 1
        value = np.array([source.uniform(-2.0, 2.0) for _ in range(size)])
        value = value / np.linalg.norm(value) if size == 4 else value
        first.qpos[at : at + size] = second.qpos[there : there + size] = value
    mujoco.mj_kinematics(one, first)
    mujoco.mj_kinematics(other, second)
    for number in range(1, one.nbody):
        twin = mujoco.mj_name2id(other, mujoco.mjtObj.mjOBJ_BODY, one.body(number).name)
        assert np.allclose(first.xpos[number], second.xpos[twin], atol=1e-9)
        assert np.allclose(first.xmat[number], second.xmat[twin], atol=1e-9)


STACKED = model(
    "<body name='b' pos='0 0 1'><joint name='x' axis='1 0 0' range='-60 60'/>"
    "<joint name='y' axis='0 1 0' range='-40 40'/>" + BALL + "</body>"
)


def test_stacked_joints_are_a_chain_and_become_one_body_again(tmp_path: Path) -> None:
    found = read(STACKED, tmp_path)
    assert [item.code for item in found.findings] == ["OMI-M008"]
    assert "b between 1" in found.scene.names
    again, _ = write(found.scene, tmp_path)
    one, other = (mujoco.MjModel.from_xml_string(each) for each in (STACKED, again))
    assert one.nbody == other.nbody
    assert [one.joint(n).name for n in range(2)] == [other.joint(n).name for n in range(2)]
    assert np.allclose(one.jnt_range, other.jnt_range)


def test_stacked_hinges_as_one_joint_by_option(tmp_path: Path) -> None:
    found = read(STACKED, tmp_path, stacked="combine")
    assert [item.code for item in found.findings] == ["OMI-M009"]
    (joint,) = found.scene.joints
    limits = {limit.angular_axes: (limit.min, limit.max) for limit in joint.settings.limits}
    assert limits[0,] == pytest.approx((-math.radians(60), math.radians(60)))
    assert limits[1,] == pytest.approx((-math.radians(40), math.radians(40)))


def test_planar_joints_of_walkers_are_one_exact_joint(tmp_path: Path) -> None:
    joints = (
        "<joint name='x' type='slide' axis='1 0 0'/><joint name='z' type='slide' axis='0 0 1'/>"
        "<joint name='y' axis='0 1 0'/>"
    )
    text = model(f"<body name='b' pos='0 0 1'>{joints}{BALL}</body>")
    found = read(text, tmp_path)
    assert len(found.scene.joints) == 1
    again, losses = write(found.scene, tmp_path)
    assert not losses
    other = mujoco.MjModel.from_xml_string(again)
    assert sorted(other.joint(n).name for n in range(other.njnt)) == ["x", "y", "z"]


def test_soft_locks_are_rigid_and_said(tmp_path: Path) -> None:
    build = SceneBuilder()
    post, ball = build.body((0, 0, 1), type="static"), build.body((0, 0, 0))
    soft = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=0.3, damping=1.0)
    build.joint(JointSettings(limits=(soft,)), ball, post, (0, 0, 1))
    again, losses = write(build.scene(), tmp_path)
    assert mujoco.MjModel.from_xml_string(again).njnt == 1
    assert [loss for loss in losses if "limit spring" in loss]


def test_equalities_exclusions_and_couplings(tmp_path: Path) -> None:
    bodies = "".join(
        f"<body name='{name}' pos='{x} 0 0'>"
        f"<joint name='j{name}' ref='{ref}' axis='0 1 0'/>{BALL}</body>"
        for name, x, ref in (("a", 0, 0), ("b", 1, 10), ("c", 2, -20))
    )
    tail = (
        "<equality><connect body1='a' body2='b' anchor='.5 0 0'/>"
        "<weld body1='b' body2='c' active='false'/>"
        "<joint joint1='ja' joint2='jb' polycoef='.1 2 .3 0 0'/></equality>"
        "<contact><exclude body1='a' body2='c'/></contact>"
    )
    text = model(bodies, tail=tail)
    scene = read(text, tmp_path).scene
    assert [scene.names[n] for n in scene.excluded_pairs[0]] == ["a", "c"]
    assert [
        joint.attributes.enabled for joint in scene.joints if not joint.attributes.in_articulation
    ] == [True, False]
    (coupling,) = scene.couplings
    # Positions are counted from zero here, from the reference in MJCF.
    source, zero = 0.7, math.radians(10)
    expected = 0.1 + 2 * (source - zero) + 0.3 * (source - zero) ** 2
    assert np.polyval(coupling.coefficients[::-1], source) == pytest.approx(expected)
    again, _ = write(scene, tmp_path)
    one, other = (mujoco.MjModel.from_xml_string(each) for each in (text, again))
    assert np.array_equal(np.sort(one.eq_type), np.sort(other.eq_type))
    assert np.allclose(
        one.eq_data[2, :5], other.eq_data[list(other.eq_type).index(one.eq_type[2]), :5]
    )
    assert other.nexclude == 1


OWN = model(
    "<light name='sun' pos='0 0 3' dir='0 1 -1'/><camera name='far' pos='0 -1 1' euler='60 0 0'/>"
    "<geom name='floor' type='plane' size='1 2 .1'/>"
    "<body name='b' pos='0 0 1' euler='10 20 30' gravcomp='0.25'><joint name='j'/>"
    "<geom name='g' size='.1' friction='.5 .01' class='c' margin='.02'/>"
    "<geom name='e' type='ellipsoid' size='.1 .2 .3' pos='0 .1 0'/>"
    "<frame pos='1 0 0' euler='0 90 0'><camera name='near' pos='0 0 1'/></frame></body>",
    "<option timestep='0.005' integrator='implicitfast' gravity='0 0 -5'/><default>"
    "<default class='c'><geom condim='4'/><tendon stiffness='3'/></default></default>",
    "<tendon><fixed name='t' class='c'><joint joint='j' coef='2'/></fixed></tendon>"
    "<actuator><motor joint='j'/><position joint='j' kp='3'/></actuator>"
    "<keyframe><key name='k' qpos='.5' ctrl='1 2'/></keyframe>",
)


def test_what_belongs_to_mujoco_alone_is_written_again(tmp_path: Path) -> None:
    found = read(OWN, tmp_path)
    codes = {finding.code for finding in found.findings}
    assert {"OMI-M011", "OMI-M015", "OMI-M016"} <= codes
    text, losses = write(found.scene, tmp_path)
    assert losses == []
    one, other = mujoco.MjModel.from_xml_string(OWN), mujoco.MjModel.from_xml_string(text)
    assert other.opt.timestep == one.opt.timestep
    assert other.opt.integrator == one.opt.integrator
    assert other.tendon_stiffness.tolist() == one.tendon_stiffness.tolist()
    assert other.body_gravcomp.tolist() == one.body_gravcomp.tolist()
    assert other.key_qpos.tolist() == one.key_qpos.tolist()
    assert np.allclose(other.body_mass, one.body_mass)
    fields = {
        "cam": ("cam_pos", "cam_quat", "cam_bodyid"),
        "light": ("light_pos", "light_dir"),
        "geom": ("geom_pos", "geom_size", "geom_condim", "geom_friction", "geom_margin"),
    }
    for kind, names in fields.items():
        count = getattr(one, f"n{kind}")
        assert getattr(other, f"n{kind}") == count
        for number in range(count):
            name = getattr(one, kind)(number).name
            twin = getattr(other, kind)(name).id
            for field in names:
                first, second = getattr(one, field)[number], getattr(other, field)[twin]
                assert np.allclose(first, second, atol=1e-12), (name, field)


def test_springs_of_balls_are_written_again(tmp_path: Path) -> None:
    text = model(
        "<body name='b'><joint name='j' type='ball' range='0 40' stiffness='3' damping='0.5'/>"
        "<geom size='.1'/></body>"
    )
    found = read(text, tmp_path)
    again, losses = write(found.scene, tmp_path)
    assert losses == []
    one, other = mujoco.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(again)
    for name in ("jnt_type", "jnt_range", "jnt_stiffness", "dof_damping"):
        assert np.allclose(getattr(one, name), getattr(other, name)), name
    assert read(again, tmp_path).scene.joints[0].settings == found.scene.joints[0].settings


def test_planes_are_boxes_by_option(tmp_path: Path) -> None:
    text = model("<geom name='floor' type='plane' size='0 2 .1' pos='0 0 1'/>")
    scene = read(text, tmp_path, planes="box").scene
    node = scene.names.index("floor")
    assert scene.colliders[node].shape == Box(size=(100.0, 4.0, 0.01))
    assert np.allclose(scene.matrices[node][:3, 3], (0.0, 0.0, 0.995), atol=1e-12)


def test_text_that_only_mujoco_takes(tmp_path: Path) -> None:
    text = model(f"<!-- a -- b --><body name='b'pos='1 2 3'><joint/>{BALL}</body>")
    assert place(read("\ufeff" + text, tmp_path).scene, "b")[:3, 3] == pytest.approx((1, 2, 3))


def test_includes_are_read_inside_the_folder_only(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "arm.xml").write_text(
        f"<mujoco><worldbody><body name='arm'>{BALL}</body></worldbody></mujoco>"
    )
    (tmp_path / "outside.xml").write_text(
        "<mujoco><worldbody><body name='no'/></worldbody></mujoco>"
    )
    names = ("arm.xml", "../outside.xml", "arm.xml")
    text = "<mujoco>" + "".join(map("<include file='{}'/>".format, names)) + "</mujoco>"
    found = read(text, inside)
    assert "arm" in found.scene.names
    assert "no" not in found.scene.names
    assert [item.code for item in found.findings if item.code == "OMI-M007"] == ["OMI-M007"] * 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid XML"),
        ("<robot/>", "URDF"),
        ("<a/>", "root is 'a'"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><mujoco>&b;</mujoco>", "DOCTYPE"),
        ("<mujoco>" + "<body>" * 600 + "</body>" * 600 + "</mujoco>", "deep"),
    ],
)
def test_unreadable_files_say_why_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=said) as caught:
        read(text, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"<body name='b'><joint axis='0 0 0'/>{BALL}</body>", "OMI-M003"),
        (f"<body name='b'><joint type='gear'/>{BALL}</body>", "OMI-M002"),
        (f"<body name='b' pos='a b c'><joint/>{BALL}</body>", "OMI-M001"),
        (f"<body name='b' quat='0 0 0 0'><joint/>{BALL}</body>", "OMI-M001"),
        (f"<body name='b'><joint class='no'/>{BALL}</body>", "OMI-M006"),
        ("<body name='b'><joint/><geom type='mesh' mesh='no'/></body>", "OMI-M005"),
        (f"<body name='s'>{BALL}</body>", "OMI-M004"),
    ],
)
def test_faults_cost_only_themselves(body: str, code: str, tmp_path: Path) -> None:
    sound = f"<body name='s'><joint name='sound'/>{BALL}</body>"
    found = read(model(sound + body), tmp_path)
    assert code in [item.code for item in found.findings]
    assert "sound" in [found.scene.names[joint.node] for joint in found.scene.joints]


@pytest.mark.fuzz
def test_damaged_files_end_in_findings_or_one_line(tmp_path: Path) -> None:
    whole = CHAIN.encode()
    for seed in range(CASES):
        source = random.Random(seed)
        data = mutated_bytes(whole, source)
        if seed % 2:
            # Numbers that are none, too many or too few, rather than broken XML.
            words = re.findall(r"'[^']*'", CHAIN)
            old, new = (
                source.choice(words),
                source.choice(["''", "'nan'", "'1e999'", "'1 2'", "'x'", "'0'"]),
            )
            data = CHAIN.replace(old, new, 1).encode()
        try:
            found = read(data, tmp_path)
        except UnreadableError:
            continue
        assert np.isfinite(found.scene.matrices).all()
        write(found.scene, tmp_path)
        json.dumps(found.scene.carried)
