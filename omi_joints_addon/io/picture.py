"""Pictures of joints without a window: the scene by Workbench with the overlay over it.

Opening files and rendering are operators of Blender, which the package calls nowhere else.
"""

from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..overlay.colors import Emphasis, color_table, theme_colors
from ..overlay.geometry import Style, build
from ..overlay.scene_joints import SceneJoints
from ..overlay.view import display_sizes
from ..properties.overlay import overlay_options
from .picture_camera import ANGLES, camera_matrix
from .picture_overlay import OverlayPicture
from .picture_render import PictureError, Pixels, drawn_with_gpu, rendered, temporary_view

DEFAULT_SIZE = (1280, 960)
BACKGROUND = np.array((0.21, 0.21, 0.23, 1.0), np.float32)


def picture(
    context: bpy.types.Context,
    source: Path,
    target: Path,
    *,
    size: tuple[int, int] = DEFAULT_SIZE,
    angles: tuple[float, float] = ANGLES,
) -> None:
    """Write a PNG of the joints in a glTF or .blend file; replaces what Blender has open.

    `size` is width and height in pixels, `angles` where the camera stands (`camera_matrix`). Raises
    `PictureError` where the file cannot be read or has no joints, or the machine cannot draw.
    """
    _open(context, source)
    draw_picture(context, target, size=size, angles=angles)


def draw_picture(
    context: bpy.types.Context,
    target: Path,
    *,
    size: tuple[int, int] = DEFAULT_SIZE,
    angles: tuple[float, float] = ANGLES,
) -> None:
    """Write a PNG of the joints of the open scene, which stays as it is. Raises `PictureError`."""
    view_layer, scene = context.view_layer, context.scene
    if view_layer is None or scene is None or context.preferences is None:
        raise PictureError("there is no scene to draw")
    joints = SceneJoints()
    joints.refresh(view_layer)
    if not joints.items:
        raise PictureError("the scene has no joints to draw")
    np.maximum(joints.arrays.emphasis, Emphasis.SELECTED, out=joints.arrays.emphasis)
    options = overlay_options(context)
    theme = theme_colors(context.preferences)
    sizes = display_sizes(joints) * options.size
    style = Style(options.parts(), color_table(theme))
    faces, lines = build(joints.arrays, np.arange(len(joints.items)), sizes, style)
    matrix = camera_matrix(np.concatenate((faces.position, lines.position)), size, angles)
    overlay = OverlayPicture(joints, sizes, faces, lines, options, theme[-1], size)
    with temporary_view(scene, matrix, size):
        base = rendered(scene)
        over = drawn_with_gpu(scene, overlay.draw)
    _save(_over(over, _over(base, BACKGROUND)), target)


def _open(context: bpy.types.Context, source: Path) -> None:
    """Open a file of Blender, or import one of glTF into an empty scene."""
    try:
        if source.suffix == ".blend":
            bpy.ops.wm.open_mainfile(filepath=str(source), load_ui=False, use_scripts=False)
        else:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
            bpy.ops.import_scene.gltf(filepath=str(source))
    except RuntimeError as error:
        raise PictureError(f"cannot read {source}: {str(error).strip()}") from error
    if context.view_layer is not None:
        context.view_layer.update()


def _over(front: Pixels, back: Pixels) -> Pixels:
    """Return one layer over another, both with colours multiplied by their opacity."""
    return np.asarray(front + back * (1.0 - front[..., 3:]))


def _save(pixels: Pixels, target: Path) -> None:
    """Write pixels as PNG."""
    height, width = pixels.shape[:2]
    image: Any = bpy.data.images.new("OMI Joints Picture", width, height)
    try:
        image.pixels.foreach_set(np.clip(pixels, 0.0, 1.0).astype(np.float32).ravel())
        target.parent.mkdir(parents=True, exist_ok=True)
        image.filepath_raw = str(target)
        image.file_format = "PNG"
        image.save()
    finally:
        bpy.data.images.remove(image)
