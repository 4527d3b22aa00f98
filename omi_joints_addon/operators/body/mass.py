"""Mass and inertia of bodies from their collision shapes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np
from bpy.props import FloatProperty

from ...authoring.conditions import Explained, locked
from ...core.model.pose import Array
from ...core.shapes.inertia import Solid, inertia_at, principal_axes
from ...properties.body import body_data, motion_from_core, motion_of
from ...properties.collider import body_solid, children_of
from ...properties.mesh_points import MeshReader

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems


def no_selected_body(context: bpy.types.Context) -> str | None:
    """Return why no selected body can be changed."""
    bodies = [obj for obj in context.selected_objects if motion_of(obj) is not None]
    if not bodies:
        return "No physics body is selected"
    reasons = [locked(body) for body in bodies]
    return reasons[0] if all(reasons) else None


class OMI_OT_body_mass_from_density(Explained, bpy.types.Operator):
    """Set the mass of the selected bodies to the volume of their shapes times a density"""

    bl_idname = "omi.body_mass_from_density"
    bl_label = "Mass from Density"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (no_selected_body,)

    if TYPE_CHECKING:
        density: float
    else:
        density: FloatProperty(
            name="Density",
            description="Density in kg/m³: water 1000, wood 600, steel 7850",
            default=1000.0,
            min=1e-6,
            soft_max=20000.0,
        )

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        total = 0.0
        without = []
        for body, solid in _solids(context):
            if solid is None:
                without.append(body.name)
                continue
            mass = self.density * solid.volume
            set_mass(body, mass)
            total += mass
        _report(self, without, f"{total:.4g} kg in all")
        return {"FINISHED"}


class OMI_OT_body_inertia_from_shape(Explained, bpy.types.Operator):
    """Set inertia and center of mass of the selected bodies to those of their filled shapes"""

    bl_idname = "omi.body_inertia_from_shape"
    bl_label = "Inertia from Shape"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (no_selected_body,)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        without = []
        last = ""
        for body, solid in _solids(context):
            if solid is None:
                without.append(body.name)
                continue
            moments = set_inertia(body, solid)
            last = "{:.4g}, {:.4g}, {:.4g} kg·m²".format(*moments)
        _report(self, without, last)
        return {"FINISHED"}


def set_mass(body: bpy.types.Object, mass: float) -> None:
    """Set the mass [kg] of a body where it is kept."""
    if body.rigid_body is not None:
        body.rigid_body.mass = mass
    body_data(body).mass = mass


def set_inertia(body: bpy.types.Object, solid: Solid) -> tuple[float, ...]:
    """Set inertia and centre of mass of a body from its solid; return the moments [kg·m²]."""
    motion = motion_of(body)
    assert motion is not None
    moments, rotation = principal_axes(inertia_at(solid, motion.mass))
    # The centre is in the space of the node, which the body's scale is part of.
    scale = np.array(body.matrix_world.to_scale())
    center = np.where(scale == 0.0, 0.0, solid.center / np.where(scale == 0.0, 1.0, scale))
    data = body_data(body)
    motion_type = data.motion_type
    found = replace(
        motion,
        center_of_mass=_vector(center),
        inertia_diagonal=_vector(moments),
        inertia_orientation=(*_vector(rotation[:3]), float(rotation[3])),
    )
    motion_from_core(data, found)
    data.motion_type = motion_type
    return _vector(moments)


def _solids(context: bpy.types.Context) -> Iterator[tuple[bpy.types.Object, Solid | None]]:
    """Yield the selected bodies that can be changed, with the solid of their shapes."""
    reader = MeshReader(context.evaluated_depsgraph_get())
    assert context.scene is not None
    children = children_of(context.scene.objects)
    for obj in context.selected_objects:
        if motion_of(obj) is not None and locked(obj) is None:
            yield obj, body_solid(obj, children, reader)


def _report(operator: bpy.types.Operator, without: list[str], result: str) -> None:
    if without:
        names = ", ".join(without[:5])
        operator.report({"WARNING"}, f"No collision shape with a volume: {names}")
    elif result:
        operator.report({"INFO"}, result)


def _vector(values: Array) -> tuple[float, float, float]:
    # Rounding to what Blender's properties hold keeps noise of the last bits out of files.
    x, y, z = (float(np.float32(value)) for value in values)
    return (x, y, z)


CLASSES = (OMI_OT_body_mass_from_density, OMI_OT_body_inertia_from_shape)
