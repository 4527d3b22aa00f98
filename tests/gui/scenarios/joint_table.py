"""The table of joints in a scene of 300: filtered, sorted, edited in place, many at once."""

import math
from collections.abc import Iterator
from typing import Any

import bpy
from harness import Gui, Steps, addon

SIZE = "1600x1000"
COUNT = 300


def table_of_300_joints_is_filtered_sorted_and_edited(gui: Gui) -> Steps:
    """Search a name in the pop-up and change its maximum; sort by kind and by state."""
    yield from _prepare(gui)
    middle = gui.region.x + 0.4 * gui.region.width, gui.region.y + 0.5 * gui.region.height
    yield from gui.move(middle)
    bpy.ops.omi.joint_table("INVOKE_DEFAULT")
    yield from gui.wait(3)
    before = yield from gui.picture("all")
    # The table's filter is folded away at its lower left corner.
    yield from gui.click((middle[0] + 14, middle[1] - 350))
    yield from gui.wait()
    after = yield from gui.picture("filter")
    assert (before != after).any(axis=-1).mean() > 0.001
    bpy.context.window_manager.omi_joint_sort = "KIND"
    yield from gui.click((middle[0] + 200, middle[1] - 372))
    yield from gui.write("5", "<RET>")
    yield from gui.wait()
    yield from gui.picture("searched")
    bpy.context.window_manager.omi_joint_sort = "SCENE"


def rows_of_the_list_follow_the_scene(gui: Gui) -> Steps:
    """A click beside a name selects; rows follow sorting, removal, undo and another scene."""
    yield from _prepare(gui)
    bpy.context.view_layer.objects.active = bpy.data.objects["Moving 000"]
    yield from gui.show_sidebar("Joints")
    yield from gui.until(lambda: _listed() == COUNT)
    sidebar = gui.region_of(gui.viewport, "UI")
    gui.remember()
    yield from gui.move((sidebar.x + 0.3 * sidebar.width, sidebar.y + 0.3 * sidebar.height))
    for _ in range(60):
        yield from gui.key("WHEELDOWNMOUSE")
    yield from gui.wait()
    yield from gui.picture("scrolled")
    at = yield from gui.find(sidebar, "omi_joint_row", columns=(0.75, 0.65))
    before = yield from gui.picture("list")
    yield from gui.click(at)
    yield from gui.wait()
    active = bpy.context.view_layer.objects.active
    assert active.omi_joint.enabled, active.name
    assert [obj.name for obj in bpy.context.selected_objects] == [active.name]
    assert bpy.context.scene.omi_joint_row >= 0
    after = yield from gui.picture("list-active")
    assert (before != after).any(axis=-1).mean() > 0.001
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait()
    assert bpy.context.view_layer.objects.active.name == "Moving 000"
    yield from _sorted_removed_and_undone(gui)
    other = bpy.data.scenes.new("Other")
    gui.window.scene = other
    yield from gui.until(lambda: _shown(other) == [])
    gui.window.scene = bpy.data.scenes["Scene"]
    yield from gui.until(lambda: len(_shown(bpy.data.scenes["Scene"])) == COUNT)


def _sorted_removed_and_undone(gui: Gui) -> Steps:
    scene = bpy.context.scene
    bpy.context.window_manager.omi_joint_sort = "KIND"
    gui.viewport.tag_redraw()
    names = sorted(joint.name for joint in _joints() if int(joint.name[6:]) % 10 != 5)
    sliders = sorted(joint.name for joint in _joints() if int(joint.name[6:]) % 10 == 5)
    yield from gui.until(lambda: _shown(scene) == [*names, *sliders])
    gui.remember()
    bpy.data.objects.remove(bpy.data.objects[names[0]])
    bpy.context.view_layer.update()
    gui.remember()
    yield from gui.until(lambda: _listed() == COUNT - 1 and _shown(scene)[0] == names[1])
    yield from gui.picture("list-sorted")
    yield from gui.key("Z", ctrl=True)
    yield from gui.until(lambda: _shown(bpy.context.scene) == [*names, *sliders])
    bpy.data.objects[names[0]].name = "Zebra"
    yield from gui.until(lambda: "Zebra" in _shown(bpy.context.scene))
    bpy.context.window_manager.omi_joint_sort = "SCENE"
    gui.viewport.tag_redraw()
    yield from gui.until(lambda: len(_shown(bpy.context.scene)) == COUNT)


def _listed() -> int:
    return len(bpy.context.window_manager.omi_joint_rows)


def _shown(scene: Any) -> list[str]:
    """Return the names that the rows of a scene's lists show."""
    rows = addon("scene.joint_rows").LISTS.of(scene)
    joints = [rows.joint(row) for row in range(_listed())]
    return [joint.name for joint in joints if joint is not None]


def alt_changes_all_selected_joints_in_one_step(gui: Gui) -> Steps:
    """With Alt, a value typed for the active joint goes to all selected; one undo takes it back."""
    yield from _prepare(gui)
    joints = _joints()[:20]
    for joint in joints:
        joint.select_set(True)
    bpy.context.view_layer.objects.active = joints[0]
    yield from gui.wait()
    yield from gui.show_properties("PHYSICS")
    gui.remember()
    panel = gui.region_of(gui.area("PROPERTIES"), "WINDOW")
    # In the middle of the field below the list: at its ends are arrows, which step.
    yield from gui.find(panel, "limits[2].max_angle", columns=(0.72,), is_upward=True)
    yield from gui.press("RET", alt=True)
    yield from gui.release("RET")
    yield from gui.key("A", ctrl=True)
    yield from gui.write("0.5", "<RET>")
    yield from gui.wait()
    wanted = math.radians(0.5)
    found = [joint.omi_joint.limits[2].max for joint in _joints()]
    assert all(abs(value - wanted) < 1e-6 for value in found[:20]), found[:20]
    assert all(abs(value - wanted) > 1e-6 for value in found[20:])
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait()
    assert all(abs(joint.omi_joint.limits[2].max - wanted) > 1e-6 for joint in _joints())


def menu_copies_to_all_selected_in_one_step(gui: Gui) -> Steps:
    """Copy to Selected gives the limits and drives of the active joint to the others."""
    yield from _prepare(gui)
    joints = _joints()[:20]
    for joint in joints:
        joint.select_set(True)
    bpy.context.view_layer.objects.active = joints[0]
    joints[0].omi_joint.limits[2].max = 0.25
    gui.remember()
    bpy.ops.omi.joint_settings_copy("INVOKE_DEFAULT", True)
    yield from gui.wait()
    assert [joint.omi_joint.limits[2].max for joint in _joints()[:21]].count(0.25) == 20
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait()
    assert [joint.omi_joint.limits[2].max for joint in _joints()].count(0.25) == 1


def _prepare(gui: Gui) -> Steps:
    overlay = gui.viewport.spaces.active.overlay
    overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    _make()
    gui.look((0.0, 0.0, 0.0), distance=60.0)
    yield from gui.wait(3)


def _make() -> None:
    """Make hinges in rows, with sliders among them, some of them wrong."""
    joints = addon("authoring.joints")
    presets = addon("core.meaning.presets")
    mesh = bpy.data.meshes.new("Cube")
    pairs = list(_pairs(mesh))
    bpy.context.view_layer.update()
    for number, (moving, anchor) in enumerate(pairs):
        preset = presets.Preset.SLIDER if number % 10 == 5 else presets.Preset.HINGE
        pair, settings = joints.Pair(moving, anchor), presets.preset_settings(preset)
        place = (moving.location + anchor.location) / 2.0
        joint = joints.add_joint(bpy.context, pair, settings, place=place)
        joint.name = f"Joint {number:03d}"
        moving.omi_body.collider.source = "CUSTOM"  # or it lacks a shape, which the list says
        moving.omi_body.collider.shape.type = "BOX"
        if number % 50 == 7:
            joint.omi_joint.connected_object = None
    bpy.context.view_layer.update()


def _pairs(mesh: Any) -> Iterator[tuple[Any, Any]]:
    for number in range(COUNT):
        pair = []
        for name, x in (("Moving", 0.0), ("Anchor", 0.5)):
            obj = bpy.data.objects.new(f"{name} {number:03d}", mesh)
            obj.location = (x + number % 20, 0.0, number // 20)
            bpy.context.scene.collection.objects.link(obj)
            pair.append(obj)
        yield pair[0], pair[1]


def _joints() -> list[Any]:
    found = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    return sorted(found, key=lambda obj: obj.name)
