"""Lists of a body: names of collision systems, and the parts of a compound trigger."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ...authoring.conditions import Explained, active_object_locked
from ...authoring.context import present
from ...classes import OperatorResult
from ...properties.body import body_data
from ...scene.structure import nodes_above
from ...translation import report

OWNERS = (
    ("collider", "Collider", "Filter of the collider"),
    ("trigger", "Trigger", "Filter of the trigger"),
)
LISTS = (
    ("systems", "Member Of", "Systems that the object belongs to"),
    (
        "other_systems",
        "Collides With",
        "Systems that the object collides with or does not collide with",
    ),
)


class _SystemList:
    """Which list of collision systems an operator works on."""

    if TYPE_CHECKING:
        owner: str
        names: str
    else:
        owner: EnumProperty(name="Owner", items=OWNERS, options={"HIDDEN"})
        names: EnumProperty(name="List", items=LISTS, options={"HIDDEN"})

    def listed(self, context: bpy.types.Context) -> Any:
        part = getattr(body_data(present(context.object)), self.owner)
        return getattr(part.collision_filter, self.names)


class OMI_OT_body_system_add(Explained, _SystemList, bpy.types.Operator):
    """Add the name of a collision system"""

    bl_idname = "omi.body_system_add"
    bl_label = "Add Collision System"
    conditions = (active_object_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        self.listed(context).add()
        return {"FINISHED"}


class OMI_OT_body_system_remove(Explained, _SystemList, bpy.types.Operator):
    """Remove the name of a collision system"""

    bl_idname = "omi.body_system_remove"
    bl_label = "Remove Collision System"
    conditions = (active_object_locked,)

    if TYPE_CHECKING:
        index: int
    else:
        index: IntProperty(name="Index", options={"HIDDEN"}, min=0)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        items = self.listed(context)
        if self.index >= len(items):
            return {"CANCELLED"}
        items.remove(self.index)
        return {"FINISHED"}


class OMI_OT_body_trigger_parts(Explained, bpy.types.Operator):
    """Make all triggers below the active object the parts of its compound trigger"""

    bl_idname = "omi.body_trigger_parts"
    bl_label = "Collect Triggers Below"
    conditions = (active_object_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        whole = present(context.object)
        trigger = body_data(whole).trigger
        trigger.nodes.clear()
        for part in _triggers_below(whole, present(context.scene)):
            trigger.nodes.add().node = part
        if not trigger.nodes:
            report(self, "WARNING", "No object below {name} has a trigger", name=whole.name)
        return {"FINISHED"}


def _triggers_below(whole: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """Yield the objects of the scene below one that have a trigger."""
    for obj in scene.objects:
        is_stored = obj.is_property_set("omi_body")
        if is_stored and body_data(obj).trigger.enabled and whole in nodes_above(obj):
            yield obj


CLASSES = (OMI_OT_body_system_add, OMI_OT_body_system_remove, OMI_OT_body_trigger_parts)
