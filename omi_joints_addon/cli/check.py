"""Check joints and bodies in files of every known format.

Prints one line for each finding: the file, the severity, the code of the rule, the place (a JSON
pointer in glTF files, the object in Blender files) and a sentence. docs/checks.md explains
every rule. Only .blend files need Blender. The file - is standard input. In folders, hidden files
and .json and .xml files of other kinds are skipped.

Exit code: 0 if there are no errors, 1 if there is an error, 2 if a file cannot be read.

examples:
  check door.glb
  check --recursive assets --format json > findings.json
  check --engine godot --least warning *.gltf
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ..core.findings.finding import Finding, Severity
from ..io.collector import without_collections
from ..io.formats.format import UnreadableError
from .engines import add_engine_argument
from .sources import KINDS, add_folder_arguments, add_size_argument, files, reads
from .terminal import Painter, printable, progress, say

_SEVERITIES = tuple(Severity)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=KINDS)
    add_folder_arguments(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format")
    parser.add_argument(
        "--least",
        type=Severity,
        choices=_SEVERITIES,
        default=Severity.INFO,
        metavar="SEVERITY",
        help="hide less severe findings: error, warning or info (default: info)",
    )
    add_engine_argument(parser, help="also report how this engine handles the joints")
    add_size_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Check the files and return the exit code."""
    painter = Painter(options)
    reports = []
    paths = list(files(options.files, recursive=options.recursive, exclude=options.exclude))
    # Closed, so that the bar is gone before anything else is said.
    with without_collections(), closing(progress(paths, "files")) as shown:
        for path in shown:
            report = _Report(path, options)
            reports.append(report)
            if options.format == "text":
                sys.stdout.writelines(report.lines(painter))
    if options.format == "json":
        json.dump({"files": [report.to_json() for report in reports]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    elif len(reports) > 1:
        sys.stdout.write(f"{len(reports)} files: {_counted(reports)}\n")
    return max((report.exit_code for report in reports), default=0)


def findings_in(path: Path, options: argparse.Namespace) -> list[Finding]:
    """Return all that is wrong with a file; raises `UnreadableError`."""
    from ..io.formats.checking import check

    engine = getattr(options, "engine", None)
    return [found for read in reads(path, options) for found in check(read, engine)]


class _Report:
    """What there is to say about one file."""

    def __init__(self, path: Path, options: argparse.Namespace) -> None:
        self.path = path
        self.problem = ""
        self.findings: list[Finding] = []
        try:
            self.findings = findings_in(path, options)
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
            say(f"{name}: {printable(self.problem)}")
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
            "findings": [finding_to_json(found) for found in self.shown],
        }


def finding_to_json(found: Finding) -> dict[str, str]:
    """Return a finding as JSON."""
    return {
        "code": found.code,
        "severity": str(found.severity),
        "place": found.place + found.part,
        "message": found.message,
    }


def _counted(reports: list[_Report]) -> str:
    counts = sum((report.counts for report in reports), Counter[Severity]())
    unreadable = sum(bool(report.problem) for report in reports)
    parts = [f"{counts[severity]} {severity}" for severity in _SEVERITIES]
    return ", ".join([*parts, f"{unreadable} unreadable"] if unreadable else parts)
