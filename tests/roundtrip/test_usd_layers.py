"""A USD file imported into Blender and written as a layer of edits above it."""

import math
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.io.usd.hooks import problem
from omi_joints_addon.properties.usd_origin import usd_origin
from tests.usd_actuators import ARM as ACTUATED
from tests.usd_actuators import HEAD, SERVO
from tests.usd_layers import ARM, HINGE, ROBOT, opinions
from tests.usd_noun_stages import NOUNS

pytestmark = pytest.mark.skipif(bool(problem()), reason=problem() or "-")
TOOL = "/Robot/Geometry/tool"


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    return imported(tmp_path / "robot.usda", ROBOT)


def imported(path: Path, text: str) -> Path:
    """Write a stage and import it into an empty scene; return its path."""
    path.write_text(text)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    return path


def export(path: Path, **options: Any) -> dict[str, Any]:
    target = path.with_name("layer.usda")
    assert bpy.ops.omi.usd_layer_export(filepath=str(target), **options) == {"FINISHED"}
    return opinions(target)


def of_prim(path: str) -> Any:
    (found,) = [obj for obj in bpy.context.scene.objects if usd_origin(obj).prim == path]
    return found


def of_joint(path: str) -> Any:
    (found,) = [obj for obj in bpy.context.scene.objects if usd_origin(obj).joint == path]
    return found


def set_mass(path: str, mass: float) -> None:
    body = of_prim(path)
    body.omi_body.mass = mass
    if body.rigid_body:
        body.rigid_body.mass = mass


def test_unedited_says_nothing(robot: Path) -> None:
    assert export(robot) == {}
    assert lost() == []


def test_unedited_says_nothing_once_saved_and_loaded(robot: Path) -> None:
    blend = str(robot.with_name("robot.blend"))
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.wm.open_mainfile(filepath=blend)
    assert export(robot) == {}


def test_edits_are_opinions(robot: Path) -> None:
    limits = of_joint(HINGE).omi_joint.limits
    (limit,) = [each for each in limits if each.min != each.max]
    limit.max = math.radians(85.0)
    set_mass(ARM, 5.0)
    assert export(robot) == {
        f"{HINGE}.physics:upperLimit": pytest.approx(170.0, abs=1e-4),
        f"{ARM}.physics:mass": 5.0,
    }


def test_an_edited_drive_is_an_opinion_about_its_actuator(tmp_path: Path) -> None:
    """Stiffness 320 N·m/rad at a gear of 2 is a gain of 80."""
    path = tmp_path / "servo.usda"
    path.write_text(f"#usda 1.0\n{HEAD}{ACTUATED}{SERVO}}}\n")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    assert export(path) == {}
    (drive,) = of_joint("/W/Hinge").omi_joint.drives
    assert drive.stiffness == 160.0
    drive.stiffness = 320.0
    assert export(path) == {
        "/W/servo.mjc:gainPrm": [80.0, *[0.0] * 9],
        "/W/servo.mjc:biasPrm": [0.0, -80.0, -2.0, *[0.0] * 7],
    }


def test_moved_body(robot: Path) -> None:
    of_prim(ARM).location.z += 0.25 / of_prim(ARM).parent.matrix_world.to_scale().z
    bpy.context.view_layer.update()
    found = export(robot)
    moved = {name for name in found if name.startswith(ARM)}
    assert moved == set(found)
    assert moved


def test_deleted_joint_and_renamed_body(robot: Path) -> None:
    bpy.data.objects.remove(of_joint(HINGE))
    of_prim(TOOL).name = "Gripper"
    assert export(robot) == {f"{HINGE} active": False, f"{TOOL} displayName": "Gripper"}


def test_a_copy_is_new_and_the_first_stays(robot: Path) -> None:
    joint = of_joint(HINGE)
    copy = joint.copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    found = export(robot)
    assert {name.split(".")[0].split(" ")[0] for name in found} == {
        "/Robot/Joints",
        next(name.split(".")[0] for name in found if name.startswith("/Robot/Joints/")),
    }


def test_changed_file_is_refused(robot: Path) -> None:
    robot.write_text(ROBOT.replace("= 200", "= 190"))
    with pytest.raises(RuntimeError, match="was changed since"):
        export(robot)


@pytest.fixture
def two_robots(robot: Path) -> tuple[Path, Path]:
    other = robot.with_name("servo.usda")
    other.write_text(f"#usda 1.0\n{HEAD}{ACTUATED}{SERVO}}}\n")
    assert bpy.ops.wm.usd_import(filepath=str(other)) == {"FINISHED"}
    bpy.context.view_layer.update()
    return robot, other


def activate(obj: Any) -> None:
    bpy.context.view_layer.objects.active = obj


def test_of_two_robots_the_active_object_says_which_is_written(
    two_robots: tuple[Path, Path],
) -> None:
    robot, other = two_robots
    activate(of_prim(ARM))
    assert export(robot) == {}
    (drive,) = of_joint("/W/Hinge").omi_joint.drives
    drive.stiffness = 320.0
    assert export(robot) == {}
    activate(of_joint("/W/Hinge"))
    assert set(export(other)) == {"/W/servo.mjc:gainPrm", "/W/servo.mjc:biasPrm"}


def test_of_two_robots_none_is_written_where_nothing_says_which(
    two_robots: tuple[Path, Path],
) -> None:
    activate(None)
    with pytest.raises(RuntimeError) as refused:
        export(two_robots[0])
    assert str(refused.value).strip() == (
        "Error: Objects are from several USD files (robot.usda, servo.usda); make one of the file "
        "to write active"
    )


def test_a_joint_between_two_robots_is_named_as_lost(two_robots: tuple[Path, Path]) -> None:
    joint = bpy.data.objects.new("Between", None)
    bpy.context.collection.objects.link(joint)
    joint.parent = of_prim("/W/Tool")
    joint.omi_joint.enabled = True
    joint.omi_joint.connected_object = of_prim(ARM)
    bpy.context.view_layer.update()
    activate(of_prim(ARM))
    assert export(two_robots[0]) == {}
    lost = [line.place for line in bpy.context.scene.omi_report.lines if line.kind == "changed"]
    assert lost == ["Between"]


def lost() -> list[tuple[str, str]]:
    """Return places and texts of what the report names as lost."""
    lines = bpy.context.scene.omi_report.lines
    return [(line.place, line.text) for line in lines if line.kind == "changed"]


@pytest.mark.parametrize("is_linked", [False, True])
def test_edits_are_opinions_where_another_scene_has_what_was_imported(
    robot: Path, is_linked: bool
) -> None:
    parts = bpy.data.collections.new("Parts")
    for obj in bpy.context.scene.objects:
        parts.objects.link(obj)
    bpy.context.scene.collection.children.link(parts)
    into_another_scene(robot, "collections", parts.name, is_linked=is_linked)
    assert export(robot) == {}
    set_mass(ARM, 5.3)
    (limit,) = [each for each in of_joint(HINGE).omi_joint.limits if each.min != each.max]
    limit.max = math.radians(85.0)
    assert export(robot) == {
        f"{HINGE}.physics:upperLimit": pytest.approx(170.0, abs=1e-4),
        f"{ARM}.physics:mass": pytest.approx(5.3),
    }


def into_another_scene(path: Path, kind: str, name: str, *, is_linked: bool = False) -> None:
    """Save the file, and have one thing of it in a new one, overridden where it is linked."""
    blend = str(path.with_suffix(".blend"))
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(blend, link=is_linked) as (_there, here):
        setattr(here, kind, [name])
    (found,) = getattr(here, kind)
    scene, view = bpy.context.scene, bpy.context.view_layer
    children = scene.collection.children if kind == "collections" else scene.collection.objects
    children.link(found)
    if is_linked:
        found.override_hierarchy_create(scene, view, do_fully_editable=True)
        children.unlink(found)
    view.update()


def test_a_part_of_a_robot_in_another_scene_leaves_the_rest(robot: Path) -> None:
    into_another_scene(robot, "objects", of_prim(ARM).name)
    set_mass(ARM, 5.3)
    assert export(robot) == {f"{ARM}.physics:mass": pytest.approx(5.3)}


@pytest.mark.parametrize("unit", ["metersPerUnit = 1", "metersPerUnit = 0.01"])
@pytest.mark.parametrize("noun", NOUNS)
def test_nothing_is_said_and_named_of_a_stage_that_nobody_edited(
    tmp_path: Path, noun: str, unit: str
) -> None:
    text = NOUNS[noun].stage().replace("metersPerUnit = 1", unit)
    path = imported(tmp_path / "noun.usda", text)
    assert (export(path), lost()) == ({}, [])


BOXES = """#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "World"
{
    def PhysicsScene "Physics"
    {
        vector3f physics:gravityDirection = (0, 0, -1)
        float physics:gravityMagnitude = 9.81
    }
    def Xform "robot"
    {
        double3 xformOp:translate = (0.5, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Xform "body" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
        {
            def Cube "low" (prepend apiSchemas = ["PhysicsCollisionAPI"])
            {
                double size = 0.2
                double3 xformOp:translate = (0, 0, 1)
                float3 xformOp:scale = (1, 1, 0.5)
                uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
            }
            def Capsule "high" (prepend apiSchemas = ["PhysicsCollisionAPI"])
            {
                uniform token axis = "X"
                double height = 0.4
                double radius = 0.03
                double3 xformOp:translate = (0, 0, 2)
                uniform token[] xformOpOrder = ["xformOp:translate"]
            }
        }
    }
}
"""


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    path = imported(tmp_path / "boxes.usda", BOXES)
    assert (export(path), lost()) == ({}, [])
    return path


def test_a_moved_group_is_an_opinion(boxes: Path) -> None:
    bpy.data.objects["robot"].location.x += 1.0
    assert export(boxes) == {"/World/robot.xformOp:translate": pytest.approx((1.5, 0.0, 0.0))}
    assert lost() == []


def test_a_moved_collider_is_an_opinion(boxes: Path) -> None:
    bpy.data.objects["high"].location.z += 0.25
    found = export(boxes)
    assert found == {"/World/robot/body/high.xformOp:translate": pytest.approx((0.0, 0.0, 2.25))}
    assert lost() == []


def scale_collider() -> None:
    bpy.data.objects["low"].scale *= 2.0


def remove_collider() -> None:
    bpy.data.objects.remove(bpy.data.objects["high"])


def change_friction() -> None:
    low = bpy.data.objects["low"]
    low.omi_body.collider.material.use_material = True
    low.omi_body.collider.material.static_friction = 0.9


def test_gravity_is_an_opinion(boxes: Path) -> None:
    bpy.context.scene.gravity.z = -3.0
    assert export(boxes) == {"/World/Physics.physics:gravityMagnitude": pytest.approx(3.0)}
    assert lost() == []


def test_gravity_of_another_stage_is_none_of_this_one(boxes: Path) -> None:
    moon = boxes.with_name("moon.usda")
    moon.write_text(BOXES.replace("= 9.81", "= 1.62"))
    assert bpy.ops.wm.usd_import(filepath=str(moon)) == {"FINISHED"}
    first, second = (
        next(obj for obj in bpy.data.objects if usd_origin(obj).file == str(path))
        for path in (boxes, moon)
    )
    activate(first)
    assert export(boxes) == {}
    assert lost() == [("", "it is that of another stage; write the whole stage")]
    activate(second)
    bpy.context.scene.gravity.z = -3.7
    assert export(moon) == {"/World/Physics.physics:gravityMagnitude": pytest.approx(3.7)}


LOW, HIGH = "/World/robot/body/low", "/World/robot/body/high"
MASS = {
    "/World/robot/body apiSchemas",
    *(f"/World/robot/body.physics:{n}" for n in ("mass", "centerOfMass")),
}


def test_edited_colliders_are_opinions(boxes: Path) -> None:
    scale_collider()
    bpy.context.view_layer.update()
    found = export(boxes)
    assert found.keys() - MASS == {f"{LOW}.size"}
    assert found[f"{LOW}.size"] == pytest.approx(0.4, rel=1e-5)
    remove_collider()
    bpy.context.view_layer.update()
    found = export(boxes)
    assert found.keys() - MASS == {f"{LOW}.size", f"{HIGH} active"}
    assert lost() == []


def test_an_edited_material_of_a_collider_is_bound(boxes: Path) -> None:
    change_friction()
    bpy.context.view_layer.update()
    found = export(boxes)
    assert lost() == []
    (path,) = found[f"{LOW}.material:binding:physics"]
    assert found[f"{path}.physics:staticFriction"] == pytest.approx(0.9)


def test_a_new_collider_of_an_object_is_an_opinion(boxes: Path) -> None:
    """What was no body and had no shape gets both."""
    box = bpy.data.objects["low"].copy()
    bpy.context.scene.collection.objects.link(box)
    box.name = "extra"
    box.location.z += 3.0
    bpy.context.view_layer.update()
    found = export(boxes)
    assert lost() == []
    types = {name: kind for name, kind in found.items() if name.endswith(" typeName")}
    assert "Cube" in types.values()
