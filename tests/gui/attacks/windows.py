"""Attacks on previews by several windows, their screens and their editors, for `make attack`."""

import addon_utils
import bpy
from harness import ADDON, Gui, Steps
from hostile_window import (
    assert_usable,
    begin,
    channels,
    leave,
    running,
    second_window,
    simulate,
)
from hostile_windows import close_others, random_windows, undone

LONGEST = 600.0


def screens_are_rearranged(gui: Gui) -> Steps:
    """Maximized, full screen, split, four views and other editors, and the preview goes on."""
    begin(gui)
    before = channels()
    yield from simulate(gui)
    preview = running()
    for options in ({}, {"use_hide_panels": True}):
        for _ in range(2):
            with bpy.context.temp_override(**gui.context()):
                bpy.ops.screen.screen_full_area(**options)
            yield from _goes_on(gui)
    for _ in range(2):
        with bpy.context.temp_override(**gui.context()):
            bpy.ops.screen.region_quadview()
        yield from _goes_on(gui)
    with bpy.context.temp_override(**gui.context()):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=0.5)
    yield from _goes_on(gui)
    with bpy.context.temp_override(**gui.context()):
        bpy.ops.screen.area_close()
    yield from _goes_on(gui)
    assert running() is preview
    yield from gui.move((gui.viewport.x + 80, gui.viewport.y + 150))
    yield from gui.key("ESC")
    yield from gui.until(lambda: running() is None)
    yield from gui.picture("left")
    assert channels() == before
    yield from assert_usable(gui)


def the_window_of_a_preview_is_closed(gui: Gui) -> Steps:
    """The preview ends with the window that it was started in, and others see it."""
    begin(gui)
    before = channels()
    second = yield from second_window(gui)
    gui.use(second)
    with bpy.context.temp_override(**gui.context()):
        assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    preview = running()
    yield from gui.until(lambda: preview.simulation.time > 0.15)
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield from gui.until(lambda: running() is None)
    gui.use(bpy.context.window_manager.windows[0])
    assert channels() == before
    yield from leave(gui)
    yield from assert_usable(gui)


def three_windows_with_two_scenes(gui: Gui) -> Steps:
    """Another scene in another window is its own affair; steps of undo hold no pose."""
    begin(gui)
    before = channels()
    second = yield from second_window(gui, is_main=True)
    second.scene = bpy.data.scenes.new("Second")
    third = yield from second_window(gui)
    yield from simulate(gui)
    preview = running()
    yield from _goes_on(gui)
    for window in (second, third):
        with bpy.context.temp_override(window=window):
            bpy.ops.ed.undo_push(message="meanwhile")
        yield from _goes_on(gui)
    assert running() is preview
    assert channels() == before
    gui.use(third)
    yield from gui.move((0.5 * third.width, 0.5 * third.height))
    yield from gui.key("ESC")
    yield from gui.until(lambda: running() is None)
    yield from close_others(gui)
    bpy.data.objects["Beam"].omi_body.mass = 3.0
    gui.remember()
    yield from undone(gui, before)


def the_extension_is_disabled_while_a_preview_runs(gui: Gui) -> Steps:
    begin(gui)
    before = [tuple(obj.location) for obj in bpy.context.scene.objects]
    second = yield from second_window(gui)
    yield from simulate(gui)
    yield from gui.wait(4)
    addon_utils.disable(ADDON)
    yield from gui.wait(4)
    assert [tuple(obj.location) for obj in bpy.context.scene.objects] == before
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield from gui.picture("disabled")
    addon_utils.enable(ADDON)
    yield from gui.wait(4)
    yield from assert_usable(gui)


def random_windows_5(gui: Gui) -> Steps:
    yield from random_windows(gui, 5, count=12)


def random_windows_6(gui: Gui) -> Steps:
    yield from random_windows(gui, 6, count=12)


def random_windows_of_many_joints(gui: Gui) -> Steps:
    yield from random_windows(gui, 1, count=10, joints=1000)


def _goes_on(gui: Gui) -> Steps:
    """Wait until the simulation has gone on, after events came again."""
    preview = running()
    assert preview is not None, "the preview ended"
    reached = preview.simulation.time
    yield from gui.move((gui.window.width * 0.45, gui.window.height * 0.5))
    yield from gui.until(lambda: preview.is_over or preview.simulation.time > reached, seconds=60.0)
    assert not preview.is_over, "the preview ended"
