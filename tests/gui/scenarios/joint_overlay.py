"""The overlay is there, in these colours, at these places, and gone where it should be."""

import math
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
import numpy as np
from harness import FRONT, TOP, Gui, Picture, Point, Steps, addon, near
from joint_scenes import HINGE, activate, add_joint, overlay, shown_joints
from mathutils import Matrix


def _excess(pixels: Picture, channel: int) -> int:
    """Return by how much a pixel's channel exceeds the others, for the best of the pixels."""
    others = np.delete(pixels.astype(int), channel, axis=1).max(axis=1)
    return int((pixels[:, channel].astype(int) - others).max())


def _look(gui: Gui) -> Steps:
    gui.look(rotation=TOP, distance=3.0)
    gui.viewport.spaces.active.overlay.show_axis_x = False
    gui.viewport.spaces.active.overlay.show_axis_y = False
    gui.viewport.tag_redraw()
    yield from gui.wait(3)


def _on_arc(gui: Gui, angle: float, radius: float = 1.0) -> Point:
    return gui.to_window((radius * np.cos(angle), radius * np.sin(angle), 0.0))


def hinge_is_a_blue_sector(gui: Gui) -> Steps:
    add_joint(*HINGE, pose=Matrix.Rotation(0.5, 4, "Z"))
    yield from _look(gui)
    picture = yield from gui.picture("hinge")
    assert _excess(near(picture, _on_arc(gui, 1.0)), 2) > 60, "no blue edge within the range"
    assert _excess(near(picture, _on_arc(gui, 1.0, 0.7), radius=1), 2) > 15, "no blue surface"
    assert _excess(near(picture, _on_arc(gui, -2.0)), 2) < 15, "blue outside the range"


def violation_is_magenta_even_unselected(gui: Gui) -> Steps:
    joint = add_joint(*HINGE, pose=Matrix.Rotation(2.5, 4, "Z"))
    joint.select_set(False)
    yield from _look(gui)
    picture = yield from gui.picture("violated")
    red, green, blue = near(picture, _on_arc(gui, 1.0)).astype(int).T[:3]
    assert (np.minimum(red, blue) - green).max() > 80, "no magenta edge"
    options = addon("properties.overlay").overlay_options(bpy.context)
    options.scope = "ACTIVE"
    bpy.context.view_layer.objects.active = None
    yield from gui.wait()
    assert shown_joints() == 1, "a violation hides behind the scope"
    options.show_problems = False
    gui.viewport.tag_redraw()
    yield from gui.wait()
    assert shown_joints() == 0
    options.scope, options.show_problems = "ALL", True


def overlay_obeys_blenders_switches(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    yield from _look(gui)
    assert shown_joints() == 1
    space = gui.viewport.spaces.active
    space.overlay.show_overlays = False
    yield from gui.wait()
    picture = yield from gui.picture("overlays-off")
    assert _excess(near(picture, _on_arc(gui, 1.0, 0.7)), 2) < 10, "drawn with overlays off"
    space.overlay.show_overlays = True
    joint.hide_set(True)
    yield from gui.wait()
    assert shown_joints() == 0, "a hidden joint is drawn"
    joint.hide_set(False)
    bpy.data.objects["Base"].select_set(True)
    joint.select_set(False)
    bpy.ops.view3d.localview()
    yield from gui.wait()
    assert shown_joints() == 0, "drawn in a local view without it"
    bpy.ops.view3d.localview()
    yield from gui.wait()
    assert shown_joints() == 1
    bpy.data.objects["Body"].select_set(True)
    bpy.ops.view3d.localview()
    yield from gui.wait()
    assert shown_joints() == 1, "not drawn in a local view of its bodies"
    bpy.ops.view3d.localview()
    yield from gui.wait()


def collection_instances_show_their_joints(gui: Gui) -> Steps:
    add_joint(*HINGE)
    collection = bpy.data.collections.new("Parts")
    for obj in list(bpy.context.scene.collection.objects):
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    instance = bpy.data.objects.new("Instance", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    instance.location = (0.4, 0.3, 0.0)
    bpy.context.scene.collection.objects.link(instance)
    yield from _look(gui)
    assert shown_joints() == 1
    x, y = 0.4 + 0.7 * np.cos(1.0), 0.3 + 0.7 * np.sin(1.0)
    picture = yield from gui.picture("instance")
    assert _excess(near(picture, gui.to_window((x, y, 0.0)), radius=1), 2) > 5, "not where it is"


def changes_are_seen(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    yield from _look(gui)
    joint.omi_joint.limits[2].max = 0.2
    gui.viewport.tag_redraw()
    yield from gui.wait()
    picture = yield from gui.picture("narrower")
    assert _excess(near(picture, _on_arc(gui, 1.0)), 2) < 15, "a script's change is not seen"
    gui.remember()
    joint.omi_joint.limits[2].max = 1.4
    gui.remember()
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait()
    bpy.data.objects.remove(bpy.data.objects["Connected"])
    yield from gui.wait()
    bpy.data.objects.remove(bpy.data.objects["Joint"])
    yield from gui.wait()
    assert shown_joints() == 0, "a deleted joint is drawn"
    assert not overlay().failures


def overlay_survives_reading_a_file(gui: Gui) -> Steps:
    add_joint(*HINGE)
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "hinge.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.data.objects.remove(bpy.data.objects["Joint"])
        yield from gui.wait()
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    yield from gui.wait(3)
    assert shown_joints() == 1
    bpy.context.view_layer.objects["Connected"].location.x = 0.2
    yield from gui.wait()
    assert shown_joints() == 1
    assert not overlay().failures


def failure_is_told_once_and_names_the_joint(gui: Gui) -> Steps:
    gui.expect("Traceback|Error")
    joint = add_joint(*HINGE)
    broken = joint.copy()
    broken.name = "Broken"
    bpy.context.scene.collection.objects.link(broken)
    bad = addon("core.model.joint").JointLimit(angular_axes=(2,), min=math.nan, max="high")
    settings = addon("core.model.joint").JointSettings(limits=(bad,))
    record = addon("scene.record")
    read = record.joint_to_core

    def read_one(obj: bpy.types.Object, *arguments: object) -> object:
        found = read(obj, *arguments)
        return replace(found, settings=settings) if obj.name == "Broken" else found

    record.joint_to_core = read_one
    try:
        for _ in range(3):
            gui.viewport.tag_redraw()
            yield from gui.wait()
    finally:
        record.joint_to_core = read
    assert len(overlay().failures) == 1, overlay().failures
    assert "Broken" in overlay().failures[0]
    assert "Joint," not in overlay().failures[0]
    assert shown_joints() == 1, "the other joint is not drawn"
    overlay().failures.clear()


def thousand_joints_are_built_once(gui: Gui) -> Steps:
    first = add_joint(*HINGE)
    for number in range(999):
        copy = first.copy()
        copy.location.x += 0.1 * number
        bpy.context.scene.collection.objects.link(copy)
    yield from _look(gui)
    yield from gui.until(lambda: shown_joints() == 1000)
    yield from gui.until(lambda: all(view.is_built for view in overlay().views.values()))
    yield from gui.wait(4)
    view = addon("overlay.view")
    kept, uploads = view.upload, []

    def upload(*arguments: Any) -> Any:
        uploads.append(arguments)
        return kept(*arguments)

    view.upload = upload
    try:
        for _ in range(5):
            gui.viewport.tag_redraw()
            yield from gui.wait(2)
    finally:
        view.upload = kept
    assert not uploads, "a redraw where nothing changed has built something"


def nothing_shown_costs_nothing(gui: Gui) -> Steps:
    add_joint(*HINGE)
    yield from _look(gui)
    options = addon("properties.overlay").overlay_options(bpy.context)
    options.show = False
    drawing, draw_scene = addon("overlay.drawing"), addon("gizmos.drawing").draw_scene
    kept, drawn = drawing.draw, []
    drawing.draw = lambda *arguments, **_options: drawn.append(arguments)
    try:
        draw_scene(bpy.context)
        assert not drawn
        options.show = True
        draw_scene(bpy.context)
        assert drawn
    finally:
        drawing.draw = kept


def popover_draws(gui: Gui) -> Steps:
    add_joint(*HINGE)
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    bpy.ops.wm.call_panel(name="VIEW3D_PT_overlay")
    yield from gui.wait(4)
    yield from gui.picture("popover")
    yield from gui.key("ESC")


def active_joint_names_the_owner_of_its_settings(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    owner = joint.copy()
    owner.name = "Owner"
    owner.location.x = 50.0
    bpy.context.scene.collection.objects.link(owner)
    yield from _look(gui)
    before = yield from gui.picture("own-settings")
    joint.omi_joint.settings_source = owner
    joint.update_tag()
    gui.look(rotation=FRONT, distance=3.0)
    yield from gui.wait()
    picture = yield from gui.picture("shared-settings")
    text = near(picture, gui.to_window((0.0, 0.0, -1.0)), radius=6)
    assert text.max() > 180, "no text below the joint"
    assert before.shape == picture.shape


def a_preset_is_drawn_after_a_second_scene_was_shown(gui: Gui) -> Steps:
    """Once Blender had drawn a linked copy of the scene, the old sector stood there for ever."""
    joint = add_joint(*HINGE)
    gui.look((0.0, 0.0, 0.0), rotation=(0.7, 0.0, 0.5), distance=3.0)
    yield from gui.wait()
    yield from gui.show_properties("PHYSICS")
    first = gui.window.scene
    with bpy.context.temp_override(window=gui.window):
        bpy.ops.scene.new(type="LINK_COPY")
    yield from gui.wait(20)
    gui.window.scene = first
    activate(joint)
    yield from gui.wait(20)
    before = yield from gui.picture("two-scenes-hinge")
    assert bpy.ops.omi.joint_preset_apply("EXEC_DEFAULT", True, preset="SLIDER") == {"FINISHED"}
    yield from gui.wait(30)
    slider = yield from gui.picture("two-scenes-slider")
    gui.viewport.tag_redraw()
    yield from gui.wait(6)
    drawn_again = yield from gui.picture("two-scenes-again")
    region = gui.region
    view = (slice(region.y, region.y + region.height), slice(region.x, region.x + region.width))
    assert (before[view] != slider[view]).any(axis=-1).sum() > 500, "the old range is drawn"
    assert (drawn_again[view] != slider[view]).any(axis=-1).sum() < 200
