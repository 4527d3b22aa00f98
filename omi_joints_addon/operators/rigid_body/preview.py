"""Joints as Blender's own rigid body constraints, to watch collisions with."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, no_joint_in_scene, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...preview.session import stop
from ...translation import report


def nothing_built(context: bpy.types.Context) -> str | None:
    """Return why there is nothing to remove."""
    return (
        None
        if authoring.rigid_body_preview.is_built(present(context.scene))
        else "No rigid body preview has been built"
    )


def already_built(context: bpy.types.Context) -> str | None:
    """Return why nothing can be built."""
    return None if nothing_built(context) else "A rigid body preview exists; clean it first"


class OMI_OT_rigid_body_preview_build(Explained, bpy.types.Operator):
    """Create rigid bodies and constraints from the joints, as far as Blender can express them"""

    bl_idname = "omi.rigid_body_preview_build"
    bl_label = "Build Rigid Body Preview"
    conditions = (not_object_mode, no_joint_in_scene, already_built)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        stop()
        builder = authoring.rigid_body_preview.RigidBodyPreview(context)
        for number in range(len(builder.scene.joints)):
            builder.add_joint(number)
        for line in builder.lost:
            report(self, "WARNING", line)
        report(self, "INFO", "Rigid Body Constraints: {count}", count=builder.count)
        return {"FINISHED"}


class OMI_OT_rigid_body_preview_clean(Explained, bpy.types.Operator):
    """Remove everything that the rigid body preview created"""

    bl_idname = "omi.rigid_body_preview_clean"
    bl_label = "Clean Rigid Body Preview"
    conditions = (not_object_mode, nothing_built)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        authoring.rigid_body_preview.clean_preview(present(context.scene))
        return {"FINISHED"}
