"""Findings: what is wrong or surprising in a joint, a body or a document, said for an artist."""

from dataclasses import dataclass, replace
from typing import Any

from .rules import RULES, Rule, Severity

__all__ = ["Finding", "Rule", "Severity", "finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of a rule about one place."""

    code: str
    """Stable code of the rule, a key of `rules.RULES`."""
    place: str
    """Name of the object, or JSON pointer (RFC 6901) into the document, optionally after `#`."""
    message: str
    """Sentence for an artist, naming what to do where there is something to do."""
    part: str = ""
    """JSON pointer of a limit or drive within the settings at `place`; empty is no such part."""

    @property
    def severity(self) -> Severity:
        """Severity of the rule."""
        return RULES[self.code].severity

    def at(self, place: str) -> "Finding":
        """Return the same finding about another place."""
        return replace(self, place=place)

    def __str__(self) -> str:
        """Return one line for logs and terminals."""
        return f"{self.severity} {self.code} {self.place}: {self.message}"


def finding(code: str, place: str, part: str = "", **values: Any) -> Finding:
    """Return the finding of rule `code` about `place`, the rule's sentence filled with `values`."""
    return Finding(code, place, RULES[code].sentence.format(**values), part)
