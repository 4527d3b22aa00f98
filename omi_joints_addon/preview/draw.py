"""Forces of joints and contacts, and the pull of the mouse, while a simulation runs."""

from typing import Any

import bpy

from ..properties.preview import OMI_PG_preview
from .session import running


def draw_forces(context: bpy.types.Context) -> None:
    """Draw the pull of the mouse in the simulation that runs, and its forces where asked for."""
    preview = running()
    if preview is None:
        return
    from . import forces
    from .simulated import SimulationPreview

    manager: Any = context.window_manager
    options: OMI_PG_preview = manager.omi_preview
    if not isinstance(preview, SimulationPreview):
        return
    if options.show_forces:
        forces.draw_forces(*preview.forces(), preview.contacts())
    if (line := preview.simulation.pull_line()) is not None:
        forces.draw_pull(line)
