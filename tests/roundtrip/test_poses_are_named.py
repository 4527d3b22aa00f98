"""Named poses where a file has no place for them: the report names them, at every door."""

from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main

URDF = """<robot name="arm">
<link name="base"/><link name="upper">
  <inertial><origin xyz="0 0 0.2"/><mass value="1.7"/>
  <inertia ixx="0.03" iyy="0.03" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="lift" type="revolute"><parent link="base"/><child link="upper"/>
  <axis xyz="0 1 0"/><limit lower="-0.7" upper="1.3" effort="9" velocity="2"/></joint></robot>"""
SRDF = """<robot name="arm"><group name="all"><joint name="lift"/></group>
<group_state name="ready" group="all"><joint name="lift" value="0.6"/></group_state></robot>"""


@pytest.fixture
def scene(empty_scene: None, tmp_path: Path) -> Any:
    """Return a scene with a robot and one named pose, as a URDF and its SRDF have them."""
    import bpy

    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "arm.srdf").write_text(SRDF)
    bpy.ops.omi.scene_import(filepath=str(tmp_path / "arm.urdf"))
    assert [pose.name for pose in bpy.context.scene.omi_poses.poses] == ["ready"]
    return bpy.context.scene


def lines(scene: Any) -> list[str]:
    return [line.text for line in scene.omi_report.lines if "named pose" in line.noun + line.text]


@pytest.mark.parametrize("suffix", ["json", "sdf"])
def test_export_physics(scene: Any, tmp_path: Path, suffix: str) -> None:
    import bpy

    target = tmp_path / f"arm.{suffix}"
    bpy.ops.omi.scene_export(filepath=str(target))
    assert target.exists()
    assert len(lines(scene)) == 1, [line.text for line in scene.omi_report.lines]


def test_blenders_own_exporters(scene: Any, tmp_path: Path) -> None:
    import bpy

    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "arm.glb"))
    assert len(lines(scene)) == 1, [line.text for line in scene.omi_report.lines]
    bpy.ops.wm.usd_export(filepath=str(tmp_path / "arm.usda"))
    assert len(lines(scene)) == 1, [line.text for line in scene.omi_report.lines]


def test_a_scene_without_poses_has_no_line(scene: Any, tmp_path: Path) -> None:
    import bpy

    scene.omi_poses.poses.clear()
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "arm.glb"))
    assert lines(scene) == []


@pytest.mark.parametrize("suffix", ["glb", "usda"])
def test_the_command(
    scene: Any, tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import bpy

    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "arm.blend"))
    capsys.readouterr()
    assert main(["convert", str(tmp_path / "arm.blend"), str(tmp_path / f"arm.{suffix}")]) == 0
    assert "changed: named pose" in capsys.readouterr().err
