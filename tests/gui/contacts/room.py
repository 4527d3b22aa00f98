"""A room with walls of triangles in a real window, and what is in it pulled by hand."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np
from falling import pose_of, ragdoll, solid
from harness import FRONT, Gui, Steps, addon

HALF, HEIGHT = 2.5, 3.0
"""Half the length of the room, and its height [m]."""


def a_tower_a_car_and_a_ragdoll_stay_in_a_room(gui: Gui) -> Steps:
    """The car and the top of the tower are drawn against walls; Esc puts all back."""
    _room()
    tower = [solid(f"Crate.{n}", (-1.3, 0.4, 0.2 + 0.4 * n), (0.2,) * 3) for n in range(4)]
    chassis = _car()
    rig = ragdoll((0.2, 1.3, -0.35))
    gui.look((0, 0, 1.2), rotation=(FRONT[0] - 0.25, 0.0, 0.2), distance=11)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    rest = _places(), pose_of(rig)
    assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0, 0, 2.6)))
    preview = addon("preview.session").running()
    assert preview.without_contacts is None, str(preview.without_contacts)
    yield from gui.until(lambda: preview.simulation.time > 0.8)
    top = _shown(tower[-1])
    assert abs(top.z - 1.4) < 0.01, "the tower does not stand"
    yield from _pulled(gui, preview, chassis, (4.5, -1.2, 0.4))
    yield from _pulled(gui, preview, tower[-1], (-4.5, 0.4, 1.4))
    yield from gui.until(lambda: preview.simulation.time > 4.0)
    moving = sorted(preview.simulation.moving_nodes)
    assert len(moving) == len(tower) + 5 + len(rig.data.bones)
    _assert_inside(np.array([frame[moving, :3, 3] for frame in preview.record]))
    yield from gui.key("ESC")
    yield from gui.wait(2)
    assert (_places(), pose_of(rig)) == rest


def _pulled(gui: Gui, preview: Any, obj: bpy.types.Object, aim: Sequence[float]) -> Steps:
    """Pull a body to a place behind a wall for a second; the first one is below the sidebar."""
    start = preview.simulation.time
    yield from gui.approach(gui.to_window(_shown(obj)))
    yield from gui.press()
    assert preview.simulation.grabbed_node is not None, f"{obj.name} was not grabbed"
    yield from gui.pull(gui.to_window(aim), steps=4)
    yield from gui.until(lambda: preview.simulation.time > start + 1.0)
    yield from gui.picture(obj.name)
    yield from gui.release()
    assert preview.simulation.grabbed_node is None, "it is still held"
    assert abs(_shown(obj).x - math.copysign(HALF, aim[0])) < 1.0, "it was not drawn"


def _assert_inside(places: Any) -> None:
    """Assert that places (frames, bodies, 3) are in the room."""
    assert (np.abs(places[..., :2]) < HALF).all(), "a body is in or behind a wall"
    assert (places[..., 2] > 0.0).all(), "a body is in or below the floor"
    assert (places[..., 2] < HEIGHT).all(), "a body is in or above the ceiling"


def _room() -> None:
    """A cube whose faces look inward, as artists make rooms."""
    bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0.5 * HEIGHT))
    room = bpy.context.object
    room.name, room.scale = "Room", (HALF, HALF, 0.5 * HEIGHT)
    room.data.flip_normals()
    room.display_type = "WIRE"
    assert bpy.ops.omi.body_add(motion_type="STATIC", shape="TRIMESH") == {"FINISHED"}


def _car() -> bpy.types.Object:
    chassis = solid("Chassis", (1.0, -1.2, 0.42), (0.5, 0.25, 0.12))
    wheels = list(_wheels())
    bpy.ops.object.select_all(action="DESELECT")
    for obj in (*wheels, chassis):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = chassis
    assert bpy.ops.omi.joint_add(preset="HINGE", pattern="EACH_TO_ACTIVE") == {"FINISHED"}
    return chassis


def _wheels() -> Iterator[bpy.types.Object]:
    for x in (0.65, 1.35):
        for y in (-1.55, -0.85):
            bpy.ops.mesh.primitive_cylinder_add(
                radius=0.2, depth=0.1, location=(x, y, 0.21), rotation=(math.pi / 2, 0.0, 0.0)
            )
            bpy.ops.omi.body_add(motion_type="DYNAMIC", shape="CYLINDER")
            yield bpy.context.object


def _places() -> dict[str, list[float]]:
    return {obj.name: [*obj.location, *obj.rotation_euler] for obj in bpy.context.scene.objects}


def _shown(obj: bpy.types.Object) -> Any:
    graph = bpy.context.evaluated_depsgraph_get()
    return obj.evaluated_get(graph).matrix_world.translation.copy()
