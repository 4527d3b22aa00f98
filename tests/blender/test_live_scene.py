"""The live view of a scene: what it notices however much changes, and what views redraw."""

from functools import partial
from random import Random
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.scene import live as live_module
from omi_joints_addon.scene import pending, watch, work
from omi_joints_addon.scene.live import LiveScene
from omi_joints_addon.scene.partial import live_to_core
from omi_joints_addon.scene.reading import objects_to_core
from omi_joints_addon.scene.record import read_record
from omi_joints_addon.scene.watch import WATCH, live_scene
from omi_joints_addon.scene.work import WORK, Redraw, Work
from tests.blender.scenes import add_door, add_rope, select


def _poses(live: LiveScene) -> dict[str, np.ndarray]:
    """Return where the live scene has each object."""
    return {record.name: live.shown.poses[node] for node, record in enumerate(live.records)}


def _assert_complete(live: LiveScene) -> None:
    """Check the objects and their poses against the scene."""
    objects = bpy.context.scene.objects
    found = _poses(live)
    assert list(found) == [obj.name for obj in objects]
    for obj in objects:
        np.testing.assert_allclose(found[obj.name], np.array(obj.matrix_world), atol=1e-6)


def _now() -> LiveScene:
    """Return the live scene as a redraw gets it."""
    bpy.context.view_layer.update()
    return live_scene(bpy.context.scene)


@pytest.mark.parametrize("most", [1, 500], ids=["much", "little"])
def test_whatever_changes_is_seen_by_the_next_redraw(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "MOST", most)
    _, door, joint = add_door()
    _assert_complete(_now())
    door.location.x += 1.0
    _assert_complete(_now())
    new = bpy.data.objects.new("A New One", None)
    bpy.context.scene.collection.objects.link(new)
    _assert_complete(_now())
    select(joint)
    joint.parent = new
    live = _now()
    _assert_complete(live)
    assert (
        live.columns.parents[live.nodes.numbers[joint.session_uid]]
        == live.nodes.numbers[new.session_uid]
    )
    bpy.data.objects.remove(door)
    _assert_complete(_now())
    joint.omi_joint.limits.add()
    joint.update_tag()
    live = _now()
    assert live.records[live.nodes.numbers[joint.session_uid]].joint.settings == (
        joint.omi_joint.settings_to_core()
    )


def test_another_parent_is_seen_by_the_next_redraw_whatever_is_active() -> None:
    """Blender reports it as a move."""
    wall, door, joint = add_door()
    select(joint)
    live = _now()
    for parent in (wall, None):
        door.parent = parent
        _assert_complete(_now())
        found = live.columns.parents[live.nodes.numbers[door.session_uid]]
        assert found == (-1 if parent is None else live.nodes.numbers[wall.session_uid])


def test_what_changed_while_no_joint_was_there_is_read_with_the_first() -> None:
    scene = bpy.context.scene
    objects = [bpy.data.objects.new(name, None) for name in ("Moved", "Named", "Joint")]
    for obj in objects:
        scene.collection.objects.link(obj)
    live = _now()
    moved, named, joint = objects
    moved.location.x += 1.0
    named.name = "Renamed"
    live = _now()
    joint.omi_joint.enabled = True
    live.pending.add_objects([joint])
    live.settle(scene)
    _assert_complete(live)


def test_what_came_while_no_joint_was_there_is_listed() -> None:
    first = bpy.data.objects.new("First", None)
    bpy.context.scene.collection.objects.link(first)
    assert not _now().has_physics
    second = bpy.data.objects.new("Second", None)
    bpy.context.scene.collection.objects.link(second)
    _now()
    bpy.context.view_layer.objects.active = second
    second.omi_joint.enabled = True
    second.update_tag()
    live = _now()
    _assert_complete(live)
    assert live.records[live.nodes.numbers[second.session_uid]].is_joint


@pytest.mark.parametrize("most", [6, 200], ids=["many objects", "few objects"])
def test_what_an_operator_of_ours_changed_is_seen_by_the_next_redraw(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blender tells nobody of properties; of many objects the selected ones are read at once."""
    monkeypatch.setattr(watch, "_MOST_URGENT", most)
    joints = add_rope(12)
    chosen, others = joints[:6], joints[6:]
    select(*chosen)
    _now()
    _work()

    def dampings(some: list[Any]) -> list[float]:
        live = live_scene(bpy.context.scene)
        records = [live.records[live.nodes.numbers[joint.session_uid]] for joint in some]
        return [record.joint.settings.limits[0].damping for record in records]

    chosen[0].omi_joint.limits[0].damping = 7.0
    for joint in others:
        joint.omi_joint.limits[0].damping = 3.0
    assert bpy.ops.omi.joint_settings_copy("EXEC_DEFAULT", True) == {"FINISHED"}
    assert dampings(chosen) == [7.0] * 6
    if most == len(chosen):
        _work()
    assert dampings(others) == [3.0] * 6


def test_what_was_read_before_an_object_was_found_removed_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    objects = add_door()
    scene, live = bpy.context.scene, LiveScene()
    live.settle(scene)
    seen, left = live.version, [2]

    def read(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise ReferenceError("StructRNA of type Object has been removed")
        return read_record(*arguments)

    monkeypatch.setattr("omi_joints_addon.scene.live.read_record", read)
    for obj in objects:
        obj.name += " New"
    live.pending.add_objects(objects)
    live.settle(scene)
    for obj in objects:
        node = live.nodes.numbers[obj.session_uid]
        assert live.records[node].name == obj.name
        assert live.versions[node] > seen


def test_an_object_that_is_gone_between_two_slices_is_no_fault() -> None:
    _, door, joint = add_door()
    scene, live = bpy.context.scene, LiveScene()
    live.settle(scene)
    live.suspect_all()
    bpy.data.objects.remove(joint)
    live.sweep(scene)
    assert set(live.nodes.numbers) == {obj.session_uid for obj in scene.objects}
    assert live.records[live.nodes.numbers[door.session_uid]].name == door.name


def test_what_keyframes_move_is_seen_when_the_frame_changes() -> None:
    _, door, _ = add_door()
    for frame, place in ((1, 3.0), (11, 5.0)):
        door.location.x = place
        door.keyframe_insert("location", frame=frame)
    for frame in (1, 11, 4):
        bpy.context.scene.frame_set(frame)
        _assert_complete(live_scene(bpy.context.scene))


def test_undo_is_seen_by_the_next_redraw() -> None:
    _, door, _ = add_door()
    _now()
    bpy.ops.ed.undo_push(message="Made")
    door.location.x += 1.0
    bpy.ops.ed.undo_push(message="Moved")
    _assert_complete(_now())
    bpy.ops.ed.undo()
    _assert_complete(_now())


def test_settings_of_all_joints_are_read_anew_after_undo_and_redo() -> None:
    joints = [obj.omi_joint for obj in add_rope(8)]
    names = [joint.id_data.name for joint in joints]

    def dampings() -> set[float]:
        """Return what the live scene has, once the timer has done its work."""
        live = _now()
        _work()
        found = (
            live.records[live.nodes.numbers[bpy.data.objects[name].session_uid]] for name in names
        )
        return {record.joint.settings.limits[0].damping for record in found}

    bpy.ops.ed.undo_push(message="Made")
    for joint in joints:
        joint.limits[0].damping = 7.0
    bpy.ops.ed.undo_push(message="Damped")
    WATCH.suspect()
    assert dampings() == {7.0}
    bpy.ops.ed.undo()
    (before,) = dampings()
    assert before != 7.0
    bpy.ops.ed.redo()
    assert dampings() == {7.0}


def test_arrays_say_what_the_records_do() -> None:
    _, door, joint = add_door()
    _, _, other = add_door()
    other.omi_joint.coupling.source = joint
    live = _now()
    bpy.data.objects.remove(joint.omi_joint.connected_object)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("A First One", None))
    live = _now()
    known = live.columns
    for node, record in enumerate(live.records):
        end = record.joint and record.joint.connected
        assert live.nodes.keys[node] == live.nodes.objects[node].session_uid
        assert known.parents[node] == live.nodes.numbers.get(record.parent, -1)
        assert known.connected[node] == live.nodes.numbers.get(end, -1)
        assert known.followed[node] == live.nodes.numbers.get((record.follows or (-1,))[0], -1)
        assert known.is_joint[node] == record.is_joint
        assert known.is_body[node] == (record.motion is not None)
    assert known.is_dynamic[live.nodes.numbers[door.session_uid]]
    assert (
        known.followed[live.nodes.numbers[other.session_uid]]
        == live.nodes.numbers[joint.session_uid]
    )


def _edit(random: Random) -> None:
    """Change something about which other objects the objects of a scene refer to."""
    objects = list(bpy.context.scene.objects)
    obj, other = random.choice(objects), random.choice((*objects, None))
    edits = (
        lambda: _add(random, obj, other),
        lambda: bpy.data.objects.remove(obj) if len(objects) > 4 else None,
        lambda: setattr(obj, "parent", None if _is_below(other, obj) else other),
        lambda: setattr(obj.omi_joint, "connected_object", other),
        lambda: setattr(obj.omi_joint, "settings_source", other),
        lambda: setattr(obj.omi_joint.coupling, "source", other),
        lambda: setattr(obj.omi_body, "motion_type", random.choice(("NONE", "STATIC", "DYNAMIC"))),
        lambda: setattr(obj.omi_joint, "enabled", not obj.omi_joint.enabled),
    )
    random.choice(edits)()


def _add(random: Random, above: Any, connected: Any) -> None:
    """Add an object somewhere among the others, perhaps a joint."""
    new = bpy.data.objects.new(random.choice("aMz"), None)
    new.omi_joint.enabled, new.omi_joint.connected_object = random.random() < 0.7, connected
    new.parent = above
    random.choice((bpy.context.scene.collection, *bpy.data.collections)).objects.link(new)


def _is_below(obj: Any, top: Any) -> bool:
    while obj is not None and obj != top:
        obj = obj.parent
    return obj is not None


@pytest.mark.parametrize("seed", range(6))
def test_what_is_read_of_edits_is_what_is_read_from_scratch(seed: int) -> None:
    random = Random(seed)
    for _ in range(3):
        add_door()
    inner = bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(inner)
    bpy.ops.ed.undo_push(message="Made")
    for _ in range(12):
        for _ in range(random.randrange(1, 4)):
            _edit(random)
        bpy.ops.ed.undo_push(message="Edited")
        if random.random() < 0.2:
            bpy.ops.ed.undo()
        bpy.context.view_layer.update()
        live = WATCH.settled(bpy.context.scene)._live
        _assert_complete(live)
        core, (scratch, _) = live_to_core(live), objects_to_core(live.nodes.objects)
        assert core.names == scratch.names
        assert core.parents.tolist() == scratch.parents.tolist()
        assert (core.motions, core.carries) == (scratch.motions, scratch.carries)
        assert (core.joints, core.couplings) == (scratch.joints, scratch.couplings)


@pytest.fixture
def redraws(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often views are redrawn; each look at the clock takes a millisecond."""
    times = iter(range(10**9))
    monkeypatch.setattr(work, "perf_counter", lambda: next(times) * 0.001)
    monkeypatch.setattr("omi_joints_addon.scene.live.perf_counter", lambda: next(times) * 0.001)
    monkeypatch.setattr("omi_joints_addon.scene.checks.perf_counter", lambda: next(times) * 0.001)
    found: list[int] = []
    for name in ("redraw_views", "redraw_panels"):
        monkeypatch.setattr(work, name, lambda: found.append(1))
    return found


def _work() -> int:
    """Work until all is done; return the number of slices."""
    WORK.later(WATCH)
    slices = 1
    while not WORK.slice():
        slices += 1
    return slices


def test_no_object_is_read_whole_right_after_so_much_changed_as_undo_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_rope(12)
    select(bpy.data.objects["Beam"])
    bpy.context.view_layer.objects.active = None
    _now()
    _work()
    read = list[str]()
    monkeypatch.setattr(pending, "MOST", 8)
    monkeypatch.setattr(
        live_module,
        "read_record",
        lambda obj, nodes: (read.append(obj.name), read_record(obj, nodes))[1],
    )
    for link in bpy.data.objects:
        link.location.x += 0.73 if link.omi_body.motion_type == "DYNAMIC" else 0.0
        link.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()
    known = live_scene(bpy.context.scene)
    assert len(read) <= 1 + live_module.GLANCES
    places = [np.array(obj.matrix_world) for obj in known.nodes.objects]
    assert np.array_equal(known.nodes.matrices, np.array(places))
    _work()
    _assert_complete(known)
    assert len(read) >= len(known.nodes)


@pytest.mark.parametrize("is_redone", [False, True], ids=["undo", "redo"])
def test_undo_reads_the_one_body_that_moved_and_has_nothing_drawn_again(
    monkeypatch: pytest.MonkeyPatch, *, is_redone: bool
) -> None:
    views = list[int]()
    monkeypatch.setattr(work, "redraw_views", lambda: views.append(1))
    add_rope(12)
    select(bpy.data.objects["Beam"])
    for number in range(3):  # what is new is reported by the first undo after it
        bpy.context.object.location.z += 0.37
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message=f"Moved {number}")
    _now()
    if is_redone:
        bpy.ops.ed.undo()
        _now()
    _work()
    views.clear()
    monkeypatch.setattr(pending, "MOST", 8)
    assert len(bpy.context.scene.objects) > pending.MOST
    (bpy.ops.ed.redo if is_redone else bpy.ops.ed.undo)()
    known = _now()
    _assert_complete(known)
    assert known.pending.are_poses_due
    _work()
    _assert_complete(known)
    assert not views


def test_views_redraw_ever_less_often_while_much_is_read(redraws: list[int]) -> None:
    for _ in range(60):
        _, _, joint = add_door()
        joint.omi_joint.connected_object = None
    _now()
    redraws.clear()
    live = live_scene(bpy.context.scene)
    for joint in (obj for obj in live.nodes.objects if obj.omi_joint.enabled):
        joint.omi_joint.limits.add()
    live.suspect_all()
    slices = _work()
    assert len(redraws) <= 1 + np.log2(slices)
    assert redraws


def test_views_do_not_redraw_what_blender_draws_itself(redraws: list[int]) -> None:
    add_door()
    free = bpy.data.objects.new("Free", None)
    bpy.context.scene.collection.objects.link(free)
    free.omi_body.motion_type = "DYNAMIC"
    _now()
    _work()
    redraws.clear()
    free.location.x += 1.0
    bpy.context.view_layer.update()
    _work()
    assert not redraws
    _assert_complete(live_scene(bpy.context.scene))
    free.omi_body.motion_type = "NONE"  # Blender reports no update
    live_scene(bpy.context.scene).suspect_all()
    _work()
    assert redraws


def test_new_findings_about_what_blender_draws_itself_have_only_panels_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A redraw of the views of a large scene takes much longer than all else after a change."""
    drawn = list[str]()
    for name in ("redraw_views", "redraw_panels"):
        monkeypatch.setattr(work, name, partial(drawn.append, name))
    _, door, _ = add_door()
    _now()
    _work()
    drawn.clear()
    checks = WATCH.checks(bpy.context.scene)
    before = checks.version
    door.location.x += 1.0
    bpy.context.view_layer.update()
    _work()
    assert checks.version > before
    assert drawn == ["redraw_panels"]


class _Steps:
    """A job of some steps, each of which takes a whole slice."""

    def __init__(self, steps: int, shown_by: Redraw, log: list[str]) -> None:
        self._left, self._shown_by, self._log = steps, shown_by, log

    def work(self, until: float) -> bool:
        """Take a step."""
        while work.perf_counter() < until:
            pass
        self._left -= 1
        self._log.append(self._shown_by.name)
        return self._left == 0

    def undrawn(self) -> Redraw:
        """Return what shows the steps."""
        return self._shown_by


@pytest.mark.usefixtures("redraws")
def test_jobs_are_worked_on_in_turn_and_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    log, both = list[str](), Work()
    monkeypatch.setattr(work, "redraw", lambda what: log.append(f"draw {what.name}"))
    for job in (_Steps(2, Redraw.PANELS, log), _Steps(3, Redraw.VIEWS, log)):
        both.later(job)
        both.later(job)
    while not both.slice():
        assert not both.is_done
    assert log == ["PANELS", "VIEWS", "PANELS", "VIEWS", "VIEWS", "draw VIEWS"]


def test_a_job_that_fails_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    log, both = list[str](), Work()
    broken, sound = _Steps(1, Redraw.NONE, log), _Steps(1, Redraw.PANELS, log)
    monkeypatch.setattr(broken, "work", lambda _until: 1 / 0)
    both.later(broken)
    both.later(sound)
    with pytest.raises(ZeroDivisionError):
        both.slice()
    assert both.slice()
    assert log == ["PANELS"]


def test_poses_of_a_preview_are_not_checked() -> None:
    _, door, _ = add_door()
    bpy.context.view_layer.update()
    checks, live = WATCH.settled(bpy.context.scene), live_scene(bpy.context.scene)
    before, poses = live.shown.version, live.nodes.matrices.copy()
    poses[live.nodes.numbers[door.session_uid], 0, 3] += 1.0
    live.shown.show(bpy.context.evaluated_depsgraph_get(), poses, {})
    try:
        assert live.shown.version > before
        assert checks.is_current
    finally:
        live.hide()
    door.location.x += 1.0
    bpy.context.view_layer.update()
    live_scene(bpy.context.scene)
    assert not checks.is_current
