"""Robots with the same names in one file, as other formats number them."""

from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.engine_models.comparing import compared, model_of

ROBOT = """def Xform "{robot}" (apiSchemas = ["PhysicsArticulationRootAPI"]) {{
def PhysicsFixedJoint "root" {{ rel physics:body1 = </{robot}/base>
point3f physics:localPos0 = ({x}, 0, 1)
}}
def Cube "base" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]) {{
double size = 1
float physics:mass = 1
float3 physics:diagonalInertia = (.1, .1, .1)
double3 xformOp:translate = ({x}, 0, 1)
uniform token[] xformOpOrder = ["xformOp:translate"]
}}
def Cube "arm" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]) {{
double size = 1
float physics:mass = 1
float3 physics:diagonalInertia = (.1, .1, .1)
double3 xformOp:translate = ({x}, 0.9, 1)
uniform token[] xformOpOrder = ["xformOp:translate"]
}}
def PhysicsRevoluteJoint "hinge" {{
uniform token physics:axis = "Z"
rel physics:body0 = </{robot}/base>
rel physics:body1 = </{robot}/arm>
point3f physics:localPos0 = (0, .45, 0)
point3f physics:localPos1 = (0, -.45, 0)
float physics:lowerLimit = -{end}
float physics:upperLimit = {end}
}}
}}
"""
"""A robot that is held by the world, whose parts reach into each other."""


def two_robots(folder: Path, *ends: int) -> Path:
    """Return a stage of two robots with the same names, four meters apart."""
    source = folder / "two.usda"
    head = '#usda 1.0\n( metersPerUnit = 1\nupAxis = "Z" )\n'
    robots = [
        ROBOT.format(robot=f"robot{n}", x=4 * n, end=end) for n, end in enumerate(ends or (30, 60))
    ]
    source.write_text(head + "".join(robots))
    return source


def test_robots_of_one_name_are_compared_each_with_its_own(tmp_path, capsys):
    pytest.importorskip("pxr")
    source = two_robots(tmp_path)
    written = tmp_path / "again.usda"
    assert main(["convert", str(source), str(written), "-o", "source=new", "--verify"]) == 0
    assert "OMI-J495" not in capsys.readouterr().err
    (tmp_path / "other").mkdir()
    models = [model_of("usd", path) for path in (source, two_robots(tmp_path / "other", 30, 61))]
    assert {each.place for each in compared(*models)[0]} == {"hinge_1"}


def test_robots_of_one_name_are_numbered_in_mujoco_and_do_not_touch_themselves(tmp_path, capsys):
    mujoco = pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    source, written = two_robots(tmp_path), tmp_path / "two.xml"
    assert main(["convert", str(source), str(written), "--verify"]) == 0
    report = capsys.readouterr().err
    assert "it is not in the file" not in report
    assert "OMI-J495" not in report
    model = mujoco.MjModel.from_xml_path(str(written))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
