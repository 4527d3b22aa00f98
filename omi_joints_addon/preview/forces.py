"""Forces of joints as lines over the viewport."""

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..core.model.pose import Array

COLOR = (0.95, 0.6, 0.95, 1.0)
_LINE_WIDTH = 2.0
_LONGEST = 0.5
"""Length [m] at which the largest force is drawn."""


def draw_forces(points: Array, forces: Array) -> None:
    """Draw forces [N] (j, 3) at points [m] (j, 3)."""
    lines = force_lines(points, forces)
    if not len(lines):
        return
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("ALPHA")
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", _LINE_WIDTH)
    shader.uniform_float("color", COLOR)
    batch_for_shader(shader, "LINES", {"pos": lines.astype("f4")}).draw(shader)  # type: ignore[dict-item]
    gpu.state.blend_set("NONE")


def force_lines(points: Array, forces: Array) -> Array:
    """Return ends (2 j, 3) [m] of lines from points (j, 3) along forces, the largest 0.5 m."""
    largest = float(np.linalg.norm(forces, axis=-1).max(initial=0.0))
    arrows = forces * (_LONGEST / largest if largest else 0.0)
    return np.stack((points, points + arrows), axis=1).reshape(-1, 3)
