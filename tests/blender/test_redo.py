"""Redo panel: what can be adjusted after an operator ran is asked for its poll once more."""

from typing import Any

import bpy
import pytest

from omi_joints_addon import operators
from tests.blender.scenes import add_cube, add_door, add_joint, select


def bodies() -> None:
    select(add_cube("Wall", (0.0, 0.0, 0.0)), add_cube("Door", (3.0, 0.0, 0.0)))


def hinge() -> None:
    add_door()


def shape() -> None:
    select(add_cube("Wall", (0.0, 0.0, 0.0)))
    bpy.ops.omi.body_add()


def motor() -> None:
    add_joint(add_cube("Fan", (0.0, 0.0, 0.0)), preset="HINGE_MOTOR")
    bpy.ops.omi.joint_drive_add()


def constraint() -> None:
    bodies()
    for obj in bpy.context.selected_objects:
        bpy.context.view_layer.objects.active = obj
        bpy.ops.rigidbody.object_add()
    bpy.ops.object.empty_add()
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    held: Any = bpy.context.object.rigid_body_constraint
    held.object1, held.object2 = bpy.data.objects["Wall"], bpy.data.objects["Door"]


SCENES: dict[str, Any] = {
    "body_add": bodies,
    "body_shape_fit": shape,
    "body_mass_from_density": shape,
    "joint_add": bodies,
    "joint_drive_move": motor,
    "joint_drive_remove": motor,
    "joint_drive_duplicate": motor,
    "rigid_body_constraint_convert": constraint,
}
"""What to start from; any other operator starts from a hinge."""
VALUES: dict[str, Any] = {"joint_limit_move": {"direction": "UP"}}
ELSEWHERE = {"joint_frame_place", "preview_bake", "scene_import"}
"""They need a mouse or a file, or simulate; scenarios in a window play them."""


def adjustable() -> list[Any]:
    """Return the operators that leave a redo panel with something in it."""
    found = []
    for cls in (cls for module in operators.MODULES for cls in getattr(module, "CLASSES", ())):
        names = {name for base in cls.__mro__ for name in getattr(base, "__annotations__", ())}
        names -= {"conditions", "kind"}
        options = getattr(cls, "bl_options", set())
        is_last = {"REGISTER", "UNDO"} <= options and "INTERNAL" not in options
        if is_last and names and cls.bl_idname.removeprefix("omi.") not in ELSEWHERE:
            found.append(cls)
    return found


@pytest.mark.parametrize("cls", adjustable(), ids=lambda cls: cls.__name__)
def test_operator_can_be_repeated_where_it_ended(cls: Any, empty_scene: None) -> None:
    name = cls.bl_idname.removeprefix("omi.")
    SCENES.get(name, hinge)()
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Before")
    operator = getattr(bpy.ops.omi, name)
    try:
        result = operator("EXEC_DEFAULT", True, **VALUES.get(name, {}))
    except RuntimeError as error:
        pytest.fail(f"{error}")
    assert result in ({"FINISHED"}, {"CANCELLED"})
    assert operator.poll(), f"{cls.bl_label} cannot be adjusted after it ran"


def test_operators_are_named_after_their_folder_or_file() -> None:
    for module in operators.MODULES:
        folder, file = module.__name__.split(".")[-2:]
        for cls in getattr(module, "CLASSES", ()):
            if not cls.__name__.startswith("OMI_OT"):
                continue
            name = cls.bl_idname.removeprefix("omi.")
            assert name == file or name.startswith(f"{folder}_"), module.__name__
            assert cls.__name__ == "OMI_OT_" + cls.bl_idname.removeprefix("omi.")
