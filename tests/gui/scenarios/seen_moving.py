"""Bodies that previews move, seen: pixels of their meshes alone, as Blender draws them at first."""

import tempfile
from pathlib import Path

import bpy
from harness import Gui, Steps, addon, changed_pixels
from joint_scenes import activate

MOST_STILL = 60
"""Pixels that may differ between two pictures of a scene at rest."""


def a_swept_door_is_seen_to_move(gui: Gui) -> Steps:
    _, joint = _door(gui)
    activate(joint)
    before = yield from _seen(gui, "door")
    bpy.ops.omi.preview_range("INVOKE_DEFAULT")
    bpy.context.window_manager.omi_preview.about_z = 0.5
    yield from gui.wait(30)  # more redraws than anti-aliasing has samples
    ajar = yield from _seen(gui, "ajar")
    assert changed_pixels(before, ajar) > 2000, changed_pixels(before, ajar)
    bpy.context.window_manager.omi_preview.about_z = 1.3
    yield from gui.wait(30)
    opened = yield from _seen(gui, "open")
    assert changed_pixels(ajar, opened) > 2000, changed_pixels(ajar, opened)
    yield from gui.key("ESC")
    yield from gui.wait(30)
    after = yield from _seen(gui, "back")
    assert changed_pixels(before, after) < MOST_STILL, changed_pixels(before, after)


def a_simulated_door_is_drawn_where_it_is(gui: Gui) -> Steps:
    """It falls while views are redrawn, and looks like a door that was placed there."""
    door, _ = _door(gui)
    # Light on faces whose matrix was written stays as it was at rest.
    gui.viewport.spaces.active.shading.light = "FLAT"
    activate(door)
    bpy.ops.wm.save_as_mainfile(
        filepath=str(Path(tempfile.mkdtemp(dir=bpy.app.tempdir)) / "door.blend")
    )
    bpy.context.scene.gravity = (0.0, 9.81, 0.0)
    before = yield from _seen(gui, "rest")
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    running = addon("preview.session").running
    yield from gui.until(lambda: running().simulation.time > 0.4)
    bpy.ops.omi.preview_control(command="PAUSE")
    yield from gui.wait(30)
    fallen = yield from _seen(gui, "fallen")
    shown = door.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.copy()
    assert changed_pixels(before, fallen) > 2000, changed_pixels(before, fallen)
    assert not bpy.data.is_dirty
    yield from gui.key("ESC")
    yield from gui.wait(3)
    door.matrix_world = shown
    yield from gui.wait(30)
    placed = yield from _seen(gui, "placed")
    assert changed_pixels(placed, fallen) < MOST_STILL, changed_pixels(placed, fallen)


def _door(gui: Gui) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Hang a door, and show meshes alone."""
    gui.look((0.4, 0, 0), rotation=(1.0, 0.0, 0.5), distance=9)
    space = gui.viewport.spaces.active
    space.overlay.show_overlays = space.show_gizmo = False
    cubes = []
    for name, x, scale in (("Frame", -0.15, (0.3, 0.3, 2.5)), ("Door", 0.83, (1.6, 0.1, 2.2))):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(x, 0, 0))
        bpy.context.object.name, bpy.context.object.scale = name, scale
        cubes.append(bpy.context.object)
    frame, door = cubes
    activate(door)
    frame.select_set(True)
    bpy.context.view_layer.objects.active = frame
    bpy.ops.omi.joint_add(preset="HINGE", min_angle=-1.9, max_angle=1.9)
    return door, bpy.context.object


def _seen(gui: Gui, name: str) -> Steps:
    """Return the pixels of the view."""
    picture = yield from gui.picture(name)
    return gui.view_of(picture)
