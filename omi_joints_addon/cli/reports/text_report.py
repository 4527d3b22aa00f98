"""One line for each finding, for people."""

from collections.abc import Iterator, Sequence

from ..file_report import FileReport, counted, plural
from ..terminal import Painter, printable
from .report import Report


class TextReport(Report):
    """Lines for people."""

    def lines(self, report: FileReport, painter: Painter) -> Iterator[str]:
        """Yield a line for each finding."""
        name = painter.bold(printable(str(report.path)))
        for found in self.shown(report):
            head = f"{found.code} {found.place}".rstrip()
            text = printable(f"{head}: {found.message}")
            yield f"{name}: {painter.severity(found.severity)} {text}"

    def summary(self, reports: Sequence[FileReport]) -> Iterator[str]:
        """Yield how many files were checked and what was found."""
        hidden = sum(len(report.findings) - len(self.shown(report)) for report in reports)
        end = f" ({hidden} hidden)" if hidden else ""
        if fixed := sum(report.fixed for report in reports):
            yield f"{plural(fixed, 'finding')} fixed"
        yield f"{plural(len(reports), 'file')} checked: {counted(list(reports))}{end}"
