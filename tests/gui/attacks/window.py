"""Attacks on previews in a real window that `make attack` runs."""

import addon_utils
import bpy
from harness import ADDON, Gui, Steps, addon
from hostile_window import (
    assert_usable,
    begin,
    channels,
    leave,
    random_events,
    running,
    simulate,
)


def workspaces_are_switched(gui: Gui) -> Steps:
    begin(gui)
    before = channels()
    yield from simulate(gui)
    for name in ("Modeling", "Animation", "Layout"):
        if name in bpy.data.workspaces:
            bpy.context.window.workspace = bpy.data.workspaces[name]
            yield from gui.wait(6)
    yield from leave(gui)
    assert channels() == before
    yield from assert_usable(gui)


def a_second_window_comes_and_goes(gui: Gui) -> Steps:
    begin(gui)
    before = channels()
    bpy.ops.wm.window_new()
    yield from gui.wait(4)
    yield from simulate(gui)
    second = bpy.context.window_manager.windows[-1]
    with bpy.context.temp_override(window=second):
        bpy.ops.ed.undo_push(message="in the second window")
        bpy.ops.wm.window_close()
    yield from gui.wait(6)
    yield from leave(gui)
    assert channels() == before
    yield from assert_usable(gui)


def undo_and_redo_again_and_again(gui: Gui) -> Steps:
    begin(gui)
    before = channels()
    for _ in range(3):
        yield from simulate(gui)
        gui.remember()
        yield from gui.key("Z", ctrl=True)
        yield from gui.until(lambda: running() is None)
        yield from gui.key("Z", ctrl=True, shift=True)
        yield from gui.wait(3)
    yield from leave(gui)
    assert channels() == before
    yield from assert_usable(gui)


def the_body_is_renamed_and_parented(gui: Gui) -> Steps:
    bob = begin(gui)
    yield from simulate(gui)
    bob.name = "Another"
    bob.parent = bpy.data.objects["Beam"]
    yield from gui.wait(6)
    yield from leave(gui)
    assert tuple(bpy.data.objects["Another"].location) == tuple(bob.location)
    yield from assert_usable(gui)


def another_scene_is_shown(gui: Gui) -> Steps:
    begin(gui)
    before, first = channels(), bpy.context.scene
    yield from simulate(gui)
    bpy.context.window.scene = bpy.data.scenes.new("Second")
    yield from gui.until(lambda: running() is None)
    bpy.context.window.scene = first
    yield from gui.wait(4)
    assert channels() == before
    yield from leave(gui)
    yield from assert_usable(gui)


def the_scene_is_removed(gui: Gui) -> Steps:
    begin(gui)
    second = bpy.data.scenes.new("Second")
    first = bpy.context.scene
    yield from simulate(gui)
    bpy.data.scenes.remove(first)
    yield from gui.wait(6)
    assert bpy.context.scene == second
    assert running() is None
    yield from leave(gui)
    yield from assert_usable(gui)


def the_extension_is_disabled_meanwhile(gui: Gui) -> Steps:
    begin(gui)
    before = [tuple(obj.location) for obj in bpy.context.scene.objects]
    yield from simulate(gui)
    addon("preview.session").stop()
    yield from gui.wait(4)
    addon_utils.disable(ADDON)
    yield from gui.wait(4)
    assert [tuple(obj.location) for obj in bpy.context.scene.objects] == before
    addon_utils.enable(ADDON)
    yield from gui.wait(4)
    yield from assert_usable(gui)


def the_editor_becomes_another(gui: Gui) -> Steps:
    begin(gui)
    before = channels()
    area = gui.viewport
    yield from simulate(gui)
    area.type = "NODE_EDITOR"
    yield from gui.wait(6)
    area.type = "VIEW_3D"
    yield from gui.wait(4)
    yield from leave(gui)
    assert channels() == before
    yield from assert_usable(gui)


def random_events_3(gui: Gui) -> Steps:
    yield from random_events(gui, 3)


def random_events_4(gui: Gui) -> Steps:
    yield from random_events(gui, 4)


def random_events_5(gui: Gui) -> Steps:
    yield from random_events(gui, 5)


def random_events_6(gui: Gui) -> Steps:
    yield from random_events(gui, 6)


def random_events_7(gui: Gui) -> Steps:
    yield from random_events(gui, 7)


def random_events_8(gui: Gui) -> Steps:
    yield from random_events(gui, 8)
