"""The pivot of a joint: dragging one frame in the viewport takes the other one along."""

from importlib import import_module
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler

from omi_joints_addon.scene.watch import shown_scene
from tests.blender.scenes import add_door, rows, select

FOLLOWING = import_module("omi_joints_addon.operators.body.following")


@pytest.fixture
def joint(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a joint whose frame is about to be dragged; without windows no tool runs."""
    _wall, _door, joint = add_door()
    select(joint)
    shown_scene(bpy.context.scene)
    monkeypatch.setattr(FOLLOWING, "is_transforming", lambda: True)
    return joint


def drag(obj: Any, *, by: tuple[float, float, float], turn: float = 0.0) -> None:
    """Drag an object in three ticks."""
    for _ in range(3):
        obj.location = [a + b / 3.0 for a, b in zip(obj.location, by, strict=True)]
        obj.rotation_euler = Euler((obj.rotation_euler.x + turn, *obj.rotation_euler[1:]))
        bpy.context.view_layer.update()


def test_both_frames_move_and_turn(joint: Any) -> None:
    end = joint.omi_joint.connected_object
    before = rows(joint.matrix_world)
    drag(joint, by=(0.3, -0.2, 0.7), turn=0.2)
    assert not np.allclose(rows(joint.matrix_world), before, atol=0.1)
    assert np.allclose(rows(end.matrix_world), rows(joint.matrix_world), atol=1e-5)


def test_the_connected_frame_takes_the_joint_along(joint: Any) -> None:
    end = joint.omi_joint.connected_object
    select(end)
    drag(end, by=(0.3, -0.2, 0.7))
    assert np.allclose(rows(end.matrix_world), rows(joint.matrix_world), atol=1e-5)


def test_cancelling_brings_both_back(joint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    end = joint.omi_joint.connected_object
    before, place = rows(end.matrix_world), joint.location.copy()
    drag(joint, by=(0.3, -0.2, 0.7))
    monkeypatch.setattr(FOLLOWING, "is_transforming", lambda: False)
    joint.location = place
    bpy.context.view_layer.update()
    assert np.allclose(rows(end.matrix_world), before, atol=1e-5)
    # Values that are typed move one frame.
    joint.location.x += 0.4
    bpy.context.view_layer.update()
    assert np.allclose(rows(end.matrix_world), before, atol=1e-5)


def test_the_option_moves_one_frame(joint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    end = joint.omi_joint.connected_object
    before = rows(end.matrix_world)
    monkeypatch.setattr(bpy.context.window_manager, "omi_move_both_frames", False)
    drag(joint, by=(0.3, -0.2, 0.7))
    assert np.allclose(rows(end.matrix_world), before, atol=1e-5)


def test_a_body_that_is_dragged_takes_no_pivot_along(joint: Any) -> None:
    end, door = joint.omi_joint.connected_object, joint.parent
    before = rows(end.matrix_world)
    select(door, joint)
    drag(door, by=(0.3, -0.2, 0.7))
    assert np.allclose(rows(end.matrix_world), before, atol=1e-5)
