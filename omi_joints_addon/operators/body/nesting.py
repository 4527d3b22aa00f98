"""Bodies below the bodies that hold them, or beside each other, in place."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, locked, no_selected_body, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...properties.body import motion_of
from ...translation import report


class OMI_OT_body_nest(Explained, bpy.types.Operator):
    """Parent each selected body to the body that its joint connects it to, keeping transforms"""

    bl_idname = "omi.body_nest"
    bl_label = "Nest Bodies"
    conditions = (not_object_mode, no_selected_body)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        moved = authoring.nesting.nest_bodies(present(context.scene), _bodies(context))
        _report(self, context, moved, "Bodies parented to the body that holds them: {count}")
        return {"FINISHED"}


class OMI_OT_body_flatten(Explained, bpy.types.Operator):
    """Unparent each selected body from other bodies, for engines that move children along, keeping transforms"""  # noqa: E501

    bl_idname = "omi.body_flatten"
    bl_label = "Flatten Bodies"
    conditions = (not_object_mode, no_selected_body)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        moved = authoring.nesting.flatten_bodies(present(context.scene), _bodies(context))
        _report(self, context, moved, "Bodies unparented from other bodies: {count}")
        return {"FINISHED"}


def _bodies(context: bpy.types.Context) -> set[bpy.types.Object]:
    return {obj for obj in context.selected_objects if motion_of(obj) is not None}


def _report(
    operator: bpy.types.Operator, context: bpy.types.Context, moved: int, done: str
) -> None:
    """Say how many bodies moved, and which stay because keyframes or a library hold them."""
    stay = [
        obj.name
        for obj in _bodies(context)
        if authoring.nesting.keeps_parent(obj) and locked(obj) is None
    ]
    if stay:
        names = ", ".join(sorted(stay)[:5])
        report(operator, "WARNING", "Keyframes, drivers or a bone hold {names}", names=names)
    report(operator, "INFO", done, count=moved)
