"""Outlines of collision shapes in 3D views: of empties always, of other objects where selected."""

from collections.abc import Callable
from typing import Any

import bpy

from ..overlay.drawing import Batches, draw, upload
from ..overlay.geometry import Vertices
from ..overlay.shapes import shape_lines
from ..properties.overlay import overlay_options
from .joint_overlay import MOST_VIEWS, draw_guarded


class ShapeOverlay:
    """Shapes of every 3D view; its batches are renewed where something changed."""

    def __init__(self) -> None:
        self._batches: dict[tuple[int, ...], Batches] = {}

    def forget(self) -> None:
        """Drop all batches."""
        self._batches.clear()

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the shapes of the view that `context` is about."""
        space, layer, preferences = context.space_data, context.view_layer, context.preferences
        if not isinstance(space, bpy.types.SpaceView3D) or layer is None or preferences is None:
            return
        overlay: Any = space.overlay
        options = overlay_options(context)
        if not (overlay.show_overlays and options.show and options.show_shapes):
            return
        batches = self._batches_of(space, layer)
        if batches.lines is not None:
            draw(
                [batches],
                scale=preferences.system.ui_scale,
                hidden_opacity=options.hidden_opacity if options.show_hidden else 0.0,
            )

    def _batches_of(self, space: bpy.types.SpaceView3D, layer: bpy.types.ViewLayer) -> Batches:
        key = (
            space.as_pointer(),
            layer.as_pointer(),
            bool(space.local_view),
            space.use_local_collections,
            space.show_object_viewport_empty,
        )
        if key not in self._batches:
            if len(self._batches) >= MOST_VIEWS:
                self.forget()
            self._batches[key] = upload(Vertices(), shape_lines(shown_objects(space, layer)))
        return self._batches[key]


def shown_objects(
    space: bpy.types.SpaceView3D | None, layer: bpy.types.ViewLayer
) -> list[bpy.types.Object]:
    """Return the visible objects whose shapes are shown."""
    return [
        obj
        for obj in layer.objects
        if (obj.type == "EMPTY" or obj.select_get(view_layer=layer))
        and obj.visible_get(view_layer=layer, viewport=space)
    ]


SHAPES = ShapeOverlay()
_handles: list[Any] = []


@bpy.app.handlers.persistent  # type: ignore[untyped-decorator]
def forget_shapes(*_arguments: Any) -> None:
    """Drop the batches: something changed."""
    SHAPES.forget()


def _handlers() -> list[list[Callable[..., None]]]:
    lists = bpy.app.handlers
    return [
        lists.depsgraph_update_post,
        lists.frame_change_post,
        lists.undo_post,
        lists.redo_post,
        lists.load_post,
    ]


def attach() -> None:
    """Start drawing."""
    handle = bpy.types.SpaceView3D.draw_handler_add(
        draw_guarded, (SHAPES.draw,), "WINDOW", "POST_VIEW"
    )
    _handles.append(handle)
    for handlers in _handlers():
        handlers.append(forget_shapes)


def detach() -> None:
    """Stop drawing."""
    for handlers in _handlers():
        handlers.remove(forget_shapes)
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    SHAPES.forget()
