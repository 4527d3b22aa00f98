"""Scenarios that go wrong, for test_harness: each in its own way."""

import os

import bpy
from harness import Gui, Steps


def fails_an_assertion(gui: Gui) -> Steps:
    yield from gui.wait()
    assert 2 == 3, "two is not three"


def raises_in_a_draw_callback(gui: Gui) -> Steps:
    handler = bpy.types.SpaceView3D.draw_handler_add(lambda: 1 / 0, (), "WINDOW", "POST_VIEW")
    gui.region.tag_redraw()
    yield from gui.wait()
    bpy.types.SpaceView3D.draw_handler_remove(handler, "WINDOW")


def writes_an_expected_line(gui: Gui) -> Steps:
    gui.expect("^Error: as it should$")
    print("Error: as it should")
    yield


def crashes(gui: Gui) -> Steps:
    yield from gui.wait()
    os.abort()


def passes_after_a_crash(gui: Gui) -> Steps:
    yield from gui.wait()
