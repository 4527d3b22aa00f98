"""Annotations of GitHub Actions: lines that show up beside the changed files."""

from collections.abc import Iterator
from pathlib import Path

from ...core.findings.finding import ERROR, INFO, WARNING
from ..file_report import FileReport
from ..terminal import Painter, printable
from .text_report import TextReport

_COMMANDS = {ERROR: "error", WARNING: "warning", INFO: "notice"}
_VALUE = {"%": "%25"}
_PROPERTY = {**_VALUE, ":": "%3A", ",": "%2C"}
"""What the runner takes for a separator; line ends are not printable."""


class GithubReport(TextReport):
    """Workflow commands, one for each finding."""

    has_lines = True

    def lines(self, report: FileReport, painter: Painter) -> Iterator[str]:
        """Yield a command for each finding; one that cannot be read is an error, too."""
        if report.problem:
            yield _command("error", report.path, 1, "unreadable", report.problem)
        for found in self.shown(report):
            text = f"{found.place}: {found.message}" if found.place else found.message
            kind = _COMMANDS[found.severity]
            yield _command(kind, report.path, found.line, found.code, text)


def _command(kind: str, path: Path, line: int, title: str, text: str) -> str:
    values = {"file": str(path), "line": str(line), "title": title}
    properties = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in values.items())
    return f"::{kind} {properties}::{_escaped(text, _VALUE)}"


def _escaped(text: str, marks: dict[str, str]) -> str:
    return "".join(marks.get(char, char) for char in printable(text))
