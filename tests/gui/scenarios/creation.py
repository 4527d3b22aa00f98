"""Making joints by hand: what a click, the redo panel and a key do, read where a user reads it."""

import math
from typing import Any

import bpy
from harness import Gui, Steps
from mathutils import Matrix


def redo_panel_changes_the_joint(gui: Gui) -> Steps:
    """Add a hinge, open the redo panel, choose another axis and a range: the joint follows."""
    _add_door()
    gui.remember()
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    bpy.ops.omi.joint_add("INVOKE_DEFAULT", True, preset="HINGE")
    yield from gui.wait()
    assert _joint().matrix_world.col[2].z < -0.99, "the axis that fits is not upright"
    yield from _redo(gui, axis="X")
    assert _joint().matrix_world.col[2].x < -0.99, "the redo panel did not turn the axis"
    yield from _redo(gui, use_reverse=True)
    assert _joint().matrix_world.col[2].x > 0.99, "the redo panel did not reverse the axis"
    yield from _redo(gui, max_angle=math.radians(110.0))
    assert abs(_joint().omi_joint.limits[-1].max - math.radians(110.0)) < 1e-5
    yield from _redo(gui, preset="SLIDER")
    assert len(_joints()) == 1, "repeating made another joint"
    assert _joint().omi_joint.limits[-1].linear_axes[0]


def redo_panel_is_shown_and_takes_a_click(gui: Gui) -> Steps:
    """F9 after adding a joint shows its values; a click in the panel changes the joint."""
    _add_door()
    gui.remember()
    at = gui.to_window((0.0, 0.0, 0.0))
    yield from gui.move(at)
    bpy.ops.omi.joint_add("INVOKE_DEFAULT", True, preset="HINGE", pivot="MIDPOINT")
    yield from gui.wait()
    before = yield from gui.picture("before-redo")
    yield from gui.key("F9")
    yield from gui.wait(4)
    after = yield from gui.picture("redo")
    assert (before != after).any(axis=-1).mean() > 0.02, "F9 shows no panel"
    assert _joint().matrix_world.col[2].z < -0.99
    yield from gui.click((at[0] + 172, at[1] - 97))  # the X in the row of axes
    yield from gui.wait(2)
    yield from gui.picture("redo-clicked")
    assert _joint().matrix_world.col[2].x < -0.99, "a click in the redo panel has no effect"
    yield from gui.move((at[0] - 350, at[1] - 150))


def every_operator_is_adjusted_by_its_redo_panel(gui: Gui) -> Steps:
    """Run each operator that has values, and change each of these as the redo panel does."""
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    for name, start, changes in _ADJUSTABLE:
        _clear()
        start()
        gui.remember()
        getattr(bpy.ops.omi, name)("INVOKE_DEFAULT", True)
        yield from gui.wait()
        for values, effect in changes:
            before = effect()
            yield from _redo(gui, **values)
            assert effect() != before, f"{name}: {values} has no effect by the redo panel"


def chain_button_makes_a_rope(gui: Gui) -> Steps:
    """Nine links selected, the one that holds last, and a click on Chain: eight pins in order."""
    links = []
    for number in range(9):
        bpy.ops.mesh.primitive_cube_add(size=0.4, location=(0.0, 0.0, 2.0 - 0.5 * number))
        links.append(bpy.context.object)
    for link in links:
        link.select_set(True)
    bpy.context.view_layer.objects.active = links[0]
    yield from gui.show_sidebar("Joints")
    yield from gui.picture("create")
    region = gui.region_of(gui.viewport, "UI")
    top = region.y + region.height
    yield from gui.click((region.x + 75, top - 209))  # the left button below the presets
    yield from gui.wait()
    tied = [(joint.parent, joint.omi_joint.connected_object.parent) for joint in _joints()]
    assert tied == [(links[n], links[n - 1]) for n in range(1, 9)], tied


def door_opens_and_drawer_comes_out(gui: Gui) -> Steps:
    """The numbers of a range are those of the body that moves, seen in the range preview."""
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE", min_angle=0.0, max_angle=math.radians(110.0))
    joint, door = _joint(), bpy.data.objects["Door"]
    rest = door.matrix_world.copy()
    bpy.ops.omi.preview_range("INVOKE_DEFAULT")
    yield from gui.wait()
    bpy.context.window_manager.omi_preview.about_z = math.radians(110.0)
    yield from gui.wait(4)
    yield from gui.picture("door-open")
    seen = door.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    turned = (seen.to_3x3() @ rest.to_3x3().inverted()).to_quaternion()
    assert (turned.axis * turned.angle - Matrix().col[2].xyz * math.radians(110.0)).length < 1e-3
    bpy.ops.omi.preview_control(command="STOP")
    yield from gui.wait()
    assert (door.matrix_world.translation - rest.translation).length < 1e-6
    assert joint == bpy.context.object


def sidebar_fits_with_a_joint_active(gui: Gui) -> Steps:
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE")
    yield from gui.show_sidebar("Joints")
    yield from gui.picture("sidebar")


def physics_tab_at_the_default_width(gui: Gui) -> Steps:
    _add_door()
    bpy.ops.omi.joint_add(preset="SUSPENSION_SPRING")
    yield from gui.wait()
    yield from gui.show_properties("PHYSICS")
    yield from gui.picture("physics")


def pie_menu_opens_by_its_key(gui: Gui) -> Steps:
    _add_door()
    at = gui.to_window((0.0, 0.0, 0.0))
    yield from gui.move(at)
    before = yield from gui.picture("before-pie")
    yield from gui.key("J", shift=True, alt=True)
    yield from gui.wait(3)
    after = yield from gui.picture("pie")
    assert (before != after).any(axis=-1).mean() > 0.005, "no pie menu"
    yield from gui.key("ESC")


def table_of_joints(gui: Gui) -> Steps:
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE")
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    bpy.ops.omi.joint_table("INVOKE_DEFAULT")
    yield from gui.wait(3)
    yield from gui.picture("table")
    yield from gui.key("ESC")


def copied_settings_are_pasted(gui: Gui) -> Steps:
    """Copy the limits of a hinge, paste them onto a slider; the text is in the clipboard."""
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE", max_angle=0.7)
    hinge = _joint()
    yield from gui.wait()
    bpy.ops.omi.joint_settings_copy_out()
    assert '"omi_joint_settings"' in bpy.context.window_manager.clipboard
    bpy.ops.mesh.primitive_cube_add(location=(0.0, 5.0, 0.0))
    bpy.data.objects["Wall"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Wall"]
    bpy.ops.omi.joint_add(preset="SLIDER")
    slider = bpy.context.object
    yield from gui.wait()
    bpy.ops.omi.joint_settings_paste()
    assert slider.omi_joint.settings_to_core() == hinge.omi_joint.settings_to_core()


def _redo(gui: Gui, **values: Any) -> Steps:
    """Change values of the last operator and let Blender repeat it, as its redo panel does.

    A change in the panel makes Blender undo, and run the operator again with the new values if its
    poll allows it. `ed.undo_redo` is that very step.
    """
    last = bpy.context.window_manager.operators[-1]
    for name, value in values.items():
        setattr(last.properties, name, value)
    assert bpy.ops.ed.undo_redo.poll()
    # With an undo step of its own, as for a user; not as a part of what a script does.
    bpy.ops.ed.undo_redo("EXEC_DEFAULT", True)
    yield from gui.wait()


def _joints() -> list[Any]:
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def _joint() -> Any:
    (joint,) = _joints()
    return joint


def _clear() -> None:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)


def _add_door() -> None:
    for name, x in (("Wall", -1.5), ("Door", 1.5)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    bpy.data.objects["Wall"].select_set(True)
    bpy.data.objects["Door"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Wall"]


def _bodies() -> None:
    _add_door()


def _hinge() -> None:
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE")


def _motor() -> None:
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE_MOTOR")
    bpy.ops.omi.joint_drive_add()
    bpy.ops.omi.joint_drive_add()
    bpy.context.object.omi_joint.active_drive = 1


def _middle_limit() -> None:
    _hinge()
    bpy.context.object.omi_joint.active_limit = 1


def _animated() -> None:
    _hinge()
    door = bpy.data.objects["Door"]
    for frame, angle in ((1, 0.0), (10, 0.5)):
        door.rotation_euler.z = angle
        door.keyframe_insert("rotation_euler", frame=frame)


def _shape() -> None:
    _add_door()
    bpy.ops.omi.body_add()


def _constraint() -> None:
    _add_door()
    for name in ("Wall", "Door"):
        bpy.context.view_layer.objects.active = bpy.data.objects[name]
        bpy.ops.rigidbody.object_add()
    bpy.ops.object.empty_add()
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    held = bpy.context.object.rigid_body_constraint
    held.object1, held.object2 = bpy.data.objects["Wall"], bpy.data.objects["Door"]


def _places() -> Any:
    return sorted(
        (obj.name, *(round(v, 4) for row in obj.matrix_world for v in row))
        for obj in bpy.data.objects
    )


def _settings() -> Any:
    return [str(joint.omi_joint.settings_to_core()) for joint in _joints()]


def _selected() -> Any:
    return sorted(obj.name for obj in bpy.context.selected_objects)


def _collide() -> Any:
    return [joint.omi_joint.enable_collision for joint in _joints()]


def _orders() -> Any:
    joint = _joint().omi_joint
    lists = [[str(item.to_core()) for item in items] for items in (joint.limits, joint.drives)]
    return lists, joint.active_limit, joint.active_drive


def _body_values() -> Any:
    return [
        (obj.name, obj.omi_body.motion_type, obj.omi_body.mass, obj.omi_body.collider.shape.type)
        for obj in bpy.data.objects
    ]


_ADJUSTABLE: list[Any] = [
    (
        "joint_add",
        _bodies,
        [
            ({"preset": "SLIDER"}, _settings),
            ({"axis": "Y"}, _places),
            ({"use_reverse": True}, _places),
            ({"axis": "FACE", "use_reverse": False}, _places),
            ({"pivot": "ACTIVE"}, _places),
            ({"min_distance": -0.1}, _settings),
            ({"max_distance": 0.9}, _settings),
            ({"use_range": False}, _settings),
            ({"enable_collision": True}, _collide),
            ({"preset": "PLANAR", "use_range": True, "radius": 2.0}, _settings),
            ({"preset": "BALL_WITH_CONE", "cone": 0.3}, _settings),
            ({"twist": 0.2}, _settings),
            ({"preset": "SUSPENSION_SPRING", "travel": 0.3}, _settings),
            ({"stiffness": 5.0}, _settings),
            ({"damping": 3.0}, _settings),
            ({"position_distance": 0.05}, _settings),
            ({"preset": "HINGE_MOTOR", "velocity_target": 1.0}, _settings),
            ({"max_force": 7.0}, _settings),
            ({"preset": "POSITION_SERVO", "position_angle": 0.4}, _settings),
            ({"min_angle": -0.3}, _settings),
            ({"max_angle": 0.8}, _settings),
        ],
    ),
    ("joint_axis_set", _hinge, [({"axis": "X"}, _places), ({"use_reverse": True}, _places)]),
    (
        "joint_mirror",
        _hinge,
        [({"axis": "Y"}, _places), ({"space": "OBJECT", "axis": "X"}, _places)],
    ),
    ("joint_frame_snap", _hinge, [({"end": "CONNECTED"}, _places)]),
    (
        "joint_preset_apply",
        _hinge,
        [({"preset": "SLIDER"}, _settings), ({"max_distance": 2.0}, _settings)],
    ),
    ("joint_limit_move", _middle_limit, [({"direction": "DOWN"}, _orders)]),
    ("joint_drive_move", _motor, [({"direction": "DOWN"}, _orders)]),
    ("joint_bodies_select", _hinge, [({"extend": True}, _selected)]),
    (
        "joint_limits_fit",
        _animated,
        [({"margin": 0.3}, _settings), ({"distance_margin": 0.2}, _settings)],
    ),
    (
        "body_add",
        _bodies,
        [({"motion_type": "STATIC"}, _body_values), ({"shape": "SPHERE"}, _body_values)],
    ),
    ("body_shape_fit", _shape, [({"shape": "CAPSULE"}, _body_values)]),
    ("body_mass_from_density", _shape, [({"density": 10.0}, _body_values)]),
    ("rigid_body_constraint_convert", _constraint, [({"keep_constraints": True}, _places)]),
]
"""Operators with values, what to start from, and what each value changes."""
