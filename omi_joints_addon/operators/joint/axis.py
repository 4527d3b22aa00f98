"""Which way a joint turns or moves: choosing it, at creation and afterwards."""

import bpy
from mathutils import Matrix, Vector

from ... import authoring
from ...authoring.conditions import (
    Explained,
    editable_joints,
    no_selected_joint,
    not_object_mode,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import meaning
from ...core.findings.sentence import Sentence
from ...core.meaning.presets import Preset
from ...core.meaning.sides import End
from ...declared import BoolProperty, EnumProperty
from ...properties.bones import Node, object_of, world_matrix
from ...properties.joint import SettingsCycleError, shared_settings
from ...properties.joint_settings import AXES
from ...scene.structure import joint_bodies
from ...translation import refused, report


class AxisChoice:
    """Properties of an operator that choose a direction for two bodies."""

    axis = EnumProperty(
        name="Axis",
        description=(
            "Direction that the moving body turns about or moves along; ranges and "
            "velocities are positive that way"
        ),
        items=(
            (
                "AUTO",
                "Fit",
                "The direction that fits the kind of joint and the shapes of the bodies",
            ),
            *((axis, axis, f"Along {axis}") for axis in AXES),
            ("FACE", "Face", "The normal of the other body's face nearest to the pivot"),
        ),
        options={"SKIP_SAVE"},
    )
    axis_space = EnumProperty(
        name="Axis Space",
        description="Space of the axis",
        items=(
            ("GLOBAL", "Global", "World axes"),
            ("LOCAL", "Local", "Axes of the moving body"),
            ("CURSOR", "Cursor", "Axes of the 3D cursor"),
        ),
    )
    use_reverse = BoolProperty(
        name="Reverse Axis", description="Reverse the axis", options={"SKIP_SAVE"}
    )

    def direction(
        self,
        context: bpy.types.Context,
        preset: Preset,
        pair: "authoring.joints.Pair",
        pivots: "authoring.pivots.Pivots",
        place: Vector,
    ) -> Vector:
        """Return the direction in which the moving body's motion counts, in world space."""
        sign = -1.0 if self.use_reverse else 1.0
        if self.axis in AXES:
            return sign * Vector(self.space(context, pair.moving).col[AXES.index(self.axis)])
        if self.axis == "FACE":
            normal = authoring.axes.face_normal(
                pivots, object_of(pair.anchor or pair.moving), place
            )
            if normal is not None:
                return sign * normal
        anchor = None if pair.anchor is None else object_of(pair.anchor)
        return sign * authoring.axes.fitting_axis(
            preset, object_of(pair.moving), anchor, place, pivots=pivots
        )

    def space(self, context: bpy.types.Context, moving: Node) -> Matrix:
        """Return the rotation of the space in which the axis is chosen."""
        if self.axis in AXES and self.axis_space == "GLOBAL":
            return Matrix.Identity(3)
        if self.axis in AXES and self.axis_space == "CURSOR":
            return present(context.scene).cursor.matrix.to_3x3()
        return authoring.frames.rigid_matrix(world_matrix(moving)).to_3x3()

    def draw_axis(self, layout: bpy.types.UILayout) -> None:
        """Draw the choice."""
        row = layout.split(factor=0.14, align=True)
        row.use_property_split = False  # five buttons need the width
        row.label(text="Axis")
        row.row(align=True).prop(self, "axis", expand=True)
        layout.prop(self, "use_reverse")
        if self.axis in AXES:
            layout.prop(self, "axis_space")


class OMI_OT_joint_axis_set(Explained, AxisChoice, bpy.types.Operator):
    """Rotate both frames of the selected joints to turn about or move along another axis"""

    bl_idname = "omi.joint_axis_set"
    bl_label = "Set Joint Axis"
    conditions = (not_object_mode, no_selected_joint)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        present(context.view_layer).update()
        pivots = authoring.pivots.Pivots(context)
        uses = authoring.turning.Uses(present(context.blend_data))
        done = [self._turn(context, joint, pivots, uses) for joint in editable_joints(context)]
        return {"FINISHED"} if any(done) else {"CANCELLED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        self.draw_axis(layout)

    def _turn(
        self,
        context: bpy.types.Context,
        joint: bpy.types.Object,
        pivots: "authoring.pivots.Pivots",
        uses: "authoring.turning.Uses",
    ) -> bool:
        """Turn the frames of one joint; return whether that could be done."""
        problem = authoring.turning.turn_problem(joint, uses) or _axisless(joint)
        if problem is not None:
            report(self, "WARNING", problem)
            return False
        own, connected = joint_bodies(joint)
        bodies = (own, connected) if uses.moving_end(joint) == End.JOINT else (connected, own)
        pair = authoring.joints.Pair(
            bodies[0] or bodies[1] or joint, bodies[1] if bodies[0] else None
        )
        place = world_matrix(joint).translation.copy()
        preset = Preset.__members__.get(
            meaning.recognition.joint_kind(shared_settings(joint)).name, Preset.HINGE
        )
        authoring.turning.set_axis(
            context, joint, self.direction(context, preset, pair, pivots, place), uses
        )
        return True


class OMI_OT_joint_axis_reverse(Explained, bpy.types.Operator):
    """Reverse both frames of the selected joints, so that their values change sign"""

    bl_idname = "omi.joint_axis_reverse"
    bl_label = "Reverse Joint Axis"
    conditions = (not_object_mode, no_selected_joint)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        uses = authoring.turning.Uses(present(context.blend_data))
        for joint in editable_joints(context):
            problem = authoring.turning.turn_problem(joint, uses) or _axisless(joint)
            if problem is not None:
                return refused(self, "WARNING", problem)
            back = -authoring.turning.motion_axis(joint, uses)
            authoring.turning.set_axis(context, joint, back, uses)
        return {"FINISHED"}


def _axisless(joint: bpy.types.Object) -> str | None:
    """Return why a joint has no axis to turn."""
    try:
        settings = shared_settings(joint)
    except SettingsCycleError:
        return Sentence("The settings of {joint} form a loop", joint=joint.name)
    if meaning.recognition.main_axis_of(settings) is None:
        return Sentence("{joint} does not turn about or move along a single axis", joint=joint.name)
    return None
