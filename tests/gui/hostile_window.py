"""Attacks on a window: what they start from, what must hold after them, and random events."""

import random
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from harness import FRONT, Gui, Steps, addon

KEYS = ("G", "R", "S", "TAB", "SPACE", "A", "N", "T", "Z", "ESC", "RET", "X", "H", "LEFT_ARROW")
"""Keys that random events press over the viewport."""
MODIFIED = ("Z", "Y", "D", "C", "V")
"""Keys that they press with Ctrl or Shift."""


def pendulum() -> Any:
    """Return the bob of a pendulum below a beam."""
    bodies = []
    for name, place, kind in (("Beam", (0, 0, 0), "STATIC"), ("Bob", (1.2, 0, 0), "DYNAMIC")):
        bpy.ops.mesh.primitive_cube_add(size=0.5, location=place)
        bpy.context.object.name = name
        bpy.context.object.omi_body.motion_type = kind
        bodies.append(bpy.context.object)
    for body in bodies:
        body.select_set(True)
    bpy.context.view_layer.objects.active = bodies[0]
    assert bpy.ops.omi.joint_add(preset="PIN") == {"FINISHED"}
    bpy.context.view_layer.update()
    return bodies[1]


def begin(gui: Gui) -> Any:
    """Make a pendulum, look at it and remember it; return the bob."""
    bob = pendulum()
    gui.look((0, 0, -0.5), rotation=FRONT, distance=8)
    gui.remember()
    return bob


def simulate(gui: Gui) -> Steps:
    """Start a simulation and let it move."""
    assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0, 0, 1)))
    preview = running()
    yield from gui.until(lambda: preview.is_over or preview.simulation.time > 0.15)


def running() -> Any:
    """Return the preview that runs."""
    return addon("preview.session").running()


def second_window(gui: Gui, *, is_main: bool = False) -> Generator[None, None, Any]:
    """Open another window with a view, and return it once it has been drawn.

    A main window has a scene of its own, others show that of the window they were opened from.
    """
    (bpy.ops.wm.window_new_main if is_main else bpy.ops.wm.window_new)()
    second = bpy.context.window_manager.windows[-1]
    largest = max(second.screen.areas, key=lambda area: area.width * area.height)
    largest.type = "VIEW_3D"
    yield from gui.wait(6)
    return second


def channels() -> dict[str, Any]:
    """Return where each object is, to the bit, and the settings of joints."""
    names = ("location", "rotation_euler", "rotation_quaternion", "scale")
    return {
        obj.name: (
            [tuple(getattr(obj, name)) for name in names],
            str(obj.omi_joint.settings_to_core()) if obj.omi_joint.enabled else "",
        )
        for obj in bpy.context.scene.objects
    }


def leave(gui: Gui) -> Steps:
    """Leave whatever runs."""
    for _ in range(3):
        yield from gui.key("ESC")
        yield from gui.wait(2)
    if bpy.context.object is not None and bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    yield from gui.wait(2)


def assert_usable(gui: Gui) -> Steps:
    """Assert that no preview is left or shown, that handlers are there, and that one starts."""
    assert running() is None, "a preview is left"
    for handlers, handler in addon("scene.watch")._handlers():
        assert handler in handlers, "a handler is gone"
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for obj in bpy.context.scene.objects:
        shown = np.array(obj.evaluated_get(graph).matrix_world)
        assert np.abs(shown - np.array(obj.matrix_world)).max() < 1e-6, obj.name
    core, found = addon("scene.reading").scene_to_core(bpy.context.scene)
    whole = sorted(map(str, [*found, *addon("core.checks.scene").check_scene(core)]))
    live = addon("scene.findings").settled_findings(bpy.context.scene)
    assert sorted(map(str, live)) == whole, "live checks differ"
    if bpy.ops.omi.preview_simulate.poll():
        started = bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
        yield from gui.wait(4)
        if started == {"RUNNING_MODAL"}:
            assert running() is not None, "no preview starts any more"
            addon("preview.session").stop()
    yield from gui.wait(4)


def random_events(gui: Gui, seed: int, *, count: int = 14) -> Steps:
    """Send random events, start previews, undo, save and switch; nothing breaks."""
    source = random.Random(seed)
    begin(gui)
    for _ in range(count):
        event = source.choice(EVENTS)
        print(f"[event] {event.__name__}", flush=True)
        yield from event(gui, source)
    yield from leave(gui)
    yield from leave(gui)
    bpy.context.window.workspace = bpy.data.workspaces["Layout"]
    yield from gui.wait(3)
    yield from assert_usable(gui)


def _place(gui: Gui, source: random.Random) -> tuple[float, float]:
    region = gui.region
    return (
        region.x + source.uniform(0.2, 0.8) * region.width,
        region.y + source.uniform(0.2, 0.8) * region.height,
    )


def _click(gui: Gui, source: random.Random) -> Steps:
    yield from gui.click(_place(gui, source))


def _drag(gui: Gui, source: random.Random) -> Steps:
    yield from gui.drag(_place(gui, source), _place(gui, source))


def _escape_in_a_drag(gui: Gui, source: random.Random) -> Steps:
    yield from gui.approach(_place(gui, source))
    yield from gui.press()
    yield from gui.pull(_place(gui, source), steps=3)
    yield from gui.key("ESC")
    yield from gui.release()


def _key(gui: Gui, source: random.Random) -> Steps:
    yield from gui.move(_place(gui, source))
    yield from gui.key(source.choice(KEYS))
    yield from gui.key("ESC")


def _modified_key(gui: Gui, source: random.Random) -> Steps:
    yield from gui.move(_place(gui, source))
    name = source.choice(MODIFIED)
    yield from gui.key(name, **{source.choice(("ctrl", "shift")): True})
    yield from gui.key("ESC")


def _undo(gui: Gui, source: random.Random) -> Steps:
    yield from gui.move(_place(gui, source))
    yield from gui.key("Z", ctrl=True, shift=source.random() < 0.3)


def _simulate(gui: Gui, source: random.Random) -> Steps:
    if bpy.ops.omi.preview_simulate.poll():
        bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.wait(source.randrange(2, 8))


def _range(gui: Gui, source: random.Random) -> Steps:
    joints = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    if joints and bpy.context.mode == "OBJECT":
        bpy.context.view_layer.objects.active = joints[0]
        if bpy.ops.omi.preview_range.poll():
            bpy.ops.omi.preview_range("INVOKE_DEFAULT")
            bpy.context.window_manager.omi_preview.about_z = source.uniform(-1, 1)
    yield from gui.wait(source.randrange(2, 8))


def _save(gui: Gui, source: random.Random) -> Steps:
    folder = Path(tempfile.mkdtemp())
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "copy.blend"), copy=True)
    yield from gui.wait()


def _remember(gui: Gui, source: random.Random) -> Steps:
    gui.remember()
    yield from gui.wait()


def _frame(gui: Gui, source: random.Random) -> Steps:
    bpy.context.scene.frame_set(source.randrange(1, 30))
    yield from gui.wait()


def _delete(gui: Gui, source: random.Random) -> Steps:
    objects = list(bpy.context.scene.objects)
    if objects and source.random() < 0.3:
        bpy.data.objects.remove(source.choice(objects))
    yield from gui.wait()


EVENTS = (
    _click, _drag, _escape_in_a_drag, _key, _modified_key, _undo, _simulate, _simulate, _range,
    _save, _remember, _frame, _delete,
)  # fmt: skip
