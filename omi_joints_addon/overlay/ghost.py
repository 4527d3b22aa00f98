"""A second range of one joint beside its own, pale, while that is dragged."""

from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ..core.model.joint import JointLimit
from ..core.outline.joint import Part
from ..core.outline.sides import drawn_from
from ..properties.joint import joint_data
from . import drawing
from .colors import color_table, theme_colors
from .geometry import Style, Vertices, build
from .joint_overlay import OVERLAY
from .window import Window

_OPACITY = 0.7
"""Of a ghost, beside that of the range itself."""


class Ghost:
    """The range that one joint is compared with."""

    limits: tuple[JointLimit, ...] = ()

    def __init__(self) -> None:
        self.hide()

    def show(self, joint: bpy.types.Object, limits: tuple[JointLimit, ...]) -> None:
        """Draw limits beside those of a joint from now on."""
        self._uid, self.limits = joint.session_uid, limits

    def hide(self) -> None:
        """Draw nothing more."""
        self._uid, self.limits = 0, ()
        self._batches: dict[Any, drawing.Batches] = {}

    def draw(self, window: Window) -> None:
        """Draw the range in a view."""
        joints = OVERLAY.joints.get(window.layer_key) if self.limits else None
        found = [] if joints is None else np.flatnonzero(joints.uids == self._uid).tolist()
        if joints is None or not found:
            return
        number = found[0]
        size = float(window.sizes(joints)[number])
        key = (window.key, joints.arrays.frames[number].tobytes(), size)
        if key not in self._batches:
            some = joints.arrays.take(np.array([number]))
            moving = window.options.moving_end() or joints.live.moving_end(joints.object_of(number))
            settings = joint_data(joints.object_of(number)).settings_to_core()
            ghost = replace(settings, limits=self.limits, drives=())
            some.settings[0] = drawn_from(ghost, moving).settings
            style = Style((Part.LIMITS,), color_table(theme_colors(window.preferences)))
            stacks = build(some, np.array([0]), np.array([size]), style)
            faces, lines = (_pale(stack.vertices) for stack in stacks)
            self._batches = {key: drawing.upload(faces, lines)}
        drawing.draw([self._batches[key]], scale=window.scale, hidden_opacity=window.hidden_opacity)


def _pale(vertices: Vertices) -> Vertices:
    """Return vertices in a light gray that lets through what is behind."""
    color = vertices.color.copy()
    color[:, :3] = 230
    color[:, 3] = np.rint(_OPACITY * color[:, 3])
    return Vertices(vertices.position, color)


GHOST = Ghost()
