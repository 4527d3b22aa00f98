"""What the checks say about the joints of a file that is written, in the exporter's own log."""

import bpy

from ...core.findings.finding import Severity
from ...scene.checks import scene_findings
from .report import Report
from .upstream import WrittenNode

_SAID = frozenset(f"OMI-J00{number}" for number in range(1, 7))
"""Rules that the export itself tells of."""


def report_checks(nodes: list[WrittenNode], scene: bpy.types.Scene, report: Report) -> None:
    """Report what keeps written joints from working; they are written all the same."""
    written = {node.obj.name for node in nodes if node.obj is not None}
    errors = (item for item in scene_findings(scene) if item.severity == Severity.ERROR)
    report.add(item for item in errors if item.place in written and item.code not in _SAID)
