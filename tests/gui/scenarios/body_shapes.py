"""Collision shapes in the viewport and bodies in the Physics tab, as a user sees them."""

import bpy
from harness import Gui, Steps, near

GREEN, BLUE = 1, 2


def shapes_of_empties_are_drawn_where_they_are(gui: Gui) -> Steps:
    capsule = _add_shape("Capsule", "CAPSULE", (-2.0, 0.0, 0.0))
    capsule.omi_body.collider.shape.height = 2.0
    _add_shape("Cylinder", "CYLINDER", (0.0, 0.0, 0.0))
    box = _add_shape("Box", "BOX", (2.0, 0.0, 0.0), trigger=True)
    box.omi_body.trigger.shape.size = (1.0, 1.0, 2.0)
    gui.look()
    picture = yield from gui.picture("shapes")
    # The capsule's tip is half its height and a radius above its middle.
    assert _is_coloured(near(picture, gui.to_window((-2.0, 0.0, 1.5))), GREEN), "no capsule"
    assert _is_coloured(near(picture, gui.to_window((0.5, 0.0, 0.2))), GREEN), "no cylinder"
    assert _is_coloured(near(picture, gui.to_window((2.5, 0.0, 0.5))), BLUE), "no trigger"
    capsule.location.z = -1.0
    picture = yield from gui.picture("shapes-moved")
    assert not _is_coloured(near(picture, gui.to_window((-2.0, 0.0, 1.5))), GREEN), "old capsule"
    assert _is_coloured(near(picture, gui.to_window((-2.0, 0.0, 0.5))), GREEN), "no moved capsule"


def meshes_show_their_shape_where_selected(gui: Gui) -> Steps:
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4)
    bpy.ops.omi.body_add(shape="BOX")
    gui.look()
    picture = yield from gui.picture("selected")
    assert _is_coloured(near(picture, gui.to_window((1.0, 0.0, 0.9))), GREEN), "no box"
    bpy.context.object.select_set(False)
    picture = yield from gui.picture("deselected")
    assert not _is_coloured(near(picture, gui.to_window((1.0, 0.0, 0.9))), GREEN), "box stays"


def physics_tab_shows_the_body(gui: Gui) -> Steps:
    bpy.ops.mesh.primitive_cylinder_add()
    bpy.ops.omi.body_add()
    bpy.ops.omi.body_inertia_from_shape()
    yield from _show_wide(gui)
    yield from gui.picture("physics")


def physics_tab_shows_the_body_of_a_rigid_body(gui: Gui) -> Steps:
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.rigidbody.object_add()
    bpy.context.object.omi_body.trigger.enabled = True
    yield from _show_wide(gui)
    yield from gui.picture("rigid")


def _add_shape(
    name: str, shape: str, location: tuple[float, float, float], *, trigger: bool = False
) -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.location = location
    bpy.context.scene.collection.objects.link(empty)
    body = empty.omi_body
    if trigger:
        body.trigger.enabled = True
        body.trigger.shape.type = shape
    else:
        body.collider.source = "CUSTOM"
        body.collider.shape.type = shape
    return empty


def _is_coloured(pixels, channel: int) -> bool:
    """Return whether a pixel is clearly of the colour of one channel."""
    values = pixels.reshape(-1, pixels.shape[-1])[:, :3].astype(int)
    return bool((values[:, channel] - values[:, 0]).max() > 60)


def _show_wide(gui: Gui) -> Steps:
    """Show the Physics tab in half of the viewport."""
    bpy.ops.screen.area_split(direction="VERTICAL", factor=0.45)
    yield from gui.wait()
    area = gui.viewport
    area.type = "PROPERTIES"
    yield from gui.wait()
    yield from gui.show_properties("PHYSICS")
