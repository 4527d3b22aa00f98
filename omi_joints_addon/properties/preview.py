"""Options of the preview, `WindowManager.omi_preview`: no part of a file, no undo steps."""

from typing import Any

import bpy

from ..core.meaning.sides import End
from ..core.solver import STEP
from ..declared import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
)
from .pose import OMI_PG_pose, OMI_PG_position

VALUES = ("along_x", "along_y", "along_z", "about_x", "about_y", "about_z")
"""Names of the properties that hold the values of `core.meaning.freedom`."""


def _value(name: str) -> float:
    """Return the property of one degree of freedom."""
    is_linear, number = name.startswith("along"), VALUES.index(name)
    axis = name[-1].upper()

    def get(options: "OMI_PG_preview") -> float:
        row = _row(options, number)
        return 0.0 if row is None else row.position - row.zero

    def set_(options: "OMI_PG_preview", value: float) -> None:
        row = _row(options, number)
        if row is not None:
            row.set_position(value + row.zero)

    return FloatProperty(
        name=f"{'Along' if is_linear else 'About'} {axis}",
        description=f"Position of the moved body {'along' if is_linear else 'about'} "
        f"the {axis} axis of the joint, from where the two frames coincide",
        subtype="DISTANCE" if is_linear else "ANGLE",
        soft_min=-1.0 if is_linear else -3.1416,
        soft_max=1.0 if is_linear else 3.1416,
        step=10 if is_linear else 100,
        get=get,
        set=set_,
        options={"SKIP_SAVE"},
    )


def _row(options: "OMI_PG_preview", number: int) -> OMI_PG_position | None:
    """Return the row of a value of the joint that the preview was started with."""
    manager: Any = options.id_data
    pose: OMI_PG_pose = manager.omi_pose
    return pose.rows_of(pose.joint).get(number)


class OMI_PG_preview(bpy.types.PropertyGroup):
    """Options of the preview of joints."""

    along_x = _value("along_x")
    along_y = _value("along_y")
    along_z = _value("along_z")
    about_x = _value("about_x")
    about_y = _value("about_y")
    about_z = _value("about_z")
    moves = EnumProperty(
        name="Moving Side",
        description="Body to move with everything attached to it; the other one stays in place",
        items=(
            (
                "AUTO",
                "Automatic",
                "The side that nothing static holds; else the side away from the root, or "
                "with fewer bodies",
            ),
            ("JOINT", "Joint's Body", "The body that the joint is on"),
            ("CONNECTED", "Connected Body", "The body that the joint is connected to"),
        ),
    )
    past_limits = BoolProperty(
        name="Beyond Limits",
        description="Allow moving the body beyond the limits of the joint",
    )
    span = FloatProperty(
        name="Span",
        description="Extent of a sweep along axes without bounds",
        default=0.5,
        min=0.0,
        subtype="DISTANCE",
    )
    scope = EnumProperty(
        name="Simulate",
        description="Bodies to simulate",
        items=(
            ("ALL", "All", "Every dynamic body of the scene"),
            ("SELECTED", "Selected", "Selected bodies and those connected to them by joints"),
        ),
    )
    hold_root = BoolProperty(
        name="Hold Root",
        description=(
            "Hold one body of each group that nothing holds, such as the base of a robot, so "
            "that the group does not fall out of view"
        ),
    )
    rigid_locks = BoolProperty(
        name="Rigid Locks",
        description=(
            "Treat finite stiffness on locked axes as rigid; some files use it as a unitless "
            "softness and fall apart when it is read in newtons per meter"
        ),
    )
    substeps = IntProperty(
        name="Substeps",
        description=(
            "Steps of the simulation in each frame; 0 uses as many as accuracy requires, "
            f"{round(1.0 / STEP)} per second"
        ),
        min=0,
        soft_max=64,
    )
    use_timeline = BoolProperty(
        name="Follow Timeline",
        description=(
            "Simulate with the timeline, frame by frame, from the frame where it begins: "
            "playback, steps and jumps go on, and what was simulated is shown again"
        ),
    )
    contacts = BoolProperty(
        name="Contacts",
        description="Let bodies with colliders touch: rest on, push and rub each other",
        default=True,
    )
    floor = EnumProperty(
        name="Floor",
        description=(
            "Add a floor at the height of the grid, or of the lowest collider below, for this "
            "simulation only; it is not part of the scene"
        ),
        items=(
            ("AUTO", "Automatic", "A floor where gravity pulls down and nothing could hold"),
            ("ON", "On", "A floor"),
            ("OFF", "Off", "No floor"),
        ),
    )
    show_forces = BoolProperty(
        name="Forces",
        description=(
            "Draw the force that each joint exerts on its connected body, and where bodies "
            "touch with which force; red where they overlap by more than 1 mm"
        ),
    )

    def wants_floor(self) -> bool | None:
        """Return whether there is to be a floor, None where nothing else could hold bodies."""
        if self.floor == "AUTO":
            # What is held does not fall.
            return False if self.hold_root else None
        return self.floor == "ON"

    def end(self) -> End | None:
        """Return the end of a joint that moves, None for the one that fits."""
        return None if self.moves == "AUTO" else End[self.moves]


def preview_options(context: bpy.types.Context) -> OMI_PG_preview:
    """Return the options of the preview."""
    options: OMI_PG_preview = context.window_manager.omi_preview  # type: ignore[union-attr]
    return options
