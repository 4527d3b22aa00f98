"""Nouns of MJCF through the scene: MuJoCo compiles the written file to the same arrays."""

import re
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.mjcf.schema import WORDS

from .mjcf_models import model, mujoco, read, write

TWO = """<body name='a' pos='0 0 1'><joint name='j' axis='0 1 0' {j}/><geom name='g' {g}/>
<body name='b' pos='.3 0 0'><joint name='k' axis='0 1 0'/>
<geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/><site name='tip' pos='.3 0 0'/></body>
</body>"""


def two(j: str = "", g: str = "size='.1'") -> str:
    return TWO.format(j=j, g=g)


BALL = "<geom size='.1'/>"
TENDON = """<tendon><spatial name='t'><site site='s0'/><geom geom='roll'/><site site='tip'/>
</spatial></tendon>"""
TETRAHEDRON = "<asset><mesh name='m' vertex='0 0 0 .2 0 0 0 .3 0 0 0 .4' scale='1 2 1'/></asset>"
NOUNS = {
    "least mass": model(two(), "<compiler boundmass='5' boundinertia='.2'/>"),
    "balanced inertia": model(
        "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>",
        "<compiler balanceinertia='true'/>",
    ),
    "shell of a sphere": model(two(g="size='.1' shellinertia='true'")),
    "shell of a box": model(two(g="type='box' size='.1 .2 .3' shellinertia='true' mass='2'")),
    "shell of a cylinder": model(two(g="type='cylinder' size='.1 .2' shellinertia='true'")),
    "shell of a capsule": model(two(g="type='capsule' size='.1 .2' shellinertia='true'")),
    "points of a mesh": model(
        "<body name='a'><freejoint/><geom type='mesh' mesh='m'/></body>", TETRAHEDRON
    ),
    "text after sections": model(two(), "", "<sensor><jointpos joint='j'/></sensor> &gt;"),
    "width of tendons": model(
        two(),
        "<default><tendon width='.01' rgba='1 0 0 1' stiffness='3'/></default>",
        "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>",
    ),
    "geom of a tendon": model(
        "<site name='s0' pos='0 0 2'/>"
        + two(g="type='cylinder' size='.02 .05' contype='0' conaffinity='0' group='4'").replace(
            "name='g'", "name='roll'"
        ),
        "",
        TENDON,
    ),
    "coupling": model(
        two(),
        "",
        """<equality><joint name='e' joint1='j' joint2='k' polycoef='.1 2 0 0 0'
        solref='.01 .9' solimp='.8 .9 .01 .4 3'/></equality>""",
    ),
    "inactive coupling": model(
        two(), "", "<equality><joint name='e' joint1='j' joint2='k' active='false'/></equality>"
    ),
    "weld of free bodies": model(
        f"{two()}<body name='f' pos='0 1 0'><freejoint name='x'/>{BALL}</body>",
        "",
        """<equality><weld name='w' body1='a' body2='f' active='false' solref='.05 1'
        torquescale='.3'/></equality>""",
    ),
    "connect of free bodies": model(
        f"{two()}<body name='f' pos='0 1 0'><joint name='x' type='free'/>{BALL}</body>",
        "",
        """<equality><connect name='c' body1='a' body2='f' anchor='.1 .2 .3'/>
        <connect name='d' body1='f' anchor='.1 .2 .3' solref='.05 1'/></equality>""",
    ),
    "free joint": model(
        f"""<body name='f' childclass='c'><joint name='x' type='free' damping='.5' armature='.1'/>
        {BALL}</body><body name='g'><freejoint align='false'/>{BALL}</body>""",
        "<default><default class='c'><joint frictionloss='.2'/></default></default>",
    ),
    "planar stack": model(
        f"""<body name='a' childclass='c'><joint name='rootz' type='slide' axis='0 0 1'/>
        <joint name='rootx' type='slide' axis='1 0 0' armature='.3'/>
        <joint name='rooty' axis='0 1 0'/>{BALL}</body>""",
        "<default><default class='c'><joint solreflimit='.03 1'/></default></default>",
    ),
    "planar stack, hinge first": model(
        f"""<body name='a'><joint name='h' axis='0 0 -1'/><joint name='y' type='slide'
        axis='0 1 0'/><joint name='x' type='slide' axis='1 0 0'/>{BALL}</body>"""
    ),
    "range of actuator forces": model(two("actuatorfrcrange='-3 4'")),
    "polynomial springs": model(two("stiffness='4 .5 .2' damping='.3 .1'")),
    "flex": model(
        """<body name='a'><flexcomp name='f' type='grid' count='4 1 1' dim='1' mass='.1'
        spacing='.1 .1 .1'
        radius='.01'><edge equality='true'/></flexcomp></body>"""
    ),
    "rest outside of a range beyond half a turn": model(
        two("range='47 313'"), "<compiler autolimits='true'/>"
    ),
    "two ends of a hidden capsule": model(
        f"""<body><freejoint/>{BALL}<geom type='capsule' size='.02' fromto='0 0 0 0 .3 .4'
        contype='0' conaffinity='0' group='4'/></body>"""
    ),
    "defaults of several elements": model(
        two(g="size='.1' class='x'"),
        """<default><joint damping='.1'/><geom friction='.5 .01 .001'/><motor gear='3'/>
        <default class='x'><geom rgba='1 0 0 1'/><position kp='9'/></default></default>""",
        """<actuator><position class='x' name='p' joint='j'/><motor name='m' joint='k'/>
        <position name='q' joint='k' kp='3' gear='10'/></actuator>""",
    ),
    "two compilers": model(
        two("range='-1 1' limited='true'"),
        "<compiler boundmass='4'/><compiler autolimits='false'/><compiler angle='radian'/>",
    ),
}
ARRAYS = (
    *("body_mass", "jnt_type", "jnt_pos", "jnt_axis", "jnt_range", "jnt_limited", "qpos0"),
    *("qpos_spring", "jnt_stiffness", "jnt_stiffnesspoly", "jnt_actfrcrange", "jnt_solref"),
    *("jnt_actfrclimited", "dof_damping", "dof_dampingpoly", "dof_armature", "dof_frictionloss"),
    *("eq_type", "eq_solref", "eq_solimp", "eq_active0", "eq_obj1id", "eq_obj2id", "eq_data"),
    *("actuator_gear", "actuator_gainprm", "actuator_biasprm", "actuator_trnid"),
    *("tendon_stiffness", "tendon_adr", "wrap_type", "sensor_type", "body_parentid"),
)


@pytest.mark.parametrize("name", NOUNS)
def test_mujoco_compiles_the_same_arrays(name: str, tmp_path: Path) -> None:
    (tmp_path / "source.xml").write_text(NOUNS[name])
    write(read(NOUNS[name], tmp_path).scene, tmp_path)
    one, other = (
        mujoco.MjModel.from_xml_path(str(tmp_path / file)) for file in ("source.xml", "out.xml")
    )
    for array in ARRAYS:
        pair = (getattr(each, array) for each in (one, other))
        np.testing.assert_allclose(*pair, atol=2e-7, rtol=2e-7, err_msg=array)
    for kind, count in (("body", "nbody"), ("joint", "njnt"), ("equality", "neq")):
        names = [getattr(one, kind)(number).name for number in range(getattr(one, count))]
        assert [
            written if name else ""
            for number, name in enumerate(names)
            for written in [getattr(other, kind)(number).name]
        ] == names
    np.testing.assert_allclose(_inertia(one), _inertia(other), atol=1e-7, rtol=1e-6)


def _inertia(judge: mujoco.MjModel) -> np.ndarray:
    """Return the inertia of all bodies in world axes at rest, shape (n, 3, 3)."""
    data = mujoco.MjData(judge)
    mujoco.mj_kinematics(judge, data)
    axes = data.ximat.reshape(-1, 3, 3)
    return axes * judge.body_inertia[:, None] @ axes.transpose(0, 2, 1)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "<joint tpye='slide'/>",
            "joint elements have no attribute 'tpye'; it is ignored; did you mean 'type'?",
        ),
        ("<geom size='.1' qqq='1'/>", "geom elements have no attribute 'qqq'; it is ignored"),
    ],
)
def test_attributes_that_mujoco_refuses_are_reported(body, sentence, tmp_path):
    findings = read(model(f"<body name='a'>{body}</body>"), tmp_path).findings
    assert [each.message for each in findings if each.rule.code == "OMI-M017"] == [sentence]


def test_every_attribute_of_mujoco_is_known_where_its_element_is_read():
    schema = schema_of_mujoco()
    for tag, words in WORDS.items():
        path = "equality/joint" if tag == "equality joint" else tag
        assert words >= schema.get(path, words), tag


def schema_of_mujoco() -> dict[str, set[str]]:
    """Return the attributes of each element, `equality/joint` apart from joints of bodies."""
    found: dict[str, set[str]] = {}
    path: list[str] = []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        head = re.match(r"( *)(?:\(world\))?(\w+) \(.\) *(.*)", line)
        if head:
            path = [*path[: len(head[1]) // 3], head[2]]
        apart = path[-2:] == ["equality", "joint"]
        is_wrap = path[-2:-1] in (["fixed"], ["spatial"])
        if not is_wrap and "sensor" not in path and "visual" not in path:
            names = found.setdefault("/".join(path[-2:]) if apart else path[-1], set())
            names |= {*(head[3] if head else line).split()}
    return found


def test_an_actuator_of_a_joint_that_is_not_there_is_reported(tmp_path):
    tail = "<actuator><motor name='m' joint='nobody'/></actuator>"
    findings = read(model(two(), "", tail), tmp_path).findings
    assert "the joint 'nobody' does not exist; it is left out" in [f.message for f in findings]


def test_sites_keep_how_they_look(tmp_path):
    text = model("<site name='s' type='box' size='.1 .2 .3' rgba='1 0 0 1' group='3'/>")
    write(read(text, tmp_path).scene, tmp_path)
    site = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml")).site("s")
    assert site.type == mujoco.mjtGeom.mjGEOM_BOX
    assert (*site.size, *site.rgba, *site.group) == pytest.approx((0.1, 0.2, 0.3, 1, 0, 0, 1, 3))


def test_what_a_file_written_anew_lacks_is_reported(tmp_path):
    assets = """<asset><texture name='t' type='2d' builtin='flat' width='8' height='8'/>
    <material name='c' texture='t' rgba='1 0 0 1'/></asset>"""
    (tmp_path / "source.xml").write_text(model(two(g="size='.1' material='c' user='1'"), assets))
    (read_again,) = MJCF.read(Source(path=tmp_path / "source.xml"))
    assert read_again.document is not None
    kept = Kept(document=read_again.document, read=read_again)
    target = Target(path=tmp_path / "new.xml", options={"source": "new"}, kept=kept)
    losses = {str(loss.noun) for loss in written_scene(MJCF, read_again.scene, target).losses}
    assert losses >= {"texture", "texture of material"}


def test_actuators_of_stacked_joints_are_written_once(tmp_path):
    body = f"""<body><joint name='x' type='slide' axis='1 0 0' stiffness='1'/>
    <joint name='z' type='slide' axis='0 0 1' stiffness='1'/>{BALL}</body>"""
    tail = "<actuator><motor name='m' joint='x'/><motor name='n' joint='z'/></actuator>"
    write(read(model(body, "", tail), tmp_path).scene, tmp_path)
    written = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    assert [written.actuator(number).name for number in range(written.nu)] == ["m", "n"]
