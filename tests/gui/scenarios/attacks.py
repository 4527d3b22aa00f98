"""Attacks on previews in a real window that run every time; more are in `tests/gui/attacks`."""

import tempfile
from pathlib import Path

import bpy
from harness import Gui, Steps, addon
from hostile_window import assert_usable, begin, channels, leave, random_events, running, simulate


def escape_while_a_body_is_pulled(gui: Gui) -> Steps:
    bob = begin(gui)
    before = channels()
    yield from simulate(gui)
    graph = bpy.context.evaluated_depsgraph_get()
    shown = bob.evaluated_get(graph).matrix_world.translation
    yield from gui.approach(gui.to_window(shown))
    yield from gui.press()
    yield from gui.pull(gui.to_window((0.0, 0.0, 1.0)), steps=3)
    yield from gui.key("ESC")
    yield from gui.release()
    yield from leave(gui)
    assert channels() == before
    yield from assert_usable(gui)


def the_previewed_body_is_deleted(gui: Gui) -> Steps:
    bob = begin(gui)
    before = channels()
    del before["Bob"]
    yield from simulate(gui)
    bpy.data.objects.remove(bob)
    yield from gui.wait(6)
    yield from leave(gui)
    assert {name: value for name, value in channels().items() if name == "Beam"} == {
        "Beam": before["Beam"]
    }
    yield from assert_usable(gui)


def another_file_is_opened_meanwhile(gui: Gui) -> Steps:
    begin(gui)
    path = str(Path(tempfile.mkdtemp()) / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    before = channels()
    yield from simulate(gui)
    bpy.ops.wm.open_mainfile(filepath=path)
    yield from gui.wait(6)
    assert running() is None
    assert channels() == before
    yield from leave(gui)
    yield from assert_usable(gui)


def handlers_are_cleared_meanwhile(gui: Gui) -> Steps:
    begin(gui)
    before = channels()
    yield from simulate(gui)
    for name in dir(bpy.app.handlers):
        handlers = getattr(bpy.app.handlers, name)
        if isinstance(handlers, list) and name != "persistent":
            handlers.clear()
    yield from gui.wait(6)
    yield from leave(gui)
    assert running() is None
    assert channels() == before
    addon("scene.watch").attach()
    yield from assert_usable(gui)


def random_events_1(gui: Gui) -> Steps:
    yield from random_events(gui, 1)


def random_events_2(gui: Gui) -> Steps:
    yield from random_events(gui, 2)
