"""Colors of axes and states of joints: the theme's, a set that everyone can tell apart, or own."""

from typing import NamedTuple

import bpy

from ..declared import EnumProperty, FloatVectorProperty
from .overlay import ADDON

Color = tuple[float, float, float]


class JointColors(NamedTuple):
    """Colors (r, g, b) as sRGB from 0 to 1."""

    axes: tuple[Color, Color, Color] | None
    """X, Y and Z; None are the theme's."""
    at_limit: Color
    violated: Color


THEME = JointColors(None, (1.0, 0.65, 0.1), (1.0, 0.0, 0.85))
"""Amber and magenta beside the theme's axes, of which one is red."""
_SAFE_AXES = ((0.77, 0.25, 0.0), (0.39, 1.0, 0.72), (0.23, 0.36, 0.98))
SAFE = JointColors(
    _SAFE_AXES,
    (0.99, 1.0, 0.06),
    (0.59, 0.34, 0.56),
)
"""Found by a search: any two differ by 50 (CIE76) or more, whatever color blindness one has."""


def _color(name: str, description: str, default: Color) -> Color:
    color: Color = FloatVectorProperty(
        name=name,
        description=description,
        subtype="COLOR",
        size=3,
        min=0.0,
        max=1.0,
        default=default,
    )
    return color


class OMI_PG_colors(bpy.types.PropertyGroup):
    """Colors in which joints are drawn."""

    palette = EnumProperty(
        name="Colors",
        description="Colors of axes and states of joints",
        items=(
            (
                "THEME",
                "Theme",
                "Axes of the theme, amber at a limit, magenta where violated",
            ),
            (
                "SAFE",
                "Color Blind Safe",
                "Axes and states that people with any color blindness can tell apart",
            ),
            ("OWN", "Custom", "The colors below"),
        ),
    )
    axis_x = _color("X Axis", "What is along or about X", _SAFE_AXES[0])
    axis_y = _color("Y Axis", "What is along or about Y", _SAFE_AXES[1])
    axis_z = _color("Z Axis", "What is along or about Z", _SAFE_AXES[2])
    at_limit = _color("At Limit", "Where a joint is at a limit", SAFE.at_limit)
    violated = _color("Violated", "Where a joint violates a limit", SAFE.violated)

    def colors(self) -> JointColors:
        """Return the chosen colors."""
        if self.palette != "OWN":
            return SAFE if self.palette == "SAFE" else THEME
        axes = tuple(self.axis_x), tuple(self.axis_y), tuple(self.axis_z)
        return JointColors(axes, tuple(self.at_limit), tuple(self.violated))  # type: ignore[arg-type]


def joint_colors(preferences: bpy.types.Preferences | None) -> JointColors:
    """Return the colors that the user prefers, the theme's where the extension has none."""
    addon = preferences.addons.get(ADDON) if preferences else None
    chosen = getattr(addon and addon.preferences, "colors", None)
    return THEME if chosen is None else chosen.colors()
