"""The extension is there, and the harness does what a user's hands do."""

import bpy
import numpy as np
from harness import ADDON, TOP, Gui, Steps, has_colour, near


def extension_is_enabled(gui: Gui) -> Steps:
    assert ADDON in bpy.context.preferences.addons
    assert not bpy.data.objects, "the file is not empty"
    yield from gui.show_sidebar("Joints")
    yield from gui.picture("sidebar")


def box_select_and_undo(gui: Gui) -> Steps:
    empty = _add_empty((1.0, 2.0, 0.0))
    empty.select_set(False)
    gui.look(rotation=TOP)
    gui.remember()
    yield from gui.wait()
    x, y = gui.to_window(empty.location)
    yield from gui.drag((x - 60, y - 60), (x + 60, y + 60))
    assert empty.select_get(), "the box did not select"
    yield from gui.key("Z", ctrl=True)
    assert not bpy.data.objects["Empty"].select_get(), "undo did not deselect"


def view_axes_are_where_and_as_they_should_be(gui: Gui) -> Steps:
    gui.look(rotation=TOP)
    picture = yield from gui.picture("axes")
    red, green = near(picture, gui.to_window((1, 0, 0))), near(picture, gui.to_window((0, 1, 0)))
    assert red[:, 0].max() > red[:, 1:].max() + 30, "no red axis along X"
    assert green[:, 1].max() > np.delete(green, 1, axis=1).max() + 30, "no green axis along Y"
    assert not has_colour(near(picture, gui.to_window((2.5, 2.5, 0))), (255, 255, 255))


def _add_empty(location: tuple[float, float, float]) -> bpy.types.Object:
    empty = bpy.data.objects.new("Empty", None)
    empty.location = location
    bpy.context.scene.collection.objects.link(empty)
    return empty
