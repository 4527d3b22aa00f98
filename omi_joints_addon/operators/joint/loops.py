"""Closing the loops of a mechanism that was saved or left open."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, no_joint_in_scene, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...translation import refused, report

_CLOSED = 1e-6
"""Misfit that is left in single precision [m and rad]."""


class OMI_OT_joint_loops_close(Explained, bpy.types.Operator):
    """Move bodies along their joints until every loop of joints closes. Static bodies stay in place"""  # noqa: E501

    bl_idname = "omi.joint_loops_close"
    bl_label = "Close Loops"
    conditions = (not_object_mode, no_joint_in_scene)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        closed = authoring.loops.close_scene_loops(present(context.scene))
        if closed.held:
            names = ", ".join(sorted(closed.held)[:5])
            report(self, "WARNING", "Keyframes, drivers or a bone hold {names}", names=names)
        if not closed.moved:
            return refused(self, "INFO", "No open loops found")
        if closed.after > _CLOSED:
            text = "A loop stays open by {gap:.3g} (m or rad); it may be impossible"
            report(self, "WARNING", text, gap=closed.after)
        report(self, "INFO", "Bodies moved: {count}", count=closed.moved)
        return {"FINISHED"}
