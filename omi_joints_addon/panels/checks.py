"""Checks of the joints of the scene, in the sidebar tab "Joints"."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Context, UILayout

from .. import scene
from ..authoring.context import present
from ..core.findings.finding import Finding, Severity
from ..core.findings.titles import title
from ..operators.check.check import fix_operator
from ..properties.checks import checks_options
from ..scene.findings import is_any_safe, known_counts
from ..scene.structure import settings_of
from ..translation import translated
from .messages import SEVERITY_ICONS, draw_findings, draw_message
from .places import Documented, Icon, Sidebar, section
from .rows import Rows

if TYPE_CHECKING:
    from ..properties.checks import OMI_PG_checks
    from ..scene.check_rows import CheckRow

_ROWS = 10
"""Most rows of the list; it scrolls where there are more."""
_LINES = 4
"""Lines that are kept for the sentence of the chosen row."""


class OMI_PT_checks(Documented, Sidebar, bpy.types.Panel):
    """Problems of the joints of the scene"""

    bl_label = "Checks"
    page = "checks"
    bl_order = 10

    def draw_header_preset(self, context: Context) -> None:
        counts = known_counts(present(context.scene))
        layout = present(self.layout)
        for severity in (Severity.ERROR, Severity.WARNING):
            if counts[severity]:
                layout.label(text=str(counts[severity]), icon=SEVERITY_ICONS[severity])
        super().draw_header_preset(context)

    def draw(self, context: Context) -> None:
        layout, shown = present(self.layout), present(context.scene)
        manager: Any = context.window_manager
        options, counts = checks_options(shown), known_counts(shown)
        row = layout.row(align=True)
        for severity, icon in SEVERITY_ICONS.items():
            text = str(counts[severity])
            row.prop(options, f"show_{severity}", text=text, icon=icon, toggle=True)
        scene.joint_rows.LISTS.look(shown)
        rows = scene.check_rows.check_rows(shown)
        data = (manager, "omi_check_rows", manager, "omi_check_row")
        layout.template_list("OMI_UL_checks", "", *data, rows=3, maxrows=_ROWS)
        button = layout.row()
        button.enabled = is_any_safe(shown)
        button.operator("omi.check_fix_safe", icon="CHECKMARK")
        if rows:
            _draw_explained(layout, context, rows[min(manager.omi_check_row, len(rows) - 1)])
        else:
            layout.label(text="No problems found", icon="CHECKMARK")
        switch = (options, "use_engine")
        section(layout, _draw_engine, context, options, text="Check for Engine", switch=switch)


class OMI_UL_checks(Rows, bpy.types.UIList):
    """Rules that are broken, how often, and a button for each that can be fixed"""

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
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
            icon: Icon = "TRIA_DOWN" if row.is_open else "TRIA_RIGHT"
            opened = buttons.operator("wm.context_set_string", text="", icon=icon, emboss=False)
            opened.data_path = "window_manager.omi_check_opened"
            opened.value = "" if row.is_open else row.rule.code
        _draw_fix(buttons, row, "")

    def filter_items(self, context: Context, data: Any, items: Any) -> Any:
        """Return which rows are shown; there may be more than this scene needs."""
        used = len(scene.check_rows.check_rows(present(context.scene)))
        places = len(getattr(data, items))
        return [self.bitflag_filter_item if n < used else 0 for n in range(places)], []


def _draw_engine(layout: UILayout, context: Context, options: "OMI_PG_checks") -> None:
    """Draw what the active joint becomes in the chosen engine."""
    layout.prop(options, "engine")
    settings = settings_of(context.object)
    if settings is not None:
        report = options.target().report(settings.settings_to_core())
        text = translated("Becomes {becomes}", becomes=report.becomes)
        draw_message(layout, context, text, icon="FORWARD")
        draw_findings(layout, context, report.findings)
    layout.operator("omi.joint_portable_make").engine = options.engine


def _draw_explained(layout: UILayout, context: Context, row: "CheckRow") -> None:
    """Draw what is wrong, in as many lines whichever row is chosen, and a way to go there."""
    first, count = row.findings[0], len(row.findings)
    name, icon = "omi.check_select", SEVERITY_ICONS[row.rule.severity]
    _mark(layout.operator(name, text=first.place, icon=icon, translate=False), first)
    if row.rule.fix is not None:
        fix = translated(row.rule.fix.label)
        text = "{fix} ({count})" if count > 1 else "{fix}"
        _draw_fix(layout, row, translated(text, fix=fix, count=count))
    else:
        layout.label(text="No automatic fix")
    draw_message(layout, context, first.message, icon="BLANK1", least=_LINES)


def _draw_fix(layout: UILayout, row: "CheckRow", text: str) -> None:
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
