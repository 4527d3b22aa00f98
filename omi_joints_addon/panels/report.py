"""The report of the last import or export, in the sidebar tab "Joints"."""

from typing import Any

import bpy
from bpy.types import Context, UILayout

from .. import authoring
from ..authoring.context import present
from ..core.findings.finding import rules
from ..core.findings.titles import title
from ..properties.report import report_data
from ..translation import translated
from .messages import draw_message
from .places import Icon, Sidebar
from .rows import Rows

_ICONS: dict[str, Icon] = {
    "problem": "CANCEL",
    "error": "CANCEL",
    "warning": "ERROR",
    "changed": "X",
    "kept aside": "PACKAGE",
    "looks only": "HIDE_OFF",
}


class OMI_PT_report(Sidebar, bpy.types.Panel):
    """What the last import or export changed, kept aside or shows otherwise"""

    bl_label = "Report"
    bl_order = 30

    @classmethod
    def poll(cls, context: Context) -> bool:
        return bool(report_data(present(context.scene)).title)

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        report = report_data(present(context.scene))
        draw_message(layout, context, report.title, icon="INFO")
        if not report.lines:
            return
        layout.template_list("OMI_UL_report", "", report, "lines", report, "active", rows=4)
        line = report.lines[min(report.active, len(report.lines) - 1)]
        if line.place:
            button = layout.operator(
                "omi.check_select", text=line.place, icon="RESTRICT_SELECT_OFF"
            )
            button.place = line.place
        text = ": ".join(filter(None, (line.kind, line.noun, line.text)))
        draw_message(layout, context, text, icon=_ICONS.get(line.kind, "INFO"))
        if len(report.lines) >= authoring.report.MOST:
            text = translated("More lines are in the text {name}", name=authoring.report.TEXT)
            draw_message(layout, context, text, icon="TEXT")


class OMI_UL_report(Rows, bpy.types.UIList):
    """Lines of a report; a click on the name of an object selects it"""

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
        split, icon = layout.split(factor=0.55), _ICONS.get(item.kind, "INFO")
        name = split.row()
        name.alignment = "LEFT"
        if item.place:
            button = name.operator("omi.check_select", text=item.place, icon=icon, emboss=False)
            button.place = item.place
        else:
            name.label(text=item.kind.title(), icon=icon)
        # A rule in the words that the list of checks has for it.
        rule = rules().get(item.noun)
        split.label(text=title(rule) if rule is not None else item.noun or item.text)
