"""Adding joints between selected bodies."""

import bpy
from mathutils import Matrix

from ... import authoring
from ...authoring.conditions import Explained, not_object_mode, selection_unfit
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.meaning.presets import PRESETS, Preset
from ...core.model.joint import JointSettings
from ...declared import BoolProperty, EnumProperty, FloatProperty, StringProperty
from ...properties.bones import BodyBone, object_of, world_matrix
from ...properties.shape import GUESS, NONE
from ...translation import refused, report, translated
from .axis import AxisChoice
from .parameters import PresetParameters

_PATTERNS = {
    "ACTIVE_PAIR": "Connects the selected body to the active one, or a single body to the world",
    "EACH_TO_ACTIVE": "Connects every selected body to the active one",
    "CHAIN": "Connects each selected body to the next, starting at the active one",
}


class OMI_OT_joint_add(Explained, PresetParameters, AxisChoice, bpy.types.Operator):
    """Connect the selected bodies to the active one. A single body is connected to the world"""

    bl_idname = "omi.joint_add"
    bl_label = "Add Physics Joint"

    pattern = EnumProperty(
        name="Pattern",
        description="Which of the selected bodies to connect",
        items=(
            ("ACTIVE_PAIR", "Active Pair", "The selected body to the active one"),
            ("EACH_TO_ACTIVE", "Each to Active", "Every selected body to the active one"),
            (
                "CHAIN",
                "Chain",
                "Each body to the next, like a rope on the active one",
            ),
        ),
        options={"SKIP_SAVE"},
    )
    chain_order = EnumProperty(
        name="Order",
        description="Order of the chain, since Blender does not keep the order of a selection",
        items=(
            (
                "NEAREST",
                "Nearest",
                "From the active body, always to the nearest remaining one",
            ),
            (
                "NAME",
                "Name",
                "From the active body by name, comparing numbers in names by value",
            ),
            ("DISTANCE", "Distance", "By distance from the active body"),
        ),
    )
    use_ring = BoolProperty(
        name="Close Ring",
        description="Also connect the last body of the chain to the first",
        options={"SKIP_SAVE"},
    )
    pivot = EnumProperty(
        name="Pivot",
        description="Where to place the joint",
        items=(
            (
                "FIT",
                "Fit",
                "Where the surfaces meet or come closest; what turns and is round, such as a "
                "wheel, turns about its own axis",
            ),
            (
                "CLOSEST",
                "Closest Points",
                "Where the surfaces of the bodies meet or come closest",
            ),
            ("CURSOR", "3D Cursor", "At the 3D cursor"),
            ("ACTIVE", "Active Origin", "At the origin of the connected body"),
            ("SELECTED", "Selected Origin", "At the origin of the moving body"),
            ("MIDPOINT", "Midpoint", "Halfway between the origins"),
        ),
    )
    share_settings = BoolProperty(
        name="Share Settings",
        description="Share the limits and drives of the first joint among all new joints",
    )
    enable_collision = BoolProperty(
        name="Bodies Collide",
        description="Let the two connected bodies collide with each other",
    )
    holder = EnumProperty(
        name="Holding Body",
        description="What an object becomes that holds another one and is not a body yet",
        items=(
            ("STATIC", "Static", "Never moves, such as the frame of a door"),
            ("DYNAMIC", "Dynamic", "Moves, such as the chassis of a car"),
        ),
        options={"SKIP_SAVE"},
    )
    shape = EnumProperty(
        name="Shapes",
        description="Collision shapes of objects that become bodies",
        items=(
            (
                GUESS,
                "Fit",
                "The shape with the least volume around the mesh; for static bodies that are "
                "hollow, the triangles of the mesh",
            ),
            ("BOX", "Box", "Box along the object's axes"),
            ("CONVEX", "Hull", "Convex hull of the mesh"),
            (NONE, "None", "No shape: nothing collides with the bodies"),
        ),
    )
    use_density = BoolProperty(
        name="Mass from Density",
        description=(
            "Set the mass of objects that become dynamic bodies from the volume of their "
            "shapes; otherwise it is 1 kg"
        ),
    )
    density = FloatProperty(
        name="Density",
        description="Density in kg/m³: water 1000, wood 600, steel 7850",
        default=1000.0,
        min=1e-6,
        soft_max=20000.0,
    )

    use_nearest = BoolProperty(
        name="To Nearest Object",
        description="Connect a single body to the object nearest to it instead of the world",
        options={"SKIP_SAVE"},
    )
    summary = StringProperty(
        name="Connected",
        description="What is connected to what",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    is_alone = BoolProperty(
        name="Single Body",
        description="Whether a single body was selected",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    conditions = (not_object_mode,)

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Return the tooltip of a button: what its kind of joint does, and between which bodies."""
        joint = PRESETS[Preset[properties.preset]].description
        return ". ".join((translated(joint), translated(_PATTERNS[properties.pattern])))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        if len(
            authoring.patterns.selected_bodies(context)
        ) > 2 and not self.properties.is_property_set("pattern"):
            self.pattern = "EACH_TO_ACTIVE"
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        # Not in poll: the redo panel asks it while the new joint is active.
        reason = selection_unfit(context)
        bodies = authoring.patterns.selected_bodies(context)
        if reason is None and self.pattern == "ACTIVE_PAIR" and len(bodies) > 2:
            reason = "Active Pair needs two selected bodies; choose another pattern"
        pairs = (
            []
            if reason
            else list(dict.fromkeys(map(authoring.patterns.resolved, self._pairs(bodies))))
        )
        reason = reason or next(
            (each for pair in pairs for each in authoring.patterns.unmovable(pair)), None
        )
        if reason is not None:
            return refused(self, "ERROR", reason)
        self.is_alone = pairs[0].anchor is None
        if self.is_alone and self.use_nearest:
            moving = object_of(pairs[0].moving)
            nearest = authoring.patterns.nearest_object(context, moving)
            pairs = [authoring.joints.Pair(pairs[0].moving, nearest)]
        self._summarize(pairs)
        authoring.selection.select_only(context, self._build(context, pairs))
        return {"FINISHED"}

    def _summarize(self, pairs: "list[authoring.joints.Pair]") -> None:
        """Keep what is connected to what, and report what easily happens by a missed Shift."""
        moving, anchor = pairs[0].moving, pairs[0].anchor
        if len(pairs) > 1:
            self.summary = translated("{count} joints", count=len(pairs))
        elif anchor is not None:
            self.summary = translated(
                "{moving} to {anchor}", moving=moving.name, anchor=anchor.name
            )
        else:
            self.summary = translated("{moving} to the world", moving=moving.name)
            report(self, "INFO", self.summary)

    def _build(
        self, context: bpy.types.Context, pairs: "list[authoring.joints.Pair]"
    ) -> list[bpy.types.Object]:
        """Return the new joints of pairs of bodies."""
        density = self.density if self.use_density else None
        bodies = authoring.bodies.BodyMaker(context, shape=self.shape, density=density)
        builder, pivots, settings = (
            authoring.joints.JointBuilder(context, bodies, holder=self.holder),
            authoring.pivots.Pivots(context),
            self.settings(authoring.frames.largest_extent(pairs[0].moving)),
        )
        joints: list[bpy.types.Object] = []
        for pair in pairs:
            joints.append(
                builder.build(
                    pair,
                    settings,
                    frame=self._frame(context, pair, pivots, settings),
                    enable_collision=self.enable_collision,
                    source=joints[0] if joints and self.share_settings else None,
                )
            )
        return joints

    def _frame(
        self,
        context: bpy.types.Context,
        pair: "authoring.joints.Pair",
        pivots: "authoring.pivots.Pivots",
        settings: JointSettings,
    ) -> Matrix:
        """Return the world matrix of both frames."""
        preset, is_fitted = Preset[self.preset], self.pivot == "FIT"
        kind = "CLOSEST" if is_fitted else self.pivot
        moving, anchor = object_of(pair.moving), object_of(pair.anchor or pair.moving)
        is_bone = is_fitted and isinstance(pair.moving, BodyBone)
        # A bone turns about its head.
        head = world_matrix(pair.moving).translation
        place = head if is_bone else pivots.pivot(kind, moving, anchor)
        way = self.direction(context, preset, pair, pivots, place)
        if is_fitted and not is_bone:
            place = authoring.pivots.fitted_pivot(pivots, preset, moving, place, way)
        return authoring.joints.joint_frame(
            settings, place, way, space=self.space(context, pair.moving)
        )

    def _pairs(self, bodies: list[bpy.types.Object]) -> "list[authoring.joints.Pair]":
        """Return which bodies to connect; `bodies` starts with the active one."""
        if self.pattern == "CHAIN":
            return authoring.patterns.chain(bodies, order=self.chain_order, is_ring=self.use_ring)
        return authoring.patterns.star(bodies)

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        layout.label(text=self.summary, icon="WORLD" if self.is_alone else "LINKED")
        if self.is_alone:
            layout.prop(self, "use_nearest")
        layout.prop(self, "preset")
        layout.prop(self, "pattern")
        if self.pattern == "CHAIN":
            layout.prop(self, "chain_order")
            layout.prop(self, "use_ring")
        if self.pattern != "ACTIVE_PAIR":
            layout.prop(self, "share_settings")
        if PRESETS[Preset[self.preset]].axis is not None:
            self.draw_axis(layout)
        layout.prop(self, "pivot")
        layout.prop(self, "enable_collision")
        if not self.is_alone:
            layout.row(align=True).prop(self, "holder", expand=True)
        layout.row(align=True).prop(self, "shape", expand=True)
        layout.prop(self, "use_density")
        if self.use_density:
            layout.prop(self, "density")
        else:
            layout.label(text="New bodies weigh 1 kg")
        self.draw_parameters(layout)
