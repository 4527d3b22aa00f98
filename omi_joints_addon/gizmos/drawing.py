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


def draw_joints(context: bpy.types.Context) -> None:
    """Draw the joints of a view."""
    overlay.joint_overlay.OVERLAY.draw(context)


def draw_numbers(context: bpy.types.Context) -> None:
    """Label the bounds of selected joints over a view."""
    overlay.joint_overlay.OVERLAY.draw_numbers(context)


def draw_shapes(context: bpy.types.Context) -> None:
    """Draw the collision shapes of a view."""
    overlay.shape_overlay.SHAPES.draw(context)


def draw_ghost(context: bpy.types.Context) -> None:
    """Draw the range that a joint is compared with while it is dragged."""
    if "ghost" in vars(overlay):  # a room has what was loaded
        overlay.ghost.GHOST.draw(context)


def draw_guarded(draw_part: Callable[[bpy.types.Context], None]) -> None:
    """Draw; a failure draws nothing, is reported once and never reaches Blender's loop."""
    # Blender hands draw callbacks no context, and while an add-on is enabled there is none to keep.
    context = bpy.context  # noqa: TID251
    if context.mode.startswith(_BRUSHES):
        return
    error = overlay.joint_overlay.failure_of(partial(draw_part, context))
    if error is not None:
        overlay.joint_overlay.OVERLAY.report(error)


def attach() -> None:
    """Start drawing."""
    add = bpy.types.SpaceView3D.draw_handler_add
    for draw_part, when in (
        (draw_joints, "POST_VIEW"),
        (draw_ghost, "POST_VIEW"),
        (draw_numbers, "POST_PIXEL"),
        (draw_shapes, "POST_VIEW"),
        (draw_forces, "POST_VIEW"),
    ):
        _handles.append(add(draw_guarded, (draw_part,), "WINDOW", when))


def detach() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    if "shape_overlay" in vars(overlay):  # a room has what was loaded
        overlay.joint_overlay.OVERLAY.forget()
        overlay.shape_overlay.SHAPES.forget()
