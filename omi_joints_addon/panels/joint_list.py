"""The list of the joints of a scene in the sidebar; where that is wide, they are edited in it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from ..authoring.context import present
from ..core.findings.finding import Severity
from ..core.meaning.presets import settings_label
from ..operators.joint.table import OMI_OT_joint_table
from ..properties.joint import joint_data
from ..scene.findings import joint_findings
from ..scene.structure import settings_of
from ..scene.watch import shown_scene
from .joint import draw_joint_button
from .joint_settings import limit_title, shown_bound
from .joint_tools import Sidebar
from .messages import SEVERITY_ICONS
from .rows import Rows

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

    from ..properties.joint import OMI_PG_joint
    from ..properties.joint_settings import OMI_PG_joint_limit

WIDE = 480.0
"""Width from which on the list in the sidebar is a table [pixels at interface scale 1]."""


class OMI_PT_joint_list(Sidebar, bpy.types.Panel):
    """All joints of the scene"""

    bl_label = "Joints in Scene"
    bl_order = 20

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator(OMI_OT_joint_table.bl_idname, text="", icon="SPREADSHEET", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.template_list(
            "OMI_UL_joints",
            "",
            context.scene,
            "objects",
            context.window_manager,
            "omi_joint_row",
            rows=3,
        )


class JointFilter:
    """Shows the objects of a scene that are joints and whose name is searched for."""

    def filter_items(
        self,
        context: bpy.types.Context,
        data: Any,
        property: Any,  # noqa: A002
    ) -> Any:
        """Return which objects are joints whose name holds the text searched for, and an order."""
        options: Any = self
        live, shown = shown_scene(data), options.bitflag_filter_item
        # Blender inverts afterwards, which must not show what is no joint.
        other = shown if options.use_filter_invert else 0
        flags = [other] * len(live.objects)
        helpers: Any = bpy.types.UI_UL_list
        joints, objects = live.ends.joints.tolist(), getattr(data, property)
        if options.filter_name:
            matches = helpers.filter_items_by_name(options.filter_name, shown, objects, "name")
            for node in joints:
                flags[node] = matches[node]
        else:
            for node in joints:
                flags[node] = shown - other
        is_sorted = options.use_filter_sort_alpha
        return flags, helpers.sort_items_by_name(objects, "name") if is_sorted else []


class OMI_UL_joints(JointFilter, Rows, bpy.types.UIList):
    """Joints of a scene; a click selects one"""

    def draw_row(self, context: bpy.types.Context, layout: bpy.types.UILayout, item: Any) -> None:
        is_wide = _width(context) > WIDE
        split = layout.split(factor=0.3 if is_wide else 0.5)
        name = split.row()
        name.alignment = "LEFT"
        draw_joint_button(name, item, short_name(item), icon=state_icon(item, context))
        settings = settings_of(item)
        rest = split.split(factor=0.25) if is_wide else split
        kind = rest.row()
        kind.label(text=settings_label(settings.settings_to_core()) if settings else "")
        if joint_data(item).settings_source is not None:
            kind.label(text="", icon="LINKED")
        if is_wide and settings is not None:
            draw_ranges(rest, settings)


def draw_ranges(layout: bpy.types.UILayout, settings: "OMI_PG_joint") -> None:
    """Draw the first limit that leaves room, and the target of the first drive."""
    row = layout.row(align=True)
    for limit in _ranges(settings):
        row.label(text=limit_title(limit))
        for end in ("min", "max"):
            cell = row.row(align=True)
            cell.active = getattr(limit, f"use_{end}")
            cell.prop(limit, shown_bound(limit, end), text="")
        break
    for drive in list(settings.drives)[:1]:
        unit = {"LINEAR": "_distance", "ANGULAR": "_angle"}.get(drive.type, "")
        name = "position_target" if drive.use_position_target else "velocity_target"
        row.prop(drive, f"{name}{unit}", text="Target" if "position" in name else "Speed")


def _ranges(settings: "OMI_PG_joint") -> "Iterator[OMI_PG_joint_limit]":
    """Yield the limits that leave room."""
    return (each for each in settings.limits if not each.to_core().is_locked)


def _width(context: bpy.types.Context) -> float:
    """Return the width of the region at interface scale 1 [pixels]."""
    if context.region is None or context.preferences is None:
        return 0.0
    return context.region.width / context.preferences.system.ui_scale


def short_name(joint: bpy.types.Object) -> str:
    """Return a joint's name without the word that all joints have."""
    return joint.name.removesuffix(" Joint") or joint.name


def state_icon(joint: bpy.types.Object, context: bpy.types.Context) -> "IconItems":
    """Return the icon of the gravest finding about a joint, else whether it is selected."""
    grave = {item.severity for item in joint_findings(joint, present(context.scene))}
    for severity in (Severity.ERROR, Severity.WARNING):
        if severity in grave:
            return SEVERITY_ICONS[severity]
    if joint.select_get():
        return "RADIOBUT_ON" if joint == context.object else "RADIOBUT_OFF"
    return "EMPTY_AXIS"


def attach() -> None:
    """Add the row number that Blender's lists need."""
    manager: Any = bpy.types.WindowManager
    properties: Any = bpy.props
    manager.omi_joint_row = properties.IntProperty(
        name="Joint Row", description="Row of the list of joints", options={"HIDDEN", "SKIP_SAVE"}
    )


def detach() -> None:
    """Remove what `attach` added."""
    manager: Any = bpy.types.WindowManager
    if hasattr(manager, "omi_joint_row"):
        del manager.omi_joint_row


CLASSES = (OMI_UL_joints, OMI_PT_joint_list)
