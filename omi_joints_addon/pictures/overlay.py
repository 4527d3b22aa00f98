"""The overlay of a picture, drawn into memory: joints before and behind the scene's surfaces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import gpu
import numpy as np
from mathutils import Matrix

from ..core.model.pose import Array
from ..overlay.drawing import draw, upload
from ..overlay.geometry import Vertices
from ..overlay.labels import Page, bound_texts
from ..overlay.scene_joints import SceneJoints
from ..properties.overlay import OMI_PG_overlay
from .render import Pixels

SAMPLES = 2
"""Drawn pixels along each side of a pixel of the picture."""
SURFACES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}


@dataclass(frozen=True, slots=True, eq=False)
class OverlayPicture:
    """What the overlay of a picture shows."""

    joints: SceneJoints
    sizes: Array
    """[m], shape (n,)."""
    faces: Vertices
    lines: Vertices
    options: OMI_PG_overlay
    text_color: Sequence[float]
    size: tuple[int, int]
    """[pixels]."""

    def draw(self, depsgraph: bpy.types.Depsgraph) -> Pixels:
        """Return the overlay, colors multiplied by their opacity; needs a GPU context."""
        width, height = (SAMPLES * side for side in self.size)
        scene: Any = depsgraph.scene
        camera = scene.camera
        view = camera.matrix_world.inverted()
        window = camera.calc_matrix_camera(depsgraph, x=width, y=height)
        buffer = gpu.types.GPUOffScreen(width, height)
        try:
            with buffer.bind():
                frame = gpu.state.active_framebuffer_get()
                frame.clear(color=(0.0, 0.0, 0.0, 0.0), depth=1.0)
                with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
                    gpu.matrix.load_matrix(view)
                    gpu.matrix.load_projection_matrix(window)
                    self._draw_joints(depsgraph)
                    self._draw_numbers(np.array(window @ view), (width, height))
                read = frame.read_color(0, 0, width, height, 4, 0, "FLOAT")
        finally:
            buffer.free()
        return _reduced(np.array(read.to_list(), np.float32))

    def _draw_joints(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Draw the depth of all surfaces, then the joints."""
        _draw_depth(depsgraph)
        hidden = self.options.hidden_opacity if self.options.show_hidden else 0.0
        color = np.rint(self.lines.color * (1.0, 1.0, 1.0, hidden)).astype(np.uint8)
        dimmed = Vertices(self.lines.position, color)
        draw(
            [upload(self.faces, self.lines)],
            scale=SAMPLES,
            hidden_opacity=hidden,
            hidden_lines=upload(Vertices(), dimmed).lines,
        )

    def _draw_numbers(self, perspective: Array, viewport: tuple[float, float]) -> None:
        """Write the numbers of all joints."""
        if not self.options.show_numbers:
            return
        width, height = viewport
        pixels = np.array(
            ((2 / width, 0, 0, -1), (0, 2 / height, 0, -1), (0, 0, -1, 0), (0, 0, 0, 1))
        )
        gpu.matrix.load_matrix(Matrix.Identity(4))
        gpu.matrix.load_projection_matrix(Matrix(pixels.tolist()))
        page = Page(
            perspective=perspective, viewport=viewport, scale=SAMPLES, color=self.text_color
        )
        units = bpy.data.scenes[0].unit_settings
        everyone = np.arange(len(self.joints))
        for text in bound_texts(page, self.joints.arrays, everyone, self.sizes, units=units):
            text.draw()


def _draw_depth(depsgraph: bpy.types.Depsgraph) -> None:
    """Draw the surfaces of the scene into the depth buffer only."""
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("color", (0.0, 0.0, 0.0, 0.0))
    test, mask = gpu.state.depth_test_get(), gpu.state.depth_mask_get()
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.depth_mask_set(True)
    gpu.state.color_mask_set(False, False, False, False)
    try:
        for triangles in _surfaces(depsgraph):
            vertex_format = gpu.types.GPUVertFormat()
            vertex_format.attr_add(id="pos", comp_type="F32", len=3, fetch_mode="FLOAT")
            buffer = gpu.types.GPUVertBuf(vertex_format, len(triangles))
            buffer.attr_fill("pos", triangles)
            gpu.types.GPUBatch(type="TRIS", buf=buffer).draw(shader)
    finally:
        gpu.state.color_mask_set(True, True, True, True)
        gpu.state.depth_test_set(test)
        gpu.state.depth_mask_set(mask)


def _surfaces(depsgraph: bpy.types.Depsgraph) -> Iterator[Pixels]:
    """Yield the triangles (3 t, 3) of each surface in world space."""
    for instance in depsgraph.object_instances:
        obj: Any = instance.object
        if obj.type not in SURFACES:
            continue
        matrix = np.array(instance.matrix_world)
        mesh = obj.to_mesh()
        if mesh is None:
            continue
        mesh.calc_loop_triangles()
        corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
        points = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.loop_triangles.foreach_get("vertices", corners)
        mesh.vertices.foreach_get("co", points)
        obj.to_mesh_clear()
        if len(corners):
            world = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
            yield world[corners].astype(np.float32)


def _reduced(pixels: Pixels) -> Pixels:
    """Return the picture of which several drawn pixels make one."""
    height, width = (side // SAMPLES for side in pixels.shape[:2])
    return np.asarray(pixels.reshape(height, SAMPLES, width, SAMPLES, 4).mean(axis=(1, 3)))
