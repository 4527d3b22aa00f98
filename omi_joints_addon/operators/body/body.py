"""Bodies: making objects physics bodies, fitting their shapes, a body that is the world."""

from typing import TYPE_CHECKING

import bpy
import numpy as np
from bpy.props import EnumProperty

from ...authoring.conditions import Explained, locked, not_object_mode
from ...authoring.frames import new_empty
from ...core.shapes.fit import Fit, Points, fit_shape, guess_fit
from ...properties.body import body_data, motion_of
from ...properties.collider import Children, children_of
from ...properties.joint import joint_of
from ...properties.mesh_points import MeshReader
from ...properties.shape import NONE, OMI_PG_shape, fit_type

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

GUESS = "GUESS"
MOTION_TYPES = (
    ("STATIC", "Static", "Never moves"),
    ("KINEMATIC", "Kinematic", "Moved by animation or scripts, pushes dynamic bodies"),
    ("DYNAMIC", "Dynamic", "Moved by forces, collisions and joints"),
)
SHAPES = (
    (GUESS, "Best Fit", "The shape with the least volume around the mesh, or its convex hull"),
    ("BOX", "Box", "Box along the object's axes"),
    ("SPHERE", "Sphere", "Sphere"),
    ("CAPSULE", "Capsule", "Two spheres and what is between them"),
    ("CYLINDER", "Cylinder", "Cylinder"),
    ("CONVEX", "Convex Hull", "Convex hull of the mesh"),
    ("TRIMESH", "Triangle Mesh", "Triangles of the mesh; for static bodies"),
)


def no_selected_object(context: bpy.types.Context) -> str | None:
    """Return why no selected object can be made a body."""
    objects = _candidates(context)
    if not objects:
        return "Select objects that are not physics joints"
    reasons = [locked(obj) for obj in objects]
    return reasons[0] if all(reasons) else None


def no_selected_shape(context: bpy.types.Context) -> str | None:
    """Return why no selected object has a shape that could be fitted."""
    reason = no_selected_object(context)
    if reason is None and not any(_shapes(obj) for obj in _editable(context)):
        reason = "No selected object has a collider or trigger with a shape of its own"
    return reason


class OMI_OT_body_add(Explained, bpy.types.Operator):
    """Make the selected objects physics bodies, with the collision shape that fits them best"""

    bl_idname = "omi.body_add"
    bl_label = "Add Physics Body"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (not_object_mode, no_selected_object)

    if TYPE_CHECKING:
        motion_type: str
        shape: str
    else:
        motion_type: EnumProperty(
            name="Motion Type",
            description="How the bodies move in a physics engine",
            items=MOTION_TYPES,
            default="DYNAMIC",
        )
        shape: EnumProperty(
            name="Shape",
            description="Collision shape of the bodies",
            items=(*SHAPES, (NONE, "None", "No shape, or those of the objects below")),
        )

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        reader = MeshReader(context.evaluated_depsgraph_get())
        for obj in _editable(context):
            if obj.rigid_body is None:
                body_data(obj).motion_type = self.motion_type
                self._add_shape(obj, reader)
            else:
                obj.rigid_body.type = "ACTIVE" if self.motion_type == "DYNAMIC" else "PASSIVE"
                obj.rigid_body.kinematic = self.motion_type == "KINEMATIC"
        return {"FINISHED"}

    def _add_shape(self, obj: bpy.types.Object, reader: MeshReader) -> None:
        collider = body_data(obj).collider
        if self.shape == NONE:
            collider.source = NONE
            return
        fit = fitted(self.shape, reader.points(obj))
        if fit is not None:
            collider.source = "CUSTOM"
            collider.shape.from_fit(fit)
            collider.shape.mesh = None


class OMI_OT_body_shape_fit(Explained, bpy.types.Operator):
    """Fit the collision shapes of the selected objects to their meshes, or to those around"""

    bl_idname = "omi.body_shape_fit"
    bl_label = "Fit Shape"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (no_selected_shape,)

    if TYPE_CHECKING:
        shape: str
    else:
        shape: EnumProperty(
            name="Shape",
            description="Collision shape to fit",
            items=(("SAME", "Same", "The type that each shape has"), *SHAPES),
        )

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        reader = MeshReader(context.evaluated_depsgraph_get())
        assert context.scene is not None
        children = children_of(context.scene.objects)
        without_mesh = []
        for obj in _editable(context):
            points = _points_around(obj, children, reader)
            for shape in _shapes(obj):
                fit = fitted(shape.type if self.shape == "SAME" else self.shape, points)
                if fit is None:
                    without_mesh.append(obj.name)
                else:
                    shape.from_fit(fit)
        if without_mesh:
            self.report({"WARNING"}, f"No mesh to fit to: {', '.join(without_mesh[:5])}")
        return {"FINISHED"}


class OMI_OT_body_anchor_add(Explained, bpy.types.Operator):
    """Add a static body at the 3D cursor that stands for the world, to joint other bodies to"""

    bl_idname = "omi.body_anchor_add"
    bl_label = "Add Static World Anchor"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        assert context.collection is not None
        assert context.scene is not None
        assert context.view_layer is not None
        anchor = new_empty(context, "World Anchor", display="CUBE", size=0.1)
        context.collection.objects.link(anchor)
        anchor.matrix_world = context.scene.cursor.matrix
        body_data(anchor).motion_type = "STATIC"
        for obj in context.selected_objects:
            obj.select_set(False)
        anchor.select_set(True)
        context.view_layer.objects.active = anchor
        return {"FINISHED"}


def fitted(type_: str, points: Points) -> Fit | None:
    """Return the shape of an enum identifier fitted to points; None where they have no extent."""
    return guess_fit(points) if type_ == GUESS else fit_shape(fit_type(type_), points)


def _candidates(context: bpy.types.Context) -> list[bpy.types.Object]:
    return [obj for obj in context.selected_objects if joint_of(obj) is None]


def _editable(context: bpy.types.Context) -> list[bpy.types.Object]:
    return [obj for obj in _candidates(context) if locked(obj) is None]


def _shapes(obj: bpy.types.Object) -> list[OMI_PG_shape]:
    """Return the shapes of an object that can be fitted."""
    body = body_data(obj)
    shapes = [body.collider.shape] if body.collider.source == "CUSTOM" else []
    if body.trigger.enabled:
        shapes.append(body.trigger.shape)
    return [shape for shape in shapes if shape.type not in {NONE, "OTHER"}]


def _points_around(obj: bpy.types.Object, children: Children, reader: MeshReader) -> Points:
    """Return the vertices (n, 3) that a shape of the object is to hold, in the object's axes."""
    own = reader.points(obj)
    if len(own):
        return own
    below, waiting = [], list(children.get(obj, ()))
    while waiting:
        child = waiting.pop()
        if motion_of(child) is None:
            below.append(child)
            waiting += children.get(child, ())
    around = [other for other in below if len(reader.points(other))]
    if not around and obj.parent is not None:
        around = [obj.parent]
    world = np.linalg.inv(np.array(obj.matrix_world, float))
    clouds = [
        _moved(reader.points(other), world @ np.array(other.matrix_world)) for other in around
    ]
    return np.concatenate([np.empty((0, 3)), *clouds])


def _moved(points: Points, matrix: Points) -> Points:
    moved: Points = points @ matrix[:3, :3].T + matrix[:3, 3]
    return moved


CLASSES = (OMI_OT_body_add, OMI_OT_body_shape_fit, OMI_OT_body_anchor_add)
