"""Sentences in panels: Blender's labels do not wrap."""

import textwrap
from collections.abc import Iterable
from functools import lru_cache

from bpy.types import Context, UILayout

from ..core.findings.finding import Finding, Severity
from ..translation import translated
from .places import Icon, region_width

SEVERITY_ICONS: dict[Severity, Icon] = {
    Severity.ERROR: "CANCEL",
    Severity.WARNING: "ERROR",
    Severity.INFO: "INFO",
}
CHARACTER_WIDTH = 7.0
"""Mean width of a character of Blender's font at scale 1 [pixel]."""
MARGIN = 70.0
"""What indents and the icon take at scale 1 [pixel]."""


def draw_findings(layout: UILayout, context: Context, findings: Iterable[Finding]) -> None:
    """Draw the messages of findings behind the icons of their severities."""
    for found in findings:
        draw_message(layout, context, found.message, icon=SEVERITY_ICONS[found.severity])


def draw_message(
    layout: UILayout, context: Context, text: str, *, icon: Icon, least: int = 0
) -> None:
    """Draw a sentence in lines that fit the width of the region, in `least` of them or more."""
    column = layout.column(align=True)
    shown = translated(text)
    sentence = shown[:1].upper() + shown[1:]
    lines = _lines(sentence, _line_length(context))
    for number, line in enumerate((*lines, *[""] * (least - len(lines)))):
        column.label(text=line, icon="BLANK1" if number else icon)


@lru_cache(maxsize=256)
def _lines(sentence: str, length: int) -> tuple[str, ...]:
    """Return a sentence in lines; panels show the same ones again and again."""
    return tuple(textwrap.wrap(sentence, length))


def _line_length(context: Context) -> int:
    """Return how many characters fit into a line; without a region a common number."""
    width = region_width(context)
    return max(20, int((width - MARGIN) / CHARACTER_WIDTH)) if width else 60
