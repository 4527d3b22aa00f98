"""Outlines of collision shapes in 3D views: of empties always, of other objects where selected."""

from typing import Any

import bpy

from .. import overlay
from .. import scene as scenes
from ..properties.overlay import overlay_options
from ..scene.watch import live_scene
from .joint_overlay import MOST_VIEWS, draw_guarded


class ShapeOverlay:
    """Shapes of every 3D view; its batches are renewed where something changed."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all batches."""
        self._batches: dict[tuple[int, ...], tuple[Any, overlay.drawing.Batches]] = {}
        self._shapes: dict[int, tuple[scenes.live.LiveScene, overlay.shapes.SceneShapes]] = {}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the shapes of the view that `context` is about."""
        space, layer, preferences = context.space_data, context.view_layer, context.preferences
        if not isinstance(space, bpy.types.SpaceView3D) or layer is None or preferences is None:
            return
        shown: Any = space.overlay
        options = overlay_options(context)
        if not (shown.show_overlays and options.show and options.show_shapes):
            return
        assert context.scene is not None
        batches = self._batches_of(live_scene(context.scene), space, layer)
        if batches.lines is not None:
            overlay.drawing.draw(
                [batches],
                scale=preferences.system.ui_scale,
                hidden_opacity=options.hidden_opacity if options.show_hidden else 0.0,
            )

    def _batches_of(
        self,
        live: "scenes.live.LiveScene",
        space: bpy.types.SpaceView3D,
        layer: bpy.types.ViewLayer,
    ) -> "overlay.drawing.Batches":
        view = (space.as_pointer(), layer.as_pointer())
        known, shapes = self._shapes.get(view[1], (None, overlay.shapes.SceneShapes()))
        if known is not live:
            shapes = overlay.shapes.SceneShapes()
            self._shapes = {view[1]: (live, shapes)}
        state = (
            live,
            shapes.version(live),
            live.noted.selections,
            bool(space.local_view),
            space.use_local_collections,
            space.show_object_viewport_empty,
        )
        if view not in self._batches or self._batches[view][0] != state:
            if len(self._batches) >= MOST_VIEWS:
                self._batches.clear()
            nodes = overlay.shapes.shown_nodes(live, shapes.nodes(live), layer, space)
            self._batches[view] = (
                state,
                overlay.drawing.upload(
                    overlay.geometry.Vertices(), overlay.shapes.shape_lines(live, nodes)
                ),
            )
        return self._batches[view][1]


SHAPES = ShapeOverlay()
_handles: list[Any] = []


def attach() -> None:
    """Start drawing."""
    handle = bpy.types.SpaceView3D.draw_handler_add(
        draw_guarded, (SHAPES.draw,), "WINDOW", "POST_VIEW"
    )
    _handles.append(handle)


def detach() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    SHAPES.forget()
