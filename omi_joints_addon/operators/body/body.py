"""Bodies: making and removing them, fitting their shapes, a body that is the world."""

import bpy

from ... import authoring
from ... import scene as scenes
from ...authoring.conditions import (
    Explained,
    bony,
    chosen_bones,
    editable_objects,
    locked,
    no_active_bone,
    no_selected_object,
    no_selected_shape,
    not_object_mode,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import EnumProperty
from ...properties.body import fittable_shapes, motion_of
from ...properties.mesh_points import MeshReader
from ...properties.shape import GUESS, NONE
from ...translation import refused, report

MOTION_TYPES = (
    ("STATIC", "Static", "Never moves"),
    ("KINEMATIC", "Kinematic", "Moved by animation or scripts; pushes dynamic bodies"),
    ("DYNAMIC", "Dynamic", "Moved by forces, collisions and joints"),
)
SHAPES = (
    (
        GUESS,
        "Best Fit",
        "The shape with the least volume around the mesh, or its convex hull",
    ),
    ("BOX", "Box", "Box along the object's axes"),
    ("SPHERE", "Sphere", "Sphere"),
    ("CAPSULE", "Capsule", "Two spheres and the space between them"),
    ("CYLINDER", "Cylinder", "Cylinder"),
    ("CONVEX", "Convex Hull", "Convex hull of the mesh"),
    ("TRIMESH", "Triangle Mesh", "Triangles of the mesh; for static bodies"),
)


class OMI_OT_body_add(Explained, bpy.types.Operator):
    """Make the selected objects physics bodies with the collision shapes that fit them best"""

    bl_idname = "omi.body_add"
    bl_label = "Add Physics Body"
    conditions = (not_object_mode, no_selected_object)

    motion_type = EnumProperty(
        name="Motion Type",
        description="How the bodies move in a physics engine",
        items=MOTION_TYPES,
        default="DYNAMIC",
    )
    shape = EnumProperty(
        name="Shape",
        description="Collision shape of the bodies",
        items=(
            *SHAPES,
            (NONE, "None", "No shape of its own; uses the shapes of the objects below, if any"),
        ),
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        reader = MeshReader(context.evaluated_depsgraph_get())
        fits = authoring.bodies.Fits(reader)
        children = scenes.solids.children_of(present(context.scene).objects)
        for obj in editable_objects(context):
            if reason := bony(obj):
                report(self, "WARNING", reason)
                continue
            authoring.bodies.make_body(
                obj,
                reader,
                motion_type=self.motion_type,
                shape=self.shape,
                fits=fits,
                children=children,
            )
        return {"FINISHED"}


class OMI_OT_body_bone_add(Explained, bpy.types.Operator):
    """Make the active bone, in Pose Mode all selected ones, bodies with capsules that fit them"""

    bl_idname = "omi.body_bone_add"
    bl_label = "Add Bone Body"
    conditions = (no_active_bone,)

    motion_type = EnumProperty(
        name="Motion Type",
        description="How the bodies move in a physics engine",
        items=MOTION_TYPES,
        default="DYNAMIC",
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        bones = chosen_bones(context)
        count = authoring.bone_bodies.make_bone_bodies(context, bones, self.motion_type)
        report(self, "INFO", "Bones that are bodies now: {count}", count=count)
        return {"FINISHED"}


class OMI_OT_body_shape_fit(Explained, bpy.types.Operator):
    """Fit the collision shapes of the selected objects to their meshes, or to those around"""

    bl_idname = "omi.body_shape_fit"
    bl_label = "Fit Shape"
    conditions = (no_selected_shape,)

    shape = EnumProperty(
        name="Shape",
        description="Collision shape to fit",
        items=(("SAME", "Same", "The type that each shape has"), *SHAPES),
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        reader = MeshReader(context.evaluated_depsgraph_get())
        children = scenes.solids.children_of(present(context.scene).objects)
        without_mesh = [
            obj.name
            for obj in editable_objects(context)
            if fittable_shapes(obj)
            and not authoring.bodies.fit_shapes(obj, children, reader, shape=self.shape)
        ]
        if without_mesh:
            report(
                self,
                "WARNING",
                "No mesh to fit to: {names}",
                names=", ".join(without_mesh[:5]),
            )
        return {"FINISHED"}


class OMI_OT_body_anchor_add(Explained, bpy.types.Operator):
    """Add a static body at the 3D cursor that represents the world, to connect other bodies to"""

    bl_idname = "omi.body_anchor_add"
    bl_label = "Add Static World Anchor"
    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        authoring.selection.select_only(context, [authoring.bodies.add_anchor(context)])
        return {"FINISHED"}


class OMI_OT_body_remove(Explained, bpy.types.Operator):
    """Delete the selected bodies with their joints, including joint frames on other bodies"""

    bl_idname = "omi.body_remove"
    bl_label = "Delete Body with Joints"
    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        bodies = [obj for obj in context.selected_objects if motion_of(obj) and not locked(obj)]
        if not bodies:
            return refused(self, "ERROR", "No physics body that can be deleted is selected")
        authoring.removal.remove_bodies(present(context.blend_data), bodies)
        return {"FINISHED"}
