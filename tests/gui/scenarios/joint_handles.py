"""Every kind of handle does what a drag of it means."""

import math
from collections.abc import Sequence
from typing import Any

import bpy
from harness import TOP, Gui, Steps, addon, near
from joint_scenes import HINGE, LOCKED, activate, add_joint, handle_at, is_near
from mathutils import Vector

ANGLED = (0.7, 0.0, 0.5)
"""View in which no handle's path is seen from its end."""


def _drag(
    gui: Gui,
    joint: bpy.types.Object,
    field: str,
    index: int,
    value: float,
    **modifiers: bool,
) -> Steps:
    activate(joint)
    gui.look((0.0, 0.0, 0.0), rotation=ANGLED, distance=3.0)
    yield from gui.wait(3)
    start, end = handle_at(gui, field, index), handle_at(gui, field, index, value)
    yield from gui.drag(start, end, **modifiers)
    yield from gui.wait()


def _drag_all(gui: Gui, limits: Sequence[dict[str, Any]], *drags: tuple[str, int, float]) -> Steps:
    """Drag handles of a joint one after the other; each value must follow."""
    joint = add_joint(*limits)
    for field, index, value in drags:
        yield from _drag(gui, joint, field, index, value)
        found = getattr(joint.omi_joint.limits[index], field)
        assert is_near(found, value, 0.02), (field, index)


def hinge_ends(gui: Gui) -> Steps:
    yield from _drag_all(gui, HINGE, ("max", 2, 0.6), ("min", 2, -1.2))


def dragging_a_handle_selects_its_row(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    data = joint.omi_joint
    data.active_limit = 0
    gui.remember()
    yield from _drag(gui, joint, "max", 2, 0.6)
    assert data.active_limit == 2
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait()
    assert bpy.context.object.omi_joint.active_limit == 0, "undo leaves another row active"


def a_fault_ends_the_drag_with_a_sentence(gui: Gui) -> Steps:
    joint, places = add_joint(*HINGE), addon("overlay.handle_places")
    gui.expect("Traceback|ZeroDivisionError")
    gui.look((0.0, 0.0, 0.0), rotation=ANGLED, distance=3.0)
    yield from gui.wait(3)
    start, end = handle_at(gui, "max", 2), handle_at(gui, "max", 2, 0.6)
    yield from gui.approach(start)
    yield from gui.press()
    yield from gui.pull(end, steps=3)
    reached, value_at = joint.omi_joint.limits[2].max, places.value_at
    assert reached < 1.3, "the handle does not follow"
    places.value_at = lambda *_arguments: 1 / 0
    yield from gui.pull(start, steps=2)
    places.value_at = value_at
    yield from gui.picture("fault")
    yield from gui.release()
    assert is_near(joint.omi_joint.limits[2].max, 1.4), joint.omi_joint.limits[2].max


def a_typed_number_is_taken_instead_of_the_mouse(gui: Gui) -> Steps:
    """45, one of it taken back and typed again, Enter; one step back is named after the bound."""
    joint = add_joint(*HINGE)
    activate(joint)
    gui.remember()
    gui.look((0.0, 0.0, 0.0), rotation=ANGLED, distance=3.0)
    yield from gui.wait(3)
    yield from gui.approach(handle_at(gui, "max", 2))
    yield from gui.press()
    yield from gui.pull(handle_at(gui, "max", 2, 1.0), steps=3)
    yield from gui.write("4", "7", "<BACK_SPACE>", "5")
    yield from gui.wait(2)
    yield from gui.picture("typed")
    assert is_near(joint.omi_joint.limits[2].max, math.radians(45.0)), joint.omi_joint.limits[2].max
    yield from gui.write("<RET>")
    yield from gui.release()
    yield from gui.wait(2)
    assert is_near(joint.omi_joint.limits[2].max, math.radians(45.0)), joint.omi_joint.limits[2].max
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait(2)
    assert is_near(bpy.context.object.omi_joint.limits[2].max, 1.4)


def cone_rim_and_hole(gui: Gui) -> Steps:
    cone = (*LOCKED, {"angular_axes": (0, 1), "min": 0.2, "max": 0.7})
    yield from _drag_all(gui, cone, ("max", 1, 1.0), ("min", 1, 0.5))


def rotation_cap(gui: Gui) -> Steps:
    yield from _drag_all(gui, ({"angular_axes": (0, 1, 2), "max": 0.5},), ("max", 0, 0.9))


def slider_ends(gui: Gui) -> Steps:
    slider = ({"linear_axes": (0,), "min": -0.3, "max": 0.8}, HINGE[1])
    yield from _drag_all(gui, slider, ("max", 0, 0.5), ("min", 0, -0.6))


def tube_and_ball_radius(gui: Gui) -> Steps:
    tube = ({"linear_axes": (0, 1), "min": 0.2, "max": 0.5},)
    yield from _drag_all(gui, tube, ("max", 0, 0.8), ("min", 0, 0.4))
    bpy.data.objects.remove(bpy.context.object)
    ball = ({"linear_axes": (0, 1, 2), "max": 0.5},)
    yield from _drag_all(gui, ball, ("max", 0, 0.7))


def drive_targets(gui: Gui) -> Steps:
    joint = add_joint(
        *LOCKED,
        drives=(
            {"type": "angular", "axis": 2, "position_target": 0.3, "stiffness": 1.0},
            {"type": "linear", "axis": 0, "position_target": 0.8, "stiffness": 1.0},
        ),
    )
    for index, value in ((0, 1.0), (1, 0.5)):
        yield from _drag(gui, joint, "position_target", index, value)
        found = joint.omi_joint.drives[index].position_target
        assert is_near(found, value, 0.02), index


def ctrl_snaps_to_five_degrees(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    yield from _drag(gui, joint, "max", 2, 0.93, ctrl=True)
    assert is_near(joint.omi_joint.limits[2].max, 0.9599, 1e-3), "not 55 degrees"


def shift_moves_a_tenth(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    yield from _drag(gui, joint, "max", 2, 1.0, shift=True)
    assert is_near(joint.omi_joint.limits[2].max, 1.36, 0.02)


def alt_keeps_the_range_symmetric(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    yield from _drag(gui, joint, "max", 2, 1.0, alt=True)
    limit = joint.omi_joint.limits[2]
    assert is_near(limit.max, 1.0, 0.02)
    assert limit.min == -limit.max


def minimum_stops_at_maximum(gui: Gui) -> Steps:
    joint = add_joint({"linear_axes": (0,), "min": -0.3, "max": 0.4})
    yield from _drag(gui, joint, "min", 0, 0.9)
    limit = joint.omi_joint.limits[0]
    assert is_near(limit.min, 0.4), "passed the maximum"


def one_undo_step_for_a_drag(gui: Gui) -> Steps:
    add_joint(*HINGE)
    gui.remember()
    for value in (1.0, 0.6):
        yield from _drag(gui, bpy.data.objects["Joint"], "max", 2, value)
    for keys, expected in (({}, 1.0), ({}, 1.4), ({"shift": True}, 1.0)):
        yield from gui.key("Z", ctrl=True, **keys)
        yield from gui.wait()
        found = bpy.data.objects["Joint"].omi_joint.limits[2].max
        assert is_near(found, expected, 0.02)


def auto_keying_keys_what_is_keyed(gui: Gui) -> Steps:
    """With Auto Keying a drag sets a key of a keyed bound, and none of another; one undo step."""
    joint = add_joint(*HINGE)
    settings = bpy.context.scene.tool_settings
    settings.use_keyframe_insert_auto = True
    joint.keyframe_insert("omi_joint.limits[2].max_angle", frame=1)
    bpy.context.scene.frame_set(10)
    gui.remember()
    yield from _drag(gui, joint, "max", 2, 0.6)
    yield from _drag(gui, joint, "min", 2, -1.2)
    settings.use_keyframe_insert_auto = False
    keys = _keys(joint)
    assert [path for path, _ in keys] == ["omi_joint.limits[2].max_angle"] * 2, keys
    assert [frame for _, (frame, _) in keys] == [1.0, 10.0], keys
    assert is_near(keys[1][1][1], 0.6, 0.02), keys


def _keys(joint: bpy.types.Object) -> list[tuple[str, tuple[float, float]]]:
    """Return paths of properties with frame and value of each key."""
    curves = addon("scene.animation").curves_of(joint.animation_data)
    return [
        (curve.data_path, (point.co.x, point.co.y))
        for curve in curves
        for point in curve.keyframe_points
    ]


def escape_gives_the_value_back(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    gui.look(rotation=TOP, distance=3.0)
    yield from gui.wait(3)
    start, end = handle_at(gui, "max", 2), handle_at(gui, "max", 2, 0.6)
    yield from gui.approach(start)
    yield from gui.press()
    yield from gui.pull(end)
    assert is_near(joint.omi_joint.limits[2].max, 0.6, 0.02), "did not follow"
    picture = yield from gui.picture("dragging")
    beyond = near(picture, gui.to_window((0.7 * math.cos(1.0), 0.7 * math.sin(1.0), 0.0)))
    assert beyond[:, 2].max() < 120, "the overlay does not follow"
    yield from gui.key("ESC")
    yield from gui.release()
    assert is_near(joint.omi_joint.limits[2].max, 1.4), "not given back"


def no_handles_where_they_would_do_harm(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    owner = joint.copy()
    bpy.context.scene.collection.objects.link(owner)
    joint.omi_joint.settings_source = owner
    yield from _drag(gui, joint, "max", 2, 0.6)
    assert is_near(owner.omi_joint.limits[2].max, 1.4), "dragged shared settings"
    joint.omi_joint.settings_source = None
    bpy.data.objects.remove(owner)
    gui.viewport.spaces.active.show_gizmo_context = False
    yield from _drag(gui, joint, "max", 2, 0.6)
    gui.viewport.spaces.active.show_gizmo_context = True
    assert is_near(joint.omi_joint.limits[2].max, 1.4), "dragged with gizmos off"


def tool_places_frames_at_a_vertex(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, -2.0))
    activate(joint)
    bpy.ops.wm.tool_set_by_id(name="omi.joint_limits")
    gui.look((0.0, 0.0, -2.0), rotation=ANGLED, distance=4.0)
    yield from gui.wait(3)
    yield from gui.picture("tool")
    yield from gui.click(gui.to_window((0.4, -0.4, -1.5)), ctrl=True)
    yield from gui.wait()
    corner = Vector((0.5, -0.5, -1.5))
    for frame in (joint, joint.omi_joint.connected_object):
        assert (frame.matrix_world.translation - corner).length < 1e-5, frame.name
    bpy.ops.wm.tool_set_by_id(name="builtin.select_box")


def frames_are_placed_at_edges_faces_and_bones(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    connected = joint.omi_joint.connected_object
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, -2.0))
    bpy.ops.object.armature_add(location=(1.0, 0.0, -2.0))
    activate(joint)
    gui.look((0.0, 0.0, -2.0), rotation=TOP, distance=4.0)
    yield from gui.wait(3)
    for element, point, expected in (
        ("FACE", (0.2, 0.1, -1.5), (0.2, 0.1, -1.5)),
        ("EDGE", (0.45, 0.1, -1.5), (0.5, 0.1, -1.5)),
        ("BONE", (1.0, 0.05, -2.0), (1.0, 0.0, -2.0)),
    ):
        x, y = gui.to_window(point)
        mouse = (round(x - gui.region.x), round(y - gui.region.y))
        placing = {"element": element, "end": "CONNECTED", "mouse": mouse, "use_rotation": True}
        assert bpy.ops.omi.joint_frame_place(**placing) == {"FINISHED"}
        yield from gui.wait()
        found = connected.matrix_world.translation
        # A pixel of this view is about 2 cm; bones have a head and a tail at one point from above.
        assert (found.xy - Vector(expected).xy).length < 0.03, (element, found)
        assert joint.matrix_world.translation.length < 1e-6, "the other frame moved"
    assert connected.matrix_world.translation.z in (-2.0, -1.0)
