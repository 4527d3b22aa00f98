"""Positions of the joints of a mechanism while it is posed, `WindowManager.omi_pose`.

They are no part of a file and have no undo steps.
"""

import bpy

from ..declared import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

_ROUNDING = 1e-6
"""Position [m or rad] below which a joint is at zero but for rounding."""


def _part(row: "OMI_PG_position") -> float:
    """Return where a position is between the ends of its range."""
    part = (row.position - row.low) / (row.high - row.low) if row.high > row.low else 0.0
    return min(max(part, 0.0), 1.0)


def _set_part(row: "OMI_PG_position", part: float) -> None:
    row.set_position(row.low + part * (row.high - row.low))


class OMI_PG_position(bpy.types.PropertyGroup):
    """One degree of freedom of a joint; its name is that of the joint, with its axis if several."""

    angle = FloatProperty(
        name="Angle",
        description="Position of the joint, counted from its author's zero",
        subtype="ANGLE",
        step=100,
        options={"SKIP_SAVE"},
    )
    distance = FloatProperty(
        name="Distance",
        description="Position of the joint, counted from where its two frames coincide",
        subtype="DISTANCE",
        step=1,
        precision=4,
        options={"SKIP_SAVE"},
    )
    joint = StringProperty(name="Joint", description="Key of the joint's object (`key_of`)")
    value = IntProperty(
        name="Value",
        description="Which of the joint's values it is: 0 to 2 along, 3 to 5 about X, Y and Z",
    )
    zero = FloatProperty(
        name="Zero", description="What the joint's author counts more than its frames show"
    )
    is_linear = BoolProperty(name="Linear", description="Whether the position is a distance")
    is_bounded = BoolProperty(name="Bounded", description="Whether limits give both ends")
    is_pinned = BoolProperty(
        name="Pin Body",
        description="Hold the body that this joint moves where it is while others are moved",
        options={"SKIP_SAVE"},
    )
    chain = StringProperty(name="Chain", description="Last body of the chain that the joint is in")
    low = FloatProperty(name="Minimum", description="Lower end of the range, in m or rad")
    high = FloatProperty(name="Maximum", description="Upper end of the range, in m or rad")
    part = FloatProperty(
        name="Part",
        description="Where the joint is between the ends of its range, from 0 to 1",
        min=0.0,
        max=1.0,
        get=_part,
        set=_set_part,
        options={"SKIP_SAVE"},
    )

    @property
    def position(self) -> float:
        """Position of the joint [m or rad]."""
        return self.distance if self.is_linear else self.angle

    def set_position(self, position: float) -> None:
        """Show a position [m or rad]."""
        name = "distance" if self.is_linear else "angle"
        setattr(self, name, 0.0 if abs(position) < _ROUNDING else position)


class OMI_PG_pose(bpy.types.PropertyGroup):
    """The mechanism that is posed."""

    positions = CollectionProperty(
        type=OMI_PG_position,
        name="Positions",
        description="Positions of the joints, a row for each degree of freedom",
        options={"SKIP_SAVE"},
    )
    active_index = IntProperty(
        name="Active Position",
        description="Number of the row that is selected",
        options={"SKIP_SAVE"},
    )
    joint = StringProperty(
        name="Joint",
        description="Key of the joint that the preview was started with (`key_of`)",
        options={"SKIP_SAVE"},
    )
    chain = StringProperty(
        name="Chain",
        description="Show only the joints of the chain that ends with this body; empty for all",
        options={"SKIP_SAVE"},
    )
    chains = CollectionProperty(
        type=bpy.types.PropertyGroup,
        name="Chains",
        description="Last bodies of the chains of the mechanism",
        options={"SKIP_SAVE"},
    )
    blend = FloatProperty(
        name="Blend",
        description="How far to go from where joints are toward the selected pose",
        subtype="FACTOR",
        default=1.0,
        min=0.0,
        max=1.0,
    )

    def rows_of(self, joint: str) -> "dict[int, OMI_PG_position]":
        """Return the rows of a joint by the numbers of their values."""
        return {row.value: row for row in self.positions if row.joint == joint}


def key_of(joint: bpy.types.Object) -> str:
    """Return what rows of positions know an object by, as long as Blender runs."""
    return str(joint.session_uid)


def pose_of(context: bpy.types.Context) -> OMI_PG_pose:
    """Return the positions of the mechanism that is posed."""
    pose: OMI_PG_pose = context.window_manager.omi_pose  # type: ignore[union-attr]
    return pose
