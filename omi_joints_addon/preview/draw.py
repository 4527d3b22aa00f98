"""Forces of joints and contacts over the viewport while a simulation runs."""

from typing import Any

import bpy

from ..properties.preview import OMI_PG_preview
from .session import running


def draw_forces(context: bpy.types.Context) -> None:
    """Draw the forces of the simulation that runs."""
    preview = running()
    if preview is None:
        return
    from . import forces
    from .simulated import SimulationPreview

    manager: Any = context.window_manager
    options: OMI_PG_preview = manager.omi_preview
    if options.show_forces and isinstance(preview, SimulationPreview):
        forces.draw_forces(*preview.forces(), preview.contacts())
