"""Findings: what is wrong or surprising in a joint, a body or a document, in words for an artist.

A rule is a value beside the check that raises it; calling it makes a finding:

    SOFT_UNDAMPED = rule("OMI-J109", WARNING, "limit {number} is soft …", reason="…")

    yield SOFT_UNDAMPED("", part, number=2)

Codes are stable, never reused or renumbered: J0xx structure, J1xx limits, J2xx drives, J3xx frames,
J4xx documents, B0xx bodies, S0xx shapes, P0xx preview, Exxx engines.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from .fix import Fix
from .sentence import Sentence


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """The joint cannot work, or the file is invalid."""
    WARNING = "warning"
    """An engine will surprise the artist."""
    INFO = "info"


ERROR, WARNING, INFO = Severity


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule, which is called to make a finding of it."""

    code: str
    """Stable code, such as OMI-J101; never reused."""
    severity: Severity
    """How much its findings matter."""
    sentence: str
    """Format string of the message; its fields are the parameters of the rule."""
    reason: str
    """Why it matters, with the clause of the specification or the engine it comes from."""
    fix: Fix | None
    """What can be done about it in Blender."""
    is_safe: bool
    """Whether the fix keeps all that the file means, so that it needs no thought."""
    parameters: frozenset[str]
    """Names of the fields of the sentence."""

    def __call__(self, place: str = "", part: str = "", /, **values: str | float) -> "Finding":
        """Return the finding about `place`, the sentence filled with `values`.

        Raises `TypeError` where values are missing, or are not among the rule's parameters.
        """
        if values.keys() != self.parameters:
            wrong = ", ".join(sorted(values.keys() ^ self.parameters))
            raise TypeError(f"{self.code}: missing or unknown parameters: {wrong}")
        return Finding(self, place, Sentence(self.sentence, **values), part)


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of a rule about one place."""

    rule: Rule
    place: str
    """Name of the object, or JSON pointer (RFC 6901) into the document, optionally after `#`."""
    message: str
    """Sentence for an artist, naming what to do where there is something to do."""
    part: str = ""
    """JSON pointer of a limit or drive within the settings at `place`; empty is no such part."""

    @property
    def code(self) -> str:
        """Stable code of the rule."""
        return self.rule.code

    @property
    def severity(self) -> Severity:
        """Severity of the rule."""
        return self.rule.severity

    def at(self, place: str) -> "Finding":
        """Return the same finding about another place."""
        return Finding(self.rule, place, self.message, self.part)

    def __str__(self) -> str:
        """Return one line for logs and terminals."""
        place = f" {self.place}" if self.place else ""
        return f"{self.severity} {self.code}{place}: {self.message}"


_rules: dict[str, Rule] = {}


def rule(
    code: str,
    severity: Severity,
    sentence: str,
    *,
    reason: str,
    fix: Fix | None = None,
    is_safe: bool = False,
) -> Rule:
    """Return a new rule; raise `ValueError` where its code is taken."""
    if code in _rules:
        raise ValueError(f"{code} is the code of another rule: {_rules[code].sentence}")
    fields = frozenset(re.findall(r"{(\w+)", sentence))
    _rules[code] = Rule(code, severity, sentence, reason, fix, is_safe, fields)
    return _rules[code]


def rules() -> Mapping[str, Rule]:
    """Return the rules of all modules that were imported, by code."""
    return MappingProxyType(_rules)
