"""What was converted, carried or lost, told to the artist."""

from collections.abc import Sequence
from typing import Any

import bpy

from ...authoring.context import present
from ...core.findings.finding import Finding, Severity
from ...core.findings.loss import How, Loss
from ...translation import report

_MOST = 12
"""Lines that are shown at once; the text has all of them."""


def tell(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    *,
    title: str,
    findings: Sequence[Finding] = (),
    losses: Sequence[Loss] = (),
    problems: Sequence[str] = (),
) -> None:
    """Report what happened, keep all of it in a text, and show the first lines in a window."""
    serious = [str(found) for found in findings if found.severity != Severity.INFO]
    lost = [str(loss) for loss in losses if loss.how == How.LOST]
    others = [str(loss) for loss in losses if loss.how != How.LOST]
    notes = [str(found) for found in findings if found.severity == Severity.INFO]
    lines = [*problems, *serious, *lost, *others, *notes]
    for line in lines[:_MOST]:
        report(operator, "INFO", line)
    summary = _summary(title, losses, len(problems) + len(serious))
    operator.report({"WARNING"} if lost or serious or problems else {"INFO"}, summary)
    if lines:
        _keep(context, title, [summary, "", *lines])
        _show(context, summary, lines)


def _summary(title: str, losses: Sequence[Loss], problems: int) -> str:
    counts = {how: sum(loss.how == how for loss in losses) for how in How}
    parts = [f"{count} {how}" for how, count in counts.items() if count]
    parts += [f"{problems} problem{'s' if problems > 1 else ''}"] if problems else []
    return f"{title}: {', '.join(parts)}" if parts else title


def _keep(context: bpy.types.Context, title: str, lines: Sequence[str]) -> None:
    """Keep lines in a text of the file, which replaces that of the last time."""
    texts = present(context.blend_data).texts
    name = "Exchange Report"
    text = texts.get(name) or texts.new(name)
    text.clear()
    text.write("\n".join(lines) + "\n")


def _show(context: bpy.types.Context, summary: str, lines: Sequence[str]) -> None:
    """Show the first lines in a window, where there is one."""
    if bpy.app.background or context.window is None:
        return

    def draw(menu: Any, _context: bpy.types.Context) -> None:
        for line in lines[:_MOST]:
            menu.layout.label(text=line)
        if len(lines) > _MOST:
            more = f"{len(lines) - _MOST} more in the text “Exchange Report”"
            menu.layout.label(text=more, icon="TEXT")

    present(context.window_manager).popup_menu(draw, title=summary, icon="INFO")
