"""A report as JUnit's XML, which most build servers show: one test for each file."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..file_report import FileReport, Reported
from ..terminal import printable
from ..tool import NAME
from .report import Report


class JunitReport(Report):
    """One suite of tests."""

    def whole(self, reports: Sequence[FileReport]) -> Iterator[str]:
        """Yield the document."""
        failing = sum(report.fails(self.level) for report in reports)
        unreadable = sum(bool(report.problem) for report in reports)
        counts = {"tests": len(reports), "failures": failing, "errors": unreadable}
        suites = Element("testsuites")
        suite = SubElement(suites, "testsuite", name=NAME)
        for element in (suites, suite):
            element.attrib.update({name: str(count) for name, count in counts.items()})
        for report in reports:
            self._add(suite, report)
        indent(suites)
        # Other characters as references: the output may have any encoding.
        yield f"{tostring(suites, 'us-ascii').decode()}\n"

    def _add(self, suite: Element, report: FileReport) -> None:
        case = SubElement(suite, "testcase", classname=NAME, name=printable(str(report.path)))
        shown = self.shown(report)
        if report.problem:
            SubElement(case, "error", message=printable(report.problem))
        elif report.fails(self.level):
            grave = [found for found in report.findings if self._is_grave(found)]
            failure = SubElement(
                case, "failure", type=printable(grave[0].code), message=_line(grave[0])
            )
            failure.text = "\n".join(map(_line, shown))
        elif shown:
            SubElement(case, "system-out").text = "\n".join(map(_line, shown))

    def _is_grave(self, found: Reported) -> bool:
        return self.level is not None and found.is_at_least(self.level)


def _line(found: Reported) -> str:
    return printable(f"{found.severity} {found.code} {found.place}: {found.message}")
