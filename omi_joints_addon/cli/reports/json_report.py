"""A report as JSON, whose schema `schema report` prints."""

from collections.abc import Iterator, Sequence

from ..file_report import SEVERITIES, FileReport, Reported
from ..terminal import json_text
from ..tool import NAME, version
from .report import Report

VERSION = 1
"""Version of the form of the report: members may be added, none removed or changed."""


class JsonReport(Report):
    """One JSON object for all files."""

    has_digests = True

    def whole(self, reports: Sequence[FileReport]) -> Iterator[str]:
        """Yield the report."""
        document = {
            "version": VERSION,
            "tool": {"name": NAME, "version": version()},
            "files": [self._file(report) for report in reports],
        }
        yield json_text(document) + "\n"

    def _file(self, report: FileReport) -> dict[str, object]:
        return {
            "path": str(report.path),
            "sha256": report.sha256 or None,
            "format": report.format or None,
            "dialects": list(report.dialects),
            "unreadable": report.problem or None,
            "counts": {str(severity): report.counts[severity] for severity in SEVERITIES},
            "findings": [reported_to_json(found) for found in self.shown(report)],
        }


def reported_to_json(found: Reported) -> dict[str, str]:
    """Return a finding as JSON."""
    return {
        "code": found.code,
        "severity": str(found.severity),
        "place": found.place,
        "message": found.message,
    }


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_SEVERITY = {"enum": [str(severity) for severity in SEVERITIES]}


def _object(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(properties)}


REPORT_SCHEMA: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": f"urn:omi-joints:report:{VERSION}",
    "title": "Report of the command check",
    **_object(
        version={"const": VERSION},
        tool=_object(name=_TEXT, version=_TEXT),
        files={
            "type": "array",
            "items": _object(
                path=_TEXT | {"description": "Path as it was given, or found in a folder."},
                sha256={
                    "type": ["string", "null"],
                    "pattern": "^[0-9a-f]{64}$",
                    "description": "Digest of the file; null where it cannot be read.",
                },
                format={
                    "type": ["string", "null"],
                    "description": "gltf, blend, urdf, mjcf, usd or shift; null: not readable.",
                },
                dialects={
                    "type": "array",
                    "items": _TEXT,
                    "description": "Dialects of a glTF file, the one that is used first.",
                },
                unreadable={
                    "type": ["string", "null"],
                    "description": "Why the file cannot be read; null if it can.",
                },
                counts={
                    **_object(**{str(severity): _COUNT for severity in SEVERITIES}),
                    "description": "All findings, those below --least included.",
                },
                findings={
                    "type": "array",
                    "items": _object(
                        code=_TEXT | {"description": "Code of the rule; it never changes."},
                        severity=_SEVERITY,
                        place=_TEXT
                        | {"description": "JSON pointer into a glTF file, else a name."},
                        message=_TEXT,
                    ),
                },
            ),
        },
    ),
}
"""Schema of the report; a program that reads one should pass over members it does not know."""
