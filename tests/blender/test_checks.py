"""Checks and their fixes in Blender: each fix ends its finding and leaves the joint in place."""

import ctypes
from random import Random
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.findings.finding import rules
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.scene.findings import scene_findings, settled_findings, shown_findings
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.watch import WATCH, live_scene
from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_door, rows, select

LOCKED = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)


def _found() -> list[Any]:
    """Return the findings."""
    bpy.context.view_layer.update()
    return settled_findings(bpy.context.scene)


def _codes() -> list[str]:
    return [found.code for found in _found()]


def _fix(code: str) -> set[str]:
    (found,) = [item for item in _found() if item.code == code]
    operator = getattr(bpy.ops.omi, f"check_fix_{found.rule.fix}")
    return operator("EXEC_DEFAULT", True, code=found.code, place=found.place, part=found.part)


def _settings(joint: Any, *limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> None:
    joint.omi_joint.settings_from_core(JointSettings(limits=limits, drives=drives))


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
    joint.scale = (2.0, 1.0, 1.0)


def _apart(_wall: Any, _door: Any, joint: Any) -> None:
    joint.omi_joint.connected_object.location.z += 0.5


def _with(*limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> Any:
    return lambda _wall, _door, joint: _settings(joint, *limits, drives=drives)


def _bodiless(_wall: Any, door: Any, joint: Any) -> None:
    world = joint.matrix_world.copy()
    bpy.data.objects.remove(joint.parent)
    joint.matrix_world = world


SPRING = JointDrive(type="angular", axis=2, position_target=2.0, stiffness=1.0, damping=1.0)
BREAKS = {
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
    assert code not in _codes()
    BREAKS[code](wall, door, joint)
    assert _codes().count(code) == 1
    place = (
        rows(joint.matrix_world.to_quaternion().to_matrix()),
        list(joint.matrix_world.translation),
    )
    assert _fix(code) == {"FINISHED"}
    assert code not in _codes()
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
    assert _codes().count(code) == 1
    assert _fix(code) == {"FINISHED"}
    assert code not in _codes()


REMOVALS = {"OMI-J013": _duplicate, "OMI-J016": _bodiless}


@pytest.mark.parametrize("code", REMOVALS)
def test_fix_removes_the_joint_with_its_frames(code: str) -> None:
    wall, door, joint = add_door()
    REMOVALS[code](wall, door, joint)
    before = _codes()
    assert before.count(code) == 1
    count = sum(obj.omi_joint.enabled for obj in bpy.context.scene.objects)
    assert _fix(code) == {"FINISHED"}
    assert code not in _codes()
    left = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    assert len(left) == count - 1
    assert len([obj for obj in bpy.context.scene.objects if obj.type == "EMPTY"]) == 2 * len(left)


def test_rest_pose_is_included_by_no_more_than_it_takes() -> None:
    _, _, joint = add_door()
    joint.omi_joint.connected_object.location.x += 0.25
    _settings(joint, JointLimit(linear_axes=(0,), min=1.0, max=2.0))
    bpy.context.view_layer.update()
    assert _fix("OMI-J305") == {"FINISHED"}
    (limit,) = joint.omi_joint.settings_to_core().limits
    assert (limit.min, limit.max) == (pytest.approx(0.25, abs=1e-5), 2.0)


def test_a_collision_system_without_a_name_is_found_as_in_files() -> None:
    _, door, _ = add_door()
    child = bpy.data.objects.new("Collider", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = door
    assert "OMI-J450" not in _codes()
    for obj, part in ((child, child.omi_body.collider), (door, door.omi_body.trigger)):
        part.collision_filter.use_filter = True
        part.collision_filter.systems.add()
        part.shape.type = "SPHERE"
        obj.update_tag()
    child.omi_body.collider.source = "CUSTOM"
    door.omi_body.trigger.enabled = True
    found = [item for item in _found() if item.code == "OMI-J450"]
    assert sorted(item.place for item in found) == ["Collider", "Door"]
    assert len([item for item in scene_to_core(bpy.context.scene)[1] if item in found]) == 2
    child.omi_body.collider.collision_filter.systems[0].system = "doors"
    child.update_tag()
    assert [item.place for item in _found() if item.code == "OMI-J450"] == ["Door"]


def test_every_fix_is_tested() -> None:
    fixable = {code for code, rule in rules().items() if rule.fix}
    assert fixable == BREAKS.keys() | MOVERS.keys() | REMOVALS.keys()


@pytest.mark.parametrize("code", BREAKS)
def test_undo_step_is_named_after_the_fix(code: str, capfd: pytest.CaptureFixture[str]) -> None:
    BREAKS[code](*add_door())
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Break")
    assert _fix(code) == {"FINISHED"}
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
    assert _fix("OMI-J301") == {"FINISHED"}
    assert "OMI-J301" not in _codes()
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].scale[0] == 2.0
    assert "OMI-J301" in _codes()


def test_safe_fixes_leave_what_needs_thought() -> None:
    _, _, joint = add_door()
    limits = (LOCKED, JointLimit(min=0.0), JointLimit(angular_axes=(0,)))
    _settings(joint, *limits, drives=(JointDrive(axis=0), SPRING))
    _apart(None, None, joint)
    _scaled(None, None, joint)
    assert bpy.ops.omi.check_fix_safe() == {"FINISHED"}
    assert set(_codes()) == {"OMI-J303"}
    assert joint.omi_joint.settings_to_core() == JointSettings(limits=(LOCKED,), drives=(SPRING,))
    assert bpy.ops.omi.check_fix_safe() == {"CANCELLED"}


def test_going_to_a_finding_selects_its_object() -> None:
    wall, _, joint = add_door()
    select(wall)
    assert bpy.ops.omi.check_select(code="OMI-J001", place=joint.name) == {"FINISHED"}
    assert bpy.context.selected_objects == [joint]
    with pytest.raises(RuntimeError, match="does not exist"):
        bpy.ops.omi.check_select(code="OMI-J001", place="Nobody")


def test_fix_of_what_is_gone_is_an_error() -> None:
    _, _, joint = add_door()
    with pytest.raises(RuntimeError, match="no longer exists"):
        bpy.ops.omi.check_fix_remove_limit(code="OMI-J101", place=joint.name, part="/limits/9")
    for code in ("OMI-J999", "OMI-J001"):
        with pytest.raises(RuntimeError, match="is not the fix of"):
            bpy.ops.omi.check_fix_swap_bounds(code=code, place=joint.name)


def test_findings_are_kept_while_nothing_changes() -> None:
    add_door()
    assert _found() == []
    assert _found() is _found()


def test_only_the_changed_object_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from omi_joints_addon.scene import live as live_module

    _, _, joint = add_door()
    assert _found() == []
    bpy.context.view_layer.objects.active = None
    bpy.context.view_layer.update()
    monkeypatch.setattr(live_module, "GLANCES", 0)
    read: list[str] = []
    pose = live_module.LiveScene._read_pose
    monkeypatch.setattr(
        live_module.LiveScene,
        "_read_pose",
        lambda live, node, stamp: (read.append(live.records[node].name), pose(live, node, stamp)),
    )
    joint.location.x += 1.0
    bpy.context.view_layer.update()
    live_scene(bpy.context.scene)
    checks = WATCH.checks(bpy.context.scene)
    checks.work()
    assert [found.code for found in checks.findings] == ["OMI-J303"]
    assert set(read) == {joint.name}


def _edit(random: Random) -> None:
    """Change something that checks look at, in one of many ways."""
    objects = list(bpy.context.scene.objects)
    joints = [obj for obj in objects if obj.omi_joint.enabled]
    obj, joint = random.choice(objects), random.choice(joints or objects)
    edits = (
        lambda: setattr(obj, "location", [random.uniform(-2, 2) for _ in range(3)]),
        lambda: setattr(obj, "scale", (1.0, 1.0, random.choice((1.0, 2.0)))),
        lambda: setattr(joint.omi_joint, "connected_object", random.choice((*objects, None))),
        lambda: setattr(joint.omi_joint, "settings_source", random.choice((*joints, None))),
        lambda: setattr(joint.omi_joint, "enabled", False),
        lambda: setattr(obj.omi_joint, "enabled", True),
        lambda: setattr(obj.omi_body, "motion_type", random.choice(("NONE", "STATIC", "DYNAMIC"))),
        lambda: setattr(obj.omi_body, "mass", random.choice((0.0, 1.0, 100.0))),
        lambda: setattr(obj, "parent", _not_below(random.choice((*objects, None)), obj)),
        joint.omi_joint.limits.add,
        lambda: _settings(joint, LOCKED, JointLimit(angular_axes=(2,), min=-1.0, max=1.0)),
        lambda: setattr(obj.omi_body.trigger, "enabled", random.random() < 0.5),
        lambda: setattr(obj.omi_body, "articulation", random.random() < 0.5),
        lambda: setattr(obj.omi_body.collider, "source", random.choice(("AUTO", "CUSTOM"))),
        lambda: setattr(obj.omi_body.collider.shape, "type", random.choice(("BOX", "CAPSULE"))),
        lambda: setattr(obj.omi_body.collider.shape, "radius_top", random.choice((0.5, 0.25))),
        lambda: setattr(joint.omi_joint.attributes, "friction", random.choice((0.0, 1.0))),
        lambda: setattr(obj, "name", f"Name {random.randrange(100)}"),
        lambda: bpy.data.objects.remove(obj) if len(objects) > 6 else None,
        lambda: bpy.context.scene.collection.objects.link(bpy.data.objects.new("New", None)),
    )
    random.choice(edits)()
    bpy.context.view_layer.update()


def _not_below(parent: Any, obj: Any) -> Any:
    above = parent
    while above is not None and above != obj:
        above = above.parent
    return None if above == obj else parent


@pytest.mark.parametrize("seed", range(6))
def test_live_findings_equal_those_of_the_whole_scene_after_any_edits(seed: int) -> None:
    random = Random(seed)
    scene = bpy.context.scene
    options = scene.omi_checks
    options.use_engine, options.show_info = seed % 2 == 0, True
    for _ in range(3):
        add_door()
    for _ in range(40):
        _edit(random)
        expected = list(map(str, scene_findings(scene)))
        assert sorted(map(str, settled_findings(scene))) == sorted(expected)
        if options.use_engine:
            options.engine = random.choice(("GODOT", "PHYSX", options.engine))
            expected += map(str, options.target().check(scene_to_core(scene)[0]))
        assert sorted(map(str, shown_findings(scene))) == sorted(expected)


def test_joints_that_share_settings_are_deleted_one_after_the_other() -> None:
    _, _, owner = add_door()
    _, _, user = add_door()
    user.omi_joint.settings_source = owner
    settled_findings(bpy.context.scene)
    for joint in (user, owner):
        bpy.data.objects.remove(joint)
        bpy.context.view_layer.update()
        assert not [item for item in settled_findings(bpy.context.scene) if "Joint" in item.place]


def test_filter_hides_severities() -> None:
    _, _, joint = add_door()
    joint.omi_joint.connected_object = None
    _settings(joint, JointLimit(angular_axes=(0,)))
    assert len(_found()) == 2
    scene = bpy.context.scene
    assert [found.code for found in shown_findings(scene)] == ["OMI-J001", "OMI-J102"]
    scene.omi_checks.show_error = False
    assert [found.code for found in shown_findings(scene)] == ["OMI-J102"]


@pytest.mark.parametrize("engine", ["ANY", "GODOT", "PHYSX", "BULLET"])
def test_portable_hinge_turns_both_frames_in_place(engine: str) -> None:
    _, _, joint = add_door()
    _settings(
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
    axis = 0 if engine == "PHYSX" else 2
    hinge = joint.omi_joint.limits[2]
    assert [bool(flag) for flag in hinge.angular_axes] == [n == axis for n in range(3)]
    assert list(joint.matrix_world.col[axis]) == pytest.approx(list(world.col[1]), abs=1e-6)
    assert list(joint.matrix_world.translation) == pytest.approx(list(world.translation), abs=1e-6)
    assert rows(end.matrix_world)[0] == pytest.approx(rows(joint.matrix_world)[0], abs=1e-5)
    assert _found() == []
    done = rows(joint.matrix_world), joint.omi_joint.settings_to_core()
    assert bpy.ops.omi.joint_portable_make(engine=engine) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert (rows(joint.matrix_world), joint.omi_joint.settings_to_core()) == done


def test_panels_draw_findings_fixes_and_the_engine_report() -> None:
    _, _, joint = add_door()
    joint.omi_joint.connected_object = None
    _settings(joint, LOCKED, JointLimit(angular_axes=(0,)))
    assert len(_found()) == 2
    calls = drawn(bpy.types.OMI_PT_checks)
    operators = [name for kind, name in calls if kind == "operator"]
    assert operators[::2] == ["omi.check_select", "omi.check_select", "omi.check_fix_safe"]
    assert all(name.startswith("omi.check_fix_") for name in operators[1::2])
    text = " ".join(name for kind, name in calls if kind == "label")
    assert "The joint has no connected object" in text
    bpy.context.scene.omi_checks.engine = "GODOT"
    calls = drawn(bpy.types.OMI_PT_engine)
    assert ("label", "Becomes PinJoint3D") not in calls
    assert ("label", "Becomes Generic6DOFJoint3D") in calls
    assert ("operator", "omi.joint_portable_make") in calls


def test_panel_without_findings_says_so() -> None:
    add_door()
    assert _found() == []
    assert ("label", "Nothing to show") in drawn(bpy.types.OMI_PT_checks)
