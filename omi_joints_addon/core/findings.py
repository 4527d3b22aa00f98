"""Findings: what is wrong or surprising in a joint, a body or a document, said so that an artist can act."""

from dataclasses import dataclass
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

    @property
    def severity(self) -> Severity:
        """Severity of the rule."""
        return RULES[self.code].severity

    def __str__(self) -> str:
        """Return one line for logs and terminals."""
        return f"{self.severity} {self.code} {self.place}: {self.message}"


def finding(code: str, place: str, **values: Any) -> Finding:
    """Return the finding of rule `code` about `place`, the rule's sentence filled with `values`."""
    return Finding(code, place, RULES[code].sentence.format(**values))
