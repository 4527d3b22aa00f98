"""What comes after the button, by the keys that an artist presses next."""

from typing import Any

import bpy
from harness import Gui, Steps
from mathutils import Matrix, Vector


def applied_transforms_leave_joint_and_shapes_through_undo(gui: Gui) -> Steps:
    _, joint = _add_door()
    frames = _frames(joint)
    gui.look()
    gui.remember()
    yield from gui.move(gui.to_window((0.0, 0.0, 3.0)))
    yield from gui.key("A")
    yield from gui.key("A", ctrl=True)
    yield from gui.wait(3)
    yield from gui.key("A")
    yield from gui.until(lambda: _door().matrix_world == Matrix())
    yield from gui.wait(3)
    _assert_in_place(frames)
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait(3)
    assert _door().scale.x != 1.0, "nothing was undone"
    _assert_in_place(frames)
    yield from gui.key("Z", ctrl=True, shift=True)
    yield from gui.wait(3)
    assert _door().scale.x == 1.0, "nothing was redone"
    _assert_in_place(frames)


def a_dragged_frame_takes_the_other_along(gui: Gui) -> Steps:
    _, joint = _add_door()
    _select(joint)
    gui.look()
    gui.remember()
    start = joint.matrix_world.translation.copy()
    for is_kept in (False, True):
        yield from gui.move(gui.to_window(start))
        yield from gui.key("G")
        yield from gui.pull(gui.to_window(start + Vector((0.4, 0.0, 0.3))))
        yield from gui.key("RET" if is_kept else "ESC")
        yield from gui.wait(3)
        joint = bpy.data.objects[joint.name]
        ends = [end.matrix_world.translation for end in _ends(joint)]
        assert (ends[0] - ends[1]).length < 1e-4, f"the frames are apart: {ends}"
        assert ((ends[0] - start).length > 0.1) == is_kept, f"{ends[0]} after {start}"


def _add_door() -> tuple[Any, Any]:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(-0.5, 0.0, 1.0))
    post = bpy.context.object
    post.scale = (0.1, 0.1, 2.0)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.05, 0.0, 1.0))
    door = bpy.context.object
    door.name, door.scale = "Door", (0.9, 0.05, 1.9)
    bpy.context.view_layer.update()
    _select(post, door)
    bpy.ops.omi.joint_add(preset="HINGE")
    return door, bpy.context.object


def _select(active: Any, *others: Any) -> None:
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in (active, *others):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = active


def _door() -> Any:
    return bpy.data.objects["Door"]


def _ends(joint: Any) -> tuple[Any, Any]:
    return joint, joint.omi_joint.connected_object


def _frames(joint: Any) -> dict[str, Matrix]:
    return {end.name: end.matrix_world.copy() for end in _ends(joint)}


def _assert_in_place(frames: dict[str, Matrix]) -> None:
    for name, place in frames.items():
        now = bpy.data.objects[name].matrix_world
        off = (now.translation - place.translation).length
        assert off < 1e-4, f"{name} is {off:.3f} m off"
    shape, world = _door().omi_body.collider.shape, _door().matrix_world
    sizes = [a * b for a, b in zip(shape.size, world.to_scale(), strict=True)]
    close = (abs(a - b) < 1e-3 for a, b in zip(sizes, (0.9, 0.05, 1.9), strict=True))
    assert shape.type == "BOX", shape.type
    assert all(close), f"the shape is {sizes}"
