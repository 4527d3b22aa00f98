"""Pictures of joints without a window: the scene by Workbench with the overlay over it.

Opening files and rendering are operators of Blender, which the package calls nowhere else.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.meaning.sides import End
from ..core.model.body import MotionType
from ..io.blend import BLEND, one_line
from ..overlay.colors import Emphasis, color_table, theme_colors
from ..overlay.geometry import Style, build, joined
from ..overlay.marks import handle_faces
from ..overlay.scene_joints import SceneJoints
from ..overlay.tints import Tints, tints_of
from ..properties.body import motion_type_of
from ..properties.overlay import overlay_options
from ..scene.live import LiveScene
from .camera import ANGLES, camera_matrix, pixel_sizes
from .overlay import OverlayPicture
from .render import PictureError, Pixels, drawn_with_gpu, rendered, temporary_view

DEFAULT_SIZE = (1280, 960)
LEAST_PIXELS = 55.0
"""Radius [pixels] that angles of small joints are drawn with."""
MARK_PIXELS = 5.0
"""Radius [pixels] of handles."""
HANDLE_COLOR = np.array((1.0, 1.0, 1.0, 1.0), np.float32)
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
    show_handles: bool = False,
    render: Callable[[bpy.types.Scene], Pixels] = rendered,
    text_color: Sequence[float] = (1.0, 1.0, 1.0),
) -> None:
    """Write a PNG of the joints of the open scene, which stays as it is. Raises `PictureError`.

    `render` makes what is behind the joints.
    """
    view_layer, scene = context.view_layer, context.scene
    if view_layer is None or scene is None or context.preferences is None:
        raise PictureError("no scene to draw")
    options = overlay_options(context)
    tints = tints_of(options, scene, context.preferences)
    joints = _joints_of(scene, view_layer, options.moving_end(), tints)
    theme = theme_colors(context.preferences)
    style = Style(options.parts(), color_table(theme))
    chosen, sizes = np.arange(len(joints)), joints.sizes * options.size
    faces, lines = (each.vertices for each in build(joints.arrays, chosen, sizes, style))
    points = np.concatenate((faces.position, lines.position, _moving_corners(joints)))
    matrix = camera_matrix(points, size, angles)
    pixels = pixel_sizes(joints.arrays.frames[:, 0, :3, 3], matrix, size)
    sizes = np.maximum(sizes, LEAST_PIXELS * pixels)
    faces, lines = (each.vertices for each in build(joints.arrays, chosen, sizes, style))
    if show_handles:
        marks = handle_faces(joints.arrays, sizes, MARK_PIXELS * pixels, HANDLE_COLOR)
        faces = joined((faces, marks))
    overlay = OverlayPicture(joints, sizes, faces, lines, options, text_color, size)
    with temporary_view(scene, matrix, size):
        base = render(scene)
        over = drawn_with_gpu(scene, overlay.draw)
    _save(_over(over, _over(base, BACKGROUND)), target)


def _joints_of(
    scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, moving: End | None, tints: Tints
) -> SceneJoints:
    """Return all joints of a scene, drawn as selected ones."""
    live = LiveScene()
    live.settle(scene)
    joints = SceneJoints(live)
    joints.refresh(view_layer, moving, tints)
    if not len(joints):
        raise PictureError("the scene has no joints to draw")
    np.maximum(joints.arrays.emphasis, Emphasis.SELECTED, out=joints.arrays.emphasis)
    return joints


def _moving_corners(joints: SceneJoints) -> NDArray[np.float32]:
    """Return the world corners (n, 3) of the boxes around dynamic bodies that joints hold."""
    bodies = [joints.live.nodes.object_at(node) for node in joints.bodies()]
    parts = [
        part
        for body in bodies
        for part in (body, *body.children)
        if motion_type_of(body) == MotionType.DYNAMIC
    ]
    corners = [
        np.array(part.bound_box) @ np.array(part.matrix_world)[:3, :3].T
        + part.matrix_world.translation
        for part in parts
        if part.type == "MESH"
    ]
    return np.asarray(np.concatenate([np.empty((0, 3)), *corners]), np.float32)


def _open(context: bpy.types.Context, source: Path) -> None:
    """Open a file of Blender, or import one of glTF into an empty scene."""
    try:
        if source.suffix.lower() in BLEND.suffixes:
            bpy.ops.wm.open_mainfile(filepath=str(source), load_ui=False, use_scripts=False)  # noqa: TID251 - a program opens a file as a user does
        else:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)  # noqa: TID251 - a program opens a file as a user does
            bpy.ops.import_scene.gltf(filepath=str(source))  # noqa: TID251 - a program opens a file as a user does
    except RuntimeError as error:
        raise PictureError(f"cannot read {source}: {one_line(error)}") from error
    if context.view_layer is not None:
        context.view_layer.update()


def _over(front: Pixels, back: Pixels) -> Pixels:
    """Return one layer over another, both with colors multiplied by their opacity."""
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
