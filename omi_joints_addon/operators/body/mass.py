"""Mass and inertia of bodies from their collision shapes."""

from collections.abc import Iterator

import bpy

from ... import authoring
from ... import scene as scenes
from ...authoring.conditions import Explained, no_selected_body, uneditable
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import shapes
from ...core.findings.sentence import Sentence
from ...declared import FloatProperty
from ...properties.body import motion_of
from ...properties.mesh_points import MeshReader
from ...translation import report


class OMI_OT_body_mass_from_density(Explained, bpy.types.Operator):
    """Set the mass of the selected bodies from the volume of their shapes and a density"""

    bl_idname = "omi.body_mass_from_density"
    bl_label = "Mass from Density"
    conditions = (no_selected_body,)

    density = FloatProperty(
        name="Density",
        description="Density in kg/m³: water 1000, wood 600, steel 7850",
        default=1000.0,
        min=1e-6,
        soft_max=20000.0,
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        total = 0.0
        without = []
        for body, solid in _solids(context):
            if solid is None:
                without.append(body.name)
                continue
            mass = self.density * solid.volume
            authoring.bodies.set_mass(body, mass)
            total += mass
        _report(self, without, Sentence("{mass:.4g} kg in all", mass=total))
        return {"FINISHED"}


class OMI_OT_body_inertia_from_shape(Explained, bpy.types.Operator):
    """Set inertia and center of mass of the selected bodies to those of their filled shapes"""

    bl_idname = "omi.body_inertia_from_shape"
    bl_label = "Inertia from Shape"
    conditions = (no_selected_body,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        without = []
        last = ""
        for body, solid in _solids(context):
            if solid is None:
                without.append(body.name)
                continue
            moments = authoring.bodies.set_inertia(body, solid)
            last = "{:.4g}, {:.4g}, {:.4g} kg·m²".format(*moments)
        _report(self, without, last)
        return {"FINISHED"}


def _solids(
    context: bpy.types.Context,
) -> "Iterator[tuple[bpy.types.Object, shapes.inertia.Solid | None]]":
    """Yield the selected bodies that can be changed, with the solid of their shapes."""
    reader = MeshReader(context.evaluated_depsgraph_get())
    children = scenes.solids.children_of(present(context.scene).objects)
    for obj in context.selected_objects:
        if motion_of(obj) is not None and uneditable(obj) is None:
            yield obj, scenes.solids.body_solid(obj, children, reader)


def _report(operator: bpy.types.Operator, without: list[str], result: str) -> None:
    if without:
        names = ", ".join(without[:5])
        report(operator, "WARNING", "No collision shape with a volume: {names}", names=names)
    elif result:
        report(operator, "INFO", result)
