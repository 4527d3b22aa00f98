"""Limits and drives of a joint: their lists, and the values of the active one."""

import math
from collections.abc import Callable
from typing import Any

import bpy
from bpy.types import Context, Object, UILayout

from .. import overlay
from ..authoring.context import present
from ..core import meaning
from ..properties.joint import OMI_PG_joint, shared_settings
from ..properties.joint_reading import read_joint
from ..properties.joint_settings import AXES, OMI_PG_joint_drive, OMI_PG_joint_limit
from ..properties.words import OTHER
from ..scene.structure import settings_of
from ..translation import translated
from .places import draw_choice, is_narrow, section
from .rows import Rows

SUFFIXES = {"LINEAR": "_distance", "ANGULAR": "_angle"}
"""Ends of the names of properties that show a number in the unit of what it acts on."""
_UNITS = {"LINEAR": ("N/m", "N·s/m", "N"), "ANGULAR": ("N·m/rad", "N·m·s/rad", "N·m")}
"""Units of stiffness, damping and force, by what these act on."""
_NO_UNITS = ("", "", "")


def draw_settings(layout: UILayout, joint: Object) -> None:
    """Draw the limits and the drives that a joint uses, each below a heading."""
    if (used := settings_of(joint)) is not None:
        limits, drives = (joint, used, "limit", _draw_limit), (joint, used, "drive", _draw_drive)
        section(layout, _draw_items, *limits, text="Limits", is_closed=False)
        section(layout, _draw_items, *drives, text="Drives", is_closed=False)


def _draw_items(
    layout: UILayout,
    joint: Object,
    settings: OMI_PG_joint,
    item: str,
    draw: Callable[[UILayout, Any], None],
) -> None:
    """Draw the list of limits or drives and the active one; without any, the button that adds."""
    items = getattr(settings, f"{item}s")
    if items:
        _draw_list(layout.row(), settings, item)
        draw(layout, items[min(getattr(settings, f"active_{item}"), len(items) - 1)])
    else:
        text = {"limit": "Add Limit", "drive": "Add Drive"}[item]
        layout.operator(f"omi.joint_{item}_add", text=text, icon="ADD")
    if item == "limit" and (text := authored_text(joint)):
        layout.label(text=text, icon="FILE")


def _draw_limit(layout: UILayout, item: OMI_PG_joint_limit) -> None:
    """Draw the values of a limit."""
    for axes in ("linear_axes", "angular_axes"):
        name = axes.title().replace("_", " ")
        if not layout.use_property_split:
            layout.label(text=name)
        row = layout.row(align=True, heading=name if layout.use_property_split else "")
        for index, letter in enumerate(AXES):
            row.prop(item, axes, index=index, text=letter, toggle=True)
    names = ("Minimum", "Maximum") if layout.use_property_split else ("Min", "Max")
    for end, heading in zip(("min", "max"), names, strict=True):
        _draw_optional(layout, item, f"use_{end}", shown_bound(item, end), heading=heading)
    stiffness, damping, _force = _UNITS.get(_direction(item), _NO_UNITS)
    _draw_measured(layout, item, "stiffness", stiffness, use="use_stiffness")
    column = layout.column()
    column.active = item.use_stiffness
    _draw_measured(column, item, "damping", damping)


def _draw_drive(layout: UILayout, item: OMI_PG_joint_drive) -> None:
    """Draw the values of a drive."""
    draw_choice(layout, item, "type")
    draw_choice(layout, item, "mode")
    layout.row().prop(item, "axis", expand=True)
    shown = SUFFIXES.get(item.type, "")
    stiffness, damping, force = _UNITS.get(item.type, _NO_UNITS)
    if item.mode == "ACCELERATION":
        stiffness, damping = "1/s²", "1/s"
    for target, heading, factor, factor_unit in (
        ("position_target", "Position", "stiffness", stiffness),
        ("velocity_target", "Velocity /s", "damping", damping),
    ):
        _draw_optional(layout, item, f"use_{target}", f"{target}{shown}", heading=heading)
        column = layout.column()
        # Damping brakes a spring without velocity target as well.
        column.active = item.use_position_target or getattr(item, f"use_{target}")
        _draw_measured(column, item, factor, factor_unit)
    _draw_measured(layout, item, "max_force", force, use="use_max_force")


class OMI_UL_joint_limits(Rows, bpy.types.UIList):
    """Limits with their axes and bounds"""

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
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

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
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


def _draw_list(row: UILayout, settings: OMI_PG_joint, item: str) -> None:
    """Draw the list of limits or drives beside the buttons that add, remove, copy and move."""
    lists, row.use_property_split = f"{item}s", False
    name, active = f"OMI_UL_joint_{lists}", f"active_{item}"
    row.template_list(name, "", settings, lists, settings, active, rows=4)
    column = row.column(align=True)
    column.operator(f"omi.joint_{item}_add", text="", icon="ADD")
    column.operator(f"omi.joint_{item}_remove", text="", icon="REMOVE")
    column.operator(f"omi.joint_{item}_duplicate", text="", icon="DUPLICATE")
    column.separator()
    column.operator(f"omi.joint_{item}_move", text="", icon="TRIA_UP").direction = "UP"
    column.operator(f"omi.joint_{item}_move", text="", icon="TRIA_DOWN").direction = "DOWN"


def _direction(limit: OMI_PG_joint_limit) -> str:
    """Return whether a limit is LINEAR or ANGULAR, an empty text where it is both or neither."""
    linear, angular = any(limit.linear_axes), any(limit.angular_axes)
    if linear == angular:
        return ""
    return "LINEAR" if linear else "ANGULAR"


def _with_unit(name: str, unit: str) -> str:
    """Return a label and the unit of its number, which is the same in all languages."""
    return f"{translated(name)} {unit}".rstrip()


def _draw_measured(
    layout: UILayout, data: bpy.types.PropertyGroup, value: str, unit: str, *, use: str = ""
) -> None:
    """Draw a number with its unit, which needs the whole width, behind the check box of `use`."""
    text = _with_unit(data.bl_rna.properties[value].name, unit)
    if not layout.use_property_split:
        layout.label(text=text)
    row = layout.row(align=True)
    row.use_property_split = False
    if use:
        row.prop(data, use, text="")
    cell = row.row()
    cell.active = not use or getattr(data, use)
    cell.prop(data, value, text=text if layout.use_property_split else "")
    row.prop_decorator(data, value)


def _draw_optional(
    layout: UILayout, data: bpy.types.PropertyGroup, use: str, value: str, *, heading: str
) -> None:
    """Draw a number that a check box turns on."""
    is_wide = layout.use_property_split
    row = layout.row(align=True, heading=heading if is_wide else "")
    row.prop(data, use, text="")
    cell = row.row()
    cell.active = getattr(data, use)
    cell.prop(data, value, text="" if is_wide else heading)
    row.prop_decorator(data, value)


def draw_bounds(row: UILayout, limit: OMI_PG_joint_limit) -> None:
    """Draw minimum and maximum of a limit in the unit of its axes."""
    for end in ("min", "max"):
        cell = row.row(align=True)
        cell.active = getattr(limit, f"use_{end}")
        cell.prop(limit, shown_bound(limit, end), text="")


def shown_bound(limit: OMI_PG_joint_limit, end: str) -> str:
    """Return the property that shows a bound in the unit of the limit's axes."""
    return end + SUFFIXES.get(_direction(limit), "")


def bounds_text(limit: OMI_PG_joint_limit, units: bpy.types.UnitSettings) -> str:
    """Return where a limit without a range holds its axes, in a word that fits a list."""
    if not (limit.use_min and limit.use_max):
        return translated("Free")
    if limit.min == 0.0:
        return translated("Locked")
    direction, low = _direction(limit), f"{limit.min:.4g}"
    if direction:
        low = overlay.labels.number_text(limit.min, units, is_angle=direction == "ANGULAR")
    return translated("At {low}", low=low)


def authored_text(joint: Object) -> str:
    """Return the range of a hinge in files that count from another zero; empty for others."""
    read = read_joint(joint)
    if read is None:
        return ""
    low, high = meaning.authored.authored_range(shared_settings(joint), read.values.attributes)
    if math.isinf(high - low):
        return ""
    first, last = (f"{math.degrees(bound):.4g}°" for bound in (low, high))
    return translated("In files: {low} to {high}", low=first, high=last)


def limit_title(limit: OMI_PG_joint_limit) -> str:
    """Return the axes of a limit in a word that fits a list: Rot Z, Pos XYZ."""
    parts = [
        f"{label} {''.join(axis for axis, used in zip(AXES, flags, strict=True) if used)}"
        for label, flags in (("Pos", limit.linear_axes), ("Rot", limit.angular_axes))
        if any(flags)
    ]
    return " ".join(parts) or "No Axes"
