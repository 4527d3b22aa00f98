"""The live view of a scene: what it notices however much changes, and what views are told."""

import bpy
import numpy as np
import pytest

from omi_joints_addon.scene import noted, watch
from omi_joints_addon.scene.live import LiveScene
from omi_joints_addon.scene.watch import WATCH, live_scene
from tests.blender.scenes import add_door, select


def _poses(live: LiveScene) -> dict[str, np.ndarray]:
    """Return where the live scene has each object."""
    return {record.name: live.poses[node] for node, record in enumerate(live.records)}


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
    monkeypatch.setattr(noted, "MOST", most)
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
    assert live.records[live.nodes[joint.session_uid]].parent == live.nodes[new.session_uid]
    bpy.data.objects.remove(door)
    _assert_complete(_now())
    joint.omi_joint.limits.add()
    joint.update_tag()
    live = _now()
    assert live.records[live.nodes[joint.session_uid]].joint.settings == (
        joint.omi_joint.settings_to_core()
    )


def test_undo_is_seen_by_the_next_redraw() -> None:
    _, door, _ = add_door()
    _now()
    bpy.ops.ed.undo_push(message="Made")
    door.location.x += 1.0
    bpy.ops.ed.undo_push(message="Moved")
    _assert_complete(_now())
    bpy.ops.ed.undo()
    _assert_complete(_now())


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
        assert known.uids[node] == live.objects[node].session_uid
        assert known.parents[node] == record.parent
        assert known.connected[node] == (-1 if end is None else end)
        assert known.followed[node] == (record.follows[0] if record.follows else -1)
        assert known.is_joint[node] == record.is_joint
        assert known.is_body[node] == (record.motion is not None)
    assert known.is_dynamic[live.nodes[door.session_uid]]
    assert known.followed[live.nodes[other.session_uid]] == live.nodes[joint.session_uid]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often views are told to be drawn; each look at the clock takes a millisecond."""
    times = iter(range(10**9))
    monkeypatch.setattr(watch, "perf_counter", lambda: next(times) * 0.001)
    monkeypatch.setattr("omi_joints_addon.scene.live.perf_counter", lambda: next(times) * 0.001)
    monkeypatch.setattr("omi_joints_addon.scene.checks.perf_counter", lambda: next(times) * 0.001)
    found: list[int] = []
    monkeypatch.setattr(watch, "redraw_views", lambda: found.append(1))
    return found


def _work() -> int:
    """Work until all is done; return the number of slices."""
    slices = 1
    while not WATCH.work():
        slices += 1
    return slices


def test_views_are_told_ever_less_often_while_much_is_read(told: list[int]) -> None:
    for _ in range(60):
        _, _, joint = add_door()
        joint.omi_joint.connected_object = None
    _now()
    told.clear()
    live = live_scene(bpy.context.scene)
    for joint in (obj for obj in live.objects if obj.omi_joint.enabled):
        joint.omi_joint.limits.add()
    live.suspect_all()
    slices = _work()
    assert len(told) <= 1 + np.log2(slices)
    assert told


def test_views_are_not_told_of_what_blender_draws_itself(told: list[int]) -> None:
    add_door()
    free = bpy.data.objects.new("Free", None)
    bpy.context.scene.collection.objects.link(free)
    free.omi_body.motion_type = "DYNAMIC"
    _now()
    _work()
    told.clear()
    free.location.x += 1.0
    bpy.context.view_layer.update()
    _work()
    assert not told
    _assert_complete(live_scene(bpy.context.scene))
    free.omi_body.motion_type = "NONE"  # Blender is not told
    live_scene(bpy.context.scene).suspect_all()
    _work()
    assert told


def test_others_have_views_drawn_when_all_is_read(told: list[int]) -> None:
    add_door()
    _now()
    _work()
    told.clear()
    WATCH.show()
    assert len(told) == 1
    bpy.app.timers.register(watch._work, first_interval=1e6)  # the scene is being read
    try:
        live_scene(bpy.context.scene).suspect_all()
        WATCH.show()
        WATCH.show()
        assert len(told) == 1
        _work()
        assert len(told) == 2
    finally:
        bpy.app.timers.unregister(watch._work)
