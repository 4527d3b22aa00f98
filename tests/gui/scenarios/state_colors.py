"""Colors of states, seen: a fresh cone has none, what is violated cannot be overlooked."""

from pathlib import Path

import bpy
import numpy as np
from harness import Gui, Picture, Steps, addon, has_colour
from joint_scenes import HINGE, LOCKED, add_joint
from mathutils import Matrix

VIEW = (1.0, 0.0, 0.5)
CONE = (*LOCKED, {"angular_axes": (0, 1), "max": 0.7})
AMBER, MAGENTA = (255, 166, 26), (255, 0, 217)


def a_fresh_cone_is_not_at_a_limit(gui: Gui) -> Steps:
    # Numbers have the color of the selection, which is near to amber.
    options = addon("properties.overlay").overlay_options(bpy.context)
    options.show_numbers = False
    add_joint(*CONE)
    picture = yield from _seen(gui, "fresh-cone")
    options.show_numbers = True
    assert not has_colour(picture, AMBER, tolerance=30)
    assert not has_colour(picture, MAGENTA, tolerance=30)


def frames_that_are_torn_apart_are_magenta(gui: Gui) -> Steps:
    for theme in ("Dark", "Light"):
        _use_theme(theme)
        bpy.ops.object.select_all(action="DESELECT")
        add_joint(*HINGE, pose=Matrix.Translation((0.4, -0.2, 0.0)))
        picture = yield from _seen(gui, f"torn-{theme}")
        assert _count(picture, MAGENTA) > 100, _count(picture, MAGENTA)
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
    _use_theme("Dark")


def a_range_that_is_left_is_magenta(gui: Gui) -> Steps:
    """Also behind a cube that hides it."""
    add_joint(*HINGE, pose=Matrix.Rotation(2.2, 4, "Z"))
    picture = yield from _seen(gui, "left")
    assert _count(picture, MAGENTA) > 300, _count(picture, MAGENTA)
    joint = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=0.5)
    bpy.context.object.select_set(False)
    joint.select_set(True)
    bpy.context.view_layer.objects.active = joint
    yield from _seen(gui, "left-hidden")
    gui.viewport.spaces.active.shading.show_xray = True
    yield from _seen(gui, "left-xray")
    gui.viewport.spaces.active.shading.show_xray = False


def _seen(gui: Gui, name: str) -> Picture:
    gui.look((0.1, 0.0, 0.0), rotation=VIEW, distance=3.5)
    yield from gui.wait(12)
    picture = yield from gui.picture(name)
    region = gui.region
    left, bottom = region.x + 60, region.y + 20
    return picture[bottom : region.y + region.height - 60, left : region.x + region.width - 60]


def _count(picture: Picture, color: tuple[int, int, int]) -> int:
    difference = np.abs(picture.reshape(-1, 3).astype(int) - color)
    return int((difference <= 60).all(axis=-1).sum())


def _use_theme(name: str) -> None:
    (file,) = Path(bpy.utils.resource_path("SYSTEM")).rglob(f"Blender_{name}.xml")
    bpy.ops.script.execute_preset(
        filepath=str(file), menu_idname="USERPREF_MT_interface_theme_presets"
    )
