"""Marks over the viewport while a simulation runs: states of joints, and forces."""

from typing import Any

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..core.solver import JointState
from ..properties.preview import OMI_PG_preview
from .session import SimulationPreview, running

COLORS = {
    JointState.FREE: (0.45, 0.85, 0.45, 1.0),
    JointState.AT_LIMIT: (1.0, 0.75, 0.1, 1.0),
    JointState.SATURATED: (0.75, 0.45, 1.0, 1.0),
    JointState.PAST_LIMIT: (1.0, 0.25, 0.2, 1.0),
}
"""Colour of each state."""
_POINT_SIZE, _LINE_WIDTH = 9.0, 2.0
_LONGEST = 0.5
"""Length [m] at which the largest force is drawn."""
_handles: list[Any] = []


def draw() -> None:
    """Draw the marks of the simulation that runs."""
    preview = running()
    if not isinstance(preview, SimulationPreview) or not preview.simulation.acting_joints:
        return
    # Draw callbacks get no context.
    manager: Any = bpy.context.window_manager  # noqa: TID251
    points, colors, forces = marks(preview)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("ALPHA")
    gpu.state.point_size_set(_POINT_SIZE)
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    batch_for_shader(shader, "POINTS", {"pos": points.tolist(), "color": colors.tolist()}).draw(
        shader
    )
    options: OMI_PG_preview = manager.omi_preview
    if options.show_forces:
        _draw_forces(points, colors, forces)
    gpu.state.point_size_set(1.0)
    gpu.state.blend_set("NONE")


def marks(preview: SimulationPreview) -> tuple[Any, Any, Any]:
    """Return points (j, 3), colours (j, 4) and arrows (j, 3) [m] of the joints that act."""
    simulation = preview.simulation
    nodes = [simulation.scene.joints[number].node for number in simulation.acting_joints]
    points = simulation.matrices()[nodes][:, :3, 3]
    colors = np.array([COLORS[state] for state in simulation.joint_states()])
    forces = simulation.joint_forces()[:, :3]
    largest = float(np.linalg.norm(forces, axis=-1).max(initial=0.0))
    return (
        points.astype("f4"),
        colors.astype("f4"),
        forces * (_LONGEST / largest if largest else 0.0),
    )


def _draw_forces(points: Any, colors: Any, forces: Any) -> None:
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", _LINE_WIDTH)
    lines: dict[str, Any] = {
        "pos": np.stack((points, points + forces), axis=1).reshape(-1, 3).astype("f4"),
        "color": np.repeat(colors, 2, axis=0),
    }
    batch_for_shader(shader, "LINES", lines).draw(shader)


def attach() -> None:
    """Start drawing."""
    _handles.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW"))


def detach() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
