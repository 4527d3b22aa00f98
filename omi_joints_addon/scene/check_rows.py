"""Rows of the list of checks: one for each rule, and below one that is open its objects."""

from dataclasses import dataclass

import bpy

from ..core.findings.finding import Finding, Rule
from ..properties.window import opened_rule
from .findings import shown_by_rule

_MOST = 100
"""Objects of one rule that are listed; nobody reads more."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A rule with all that breaks it, or one thing that does."""

    rule: Rule
    findings: list[Finding]
    is_object: bool = False

    @property
    def is_open(self) -> bool:
        """Whether its objects are listed below."""
        return not self.is_object and self.rule.code == opened_rule()


def check_rows(scene: bpy.types.Scene) -> list[CheckRow]:
    """Return the rows as far as findings are known."""
    rows = []
    for rule, found in shown_by_rule(scene).items():
        rows.append(CheckRow(rule, found))
        if rows[-1].is_open:
            rows += [CheckRow(rule, [each], is_object=True) for each in found[:_MOST]]
    return rows
