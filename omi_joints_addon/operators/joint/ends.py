"""The two ends of a joint: exchanging them, bringing one frame onto the other, placing them."""

import bpy
from mathutils import Matrix

from ... import authoring
from ...authoring.conditions import (
    Explained,
    active_joint_locked,
    active_joint_uneditable,
    endless_sharing,
    locked,
    no_connected_object,
    not_object_mode,
    uneditable,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import rewrite
from ...core.findings.sentence import Sentence
from ...declared import BoolProperty, EnumProperty, IntVectorProperty
from ...properties.body import motion_of
from ...properties.bones import world_matrix
from ...properties.joint import joint_data
from ...translation import refused, report

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
    end = EnumProperty(name="Move", description="Frame to move", items=ENDS, default="CONNECTED")
    conditions = (not_object_mode, active_joint_locked, no_connected_object, _connected_not_frame)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        joint: bpy.types.Object = present(context.object)
        ends = joint, authoring.ends.connected_of(joint)
        target, moved = ends if self.end == "CONNECTED" else ends[::-1]
        authoring.frames.move_to(moved, authoring.frames.rigid_matrix(world_matrix(target)))
        return {"FINISHED"}


class _Frames:
    """Properties of operators that move frames of a joint."""

    end = EnumProperty(
        name="Move",
        description="Frames to move",
        items=(("BOTH", "Both", "The frames on both bodies"), *ENDS),
    )


class OMI_OT_joint_frame_snap(Explained, _Frames, bpy.types.Operator):
    """Move the frames of the active joint to the 3D cursor"""

    bl_idname = "omi.joint_frame_snap"
    bl_label = "Snap Joint to Cursor"
    use_rotation = BoolProperty(
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
            _snap(frame, cursor, use_rotation=self.use_rotation)
        return {"FINISHED"}


_NOTHING = {
    "VERTEX": "No vertex under the mouse",
    "EDGE": "No edge under the mouse",
    "FACE": "No face under the mouse",
    "BONE": "No bone under the mouse",
}


class OMI_OT_joint_frame_place(Explained, _Frames, bpy.types.Operator):
    """Snap the frames of the active joint to the vertex, edge, face or bone under the mouse"""

    bl_idname = "omi.joint_frame_place"
    bl_label = "Place Joint Frame"
    element = EnumProperty(
        name="Snap To",
        description="Element under the mouse to snap the frames to",
        items=(
            ("VERTEX", "Vertex", "Nearest vertex of the face", "VERTEXSEL", 0),
            ("EDGE", "Edge", "Nearest point on an edge, Z along it", "EDGESEL", 1),
            ("FACE", "Face", "Point on the surface", "FACESEL", 2),
            ("BONE", "Bone", "Head or tail of a bone", "BONE_DATA", 3),
        ),
    )
    use_rotation = BoolProperty(
        name="Rotation",
        description=(
            "Rotate the frames too: Z along the normal or the edge, or aligned with the bone"
        ),
    )
    mouse: tuple[int, int] = IntVectorProperty(
        name="Mouse", description="Place in the view", size=2, options={"HIDDEN", "SKIP_SAVE"}
    )
    conditions = (not_object_mode, active_joint_uneditable)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        """Remember the mouse, so that redoing with other options finds the same place."""
        self.mouse = (event.mouse_region_x, event.mouse_region_y)
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        if context.region_data is None:
            return refused(self, "ERROR", "Only works in a 3D view")
        found = authoring.elements.element_of(context, (self.mouse[0], self.mouse[1]), self.element)
        if found is None:
            return refused(self, "WARNING", _NOTHING[self.element])
        for frame in self._frames(present(context.object)):
            if (reason := uneditable(frame)) is not None:
                return refused(self, "ERROR", reason)
            _snap(frame, found.matrix, use_rotation=self.use_rotation)
        report(self, "INFO", "Placed at {found}", found=found.name)
        return {"FINISHED"}

    def _frames(self, joint: bpy.types.Object) -> list[bpy.types.Object]:
        """Return the frames that move."""
        connected = joint_data(joint).connected_object
        frames = [joint] if self.end != "CONNECTED" else []
        return frames + ([connected] if connected and self.end != "JOINT" else [])


def _snap(frame: bpy.types.Object, target: Matrix, *, use_rotation: bool) -> None:
    """Move a frame to a place, and into its direction where that is wanted."""
    place = authoring.frames.rigid_matrix(target if use_rotation else world_matrix(frame))
    place.translation = target.translation
    authoring.frames.move_to(frame, place)
