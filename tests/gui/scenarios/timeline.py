"""Keyed limits in a real window: drawn at each frame, simulated with the timeline, undone."""

import math
from typing import Any

import bpy
from harness import TOP, Gui, Steps, addon
from joint_scenes import HINGE, add_joint


def a_keyed_bound_is_drawn_simulated_and_undone(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    gui.look((0, 0, 0), rotation=TOP, distance=9)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    limit = f"omi_joint.limits[{len(joint.omi_joint.limits) - 1}]"
    for frame, bound in ((1, -0.4), (31, 1.0)):
        joint.path_resolve(limit).min_angle = bound
        joint.keyframe_insert(f"{limit}.min_angle", frame=frame)
    gui.remember()
    yield from _scrub(gui, joint, limit)
    yield from _play(gui)
    yield from gui.key("ESC")
    yield from gui.until(lambda: _running() is None)
    for _ in range(5):  # Jumps of the timeline are steps of their own.
        if _curves():
            yield from gui.key("Z", ctrl=True)
            yield from gui.wait(6)
    assert not _curves(), "the keys were not undone"
    assert bpy.data.objects["Joint"].omi_joint.limits


def keyed_values_have_blenders_colors_in_the_table(gui: Gui) -> Steps:
    """A bound with a key at the frame is yellow, between keys it is green."""
    joint = add_joint(*HINGE)
    limit = f"omi_joint.limits[{len(joint.omi_joint.limits) - 1}]"
    counts = []
    for frame, bound in ((1, -0.4), (31, 1.0)):
        joint.path_resolve(limit).max_angle = bound
        joint.keyframe_insert(f"{limit}.max_angle", frame=frame)
    for frame in (1, 15):
        bpy.context.scene.frame_set(frame)
        yield from gui.move(gui.to_window((0, 0, 0)))
        bpy.ops.omi.joint_table("INVOKE_DEFAULT")
        yield from gui.wait(4)
        found = yield from gui.picture(f"table_{frame}")
        counts.append(_yellow_and_green(found))
        yield from gui.key("ESC")
        yield from gui.wait(4)
    (keyed, between) = counts
    assert keyed[0] - between[0] > 1000, f"the key is not yellow: {counts}"
    assert between[1] - keyed[1] > 1000, f"between keys it is not green: {counts}"


def _yellow_and_green(picture: Any) -> tuple[int, int]:
    """Return how many pixels have the hues in which Blender's themes show keys."""
    red, green, blue = (picture[..., part].astype(int) for part in range(3))
    is_colored = green - blue > 50
    return int((is_colored & (red >= green)).sum()), int((is_colored & (green > red + 30)).sum())


def _scrub(gui: Gui, joint: Any, limit: str) -> Steps:
    """Look at two frames: the value of the panel and the drawing follow."""
    pictures = []
    for frame in (1, 31):
        bpy.context.scene.frame_set(frame)
        yield from gui.wait(4)
        pictures.append((yield from gui.picture(f"frame_{frame}")))
    assert math.isclose(joint.path_resolve(limit).min_angle, 1.0, abs_tol=1e-6)
    changed = (abs(pictures[0].astype(int) - pictures[1].astype(int)) > 40).any(axis=-1)
    assert changed.sum() > 200, "the drawing does not follow the keyed bound"
    bpy.context.scene.frame_set(1)


def _play(gui: Gui) -> Steps:
    """Play by Space: the bound pushes the body; jumps and arrow keys show what was simulated."""
    options = bpy.context.window_manager.omi_preview
    options.use_timeline = True
    assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0, 0, 0)))
    preview = _running()
    yield from gui.wait(6)
    assert len(preview.record) == 1, "it runs though the timeline stands"
    yield from gui.key("SPACE")
    yield from gui.until(lambda: bpy.context.scene.frame_current > 34)
    yield from gui.key("SPACE")
    yield from gui.until(lambda: not bpy.context.screen.is_animation_playing)
    yield from gui.wait(4)
    assert len(preview.record) == bpy.context.scene.frame_current
    yield from gui.picture("opened")
    body = [obj.name for obj in preview.objects].index("Body")
    moved = preview.record[-1][body]
    assert math.atan2(moved[1, 0], moved[0, 0]) > 0.9, "the bound does not push the body"
    yield from gui.key("LEFT_ARROW", shift=True)
    yield from gui.until(lambda: _shown_frame(preview) == 1)
    for _ in range(5):
        yield from gui.key("RIGHT_ARROW")
    yield from gui.until(lambda: _shown_frame(preview) == 6)
    assert bpy.context.scene.frame_current == 6
    bpy.context.scene.frame_set(40)
    yield from gui.until(lambda: _shown_frame(preview) == 40)
    options.use_timeline = False


def _shown_frame(preview: Any) -> int:
    """Return the last frame of the simulation that looks as what is shown, the first is 1."""
    same = [(each == preview.shown_matrices).all() for each in preview.record]
    return max((frame for frame, is_shown in enumerate(same, 1) if is_shown), default=0)


def _running() -> Any:
    return addon("preview.session").running()


def _curves() -> list[Any]:
    actions = bpy.data.actions
    curves = addon("scene.animation").action_curves
    return [curve for action in actions if action.users for curve in curves(action)]
