"""Random sessions over several windows while previews run: they change nothing of the scene."""

import random
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from harness import FRONT, Gui, Steps, addon
from hostile_window import channels, leave, pendulum, running, second_window

Event = Callable[[Gui, random.Random], Steps]
MOST_WINDOWS = 3
HARMLESS = ("A", "N", "T", "Z", "W", "HOME", "NUMPAD_1", "NUMPAD_7", "B", "F3", "M", "LEFT_ARROW")
"""Keys that change nothing of objects, also where a menu that they open is left by Esc."""
EDITORS = ("VIEW_3D", "PROPERTIES", "OUTLINER", "DOPESHEET_EDITOR", "IMAGE_EDITOR", "CONSOLE")
WORKSPACES = ("Layout", "Modeling", "Animation", "Scripting")


def random_windows(gui: Gui, seed: int, *, count: int = 16, joints: int = 1) -> Steps:
    """Do random things in random windows; after each, objects are where they were, to the bit."""
    source = random.Random(seed)
    yield from many_joints(joints) if joints > 1 else iter(())
    if joints == 1:
        pendulum()
    bpy.data.scenes.new("Second")
    gui.look((0, 0, -0.5), rotation=FRONT, distance=8)
    gui.remember()
    before = channels()
    for _ in range(count):
        event = source.choice(EVENTS)
        print(f"[event] {event.__name__}", flush=True)
        gui.use(source.choice(list(bpy.context.window_manager.windows)))
        yield from event(gui, source)
        assert_rest_in_data(before, event.__name__)
    yield from close_others(gui)
    yield from leave(gui)
    assert running() is None
    assert_rest_in_data(before, "the end")
    assert_not_shown_elsewhere()
    yield from undone(gui, before)


def undone(gui: Gui, before: dict[str, Any]) -> Steps:
    """Go back through all steps of undo that were made meanwhile: none holds a shown pose."""
    for _ in range(30):
        if not bpy.ops.ed.undo.poll() or len(bpy.context.scene.objects) < len(before):
            break
        found = {obj.name: obj for obj in bpy.data.objects}
        if before.keys() <= found.keys():
            assert_rest_in_data(before, "a step of undo")
            assert_not_shown_elsewhere()
        bpy.ops.ed.undo()
        yield from gui.wait()


def many_joints(count: int) -> Steps:
    """Make a row of pendulums, which share a mesh, to be fast."""
    settings = addon("core.meaning.presets").hinge(axis=1, min_angle=-3.0, max_angle=3.0)
    mesh = bpy.data.meshes.new("Bob")
    mesh.from_pydata([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)], [], [(0, 1, 2), (0, 1, 3)])
    link = bpy.context.scene.collection.objects.link
    for number in range(count):
        place = (0.4 * (number % 40) - 8.0, 0.4 * (number // 40), 0.0)
        bob, joint = (bpy.data.objects.new(name, data) for name, data in (("B", mesh), ("J", None)))
        end = bpy.data.objects.new("E", None)
        for obj in (bob, joint, end):
            link(obj)
            obj.location = place
        end.parent = bob
        end.location = (0.2, 0.0, 0.1)
        joint.location = (place[0] + 0.2, place[1], place[2] + 0.1)
        bob.omi_body.motion_type = "DYNAMIC"
        joint.omi_joint.enabled = True
        joint.omi_joint.connected_object = end
        joint.omi_joint.settings_from_core(settings)
    bpy.context.view_layer.objects.active = joint
    bpy.context.view_layer.update()
    yield


def assert_rest_in_data(before: dict[str, Any], event: str) -> None:
    """Assert that the objects' own properties are as they were."""
    names = ("location", "rotation_euler", "rotation_quaternion", "scale")
    for name, (values, _) in before.items():
        obj = bpy.data.objects[name]
        assert [tuple(getattr(obj, each)) for each in names] == values, f"{name} after {event}"


def assert_not_shown_elsewhere() -> None:
    """Assert that views show objects where they are."""
    layer = bpy.context.view_layer
    layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for obj in bpy.context.scene.objects:
        shown = np.array(obj.evaluated_get(graph).matrix_world)
        own = np.array(obj.matrix_basis)
        if obj.parent is not None:
            above = np.array(obj.parent.matrix_basis)
            own = above @ np.array(obj.matrix_parent_inverse) @ own
        assert np.abs(shown - own).max() < 1e-5, f"{obj.name} is shown elsewhere"


def close_others(gui: Gui) -> Steps:
    """Close all windows but the first and show the first as it was."""
    for window in list(bpy.context.window_manager.windows)[1:]:
        with bpy.context.temp_override(window=window):
            bpy.ops.wm.window_close()
        yield from gui.wait()
    window = bpy.context.window_manager.windows[0]
    gui.use(window)
    if window.screen.show_fullscreen:
        with bpy.context.temp_override(window=window):
            bpy.ops.screen.back_to_previous()
    window.workspace = bpy.data.workspaces["Layout"]
    yield from gui.wait(3)
    window.scene = bpy.data.scenes["Scene"]
    largest = max(window.screen.areas, key=lambda area: area.width * area.height)
    largest.type = "VIEW_3D"
    yield from gui.wait(3)


def _place(gui: Gui, source: random.Random) -> tuple[float, float]:
    window = gui.window
    return window.width * source.uniform(0.15, 0.85), window.height * source.uniform(0.15, 0.85)


def _area(gui: Gui, source: random.Random) -> Any:
    areas = [area for area in gui.window.screen.areas if min(area.width, area.height) > 100]
    return source.choice(areas or list(gui.window.screen.areas))


def _simulate(gui: Gui, source: random.Random) -> Steps:
    yield from _start(gui, bpy.ops.omi.preview_simulate, source)


def _range(gui: Gui, source: random.Random) -> Steps:
    joints = [obj for obj in gui.window.scene.objects if obj.omi_joint.enabled]
    if joints and running() is None:
        gui.window.view_layer.objects.active = joints[0]
    yield from _start(gui, bpy.ops.omi.preview_range, source)
    options = bpy.context.window_manager.omi_preview
    options.about_x = options.about_y = options.about_z = source.uniform(-1.0, 1.0)
    yield from gui.wait(3)


def _start(gui: Gui, operator: Any, source: random.Random) -> Steps:
    areas = [area for area in gui.window.screen.areas if area.type == "VIEW_3D"]
    if areas:
        region = gui.region_of(areas[0], "WINDOW")
        with bpy.context.temp_override(window=gui.window, area=areas[0], region=region):
            if operator.poll():
                operator("INVOKE_DEFAULT")
    yield from gui.wait(source.randrange(2, 8))


def _open(gui: Gui, source: random.Random) -> Steps:
    if len(bpy.context.window_manager.windows) < MOST_WINDOWS:
        with bpy.context.temp_override(window=gui.window):
            if source.random() < 0.5 and bpy.ops.wm.window_new_main.poll():
                bpy.ops.wm.window_new_main()
            else:
                yield from second_window(gui)
    yield from gui.wait(3)


def _close(gui: Gui, source: random.Random) -> Steps:
    """Close any window but the last; a preview that it runs ends."""
    if len(bpy.context.window_manager.windows) > 1:
        with bpy.context.temp_override(window=gui.window):
            bpy.ops.wm.window_close()
    yield from gui.wait(3)


def _workspace(gui: Gui, source: random.Random) -> Steps:
    name = source.choice(WORKSPACES)
    if name in bpy.data.workspaces:
        gui.window.workspace = bpy.data.workspaces[name]
    yield from gui.wait(3)


def _editor(gui: Gui, source: random.Random) -> Steps:
    _area(gui, source).type = source.choice(EDITORS)
    yield from gui.wait(3)


def _in_area(gui: Gui, source: random.Random, operator: Any, **options: Any) -> Steps:
    area = _area(gui, source)
    region = gui.region_of(area, "WINDOW")
    with bpy.context.temp_override(window=gui.window, area=area, region=region):
        if operator.poll():
            operator(**options)
    yield from gui.wait(3)


def _split(gui: Gui, source: random.Random) -> Steps:
    if len(gui.window.screen.areas) < 8:
        way = source.choice(("VERTICAL", "HORIZONTAL"))
        yield from _in_area(gui, source, bpy.ops.screen.area_split, direction=way, factor=0.5)


def _shut(gui: Gui, source: random.Random) -> Steps:
    if len(gui.window.screen.areas) > 1:
        yield from _in_area(gui, source, bpy.ops.screen.area_close)


def _maximize(gui: Gui, source: random.Random) -> Steps:
    yield from gui.move(_place(gui, source))
    yield from gui.key("SPACE", ctrl=True, alt=source.random() < 0.3)
    yield from gui.wait(3)


def _quad(gui: Gui, source: random.Random) -> Steps:
    areas = [area for area in gui.window.screen.areas if area.type == "VIEW_3D"]
    if areas:
        with bpy.context.temp_override(
            window=gui.window, area=areas[0], region=gui.region_of(areas[0], "WINDOW")
        ):
            bpy.ops.screen.region_quadview()
    yield from gui.wait(3)


def _scene(gui: Gui, source: random.Random) -> Steps:
    gui.window.scene = bpy.data.scenes[source.choice(("Scene", "Second"))]
    yield from gui.wait(3)


def _key(gui: Gui, source: random.Random) -> Steps:
    yield from gui.move(_place(gui, source))
    yield from gui.key(source.choice(HARMLESS))
    yield from gui.wait(2)
    if source.random() < 0.7:
        yield from gui.key("ESC")
        yield from gui.key("ESC")


def _escape(gui: Gui, source: random.Random) -> Steps:
    yield from gui.move(_place(gui, source))
    yield from gui.key("ESC")
    yield from gui.wait(2)


def _pull(gui: Gui, source: random.Random) -> Steps:
    """Drag over a view while a simulation runs, which pulls bodies or selects."""
    areas = [area for area in gui.window.screen.areas if area.type == "VIEW_3D"]
    if running() is not None and areas:
        region = gui.region_of(areas[0], "WINDOW")
        start = region.x + 0.5 * region.width, region.y + 0.45 * region.height
        yield from gui.approach(start)
        yield from gui.press()
        yield from gui.pull((start[0] + 30, start[1] + 40), steps=3)
        yield from gui.release()
    yield from gui.wait(2)


def _remember(gui: Gui, source: random.Random) -> Steps:
    with bpy.context.temp_override(window=gui.window):
        bpy.ops.ed.undo_push(message="in a window")
    yield from gui.wait(2)


def _undo(gui: Gui, source: random.Random) -> Steps:
    """Push steps, and undo one of them by keys."""
    yield from _remember(gui, source)
    yield from _remember(gui, source)
    yield from gui.move(_place(gui, source))
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait(3)


EVENTS: tuple[Event, ...] = (
    *(_simulate, _simulate, _simulate, _range, _range, _open, _open, _close, _workspace, _editor),
    *(_split, _shut, _maximize, _quad, _scene, _key, _key, _escape, _pull, _pull, _remember, _undo),
)
