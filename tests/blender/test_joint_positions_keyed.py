"""Positions of joints as properties: set, keyed and driven, they move bodies. By arithmetic."""

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

import omi_joints
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.properties.pose import pose_of
from tests.blender.scenes import select
from tests.blender.test_preview import world
from tests.blender.test_preview_pose import add_four_bars
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("no_preview_left")
KEYS = {1: {"turn": 0.1, "lift": 0.4}, 11: {"turn": 0.9, "lift": -0.3}}


def update() -> None:
    """Have Blender evaluate what was set, and bodies that follow it."""
    for _ in range(2):
        bpy.context.view_layer.update()


def axis_of(joint: Any) -> tuple[str, int]:
    """Return the property and the index of a joint's one axis."""
    begin(PosePreview(bpy.context, joint))
    (row,) = pose_of(bpy.context).positions
    stop()
    return ("along" if row.value < 3 else "about"), row.value % 3


def place(name: str, position: float, *, frame: int | None = None) -> None:
    joint = bpy.data.objects[name]
    path, index = axis_of(joint)
    getattr(joint.omi_position, path)[index] = position
    if frame is not None:
        joint.omi_position.keyframe_insert(path, index=index, frame=frame)


def there(source: str, positions: dict[str, float], body: str = "hand") -> Any:
    posed = omi_joints.read(source).posed(positions)
    return posed.matrices[posed.body(body).node]


@pytest.fixture
def arm(repository: Path) -> str:
    path = str(repository / "omi_joints_addon" / "examples" / "arm.urdf")
    assert bpy.ops.omi.scene_import(filepath=path) == {"FINISHED"}
    return path


@pytest.fixture
def keyed(arm: str) -> str:
    for frame, positions in KEYS.items():
        for name, position in positions.items():
            place(name, position, frame=frame)
    for joint in KEYS[1]:
        for layer in bpy.data.objects[joint].animation_data.action.layers:
            for curve in layer.strips[0].channelbags[0].fcurves:
                for point in curve.keyframe_points:
                    point.interpolation = "LINEAR"
    return arm


def between(frame: float) -> dict[str, float]:
    part = (frame - 1) / 10.0
    return {name: one + part * (KEYS[11][name] - one) for name, one in KEYS[1].items()}


def test_a_position_that_is_set_moves_the_bodies(arm: str) -> None:
    place("turn", 0.7)
    place("lift", 0.4)
    update()
    assert world(bpy.data.objects["hand"]) == pytest.approx(
        there(arm, {"turn": 0.7, "lift": 0.4}), abs=1e-5
    )
    # A body that is moved by hand afterwards stays there.
    hand = bpy.data.objects["hand"]
    hand.location.x += 0.31
    moved = hand.location.copy()
    update()
    assert hand.location == moved


def test_keyed_positions_move_bodies_in_every_frame_however_one_gets_there(keyed: str) -> None:
    scene, hand = bpy.context.scene, bpy.data.objects["hand"]
    for frame in (1, 4, 11, 7, 2, 7):
        scene.frame_set(frame)
        assert np.array(hand.matrix_world) == pytest.approx(
            there(keyed, between(frame)), abs=2e-5
        ), frame


def test_they_follow_a_robot_that_is_moved_and_a_saved_file_goes_on(
    keyed: str, tmp_path: Path
) -> None:
    scene = bpy.context.scene
    scene.frame_set(5)
    root = next(
        obj for obj in bpy.data.objects["hand"].users_scene[0].objects if obj.name == "base"
    )
    top = root
    while top.parent is not None:
        top = top.parent
    top.location += Vector((0.4, -0.2, 0.13))
    top.rotation_euler.z += 0.6
    update()
    base = np.array(bpy.data.objects["base"].matrix_world)
    rest = there(keyed, {}, "base")
    for frame in (5, 9):
        scene.frame_set(frame)
        expected = base @ np.linalg.inv(rest) @ there(keyed, between(frame))
        found = np.array(bpy.data.objects["hand"].matrix_world)
        assert found == pytest.approx(expected, abs=2e-5)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "robot.blend"))
    bpy.context.scene.frame_set(3)
    expected = base @ np.linalg.inv(rest) @ there(keyed, between(3))
    assert np.array(bpy.data.objects["hand"].matrix_world) == pytest.approx(expected, abs=2e-5)


def test_a_driver_moves_bodies(arm: str) -> None:
    control = bpy.data.objects.new("Control", None)
    bpy.context.scene.collection.objects.link(control)
    joint = bpy.data.objects["lift"]
    path, index = axis_of(joint)
    driver = joint.driver_add(f"omi_position.{path}", index).driver
    driver.type, variable = "SCRIPTED", driver.variables.new()
    variable.type, driver.expression = "TRANSFORMS", "var / 2"
    variable.targets[0].id, variable.targets[0].transform_type = control, "LOC_X"
    for x in (0.62, -0.4):
        control.location.x = x
        update()
        assert world(bpy.data.objects["hand"]) == pytest.approx(
            there(arm, {"lift": x / 2.0}), abs=1e-5
        )


def test_i_keys_all_that_is_posed_and_undo_takes_the_keys_back(arm: str) -> None:
    bpy.ops.ed.undo_push(message="arm")
    select(bpy.data.objects["lift"])
    scene = bpy.context.scene
    for frame, positions in KEYS.items():
        scene.frame_set(frame)
        begin(preview := PosePreview(bpy.context))
        for row in pose_of(bpy.context).positions:
            if row.name in positions:
                row.angle = positions[row.name]
        preview.tick(bpy.context)
        assert bpy.ops.omi.preview_positions_key() == {"FINISHED"}
        stop()
    for frame in (11, 1):
        scene.frame_set(frame)
        assert np.array(bpy.data.objects["hand"].matrix_world) == pytest.approx(
            there(arm, KEYS[frame]), abs=2e-5
        )
    bpy.ops.ed.undo_push(message="keys")
    bpy.ops.ed.undo()
    assert bpy.data.objects["lift"].animation_data is None
    before = np.array(bpy.data.objects["hand"].matrix_world)
    bpy.context.scene.frame_set(9)
    assert np.array(bpy.data.objects["hand"].matrix_world) == pytest.approx(before, abs=1e-6)


def test_a_loop_stays_closed_in_every_frame() -> None:
    add_four_bars()
    joint = bpy.data.objects["a"]
    for frame, angle in ((1, 0.0), (11, 0.5)):
        joint.omi_position.about[2] = angle
        joint.omi_position.keyframe_insert("about", index=2, frame=frame)
    for frame in (6, 11):
        bpy.context.scene.frame_set(frame)
        coupler = np.array(bpy.data.objects["Coupler"].matrix_world)
        assert coupler[:3, :3] == pytest.approx(np.eye(3), abs=1e-3)
        assert math.hypot(coupler[0, 3], coupler[2, 3]) == pytest.approx(3.0, abs=2e-3)
    assert abs(coupler[0, 3]) == pytest.approx(3.0 * math.sin(0.5), abs=3e-3)


def test_bones_follow_and_other_objects_are_not_looked_at() -> None:
    rig = add_rig("Arm", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    joint = next(obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled)
    bone = rig.pose.bones[joint.parent_bone]
    before = np.array(bone.matrix)
    for frame, angle in ((1, 0.0), (11, 0.4)):
        joint.omi_position.about[2] = angle
        joint.omi_position.keyframe_insert("about", index=2, frame=frame)
    bpy.context.scene.frame_set(11)
    turn = np.linalg.inv(before[:3, :3]) @ np.array(bone.matrix)[:3, :3]
    assert math.acos((np.trace(turn) - 1.0) / 2.0) == pytest.approx(0.4, abs=1e-4)
    bpy.context.scene.frame_set(1)
    assert np.array(bone.matrix) == pytest.approx(before, abs=1e-5)
