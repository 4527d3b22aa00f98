"""Editing the lists of limits and drives; of shared settings those of their owner."""

from typing import Any, ClassVar

import bpy

from ... import authoring
from ...authoring.conditions import (
    Condition,
    Explained,
    active_owner,
    active_settings,
    active_settings_locked,
)
from ...classes import OperatorResult
from ...core import rewrite
from ...core.model.joint import JointDrive, JointLimit
from ...declared import EnumProperty
from ...properties.joint import joint_data
from .dropped import dropped_reported

NEW_LIMIT = JointLimit(min=0.0, max=0.0)
NEW_DRIVE = JointDrive(velocity_target=0.0, damping=1.0)


class ItemOperator(Explained):
    """Operator on one of the lists of the active joint; the docstring is the tooltip of both."""

    action: ClassVar[str]
    item: ClassVar[str]
    """What is listed: limit or drive."""

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        owner = active_owner(context)
        settings = joint_data(owner)
        items, active = getattr(settings, f"{self.item}s"), f"active_{self.item}"
        order = list(range(len(items)))
        index = self.edited(items, min(getattr(settings, active), len(items) - 1), order)
        if index is None:
            return {"CANCELLED"}
        setattr(settings, active, index)
        with dropped_reported(self, [owner]):
            follow = rewrite.followed.by_order(f"{self.item}s", order)
            authoring.joint_curves.JointCurves().follow(owner, follow)
        return {"FINISHED"}

    def edited(self, items: Any, index: int, order: list[int]) -> int | None:
        """Edit a list at its active item and return which is active then, None for no change.

        `order`, the numbers that the items had before, is edited alike.
        """
        raise NotImplementedError


class AddItem(ItemOperator):
    """Add a {item} to the joint"""

    action = "add"

    def edited(self, items: Any, index: int, order: list[int]) -> int | None:
        items.add().from_core(NEW_LIMIT if self.item == "limit" else NEW_DRIVE)
        return len(items) - 1


class RemoveItem(ItemOperator):
    """Remove the active {item} of the joint"""

    action = "remove"

    def edited(self, items: Any, index: int, order: list[int]) -> int | None:
        items.remove(index)
        order.remove(index)
        return max(0, min(index, len(items) - 1))


class DuplicateItem(ItemOperator):
    """Duplicate the active {item} of the joint"""

    action = "duplicate"

    def edited(self, items: Any, index: int, order: list[int]) -> int | None:
        items.add().from_core(items[index].to_core())
        items.move(len(items) - 1, index + 1)
        order.insert(index + 1, index)
        return index + 1


class MoveItem(ItemOperator):
    """Move the active {item} of the joint in the list"""

    action = "move"
    direction = EnumProperty(
        name="Direction",
        description="Direction to move it in",
        items=(("UP", "Up", "Toward the start"), ("DOWN", "Down", "Toward the end")),
    )

    def edited(self, items: Any, index: int, order: list[int]) -> int | None:
        target = index + (-1 if self.direction == "UP" else 1)
        if not 0 <= target < len(items):
            return None
        items.move(index, target)
        order.insert(target, order.pop(index))
        return target


def item_operator(item: str, action: str) -> str:
    """Return the operator that adds, removes, duplicates or moves a limit or drive."""
    return f"omi.joint_{item}_{action}"


def _list_empty(item: str) -> Condition:
    """Return the condition that the active joint has a limit or drive."""
    reason = {"limit": "The joint has no limits", "drive": "The joint has no drives"}[item]
    return lambda context: None if getattr(active_settings(context), f"{item}s") else reason


def _operator_class(item: str, base: type[ItemOperator]) -> type:
    """Return the class of an operator of limits or of drives."""
    needs_item = () if base is AddItem else (_list_empty(item),)
    fields = {
        "bl_idname": item_operator(item, base.action),
        "bl_label": f"{base.action.title()} Joint {item.title()}",
        "__doc__": str(base.__doc__).format(item=item),
        "conditions": (active_settings_locked, *needs_item),
        "item": item,
    }
    return type(f"OMI_OT_joint_{item}_{base.action}", (base, bpy.types.Operator), fields)


CLASSES = tuple(
    _operator_class(item, base)
    for item in ("limit", "drive")
    for base in (AddItem, RemoveItem, DuplicateItem, MoveItem)
)
