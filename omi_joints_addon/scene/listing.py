"""Findings in the order in which they are shown, counted and sorted by what asks for them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from ..core.findings.finding import Finding, Rule, Severity

Severities = frozenset[Severity]
_SEVERITIES = tuple(Severity)
"""The worst first."""


class Listing:
    """What is wrong with one scene, as it was last listed; sorted when somebody asks."""

    def __init__(self, findings: Sequence[Finding] = (), lost: Sequence[Finding] = ()) -> None:
        self.findings = [*findings]
        """Without those of an engine."""
        self._lost = lost
        """What an engine loses, which is not counted."""

    @cached_property
    def counts(self) -> Counter[Severity]:
        """Number of these findings by severity."""
        return Counter(item.rule.severity for item in self.findings)

    @cached_property
    def _by_rule(self) -> Mapping[Rule, list[Finding]]:
        """All findings by their rule, the worst rules first."""
        found = defaultdict[Rule, list[Finding]](list)
        for item in chain(self.findings, self._lost):
            found[item.rule].append(item)
        return {
            rule: found[rule]
            for rule in sorted(found, key=lambda rule: _SEVERITIES.index(rule.severity))
        }

    def by_rule(self, severities: Severities) -> Mapping[Rule, list[Finding]]:
        """Return the findings of some severities by their rule, the worst rules first."""
        return {rule: found for rule, found in self._by_rule.items() if rule.severity in severities}

    def has_safe_fix(self, severities: Severities) -> bool:
        """Return whether a finding of some severities can be fixed without a thought."""
        return any(rule.is_safe and rule.severity in severities for rule in self._by_rule)
