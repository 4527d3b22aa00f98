"""Deleting bodies together with their joints."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, locked, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...properties.body import motion_of
from ...translation import refused


class OMI_OT_body_remove(Explained, bpy.types.Operator):
    """Delete the selected bodies with their joints, including joint frames on other bodies"""

    bl_idname = "omi.body_remove"
    bl_label = "Delete Body with Joints"
    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        bodies = [obj for obj in context.selected_objects if motion_of(obj) and not locked(obj)]
        if not bodies:
            return refused(self, "ERROR", "No physics body that can be deleted is selected")
        authoring.removal.remove_bodies(present(context.blend_data), bodies)
        return {"FINISHED"}


CLASSES = (OMI_OT_body_remove,)
