"""Texts at joints over a view: bounds of selected ones, marks of states, and whose settings."""

from collections.abc import Iterator

import bpy
import numpy as np
from numpy.typing import NDArray

from ..properties.joint import joint_data
from ..translation import translated
from .colors import Emphasis, ViewColors
from .labels import Page, Text, bound_texts, marks
from .scene_joints import SceneJoints
from .view import ViewGeometry
from .window import Window

MOST_MARKED = 500
"""Joints up to which those that are at a limit or violated have a mark."""
MOST_NUMBERED = 4
"""Joints that numbers are written at: more of them only hide each other."""


def draw_texts(window: Window, joints: SceneJoints, view: ViewGeometry, colors: ViewColors) -> None:
    """Write the texts of the joints that a view shows, as before where nothing differs."""
    units, region = window.scene.unit_settings, window.region
    words = (units.system, units.system_rotation, units.scale_length, bpy.app.translations.locale)
    key = (view.key, region.width, region.height, window.scale, words)
    if view.key is None or view.texts[0] != key:
        view.texts = (key, [*_texts(window, joints, view, window.page(colors))])
    for text in view.texts[1]:
        text.draw()


def _texts(window: Window, joints: SceneJoints, view: ViewGeometry, page: Page) -> Iterator[Text]:
    shown, arrays = view.versions >= 0, joints.arrays
    chosen = np.flatnonzero(shown & _is_numbered(arrays.emphasis))
    yield from bound_texts(page, arrays, chosen, view.sizes, units=window.scene.unit_settings)
    if len(joints) <= MOST_MARKED:
        marked = np.flatnonzero(shown)
        yield from marks(page, arrays, joints.states_of(marked), marked)
    for number in np.flatnonzero(arrays.emphasis == Emphasis.ACTIVE):
        source = joint_data(joints.object_of(number)).settings_source
        if source is not None:
            below = arrays.frames[number, 0, :3, 3] - (0.0, 0.0, view.sizes[number])
            yield from page.text(translated("Settings of {joint}", joint=source.name), below)


def _is_numbered(emphasis: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which joints have numbers by how they stand to the selection."""
    is_crowd = np.count_nonzero(emphasis >= Emphasis.SELECTED) > MOST_NUMBERED
    return np.asarray(emphasis >= (Emphasis.ACTIVE if is_crowd else Emphasis.SELECTED))
