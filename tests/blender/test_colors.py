"""Colors of axes and states: which of them people with each color blindness can tell apart."""

from itertools import combinations

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.outline.pieces import Role, State
from omi_joints_addon.overlay.colors import ViewColors, color_table, theme_colors
from omi_joints_addon.properties.colors import SAFE

VISIONS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""What eyes see of linear RGB: Machado, Oliveira, Fernandes 2009, severity 1."""
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
WHITE = [0.95047, 1.0, 1.08883]


def lab(color: tuple[float, ...], vision: str) -> np.ndarray:
    """Return CIE L*a*b* of an sRGB color as eyes see it."""
    rgb = np.array(color)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(VISIONS[vision]) @ linear, 0.0, 1.0)
    x, y, z = np.cbrt(np.array(TO_XYZ) @ seen / WHITE)
    return np.array((116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)))


def least_difference(colors: ViewColors, vision: str) -> float:
    """Return the smallest difference (CIE76) of two colors of axes and states."""
    distinct = (colors.axis_x, colors.axis_y, colors.axis_z, colors.at_limit, colors.violated)
    pairs = combinations([lab(each, vision) for each in distinct], 2)
    return min(float(np.linalg.norm(one - other)) for one, other in pairs)


@pytest.fixture
def chosen():
    """Return the preferences' colors, back to the theme's afterwards."""
    found = bpy.context.preferences.addons["omi_joints_addon"].preferences.colors
    yield found
    found.palette = "THEME"


@pytest.mark.parametrize("vision", VISIONS)
def test_everybody_can_tell_the_safe_colors_apart(chosen, vision: str) -> None:
    chosen.palette = "SAFE"
    assert least_difference(theme_colors(bpy.context.preferences), vision) > 50.0


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("gray", [0.239, 0.392], ids=["dark", "light"])
def test_the_safe_colors_stand_out_from_the_viewport(chosen, vision: str, gray: float) -> None:
    """Backgrounds of both themes that come with Blender."""
    chosen.palette = "SAFE"
    colors = theme_colors(bpy.context.preferences)
    shown = (colors.axis_x, colors.axis_y, colors.axis_z, colors.at_limit, colors.violated)
    background = lab((gray, gray, gray), vision)
    least = min(float(np.linalg.norm(lab(each, vision) - background)) for each in shown)
    assert least > 15.0


def test_what_is_violated_is_not_the_color_of_an_axis() -> None:
    colors = theme_colors(bpy.context.preferences)
    others = (colors.axis_x, colors.axis_y, colors.axis_z, colors.at_limit)
    violated = lab(colors.violated, "normal")
    assert min(np.linalg.norm(lab(each, "normal") - violated) for each in others) > 70.0


def test_the_theme_s_colors_are_why_there_is_a_safe_set(chosen) -> None:
    assert least_difference(theme_colors(bpy.context.preferences), "deuteranopia") < 10.0


def test_own_colors_reach_the_outlines(chosen) -> None:
    chosen.palette = "OWN"
    chosen.axis_x, chosen.violated = (0.0, 0.25, 1.0), (0.0, 0.5, 0.0)
    table = color_table(theme_colors(bpy.context.preferences))
    np.testing.assert_allclose(table[State.NORMAL, Role.MAX, 0, 1, :3], (0.0, 0.25, 1.0))
    np.testing.assert_allclose(table[State.VIOLATED, Role.MAX, 0, 1, :3], (0.0, 0.5, 0.0))
    assert chosen.colors().at_limit == pytest.approx(SAFE.at_limit)
