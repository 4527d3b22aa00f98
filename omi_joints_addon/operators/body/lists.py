"""Lists of a body: collision systems, parts of a compound trigger, bodies it passes through."""

from collections.abc import Iterator
from typing import Any

import bpy

from ... import authoring
from ...authoring.conditions import Explained, active_object_locked, locked, no_pair_of_bodies
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import EnumProperty, IntProperty
from ...properties.body import body_data, exclude_pair, include_pair, motion_of
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

    owner = EnumProperty(name="Owner", items=OWNERS, options={"HIDDEN"})
    names = EnumProperty(name="List", items=LISTS, options={"HIDDEN"})

    def listed(self, context: bpy.types.Context) -> Any:
        part = getattr(body_data(present(context.object)), self.owner)
        return getattr(part.collision_filter, self.names)


class _Entry:
    """Properties of operators that edit an entry of a list."""

    index = IntProperty(name="Index", options={"HIDDEN"}, min=0)


class OMI_OT_body_system_add(Explained, _SystemList, bpy.types.Operator):
    """Add the name of a collision system"""

    bl_idname = "omi.body_system_add"
    bl_label = "Add Collision System"
    conditions = (active_object_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        self.listed(context).add()
        return {"FINISHED"}


class OMI_OT_body_system_remove(Explained, _SystemList, _Entry, bpy.types.Operator):
    """Remove the name of a collision system"""

    bl_idname = "omi.body_system_remove"
    bl_label = "Remove Collision System"
    conditions = (active_object_locked,)

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


def no_pair(context: bpy.types.Context) -> str | None:
    """Return why there are no bodies, or in Pose Mode bones, to exclude from colliding."""
    if context.mode == "POSE":
        return authoring.bone_pairs.no_pair_of_bones(context)
    return no_pair_of_bodies(context)


class OMI_OT_body_pair_add(Explained, bpy.types.Operator):
    """Let the active body or bone and each other selected one pass through each other"""

    bl_idname = "omi.body_pair_add"
    bl_label = "Exclude Collisions"
    conditions = (no_pair,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        if context.mode == "POSE":
            return self._exclude_bones(context)
        active = present(context.object)
        others = [obj for obj in context.selected_objects if obj != active and motion_of(obj)]
        for other in others:
            exclude_pair(active, other)
        text = "Bodies that {name} passes through: {count}"
        report(self, "INFO", text, name=active.name, count=len(body_data(active).excluded))
        return {"FINISHED"}

    def _exclude_bones(self, context: bpy.types.Context) -> OperatorResult:
        active = present(authoring.bone_pairs.active_body_bone(context))
        for other in authoring.bone_pairs.selected_body_bones(context):
            if not authoring.bone_pairs.exclude_bones(active, other):
                text = "The filters of {name} and {other} list what they collide with; edit those"
                report(self, "WARNING", text, name=active.name, other=other.name)
        text = "Bodies that {name} passes through: {count}"
        count = len(authoring.bone_pairs.passed_bones(active))
        report(self, "INFO", text, name=active.name, count=count)
        return {"FINISHED"}


class OMI_OT_body_pair_remove(Explained, _Entry, bpy.types.Operator):
    """Let the active body and one that it passes through collide again"""

    bl_idname = "omi.body_pair_remove"
    bl_label = "Include Collisions"
    conditions = (active_object_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        if context.mode == "POSE":
            return self._include_bone(context)
        active = present(context.object)
        pairs = body_data(active).excluded
        if self.index >= len(pairs):
            return {"CANCELLED"}
        other = pairs[self.index].body
        pairs.remove(self.index)
        if other is not None and locked(other) is None:
            include_pair(other, active)
        return {"FINISHED"}

    def _include_bone(self, context: bpy.types.Context) -> OperatorResult:
        active = authoring.bone_pairs.active_body_bone(context)
        passed = [] if active is None else authoring.bone_pairs.passed_bones(active)
        if active is None or self.index >= len(passed):
            return {"CANCELLED"}
        authoring.bone_pairs.include_bones(active, passed[self.index])
        return {"FINISHED"}
