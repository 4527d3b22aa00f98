"""Fixes in Blender: each ends its finding and leaves the joint in place."""

import ctypes
from typing import Any

import bpy
import pytest
from mathutils import Matrix

from omi_joints_addon.authoring.frames import place_under
from omi_joints_addon.cli.rule_list import all_rules
from omi_joints_addon.core.findings.finding import rules
from omi_joints_addon.core.findings.titles import TITLES, title
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from tests.blender.check_scenes import LOCKED, codes_now, findings_now, press_fix, set_settings
from tests.blender.scenes import add_cube, add_door, rows, select


def _unconnect(_wall: Any, _door: Any, joint: Any) -> None:
    joint.omi_joint.connected_object = None


def _free_end(_wall: Any, _door: Any, joint: Any) -> None:
    end = joint.omi_joint.connected_object
    world = end.matrix_world.copy()
    end.parent = None
    end.matrix_world = world


def _static(_wall: Any, door: Any, joint: Any) -> None:
    joint.parent.omi_body.motion_type = "STATIC"


def _nested(_wall: Any, _door: Any, joint: Any) -> None:
    middle = bpy.data.objects.new("Middle", None)
    bpy.context.collection.objects.link(middle)
    middle.parent = joint.parent
    joint.parent = middle


def _duplicate(_wall: Any, _door: Any, joint: Any) -> None:
    bpy.context.collection.objects.link(joint.copy())


def _scaled(_wall: Any, _door: Any, joint: Any) -> None:
    set_settings(joint, JointLimit(linear_axes=(0,), min=-0.2, max=0.3))
    joint.scale = (2.0, 1.0, 1.0)


def _apart(_wall: Any, _door: Any, joint: Any) -> None:
    joint.omi_joint.connected_object.location.z += 0.5


def _with(*limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> Any:
    return lambda _wall, _door, joint: set_settings(joint, *limits, drives=drives)


def _bodiless(_wall: Any, door: Any, joint: Any) -> None:
    world = joint.matrix_world.copy()
    bpy.data.objects.remove(joint.parent)
    joint.matrix_world = world


def _shapeless(_wall: Any, door: Any, _joint: Any) -> None:
    door.omi_body.collider.source = "NONE"


def _beside(_wall: Any, door: Any, _joint: Any) -> None:
    door.omi_body.collider.shape.type = "BOX"
    door.omi_body.collider.shape.size = (0.3, 1.1, 0.7)


def _copied(_wall: Any, door: Any, _joint: Any) -> None:
    select(door)
    bpy.ops.object.duplicate()
    bpy.context.object.location.z += 3.0


def _flat(_wall: Any, door: Any, _joint: Any) -> None:
    door.omi_body.inertia_diagonal = (0.3, 0.4, 1.9)


def _still(wall: Any, _door: Any, _joint: Any) -> None:
    wall.omi_body.motion_type = "STATIC"
    wall.omi_body.collider.source = "NONE"


def _uneven(_wall: Any, door: Any, _joint: Any) -> None:
    door.omi_body.collider.shape.type = "SPHERE"
    door.omi_body.collider.shape.radius = 1.7
    door.scale = (1.3, 1.0, 0.7)


def _oblique(_wall: Any, door: Any, joint: Any) -> None:
    body = joint.parent
    world = joint.matrix_world @ Matrix.Rotation(0.7, 4, "X")
    body.scale = (1.3, 0.6, 1.0)
    bpy.context.view_layer.update()
    for frame in (joint, joint.omi_joint.connected_object):
        place_under(frame, frame.parent, world)


SPRING = JointDrive(type="angular", axis=2, position_target=2.0, stiffness=1.0, damping=1.0)
BREAKS = {
    "OMI-B015": _flat,
    "OMI-B069": _still,
    "OMI-J025": _copied,
    "OMI-S005": _uneven,
    "OMI-S008": _beside,
    "OMI-B016": _shapeless,
    "OMI-J306": _oblique,
    "OMI-J001": _unconnect,
    "OMI-J006": _free_end,
    "OMI-J007": _static,
    "OMI-J010": _nested,
    "OMI-J101": _with(LOCKED, JointLimit(min=0.0, max=1.0)),
    "OMI-J102": _with(LOCKED, JointLimit(angular_axes=(0,))),
    "OMI-J103": _with(LOCKED, JointLimit(angular_axes=(0,), min=1.0, max=-1.0)),
    "OMI-J104": _with(JointLimit(linear_axes=(0, 1), min=-1.0, max=1.0)),
    "OMI-J106": _with(LOCKED, JointLimit(angular_axes=(0, 1), min=0.0, max=4.0)),
    "OMI-J107": _with(
        JointLimit(linear_axes=(0,), min=-1.0, max=0.0),
        JointLimit(linear_axes=(0,), min=0.0005, max=1.0),
    ),
    "OMI-J201": _with(LOCKED, drives=(JointDrive(damping=1.0, axis=2),)),
    "OMI-J204": _with(LOCKED, drives=(SPRING, SPRING)),
    "OMI-J205": _with(JointLimit(angular_axes=(2,), min=-1.0, max=1.0), drives=(SPRING,)),
    "OMI-J206": _with(LOCKED, drives=(JointDrive(velocity_target=1.0, damping=1.0),)),
    "OMI-J301": _scaled,
    "OMI-J303": _apart,
    "OMI-J305": _with(LOCKED, JointLimit(angular_axes=(2,), min=0.3, max=1.0)),
}


@pytest.mark.parametrize("code", BREAKS)
def test_fix_ends_its_finding(code: str) -> None:
    wall, door, joint = add_door()
    assert code not in codes_now()
    BREAKS[code](wall, door, joint)
    assert codes_now().count(code) == 1
    place = (
        rows(joint.matrix_world.to_quaternion().to_matrix()),
        list(joint.matrix_world.translation),
    )
    assert press_fix(code) == {"FINISHED"}
    assert code not in codes_now()
    after = (
        rows(joint.matrix_world.to_quaternion().to_matrix()),
        list(joint.matrix_world.translation),
    )
    assert after[1] == pytest.approx(place[1], abs=1e-5)
    for row, other in zip(after[0], place[0], strict=True):
        assert row == pytest.approx(other, abs=1e-5)


def _other_way_round(_wall: Any, _door: Any, joint: Any) -> None:
    joint.parent.omi_body.motion_type = "STATIC"
    joint.omi_joint.connected_object.parent.omi_body.motion_type = "DYNAMIC"


def _trigger(_wall: Any, _door: Any, joint: Any) -> None:
    body = joint.omi_joint.connected_object.parent.omi_body
    body.motion_type, body.trigger.enabled = "NONE", True
    body.trigger.shape.type = "BOX"


def _sheared(_wall: Any, _door: Any, joint: Any) -> None:
    joint.parent.scale.x = 3.0
    joint.rotation_euler.z += 0.7


MOVERS = {"OMI-J005": _other_way_round, "OMI-J008": _trigger, "OMI-J302": _sheared}


@pytest.mark.parametrize("code", MOVERS)
def test_fix_ends_its_finding_wherever_the_frame_is(code: str) -> None:
    MOVERS[code](*add_door())
    assert codes_now().count(code) == 1
    assert press_fix(code) == {"FINISHED"}
    assert code not in codes_now()


REMOVALS = {"OMI-J013": _duplicate, "OMI-J016": _bodiless}


@pytest.mark.parametrize("code", REMOVALS)
def test_fix_removes_the_joint_with_its_frames(code: str) -> None:
    wall, door, joint = add_door()
    REMOVALS[code](wall, door, joint)
    before = codes_now()
    assert before.count(code) == 1
    count = sum(obj.omi_joint.enabled for obj in bpy.context.scene.objects)
    assert press_fix(code) == {"FINISHED"}
    assert code not in codes_now()
    left = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    assert len(left) == count - 1
    assert len([obj for obj in bpy.context.scene.objects if obj.type == "EMPTY"]) == 2 * len(left)


def test_rest_pose_is_included_by_no_more_than_it_takes() -> None:
    _, _, joint = add_door()
    joint.omi_joint.connected_object.location.x += 0.25
    set_settings(joint, JointLimit(linear_axes=(0,), min=1.0, max=2.0))
    bpy.context.view_layer.update()
    assert press_fix("OMI-J305") == {"FINISHED"}
    (limit,) = joint.omi_joint.settings_to_core().limits
    assert (limit.min, limit.max) == (pytest.approx(0.25, abs=1e-5), 2.0)


ELSEWHERE = {"OMI-J022"}
"""Tested in `test_frames_left_behind.py`."""


def test_every_fix_is_tested() -> None:
    fixable = {code for code, rule in rules().items() if rule.fix}
    assert fixable == BREAKS.keys() | MOVERS.keys() | REMOVALS.keys() | ELSEWHERE


@pytest.mark.parametrize("code", BREAKS)
def test_undo_step_is_named_after_the_fix(code: str, capfd: pytest.CaptureFixture[str]) -> None:
    BREAKS[code](*add_door())
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Break")
    assert press_fix(code) == {"FINISHED"}
    capfd.readouterr()
    bpy.context.window_manager.print_undo_steps()
    ctypes.CDLL(None).fflush(None)
    last = capfd.readouterr().out.strip().splitlines()[-1]
    assert last.endswith(f"name='{rules()[code].fix.label}'"), last


def test_fix_is_one_undo_step() -> None:
    _, _, joint = add_door()
    name = joint.name
    _scaled(None, None, joint)
    bpy.ops.ed.undo_push(message="Scale")
    assert press_fix("OMI-J301") == {"FINISHED"}
    assert "OMI-J301" not in codes_now()
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].scale[0] == 2.0
    assert "OMI-J301" in codes_now()


def test_safe_fixes_leave_what_needs_thought() -> None:
    _, _, joint = add_door()
    limits = (LOCKED, JointLimit(min=0.0), JointLimit(angular_axes=(0,)))
    set_settings(joint, *limits, drives=(JointDrive(axis=0), SPRING))
    _apart(None, None, joint)
    joint.scale = (2.0, 1.0, 1.0)
    assert bpy.ops.omi.check_fix_safe() == {"FINISHED"}
    assert set(codes_now()) == {"OMI-J303"}
    assert joint.omi_joint.settings_to_core() == JointSettings(limits=(LOCKED,), drives=(SPRING,))
    assert bpy.ops.omi.check_fix_safe() == {"CANCELLED"}


def test_fix_of_what_is_gone_is_an_error() -> None:
    _, _, joint = add_door()
    with pytest.raises(RuntimeError, match="no longer exists"):
        bpy.ops.omi.check_fix_remove_limit(code="OMI-J101", place=joint.name, part="/limits/9")
    for code in ("OMI-J999", "OMI-J001"):
        with pytest.raises(RuntimeError, match="is not the fix of"):
            bpy.ops.omi.check_fix_swap_bounds(code=code, place=joint.name)


@pytest.mark.parametrize("engine", ["ANY", "GODOT", "PHYSX", "BULLET"])
def test_portable_hinge_turns_both_frames_in_place(engine: str) -> None:
    _, _, joint = add_door()
    set_settings(
        joint,
        LOCKED,
        JointLimit(angular_axes=(0, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(1,), max=1.0),
    )
    end = joint.omi_joint.connected_object
    select(joint)
    world = joint.matrix_world.copy()
    assert bpy.ops.omi.joint_portable_make(engine=engine) == {"FINISHED"}
    bpy.context.view_layer.update()
    axis = 1 if engine == "PHYSX" else 2  # UsdPhysics names the axis of a hinge
    hinge = joint.omi_joint.limits[2]
    assert [bool(flag) for flag in hinge.angular_axes] == [n == axis for n in range(3)]
    assert list(joint.matrix_world.col[axis]) == pytest.approx(list(world.col[1]), abs=1e-6)
    assert list(joint.matrix_world.translation) == pytest.approx(list(world.translation), abs=1e-6)
    assert rows(end.matrix_world)[0] == pytest.approx(rows(joint.matrix_world)[0], abs=1e-5)
    assert findings_now() == []
    done = rows(joint.matrix_world), joint.omi_joint.settings_to_core()
    assert bpy.ops.omi.joint_portable_make(engine=engine) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert (rows(joint.matrix_world), joint.omi_joint.settings_to_core()) == done


def test_a_body_that_a_fix_makes_has_a_shape() -> None:
    _wall, _door, joint = add_door()
    other = add_cube("Other", (0.0, 7.0, 0.0))
    joint.omi_joint.connected_object = other
    bpy.context.view_layer.update()
    press_fix("OMI-J006")
    assert other.omi_body.motion_type == "STATIC"
    assert other.omi_body.collider.source == "CUSTOM"


def test_one_click_fixes_all_of_a_rule() -> None:
    """Eighteen bodies with moments that no body has, and another finding that stays."""
    cubes = [add_cube(f"Cube {number}", (3.0 * number, 0, 0)) for number in range(18)]
    for cube in cubes:
        select(cube)
        bpy.ops.omi.body_add(motion_type="DYNAMIC")
        cube.omi_body.inertia_diagonal = (0.3, 0.4, 1.9)
    cubes[0].omi_body.mass = 0.0
    assert codes_now().count("OMI-B015") == 18
    undone = bpy.ops.omi.check_fix_inertia_from_shape("EXEC_DEFAULT", True, code="OMI-B015")
    assert undone == {"FINISHED"}
    assert codes_now() == ["OMI-B014"]
    with pytest.raises(RuntimeError, match="is not the fix of"):
        bpy.ops.omi.check_fix_inertia_from_shape(code="OMI-B014")


def test_every_rule_of_scenes_has_a_short_title() -> None:
    all_rules()
    of_joints = {code for code in rules() if "OMI-J0" <= code < "OMI-J4"}
    assert of_joints <= set(TITLES), of_joints - set(TITLES)
    assert set(TITLES) <= set(rules())
    assert all(len(words.split()) <= 5 for words in TITLES.values())
    assert all(0 < len(title(each)) <= 22 for each in rules().values())
