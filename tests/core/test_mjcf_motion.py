"""MJCF read and written moves as in MuJoCo; what is MuJoCo's own is written again."""

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import DriveType, JointDrive
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.core.mjcf_models import (
    BALL,
    CHAIN,
    assert_as_mujoco,
    model,
    mujoco,
    read,
    settled,
    write,
)
from tests.core.physics_scenes import DOOR, HINGE, door
from tests.core.probes import PROBES
from tests.oracles.mujoco import COLUMN

pytestmark = pytest.mark.slow


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


@pytest.mark.parametrize("max_force", [math.inf, 50.0])
def test_a_spring_with_damping_comes_to_rest_at_its_target(
    tmp_path: Path, max_force: float
) -> None:
    """Its damping acts without a velocity target, as k (pT - p) + d (vT - v) with vT = 0."""
    drive = JointDrive(
        type=DriveType.ANGULAR,
        axis=2,
        position_target=0.5,
        stiffness=20.0,
        damping=2.0,
        max_force=max_force,
    )
    scene = door(replace(HINGE, limits=HINGE.limits[:2], drives=(drive,)))
    heavy = replace(scene.motions[DOOR], inertia_diagonal=(0.1, 0.1, 0.1))
    text, _ = write(replace(scene, motions=scene.motions | {DOOR: heavy}), tmp_path)
    compiled = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(compiled)
    compiled.opt.gravity[:] = 0.0
    if compiled.nkey:
        mujoco.mj_resetDataKeyframe(compiled, data, 0)
    for _ in range(round(20.0 / compiled.opt.timestep)):
        mujoco.mj_step(compiled, data)
    assert abs(data.qvel[0]) < 1e-3
    assert abs(abs(data.qpos[0]) - 0.5) < 1e-3


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
    assert {"OMI-M011", "OMI-M015"} <= codes
    text, losses = write(found.scene, tmp_path)
    assert losses == []
    one, other = mujoco.MjModel.from_xml_string(OWN), mujoco.MjModel.from_xml_string(text)
    assert other.opt.timestep == one.opt.timestep
    assert other.opt.integrator == one.opt.integrator
    assert other.tendon_stiffness.tolist() == one.tendon_stiffness.tolist()
    assert other.body_gravcomp.tolist() == one.body_gravcomp.tolist()
    assert other.key_qpos.tolist() == one.key_qpos.tolist()
    assert other.key_ctrl.tolist() == one.key_ctrl.tolist()
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


TENDONS = (
    *("hinge soft", "slider soft limit", "cone X", "cone Y", "cone with hole", "tube"),
    *("distance", "distance with hole", "linear acceleration", "angular acceleration"),
    *("hinge X up", "slider X up", "angular spring", "linear motor"),
)


@pytest.mark.parametrize("name", TENDONS)
def test_what_only_tendons_and_forces_can_do_moves_in_mujoco_as_here(name):
    (result,) = COLUMN.results([PROBES[name]])
    assert result.is_judged
    assert not result.differs, result.values
    assert not result.reported


def test_limits_hold_as_firmly_as_the_step_of_mujoco_lets_them():
    (hinge, slider) = COLUMN.results([PROBES["hinge X up"], PROBES["slider X up"]])
    assert hinge.values == pytest.approx((1.0, 1.0), abs=1e-4)
    assert slider.values == pytest.approx((0.3, 0.3), abs=1e-4)


def test_a_soft_limit_that_swings_faster_than_mujoco_steps_becomes_rigid(tmp_path):
    probe = PROBES["slider soft limit"]
    limits = tuple(
        replace(each, stiffness=1e6) if not each.is_rigid else each for each in probe.limits
    )
    path = tmp_path / "out.xml"
    written = MJCF.write(replace(probe, limits=limits).scene(), Target(path=path))
    assert [loss.noun for loss in written.losses].count("limit spring") == 1
    assert b"springlength" not in written.files["out.xml"]
    assert b"range=" in written.files["out.xml"]
