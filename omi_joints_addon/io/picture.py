"""Pictures of joints without a window: the scene by Workbench with the overlay over it.

Drawing needs a GPU context, which Blender gives in the background only to render engines: a small one
draws the overlay inside its render call. Opening files and rendering are operators, here and nowhere
else in the package.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
import numpy as np

from ..overlay.colors import color_table, theme_colors
from ..overlay.geometry import Style, build
from ..overlay.scene_joints import SceneJoints
from ..overlay.view import display_sizes
from ..properties.overlay import overlay_options
from .picture_camera import camera_matrix
from .picture_overlay import OverlayPicture, Pixels

DEFAULT_SIZE = (1280, 960)
ENGINE = "OMI_JOINTS_OVERLAY"
NEEDED = "libegl1 libgl1-mesa-dri libxi6 libsm6 libxkbcommon0"
"""Debian packages with which drawing without a screen or a GPU works."""


class PictureError(Exception):
    """A picture could not be made; the message is one line for a person."""


def picture(
    context: bpy.types.Context,
    source: Path,
    target: Path,
    *,
    size: tuple[int, int] = DEFAULT_SIZE,
) -> None:
    """Write a PNG of the joints in a glTF or .blend file; replaces what Blender has open.

    `size` is width and height in pixels. Raises `PictureError` where the file has no joints, is none, or
    the machine cannot draw.
    """
    _open(source)
    draw_picture(context, target, size=size)


def draw_picture(
    context: bpy.types.Context,
    target: Path,
    *,
    size: tuple[int, int] = DEFAULT_SIZE,
    angles: tuple[float, float] = (1.1, 0.6),
) -> None:
    """Write a PNG of the joints of the open scene, seen from `angles`: from the pole, around it [rad].

    Raises `PictureError`.
    """
    joints = SceneJoints()
    joints.refresh(context.view_layer)
    if not joints.items:
        raise PictureError("There are no joints to show")
    options = overlay_options(context.scene, context.preferences)
    sizes = display_sizes(joints) * options.size
    style = Style(options.parts(), color_table(theme_colors(context.preferences)))
    faces, lines = build(joints.arrays, np.arange(len(joints.items)), sizes, style)
    points = np.concatenate((faces.position, lines.position))
    overlay = OverlayPicture(joints, sizes, faces, lines, options)
    with _camera(context.scene, camera_matrix(points, size, angles)), _settings(context, size):
        scene_pixels = _rendered(context)
        overlay_pixels = _overlaid(context, overlay)
    _save(_over(overlay_pixels, scene_pixels), target)
