"""Colors of outlines, from Blender's theme: one table over state, role, axis and emphasis."""

from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.outline.pieces import Role, State
from ..properties.colors import joint_colors

Colors = NDArray[np.float32]


class Emphasis(IntEnum):
    """How a joint stands to the selection."""

    NONE = 0
    SELECTED = 1
    ACTIVE = 2


Color = tuple[float, ...]


class ViewColors(NamedTuple):
    """Colors (r, g, b) that outlines are made of, as sRGB from 0 to 1."""

    axis_x: Color
    axis_y: Color
    axis_z: Color
    primary: Color
    secondary: Color
    highlight: Color
    wire: Color
    text: Color
    at_limit: Color
    violated: Color


_OPACITY = {
    Role.RANGE: 0.16,
    Role.EDGE: 0.7,
    Role.ZERO: 0.8,
    Role.LOCKED: 0.75,
    Role.FREE: 0.35,
    Role.TETHER: 0.5,
}
_SHADE = {Role.MIN: 0.55, Role.EDGE: 0.75, Role.MAX: 1.0, Role.CONNECTED: 0.85, Role.FRAME: 0.85}
"""Brightness of roles in their axis's color."""
TINTED = (
    Role.RANGE,
    Role.EDGE,
    Role.MIN,
    Role.MAX,
    Role.LOCKED,
    Role.FREE,
    Role.TETHER,
    Role.COUPLING,
)
"""Roles that take the color of their joint where it has one; axes keep theirs."""
_EMPHASIS = (0.55, 1.0, 1.0)
_FOLLOWS_STATE = (Role.RANGE, Role.EDGE, Role.MIN, Role.MAX, Role.CURRENT, Role.LOCKED)


def theme_colors(preferences: bpy.types.Preferences) -> ViewColors:
    """Return the colors of the theme, and those of axes and states that the user prefers."""
    theme: Any = preferences.themes[0]
    interface, view = theme.user_interface, theme.view_3d
    chosen = joint_colors(preferences)
    found = (
        *(chosen.axes or (interface.axis_x, interface.axis_y, interface.axis_z)),
        interface.gizmo_primary,
        interface.gizmo_secondary,
        interface.gizmo_hi,
        view.wire,
        view.object_active,
        chosen.at_limit,
        chosen.violated,
    )
    return ViewColors(*(tuple(color)[:3] for color in found))


@lru_cache(maxsize=1)
def shades() -> Colors:
    """Return how bright each role is in the color of its joint, 0 where it does not take it."""
    found = np.zeros(len(Role), np.float32)
    for role in TINTED:
        found[role] = _SHADE.get(role, 1.0)
    return found


def color_table(theme: ViewColors) -> Colors:
    """Return RGBA (5, 15, 4, 3, 4) for each state, role, axis (neutral last) and emphasis."""
    table = np.ones((len(State), len(Role), 4, len(Emphasis), 4), np.float32)
    (primary, secondary, highlight, wire), neutral = map(np.array, theme[3:7]), np.full(3, 0.62)
    for role in Role:
        shade = _SHADE.get(role, 1.0)
        for axis, hue in enumerate((*map(np.array, theme[:3]), neutral)):
            table[:, role, axis, :, :3] = hue * shade
        table[:, role, :, :, 3] = _OPACITY.get(role, 1.0)
    table[:, Role.ZERO, :, :, :3] = 0.5 * neutral
    table[:, Role.CURRENT, :, :, :3] = highlight
    table[:, Role.TARGET, 3, :, :3] = table[:, Role.GAP, :, :, :3] = primary
    table[:, [Role.VELOCITY, Role.COUPLING], :, :, :3] = secondary
    table[:, Role.TETHER, :, :, :3] = 0.5 * neutral + 0.5 * wire
    for state, color in (
        (State.AT_LIMIT, theme.at_limit),
        (State.VIOLATED, theme.violated),
        (State.ERROR, theme.violated),
        (State.BROKEN, theme.violated),
    ):
        table[state, list(_FOLLOWS_STATE), :, :, :3] = np.array(color)
    table[State.AT_LIMIT, [Role.RANGE, Role.MIN, Role.LOCKED]] = table[
        State.NORMAL, [Role.RANGE, Role.MIN, Role.LOCKED]
    ]
    table[State.VIOLATED :, Role.GAP, :, :, :3] = np.array(theme.violated)
    table[State.VIOLATED :, Role.RANGE, ..., 3] = 0.3
    table[: State.VIOLATED, ..., 3] *= np.array(_EMPHASIS)
    table[State.BROKEN, ..., 3] *= 0.25
    table[State.BROKEN, [Role.CURRENT, Role.GAP], ..., 3] = 0.0
    return table
