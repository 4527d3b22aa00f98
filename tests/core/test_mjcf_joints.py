"""Joints of MJCF that are more or less than one joint: stacks, balls, equalities, soft locks."""

import math
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from tests.core.mjcf_models import BALL, model, mujoco, read, write
from tests.core.solver_scenes import SceneBuilder

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


def test_the_bodies_of_a_chain_are_named_toward_other_formats(tmp_path: Path, capsys) -> None:
    path = tmp_path / "stacked.xml"
    path.write_text(STACKED)
    mass = mujoco.MjModel.from_xml_string(STACKED).body_mass[1]
    for target, count in (("a.urdf", 1), ("a.usda", 1), ("a.glb", 1), ("a.sdf", 1), ("a.xml", 0)):
        line = ["convert", str(path), str(tmp_path / target), "-o", "source=new", "--force"]
        assert main(line if target != "a.glb" else line[:3]) == 0
        words = f"bodies (b): light bodies, of {0.01 * mass:.4g} kg together, are between"
        assert capsys.readouterr().err.count(words) == count, target


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


def test_a_hinge_that_is_open_on_one_side_is_so_in_other_formats(tmp_path: Path) -> None:
    hinge = '<joint name="j" axis="0 0 1" range="-17.188733853924695 1e9"/>'
    found = read(model(f'<body><geom size=".1"/>{hinge}</body>'), tmp_path)
    (joint,) = found.scene.joints
    (limit,) = (each for each in joint.settings.limits if each.angular_axes == (2,))
    assert limit.min == pytest.approx(-0.3)
    assert math.isinf(limit.max)
    assert joint.attributes.whole_range is None


@pytest.mark.parametrize("kind", ["hinge", "slide"])
@pytest.mark.parametrize(("reference", "constant"), [(0.0, 0.0), (0.07, 0.0), (0.07, -0.23)])
def test_an_equality_without_a_second_joint_holds_its_joint(
    kind: str, reference: float, constant: float, tmp_path: Path
) -> None:
    text = model(
        f"<body name='b' pos='0 0.3 1'><joint name='j' type='{kind}' axis='0.2 1 0.1'"
        f" ref='{reference}' range='-1.1 1.2' limited='true'/>"
        "<geom type='box' size='.1 .02 .02' pos='.13 0 0' mass='0.7'/></body>",
        "<compiler angle='radian'/>",
        f"<equality><joint joint1='j' polycoef='{constant} 0 0 0 0'/></equality>",
    )
    one = mujoco.MjModel.from_xml_string(text)
    state = mujoco.MjData(one)
    for _ in range(2000):
        mujoco.mj_step(one, state)
    found = read(text, tmp_path)
    held = reference + constant
    assert state.qpos[0] == pytest.approx(held, abs=5e-3)  # what is left is how soft it is
    again = mujoco.MjModel.from_xml_string(write(found.scene, tmp_path)[0])
    assert again.jnt_range[0] == pytest.approx((held, held), abs=1e-6)
    assert again.njnt == 1
