"""Blender's Rigid Body Constraints in files, without conversion."""

from typing import Any

import bpy
import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from tests.roundtrip.documents import (
    Y_UP,
    add,
    assert_same_frame,
    export,
    joint_nodes,
    joints,
    popups,
    triangle,
    world,
    world_of,
)


def add_constraint(**values: Any) -> Any:
    """Return a hinge between a fixed and a free body, turned and away from both."""
    bpy.ops.rigidbody.world_add()
    rigid = bpy.context.scene.rigidbody_world
    rigid.collection = bpy.data.collections.new("Bodies")
    rigid.constraints = bpy.data.collections.new("Constraints")
    bodies = [
        add("Fixed", triangle(), location=(1, 2, 3), rotation_euler=(0.3, 0.2, 0.1)),
        add("Free", triangle(), location=(2, 2, 1), rotation_euler=(0.1, -0.2, 0.5)),
    ]
    for body in bodies:
        rigid.collection.objects.link(body)
    bodies[0].rigid_body.type = "PASSIVE"
    holder = add("Constraint", location=(2, 2, 2), rotation_euler=(0.5, 0.6, 0.7), scale=(2, 2, 2))
    rigid.constraints.objects.link(holder)
    data = holder.rigid_body_constraint
    data.type, (data.object1, data.object2) = "HINGE", bodies
    data.use_limit_ang_z, data.limit_ang_z_lower, data.limit_ang_z_upper = True, -0.25, 1.5
    for name, value in values.items():
        setattr(data, name, value)
    bpy.context.scene.omi_gltf.export_constraints = True
    return holder


def test_constraint_is_a_joint_between_its_bodies(tmp_path):
    holder = add_constraint()
    before = {obj.name for obj in bpy.data.objects}
    document = export(tmp_path)
    first, second = (f"Constraint {name} Joint Frame" for name in ("Free", "Fixed"))
    # The angle of a hinge is mirrored, and once more as the free body is the second.
    limits = [
        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [0, 1], "min": 0, "max": 0},
        {"angularAxes": [2], "min": -0.25, "max": 1.5},
    ]
    assert joints(document) == {first: {"joint": {"limits": limits}, "connectedNode": second}}
    expected = Y_UP @ world_of(holder)
    ((index, joint),) = joint_nodes(document)
    for node in (index, joint["connectedNode"]):
        matrix = world(document, node)
        assert_same_frame(matrix, expected)
        assert np.linalg.norm(matrix[:3, :3], axis=0) == pytest.approx((1, 1, 1), abs=1e-5)
    assert {obj.name for obj in bpy.data.objects} == before


def test_constraints_are_left_out_unless_wanted(tmp_path):
    add_constraint()
    bpy.context.scene.omi_gltf.export_constraints = False
    assert "OMI_physics_joint" not in export(tmp_path).get("extensionsUsed", ())


def test_colliding_and_inexact_constraint_is_written_with_findings(tmp_path, capsys):
    add_constraint(disable_collisions=False, use_breaking=True)
    (joint,) = joints(export(tmp_path)).values()
    assert joint["enableCollision"]
    assert any("OMI-B046 Constraint" in line for line in popups(capsys))


@pytest.mark.parametrize("values", [{"enabled": False}, {"object1": None}])
def test_constraint_that_does_nothing_costs_itself(tmp_path, capsys, values):
    add_constraint(**values)
    document = export(tmp_path)
    assert list(joint_nodes(document)) == []
    assert any("OMI-B044 Constraint" in line for line in popups(capsys))


def test_constraint_whose_body_is_not_written_costs_itself(tmp_path, capsys):
    holder = add_constraint()
    for obj in bpy.data.objects:
        obj.select_set(obj == holder or obj.name == "Free")
    document = export(tmp_path, use_selection=True)
    assert list(joint_nodes(document)) == []
    assert any("OMI-J002 Constraint" in line for line in popups(capsys))


class TestWhatIsLeftOut:
    """Nothing leaves a scene without a line: exports, checks and conversions."""

    def saved(self, tmp_path, **values):
        add_constraint(**values)
        bpy.context.scene.omi_gltf.export_constraints = False
        path = tmp_path / "hinge.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
        return path

    def test_an_export_without_the_option_says_so(self, tmp_path, capsys):
        add_constraint()
        bpy.context.scene.omi_gltf.export_constraints = False
        export(tmp_path)
        (line,) = [line for line in popups(capsys) if "OMI-B051" in line]
        assert "left out, 1 in all: Constraint;" in line

    def test_one_that_is_off_in_blender_is_no_loss(self, tmp_path, capsys):
        add_constraint(enabled=False)
        bpy.context.scene.omi_gltf.export_constraints = False
        export(tmp_path)
        assert not any("OMI-B051" in line for line in popups(capsys))

    def test_check_of_the_file_names_it(self, tmp_path, capsys):
        assert main(["check", str(self.saved(tmp_path))]) == 0
        assert "OMI-B051" in capsys.readouterr().out

    @pytest.mark.parametrize("suffix", [".glb", ".urdf", ".xml"])
    def test_convert_reports_it_refuses_or_writes_the_joint(self, tmp_path, capsys, suffix):
        path, target = self.saved(tmp_path), tmp_path / f"hinge{suffix}"
        assert main(["convert", str(path), str(target), "--strict"]) == 1
        assert not target.exists()
        assert "Rigid Body Constraint" in capsys.readouterr().err
        assert main(["convert", str(path), str(target)]) == 0
        assert "Rigid Body Constraint" in capsys.readouterr().err
        assert main(["convert", str(path), str(target), "--constraints", "--force"]) == 0
        assert "are left out" not in capsys.readouterr().err
        assert len(omi_joints.read(target).joints) == 1

    def test_bodies_that_a_filter_hides_are_named(self, tmp_path, capsys):
        add_constraint()
        free = bpy.data.objects["Free"]
        free.hide_render = True
        export(tmp_path, use_renderable=True)
        assert any("OMI-J492 Free" in line for line in popups(capsys))
        export(tmp_path)
        assert not any("OMI-J492" in line for line in popups(capsys))
