"""Robots that are changed in Blender, in the stage that its own exporter writes."""

import bpy
import pytest

import omi_joints
from omi_joints_addon.io.engine_models import mujoco_model, openusd_model
from tests.blender.test_robots_edited import EDITS, ROBOT, judge_all


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_blenders_exporter_of_usd_writes_the_robot_of_the_scene(tmp_path, edit):
    path, out = tmp_path / "s.urdf", tmp_path / "out.usda"
    path.write_text(ROBOT)
    bpy.ops.omi.scene_import(filepath=str(path))
    edit()
    bpy.context.view_layer.update()
    assert bpy.ops.wm.usd_export(filepath=str(out)) == {"FINISHED"}
    judge_all(openusd_model.loaded(out), edit, close=3e-6)
    again = tmp_path / "again.xml"
    omi_joints.convert(out, again)
    judge_all(mujoco_model.loaded(again), edit, close=3e-6)
