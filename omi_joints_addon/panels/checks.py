"""Checks of the joints of the scene, in the sidebar tab "Joints"."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import bpy

from .. import scene
from ..authoring.context import present
from ..core.findings.finding import Finding, Severity
from ..core.findings.titles import title
from ..operators.check.check import (
    OMI_OT_check_fix_safe,
    OMI_OT_check_select,
    fix_operator,
)
from ..operators.joint.portable import OMI_OT_joint_portable_make
from ..properties.checks import checks_options
from ..properties.joint import joint_of
from ..scene.findings import is_any_safe, known_counts
from ..scene.structure import settings_of
from ..translation import translated
from .help import Documented, draw_help
from .messages import SEVERITY_ICONS, draw_finding, draw_message
from .places import Sidebar
from .rows import Rows

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

    from ..properties.checks import OMI_PG_checks
    from ..scene.check_rows import CheckRow

_ROWS = 10
"""Most rows of the list; it scrolls where there are more."""
_LINES = 4
"""Lines that are kept for the sentence of the chosen row."""


class OMI_PT_checks(Sidebar, bpy.types.Panel):
    """Problems of the joints of the scene"""

    bl_label = "Checks"
    bl_order = 10

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        counts = known_counts(present(context.scene))
        layout = present(self.layout)
        for severity in (Severity.ERROR, Severity.WARNING):
            if counts[severity]:
                layout.label(text=str(counts[severity]), icon=SEVERITY_ICONS[severity])
        draw_help(layout, "checks")

    def draw(self, context: bpy.types.Context) -> None:
        layout, shown = present(self.layout), present(context.scene)
        manager: Any = context.window_manager
        _draw_filter(layout, checks_options(shown), known_counts(shown))
        scene.joint_rows.LISTS.look(shown)
        rows = scene.check_rows.check_rows(shown)
        layout.template_list(
            "OMI_UL_checks",
            "",
            manager,
            "omi_check_rows",
            manager,
            "omi_check_row",
            rows=3,
            maxrows=_ROWS,
        )
        button = layout.row()
        button.enabled = is_any_safe(shown)
        button.operator(OMI_OT_check_fix_safe.bl_idname, icon="CHECKMARK")
        if rows:
            _draw_explained(layout, context, rows[min(manager.omi_check_row, len(rows) - 1)])
        else:
            layout.label(text="No problems found", icon="CHECKMARK")


class OMI_UL_checks(Rows, bpy.types.UIList):
    """Rules that are broken, how often, and a button for each that can be fixed"""

    def draw_row(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, item: Any, index: int
    ) -> None:
        rows = scene.check_rows.check_rows(present(context.scene))
        if index >= len(rows):
            layout.label(text="")
            return
        row, first, count = rows[index], rows[index].findings[0], len(rows[index].findings)
        has_fix, words = row.rule.fix is not None, translated(title(row.rule))
        split = layout.split(factor=1.0 - 0.11 * (has_fix + (count > 1)))
        if row.is_object:
            split.label(text=first.place, icon="BLANK1", translate=False)
        else:
            words += f" ×{count}" if count > 1 else ""
            split.label(text=words, icon=SEVERITY_ICONS[row.rule.severity], translate=False)
        buttons = split.row(align=True)
        if count > 1:
            icon: IconItems = "TRIA_DOWN" if row.is_open else "TRIA_RIGHT"
            opened = buttons.operator("wm.context_set_string", text="", icon=icon, emboss=False)
            opened.data_path = "window_manager.omi_check_opened"
            opened.value = "" if row.is_open else row.rule.code
        _draw_fix(buttons, row, "")

    def filter_items(
        self,
        context: bpy.types.Context,
        data: Any,
        property: Any,  # noqa: A002
    ) -> Any:
        """Return which rows are shown; there may be more than this scene needs."""
        used = len(scene.check_rows.check_rows(present(context.scene)))
        places = len(getattr(data, property))
        return [self.bitflag_filter_item if n < used else 0 for n in range(places)], []


class OMI_PT_engine(Documented, Sidebar, bpy.types.Panel):
    """What the active joint becomes in an engine"""

    bl_label = "Check for Engine"
    page = "engines"
    bl_parent_id = "OMI_PT_checks"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.prop(checks_options(present(context.scene)), "use_engine", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        options = checks_options(present(context.scene))
        layout.prop(options, "engine")
        settings = settings_of(context.object)
        if joint_of(context.object) and settings:
            report = options.target().report(settings.settings_to_core())
            text = translated("Becomes {becomes}", becomes=report.becomes)
            draw_message(layout, context, text, icon="FORWARD")
            for item in report.findings:
                draw_finding(layout, context, item)
        button = layout.operator(OMI_OT_joint_portable_make.bl_idname)
        button.engine = options.engine


def _draw_filter(
    layout: bpy.types.UILayout, options: "OMI_PG_checks", counts: Mapping[Severity, int]
) -> None:
    row = layout.row(align=True)
    for severity in Severity:
        text, icon = str(counts[severity]), SEVERITY_ICONS[severity]
        row.prop(options, f"show_{severity}", text=text, icon=icon, toggle=True)


def _draw_explained(
    layout: bpy.types.UILayout, context: bpy.types.Context, row: "CheckRow"
) -> None:
    """Draw what is wrong, in as many lines whichever row is chosen, and a way to go there."""
    first, count = row.findings[0], len(row.findings)
    name, icon = OMI_OT_check_select.bl_idname, SEVERITY_ICONS[row.rule.severity]
    _mark(layout.operator(name, text=first.place, icon=icon, translate=False), first)
    if row.rule.fix is not None:
        fix = translated(row.rule.fix.label)
        text = "{fix} ({count})" if count > 1 else "{fix}"
        _draw_fix(layout, row, translated(text, fix=fix, count=count))
    else:
        layout.label(text="Nothing that one click could fix")
    draw_message(layout, context, first.message, icon="BLANK1", least=_LINES)


def _draw_fix(layout: bpy.types.UILayout, row: "CheckRow", text: str) -> None:
    """Draw the button that fixes all of a row, where that can be done."""
    if row.rule.fix is None:
        return
    button = layout.operator(fix_operator(row.rule.fix), text=text, icon="TOOL_SETTINGS")
    if len(row.findings) > 1:
        button.code = row.rule.code
    else:
        _mark(button, row.findings[0])


def _mark(button: Any, item: Finding) -> None:
    """Give the operator of a button the finding that it is about."""
    button.code, button.place, button.part = item.code, item.place, item.part


CLASSES = (OMI_UL_checks, OMI_PT_checks, OMI_PT_engine)
