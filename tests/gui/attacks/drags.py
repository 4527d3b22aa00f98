"""Attacks on a drag of a handle, and on exports while a preview runs, that `make attack` runs."""

import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import addon_utils
import bpy
from harness import ADDON, Gui, Point, Steps, addon, browse_in_this_window
from hostile_window import assert_usable, begin, channels, leave, running, simulate
from joint_scenes import HINGE, add_joint


def another_joint_becomes_active(gui: Gui) -> Steps:
    joint, start = yield from _drag(gui)
    assert joint.omi_joint.limits[2].max != HINGE[2]["max"], "the handle was not dragged"
    other = joint.copy()
    bpy.context.scene.collection.objects.link(other)
    other.omi_joint.limits[2].min, other.omi_joint.limits[2].max = -0.1, 0.2
    before = _bounds(other)
    bpy.context.view_layer.objects.active = other
    yield from _let_go(gui, start)
    assert _bounds(other) == before, "the drag went on with another joint"
    assert abs(joint.omi_joint.limits[2].max - HINGE[2]["max"]) < 1e-6, "not given back"


def the_limits_are_removed(gui: Gui) -> Steps:
    joint, start = yield from _drag(gui)
    joint.omi_joint.limits.clear()
    yield from _let_go(gui, start)
    assert len(joint.omi_joint.limits) == 0


def the_joint_is_removed(gui: Gui) -> Steps:
    joint, start = yield from _drag(gui)
    bpy.data.objects.remove(joint)
    yield from _let_go(gui, start)
    assert "Joint" not in bpy.data.objects


def the_drag_is_undone(gui: Gui) -> Steps:
    _, start = yield from _drag(gui)
    bpy.ops.ed.undo()
    yield from _let_go(gui, start)


def another_tool_is_chosen(gui: Gui) -> Steps:
    bpy.ops.wm.tool_set_by_id(name="omi.joint_limits")
    _, start = yield from _drag(gui)
    bpy.ops.wm.tool_set_by_id(name="builtin.select_box")
    yield from _let_go(gui, start)
    yield from _assert_draggable(gui)


def the_extension_is_disabled(gui: Gui) -> Steps:
    """Blender crashes where the type of a group of gizmos is removed while one is dragged."""
    _, start = yield from _drag(gui)
    addon_utils.disable(ADDON)
    yield from _let_go(gui, start)
    assert not hasattr(bpy.types.Object, "omi_joint")
    assert not hasattr(bpy.types, "OMI_GGT_joint_handles"), "left behind"
    addon_utils.enable(ADDON)
    yield from _assert_draggable(gui)


def the_extension_is_disabled_and_enabled(gui: Gui) -> Steps:
    joint, start = yield from _drag(gui)
    addon_utils.disable(ADDON)
    addon_utils.enable(ADDON)
    yield from _let_go(gui, start)
    bpy.data.objects.remove(joint)
    yield from _assert_draggable(gui)


def an_export_asks_for_its_file(gui: Gui) -> Steps:
    """Blender's exporter of OBJ writes what the viewport shows."""
    begin(gui)
    before = channels()
    folder = Path(tempfile.mkdtemp())
    browse_in_this_window()
    bpy.ops.wm.obj_export(filepath=str(folder / "rest.obj"))
    yield from simulate(gui)
    bpy.ops.wm.obj_export("INVOKE_DEFAULT")
    yield from gui.until(lambda: running() is None)
    yield from gui.name_file(folder / "previewed.obj")
    yield from gui.until((folder / "previewed.obj").exists)
    rest, previewed = (_points(folder / f"{name}.obj") for name in ("rest", "previewed"))
    assert rest == previewed
    yield from leave(gui)
    assert channels() == before
    yield from assert_usable(gui)


def _drag(gui: Gui) -> Generator[None, None, tuple[Any, Point]]:
    """Begin to drag the last handle of a hinge; return the joint and where the drag began."""
    joint = add_joint(*HINGE)
    gui.look((0, 0, 0), distance=5)
    gui.remember()
    yield from gui.wait(4)
    places = addon("overlay.handle_places")
    region, view = gui.region, gui.viewport.spaces.active.region_3d
    with bpy.context.temp_override(area=gui.viewport, region=region, region_data=view):
        handle = list(places.shown_handles(bpy.context, joint.omi_joint))[-1]
        x, y = places.seen_at(bpy.context, handle, handle.value)
    start = region.x + float(x), region.y + float(y)
    yield from gui.approach(start)
    yield from gui.press()
    yield from gui.pull((start[0] + 60, start[1] + 40), steps=4)
    return joint, start


def _assert_draggable(gui: Gui) -> Steps:
    """See that a handle of another joint does what it is for."""
    joint, _ = yield from _drag(gui)
    assert joint.omi_joint.limits[2].max != HINGE[2]["max"], "the handle was not dragged"
    yield from gui.release()
    yield from gui.wait(4)


def _let_go(gui: Gui, start: Point) -> Steps:
    """Drag on, cancel and let go."""
    yield from gui.wait(4)
    yield from gui.pull((start[0] + 90, start[1] - 40), steps=4)
    yield from gui.key("ESC")
    yield from gui.release()
    yield from gui.wait(6)


def _bounds(joint: Any) -> list[tuple[float, float]]:
    return [(limit.min, limit.max) for limit in joint.omi_joint.limits]


def _points(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line.startswith("v ")]
