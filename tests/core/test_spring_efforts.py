"""Efforts of joints with springs: in MuJoCo and SDF a joint's own spring is not limited by it."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.findings.loss import Loss, Noun
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Format, Kept, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.sdf import SDF

MASS, STIFFNESS, EFFORT = 2.3, 59.0, 5.1
SECONDS = 0.4
FALLEN = 0.5 * (9.81 - EFFORT / MASS) * SECONDS**2
"""How far the block falls while its spring holds with the effort alone [m]."""


def block(effort: float) -> omi_joints.Scene:
    """Return a block on a vertical slider; its spring pulls 0.23 m upward from the start."""
    build = omi_joints.SceneBuilder()
    build.add_body("block", pose=(0.0, 0.0, 1.0), mass=MASS)
    spring = omi_joints.Spring(stiffness=STIFFNESS, target=0.23)
    number = build.slider("rail", None, "block", axis=(0.0, 0.0, 1.0), spring=spring)
    attributes = omi_joints.JointAttributes(effort=effort)
    build.joints[number] = replace(build.joints[number], attributes=attributes)
    return build.scene()


def fallen(scene: omi_joints.PhysicsScene) -> float:
    """Return how far the block falls here [m]."""
    moved = omi_joints.simulate(scene, seconds=SECONDS, fps=60.0)
    (place,) = (n for n, node in enumerate(moved.bodies) if scene.names[node] == "block")
    return float(moved.positions[0, place, 2] - moved.positions[-1, place, 2])


def fallen_in_mujoco(path: Path) -> float:
    """Return how far the block falls in MuJoCo [m]."""
    mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    start = float(data.body("block").xpos[2])
    while data.time < SECONDS - 0.5 * model.opt.timestep:
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    return start - float(data.body("block").xpos[2])


def mjcf(tmp_path: Path, more: str = "") -> Path:
    """Write a block on a sprung slider as people write it, and return the file."""
    path = tmp_path / "block.xml"
    path.write_text(
        f'<mujoco><worldbody><body name="block" pos="0 0 1"><inertial pos="0 0 0" mass="{MASS}"'
        f' diaginertia=".1 .1 .1"/><joint name="rail" type="slide" axis="0 0 1"'
        f' stiffness="{STIFFNESS}" springref="0.23" actuatorfrcrange="-{EFFORT} {EFFORT}"/>'
        f"</body></worldbody>{more}</mujoco>"
    )
    return path


def sprung(time: float) -> float:
    """Return how far the block falls on a spring that nothing limits [m]."""
    rest = 0.23 - MASS * 9.81 / STIFFNESS
    return -rest * (1.0 - float(np.cos(np.sqrt(STIFFNESS / MASS) * time)))


def test_a_written_spring_is_limited_by_the_effort_in_mujoco(tmp_path: Path) -> None:
    path = tmp_path / "block.xml"
    losses = omi_joints.write(block(EFFORT), path)
    assert not {each.noun for each in losses} & {Noun.DRIVE, Noun.MAX_FORCE, Noun.EFFORT}
    assert fallen(block(EFFORT)) == pytest.approx(FALLEN, abs=2e-3)
    assert fallen_in_mujoco(path) == pytest.approx(FALLEN, abs=2e-3)
    again = omi_joints.read(path)
    assert again.joint("rail").effort == EFFORT
    assert fallen(again) == pytest.approx(FALLEN, abs=2e-3)


def test_a_read_spring_is_not_limited_by_a_range_without_actuators(tmp_path: Path) -> None:
    path = mjcf(tmp_path)
    scene = omi_joints.read(path)
    assert fallen_in_mujoco(path) == pytest.approx(sprung(SECONDS), abs=2e-3)
    assert fallen(scene) == pytest.approx(sprung(SECONDS), abs=2e-3)
    (finding,) = (each for each in omi_joints.check(path) if each.code == "OMI-M012")
    assert "does not limit the joint's spring" in finding.message
    omi_joints.write(scene, tmp_path / "again.xml")
    assert f'actuatorfrcrange="-{EFFORT} {EFFORT}"' in (tmp_path / "again.xml").read_text()


def test_a_spring_beside_an_actuator_is_named(tmp_path: Path) -> None:
    path = mjcf(tmp_path, '<actuator><motor joint="rail"/></actuator>')
    assert omi_joints.read(path).joint("rail").effort == EFFORT
    (finding,) = (each for each in omi_joints.check(path) if each.code == "OMI-M012")
    assert "limits the joint's spring here, too" in finding.message


def edited(row: Format, path: Path, **changes: float) -> list[Loss]:
    """Edit the drives or the effort of the joint in its file, and return what the report names."""
    read = row.read(Source(path=path))[0]
    assert read.document is not None
    (joint,) = read.scene.joints
    if "effort" in changes:
        joint = replace(joint, attributes=replace(joint.attributes, **changes))
    else:
        drives = tuple(replace(each, **changes) for each in joint.settings.drives)
        joint = replace(joint, settings=replace(joint.settings, drives=drives))
    kept = Kept(document=read.document, read=read)
    scene = replace(read.scene, joints=(joint,))
    written = written_scene(row, scene, Target(path=path, kept=kept))
    write_files(path.parent, written.files)
    return [*written.losses]


def edited_in_mujoco(path: Path, **changes: float) -> tuple[Any, list[str]]:
    """Return MuJoCo's model of an edited file, and the nouns of losses."""
    mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    losses = edited(MJCF, path, **changes)
    return mujoco.MjModel.from_xml_path(str(path)), [loss.noun for loss in losses]


def test_an_effort_that_is_taken_away_limits_nothing_in_mujoco(tmp_path: Path) -> None:
    path = mjcf(tmp_path, '<actuator><motor joint="rail"/></actuator>')
    path.write_text(path.read_text().replace(f'"-{EFFORT} {EFFORT}"', f'"-{EFFORT} 3.1"'))
    model, lost = edited_in_mujoco(path, effort=math.inf)
    assert (model.jnt_actfrclimited.tolist(), lost) == ([0], [])


@pytest.mark.parametrize("changes", [{"effort": 7.3}, {"max_force": 7.3}, {"velocity_target": 0.7}])
def test_a_spring_that_something_limits_becomes_an_actuator_in_its_file(
    tmp_path: Path, changes: dict[str, float]
) -> None:
    model, lost = edited_in_mujoco(mjcf(tmp_path), **changes)
    assert (model.nu, model.jnt_stiffness.tolist()) == (1, [0.0])
    assert model.actuator_biasprm[0, 1] == -STIFFNESS
    speed = changes.get("velocity_target", 0.0)
    damping = -model.actuator_biasprm[0, 2]
    target = model.key("targets").ctrl[0] * model.actuator_gainprm[0, 0]
    assert target == pytest.approx(STIFFNESS * 0.23 + damping * speed)
    largest = changes.get("max_force", math.inf)
    assert model.actuator_forcerange[0, 1] == (largest if largest < math.inf else 0.0)
    effort = changes.get("effort", EFFORT)
    assert model.jnt_actfrcrange.tolist() == [[-effort, effort]]
    assert not {Noun.DRIVE, Noun.DRIVE_STIFFNESS, Noun.POSITION_TARGET} & {*lost}


def test_a_stiffness_is_one_value_beside_a_range(tmp_path: Path) -> None:
    path = mjcf(tmp_path)
    text = path.read_text()
    _, lost = edited_in_mujoco(path, stiffness=71.3)
    assert (path.read_text(), lost) == (text.replace(f'"{STIFFNESS}"', '"71.3"'), [])


def test_sdf_names_an_effort_that_limits_a_spring_and_reads_none(tmp_path: Path) -> None:
    path = tmp_path / "block.sdf"
    losses = omi_joints.write(block(EFFORT), path)
    (loss,) = (each for each in losses if each.noun == Noun.EFFORT)
    assert loss.place == "rail"
    (finding,) = (each for each in omi_joints.check(path) if each.code == "OMI-J534")
    assert f"{EFFORT}" in finding.message
    assert fallen(omi_joints.read(path)) == pytest.approx(sprung(SECONDS), abs=2e-3)


def test_an_effort_beside_a_spring_is_written_into_an_sdf_file_and_its_line_is_true(
    tmp_path: Path,
) -> None:
    path = tmp_path / "block.sdf"
    omi_joints.write(block(EFFORT), path)
    text = path.read_text()
    (loss,) = edited(SDF, path, effort=7.3)
    assert path.read_text() == text.replace(f"<effort>{EFFORT}<", "<effort>7.3<")
    assert (loss.noun, loss.text) == (
        Noun.EFFORT,
        "the effort does not limit the joint's spring in SDF",
    )


def test_an_effort_without_a_spring_stays_in_sdf(tmp_path: Path) -> None:
    scene = block(EFFORT)
    joint = replace(scene.joints[0], settings=replace(scene.joints[0].settings, drives=()))
    path = tmp_path / "block.sdf"
    losses = omi_joints.write(replace(scene, joints=(joint,)), path)
    assert not [each for each in losses if each.noun == Noun.EFFORT]
    assert omi_joints.read(path).joint("rail").effort == EFFORT
