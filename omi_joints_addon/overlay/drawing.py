"""GPU side of the overlay: batches drawn before surfaces and dimmed behind them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import gpu
from gpu.types import GPUBatch, GPUShader, GPUVertFormat

from .geometry import Vertices

LINE_WIDTH, POINT_SIZE = 1.6, 4.0
"""[pixels at interface scale 1]."""
MOST_VERTICES = {"SOFTWARE": 60_000}
"""Vertices that a view draws at most, by kind of graphics card; a processor takes 11 ms."""
_MOST_ELSEWHERE = 2_000_000
# Blender sets srgbTarget where the buffer wants linear colors; its own shaders convert likewise.
# A processor that draws takes much longer to do so for each pixel.
_VERTEX = """void main()
{
  gl_Position = ModelViewProjectionMatrix * vec4(pos, 1.0);
  gl_PointSize = pointSize;
  finalColor = vec4(color.rgb, color.a * opacity);
  if (srgbTarget) {
    vec3 low = color.rgb / 12.92;
    vec3 high = pow((color.rgb + 0.055) / 1.055, vec3(2.4));
    finalColor.rgb = mix(low, high, step(vec3(0.04045), color.rgb));
  }
}
"""
_FRAGMENT = "void main() { fragColor = finalColor; }"


@dataclass(frozen=True, slots=True, eq=False)
class Batches:
    """What a view draws."""

    faces: GPUBatch | None = None
    lines: GPUBatch | None = None
    points: GPUBatch | None = None
    links: GPUBatch | None = None
    """Lines that are one pixel wide."""


def upload(faces: Vertices, lines: Vertices) -> Batches:
    """Return batches of vertices."""
    return Batches(_batch("TRIS", faces), _batch("LINES", lines))


def upload_points(points: Vertices) -> Batches:
    """Return a batch of points."""
    return Batches(points=_batch("POINTS", points))


def upload_links(links: Vertices) -> Batches:
    """Return a batch of lines that are one pixel wide."""
    return Batches(links=_batch("LINES", links))


def most_vertices() -> int:
    """Return how many vertices a view draws at most; needs a GPU context."""
    return MOST_VERTICES.get(gpu.platform.device_type_get(), _MOST_ELSEWHERE)


def draw(
    drawn: Sequence[Batches],
    *,
    scale: float,
    hidden_opacity: float,
    hidden_lines: GPUBatch | None = None,
) -> None:
    """Draw batches with the present matrices; `scale` multiplies the width of lines.

    `hidden_opacity` multiplies that of what surfaces hide; 0 leaves it out. Hidden lines are one
    pixel wide, unless `hidden_lines` gives them with their own colors.
    """
    with _kept_state():
        if hidden_opacity > 0.0:
            gpu.state.depth_test_set("GREATER")
            _draw_plain(drawn, hidden_opacity, scale)
            if hidden_lines is None:
                _submit([batches.lines for batches in drawn], _plain_shader())
            else:
                _draw_wide([hidden_lines], scale)
        gpu.state.depth_test_set("LESS_EQUAL")
        _draw_plain(drawn, 1.0, scale)
        _draw_wide([batches.lines for batches in drawn], scale)


@contextmanager
def _kept_state() -> Iterator[None]:
    """Draw transparently over the scene, then leave the state of the GPU as it was."""
    blend, test = gpu.state.blend_get(), gpu.state.depth_test_get()
    mask, width = gpu.state.depth_mask_get(), gpu.state.line_width_get()
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    gpu.state.line_width_set(1.0)
    gpu.state.program_point_size_set(True)
    try:
        yield
    finally:
        gpu.state.program_point_size_set(False)
        gpu.state.blend_set(blend)
        gpu.state.depth_test_set(test)
        gpu.state.depth_mask_set(mask)
        gpu.state.line_width_set(width)


def _draw_plain(drawn: Sequence[Batches], opacity: float, scale: float) -> None:
    """Draw faces, points and lines one pixel wide."""
    shader = _plain_shader()
    shader.bind()
    shader.uniform_float("opacity", opacity)
    shader.uniform_float("pointSize", POINT_SIZE * scale)
    for each in drawn:
        _submit((each.faces, each.links, each.points), shader)


def _draw_wide(batches: Sequence[GPUBatch | None], scale: float) -> None:
    """Draw lines as wide as they are meant to be."""
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", LINE_WIDTH * scale)
    _submit(batches, shader)


def _submit(batches: Sequence[GPUBatch | None], shader: GPUShader) -> None:
    """Draw those of the batches that there are."""
    for batch in batches:
        if batch is not None:
            batch.draw(shader)


@lru_cache(maxsize=1)
def _plain_shader() -> GPUShader:
    """Return the shader whose opacity one number scales."""
    interface = gpu.types.GPUStageInterfaceInfo("omi_overlay_interface")
    interface.smooth("VEC4", "finalColor")
    info = gpu.types.GPUShaderCreateInfo()
    info.push_constant("MAT4", "ModelViewProjectionMatrix")
    info.push_constant("FLOAT", "opacity")
    info.push_constant("FLOAT", "pointSize")
    info.push_constant("BOOL", "srgbTarget")
    info.vertex_in(0, "VEC3", "pos")
    info.vertex_in(1, "VEC4", "color")
    info.vertex_out(interface)
    info.fragment_out(0, "VEC4", "fragColor")
    info.vertex_source(_VERTEX)
    info.fragment_source(_FRAGMENT)
    return gpu.shader.create_from_info(info)


@lru_cache(maxsize=1)
def _vertex_format() -> GPUVertFormat:
    """Return what a vertex consists of."""
    found = gpu.types.GPUVertFormat()
    found.attr_add(id="pos", comp_type="F32", len=3, fetch_mode="FLOAT")
    found.attr_add(id="color", comp_type="U8", len=4, fetch_mode="INT_TO_FLOAT_UNIT")
    return found


def _batch(kind: str, vertices: Vertices) -> GPUBatch | None:
    """Return the batch of vertices, None for none."""
    if not len(vertices):
        return None
    buffer = gpu.types.GPUVertBuf(_vertex_format(), len(vertices))
    buffer.attr_fill("pos", vertices.position)
    buffer.attr_fill("color", vertices.color)
    return GPUBatch(type=kind, buf=buffer)
