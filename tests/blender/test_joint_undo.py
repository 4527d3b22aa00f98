"""Every operator of joints is one undo step, and redo brings its result back."""

from typing import Any

import bpy
import pytest

from omi_joints_addon.classes import classes_of
from omi_joints_addon.operators.joint import (
    add as joint_add,
)
from omi_joints_addon.operators.joint import (
    ends as joint_ends,
)
from omi_joints_addon.operators.joint import (
    limits as joint_limits,
)
from omi_joints_addon.operators.joint import (
    remove as joint_remove,
)
from omi_joints_addon.operators.joint import (
    select as joint_select,
)
from omi_joints_addon.operators.joint import (
    settings as joint_settings,
)
from tests.blender.scenes import add_cube, add_door, add_joint, select, snapshot


def bodies() -> None:
    select(add_cube("Wall", (0.0, 0.0, 0.0)), add_cube("Door", (3.0, 0.0, 0.0)))


def hinge() -> None:
    add_door()


def motor() -> None:
    add_joint(add_cube("Fan", (0.0, 0.0, 0.0)), preset="HINGE_MOTOR")
    bpy.ops.omi.joint_drive_add()


def apart() -> None:
    _wall, _door, joint = add_door()
    joint.location.x += 0.5
    joint.rotation_euler.y += 0.5
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)


def two_joints() -> None:
    wall, _door, hinge_joint = add_door()
    drawer = add_cube("Drawer", (0.0, 5.0, 0.0))
    select(hinge_joint, add_joint(wall, drawer, preset="SLIDER"))


def two_linked_joints() -> None:
    two_joints()
    bpy.ops.omi.joint_settings_link()
    follower = next(o for o in bpy.context.selected_objects if o != bpy.context.object)
    select(follower)


CASES: list[tuple[str, Any, dict[str, Any]]] = [
    ("joint_add", bodies, {"preset": "SLIDER"}),
    ("joint_limit_add", hinge, {}),
    ("joint_limit_remove", hinge, {}),
    ("joint_limit_duplicate", hinge, {}),
    ("joint_limit_move", hinge, {"direction": "UP"}),
    ("joint_drive_add", hinge, {}),
    ("joint_drive_remove", motor, {}),
    ("joint_drive_duplicate", motor, {}),
    ("joint_drive_move", motor, {"direction": "UP"}),
    ("joint_preset_apply", hinge, {"preset": "BALL_WITH_CONE"}),
    ("joint_settings_copy", two_joints, {}),
    ("joint_settings_link", two_joints, {}),
    ("joint_settings_unlink", two_linked_joints, {}),
    ("joint_strength_scale", motor, {"factor": 2.0}),
    ("joint_ends_swap", apart, {}),
    ("joint_frame_align", apart, {}),
    ("joint_frame_snap", apart, {}),
    ("joint_bodies_select", hinge, {}),
    ("joint_connected_select", two_joints, {"extend_chain": True}),
    ("joint_select", hinge, {"name": "Door to Wall Joint"}),
    ("joint_remove", hinge, {}),
]


IN_A_VIEW = {"joint_frame_place"}
"""Operators that need a mouse in a view; `tests/gui/adjustable.py` has their cases."""


def test_every_operator_has_a_case() -> None:
    modules = (joint_add, joint_ends, joint_limits, joint_remove, joint_select, joint_settings)
    known = {cls.bl_idname.removeprefix("omi.") for module in modules for cls in classes_of(module)}
    assert known - IN_A_VIEW == {name for name, _scene, _options in CASES}


@pytest.mark.parametrize(("name", "scene", "options"), CASES, ids=[case[0] for case in CASES])
def test_undo_and_redo(name: str, scene: Any, options: dict[str, Any]) -> None:
    scene()
    if name in {"joint_select", "joint_connected_select"}:
        select(bpy.data.objects["Wall"])
    before = snapshot()
    bpy.ops.ed.undo_push(message="Before")

    assert getattr(bpy.ops.omi, name)("EXEC_DEFAULT", True, **options) == {"FINISHED"}
    after = snapshot()
    assert after != before

    bpy.ops.ed.undo()
    assert snapshot() == before
    bpy.ops.ed.redo()
    assert snapshot() == after
