"""Other tools while a preview runs: they find objects where they are, in every window."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from harness import Gui, Steps, addon
from hostile_window import assert_usable, begin, leave, running, second_window, simulate


def a_menu_parents_by_the_pose_at_rest(gui: Gui) -> Steps:
    """Ctrl+P opens a menu, whose choice runs when the preview hears of no events."""
    begin(gui)
    free = _free_cube()
    yield from simulate(gui)
    yield from gui.key("P", ctrl=True)
    yield from gui.until(lambda: not _is_elsewhere("Bob"))
    yield from gui.wait(6)
    assert running().rest.is_on, "goes on below an open menu"
    yield from gui.picture("menu")
    yield from gui.write("<RET>")
    yield from gui.until(lambda: free.parent is not None)
    yield from _goes_on(gui)
    expected = np.linalg.inv(np.array(bpy.data.objects["Bob"].matrix_world))
    assert np.abs(np.array(free.matrix_parent_inverse) - expected).max() < 1e-6
    yield from leave(gui)
    yield from assert_usable(gui)


def operators_by_keys_read_the_pose_at_rest(gui: Gui) -> Steps:
    for name, run in OPERATORS.items():
        yield from _compared(gui, name, run, gui.window)


def operators_in_a_second_window_read_the_pose_at_rest(gui: Gui) -> Steps:
    second = yield from second_window(gui)
    for name, run in OPERATORS.items():
        yield from _compared(gui, name, run, second)
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield from gui.wait(4)


def a_body_is_moved_by_keys(gui: Gui) -> Steps:
    """While G runs the preview rests; it goes on with the body where it was put."""
    bob = begin(gui)
    before = bob.matrix_world.copy()
    bob.select_set(True)
    yield from simulate(gui)
    yield from gui.key("G")
    yield from gui.until(lambda: not _is_elsewhere("Bob"))
    yield from gui.write("z", "1")
    yield from gui.wait(6)
    assert running().rest.is_on, "goes on below a tool"
    yield from gui.write("<RET>")
    yield from gui.until(lambda: abs(bob.location.z - before.translation.z - 1.0) < 1e-5)
    yield from _goes_on(gui)
    yield from gui.key("ESC")
    yield from gui.until(lambda: running() is None)
    assert np.abs(np.array(bob.location) - (before.translation.x, 0.0, 1.0)).max() < 1e-5
    yield from assert_usable(gui)


def views_and_properties_do_not_make_it_rest(gui: Gui) -> Steps:
    """Turning a view and pressing buttons of the preview happen while it runs."""
    begin(gui)
    yield from gui.show_sidebar("Joints")
    yield from simulate(gui)
    preview = running()
    for key in ("NUMPAD_3", "NUMPAD_1", "HOME", "WHEELUPMOUSE"):
        yield from gui.press(key)
        assert not preview.rest.is_on, key
        yield from gui.release(key)
        assert not preview.rest.is_on, key
    region = gui.region
    at = region.x + 0.3 * region.width, region.y + 0.5 * region.height
    yield from gui.move(at)
    yield from gui.press("MIDDLEMOUSE")
    yield from gui.pull((at[0] + 20, at[1]), steps=2)
    assert not preview.rest.is_on, "rests while the view turns"
    yield from gui.release("MIDDLEMOUSE")
    gui.look((0, 0, -0.5), distance=8)
    sidebar = gui.region_of(gui.viewport, "UI")
    yield from gui.find(sidebar, "omi.preview_control", "STEP")
    yield from gui.press()
    assert not preview.rest.is_on, "rests while a button of its own is pressed"
    yield from gui.release()
    yield from gui.until(lambda: not preview.is_playing)
    assert not preview.rest.is_on, "rests after a button of its own"
    yield from leave(gui)
    yield from assert_usable(gui)


def escape_in_a_second_window_leaves(gui: Gui) -> Steps:
    begin(gui)
    second = yield from second_window(gui)
    yield from simulate(gui)
    yield from gui.wait(4)
    gui.use(second)
    yield from gui.move((second.width * 0.5, second.height * 0.5))
    yield from gui.key("ESC")
    yield from gui.until(lambda: running() is None)
    yield from gui.wait(4)
    gui.use(bpy.context.window_manager.windows[0])
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield from leave(gui)
    yield from assert_usable(gui)


def _parent() -> None:
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)


def _snap() -> None:
    bpy.ops.view3d.snap_selected_to_active()


def _child_of() -> None:
    free = bpy.data.objects["Free"]
    bpy.context.view_layer.objects.active = free
    constraint = free.constraints.new("CHILD_OF")
    constraint.target = bpy.data.objects["Bob"]
    bpy.ops.constraint.childof_set_inverse(constraint=constraint.name)


def _move() -> None:
    bpy.ops.transform.translate(value=(1.0, 0.0, 0.0), orient_type="LOCAL")


def _apply() -> None:
    bpy.ops.object.transform_apply()


def _modifier() -> None:
    free = bpy.data.objects["Free"]
    bpy.context.view_layer.objects.active = free
    free.modifiers.new("Mirror", "MIRROR").mirror_object = bpy.data.objects["Bob"]
    bpy.ops.object.modifier_apply(modifier="Mirror")


OPERATORS: dict[str, Callable[[], None]] = {
    "parent": _parent,
    "snap": _snap,
    "child of": _child_of,
    "move": _move,
    "apply": _apply,
    "modifier": _modifier,
}


class OMI_OT_test_run(bpy.types.Operator):
    """Run what a scenario says"""

    bl_idname = "omi.test_run"
    bl_label = "Run"
    bl_options = {"REGISTER", "UNDO"}
    run: Any = None
    runs = 0

    def execute(self, context: bpy.types.Context) -> set[str]:
        OMI_OT_test_run.run()
        OMI_OT_test_run.runs += 1
        return {"FINISHED"}


def _compared(gui: Gui, name: str, run: Callable[[], None], window: Any) -> Steps:
    """Press a key that runs an operator, with a preview and without, and compare."""
    bpy.utils.register_class(OMI_OT_test_run)
    keymap = bpy.context.window_manager.keyconfigs.addon.keymaps.new("Object Mode")
    item = keymap.keymap_items.new("omi.test_run", "F6", "PRESS")
    found = []
    for is_previewed in (False, True):
        _clear()
        gui.use(bpy.context.window_manager.windows[0])
        begin(gui)
        _free_cube()
        bpy.context.view_layer.update()
        OMI_OT_test_run.run, before = staticmethod(run), OMI_OT_test_run.runs
        if is_previewed:
            yield from simulate(gui)
        gui.use(window)
        yield from gui.move((window.width * 0.4, window.height * 0.5))
        # Any event but those of views has it rest until the next tick.
        yield from gui.until(lambda: running() is None or _is_elsewhere("Bob"))
        yield from gui.key("F6")
        yield from gui.until(lambda before=before: OMI_OT_test_run.runs == before + 1)
        if is_previewed:
            yield from _goes_on(gui)
        addon("preview.session").stop()
        yield from gui.wait(2)
        found.append(_written())
    keymap.keymap_items.remove(item)
    bpy.utils.unregister_class(OMI_OT_test_run)
    assert found[0] == found[1], f"{name} wrote what the preview showed"


def _clear() -> None:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)


def _written() -> dict[str, Any]:
    """Return what operators write into objects, rounded."""
    bpy.context.view_layer.update()
    return {
        obj.name: [
            np.round(np.array(each), 5).tolist()
            for each in (
                *(obj.matrix_basis, obj.matrix_parent_inverse, obj.matrix_world),
                *(each.inverse_matrix for each in obj.constraints),
                *(vertex.co for vertex in (obj.data.vertices if obj.type == "MESH" else ())),
            )
        ]
        for obj in bpy.context.scene.objects
    }


def _goes_on(gui: Gui) -> Steps:
    """Wait until the preview is shown again."""
    yield from gui.move((gui.window.width * 0.41, gui.window.height * 0.5))
    yield from gui.until(lambda: running() is None or _is_elsewhere("Bob"))
    assert running() is not None, "the preview ended"


def _free_cube() -> Any:
    bob = bpy.data.objects["Bob"]
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(-1.0, 0.0, 1.0))
    free = bpy.context.object
    free.name = "Free"
    bob.select_set(True)
    bpy.context.view_layer.objects.active = bob
    bpy.context.view_layer.update()
    return free


def _is_elsewhere(name: str) -> bool:
    graph, obj = bpy.context.evaluated_depsgraph_get(), bpy.data.objects[name]
    shown = obj.evaluated_get(graph).matrix_world
    return bool(np.abs(np.array(shown) - np.array(obj.matrix_basis)).max() > 1e-4)
