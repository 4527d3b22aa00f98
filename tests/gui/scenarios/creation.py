"""Making joints by hand: what a click, the redo panel and a key do, read where a user reads it."""

import math
from typing import Any

import bpy
from adjustable import CASES
from adjustable_scenes import clear
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
    yield from gui.redo(axis="X")
    assert _joint().matrix_world.col[2].x < -0.99, "the redo panel did not turn the axis"
    yield from gui.redo(use_reverse=True)
    assert _joint().matrix_world.col[2].x > 0.99, "the redo panel did not reverse the axis"
    yield from gui.redo(max_angle=math.radians(110.0))
    assert abs(_joint().omi_joint.limits[-1].max - math.radians(110.0)) < 1e-5
    yield from gui.redo(preset="SLIDER")
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
    yield from gui.click((at[0] + 120, at[1] - 122))  # the X in the row of axes
    yield from gui.wait(2)
    yield from gui.picture("redo-clicked")
    assert _joint().matrix_world.col[2].x < -0.99, "a click in the redo panel has no effect"
    yield from gui.move((at[0] - 350, at[1] - 150))


def every_operator_is_adjusted_by_its_redo_panel(gui: Gui) -> Steps:
    """Run each operator that has values, and change each of these as the redo panel does."""
    gui.look()
    # The zip of these scenarios has no wheels; `tests/blender/test_redo.py` adjusts the others.
    for case in (each for each in CASES if not each.needs_mujoco):
        clear()
        values = case.start() or {}
        # On the face of the second body, near one of its corners.
        yield from gui.move(gui.to_window((0.9, -1.0, 0.7)))
        gui.remember()
        way = "INVOKE_DEFAULT" if case.is_invoked else "EXEC_DEFAULT"
        assert getattr(bpy.ops.omi, case.name)(way, True, **values) == {"FINISHED"}, case.name
        yield from gui.wait()
        for changed, effect in case.changes:
            before = effect()
            yield from gui.redo(**changed)
            assert effect() != before, f"{case.name}: {changed} has no effect by the redo panel"


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
    wanted = Matrix().col[2].xyz * math.radians(110.0)

    def is_open() -> bool:
        seen = door.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
        turned = (seen.to_3x3() @ rest.to_3x3().inverted()).to_quaternion()
        return (turned.axis * turned.angle - wanted).length < 1e-3

    # A preview ticks at the frame rate, however quickly the window is drawn.
    yield from gui.until(is_open)
    yield from gui.picture("door-open")
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
    """Copy the limits of a hinge and paste them onto a slider, both by keys."""
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE", max_angle=0.7)
    hinge = _joint()
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    yield from gui.key("C", shift=True, alt=True)
    yield from gui.wait()
    assert '"omi_joint_settings"' in bpy.context.window_manager.clipboard
    bpy.ops.mesh.primitive_cube_add(location=(0.0, 5.0, 0.0))
    bpy.data.objects["Wall"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Wall"]
    bpy.ops.omi.joint_add(preset="SLIDER")
    slider = bpy.context.object
    yield from gui.wait()
    yield from gui.key("V", shift=True, alt=True)
    yield from gui.wait()
    assert slider.omi_joint.settings_to_core() == hinge.omi_joint.settings_to_core()


def keys_are_shown_in_the_preferences_and_taken_by_nobody_else(gui: Gui) -> Steps:
    """No key of ours is one of Blender's in Object Mode, Pose Mode or in what lies around them."""
    yield from gui.wait()
    keys = bpy.context.window_manager.keyconfigs
    ours = []
    for keymap in ("Object Mode", "Pose"):
        own = [
            item
            for item in keys.addon.keymaps[keymap].keymap_items
            if item.idname.startswith("omi.")
            or (item.idname == "wm.call_menu_pie" and "OMI" in item.properties.name)
        ]
        assert [item.to_string() for item in own] == [f"Shift Alt {letter}" for letter in "JCVH"]
        shown = keys.user.keymaps[keymap].keymap_items
        assert all(any(item.idname == each.idname for item in shown) for each in own)
        ours += own
    around = (
        "Object Mode",
        "Pose",
        "Object Non-modal",
        "3D View",
        "3D View Generic",
        "Window",
        "Screen",
    )
    taken = {
        item.to_string(): f"{name}: {item.idname}"
        for name in (*around, "Screen Editing", "User Interface", "Frames")
        if name in keys.default.keymaps
        for item in keys.default.keymaps[name].keymap_items
        if item.active
    }
    assert len(taken) > 200, len(taken)
    found = {item.to_string(): taken.get(item.to_string()) for item in ours}
    assert not any(found.values()), found


def _joints() -> list[Any]:
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def _joint() -> Any:
    (joint,) = _joints()
    return joint


def _add_door() -> None:
    for name, x in (("Wall", -1.5), ("Door", 1.5)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    bpy.data.objects["Wall"].select_set(True)
    bpy.data.objects["Door"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Wall"]
