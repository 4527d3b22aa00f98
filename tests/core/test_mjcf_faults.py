"""MJCF that only MuJoCo takes, includes, and faults: a finding or one line, never more."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.io.formats.format import UnreadableError
from tests.cases import cases
from tests.core.damaged_files import Attack
from tests.core.mjcf_models import BALL, CHAIN, model, mujoco, place, read, write
from tests.core.solver_scenes import SceneBuilder
from tests.mutation import mutated_bytes
from tests.tally import Tally

CASES = cases(50, 2000)


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


@pytest.mark.parametrize("name", ["damping", "stiffness", "actuatorfrcrange"])
def test_numbers_that_are_none_are_not_written(name: str, tmp_path: Path) -> None:
    text = model(f"<body name='b'><joint name='j' range='0 1' {name}='.0.2 1'/>{BALL}</body>")
    found = read(text, tmp_path)
    written, _ = write(found.scene, tmp_path)
    assert ".0.2" not in written
    mujoco.MjModel.from_xml_string(written)


@pytest.mark.parametrize("corner", ["4", "-1", "1e14"])
def test_a_face_without_its_point_costs_the_mesh_only(corner: str, tmp_path: Path) -> None:
    mesh = f"<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 {corner}'/>"
    body = f"<body name='b'><joint name='sound'/>{BALL}<geom type='mesh' mesh='m'/></body>"
    found = read(model(body, head=f"<asset>{mesh}</asset>"), tmp_path)
    assert [found.scene.names[joint.node] for joint in found.scene.joints] == ["sound"]
    with pytest.raises(ValueError, match="a face refers to a missing point"):
        found.scene.meshes[0].read()


@pytest.mark.fuzz
def test_damaged_files_end_in_findings_or_one_line(tmp_path: Path, tally: Tally) -> None:
    Attack("MJCF", damaged, read, write).run(CASES, tmp_path, tally)


def damaged(number: int, source: random.Random) -> bytes:
    return with_other_words(source) if number % 2 else mutated_bytes(CHAIN.encode(), source)


def with_other_words(source: random.Random) -> bytes:
    """Return numbers that are none, too many or too few, rather than broken XML."""
    old = source.choice(re.findall(r"'[^']*'", CHAIN))
    new = source.choice(["''", "'nan'", "'1e999'", "'1 2'", "'x'", "'0'"])
    return CHAIN.replace(old, new, 1).encode()


def test_a_chain_deeper_than_mujoco_reads_is_cut_and_named(tmp_path: Path) -> None:
    build = SceneBuilder()
    before = -1
    for number in range(1000):
        body = build.body((0, 0, -0.5 - number), mass=1.0)
        build.joint(presets.hinge(), before, body, (0, 0, -number))
        before = body
    text, losses = write(build.scene(), tmp_path)
    judge = mujoco.MjModel.from_xml_string(text)
    assert (judge.nbody, judge.neq) == (1001, 2)
    assert sum("no more than 400 bodies" in loss for loss in losses) == 2
    assert len(read(text, tmp_path).scene.motions) >= 1000


def test_pin_within_one_body_is_left_out_and_named(tmp_path: Path) -> None:
    """MuJoCo refuses an equality of a body with itself."""
    build = SceneBuilder()
    body = build.body((0, 0, 1), mass=1.0)
    build.joint(presets.pin(), body, body, (0, 0, 1))
    (joint,) = build.joints
    build.joints = [replace(joint, attributes=JointAttributes(in_articulation=False))]
    text, losses = write(build.scene(), tmp_path)
    assert mujoco.MjModel.from_xml_string(text).neq == 0
    assert sum("it is not between two bodies" in loss for loss in losses) == 1


BODY = f"<body><joint/>{BALL}</body>"


@pytest.mark.parametrize(
    "macro",
    [
        f"<replicate count='100000000'>{BODY}</replicate>",
        f"<replicate count='1e30'>{BODY}</replicate>",
        "<replicate count='90'>" * 9 + BODY + "</replicate>" * 9,
        "<flexcomp name='f' type='grid' count='999 999 999' spacing='.1 .1 .1'/>",
        "<replicate count='600'><attach model='part' body='b' prefix='x'/></replicate>",
    ],
)
def test_macros_that_make_too_much_are_left_to_nobody(macro: str, tmp_path: Path) -> None:
    """MuJoCo takes minutes for 20,000 bodies, and does not end with more."""
    part = model("<body name='b'>" + BODY * 9 + "</body>")
    (tmp_path / "part.xml").write_text(part)
    head = "<asset><model name='part' file='part.xml'/></asset>"
    found = read(model(f"<body name='own'><joint/>{BALL}{macro}</body>", head), tmp_path)
    (finding,) = (item for item in found.findings if item.code == "OMI-M013")
    assert "would make more than 5000 elements" in str(finding)
    assert "own" in found.scene.names


def test_models_that_contain_each_other_are_not_expanded(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        head = f"<asset><model name='part' file='{other}.xml'/></asset>"
        text = model("<attach model='part' body='x' prefix='p'/>", head)
        (tmp_path / f"{name}.xml").write_text(text)
    found = read((tmp_path / "a.xml").read_text(), tmp_path)
    assert "contain each other" in str(found.findings[0])


def test_a_part_with_files_of_its_own_is_attached(tmp_path: Path) -> None:
    (tmp_path / "parts" / "meshes").mkdir(parents=True)
    points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    (tmp_path / "parts" / "meshes" / "m.obj").write_text(
        points + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    mesh = "<compiler meshdir='meshes'/><asset><mesh name='m' file='m.obj'/></asset>"
    part = model("<body name='b'><joint/><geom type='mesh' mesh='m'/></body>", mesh)
    (tmp_path / "parts" / "part.xml").write_text(part)
    head = "<asset><model name='part' file='parts/part.xml'/></asset>"
    body = "<body name='own'><attach model='part' body='b' prefix='p'/></body>"
    found = read(model(body, head), tmp_path)
    assert "pb" in found.scene.names
    assert len(found.scene.joints) == 1
