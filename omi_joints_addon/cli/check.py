"""Check joints and bodies in glTF and Blender files.

Prints one line for each finding: the file, how much it matters, the code of the rule, the place (a
JSON pointer in glTF files, the object in Blender files) and a sentence. docs/checks.md explains
every rule. glTF files need no Blender; .blend files do.

Exit code: 0 where nothing is an error, 1 where something is, 2 where a file cannot be read.

examples:
  check door.glb
  check --recursive assets --format json > findings.json
  check --engine godot --least warning *.gltf
"""

import argparse
import gc
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..core.findings.finding import Finding, Severity
from .engine import add_engine_argument, engine_findings
from .sources import UnreadableError, add_size_argument, files, findings_in
from .terminal import Painter, printable, progress

NAME = "check"
_SEVERITIES = tuple(Severity)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=".gltf, .glb or .blend")
    parser.add_argument(
        "-r", "--recursive", action="store_true", help="search folders and all below them"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="form of the output"
    )
    parser.add_argument(
        "--least",
        type=Severity,
        choices=_SEVERITIES,
        default=Severity.INFO,
        metavar="SEVERITY",
        help="leave out what matters less: error, warning or info (default: info)",
    )
    add_engine_argument(parser, help="tell as well what this engine makes of the joints")
    add_size_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Check the files and return the exit code."""
    # Parsed documents have no cycles, and looking for some takes longer than the checks.
    gc.disable()
    painter = Painter(options)
    reports = []
    for path in progress(list(files(options.files, recursive=options.recursive)), "files"):
        report = _Report(path, options)
        reports.append(report)
        if options.format == "text":
            sys.stdout.writelines(report.lines(painter))
    if options.format == "json":
        json.dump({"files": [report.to_json() for report in reports]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    elif len(reports) > 1:
        sys.stdout.write(f"{len(reports)} files: {_counted(reports)}\n")
    gc.enable()
    return max((report.exit_code for report in reports), default=0)


class _Report:
    """What there is to say about one file."""

    def __init__(self, path: Path, options: argparse.Namespace) -> None:
        self.path = path
        self.problem = ""
        self.findings: list[Finding] = []
        try:
            self.findings = findings_in(path, options)
            if options.engine is not None:
                self.findings += engine_findings(path, options)
        except UnreadableError as error:
            self.problem = str(error)
        self.counts = Counter(found.severity for found in self.findings)
        order = _SEVERITIES[: _SEVERITIES.index(options.least) + 1]
        self.shown = [found for found in self.findings if found.severity in order]

    @property
    def exit_code(self) -> int:
        if self.problem:
            return 2
        return 1 if self.counts[Severity.ERROR] else 0

    def lines(self, painter: Painter) -> Iterator[str]:
        """Yield the lines of the report; a file that cannot be read goes to stderr."""
        name = printable(str(self.path))
        if self.problem:
            sys.stderr.write(f"{name}: {printable(self.problem)}\n")
        for found in self.shown:
            where, what = printable(found.place), printable(found.message)
            severity = painter.severity(found.severity)
            yield f"{painter.bold(name)}: {severity} {found.code} {where}: {what}\n"

    def to_json(self) -> dict[str, object]:
        """Return the report as JSON."""
        return {
            "path": str(self.path),
            "unreadable": self.problem or None,
            "counts": {str(severity): self.counts[severity] for severity in _SEVERITIES},
            "findings": [
                {
                    "code": found.code,
                    "severity": str(found.severity),
                    "place": found.place + found.part,
                    "message": found.message,
                }
                for found in self.shown
            ],
        }


def _counted(reports: list[_Report]) -> str:
    counts = sum((report.counts for report in reports), Counter[Severity]())
    unreadable = sum(bool(report.problem) for report in reports)
    parts = [f"{counts[severity]} {severity}" for severity in _SEVERITIES]
    return ", ".join([*parts, f"{unreadable} unreadable"] if unreadable else parts)
