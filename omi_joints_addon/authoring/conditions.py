"""Why an operator of joints is unavailable: functions return the reason, None where all is well."""

from collections.abc import Callable
from typing import ClassVar

import bpy

from ..properties.joint import (
    OMI_PG_joint,
    SettingsCycleError,
    joint_data,
    joint_of,
    settings_owner,
)
from ..scene.structure import joint_objects
from .context import present

Condition = Callable[[bpy.types.Context], str | None]


class Explained:
    """Operator whose poll tells the first reason that one of its `conditions` gives."""

    conditions: ClassVar[tuple[Condition, ...]]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        for condition in cls.conditions:
            reason = condition(context)
            if reason is not None:
                cls.poll_message_set(reason)  # type: ignore[attr-defined]
                return False
        return True


def not_object_mode(context: bpy.types.Context) -> str | None:
    """Return why objects cannot be added, removed or moved now."""
    return None if context.mode == "OBJECT" else "Works in Object Mode only"


def no_active_joint(context: bpy.types.Context) -> str | None:
    """Return why there is no active joint."""
    if context.object is None:
        return "There is no active object"
    return None if joint_of(context.object) else "The active object is not a physics joint"


def active_joint_locked(context: bpy.types.Context) -> str | None:
    """Return why the active joint cannot be edited."""
    return no_active_joint(context) or locked(present(context.object))


def endless_sharing(context: bpy.types.Context) -> str | None:
    """Return why the settings of the active joint have no owner."""
    try:
        settings_owner(present(context.object))
    except SettingsCycleError:
        return "The shared settings go round in a circle; make one of the joints single-user"
    return None


def active_settings_locked(context: bpy.types.Context) -> str | None:
    """Return why the limits and drives that the active joint uses cannot be edited."""
    reason = no_active_joint(context) or endless_sharing(context)
    return reason or locked(settings_owner(present(context.object)))


def no_connected_object(context: bpy.types.Context) -> str | None:
    """Return why the active joint has no other end."""
    connected = joint_data(present(context.object)).connected_object
    return None if connected else "The joint has no connected object"


def no_selected_joint(context: bpy.types.Context) -> str | None:
    """Return why no selected joint can be edited."""
    joints = selected_joints(context)
    if not joints:
        return "No physics joint is selected"
    reasons = [locked(joint) for joint in joints]
    return reasons[0] if all(reasons) else None


def no_other_joint(context: bpy.types.Context) -> str | None:
    """Return why there is no selected joint beside the active one that can be edited."""
    others = [joint for joint in selected_joints(context) if joint != context.object]
    if not others:
        return "Select other physics joints beside the active one"
    reasons = [locked(joint) for joint in others]
    return reasons[0] if all(reasons) else None


def locked(obj: bpy.types.Object) -> str | None:
    """Return why the object's data cannot be edited."""
    if not obj.is_editable:
        return f"{obj.name} is linked from a library; edit it there"
    if obj.override_library is not None:
        return f"{obj.name} is a library override, which keeps no changes; edit it in its library"
    return None


def selected_joints(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected joints, the active one first."""
    joints = joint_objects(context.selected_objects)
    return sorted(joints, key=lambda joint: joint != context.object)


def editable_joints(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected joints that can be edited, the active one first."""
    return [joint for joint in selected_joints(context) if locked(joint) is None]


def active_settings(context: bpy.types.Context) -> OMI_PG_joint:
    """Return the joint data whose limits and drives the active joint uses."""
    return joint_data(settings_owner(present(context.object)))
