"""What changed, is kept aside or only looks otherwise, shown to the artist."""

from collections.abc import Sequence
from typing import Any

import bpy

from ... import authoring
from ...authoring.context import present
from ...core.findings.finding import Finding, Severity
from ...core.findings.loss import Kind, Loss, counted
from ...translation import report

_MOST = 12
"""Lines that are shown at once; the list in the sidebar and the text have all of them."""


def show_report(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    *,
    title: str,
    findings: Sequence[Finding] = (),
    losses: Sequence[Loss] = (),
    problems: Sequence[str] = (),
) -> None:
    """Report what happened, keep all of it with the scene, and show the first lines in a window."""
    serious = sum(found.severity != Severity.INFO for found in findings) + len(problems)
    is_changed = any(loss.kind == Kind.CHANGED for loss in losses)
    summary = _summary(title, losses, serious)
    lines = authoring.report.keep_report(
        present(context.scene),
        present(context.blend_data),
        summary,
        findings=findings,
        losses=losses,
        problems=problems,
    )
    for line in lines[:_MOST]:
        report(operator, "INFO", line)
    has_window = not bpy.app.background and context.window is not None
    is_grave = bool(is_changed or serious)
    # Blender shows a warning in a window of its own, over the one with the lines.
    operator.report({"WARNING"} if is_grave and not (has_window and lines) else {"INFO"}, summary)
    if has_window and lines:
        _show(context, summary, lines, is_grave=is_grave)


def _summary(title: str, losses: Sequence[Loss], problems: int) -> str:
    parts = [f"{count} {kind}" for kind, count in counted(losses).items()]
    parts += [f"{problems} problem{'s' if problems > 1 else ''}"] if problems else []
    return f"{title}: {', '.join(parts)}" if parts else title


def _show(
    context: bpy.types.Context, summary: str, lines: Sequence[str], *, is_grave: bool
) -> None:
    """Show the first lines in a window."""

    def draw(menu: bpy.types.UIPopupMenu, _context: bpy.types.Context) -> None:
        layout = present(menu.layout)
        for line in lines[:_MOST]:
            layout.label(text=line)
        if len(lines) > _MOST:
            more = f"{len(lines) - _MOST} more in the sidebar, under Joints > Report"
            layout.label(text=more, icon="INFO")

    icon: Any = "ERROR" if is_grave else "INFO"
    present(context.window_manager).popup_menu(draw, title=summary, icon=icon)
