"""Limits and drives of the active joint in Properties > Physics."""

import math
from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from .. import overlay
from ..authoring.conditions import shown_joint
from ..authoring.context import present
from ..core import meaning
from ..operators.joint.limits import item_operator
from ..properties.joint import shared_settings
from ..properties.joint_reading import read_joint
from ..properties.joint_settings import AXES
from ..properties.words import OTHER
from ..scene.structure import settings_of
from ..translation import translated
from .places import PhysicsTab, is_narrow, split_layout
from .rows import Rows

if TYPE_CHECKING:
    from ..properties.joint import OMI_PG_joint
    from ..properties.joint_settings import OMI_PG_joint_drive, OMI_PG_joint_limit


class SettingsPanel(PhysicsTab):
    """Panel of a list of the settings that the active joint uses."""

    bl_parent_id = "OMI_PT_joint"
    item: ClassVar[str]
    """What is listed: limit or drive."""
    if TYPE_CHECKING:
        layout: bpy.types.UILayout | None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return settings_of(shown_joint(context)) is not None

    def draw(self, context: bpy.types.Context) -> None:
        joint = shown_joint(context)
        settings = settings_of(joint)
        if joint is None or settings is None:
            return
        layout = split_layout(self, context)
        items = getattr(settings, f"{self.item}s")
        if items:
            _draw_list(layout.row(), settings, self.item)
            index = min(getattr(settings, f"active_{self.item}"), len(items) - 1)
            self.draw_active(layout, items[index])
        else:
            text = {"limit": "Add Limit", "drive": "Add Drive"}[self.item]
            layout.operator(item_operator(self.item, "add"), text=text, icon="ADD")
        self.draw_joint(layout, joint)

    def draw_active(self, layout: bpy.types.UILayout, item: Any) -> None:
        """Draw the values of the active item."""
        raise NotImplementedError

    def draw_joint(self, layout: bpy.types.UILayout, joint: bpy.types.Object) -> None:
        """Draw what concerns the joint as a whole."""


class LimitsPanel(SettingsPanel):
    """Limits of the active joint."""

    bl_label = "Limits"
    item = "limit"

    def draw_joint(self, layout: bpy.types.UILayout, joint: bpy.types.Object) -> None:
        if text := authored_text(joint):
            layout.label(text=text, icon="FILE")

    def draw_active(self, layout: bpy.types.UILayout, item: "OMI_PG_joint_limit") -> None:
        for axes in ("linear_axes", "angular_axes"):
            name = axes.title().replace("_", " ")
            if layout.use_property_split:
                row = layout.row(align=True, heading=name)
            else:
                layout.label(text=name)
                row = layout.row(align=True)
            for index, letter in enumerate(AXES):
                row.prop(item, axes, index=index, text=letter, toggle=True)
        for end, heading in (("min", "Minimum"), ("max", "Maximum")):
            _draw_optional(layout, item, f"use_{end}", shown_bound(item, end), heading=heading)
        unit = _units(any(item.linear_axes), any(item.angular_axes))
        _draw_measured(layout, item, "stiffness", unit, use="use_stiffness")
        damping = layout.row()
        damping.active = item.use_stiffness
        _draw_measured(damping, item, "damping", _damping_unit(unit))


class DrivesPanel(SettingsPanel):
    """Drives of the active joint."""

    bl_label = "Drives"
    item = "drive"

    def draw_active(self, layout: bpy.types.UILayout, item: "OMI_PG_joint_drive") -> None:
        for name in ("type", "mode"):
            layout.prop(item, name)
            if getattr(item, name) == OTHER:
                layout.prop(item, f"other_{name}")
        layout.row().prop(item, "axis", expand=True)
        shown = {"LINEAR": "_distance", "ANGULAR": "_angle"}.get(item.type, "")
        unit = _units(item.type == "LINEAR", item.type == "ANGULAR")
        is_acceleration = item.mode == "ACCELERATION"
        stiffness = "1/s²" if is_acceleration else unit
        damping = "1/s" if is_acceleration else _damping_unit(unit)
        for target, heading, factor, factor_unit in (
            ("position_target", "Position", "stiffness", stiffness),
            ("velocity_target", "Velocity /s", "damping", damping),
        ):
            _draw_optional(layout, item, f"use_{target}", f"{target}{shown}", heading=heading)
            row = layout.row()
            # Damping brakes a spring without velocity target as well.
            row.active = item.use_position_target or getattr(item, f"use_{target}")
            _draw_measured(row, item, factor, factor_unit)
        force = {"LINEAR": "N", "ANGULAR": "N·m"}.get(item.type, "")
        _draw_measured(layout, item, "max_force", force, use="use_max_force")


class OMI_UL_joint_limits(Rows, bpy.types.UIList):
    """Limits with their axes and bounds"""

    def draw_row(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, item: Any, index: int
    ) -> None:
        is_mixed = any(item.linear_axes) and any(item.angular_axes)
        if is_narrow(context) or is_mixed:
            locked = item.to_core().is_locked
            layout.label(text=limit_title(item), icon="LOCKED" if locked else "UNLOCKED")
            return
        split = layout.split(factor=0.35)
        split.label(text=limit_title(item))
        row = split.row(align=True)
        if item.to_core().is_locked or not (item.use_min or item.use_max):
            text = bounds_text(item, present(context.scene).unit_settings)
            row.label(text=text, icon="LOCKED" if item.use_min else "UNLOCKED")
        else:
            draw_bounds(row, item)
        if item.use_stiffness:
            row.label(text="", icon="FORCE_HARMONIC")


class OMI_UL_joint_drives(Rows, bpy.types.UIList):
    """Drives with their axis and what they do"""

    def draw_row(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, item: Any, index: int
    ) -> None:
        kind = item.other_type if item.type == OTHER else item.type.title()
        layout.label(text=f"{kind} {item.axis}")
        layout.label(text=_TARGETS[item.use_position_target, item.use_velocity_target])


_TARGETS = {
    (False, False): "No Target",
    (True, False): "Spring",
    (False, True): "Motor",
    (True, True): "Spring and Motor",
}
"""What a drive does by whether it has a position and a velocity target."""


def _draw_list(row: bpy.types.UILayout, settings: "OMI_PG_joint", item: str) -> None:
    """Draw the list of limits or drives beside the buttons that add, remove, copy and move."""
    lists, row.use_property_split = f"{item}s", False
    name, active = f"OMI_UL_joint_{lists}", f"active_{item}"
    row.template_list(name, "", settings, lists, settings, active, rows=4)
    column = row.column(align=True)
    column.operator(item_operator(item, "add"), text="", icon="ADD")
    column.operator(item_operator(item, "remove"), text="", icon="REMOVE")
    column.operator(item_operator(item, "duplicate"), text="", icon="DUPLICATE")
    column.separator()
    move = item_operator(item, "move")
    column.operator(move, text="", icon="TRIA_UP").direction = "UP"
    column.operator(move, text="", icon="TRIA_DOWN").direction = "DOWN"


def _with_unit(name: str, unit: str) -> str:
    """Return a label and the unit of its number, which is the same in all languages."""
    return f"{translated(name)} {unit}".rstrip()


def _units(is_linear: bool, is_angular: bool) -> str:
    """Return the unit of the stiffness of an axis."""
    if is_linear == is_angular:
        return ""
    return "N/m" if is_linear else "N·m/rad"


def _damping_unit(stiffness: str) -> str:
    """Return the unit of the damping of an axis whose stiffness has a unit."""
    return {"N/m": "N·s/m", "N·m/rad": "N·m·s/rad"}.get(stiffness, "")


def _draw_measured(
    layout: bpy.types.UILayout,
    data: bpy.types.PropertyGroup,
    value: str,
    unit: str,
    *,
    use: str = "",
) -> None:
    """Draw a number with its unit, which needs the whole width, behind the check box of `use`."""
    row = layout.row(align=True)
    row.use_property_split = False
    if use:
        row.prop(data, use, text="")
    cell = row.row()
    cell.active = not use or getattr(data, use)
    cell.prop(data, value, text=_with_unit(data.bl_rna.properties[value].name, unit))
    row.prop_decorator(data, value)


def _draw_optional(
    layout: bpy.types.UILayout, data: bpy.types.PropertyGroup, use: str, value: str, *, heading: str
) -> None:
    """Draw a number that a check box turns on."""
    row = layout.row(align=True, heading=heading)
    row.prop(data, use, text="")
    cell = row.row()
    cell.active = getattr(data, use)
    cell.prop(data, value, text="" if layout.use_property_split else heading)
    row.prop_decorator(data, value)


def draw_bounds(row: bpy.types.UILayout, limit: "OMI_PG_joint_limit") -> None:
    """Draw minimum and maximum of a limit in the unit of its axes."""
    for end in ("min", "max"):
        cell = row.row(align=True)
        cell.active = getattr(limit, f"use_{end}")
        cell.prop(limit, shown_bound(limit, end), text="")


def shown_bound(limit: "OMI_PG_joint_limit", end: str) -> str:
    """Return the property that shows a bound in the unit of the limit's axes."""
    linear, angular = any(limit.linear_axes), any(limit.angular_axes)
    if linear == angular:
        return end
    return f"{end}_distance" if linear else f"{end}_angle"


def bounds_text(limit: "OMI_PG_joint_limit", units: bpy.types.UnitSettings) -> str:
    """Return where a limit without a range holds its axes, in a word that fits a list."""
    if not (limit.use_min and limit.use_max):
        return translated("Free")
    if limit.min == 0.0:
        return translated("Locked")
    linear, angular = any(limit.linear_axes), any(limit.angular_axes)
    if linear == angular:
        return translated("At {low}", low=f"{limit.min:.4g}")
    low = overlay.labels.number_text(limit.min, units, is_angle=angular)
    return translated("At {low}", low=low)


def authored_text(joint: bpy.types.Object) -> str:
    """Return the range of a hinge in files that count from another zero; empty for others."""
    read = read_joint(joint)
    if read is None:
        return ""
    low, high = meaning.authored.authored_range(shared_settings(joint), read.values.attributes)
    if math.isinf(high - low):
        return ""
    bounds = (f"{math.degrees(bound):.4g}°" for bound in (low, high))
    return translated(
        "In files: {low} to {high}", **dict(zip(("low", "high"), bounds, strict=True))
    )


def limit_title(limit: "OMI_PG_joint_limit") -> str:
    """Return the axes of a limit in a word that fits a list: Rot Z, Pos XYZ."""
    parts = [
        f"{label} {''.join(axis for axis, used in zip(AXES, flags, strict=True) if used)}"
        for label, flags in (("Pos", limit.linear_axes), ("Rot", limit.angular_axes))
        if any(flags)
    ]
    return " ".join(parts) or "No Axes"


class OMI_PT_joint_limits(LimitsPanel, bpy.types.Panel):
    """Limits of the active joint"""


class OMI_PT_joint_drives(DrivesPanel, bpy.types.Panel):
    """Drives of the active joint"""


CLASSES = (
    OMI_UL_joint_limits,
    OMI_UL_joint_drives,
    OMI_PT_joint_limits,
    OMI_PT_joint_drives,
)
