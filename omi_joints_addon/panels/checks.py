"""Checks of the joints of the scene, in the sidebar tab "Joints"."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import bpy

from ..authoring.context import present
from ..core.findings.finding import Finding, Severity
from ..operators.check.check import (
    OMI_OT_check_fix_safe,
    OMI_OT_check_select,
    fix_operator,
)
from ..operators.joint.portable import OMI_OT_joint_portable_make
from ..properties.checks import checks_options
from ..properties.joint import joint_of
from ..scene.findings import is_any_safe, known_counts, shown_findings
from ..scene.structure import settings_of
from ..translation import translated
from .help import Documented, draw_help
from .joint_tools import Sidebar
from .messages import SEVERITY_ICONS, draw_finding, draw_message

if TYPE_CHECKING:
    from ..properties.checks import OMI_PG_checks

_SHOWN = 15
"""Findings that a panel shows; nobody reads more."""


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
        layout = present(self.layout)
        options = checks_options(present(context.scene))
        _draw_filter(layout, options, known_counts(present(context.scene)))
        found = shown_findings(present(context.scene))
        if not found:
            layout.label(text="Nothing to show", icon="CHECKMARK")
        for item in found[:_SHOWN]:
            _draw_finding(layout.box(), context, item)
        if len(found) > _SHOWN:
            layout.label(text=translated("{count} more findings", count=len(found) - _SHOWN))
        if is_any_safe(present(context.scene)):
            layout.operator(OMI_OT_check_fix_safe.bl_idname, icon="CHECKMARK")


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


def _draw_finding(layout: bpy.types.UILayout, context: bpy.types.Context, item: Finding) -> None:
    """Draw one finding: a click on its object goes there, a button below the sentence fixes it."""
    row = layout.row()
    row.alignment = "LEFT"
    icon = SEVERITY_ICONS[item.severity]
    go = row.operator(OMI_OT_check_select.bl_idname, text=item.place, icon=icon, emboss=False)
    draw_message(layout.column(), context, item.message, icon="BLANK1")
    how = item.rule.fix
    buttons = [go]
    if how is not None:
        buttons.append(layout.operator(fix_operator(how)))
    for button in buttons:
        button.code, button.place, button.part = item.code, item.place, item.part


CLASSES = (OMI_PT_checks, OMI_PT_engine)
