"""Mirroring joints."""

from typing import Any

import bpy
from mathutils import Matrix

from ... import authoring
from ... import scene as scenes
from ...authoring.conditions import Explained, no_selected_joint, not_object_mode, selected_joints
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import rewrite
from ...declared import BoolProperty, EnumProperty, StringProperty
from ...properties.bones import world_matrix
from ...properties.joint_settings import AXES


class OMI_OT_joint_mirror(Explained, bpy.types.Operator):
    """Mirror the selected joints and the bodies they hold, for example limbs of the other side"""

    bl_idname = "omi.joint_mirror"
    bl_label = "Mirror Joints"
    conditions = (not_object_mode, no_selected_joint)
    axis = EnumProperty(
        name="Across",
        description="Axis to mirror along",
        items=tuple((axis, axis, f"Across the plane normal to {axis}") for axis in AXES),
    )
    space = EnumProperty(
        name="Space",
        description="Space of the plane",
        items=(
            ("WORLD", "World", "Through the origin of the world"),
            ("CURSOR", "Cursor", "Through the 3D cursor, along its axes"),
            ("OBJECT", "Object", "Through the origin of an object, along its axes"),
        ),
    )
    object_name = StringProperty(
        name="Object",
        description=(
            "Object or armature to mirror across; if empty, the topmost parent of the active "
            "joint is used"
        ),
    )
    use_names = BoolProperty(
        name="By Name",
        description=(
            "Mirror to existing objects named for the other side (.L and .R, Left and Right) "
            "instead of duplicating bodies"
        ),
        default=True,
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        present(context.view_layer).update()
        joints = selected_joints(context)
        space: Any = self._space(context, joints[0])
        reflection = rewrite.mirror.reflection_across(space, AXES.index(self.axis))
        mirror = authoring.mirror.Mirror(context, reflection, use_names=self.use_names)
        authoring.selection.select_only(context, mirror.joints(joints))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        layout.row().prop(self, "axis", expand=True)
        layout.prop(self, "space")
        if self.space == "OBJECT":
            layout.prop_search(self, "object_name", context.scene, "objects")
        layout.prop(self, "use_names")

    def _space(self, context: bpy.types.Context, joint: bpy.types.Object) -> Matrix:
        """Return the matrix of the space, without scale."""
        if self.space == "WORLD":
            return Matrix.Identity(4)
        if self.space == "CURSOR":
            return present(context.scene).cursor.matrix
        top = [joint, *scenes.structure.parents_of(joint)][-1]
        chosen = present(context.scene).objects.get(self.object_name) or top
        return authoring.frames.rigid_matrix(world_matrix(chosen))
