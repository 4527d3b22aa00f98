"""The two ends of a joint: exchanging them, bringing one frame onto the other, and placing them."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_joint_locked,
    endless_sharing,
    locked,
    no_connected_object,
    not_object_mode,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import rewrite
from ...core.findings.sentence import Sentence
from ...properties.body import motion_of
from ...properties.joint import joint_data
from ...translation import refused

ENDS = (
    ("JOINT", "Joint", "The frame of the joint"),
    ("CONNECTED", "Connected", "The frame on the connected body"),
)


def _connected_not_frame(context: bpy.types.Context) -> str | None:
    """Return why the connected object is not a frame that can be moved or made a joint."""
    connected = authoring.ends.connected_of(present(context.object))
    if motion_of(connected) is not None:
        return Sentence(
            "The connected object {connected} is a body; connect an empty below it instead",
            connected=connected.name,
        )
    if connected.type != "EMPTY":
        return Sentence(
            "The connected object {connected} is not an empty; use an empty below its body",
            connected=connected.name,
        )
    return locked(connected)


def _connected_is_joint(context: bpy.types.Context) -> str | None:
    """Return why the connected object cannot become the joint."""
    connected = authoring.ends.connected_of(present(context.object))
    if joint_data(connected).enabled:
        return Sentence(
            "The connected object {connected} is a joint itself", connected=connected.name
        )
    return None


class OMI_OT_joint_ends_swap(Explained, bpy.types.Operator):
    """Make the connected frame the joint, mirroring limits and drives so that they mean the same"""

    bl_idname = "omi.joint_ends_swap"
    bl_label = "Swap Joint Ends"
    conditions = (
        active_joint_locked,
        endless_sharing,
        no_connected_object,
        _connected_not_frame,
        _connected_is_joint,
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        old: bpy.types.Object = present(context.object)
        try:
            new = authoring.ends.swap_ends(present(context.blend_data), old)
        except rewrite.swap.SwapError as error:
            return refused(
                self, "ERROR", "Cannot swap the ends of {old}: {error}", old=old.name, error=error
            )
        old.select_set(False)
        new.select_set(True)
        present(context.view_layer).objects.active = new
        return {"FINISHED"}


class OMI_OT_joint_frame_align(Explained, bpy.types.Operator):
    """Move one frame of the active joint onto the other, in place and direction"""

    bl_idname = "omi.joint_frame_align"
    bl_label = "Align Joint Frames"
    if TYPE_CHECKING:
        end: str
    else:
        end: EnumProperty(name="Move", description="Frame to move", items=ENDS, default="CONNECTED")
    conditions = (not_object_mode, active_joint_locked, no_connected_object, _connected_not_frame)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        joint: bpy.types.Object = present(context.object)
        ends = joint, authoring.ends.connected_of(joint)
        target, moved = ends if self.end == "CONNECTED" else ends[::-1]
        authoring.frames.move_to(moved, authoring.frames.rigid_matrix(target.matrix_world))
        return {"FINISHED"}


class OMI_OT_joint_frame_snap(Explained, bpy.types.Operator):
    """Move the frames of the active joint to the 3D cursor"""

    bl_idname = "omi.joint_frame_snap"
    bl_label = "Snap Joint to Cursor"
    if TYPE_CHECKING:
        end: str
        use_rotation: bool
    else:
        end: EnumProperty(
            name="Move",
            description="Frames to move",
            items=(("BOTH", "Both", "The frames on both bodies"), *ENDS),
        )
        use_rotation: BoolProperty(
            name="Rotation", description="Use the rotation of the cursor as well as its location"
        )
    conditions = (not_object_mode, active_joint_locked)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        joint: bpy.types.Object = present(context.object)
        moved = [joint] if self.end != "CONNECTED" else []
        if self.end != "JOINT":
            reason = no_connected_object(context) or _connected_not_frame(context)
            if reason is not None:
                return refused(self, "ERROR", reason)
            moved.append(authoring.ends.connected_of(joint))
        cursor = present(context.scene).cursor.matrix
        for frame in moved:
            place = authoring.frames.rigid_matrix(
                cursor if self.use_rotation else frame.matrix_world
            )
            place.translation = cursor.translation
            authoring.frames.move_to(frame, place)
        return {"FINISHED"}


CLASSES = (OMI_OT_joint_ends_swap, OMI_OT_joint_frame_align, OMI_OT_joint_frame_snap)
