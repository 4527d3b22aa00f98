"""The overlay of joints in 3D views: draw handler, and the handlers that tell it what changed."""

import sys
import traceback
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.pose import Array
from ..overlay.colors import color_table, theme_colors
from ..overlay.drawing import draw
from ..overlay.geometry import Style
from ..overlay.scene_joints import SceneJoints
from ..overlay.view import ViewGeometry, display_sizes, in_scope, pixel_sizes
from ..properties.overlay import OMI_PG_overlay, overlay_options

MOST_VIEWS = 16
"""Views whose batches are kept."""


class JointOverlay:
    """Joints of every 3D view; the batches of a view are renewed where something changed."""

    def __init__(self) -> None:
        self.failures: dict[str, str] = {}
        """What could not be drawn, and why."""
        self.forget()

    def forget(self) -> None:
        """Drop all references into Blender's data and all batches."""
        self.joints: dict[int, SceneJoints] = {}
        self.views: dict[tuple[int, int], ViewGeometry] = {}
        self._styles: dict[Any, Style] = {}

    def note(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Remember what changed."""
        for joints in self.joints.values():
            joints.note(depsgraph.updates)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the joints of the view that `context` is about."""
        space, region = context.space_data, context.region
        if not isinstance(space, bpy.types.SpaceView3D) or not space.overlay.show_overlays:
            return
        options = overlay_options(context.scene, context.preferences)
        if not options.show:
            return
        joints = self._joints_of(context.view_layer)
        if not joints.items:
            return
        view = self._view_of(space, region)
        self._update(view, joints, options, context)
        draw(
            view.batches,
            scale=context.preferences.system.ui_scale,
            hidden_opacity=options.hidden_opacity if options.show_hidden else 0.0,
        )

    def _joints_of(self, view_layer: bpy.types.ViewLayer) -> SceneJoints:
        """Return the joints of a view layer, up to date."""
        joints = self.joints.setdefault(view_layer.as_pointer(), SceneJoints())
        joints.refresh(view_layer)
        return joints

    def _view_of(self, space: bpy.types.SpaceView3D, region: bpy.types.Region) -> ViewGeometry:
        """Return the geometry of a view."""
        key = (space.as_pointer(), region.as_pointer())
        if key not in self.views and len(self.views) >= MOST_VIEWS:
            self.views.clear()
        return self.views.setdefault(key, ViewGeometry())

    def _update(
        self,
        view: ViewGeometry,
        joints: SceneJoints,
        options: OMI_PG_overlay,
        context: bpy.types.Context,
    ) -> None:
        """Renew what the view shows where something it depends on differs."""
        space = context.space_data
        style = self._style(options, context.preferences)
        key = (
            id(joints),
            joints.generation,
            joints.listing,
            id(style),
            (options.scope, options.show_problems, options.size_mode),
            (options.size, options.screen_size),
            (bool(space.local_view), space.use_local_collections, space.show_object_viewport_empty),
            _eye(context) if options.size_mode == "SCREEN" else None,
        )
        if key == view.key:
            return
        shown = in_scope(joints, options.scope, show_problems=options.show_problems)
        shown &= _visible(joints, space, context.view_layer)
        view.update(joints, shown, _sizes(joints, options, context), style)
        view.key = key

    def _style(self, options: OMI_PG_overlay, preferences: bpy.types.Preferences) -> Style:
        """Return the style of options and theme."""
        key = (options.parts(), theme_colors(preferences))
        if key not in self._styles:
            self._styles = {key: Style(key[0], color_table(key[1]))}
        return self._styles[key]


def _eye(context: bpy.types.Context) -> tuple[Any, ...]:
    """Return what decides how large things are on screen."""
    matrix = context.region_data.perspective_matrix
    return (context.region.width, *(tuple(row) for row in matrix))


def _sizes(joints: SceneJoints, options: OMI_PG_overlay, context: bpy.types.Context) -> Array:
    """Return the size [m] of each joint in a view, shape (n,)."""
    factors = display_sizes(joints)
    if options.size_mode == "WORLD":
        return factors * options.size
    perspective = np.array(context.region_data.perspective_matrix)
    points = joints.arrays.frames[:, 0, :3, 3]
    pixel = pixel_sizes(points, perspective, context.region.width)
    return np.asarray(factors * options.screen_size * context.preferences.system.ui_scale * pixel)


def _visible(
    joints: SceneJoints, space: bpy.types.SpaceView3D, view_layer: bpy.types.ViewLayer
) -> NDArray[np.bool_]:
    """Return which joints a view shows, shape (n,): not hidden, in its local view and collections."""
    return np.array(
        [item.shown.visible_get(view_layer=view_layer, viewport=space) for item in joints.items],
        bool,
    )


OVERLAY = JointOverlay()
_handles: list[Any] = []


def draw_overlay() -> None:
    """Draw the overlay; a failure draws nothing, is told once and never reaches Blender's loop."""
    # Blender hands draw callbacks no context, and while an add-on is enabled there is none to keep.
    context = bpy.context  # noqa: TID251
    try:
        OVERLAY.draw(context)
    except Exception as error:  # noqa: BLE001 - Blender would print it at every redraw
        report_failure(error)


def report_failure(error: Exception) -> None:
    """Tell of a failure that was not told of yet."""
    message = str(error)
    if message not in OVERLAY.failures:
        OVERLAY.failures[message] = "".join(traceback.format_exception(error))
        sys.stderr.write(f"Joints are not drawn: {OVERLAY.failures[message]}")
    OVERLAY.forget()


@bpy.app.handlers.persistent
def note_changes(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Remember what a change of the scene or of the frame touched."""
    OVERLAY.note(depsgraph)


@bpy.app.handlers.persistent
def forget_data(*_arguments: Any) -> None:
    """Drop references before they go stale: undo and reading a file replace all data."""
    OVERLAY.forget()


def _handlers() -> list[tuple[list[Callable[..., None]], Callable[..., None]]]:
    """Return Blender's lists of handlers and ours."""
    lists = bpy.app.handlers
    noting = (lists.depsgraph_update_post, lists.frame_change_post)
    forgetting = (
        lists.undo_pre,
        lists.undo_post,
        lists.redo_pre,
        lists.redo_post,
        lists.load_pre,
        lists.load_post,
    )
    return [(each, note_changes) for each in noting] + [(each, forget_data) for each in forgetting]


def attach() -> None:
    """Start drawing."""
    add = bpy.types.SpaceView3D.draw_handler_add
    _handles.append(add(draw_overlay, (), "WINDOW", "POST_VIEW"))
    for handlers, function in _handlers():
        handlers.append(function)


def detach() -> None:
    """Stop drawing."""
    for handlers, function in _handlers():
        handlers.remove(function)
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    OVERLAY.forget()
