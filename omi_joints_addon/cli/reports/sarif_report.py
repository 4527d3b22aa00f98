"""A report in SARIF 2.1.0 (OASIS), which code scanning of GitHub, GitLab and editors read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...core.findings.finding import ERROR, INFO, WARNING, Rule
from ..explain import shown_sentence
from ..file_report import FileReport, Reported
from ..rule_list import all_rules
from ..terminal import json_text
from ..tool import NAME, version
from .report import Report

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}


class SarifReport(Report):
    """One SARIF log with one run."""

    has_digests = True
    has_lines = True

    def whole(self, reports: Sequence[FileReport]) -> Iterator[str]:
        """Yield the log."""
        codes = sorted({found.code for report in reports for found in self.shown(report)})
        known = all_rules()
        driver = {
            "name": NAME,
            "semanticVersion": version(),
            "rules": [_descriptor(code, known) for code in codes],
        }
        run = {
            "tool": {"driver": driver},
            "invocations": [_invocation(reports)],
            "artifacts": [_artifact(report) for report in reports],
            "results": [
                _result(found, codes.index(found.code), number, report.path)
                for number, report in enumerate(reports)
                for found in self.shown(report)
            ],
        }
        log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
        yield json_text(log) + "\n"


def _descriptor(code: str, known: Mapping[str, Rule]) -> dict[str, Any]:
    rule = known.get(code)
    if rule is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": shown_sentence(rule)},
        "fullDescription": {"text": rule.reason},
        "help": {"text": rule.reason},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _invocation(reports: Sequence[FileReport]) -> dict[str, Any]:
    problems = [
        {
            "level": "error",
            "message": {"text": report.problem},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(report.path)}}}],
        }
        for report in reports
        if report.problem
    ]
    return {"executionSuccessful": not problems, "toolExecutionNotifications": problems}


def _artifact(report: FileReport) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": {"uri": _uri(report.path)}}
    return artifact | ({"hashes": {"sha-256": report.sha256}} if report.sha256 else {})


def _result(found: Reported, rule: int, artifact: int, path: Path) -> dict[str, Any]:
    location = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(path), "index": artifact},
            "region": {"startLine": found.line},
        },
        "logicalLocations": [{"fullyQualifiedName": found.place}],
    }
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [location],
    }


def _uri(path: Path) -> str:
    """Return a path as a URI; relative ones stay so, as services expect them."""
    # Names of files need not be UTF-8.
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
