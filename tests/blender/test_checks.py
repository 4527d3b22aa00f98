"""Findings in Blender: kept while nothing changes, renewed where something does, shown."""

from collections import Counter
from itertools import chain
from random import Random
from time import perf_counter
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.core.findings.finding import Severity
from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.scene.checks import LiveChecks
from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.partial import live_to_core
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.watch import WATCH, live_scene
from omi_joints_addon.scene.work import SLICE
from tests.blender.check_scenes import LOCKED, codes_now, findings_now, set_settings
from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_door, add_rope, select
from tests.whole_check import scene_findings, shown_findings


def test_a_collision_system_without_a_name_is_found_as_in_files() -> None:
    _, door, _ = add_door()
    child = bpy.data.objects.new("Collider", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = door
    assert "OMI-J450" not in codes_now()
    for obj, part in ((child, child.omi_body.collider), (door, door.omi_body.trigger)):
        part.collision_filter.use_filter = True
        part.collision_filter.systems.add()
        part.shape.type = "SPHERE"
        obj.update_tag()
    child.omi_body.collider.source = "CUSTOM"
    door.omi_body.trigger.enabled = True
    found = [item for item in findings_now() if item.code == "OMI-J450"]
    assert sorted(item.place for item in found) == ["Collider", "Door"]
    assert len([item for item in scene_to_core(bpy.context.scene)[1] if item in found]) == 2
    child.omi_body.collider.collision_filter.systems[0].system = "doors"
    child.update_tag()
    assert [item.place for item in findings_now() if item.code == "OMI-J450"] == ["Door"]


def test_going_to_a_finding_selects_its_object() -> None:
    wall, _, joint = add_door()
    select(wall)
    assert bpy.ops.omi.check_select(code="OMI-J001", place=joint.name) == {"FINISHED"}
    assert bpy.context.selected_objects == [joint]
    with pytest.raises(RuntimeError, match="does not exist"):
        bpy.ops.omi.check_select(code="OMI-J001", place="Nobody")


def test_findings_are_kept_while_nothing_changes() -> None:
    add_door()
    assert findings_now() == []
    assert findings_now() is findings_now()


def test_only_the_changed_object_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from omi_joints_addon.scene import live as live_module

    _, _, joint = add_door()
    assert findings_now() == []
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
    assert [found.code for found in checks.listing.findings] == ["OMI-J303"]
    assert set(read) == {joint.name}


def _edit(random: Random) -> None:
    """Change something that checks look at, in one of many ways."""
    objects = list(bpy.context.scene.objects)
    joints = [obj for obj in objects if obj.omi_joint.enabled]
    obj, joint = random.choice(objects), random.choice(joints or objects)
    collider, trigger = obj.omi_body.collider, obj.omi_body.trigger
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
        lambda: set_settings(joint, LOCKED, JointLimit(angular_axes=(2,), min=-1.0, max=1.0)),
        lambda: setattr(trigger, "enabled", random.random() < 0.5),
        lambda: setattr(obj.omi_body, "articulation", random.random() < 0.5),
        lambda: setattr(collider, "source", random.choice(("AUTO", "CUSTOM"))),
        lambda: setattr(collider.shape, "type", random.choice(("BOX", "CAPSULE"))),
        lambda: setattr(collider.shape, "radius_top", random.choice((0.5, 0.25))),
        lambda: setattr(collider.material, "use_material", random.random() < 0.7),
        lambda: setattr(collider.material, "restitution", random.choice((0.0, 0.4))),
        lambda: setattr(collider.collision_filter, "use_filter", random.random() < 0.5),
        lambda: setattr(trigger.shape, "type", random.choice(("NONE", "BOX"))),
        lambda: setattr(trigger.shape, "offset", (0.0, random.choice((0.0, 0.3)), 0.0)),
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


def _check_a_bit(random: Random) -> None:
    """Take some steps of the checks, which the next edit may cut short anywhere."""
    for _ in range(random.choice((0, 1, 2, 3, 5, 8, 13, 21))):
        live_scene(bpy.context.scene)
        WATCH.checks(bpy.context.scene).work(0.0)


@pytest.mark.parametrize("seed", range(8))
def test_live_findings_equal_those_of_the_whole_scene_after_any_edits(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omi_joints_addon.scene.checks._MANY", (1, 2, 1000)[seed % 3])
    random = Random(seed)
    scene = bpy.context.scene
    options = scene.omi_checks
    options.use_engine, options.show_info = seed % 2 == 0, True
    for _ in range(3):
        add_door()
    for _ in range(40):
        for _ in range(random.randrange(1, 4)):
            _edit(random)
            _check_a_bit(random)
        expected = list(map(str, scene_findings(scene)))
        if random.random() < 0.5:
            live_scene(scene).suspect_all()
            while not WATCH.work(perf_counter() + SLICE):
                pass
            assert sorted(map(str, WATCH.checks(scene).listing.findings)) == sorted(expected)
        assert sorted(map(str, settled_findings(scene))) == sorted(expected)
        if options.use_engine:
            options.engine = random.choice(("GODOT", "PHYSX", options.engine))
            expected += map(str, options.target().check(scene_to_core(scene)[0]))
        assert sorted(map(str, shown_findings(scene))) == sorted(expected)


def test_a_shape_that_files_have_below_a_joint_is_found_live() -> None:
    _, door, _ = add_door()
    door.omi_joint.enabled = True
    door.omi_body.collider.shape.offset = (0.0, 0.3, 0.0)
    assert sorted(map(str, findings_now())) == sorted(map(str, scene_findings(bpy.context.scene)))
    assert "OMI-B016" not in codes_now()


@pytest.mark.parametrize("source", ["AUTO", "CUSTOM"])
def test_engines_are_checked_again_for_an_edited_surface(source: str) -> None:
    _, door, _ = add_door()
    select(door)
    bpy.ops.rigidbody.object_add()
    door.omi_body.collider.source = source
    scene = bpy.context.scene
    scene.omi_checks.use_engine, scene.omi_checks.engine = True, "GODOT"

    def shown() -> list[str]:
        bpy.context.view_layer.update()
        found = map(str, shown_findings(scene))
        return [item for item in found if "Door:" in item and "friction" in item]

    before = shown()
    door.rigid_body.friction = 0.83
    door.omi_body.collider.material.use_material = True
    door.omi_body.collider.material.dynamic_friction = 0.83
    assert shown() != before
    assert any("0.83" in item for item in shown())


def test_joints_that_share_settings_are_deleted_one_after_the_other() -> None:
    _, _, owner = add_door()
    _, _, user = add_door()
    user.omi_joint.settings_source = owner
    settled_findings(bpy.context.scene)
    for joint in (user, owner):
        bpy.data.objects.remove(joint)
        bpy.context.view_layer.update()
        assert not [item for item in settled_findings(bpy.context.scene) if "Joint" in item.place]


def test_object_that_is_removed_before_blender_tells_of_it() -> None:
    """A panel may be drawn, and a timer may read, between a script's call and Blender's word."""
    wall, door, joint = add_door()
    live = WATCH.settled(bpy.context.scene)
    assert live.is_current
    joint.omi_joint.limits[0].min = 5.0
    select(door)
    bpy.data.objects.remove(joint)
    scene = live_scene(bpy.context.scene)
    assert [obj.name for obj in scene.nodes.objects] == [
        obj.name for obj in bpy.context.scene.objects
    ]
    assert len(live_to_core(scene).joints) == 0
    assert wall.name in live_to_core(scene).names


def test_filter_hides_severities() -> None:
    _, _, joint = add_door()
    joint.omi_joint.connected_object = None
    set_settings(joint, JointLimit(angular_axes=(0,)))
    assert len(findings_now()) == 3
    scene = bpy.context.scene
    shown = [found.code for found in shown_findings(scene)]
    assert shown[0] == "OMI-J001"
    assert sorted(shown[1:]) == ["OMI-J022", "OMI-J102"]
    scene.omi_checks.show_error = False
    assert [found.code for found in shown_findings(scene)] == shown[1:]


def test_panels_draw_findings_fixes_and_the_engine_report() -> None:
    _, _, joint = add_door()
    joint.omi_joint.connected_object = None
    set_settings(joint, LOCKED, JointLimit(angular_axes=(0,)))
    assert len(findings_now()) == 3
    calls = drawn(bpy.types.OMI_PT_checks)
    operators = [name for kind, name in calls if kind == "operator"]
    # A row for each rule with its fix, and below the chosen one with a way to its object.
    assert all(name.startswith("omi.check_fix_") for name in operators[:3])
    assert operators[3:5] == ["omi.check_fix_safe", "omi.check_select"]
    text = " ".join(name for kind, name in calls if kind == "label")
    assert "The joint has no connected object" in text
    bpy.context.scene.omi_checks.engine = "GODOT"
    calls = drawn(bpy.types.OMI_PT_checks)
    assert ("label", "Becomes PinJoint3D") not in calls
    assert ("label", "Becomes Generic6DOFJoint3D") in calls
    assert ("operator", "omi.joint_portable_make") in calls


def test_panel_without_findings_says_so() -> None:
    add_door()
    assert findings_now() == []
    assert ("label", "No problems found") in drawn(bpy.types.OMI_PT_checks)


def test_a_listing_sorts_and_counts_all_findings() -> None:
    joints = add_rope(40)
    for joint in joints[::2]:
        joint.omi_joint.connected_object = None
    joints[1].omi_joint.limits[0].damping = -1.0
    scene = bpy.context.scene
    listing = WATCH.settled(scene).listing
    found = settled_findings(scene)
    assert listing.findings == found
    assert listing.counts == Counter(item.severity for item in found)
    every = listing.by_rule(frozenset(Severity))
    assert every == {rule: [item for item in found if item.rule == rule] for rule in every}
    assert sum(map(len, every.values())) == len(found)
    severities = [rule.severity for rule in every]
    assert len({*severities}) > 1
    assert severities == [each for each in Severity for it in severities if it == each]
    for severity in Severity:
        of_one = [item for item in found if item.severity == severity]
        shown = listing.by_rule(frozenset({severity}))
        assert shown == {rule: each for rule, each in every.items() if rule.severity == severity}
        assert listing.has_safe_fix(frozenset({severity})) == any(f.rule.is_safe for f in of_one)


def test_engine_chosen_while_another_one_is_asked_is_asked_itself() -> None:
    joints = add_rope(6)
    for joint in joints:
        set_settings(joint, LOCKED, JointLimit(angular_axes=(0,), min=-1.0, max=1.0, damping=1.0))
    scene = bpy.context.scene
    core = scene_to_core(scene)[0]
    checks = LiveChecks(live_scene(scene))
    checks.work()
    godot, jolt = (ENGINES[name] for name in ("godot", "jolt"))
    assert list(map(str, godot.check(core))) != list(map(str, jolt.check(core)))
    checks.choose_engine(godot)
    turns = 0
    while not checks.is_current:
        checks.work(0.0)
        turns += 1
    for cut in range(turns):
        checks.choose_engine(godot)
        for _ in range(cut):
            checks.work(0.0)
        checks.choose_engine(jolt)
        while not checks.is_current:
            checks.work(0.0)
        lost = chain.from_iterable(checks.listing.by_rule(frozenset(Severity)).values())
        assert Counter(map(str, lost)) == Counter(
            map(str, [*checks.listing.findings, *jolt.check(core)])
        )
