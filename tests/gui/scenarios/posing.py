"""A robot posed in a real window: its hand is dragged, its chain follows, Esc and Keep end it."""

from pathlib import Path

import bpy
from harness import FRONT, Gui, Steps, addon
from mathutils import Vector

SIZE = "1280x1400"
ARM = Path(__file__).parents[3] / "omi_joints_addon" / "examples" / "arm.urdf"


def the_chain_follows_a_finger_that_is_dragged(gui: Gui) -> Steps:
    """Within limits, to the mouse; Esc puts all back, Keep leaves it there as one undo step."""
    assert bpy.ops.omi.scene_import(filepath=str(ARM)) == {"FINISHED"}
    finger = bpy.data.objects["left_finger"]
    gui.look((0.3, 0.0, 0.5), rotation=FRONT, distance=3)
    yield from gui.show_sidebar("Joints")
    before = finger.matrix_world.copy()
    yield from _drag(gui)
    shown = _shown(finger)
    assert (shown - before.translation).length > 0.1, shown
    positions = bpy.context.window_manager.omi_pose.positions
    for row in positions:
        if row.is_bounded:
            assert row.low - 1e-5 <= row.position <= row.high + 1e-5, row.name
    yield from gui.picture("dragged")
    yield from gui.key("ESC")
    yield from gui.wait(2)
    assert (_shown(finger) - before.translation).length < 1e-6
    yield from _drag(gui)
    shown = _shown(finger)
    assert bpy.ops.omi.preview_keep() == {"FINISHED"}
    yield from gui.wait(2)
    assert (finger.matrix_world.translation - shown).length < 1e-4
    assert addon("preview.session").running() is None
    yield from gui.picture("kept")


def _drag(gui: Gui) -> Steps:
    """Start posing and drag the finger up and back, as far as the mouse goes."""
    bpy.context.view_layer.objects.active = bpy.data.objects["turn"]
    assert bpy.ops.omi.preview_pose("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    start = bpy.data.objects["left_finger"].matrix_world.translation.copy()
    yield from gui.approach(gui.to_window(start))
    yield from gui.press()
    goal = start + Vector((-0.15, 0.0, 0.1))
    yield from gui.pull(gui.to_window(goal), steps=6)
    finger = bpy.data.objects["left_finger"]
    yield from gui.until(lambda: (_shown(finger) - start).length > 0.1)
    yield from gui.release()


def _shown(obj: bpy.types.Object) -> Vector:
    """Return where an object is shown [m]."""
    graph = bpy.context.evaluated_depsgraph_get()
    return obj.evaluated_get(graph).matrix_world.translation.copy()
