"""A joint whose axes or ends have other names in a file is not reported as another joint."""

from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.pose import rotation_matrix
from omi_joints_addon.core.rewrite.same_joints import with_joints_described_as
from omi_joints_addon.core.rewrite.turning import (
    HALF_TURNS,
    TURNS,
    AxisTurn,
    turned_settings,
)
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.keeping import unnamed, written_scene
from omi_joints_addon.io.registry import FORMATS
from tests.core.solver_scenes import SceneBuilder, turn

DOOR = replace(
    hinge(axis=1, min_angle=-0.25, max_angle=1.5),
    drives=(JointDrive(type="angular", axis=1, position_target=0.5, stiffness=9.0, damping=0.5),),
)


def door(settings: JointSettings) -> SceneBuilder:
    """Return a body that hangs on another one, turned in every way."""
    build = SceneBuilder()
    post, body = build.body((0, 0, 0)), build.body((1, 2, 3), turn((0.48, 0.6, 0.64), 0.7))
    build.joint(settings, body, post, (1, 2, 3.5), turn((0.6, 0.0, 0.8), -0.4))
    return build


@pytest.mark.parametrize("name", ["mjcf", "urdf"])
def test_hinges_about_y_are_hinges_in_formats_that_read_them_about_z(
    name: str, tmp_path: Path
) -> None:
    (row,) = (each for each in FORMATS if each.name == name)
    written = written_scene(row, door(hinge(axis=1)).scene(), Target(path=tmp_path / f"a.{name}"))
    scene = door(hinge()).scene()
    place = scene.names[scene.joints[0].node]
    assert not [str(loss) for loss in written.losses if loss.place == place]


@pytest.mark.parametrize("name", ["mjcf", "urdf"])
def test_a_joint_whose_node_is_on_the_parent_is_no_other_one(name: str, tmp_path: Path) -> None:
    (row,) = (each for each in FORMATS if each.name == name)
    build = SceneBuilder()
    post, body = build.body((0, 0, 0)), build.body((1, 2, 3))
    build.joint(hinge(min_angle=-0.25, max_angle=1.5), post, body, (1, 2, 3.5))
    scene = build.scene()
    written = written_scene(row, scene, Target(path=tmp_path / f"a.{name}"))
    # Which of the two free bodies a URDF file begins with is at its origin.
    assert {loss.noun for loss in written.losses} <= {"placement"}
    place = scene.names[scene.joints[0].node]
    assert not [str(loss) for loss in written.losses if loss.place == place]


@pytest.mark.parametrize("renaming", [*TURNS[1:], *HALF_TURNS])
def test_frames_that_are_turned_alike_are_turned_back(renaming: AxisTurn) -> None:
    before = door(DOOR).scene()
    (joint,) = before.joints
    matrices = before.matrices.copy()
    for node in (joint.node, joint.other):
        matrices[node, :3, :3] @= rotation_matrix(renaming.rotation)
    turned = replace(joint, settings=turned_settings(DOOR, renaming))
    after = replace(before, joints=(turned,), matrices=matrices)
    same = {node: node for node in range(len(before.names))}
    found, described = with_joints_described_as(before, after, same)
    assert described == (joint.node,)
    assert found.joints[0].settings == DOOR
    assert found.matrices == pytest.approx(before.matrices, abs=1e-12)
    assert with_joints_described_as(before, before, same)[1] == ()


def test_only_frames_at_another_place_are_reported() -> None:
    before, renaming = door(DOOR).scene(), TURNS[1]
    (joint,) = before.joints
    matrices = before.matrices.copy()
    for node in (joint.node, joint.other):
        matrices[node, :3, :3] @= rotation_matrix(renaming.rotation)
    turned = replace(joint, settings=turned_settings(DOOR, renaming))
    after = replace(before, joints=(turned,), matrices=matrices)
    assert not [*unnamed(before, after, (), own="mjcf")]
    for node in (joint.node, joint.other):
        matrices[node, :3, 3] += (0.0, 0.2, 0.0)
    assert [loss.noun for loss in unnamed(before, after, (), own="mjcf")] == ["frames"]
