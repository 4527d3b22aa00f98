"""The overlay of joints in 3D views."""

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from time import perf_counter
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..authoring.context import present
from ..core.model.joint import JointSettings
from ..core.model.pose import Array
from ..properties.bones import object_of
from ..properties.joint import joint_data
from ..properties.overlay import OMI_PG_overlay, overlay_options
from ..scene.live import LiveScene
from ..scene.structure import joint_bodies
from ..scene.watch import live_scene
from ..scene.work import WORK, Redraw
from ..translation import translated
from . import drawing, geometry, labels
from .colors import Emphasis, color_table, theme_colors
from .detail import Eye, screen_sizes
from .scene_joints import SceneJoints
from .tints import Tints, tags, tints_of
from .view import ViewGeometry, in_scope

MOST_ASKED = 2000
"""Joints that are asked in one draw whether they are hidden."""
MOST_READ, _TOGETHER = 300, 20
"""Joints whose settings are read in one draw, and between two looks at the time elsewhere."""
MOST_VIEWS = 16
"""Views whose batches are kept."""
MOST_MARKED = 500
"""Joints up to which those that are at a limit or violated have a mark."""
MOST_NUMBERED = 4
"""Joints that numbers are written at: more of them only hide each other."""


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """The part of the context that decides what a 3D view shows."""

    space: bpy.types.SpaceView3D
    region: bpy.types.Region
    region_data: Any
    scene: bpy.types.Scene
    view_layer: bpy.types.ViewLayer
    preferences: bpy.types.Preferences
    options: OMI_PG_overlay
    scale: float
    """Interface scale."""

    @property
    def key(self) -> tuple[int, int]:
        """Identity of the view."""
        return (self.space.as_pointer(), self.region.as_pointer())

    @property
    def layer_key(self) -> tuple[int, str]:
        """Identity of the view layer."""
        return (self.scene.session_uid, self.view_layer.name)

    def eye(self) -> Eye:
        """Return from where the view looks."""
        # Single precision does not tell the depths of far points apart.
        perspective = np.array(self.region_data.perspective_matrix, float)
        return Eye(perspective, self.region.width, drawing.most_vertices())

    def sizes(self, joints: SceneJoints) -> Array:
        """Return the size [m] of each joint, shape (n,)."""
        factors = joints.sizes
        if self.options.size_mode == "WORLD":
            return factors * self.options.size
        perspective = np.array(self.region_data.perspective_matrix)
        return screen_sizes(
            joints.arrays.frames[:, 0, :3, 3],
            perspective,
            self.region.width,
            factors * self.options.screen_size * self.scale,
        )

    def visibility_key(self, joints: SceneJoints) -> tuple[Any, ...]:
        """Return what decides which joints are hidden."""
        space, live = self.space, joints.live
        switches = (space.use_local_collections, space.show_object_viewport_empty)
        changes = (live.links, live.shown.outside, live.shown.selections)
        return (joints, len(joints), changes, bool(space.local_view), switches)

    def visible(self, joints: SceneJoints, numbers: NDArray[np.intp]) -> list[bool]:
        """Return which of some joints are not hidden, by local view and collections too."""
        return [self._is_visible(joints.object_of(number)) for number in numbers.tolist()]

    def _is_visible(self, joint: bpy.types.Object) -> bool:
        """Return whether a joint is not hidden; in local view its bodies count, as it is small."""
        space, layer = self.space, self.view_layer
        if joint.visible_get(view_layer=layer, viewport=space):
            return True
        if space.local_view is None or joint.local_view_get(space):
            return False
        if not space.show_object_viewport_empty or joint.hide_viewport:
            return False
        if joint.hide_get(view_layer=layer):
            return False
        bodies = [body for body in joint_bodies(joint) if body is not None]
        return bool(bodies) and all(
            object_of(body).visible_get(view_layer=layer, viewport=space) for body in bodies
        )


def _window_of(context: bpy.types.Context) -> _Window | None:
    """Return what the context is about, None where it is not a 3D view with overlays."""
    space, region, layer = context.space_data, context.region, context.view_layer
    if not isinstance(space, bpy.types.SpaceView3D) or region is None or layer is None:
        return None
    assert context.scene is not None
    preferences: Any = context.preferences
    shown: Any = space.overlay
    if not shown.show_overlays:
        return None
    return _Window(
        space,
        region,
        context.region_data,
        context.scene,
        layer,
        preferences,
        overlay_options(context),
        preferences.system.ui_scale,
    )


class JointOverlay:
    """Joints of every 3D view; the batches of a view are renewed where something changed."""

    def __init__(self) -> None:
        self.failures: list[str] = []
        """What could not be drawn, and why."""
        self.forget()

    def forget(self) -> None:
        """Drop all batches."""
        self.joints: dict[tuple[int, str], SceneJoints] = {}
        """By `session_uid` of the scene and name of the view layer."""
        self.views: dict[tuple[int, int], ViewGeometry] = {}
        self.skipped: dict[str, JointSettings] = {}
        """Settings with which joints could not be drawn."""
        self._styles: dict[Any, geometry.Style] = {}
        self._is_undrawn = False
        self._tints: tuple[Any, Tints] = (None, {})

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the joints of the view that `context` is about."""
        window = _window_of(context)
        if window is None or not window.options.show:
            return
        joints = self._joints_of(window)
        if not len(joints):
            self.views.pop(window.key, None)
            return
        view = self._view_of(window)
        self._update(view, joints, window)
        options = window.options
        drawing.draw(
            view.batches,
            scale=window.scale,
            hidden_opacity=options.hidden_opacity if options.show_hidden else 0.0,
        )

    def draw_numbers(self, context: bpy.types.Context) -> None:
        """Label the bounds of selected joints over the view that was drawn before."""
        window = _window_of(context)
        if window is None or not (window.options.show and window.options.show_numbers):
            return
        joints = self.joints.get(window.layer_key)
        view = self._view_of(window)
        if joints is None or len(view.sizes) != len(joints):
            return
        shown = view.versions >= 0
        chosen = np.flatnonzero(shown & _is_numbered(joints.arrays.emphasis))
        scene = present(context.scene)
        page: dict[str, Any] = {
            "perspective": np.array(window.region_data.perspective_matrix),
            "viewport": (window.region.width, window.region.height),
            "scale": window.scale,
            "color": theme_colors(window.preferences).text,
        }
        labels.draw_labels(joints.arrays, chosen, view.sizes, units=scene.unit_settings, **page)
        if len(joints) <= MOST_MARKED:
            marked = np.flatnonzero(shown)
            states = joints.states_of(marked)
            labels.draw_marks(joints.arrays, states, marked, view.sizes, **page)
        for number in np.flatnonzero(joints.arrays.emphasis == Emphasis.ACTIVE):
            source = joint_data(joints.object_of(number)).settings_source
            if source is not None:
                below = joints.arrays.frames[number, 0, :3, 3] - (0.0, 0.0, view.sizes[number])
                labels.draw_text(
                    translated("Settings of {joint}", joint=source.name), below, **page
                )

    def report(self, error: Exception) -> None:
        """Tell of a failure once, name the joints that cause it and leave them out from now on."""
        names = []
        for joints, style in product(self.joints.values(), self._styles.values()):
            for number in np.arange(len(joints)):
                sizes = np.ones(len(joints))
                if failure_of(partial(geometry.build, joints.arrays, number[None], sizes, style)):
                    name = joints.name_of(number)
                    self.skipped[name] = joints.arrays.settings[number]
                    names.append(name)
        message = f"Cannot draw {', '.join(names) or 'joints'}: {error}"
        if message not in self.failures:
            self.failures.append(message)
            sys.stderr.write(f"{message}\n{''.join(traceback.format_exception(error))}")
        self.views.clear()

    def _joints_of(self, window: _Window) -> SceneJoints:
        """Return the joints of a window's view layer, up to date."""
        live = live_scene(window.scene)
        joints = self.joints.get(window.layer_key)
        if joints is None or joints.live is not live:
            # Of a file that was closed nothing is kept.
            self.views.clear()
            kept = {key: each for key, each in self.joints.items() if key[0] != window.layer_key[0]}
            joints = SceneJoints(live)
            self.joints = kept | {window.layer_key: joints}
        options = window.options
        tints = self._tints_of(window, live)
        joints.refresh(window.view_layer, options.moving_end(), tints, most=MOST_READ)
        return joints

    def _tints_of(self, window: _Window, live: LiveScene) -> Tints:
        """Return the colors of objects by their collections, the same while nothing differs."""
        scene, options = window.scene, window.options
        changes = (live.listing, live.shown.selections)
        key = (scene.session_uid, changes, options.color_by, tags(scene))
        if key != self._tints[0]:
            self._tints = (key, tints_of(options, scene, window.preferences))
        return self._tints[1]

    def _view_of(self, window: _Window) -> ViewGeometry:
        """Return the geometry of a view."""
        key = window.key
        if key not in self.views and len(self.views) >= MOST_VIEWS:
            self.views.clear()
        return self.views.setdefault(key, ViewGeometry())

    def _update(
        self,
        view: ViewGeometry,
        joints: SceneJoints,
        window: _Window,
    ) -> None:
        """Renew what the view shows where something it depends on differs."""
        options = window.options
        style, eye = self._style(options, window.preferences), window.eye()
        key = (
            joints,
            (joints.generation, joints.live.shown.version),
            window.visibility_key(joints),
            id(style),
            (options.scope, options.show_problems, options.size_mode),
            (options.size, options.screen_size),
            eye.key,
        )
        if key == view.key:
            return
        shown = in_scope(joints, options.scope, show_problems=options.show_problems)
        view.ask_visible(key[2], joints)
        some = view.unasked[:MOST_ASKED]
        view.visible[some], view.unasked = window.visible(joints, some), view.unasked[len(some) :]
        shown &= view.visible & ~joints.is_unread
        if self.skipped:
            skipped = (self.skipped.get(joints.name_of(n)) for n in range(len(joints)))
            pairs = zip(skipped, joints.arrays.settings, strict=True)
            shown &= [one != other for one, other in pairs]
        view.update(joints, shown, window.sizes(joints), style, eye=eye, is_hurried=True)
        view.key = None if len(view.unasked) else key
        if not (view.is_asked and view.is_built) or joints.is_unread.any():
            WORK.later(self)

    def work(self, until: float) -> bool:
        """Build what views still lack; a failure is reported like one of drawing."""
        self._is_undrawn = True
        error = failure_of(partial(self._build, until))
        if error is not None:
            self.report(error)
        return error is not None or self._is_built

    def undrawn(self) -> Redraw:
        """Return what shows what was built."""
        is_undrawn, self._is_undrawn = self._is_undrawn, False
        return Redraw.VIEWS if is_undrawn else Redraw.NONE

    def _build(self, until: float) -> None:
        for joints in self.joints.values():
            while joints.has_more and perf_counter() < until:
                joints.read_more(_TOGETHER)
        for view in self.views.values():
            view.work(until)

    @property
    def _is_built(self) -> bool:
        """Whether views lack nothing."""
        is_read = not any(joints.has_more for joints in self.joints.values())
        return is_read and all(view.is_built for view in self.views.values())

    def _style(self, options: OMI_PG_overlay, preferences: bpy.types.Preferences) -> geometry.Style:
        """Return the style of options and theme."""
        key = (options.parts(), theme_colors(preferences))
        if key not in self._styles:
            self._styles = {key: geometry.Style(key[0], color_table(key[1]))}
        return self._styles[key]


def _is_numbered(emphasis: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which joints have numbers by how they stand to the selection."""
    is_crowd = np.count_nonzero(emphasis >= Emphasis.SELECTED) > MOST_NUMBERED
    return np.asarray(emphasis >= (Emphasis.ACTIVE if is_crowd else Emphasis.SELECTED))


def failure_of(action: Callable[[], object]) -> Exception | None:
    """Return what an action raises: Blender would print it at every redraw."""
    try:
        action()
    except Exception as error:  # noqa: BLE001 - keeps errors from Blender
        return error
    return None


OVERLAY = JointOverlay()
