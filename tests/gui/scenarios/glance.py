"""Panels that are read at a glance: sliders that start the preview, and rows that do not move."""

import math

import bpy
from harness import Gui, Point, Steps, addon
from joint_scenes import HINGE, activate, add_joint

SIZE = "1600x1000"
LONGEST = 600.0
MOST = 3
"""Pixels by which a place that is looked for in rows may differ."""
ROWS = (("omi_joint_parts",), ("min_angle",), ("omi.preview_bake",))


def a_slider_starts_the_preview_and_escape_ends_it(gui: Gui) -> Steps:
    """One drag and no button before it; a drag after Esc starts it again."""
    joint = add_joint(*HINGE)
    yield from gui.show_sidebar("Joints")
    sidebar = gui.region_of(gui.viewport, "UI")
    at = yield from gui.find(sidebar, "omi_joint_parts", columns=(0.8,))
    running, options = addon("preview.session").running, bpy.context.window_manager.omi_preview
    for part in (0.4, 0.3):
        assert running() is None
        yield from gui.drag(at, (at[0] + part * 60.0, at[1]))
        yield from gui.until(lambda: running() is not None)
        preview = running()
        yield from gui.until(lambda shown=preview: shown.joint_values[5] > 0.1)
        yield from gui.picture("slider")
        assert math.isclose(preview.joint_values[5], options.about_z, abs_tol=1e-6)
        yield from gui.key("ESC")
        yield from gui.until(lambda: running() is None)
        shown = bpy.context.window_manager.omi_joint_parts[5]
        assert math.isclose(shown, 0.6 / 2.0, abs_tol=1e-5), shown
    assert joint.omi_joint.limits[2].max > 1.3


def no_row_moves_when_a_preview_starts(gui: Gui) -> Steps:
    """Range, bounds and the row of Play, Reset and Bake: at rest, moved, simulated, keyed."""
    joint = add_joint(*HINGE)
    yield from gui.show_sidebar("Joints")
    before = yield from _places(gui)
    bpy.ops.omi.preview_range("INVOKE_DEFAULT")
    yield from gui.wait(4)
    assert _moved(before, (yield from _places(gui))) <= MOST
    bpy.ops.omi.preview_control(command="STOP")
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.until(lambda: addon("preview.session").running().simulation.time > 0.1)
    assert _moved(before, (yield from _places(gui))) <= MOST
    yield from gui.picture("simulating")
    bpy.ops.omi.preview_control(command="STOP")
    joint.keyframe_insert("omi_joint.limits[2].max_angle", frame=1)
    yield from gui.wait(4)
    assert _moved(before, (yield from _places(gui))) <= MOST


def no_row_moves_when_the_selection_changes(gui: Gui) -> Steps:
    """Play and Checks below a body, and below joints of no, one and three free axes."""
    for name, x in (("Wall", -1.5), ("Door", 1.5)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    wall, door = bpy.data.objects["Wall"], bpy.data.objects["Door"]
    yield from gui.show_sidebar("Joints")
    sidebar = gui.region_of(gui.viewport, "UI")
    places: dict[str, Point] = {}
    for preset in ("HINGE", "PIN", "FIXED"):
        activate(wall)
        door.select_set(True)
        places["two bodies"] = yield from _low_place(gui, sidebar)
        bpy.ops.omi.joint_add(preset=preset)
        places[preset] = yield from _low_place(gui, sidebar)
    activate(door)
    places["a body"] = yield from _low_place(gui, sidebar)
    yield from gui.picture("a-body")
    heights = [place[1] for place in places.values()]
    assert max(heights) - min(heights) <= MOST, places


def _low_place(gui: Gui, sidebar: bpy.types.Region) -> Steps:
    """Return where the button below the list of checks is, to the pixel."""
    yield from gui.until(lambda: addon("scene.work").WORK.is_done)
    yield from gui.wait(4)
    x, y = yield from gui.find(sidebar, "omi.check_fix_safe", columns=(0.5,))
    while "check_fix_safe" in gui.copied(sidebar):
        y += 1.0
        yield from gui.move((x, y))
    return x, y


def panels_at_both_scales(gui: Gui) -> Steps:
    """Pictures to look at: a joint, its body and a body that is none, at scales 1 and 1.5."""
    view = bpy.context.preferences.view
    for name, x in (("Wall", -1.5), ("Door", 1.5), ("Crate", 6.0)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    activate(bpy.data.objects["Wall"])
    bpy.data.objects["Door"].select_set(True)
    bpy.ops.omi.joint_add(preset="POSITION_SERVO")
    bpy.data.objects["Door"].omi_body.inertia_diagonal = (0.3, 0.4, 1.9)
    for scale in (1.0, 1.5):
        view.ui_scale = scale
        for name in ("Door to Wall Joint", "Door", "Crate"):
            activate(bpy.data.objects[name])
            yield from gui.show_sidebar("Joints")
            yield from gui.show_properties("PHYSICS")
            yield from gui.wait(6)
            yield from gui.picture(f"{name.split()[-1]}-{scale:g}")
    view.ui_scale = 1.0


def _places(gui: Gui) -> Steps:
    sidebar = gui.region_of(gui.viewport, "UI")
    places: list[Point] = []
    for texts in ROWS:
        places.append((yield from gui.find(sidebar, *texts, columns=(0.3, 0.8))))
    return places


def _moved(before: list[Point], after: list[Point]) -> float:
    return max(abs(one[1] - two[1]) for one, two in zip(before, after, strict=True))
