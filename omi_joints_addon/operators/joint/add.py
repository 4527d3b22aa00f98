"""Adding joints between selected bodies."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty
from mathutils import Matrix, Vector

from ...authoring.axes import face_normal, fitting_axis
from ...authoring.conditions import Explained, not_object_mode, selection_unfit
from ...authoring.context import present
from ...authoring.frames import rigid_matrix
from ...authoring.joints import JointBuilder, Pair, joint_frame
from ...authoring.patterns import chain, resolved, selected_bodies, star, unmovable
from ...authoring.pivots import Pivots
from ...authoring.selection import select_only
from ...core.meaning.presets import PRESETS, Preset
from ...core.model.joint import JointSettings
from ...properties.joint import AXES
from .parameters import PresetParameters

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

AXIS_ITEMS = (
    ("AUTO", "Fitting", "The direction that fits the kind of joint and the shapes of the bodies"),
    *((axis, axis, f"Along {axis}") for axis in AXES),
    ("FACE", "Face", "The normal of the other body's face nearest to the pivot"),
)
AXIS_SPACES = (
    ("GLOBAL", "Global", "World axes"),
    ("LOCAL", "Local", "Axes of the moving body"),
    ("CURSOR", "Cursor", "Axes of the 3D cursor"),
)


class OMI_OT_joint_add(Explained, PresetParameters, bpy.types.Operator):
    """Joint the selected bodies to the active one. A single body is held in the world"""

    bl_idname = "omi.joint_add"
    bl_label = "Add Physics Joint"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        pattern: str
        chain_order: str
        use_ring: bool
        axis: str
        axis_space: str
        use_reverse: bool
        pivot: str
        share_settings: bool
        enable_collision: bool
    else:
        pattern: EnumProperty(
            name="Pattern",
            description="Which of the selected bodies are jointed",
            items=(
                ("ACTIVE_PAIR", "Active Pair", "The selected body to the active one"),
                ("EACH_TO_ACTIVE", "Each to Active", "Every selected body to the active one"),
                (
                    "CHAIN",
                    "Chain",
                    "Each body to the next, like a rope that hangs from the active one",
                ),
            ),
            options={"SKIP_SAVE"},
        )
        chain_order: EnumProperty(
            name="Order",
            description="Order of the chain: Blender does not keep the order of a selection",
            items=(
                (
                    "NEAREST",
                    "Nearest",
                    "From the active body on, always to the nearest one that is left",
                ),
                (
                    "NAME",
                    "Name",
                    "From the active body on by name, numbers in names by their value",
                ),
                ("DISTANCE", "Distance", "By the distance from the active body"),
            ),
        )
        use_ring: BoolProperty(
            name="Close Ring",
            description="Joint the first body of the chain to the last as well",
            options={"SKIP_SAVE"},
        )
        axis: EnumProperty(
            name="Axis",
            description="Direction that the moving body turns about or moves along: ranges and "
            "velocities count that way",
            items=AXIS_ITEMS,
            options={"SKIP_SAVE"},
        )
        axis_space: EnumProperty(
            name="Axis Space", description="Space of the axis", items=AXIS_SPACES
        )
        use_reverse: BoolProperty(
            name="Reverse Axis", description="Turn the axis round", options={"SKIP_SAVE"}
        )
        pivot: EnumProperty(
            name="Pivot",
            description="Where the joint sits",
            items=(
                (
                    "CLOSEST",
                    "Closest Points",
                    "Where the surfaces of the bodies meet or come closest",
                ),
                ("CURSOR", "3D Cursor", "At the 3D cursor"),
                ("ACTIVE", "Active Origin", "At the origin of the body that is connected to"),
                ("SELECTED", "Selected Origin", "At the origin of the moving body"),
                ("MIDPOINT", "Midpoint", "Halfway between the origins"),
            ),
        )
        share_settings: BoolProperty(
            name="Share Settings",
            description="Let all new joints use the limits and drives of the first one",
        )
        enable_collision: BoolProperty(
            name="Bodies Collide", description="Let the two jointed bodies collide with each other"
        )

    conditions = (not_object_mode,)

    def invoke(
        self, context: bpy.types.Context, _event: bpy.types.Event
    ) -> "set[OperatorReturnItems]":
        if len(selected_bodies(context)) > 2 and not self.properties.is_property_set("pattern"):
            self.pattern = "EACH_TO_ACTIVE"
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        # Not in poll: the redo panel asks it while the new joint is active.
        reason = selection_unfit(context)
        bodies = selected_bodies(context)
        if reason is None and self.pattern == "ACTIVE_PAIR" and len(bodies) > 2:
            reason = "Active Pair needs two selected bodies; choose another pattern"
        pairs = [] if reason else list(dict.fromkeys(map(resolved, self._pairs(bodies))))
        reason = reason or next((each for pair in pairs for each in unmovable(pair)), None)
        if reason is not None:
            self.report({"ERROR"}, reason)
            return {"CANCELLED"}
        select_only(context, self._build(context, pairs))
        return {"FINISHED"}

    def _build(self, context: bpy.types.Context, pairs: list[Pair]) -> list[bpy.types.Object]:
        """Return the new joints of pairs of bodies."""
        builder, placing, settings = JointBuilder(context), _Placing(context, self), self.settings()
        joints: list[bpy.types.Object] = []
        for pair in pairs:
            joints.append(
                builder.build(
                    pair,
                    settings,
                    frame=placing.frame(pair, settings),
                    enable_collision=self.enable_collision,
                    source=joints[0] if joints and self.share_settings else None,
                )
            )
        return joints

    def _pairs(self, bodies: list[bpy.types.Object]) -> list[Pair]:
        """Return which bodies to joint; `bodies` starts with the active one."""
        if self.pattern == "CHAIN":
            return chain(bodies, order=self.chain_order, is_ring=self.use_ring)
        return star(bodies)

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "preset")
        layout.prop(self, "pattern")
        if self.pattern == "CHAIN":
            layout.prop(self, "chain_order")
            layout.prop(self, "use_ring")
        if self.pattern != "ACTIVE_PAIR":
            layout.prop(self, "share_settings")
        if PRESETS[Preset[self.preset]].axis is not None:
            layout.row().prop(self, "axis", expand=True)
            layout.prop(self, "use_reverse")
        if self.axis in AXES:
            layout.prop(self, "axis_space")
        layout.prop(self, "pivot")
        layout.prop(self, "enable_collision")
        self.draw_parameters(layout)


class _Placing:
    """Finds where the frames of new joints are; one for all joints of one operation."""

    def __init__(self, context: bpy.types.Context, options: OMI_OT_joint_add) -> None:
        self._options = options
        self._cursor = present(context.scene).cursor.matrix.to_3x3()
        self._pivots = Pivots(context)

    def frame(self, pair: Pair, settings: JointSettings) -> Matrix:
        """Return the world matrix of both frames."""
        place = self._pivots.pivot(self._options.pivot, pair.moving, pair.anchor or pair.moving)
        direction = self._direction(pair, place)
        sign = -1.0 if self._options.use_reverse else 1.0
        return joint_frame(settings, place, sign * direction, space=self._space(pair))

    def _direction(self, pair: Pair, place: Vector) -> Vector:
        """Return the direction in which the moving body's motion counts."""
        axis = self._options.axis
        if axis in AXES:
            return Vector(self._space(pair).col[AXES.index(axis)])
        if axis == "FACE":
            normal = face_normal(self._pivots, pair.anchor or pair.moving, place)
            if normal is not None:
                return normal
        return fitting_axis(Preset[self._options.preset], pair.moving, pair.anchor, place)

    def _space(self, pair: Pair) -> Matrix:
        """Return the rotation of the space in which the axis was chosen."""
        if self._options.axis_space == "CURSOR":
            return self._cursor
        if self._options.axis_space == "LOCAL" or self._options.axis not in AXES:
            return rigid_matrix(pair.moving.matrix_world).to_3x3()
        return Matrix.Identity(3)


CLASSES = (OMI_OT_joint_add,)
