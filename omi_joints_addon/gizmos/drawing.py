"""All draw handlers; what draws is loaded when a 3D view is drawn first."""

from collections.abc import Callable
from functools import partial
from typing import Any

import bpy

from .. import overlay
from ..preview.draw import draw_forces

_handles: list[Any] = []
_BRUSHES = ("SCULPT", "PAINT", "PARTICLE")
"""Beginnings of modes in which a brush is at the mouse, and joints would be in its way."""


def draw_scene(context: bpy.types.Context) -> None:
    """Draw joints, the range that one is compared with while it is dragged, and shapes."""
    overlay.joint_overlay.OVERLAY.drawn = None
    window = overlay.window.window_of(context)
    if window is None:
        return
    _guard(partial(overlay.joint_overlay.OVERLAY.draw, window))
    if "ghost" in vars(overlay):  # a room has what was loaded
        _guard(partial(overlay.ghost.GHOST.draw, window))
    _guard(partial(overlay.shape_overlay.SHAPES.draw, window))


def draw_numbers(context: bpy.types.Context) -> None:
    """Label the bounds of selected joints over a view that was drawn just now."""
    overlay.joint_overlay.OVERLAY.draw_numbers(context)


def draw_guarded(draw_part: Callable[[bpy.types.Context], None]) -> None:
    """Draw; a failure draws nothing, is reported once and never reaches Blender's loop."""
    # Blender hands draw callbacks no context, and while an add-on is enabled there is none to keep.
    context = bpy.context  # noqa: TID251
    if context.mode.startswith(_BRUSHES):
        return
    _guard(partial(draw_part, context))


def _guard(draw_part: Callable[[], None]) -> None:
    error = overlay.joint_overlay.failure_of(draw_part)
    if error is not None:
        overlay.joint_overlay.OVERLAY.report(error)


def attach() -> None:
    """Start drawing."""
    add = bpy.types.SpaceView3D.draw_handler_add
    for draw_part, when in (
        (draw_scene, "POST_VIEW"),
        (draw_forces, "POST_VIEW"),
        (draw_numbers, "POST_PIXEL"),
    ):
        _handles.append(add(draw_guarded, (draw_part,), "WINDOW", when))


def detach() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    if "shape_overlay" in vars(overlay):  # a room has what was loaded
        overlay.joint_overlay.OVERLAY.forget()
        overlay.shape_overlay.SHAPES.forget()
