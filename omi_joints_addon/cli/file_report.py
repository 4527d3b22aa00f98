"""What a check finds in one file, as plain values that processes can exchange."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..core.findings.finding import Finding, Severity

if TYPE_CHECKING:
    from ..core.model.scene import PhysicsScene

SEVERITIES = tuple(Severity)
"""The gravest first."""


class Reported(NamedTuple):
    """One finding of a report."""

    code: str
    severity: Severity
    """Severity of the rule, unless the project sets another."""
    place: str
    """JSON pointer or name."""
    message: str
    line: int = 1
    """Line of the place in a text file, counted from 1."""

    @classmethod
    def of(cls, found: Finding) -> "Reported":
        """Return a finding as it is reported, with the severity of its rule."""
        return cls(
            code=found.code,
            severity=found.severity,
            place=found.place + found.part,
            message=str(found.message),
        )

    def is_at_least(self, severity: Severity) -> bool:
        """Return whether the finding is as grave as `severity`, or graver."""
        return SEVERITIES.index(self.severity) <= SEVERITIES.index(severity)


class FileReport(NamedTuple):
    """What there is to report about one file."""

    path: Path
    format: str = ""
    """Name of the format; empty where the file cannot be read."""
    dialects: tuple[str, ...] = ()
    """Dialects of glTF that the file contains, the one that is used first."""
    sha256: str = ""
    """Digest of the file, in hexadecimal digits; empty unless asked for."""
    problem: str = ""
    """Why the file cannot be read; empty if it can."""
    findings: tuple[Reported, ...] = ()
    """Findings that are selected, in the order of the file."""
    fixed: int = 0
    """Findings that were there and are fixed in the file."""

    @property
    def counts(self) -> Counter[Severity]:
        """Number of findings of each severity."""
        return Counter(found.severity for found in self.findings)

    def fails(self, level: Severity | None) -> bool:
        """Return whether a finding is at `level` or graver; at None, none is."""
        return level is not None and any(found.is_at_least(level) for found in self.findings)


def counted(reports: "list[FileReport]") -> str:
    """Return in words how many findings and unreadable files there are."""
    counts = sum((report.counts for report in reports), Counter[Severity]())
    unreadable = sum(bool(report.problem) for report in reports)
    parts = [
        plural(counts[severity], str(severity), "info" if severity == Severity.INFO else "")
        for severity in SEVERITIES
        if counts[severity]
    ]
    parts += [f"{unreadable} unreadable"] if unreadable else []
    return ", ".join(parts) or "no findings"


def plural(number: int, noun: str, many: str = "") -> str:
    """Return a number with its noun; `many` is the plural where that is not the noun with an s."""
    return f"{number} {noun if number == 1 else many or noun + 's'}"


def amounts(scene: "PhysicsScene") -> str:
    """Return in words how many bodies and joints a scene has."""
    bodies = plural(len(scene.motions), "body", "bodies")
    return f"{bodies}, {plural(len(scene.joints), 'joint')}"
