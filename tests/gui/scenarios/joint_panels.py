"""Making a joint with the sidebar and the menus, and its panels, as a user sees them."""

from typing import Any

import bpy
from harness import Gui, Steps, addon


def physics_tab_shows_the_joint(gui: Gui) -> Steps:
    _add_door()
    assert bpy.ops.omi.joint_add(preset="POSITION_SERVO", axis="Z") == {"FINISHED"}
    yield from _show_wide(gui)
    yield from gui.picture("physics")


def a_body_is_typed_or_picked(gui: Gui) -> Steps:
    """By its name, then by the eyedropper in the viewport; each is one step of undo."""
    joint = _add_hinge_and_lamp().name
    gui.look((0.0, 0.0, 1.0), distance=14.0)
    gui.remember()
    yield from _show_wide(gui)
    editor = gui.region_of(gui.area("PROPERTIES"), "WINDOW")
    wanted = "omi.joint_body_pick", "JOINT"
    yield from gui.click((yield from gui.find(editor, *wanted, columns=(0.8, 0.84, 0.88, 0.92))))
    yield from gui.click(gui.to_window((0.0, 0.0, 3.0)))
    yield from gui.until(lambda: bpy.data.objects[joint].omi_joint_body == "Lamp", seconds=30.0)
    assert bpy.data.objects["Lamp"].omi_body.motion_type == "DYNAMIC"
    yield from gui.picture("picked")
    yield from gui.key("Z", ctrl=True)
    assert bpy.data.objects[joint].omi_joint_body == "Door"
    assert bpy.data.objects["Lamp"].omi_body.motion_type == "NONE"
    field = yield from gui.find(editor, "omi_joint_body")
    yield from gui.click(field)
    yield from gui.wait(3)
    yield from gui.write("Lamp", "<RET>")
    yield from gui.until(lambda: bpy.data.objects[joint].omi_joint_body == "Lamp", seconds=30.0)
    yield from gui.picture("typed")


def fields_list_bodies_only_when_opened(gui: Gui) -> Steps:
    """A draw asks for no choices; Return takes the first that what is typed finds."""
    joint = _add_hinge_and_lamp()
    bodies, listed = addon("operators.joint.bodies"), []
    choices = bodies._choices

    def counted(scene: bpy.types.Scene) -> Any:
        listed.append(scene)
        return choices(scene)

    bodies._choices = counted
    try:
        yield from _show_wide(gui)
        editor = gui.region_of(gui.area("PROPERTIES"), "WINDOW")
        field = yield from gui.find(editor, "omi_joint_body")
        assert not listed
        yield from gui.click(field)
        yield from gui.until(lambda: bool(listed), seconds=30.0)
        yield from gui.picture("listed")
    finally:
        bodies._choices = choices
    yield from gui.write("Lam", "<RET>")
    yield from gui.until(lambda: joint.omi_joint_body == "Lamp", seconds=30.0)


def physics_tab_says_what_is_wrong(gui: Gui) -> Steps:
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE")
    bpy.context.object.omi_joint.connected_object = None
    yield from _show_wide(gui)
    yield from gui.picture("findings")


def sidebar_lists_the_joints(gui: Gui) -> Steps:
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE")
    yield from gui.show_sidebar("Joints")
    yield from gui.picture("sidebar")


def open_panels_are_drawn_once(gui: Gui) -> Steps:
    """Nothing that a panel draws has Blender draw the window again."""
    _add_door()
    bpy.ops.omi.joint_add(preset="HINGE")
    joint, bodies = bpy.context.object, [obj for obj in bpy.data.objects if obj.type == "MESH"]
    yield from gui.show_sidebar("Joints")
    draws: list[int] = []
    space = bpy.types.SpaceView3D
    handle = space.draw_handler_add(lambda: draws.append(1), (), "UI", "POST_PIXEL")
    for active in (joint, *bodies):
        bpy.context.view_layer.objects.active = active
        active.select_set(True)
        gui.region_of(gui.viewport, "UI").tag_redraw()
        yield from gui.wait(10)
        draws.clear()
        yield from gui.wait(10)
        assert not draws, active.name
    space.draw_handler_remove(handle, "UI")


def redo_panel_keeps_the_pair(gui: Gui) -> Steps:
    """Undo and repeat with another preset, as the redo panel does: one joint, of the new kind."""
    _add_door()
    gui.remember()
    x, y = gui.to_window((0.0, 0.0, 0.0))
    yield from gui.move((x, y))
    bpy.ops.omi.joint_add("INVOKE_DEFAULT", True, preset="SLIDER")
    yield from gui.wait()
    yield from gui.key("F9")
    yield from gui.wait(4)
    yield from gui.picture("redo")
    yield from gui.key("ESC")
    joints = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    assert len(joints) == 1
    yield from gui.key("Z", ctrl=True)
    assert len(bpy.context.scene.objects) == 2, "one undo does not remove the joint"


def menu_adds_a_joint(gui: Gui) -> Steps:
    _add_door()
    x, y = gui.to_window((0.0, 0.0, 0.0))
    yield from gui.move((x, y))
    bpy.ops.wm.call_menu(name="OMI_MT_joint_add")
    yield from gui.wait(3)
    yield from gui.picture("menu")
    yield from gui.key("ESC")


def _show_wide(gui: Gui) -> Steps:
    """Show the Physics tab in half of the viewport."""
    bpy.ops.screen.area_split(direction="VERTICAL", factor=0.45)
    yield from gui.wait()
    gui.viewport.type = "PROPERTIES"
    yield from gui.wait()
    yield from gui.show_properties("PHYSICS")


def _add_hinge_and_lamp() -> Any:
    """Return a joint between two bodies, below an object that is none."""
    _add_door()
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 3.0))
    bpy.context.object.name = "Lamp"
    for name in ("Door", "Wall"):
        bpy.data.objects[name].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[name]
    bpy.data.objects["Lamp"].select_set(False)
    bpy.ops.omi.joint_add(preset="HINGE")
    return bpy.context.object


def _add_door() -> None:
    for name, x in (("Wall", -1.5), ("Door", 1.5)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    bpy.data.objects["Wall"].select_set(True)
    bpy.data.objects["Door"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Wall"]


def texts_are_in_the_language_of_the_preferences(gui: Gui) -> Steps:
    """Blender's own lookup, with a language that a dictionary of the extension brings."""
    translations, view = bpy.app.translations, bpy.context.preferences.view
    undamped = addon("core.checks.limits").SOFT_UNDAMPED
    words = {
        ("Operator", "Swap Joint Ends"): "Enden tauschen",
        ("*", undamped.sentence): "Grenze {number} schwingt",
    }
    translations.register("omi_test", {"de_DE": words})
    view.language = "de_DE"
    try:
        yield
        name = bpy.ops.omi.joint_ends_swap.get_rna_type().name
        assert translations.pgettext_iface(name, "Operator") == "Enden tauschen"
        message = undamped("Hinge", "/limits/0", number=2).message
        assert addon("translation").translated(message) == "Grenze 2 schwingt"
    finally:
        view.language = "en_US"
        translations.unregister("omi_test")
