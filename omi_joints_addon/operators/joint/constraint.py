"""Blender's own Rigid Body Constraints to joints."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty

from ...authoring.conditions import Explained, locked, not_object_mode
from ...authoring.context import present
from ...authoring.frames import CollectionMap, display_size, new_empty, place_under, rigid_matrix
from ...core.findings.finding import Finding
from ...properties.joint import joint_data, joint_of
from ...properties.rigid_body_constraint import ConstraintJoint, constraint_joint

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

Object = bpy.types.Object


def _no_constraint(context: bpy.types.Context) -> str | None:
    """Return why there is nothing to convert."""
    if not any(obj.rigid_body_constraint for obj in context.selected_objects):
        return "No selected object has a Rigid Body Constraint"
    return None


class OMI_OT_rigid_body_constraint_convert(Explained, bpy.types.Operator):
    """Make physics joints of the selected objects' Rigid Body Constraints"""

    bl_idname = "omi.rigid_body_constraint_convert"
    bl_label = "Convert Rigid Body Constraints"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        keep_constraints: bool
    else:
        keep_constraints: BoolProperty(
            name="Keep Constraints",
            description="Leave the constraints as they are, for Blender's own simulation; "
            "otherwise they are switched off, and empties that carried them are removed",
        )

    conditions = (not_object_mode, _no_constraint)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        converter = _Converter(context)
        sources = [obj for obj in context.selected_objects if obj.rigid_body_constraint]
        joints: list[Object] = []
        for source in sources:
            joint = converter.convert(source)
            if joint is not None:
                joints.append(joint)
                if not self.keep_constraints:
                    _retire(context, source)
        for found in converter.findings:
            self.report({"WARNING"}, f"{found.place}: {found.message}")
        if joints and _has_begun(context):
            self.report(
                {"WARNING"},
                "The simulation has begun: the joints are where the bodies are now; "
                "go to its first frame before converting",
            )
        if not joints:
            return {"CANCELLED"}
        _select(context, joints)
        return {"FINISHED"}


def _has_begun(context: bpy.types.Context) -> bool:
    """Return whether bodies may have left the places in which the constraints hold them."""
    world: Any = present(context.scene).rigidbody_world
    is_running = world is not None and world.enabled
    return bool(is_running and present(context.scene).frame_current > world.point_cache.frame_start)


class _Converter:
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

    def _frame(self, source: Object, body: Object, name: str, display: str, size: float) -> Object:
        """Return a new frame below a body, where the constraint is."""
        frame = new_empty(self._context, name, display=display, size=size)
        self._collections.link(frame, body)
        place_under(frame, body, rigid_matrix(source.matrix_world))
        return frame


def _set_joint(joint: Object, connected: Object, meant: ConstraintJoint) -> None:
    data = joint_data(joint)
    data.enabled = True
    data.connected_object = connected
    data.enable_collision = meant.enable_collision
    data.settings_from_core(meant.settings)


def _retire(context: bpy.types.Context, source: Object) -> None:
    """Switch a constraint off, or remove the empty that did nothing but carry it."""
    if locked(source) is not None:
        return
    is_needed = source.type != "EMPTY" or source.rigid_body or joint_of(source)
    if is_needed or any(obj.parent == source for obj in present(context.blend_data).objects):
        constraint: Any = source.rigid_body_constraint
        constraint.enabled = False
        return
    present(context.blend_data).objects.remove(source)


def _select(context: bpy.types.Context, joints: list[Object]) -> None:
    """Select the new joints only, the first one active."""
    for obj in context.selected_objects:
        obj.select_set(False)
    shown = present(context.view_layer).objects
    for joint in joints:
        if shown.get(joint.name) == joint:
            joint.select_set(True)
    if shown.get(joints[0].name) == joints[0]:
        shown.active = joints[0]


CLASSES = (OMI_OT_rigid_body_constraint_convert,)
