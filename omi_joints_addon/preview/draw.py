"""Forces of joints and contacts over the viewport while a simulation runs: the draw handler."""

from typing import Any

import bpy

from ..properties.preview import OMI_PG_preview
from .session import running

_handles: list[Any] = []


def draw() -> None:
    """Draw the forces of the simulation that runs."""
    preview = running()
    if preview is None:
        return
    from . import forces
    from .simulated import SimulationPreview

    # Draw callbacks get no context.
    manager: Any = bpy.context.window_manager  # noqa: TID251
    options: OMI_PG_preview = manager.omi_preview
    if options.show_forces and isinstance(preview, SimulationPreview):
        forces.draw_forces(*preview.forces(), preview.contacts())


def attach() -> None:
    """Start drawing."""
    _handles.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW"))


def detach() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
