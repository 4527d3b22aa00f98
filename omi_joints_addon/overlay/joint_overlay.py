"""The overlay of joints in 3D views."""

import sys
import traceback
from collections.abc import Callable
from functools import partial
from itertools import product
from time import perf_counter
from typing import Any

import bpy
import numpy as np

from ..core.model.joint import JointSettings
from ..core.outline.joint import Part
from ..properties.overlay import OMI_PG_overlay
from ..scene.watch import WATCH
from ..scene.work import WORK, Redraw
from . import drawing, geometry
from .colors import ViewColors, color_table, theme_colors
from .scene_joints import SceneJoints
from .texts import draw_texts
from .tints import NO_TINTS, Tints, tags, tints_of
from .view import ViewGeometry, in_scope
from .window import Window

MOST_ASKED = 10_000
"""Joints that are asked in one draw whether they are hidden."""
MOST_READ, _TOGETHER = 300, 20
"""Joints whose settings are read in one draw, and between two looks at the time elsewhere."""
MOST_VIEWS = 16
"""Views whose batches are kept."""


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
        self.drawn: tuple[Window, SceneJoints, ViewGeometry] | None = None
        """The view that was drawn last, None where it shows no joints."""
        self.skipped: dict[str, JointSettings] = {}
        """Settings with which joints could not be drawn."""
        self._styles: dict[tuple[tuple[Part, ...], ViewColors], geometry.Style] = {}
        """The one that was drawn in last, by its parts and colors."""
        self._is_undrawn = False
        self._tints: tuple[Any, Tints] = (None, {})

    def draw(self, window: Window) -> None:
        """Draw the joints of a view."""
        joints = self._joints_of(window)
        if not len(joints):
            self.views.pop(window.key, None)
            return
        view = self._view_of(window)
        self._update(view, joints, window)
        drawing.draw(view.batches, scale=window.scale, hidden_opacity=window.hidden_opacity)
        self.drawn = (window, joints, view)

    def draw_numbers(self, context: bpy.types.Context) -> None:
        """Label the bounds of selected joints over the view that was drawn just before."""
        if self.drawn is None:
            return
        window, joints, view = self.drawn
        if window.region == context.region and window.options.show_numbers:
            ((_, colors),) = self._styles
            draw_texts(window, joints, view, colors)

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

    def _joints_of(self, window: Window) -> SceneJoints:
        """Return the joints of a window's view layer, up to date."""
        live = window.live
        joints = self.joints.get(window.layer_key)
        if joints is None or joints.live is not live:
            # Of a file that was closed nothing is kept.
            self.views.clear()
            kept = {key: each for key, each in self.joints.items() if key[0] != window.layer_key[0]}
            joints = SceneJoints(live)
            self.joints = kept | {window.layer_key: joints}
        options = window.options
        tints = self._tints_of(window)
        joints.refresh(window.view_layer, options.moving_end(), tints, most=MOST_READ)
        return joints

    def _tints_of(self, window: Window) -> Tints:
        """Return the colors of objects by their collections, the same while nothing differs."""
        scene, options, live = window.scene, window.options, window.live
        if options.color_by != "COLLECTION":
            return NO_TINTS
        changes = (live.listing, live.shown.selections)
        key = (scene.session_uid, changes, tags(scene))
        if key != self._tints[0]:
            self._tints = (key, tints_of(options, scene, window.preferences))
        return self._tints[1]

    def _view_of(self, window: Window) -> ViewGeometry:
        """Return the geometry of a view."""
        key = window.key
        view = self.views.get(key)
        if view is None:
            if len(self.views) >= MOST_VIEWS:
                self.views.clear()
            view = self.views[key] = ViewGeometry()
        return view

    def _update(self, view: ViewGeometry, joints: SceneJoints, window: Window) -> None:
        """Renew what the view shows where something it depends on differs."""
        options = window.options
        style, eye = self._style(options, window.preferences), window.eye()
        key = (
            joints,
            (joints.generation, joints.live.shown.version),
            window.visibility_key(joints),
            id(style),
            (options.scope, options.only_chain, options.show_problems),
            (options.size_mode, options.size, options.screen_size, eye.key),
        )
        if key == view.key:
            return
        problems, chain = options.show_problems, options.only_chain
        shown = in_scope(joints, options.scope, show_problems=problems, only_chain=chain)
        view.ask_visible(key[2], joints)
        some = view.unasked[:MOST_ASKED]
        view.visible[some], view.unasked = window.visible(joints, some), view.unasked[len(some) :]
        shown &= view.visible & ~joints.is_unread
        if self.skipped:
            shown &= self._are_drawable(joints)
        view.update(joints, shown, window.sizes(joints), style, eye=eye, is_hurried=True)
        view.key = None if len(view.unasked) else key
        if not (view.is_asked and view.is_built and joints.is_read):
            WORK.later(self)

    def _are_drawable(self, joints: SceneJoints) -> list[bool]:
        skipped = (self.skipped.get(joints.name_of(number)) for number in range(len(joints)))
        return [a != b for a, b in zip(skipped, joints.arrays.settings, strict=True)]

    def work(self, until: float) -> bool:
        """Build what views still lack; a failure is reported like one of drawing."""
        error = failure_of(partial(self._build, until))
        if error is not None:
            self.report(error)
            self._is_undrawn = True
        return error is not None or self._is_built

    def undrawn(self) -> Redraw:
        """Return what shows what was built."""
        is_undrawn, self._is_undrawn = self._is_undrawn, False
        return Redraw.VIEWS if is_undrawn else Redraw.NONE

    def _build(self, until: float) -> None:
        for joints in self.joints.values():
            # While the scene is being read, more joints come: they are listed once it is.
            while joints.live.is_current and not joints.is_read and perf_counter() < until:
                joints.read_more(_TOGETHER)
                self._is_undrawn = True
        for view in self.views.values():
            self._is_undrawn |= not (view.is_built and view.is_asked)
            view.work(until)

    @property
    def _is_built(self) -> bool:
        """Whether views lack nothing."""
        unread = (joints for joints in self.joints.values() if not joints.is_read)
        if any(joints.live.is_current or WORK.is_due(WATCH) for joints in unread):
            return False
        return all(view.is_built for view in self.views.values())

    def _style(self, options: OMI_PG_overlay, preferences: bpy.types.Preferences) -> geometry.Style:
        """Return the style of options and theme."""
        key = (options.parts(), theme_colors(preferences))
        if key not in self._styles:
            self._styles = {key: geometry.Style(key[0], color_table(key[1]))}
        return self._styles[key]


def failure_of(action: Callable[[], object]) -> Exception | None:
    """Return what an action raises: Blender would print it at every redraw."""
    try:
        action()
    except Exception as error:  # noqa: BLE001 - keeps errors from Blender
        return error
    return None


OVERLAY = JointOverlay()
