"""Blender's own Rigid Body Constraints made joints."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import bpy

from ..core.findings.finding import Finding
from ..properties.bones import world_matrix
from ..properties.joint import joint_data, joint_of
from ..properties.rigid_body_constraint import ConstraintJoint, constraint_joint
from .conditions import locked
from .context import present
from .frames import CollectionMap, display_size, new_empty, place_under, rigid_matrix

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import ObjectEmptyDrawtypeItems

Object = bpy.types.Object


class ConstraintConverter:
    """Makes joints of constraints; one for all constraints of one operation."""

    def __init__(self, context: bpy.types.Context) -> None:
        self._context = context
        self._collections = CollectionMap(context)
        self.findings: list[Finding] = []
        """Where the joints are not exactly what the constraints were."""

    def convert(self, source: Object) -> Object | None:
        """Return the joint that a constraint means, None where it does nothing."""
        meant, findings = constraint_joint(source)
        self.findings += findings
        if meant is None:
            return None
        size = display_size(meant.body)
        joint = self._frame(source, meant.body, f"{source.name} Joint", "ARROWS", size)
        connected = self._frame(
            source, meant.connected_body, f"{source.name} Connected", "PLAIN_AXES", 0.6 * size
        )
        _set_joint(joint, connected, meant)
        return joint

    def _frame(
        self,
        source: Object,
        body: Object,
        name: str,
        display: "ObjectEmptyDrawtypeItems",
        size: float,
    ) -> Object:
        """Return a new frame below a body, where the constraint is."""
        frame = new_empty(self._context, name, display=display, size=size)
        self._collections.link(frame, body)
        place_under(frame, body, rigid_matrix(world_matrix(source)))
        return frame


def _set_joint(joint: Object, connected: Object, meant: ConstraintJoint) -> None:
    data = joint_data(joint)
    data.enabled = True
    data.connect(connected)
    data.enable_collision = meant.enable_collision
    data.settings_from_core(meant.settings)
    data.attributes.from_core(meant.attributes)


def retire_constraints(context: bpy.types.Context, sources: Iterable[Object]) -> None:
    """Switch constraints off, or remove the empties that did nothing but carry them."""
    data, idle = present(context.blend_data), []
    parents = {obj.parent for obj in data.objects}
    for source in sources:
        if locked(source) is not None:
            continue
        is_needed = source.type != "EMPTY" or source.rigid_body or joint_of(source)
        if is_needed or source in parents:
            present(source.rigid_body_constraint).enabled = False
        else:
            idle.append(source)
    data.batch_remove(idle)
