"""What all formats of reports have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...core.findings.finding import Severity
from ..file_report import FileReport, Reported
from ..terminal import Painter


@dataclass(frozen=True, kw_only=True)
class Report:
    """A format of reports; prints what has a text for each file, and one for all."""

    least: Severity
    """Least severity that is shown."""
    level: Severity | None
    """Severity from which a file fails; None is never."""
    has_digests: ClassVar[bool] = False
    has_lines: ClassVar[bool] = False

    def shown(self, report: FileReport) -> list[Reported]:
        """Return the findings of a file that are grave enough to be shown."""
        return [found for found in report.findings if found.is_at_least(self.least)]

    def lines(self, report: FileReport, painter: Painter) -> Iterable[str]:
        """Return what is printed as soon as a file is checked."""
        return ()

    def whole(self, reports: Sequence[FileReport]) -> Iterable[str]:
        """Return texts that are printed when all files are checked."""
        return ()

    def summary(self, reports: Sequence[FileReport]) -> Iterable[str]:
        """Return lines for people that end the report."""
        return ()
