"""Adding joints between selected bodies."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty
from mathutils import Matrix

from ...authoring.conditions import Explained, locked, not_object_mode
from ...authoring.context import present
from ...authoring.frames import CollectionMap, display_size, new_empty, place_under, rigid_matrix
from ...authoring.pivots import Pivots
from ...core.meaning.presets import PRESETS, Preset
from ...properties.body import body_data, motion_of
from ...properties.joint import AXES, joint_data
from ...scene.structure import bodies_above
from .parameters import PresetParameters

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

Body = bpy.types.Object


@dataclass(frozen=True)
class Pair:
    """Two bodies to joint; without an anchor the joint holds the moving one in the world."""

    moving: Body
    anchor: Body | None


class JointBuilder:
    """Makes the frames of joints and the bodies' motions; one for all joints of one operation."""

    def __init__(self, context: bpy.types.Context, options: "OMI_OT_joint_add") -> None:
        self._context = context
        self._options = options
        self._collections = CollectionMap(context)
        self._pivots = Pivots(context)
        self._settings = options.settings()

    def build(self, pair: Pair, *, source: Body | None) -> Body:
        """Return a new joint, which shares the settings of `source` where that is given."""
        frame = self._frame(pair)
        anchor = pair.anchor or self._world_anchor(pair.moving, frame)
        _set_motion(pair.moving, "DYNAMIC")
        _set_motion(anchor, "STATIC")
        title = f"{pair.moving.name} to {pair.anchor.name}" if pair.anchor else pair.moving.name
        size = display_size(pair.moving)
        joint = new_empty(self._context, f"{title} Joint", display="ARROWS", size=size)
        connected = new_empty(
            self._context, f"{title} Connected", display="PLAIN_AXES", size=0.6 * size
        )
        self._link(joint, pair.moving)
        self._link(connected, pair.anchor or pair.moving)
        place_under(joint, pair.moving, frame)
        place_under(connected, anchor, frame)
        data = joint_data(joint)
        data.enabled = True
        data.connected_object = connected
        data.enable_collision = self._options.enable_collision
        data.settings_source = source
        data.settings_from_core(self._settings)
        return joint

    def _frame(self, pair: Pair) -> Matrix:
        """Return the world matrix of both frames."""
        pivot = self._pivots.pivot(self._options.pivot, pair.moving, pair.anchor or pair.moving)
        rotation = self._space(pair) @ self._turn()
        return Matrix.Translation(pivot) @ rotation.to_4x4()

    def _space(self, pair: Pair) -> Matrix:
        """Return the rotation of the space in which the axis was chosen."""
        if self._options.axis_space == "LOCAL":
            return rigid_matrix(pair.moving.matrix_world).to_3x3()
        if self._options.axis_space == "CURSOR":
            return present(self._context.scene).cursor.matrix.to_3x3()
        return Matrix.Identity(3)

    def _turn(self) -> Matrix:
        """Return the rotation of the preset's canonical axis onto the chosen one."""
        canonical = PRESETS[Preset[self._options.preset]].axis
        if canonical is None:
            return Matrix.Identity(3)
        chosen = AXES.index(self._options.axis)
        sign = -1.0 if self._options.use_reverse else 1.0
        columns = np.zeros((3, 3))
        columns[canonical, chosen] = sign
        columns[canonical - 2, chosen - 2] = 1.0
        columns[canonical - 1, chosen - 1] = sign
        return Matrix(columns.T.tolist())

    def _world_anchor(self, body: Body, frame: Matrix) -> Body:
        """Return a new empty at the joint, the static body that stands for the world."""
        anchor = new_empty(
            self._context, f"{body.name} World", display="CUBE", size=0.2 * display_size(body)
        )
        self._link(anchor, body)
        anchor.matrix_world = frame
        return anchor

    def _link(self, obj: Body, beside: Body) -> None:
        """Put a new object where `beside` is, also into a local view."""
        self._collections.link(obj, beside)
        view: Any = self._context.space_data
        if getattr(view, "local_view", None) is not None:
            obj.local_view_set(view, True)


def _selection_unfit(context: bpy.types.Context) -> str | None:
    """Return why the selection holds no bodies to joint."""
    active = context.active_object
    if active is None or not active.select_get():
        return "Select the bodies to joint, the one to connect them to last"
    if joint_data(active).enabled:
        return "The active object is a physics joint, not a body"
    return None


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
            description="Direction that the joint turns about or moves along",
            items=tuple((axis, axis, f"Along {axis}") for axis in AXES),
            default="Z",
        )
        axis_space: EnumProperty(
            name="Axis Space",
            description="Space of the axis",
            items=(
                ("GLOBAL", "Global", "World axes"),
                ("LOCAL", "Local", "Axes of the moving body"),
                ("CURSOR", "Cursor", "Axes of the 3D cursor"),
            ),
        )
        use_reverse: BoolProperty(
            name="Reverse Axis",
            description="Turn the axis round. Ranges and velocities of a joint tell how the "
            "connected body moves as seen from the moving one: with the axis reversed they tell "
            "how the moving body moves in the direction that was chosen",
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

    conditions = (not_object_mode, _selection_unfit)

    def invoke(
        self, context: bpy.types.Context, _event: bpy.types.Event
    ) -> "set[OperatorReturnItems]":
        if len(_selected_bodies(context)) > 2 and not self.properties.is_property_set("pattern"):
            self.pattern = "EACH_TO_ACTIVE"
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        bodies = _selected_bodies(context)
        if self.pattern == "ACTIVE_PAIR" and len(bodies) > 2:
            self.report({"ERROR"}, "Active Pair needs two selected bodies; choose another pattern")
            return {"CANCELLED"}
        pairs = list(dict.fromkeys(_resolved(pair) for pair in self._pairs(bodies)))
        fixed = next((reason for pair in pairs for reason in _unmovable(pair)), None)
        if fixed is not None:
            self.report({"ERROR"}, fixed)
            return {"CANCELLED"}
        builder = JointBuilder(context, self)
        joints: list[Body] = []
        for pair in pairs:
            source = joints[0] if joints and self.share_settings else None
            joints.append(builder.build(pair, source=source))
        _select(context, joints)
        return {"FINISHED"}

    def _pairs(self, bodies: list[Body]) -> list[Pair]:
        """Return which bodies to joint; `bodies` starts with the active one."""
        active, *others = bodies
        if not others:
            return [Pair(active, None)]
        if self.pattern != "CHAIN":
            return [Pair(other, active) for other in others]
        chain = [active, *_ORDERS[self.chain_order](active, others)]
        pairs = [Pair(after, before) for before, after in pairwise(chain)]
        if self.use_ring and len(chain) > 2:
            pairs.append(Pair(chain[-1], active))
        return pairs

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
        layout.prop(self, "axis_space")
        layout.prop(self, "pivot")
        layout.prop(self, "enable_collision")
        self.draw_parameters(layout)


def _selected_bodies(context: bpy.types.Context) -> list[Body]:
    """Return what is selected, the active object first, without attachment frames."""
    selected = context.selected_objects
    ends = {
        joint_data(obj).connected_object
        for obj in present(context.scene).objects
        if joint_data(obj).enabled
    }
    active = context.active_object
    others = [
        obj
        for obj in selected
        if obj != active
        and not joint_data(obj).enabled
        and (obj not in ends or obj.type != "EMPTY")
    ]
    return [active, *others] if active else others


def _resolved(pair: Pair) -> Pair:
    """Return the pair of the bodies that the selected objects belong to.

    A part of a body, an object without motion below it, stands for the body; not where both parts
    belong to the same one: then the objects are to become bodies themselves.
    """
    moving = next(bodies_above(pair.moving), pair.moving)
    anchor = next(bodies_above(pair.anchor), pair.anchor)
    return pair if moving == anchor else Pair(moving, anchor)


def _unmovable(pair: Pair) -> Iterable[str]:
    """Yield why a body of the pair cannot become one."""
    for body in (pair.moving, pair.anchor):
        if body is not None and motion_of(body) is None and (reason := locked(body)):
            yield f"{reason}: it has no motion type"


def _set_motion(body: Body, motion_type: str) -> None:
    """Make an object a body where it is none."""
    if motion_of(body) is None:
        body_data(body).motion_type = motion_type


def _select(context: bpy.types.Context, joints: list[Body]) -> None:
    """Select the new joints only, the first one active, in view layers that show them."""
    for obj in context.selected_objects:
        obj.select_set(False)
    shown = present(context.view_layer).objects
    if not all(shown.get(joint.name) == joint for joint in joints[:1]):
        return
    for joint in joints:
        joint.select_set(True)
    shown.active = joints[0]


def _by_nearest(active: Body, others: list[Body]) -> list[Body]:
    """Return the bodies in steps to the nearest one left, starting from `active`."""
    left = {obj: obj.matrix_world.translation for obj in others}
    here, order = active.matrix_world.translation, []
    while left:
        nearest = min(left, key=lambda obj: (left[obj] - here).length)
        here = left.pop(nearest)
        order.append(nearest)
    return order


def _by_name(_active: Body, others: list[Body]) -> list[Body]:
    """Return the bodies by name, "Link.2" before "Link.10"."""
    return sorted(
        others,
        key=lambda obj: [
            (not part.isdigit(), int(part) if part.isdigit() else 0, part)
            for part in re.split(r"(\d+)", obj.name)
        ],
    )


def _by_distance(active: Body, others: list[Body]) -> list[Body]:
    """Return the bodies by distance from `active`."""
    origin = active.matrix_world.translation
    return sorted(others, key=lambda obj: (obj.matrix_world.translation - origin).length)


_ORDERS = {"NEAREST": _by_nearest, "NAME": _by_name, "DISTANCE": _by_distance}

CLASSES = (OMI_OT_joint_add,)
