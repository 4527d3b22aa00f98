"""Rendering in the background: Workbench for the scene, and an engine that lends its GPU context.

Blender 4.5 refuses to draw in the background except inside the render call of an engine that asks
for a GPU context; the same way works on later releases.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..core.model.pose import Array
from ..io.files import scratch
from .camera import FIELD_OF_VIEW

Pixels = NDArray[np.float32]
"""RGBA in display space, shape (height, width, 4), the lowest row first."""
ENGINE = "OMI_JOINTS_OVERLAY"
NEEDED = "libegl1 libgl1-mesa-dri libxi6 libsm6 libxkbcommon0"
"""Debian packages with which drawing works without a screen or a GPU."""


class PictureError(Exception):
    """A picture could not be made; the message is one line for a person."""


def rendered(scene: bpy.types.Scene, *, engine: str = "BLENDER_WORKBENCH") -> Pixels:
    """Return the scene as an engine of Blender shows it, colors multiplied by their opacity."""
    with scratch() as folder:
        target = folder / "scene.png"
        with _changed(scene.render, engine=engine, filepath=str(target)):
            bpy.ops.render.render(write_still=True, scene=scene.name)  # noqa: TID251 - Blender renders by operator only
        if not target.exists():
            raise PictureError(f"cannot render; on a machine without screen install {NEEDED}")
        pixels = _read(target)
    pixels[..., :3] *= pixels[..., 3:]
    return pixels


def drawn_with_gpu(scene: bpy.types.Scene, draw: Callable[[bpy.types.Depsgraph], Pixels]) -> Pixels:
    """Return what `draw` makes of the scene's dependency graph where GPU drawing works."""
    results: list[Pixels] = []
    errors: list[Exception] = []

    class OMI_RE_overlay(bpy.types.RenderEngine):
        """Lends its GPU context."""

        bl_idname = ENGINE
        bl_label = "Joint Overlay"
        bl_use_gpu_context = True

        def render(self, depsgraph: bpy.types.Depsgraph) -> None:  # type: ignore[override]
            """Draw, handing errors to the caller, which Blender would only print."""
            try:
                results.append(draw(depsgraph))
            except Exception as error:  # noqa: BLE001 - raised again below
                errors.append(error)

    bpy.utils.register_class(OMI_RE_overlay)
    try:
        with _changed(scene.render, engine=ENGINE):
            bpy.ops.render.render(scene=scene.name)  # noqa: TID251 - Blender renders by operator only
    finally:
        bpy.utils.unregister_class(OMI_RE_overlay)
    if errors:
        raise errors[0]
    if not results:
        raise PictureError(f"cannot draw; on a machine without screen install {NEEDED}")
    return results[0]


@contextmanager
def temporary_view(scene: bpy.types.Scene, matrix: Array, size: tuple[int, int]) -> Iterator[None]:
    """Give the scene a camera at a world matrix (4, 4) and settings of a picture for a while."""
    data = bpy.data.cameras.new("OMI Joints Picture")
    camera = _placed_camera(scene, data, matrix)
    display: Any = scene.display
    render = {
        "resolution_x": size[0],
        "resolution_y": size[1],
        "resolution_percentage": 100,
        "pixel_aspect_x": 1.0,
        "pixel_aspect_y": 1.0,
        "film_transparent": True,
        "use_border": False,
    }
    try:
        with (
            _changed(scene, camera=camera),
            _changed(scene.render, **render),
            _changed(scene.render.image_settings, file_format="PNG", color_mode="RGBA"),
            _changed(scene.view_settings, view_transform="Standard"),
            _changed(display, render_aa="16"),
            _changed(display.shading, light="STUDIO", color_type="MATERIAL", show_cavity=True),
        ):
            yield
    finally:
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)


def _placed_camera(
    scene: bpy.types.Scene, data: bpy.types.Camera, matrix: Array
) -> bpy.types.Object:
    """Return a new object of a camera at a world matrix (4, 4); it sees as far as the origin."""
    data.angle = FIELD_OF_VIEW
    camera = bpy.data.objects.new("OMI Joints Picture", data)
    scene.collection.objects.link(camera)
    camera.matrix_world = Matrix(matrix.tolist())
    distance = float(np.linalg.norm(matrix[:3, 3])) + 1.0
    data.clip_start, data.clip_end = distance * 1e-4, distance * 100.0
    return camera


@contextmanager
def _changed(data: bpy.types.bpy_struct | None, **values: Any) -> Iterator[None]:
    """Set properties of a Blender struct for a while."""
    former = {name: getattr(data, name) for name in values}
    try:
        for name, value in values.items():
            setattr(data, name, value)
        yield
    finally:
        for name, value in former.items():
            setattr(data, name, value)


def _read(source: Path) -> Pixels:
    """Return the pixels of an image file."""
    image: Any = bpy.data.images.load(str(source))
    try:
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
        return pixels.reshape(height, width, 4)
    finally:
        bpy.data.images.remove(image)
