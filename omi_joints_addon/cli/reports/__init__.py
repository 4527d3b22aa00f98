"""Formats of reports of `check`, one module each, loaded when it is used."""

from collections.abc import Callable, Mapping
from importlib import import_module

from .report import Report

__all__ = ["REPORTS", "Report"]


def _from(module: str, name: str) -> Callable[..., Report]:
    def made(**values: object) -> Report:
        report: Report = getattr(import_module(f".{module}", __package__), name)(**values)
        return report

    return made


REPORTS: Mapping[str, Callable[..., Report]] = {
    "text": _from("text_report", "TextReport"),
    "json": _from("json_report", "JsonReport"),
    "sarif": _from("sarif_report", "SarifReport"),
    "github": _from("github_report", "GithubReport"),
    "junit": _from("junit_report", "JunitReport"),
}
"""What makes each report, by the name of its format; takes `least` and `level`."""
