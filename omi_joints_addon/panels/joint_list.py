"""The list of the joints of a scene in the sidebar; where that is wide, they are edited in it."""

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.types import Context, Object, UILayout

from .. import authoring, scene
from ..authoring.context import present
from ..core.findings.finding import Severity
from ..core.meaning.presets import settings_label
from ..declared import BoolProperty
from ..operators.joint.table import columns
from ..properties.joint import OMI_PG_joint, joint_data
from ..scene.findings import joint_findings
from ..scene.structure import settings_of
from ..scene.windows import windows
from .joint import draw_joint_button
from .joint_settings import SUFFIXES, draw_bounds, limit_title
from .messages import SEVERITY_ICONS
from .places import Icon, Sidebar, region_width
from .rows import Rows

WIDE = 480.0
"""Width from which on the list in the sidebar is a table [pixels at interface scale 1]."""
MOST_LIMITS = 3
"""Limits in a row of the table; a joint can have more than the table is wide."""


class OMI_PT_joint_list(Sidebar, bpy.types.Panel):
    """All joints of the scene"""

    bl_label = "Joints in Scene"
    bl_order = 20

    def draw_header_preset(self, context: Context) -> None:
        layout = present(self.layout)
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("omi.joint_table", text="", icon="SPREADSHEET", emboss=False)

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        scene.joint_rows.LISTS.look(present(context.scene))
        manager, shown = context.window_manager, context.scene
        layout.template_list(
            "OMI_UL_joints", "", manager, "omi_joint_rows", shown, "omi_joint_row", rows=3
        )


class JointList(Rows):
    """List of the joints of the scene; what it shows is worked out between redraws."""

    is_popup = False
    """Whether the list is in a pop-up, which Blender does not draw again."""
    problems_only = BoolProperty(
        name="Problems",
        description="Only list joints with errors or warnings",
        options={"SKIP_SAVE"},
    )

    def draw_joint(self, context: Context, layout: UILayout, joint: Object) -> None:
        """Draw the row of a joint."""
        raise NotImplementedError

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
        """Draw the joint of a row."""
        joint = scene.joint_rows.LISTS.joint(present(context.scene), index)
        if joint is None:
            layout.label(text="")
        else:
            self.draw_joint(context, layout, joint)

    def draw_filter(self, context: Context, layout: UILayout) -> None:
        """Draw what is searched for, and the order."""
        column = layout.column(align=True)
        row = column.row(align=True)
        row.prop(self, "filter_name", text="", icon="VIEWZOOM")
        row.prop(self, "use_filter_invert", text="", icon="ARROW_LEFTRIGHT")
        row.prop(self, "problems_only", text="", icon="ERROR")
        row = column.row(align=True)
        row.prop(context.window_manager, "omi_joint_sort", expand=True)
        row.prop(self, "use_filter_sort_reverse", text="", icon="SORT_DESC")

    def filter_items(self, context: Context, data: Any, items: Any) -> Any:
        """Return which rows are shown; the order is ours, since Blender sorts in square time."""
        options: Any = self
        search = scene.joint_rows.Search(
            text=options.filter_name,
            is_inverted=options.use_filter_invert,
            problems_only=options.problems_only,
        )
        places = len(getattr(data, items))
        shown = present(context.scene)
        return scene.joint_rows.LISTS.marks(shown, search, places, is_urgent=self.is_popup), []


class OMI_UL_joints(JointList, bpy.types.UIList):
    """Joints of a scene; a click selects one"""

    def draw_joint(self, context: Context, layout: UILayout, joint: Object) -> None:
        is_wide = region_width(context) > WIDE
        split = layout.split(factor=0.3) if is_wide else layout.row()
        name = split.row()
        name.alignment = "LEFT"
        draw_joint_button(name, joint, _short_name(joint), icon=_state_icon(joint, context))
        settings = settings_of(joint)
        rest = split.split(factor=0.25) if is_wide else split
        kind = rest.row()
        kind.alignment = "LEFT" if is_wide else "RIGHT"  # where the name leaves room for it
        _draw_kind(kind, joint, settings)
        if is_wide and settings is not None:
            row = rest.row(align=True)
            _draw_limits(row, settings)
            _draw_target(row, settings)


class OMI_UL_joint_table(JointList, bpy.types.UIList):
    """Joints of a scene in a pop-up, with what can be edited in place"""

    is_popup = True

    def draw_joint(self, context: Context, layout: UILayout, joint: Object) -> None:
        settings = settings_of(joint)
        name, kind, limits, target = columns(layout)
        name.prop(joint, "name", text="", emboss=False, icon=_state_icon(joint, context))
        _draw_kind(kind, joint, settings)
        if settings is not None:
            _draw_limits(limits, settings, most=MOST_LIMITS)
            _draw_target(target, settings)


def _draw_kind(row: UILayout, joint: Object, settings: OMI_PG_joint | None) -> None:
    """Draw what kind of joint it is, and whether it shares that with others."""
    icon: Icon = "LINKED" if joint_data(joint).settings_source else "NONE"
    row.label(text=settings_label(settings.settings_to_core()) if settings else "", icon=icon)


def _draw_limits(layout: UILayout, settings: OMI_PG_joint, *, most: int = 1) -> None:
    """Draw the first limits that leave room, and how many more there are."""
    limits = [each for each in settings.limits if not each.to_core().is_locked]
    for limit in limits[:most]:
        row = layout.row(align=True)
        row.label(text=limit_title(limit))
        draw_bounds(row, limit)
    if len(limits) > most > 1:
        layout.label(text=f"+{len(limits) - most}")
    elif not limits:
        layout.label(text="")


def _draw_target(layout: UILayout, settings: OMI_PG_joint) -> None:
    """Draw the target of the first drive."""
    for drive in list(settings.drives)[:1]:
        name = "position_target" if drive.use_position_target else "velocity_target"
        text = "Target" if drive.use_position_target else "Speed /s"
        layout.prop(drive, name + SUFFIXES.get(drive.type, ""), text=text)


def _short_name(joint: Object) -> str:
    """Return a joint's name without the word that all joints have."""
    return joint.name.removesuffix(" Joint") or joint.name


def _state_icon(joint: Object, context: Context) -> Icon:
    """Return the icon of the gravest finding about a joint, else whether it is selected."""
    grave = {item.severity for item in joint_findings(joint, present(context.scene))}
    for severity in (Severity.ERROR, Severity.WARNING):
        if severity in grave:
            return SEVERITY_ICONS[severity]
    if joint.select_get():
        return "RADIOBUT_ON" if joint == context.object else "RADIOBUT_OFF"
    return "EMPTY_AXIS"


def _row(shown: bpy.types.Scene) -> int:
    """Return the row of the active joint, -1 where it is in none."""
    layer = next(_layers(shown), shown.view_layers[0])
    return scene.joint_rows.LISTS.row_of(shown, layer.objects.active)


def _select_row(shown: bpy.types.Scene, row: int) -> None:
    """Select the joint of a row in the windows that show the scene."""
    joint = scene.joint_rows.LISTS.of(shown).joint(row)
    for layer in _layers(shown):
        active = layer.objects.active
        if joint is not None and (active is None or active.mode == "OBJECT"):
            authoring.selection.select_in(layer, [joint])


def _layers(shown: bpy.types.Scene) -> "Iterator[bpy.types.ViewLayer]":
    """Yield the view layers of the windows that show a scene."""
    for window in windows():
        if window.scene == shown:
            yield window.view_layer


def _load() -> None:
    """Load what panels need when they are drawn first, which is to be quick as well."""
    for room, names in ((scene, ("joint_rows",)), (authoring, ("ends", "sharing"))):
        for name in names:
            getattr(room, name)


def attach() -> None:
    """Add the active row, which is that of the active object, and load the rest soon."""
    if not bpy.app.background:
        bpy.app.timers.register(_load, first_interval=1.0, persistent=True)
    owner: Any = bpy.types.Scene
    properties: Any = bpy.props
    owner.omi_joint_row = properties.IntProperty(
        name="Joint Row",
        description="Row of the active joint in lists",
        get=_row,
        set=_select_row,
        options={"HIDDEN", "SKIP_SAVE"},
    )


def detach() -> None:
    """Remove what `attach` added."""
    if bpy.app.timers.is_registered(_load):
        bpy.app.timers.unregister(_load)
    owner: Any = bpy.types.Scene
    if hasattr(owner, "omi_joint_row"):
        del owner.omi_joint_row
