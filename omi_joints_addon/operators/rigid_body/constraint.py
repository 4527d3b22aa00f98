"""Blender's own Rigid Body Constraints to joints."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import BoolProperty
from ...translation import report

Object = bpy.types.Object


class OMI_OT_rigid_body_constraint_convert(Explained, bpy.types.Operator):
    """Create physics joints from the selected objects' Rigid Body Constraints"""

    bl_idname = "omi.rigid_body_constraint_convert"
    bl_label = "Convert Rigid Body Constraints"

    keep_constraints = BoolProperty(
        name="Keep Constraints",
        description=(
            "Keep the constraints for Blender's own simulation; otherwise they are disabled, "
            "and empties that only carried them are removed"
        ),
    )

    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        converter = authoring.constraints.ConstraintConverter(context)
        sources = [obj for obj in context.selected_objects if obj.rigid_body_constraint]
        made = {source: joint for source in sources if (joint := converter.convert(source))}
        joints = list(made.values())
        if not self.keep_constraints:
            authoring.constraints.retire_constraints(context, made)
        for found in converter.findings:
            report(self, "WARNING", "{place}: {problem}", place=found.place, problem=found.message)
        if joints and _has_begun(context):
            report(
                self,
                "WARNING",
                "The simulation has started, so the joints are at the bodies' current positions; "
                "go to its first frame before converting",
            )
        if not joints:
            if not sources:
                report(self, "ERROR", "No selected object has a Rigid Body Constraint")
            return {"CANCELLED"}
        authoring.selection.select_only(context, joints)
        return {"FINISHED"}


def _has_begun(context: bpy.types.Context) -> bool:
    """Return whether bodies may have left the places in which the constraints hold them."""
    world = present(present(context.scene).rigidbody_world)
    is_running = world is not None and world.enabled
    return bool(is_running and present(context.scene).frame_current > world.point_cache.frame_start)
