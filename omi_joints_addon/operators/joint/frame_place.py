"""Put the frames of the active joint at the element under the mouse: the toolbar's tool."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, IntVectorProperty

from ... import authoring
from ...authoring.conditions import Explained, active_joint_uneditable, not_object_mode, uneditable
from ...authoring.context import present
from ...classes import OperatorResult
from ...properties.joint import joint_data
from ...translation import refused, report

_NOTHING = {
    "VERTEX": "No vertex under the mouse",
    "EDGE": "No edge under the mouse",
    "FACE": "No face under the mouse",
    "BONE": "No bone under the mouse",
}


class OMI_OT_joint_frame_place(Explained, bpy.types.Operator):
    """Snap the frames of the active joint to the vertex, edge, face or bone under the mouse"""

    bl_idname = "omi.joint_frame_place"
    bl_label = "Place Joint Frame"
    if TYPE_CHECKING:
        end: str
        element: str
        use_rotation: bool
        mouse: tuple[int, int]
    else:
        end: EnumProperty(
            name="Move",
            description="Frames to move",
            items=(
                ("BOTH", "Both", "The frames on both bodies"),
                ("JOINT", "Joint", "The frame of the joint"),
                ("CONNECTED", "Connected", "The frame on the connected body"),
            ),
        )
        element: EnumProperty(
            name="Snap To",
            description="Element under the mouse to snap the frames to",
            items=(
                ("VERTEX", "Vertex", "Nearest vertex of the face", "VERTEXSEL", 0),
                ("EDGE", "Edge", "Nearest point on an edge, Z along it", "EDGESEL", 1),
                ("FACE", "Face", "Point on the surface", "FACESEL", 2),
                ("BONE", "Bone", "Head or tail of a bone", "BONE_DATA", 3),
            ),
        )
        use_rotation: BoolProperty(
            name="Rotation",
            description=(
                "Rotate the frames too: Z along the normal or the edge, or aligned with the bone"
            ),
        )
        mouse: IntVectorProperty(
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
            place = authoring.frames.rigid_matrix(
                found.matrix if self.use_rotation else frame.matrix_world
            )
            place.translation = found.matrix.translation
            authoring.frames.move_to(frame, place)
        report(self, "INFO", "Placed at {found}", found=found.name)
        return {"FINISHED"}

    def _frames(self, joint: bpy.types.Object) -> list[bpy.types.Object]:
        """Return the frames that move."""
        connected = joint_data(joint).connected_object
        frames = [joint] if self.end != "CONNECTED" else []
        return frames + ([connected] if connected and self.end != "JOINT" else [])


CLASSES = (OMI_OT_joint_frame_place,)
