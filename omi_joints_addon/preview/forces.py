"""Forces of joints, contacts and the mouse as lines over the viewport, with dots where they act."""

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..core.model.pose import Array

COLOR = (0.95, 0.6, 0.95, 1.0)
DEEPEST = 1e-3
"""Depth [m] from which bodies that touch overlap."""
DEEP = (0.95, 0.2, 0.15, 1.0)
"""Color of contacts of bodies that overlap."""
PULL = (1.0, 1.0, 1.0, 0.9)
"""Color of the pull of the mouse."""
_LINE_WIDTH, _POINT_SIZE = 2.0, 8.0
_LONGEST = 0.5
"""Length [m] at which the largest force is drawn."""


def draw_forces(points: Array, forces: Array, contacts: Array) -> None:
    """Draw forces [N] (j, 3) at points [m] (j, 3), and `contacts` (c, 7) by the same scale.

    Of each contact the point, the force and the depth [m].
    """
    touched, pushes = contacts[:, :3], contacts[:, 3:6]
    lines = force_lines(np.concatenate((points, touched)), np.concatenate((forces, pushes)))
    if len(lines):
        _draw("POLYLINE_UNIFORM_COLOR", "LINES", lines, COLOR)
    is_deep = contacts[:, 6] > DEEPEST
    for chosen, color in ((touched[~is_deep], COLOR), (touched[is_deep], DEEP)):
        if len(chosen):
            _draw("POINT_UNIFORM_COLOR", "POINTS", chosen, color)


def draw_pull(line: Array) -> None:
    """Draw a line from the point that is held to the one it is pulled to [m], shape (2, 3)."""
    _draw("POLYLINE_UNIFORM_COLOR", "LINES", line, PULL)
    _draw("POINT_UNIFORM_COLOR", "POINTS", line[:1], PULL)


def _draw(shader_name: str, kind: str, points: Array, color: tuple[float, ...]) -> None:
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("ALPHA")
    shader = gpu.shader.from_builtin(shader_name)
    shader.bind()
    if kind == "LINES":
        shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        shader.uniform_float("lineWidth", _LINE_WIDTH)
    else:
        gpu.state.point_size_set(_POINT_SIZE)
    shader.uniform_float("color", color)
    batch_for_shader(shader, kind, {"pos": points.astype("f4")}).draw(shader)  # type: ignore[dict-item]
    gpu.state.blend_set("NONE")


def force_lines(points: Array, forces: Array) -> Array:
    """Return ends (2 j, 3) [m] of lines from points (j, 3) along forces, the largest 0.5 m."""
    largest = float(np.linalg.norm(forces, axis=-1).max(initial=0.0))
    arrows = forces * (_LONGEST / largest if largest else 0.0)
    return np.stack((points, points + arrows), axis=1).reshape(-1, 3)
