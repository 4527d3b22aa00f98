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


def a_joint_is_keyed_by_i_and_plays(gui: Gui) -> Steps:
    """Posed and keyed at two frames by the same key as in Blender; played, the arm goes there."""
    assert bpy.ops.omi.scene_import(filepath=str(ARM)) == {"FINISHED"}
    finger, scene = bpy.data.objects["left_finger"], bpy.context.scene
    gui.look((0.3, 0.0, 0.5), rotation=FRONT, distance=3)
    yield from gui.show_sidebar("Joints")
    rest = _shown(finger)
    scene.frame_set(1)
    yield from _key(gui, 0.0)
    scene.frame_set(21)
    yield from _key(gui, 0.8)
    posed = _shown(finger)
    assert (posed - rest).length > 0.1, posed
    yield from gui.picture("keyed")
    scene.frame_set(1)
    yield from gui.until(lambda: (_shown(finger) - rest).length < 1e-3)
    scene.frame_set(21)
    yield from gui.until(lambda: (_shown(finger) - posed).length < 1e-3)
    scene.frame_start, scene.frame_end = 1, 21
    bpy.ops.screen.animation_play()
    places = [_shown(finger)]

    def is_moving() -> bool:
        places.append(_shown(finger))
        return max((place - places[0]).length for place in places) > 0.05

    yield from gui.until(is_moving)
    yield from gui.picture("playing")
    bpy.ops.screen.animation_cancel(restore_frame=False)


def _key(gui: Gui, angle: float) -> Steps:
    """Pose the joint that lifts the arm, press I over the view, and leave."""
    bpy.context.view_layer.objects.active = bpy.data.objects["turn"]
    assert bpy.ops.omi.preview_pose("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0.3, 0.0, 0.9)))
    positions = bpy.context.window_manager.omi_pose.positions
    next(row for row in positions if row.name == "lift").angle = angle
    preview, frame = addon("preview.session").running(), bpy.context.scene.frame_current
    joint = bpy.data.objects["lift"]
    yield from gui.until(lambda: any(abs(at - angle) < 1e-4 for at in preview.positions().values()))
    yield from gui.wait(3)
    yield from gui.key("I")
    yield from gui.until(lambda: joint.animation_data is not None)
    action = addon("scene.animation")
    keys = [
        point.co.x
        for each in action.curves_of(joint.animation_data)
        for point in each.keyframe_points
    ]
    assert frame in keys, keys
    yield from gui.key("ESC")
    yield from gui.until(lambda: addon("preview.session").running() is None)
    yield from gui.wait(4)
