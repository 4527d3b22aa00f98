"""What an import or export had to say, kept with the scene as a list and as a text."""

from collections.abc import Iterable

import bpy

from ..core.findings.finding import Finding, Severity
from ..core.findings.loss import Kind, Loss
from ..properties.report import report_data

TEXT = "Exchange Report"
"""Name of the text, which each report replaces."""
MOST = 500
"""Lines of the list; the text has all."""
_NAMED = 3
"""Places that a line about several names."""


def keep_report(
    scene: bpy.types.Scene,
    data: bpy.types.BlendData,
    title: str,
    *,
    findings: Iterable[Finding] = (),
    losses: Iterable[Loss] = (),
    problems: Iterable[str] = (),
) -> list[str]:
    """Keep what happened, the gravest first, and return a line for each thing that happened."""
    findings, losses = list(findings), list(losses)
    rows = [("problem", "", "", text) for text in problems]
    rows += [_row(found) for found in findings if found.severity != Severity.INFO]
    rows += [_loss_row(loss) for kind in Kind for loss in losses if loss.kind == kind]
    rows += [_row(found) for found in findings if found.severity == Severity.INFO]
    report = report_data(scene)
    report.clear(title)
    for kind, place, noun, text in rows[:MOST]:
        report.add(kind, text, place=place, noun=noun)
    _write(data, [title, "", *(": ".join(filter(None, row)) for row in rows)])
    return _grouped(rows)


def _grouped(rows: Iterable[tuple[str, str, str, str]]) -> list[str]:
    """Return a line for all places about which the same is reported."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for kind, place, noun, text in rows:
        places.setdefault((kind, noun, text), []).append(place)
    lines = []
    for (kind, noun, text), named in places.items():
        shown = ", ".join(filter(None, named[:_NAMED]))
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        lines.append(": ".join(filter(None, (kind, shown + more, noun, text))))
    return lines


def _row(found: Finding) -> tuple[str, str, str, str]:
    return str(found.severity), found.place, found.code, found.message


def _loss_row(loss: Loss) -> tuple[str, str, str, str]:
    text = f"{loss.text}; {loss.advice}" if loss.advice else loss.text
    return str(loss.kind), loss.place, str(loss.noun), text


def _write(data: bpy.types.BlendData, lines: list[str]) -> None:
    """Write the text, which is made where there is none and there is something to write."""
    text = data.texts.get(TEXT)
    if text is None and len(lines) <= 2:
        return
    text = text or data.texts.new(TEXT)
    text.clear()
    text.write("\n".join(lines) + "\n")
