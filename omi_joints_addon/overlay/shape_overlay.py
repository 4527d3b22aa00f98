"""Outlines of collision shapes in 3D views: of empties always, of other objects where selected."""

from typing import Any

import bpy

from ..scene.live import LiveScene
from . import drawing
from .geometry import Vertices
from .joint_overlay import MOST_VIEWS
from .shapes import SceneShapes, shape_lines, shown_nodes
from .window import Window


class ShapeOverlay:
    """Shapes of every 3D view; its batches are renewed where something changed."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all batches."""
        self._batches: dict[tuple[int, ...], tuple[Any, drawing.Batches]] = {}
        self._shapes: dict[int, tuple[LiveScene, SceneShapes]] = {}

    def draw(self, window: Window) -> None:
        """Draw the shapes of a view."""
        if not (window.live.columns.has_shapes.any() and window.options.show_shapes):
            return
        batches = self._batches_of(window.live, window.space, window.view_layer)
        if batches.lines is not None:
            drawing.draw([batches], scale=window.scale, hidden_opacity=window.hidden_opacity)

    def _batches_of(
        self,
        live: LiveScene,
        space: bpy.types.SpaceView3D,
        layer: bpy.types.ViewLayer,
    ) -> drawing.Batches:
        view = (space.as_pointer(), layer.as_pointer())
        known, shapes = self._shapes.get(view[1], (None, SceneShapes()))
        if known is not live:
            shapes = SceneShapes()
            self._shapes = {view[1]: (live, shapes)}
        state = (
            live,
            (live.listing, shapes.version(live)),
            live.shown.selections,
            bool(space.local_view),
            space.use_local_collections,
            space.show_object_viewport_empty,
        )
        if view not in self._batches or self._batches[view][0] != state:
            if len(self._batches) >= MOST_VIEWS:
                self._batches.clear()
            nodes = shown_nodes(live, shapes.nodes(live), layer, space)
            self._batches[view] = (
                state,
                drawing.upload(Vertices(), shape_lines(live, nodes)),
            )
        return self._batches[view][1]


SHAPES = ShapeOverlay()
