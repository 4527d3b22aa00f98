"""Editing the lists of limits and drives; of shared settings those of their owner."""

from typing import TYPE_CHECKING, Any, ClassVar

import bpy
from bpy.props import EnumProperty

from ...authoring.conditions import (
    Condition,
    Explained,
    active_settings,
    active_settings_locked,
)
from ...classes import OperatorResult
from ...core.model.joint import JointDrive, JointLimit
from ...properties.joint import OMI_PG_joint

NEW_LIMIT = JointLimit(min=0.0, max=0.0)
NEW_DRIVE = JointDrive(velocity_target=0.0, damping=1.0)


class Items:
    """One list of joint settings and its active item."""

    items: ClassVar[str]
    """Property of the list: limits or drives."""
    active: ClassVar[str]
    """Property of the number of the active item."""
    new: ClassVar[JointLimit | JointDrive]
    """What is added."""
    none: ClassVar[str]
    """Why there is nothing to edit in an empty list."""

    @classmethod
    def index(cls, settings: OMI_PG_joint) -> int:
        """Return the number of the active item, -1 where the list is empty."""
        return int(min(getattr(settings, cls.active), len(getattr(settings, cls.items)) - 1))


class Limits(Items):
    """The limits."""

    items, active, new = "limits", "active_limit", NEW_LIMIT
    none = "The joint has no limits"


class Drives(Items):
    """The drives."""

    items, active, new = "drives", "active_drive", NEW_DRIVE
    none = "The joint has no drives"


class ItemOperator(Explained):
    """Operator on one of the lists of the active joint."""

    if TYPE_CHECKING:  # at run time typing would keep the class, and with it bpy, beyond the exit
        kind: ClassVar[type[Items]]
    conditions: ClassVar[tuple[Condition, ...]] = (active_settings_locked,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        settings = active_settings(context)
        items = getattr(settings, self.kind.items)
        active = self.edited(items, self.kind.index(settings))
        if active is None:
            return {"CANCELLED"}
        setattr(settings, self.kind.active, active)
        return {"FINISHED"}

    def edited(self, items: Any, index: int) -> int | None:
        """Edit a list at its active item and return which is active then, None for no change."""
        raise NotImplementedError


def _list_empty(kind: type[Items]) -> Condition:
    """Return the condition that the active joint has an item of this kind."""

    def reason(context: bpy.types.Context) -> str | None:
        if kind.index(active_settings(context)) < 0:
            return kind.none
        return None

    return reason


class AddItem(ItemOperator):
    """Add an item at the end of a list and make it active."""

    def edited(self, items: Any, index: int) -> int | None:
        items.add().from_core(self.kind.new)
        return len(items) - 1


class RemoveItem(ItemOperator):
    """Remove the active item of a list."""

    def edited(self, items: Any, index: int) -> int | None:
        items.remove(index)
        return max(0, min(index, len(items) - 1))


class DuplicateItem(ItemOperator):
    """Add a copy of the active item below it and make it active."""

    def edited(self, items: Any, index: int) -> int | None:
        items.add().from_core(items[index].to_core())
        items.move(len(items) - 1, index + 1)
        return index + 1


class MoveItem(ItemOperator):
    """Move the active item of a list."""

    if TYPE_CHECKING:
        direction: str
    else:
        direction: EnumProperty(
            name="Direction",
            description="Direction to move it in",
            items=(("UP", "Up", "Toward the start"), ("DOWN", "Down", "Toward the end")),
        )

    def edited(self, items: Any, index: int) -> int | None:
        target = index + (-1 if self.direction == "UP" else 1)
        if not 0 <= target < len(items):
            return None
        items.move(index, target)
        return target


class OMI_OT_joint_limit_add(AddItem, bpy.types.Operator):
    """Add a limit to the joint"""

    bl_idname = "omi.joint_limit_add"
    bl_label = "Add Joint Limit"
    kind = Limits


class OMI_OT_joint_limit_remove(RemoveItem, bpy.types.Operator):
    """Remove the active limit of the joint"""

    bl_idname = "omi.joint_limit_remove"
    bl_label = "Remove Joint Limit"
    kind = Limits
    conditions = (active_settings_locked, _list_empty(Limits))


class OMI_OT_joint_limit_duplicate(DuplicateItem, bpy.types.Operator):
    """Duplicate the active limit of the joint"""

    bl_idname = "omi.joint_limit_duplicate"
    bl_label = "Duplicate Joint Limit"
    kind = Limits
    conditions = (active_settings_locked, _list_empty(Limits))


class OMI_OT_joint_limit_move(MoveItem, bpy.types.Operator):
    """Move the active limit of the joint in the list"""

    bl_idname = "omi.joint_limit_move"
    bl_label = "Move Joint Limit"
    kind = Limits
    conditions = (active_settings_locked, _list_empty(Limits))


class OMI_OT_joint_drive_add(AddItem, bpy.types.Operator):
    """Add a drive to the joint"""

    bl_idname = "omi.joint_drive_add"
    bl_label = "Add Joint Drive"
    kind = Drives


class OMI_OT_joint_drive_remove(RemoveItem, bpy.types.Operator):
    """Remove the active drive of the joint"""

    bl_idname = "omi.joint_drive_remove"
    bl_label = "Remove Joint Drive"
    kind = Drives
    conditions = (active_settings_locked, _list_empty(Drives))


class OMI_OT_joint_drive_duplicate(DuplicateItem, bpy.types.Operator):
    """Duplicate the active drive of the joint"""

    bl_idname = "omi.joint_drive_duplicate"
    bl_label = "Duplicate Joint Drive"
    kind = Drives
    conditions = (active_settings_locked, _list_empty(Drives))


class OMI_OT_joint_drive_move(MoveItem, bpy.types.Operator):
    """Move the active drive of the joint in the list"""

    bl_idname = "omi.joint_drive_move"
    bl_label = "Move Joint Drive"
    kind = Drives
    conditions = (active_settings_locked, _list_empty(Drives))


CLASSES = (
    OMI_OT_joint_limit_add,
    OMI_OT_joint_limit_remove,
    OMI_OT_joint_limit_duplicate,
    OMI_OT_joint_limit_move,
    OMI_OT_joint_drive_add,
    OMI_OT_joint_drive_remove,
    OMI_OT_joint_drive_duplicate,
    OMI_OT_joint_drive_move,
)
