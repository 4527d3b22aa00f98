"""Findings in the order in which they are shown, counted and sorted by what asks for them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from ..core.findings.finding import Finding, Rule, Severity

Severities = frozenset[Severity]


class Listing:
    """What is wrong with one scene, as it was last listed; sorted when somebody asks."""

    def __init__(self, findings: Sequence[Finding] = (), lost: Sequence[Finding] = ()) -> None:
        self.findings = [*findings]
        """Without those of an engine."""
        self._lost = lost
        """What an engine loses, which is not counted."""
        self._worst_first: dict[Severities, list[Finding]] = {}
        self._grouped: dict[Severities, Mapping[Rule, list[Finding]]] = {}

    @cached_property
    def counts(self) -> Counter[Severity]:
        """Number of these findings by severity."""
        counts = Counter[Severity]()
        for rule, found in self._by_rule.items():
            counts[rule.severity] += len(found)
        return counts

    @cached_property
    def _by_rule(self) -> Mapping[Rule, list[Finding]]:
        found = defaultdict[Rule, list[Finding]](list)
        for item in self.findings:
            found[item.rule].append(item)
        return found

    @cached_property
    def _by_severity(self) -> Mapping[Severity, list[Finding]]:
        found = defaultdict[Severity, list[Finding]](list)
        for item in chain(self.findings, self._lost):
            found[item.rule.severity].append(item)
        return found

    @cached_property
    def _with_safe_fix(self) -> Severities:
        rules = {item.rule for item in chain(self.findings, self._lost)}
        return frozenset(rule.severity for rule in rules if rule.is_safe)

    def worst_first(self, severities: Severities) -> list[Finding]:
        """Return the findings of some severities; they are put together once."""
        found = self._worst_first.get(severities)
        if found is None:
            lists = (self._by_severity.get(each, ()) for each in Severity if each in severities)
            found = self._worst_first[severities] = list(chain.from_iterable(lists))
        return found

    def by_rule(self, severities: Severities) -> Mapping[Rule, list[Finding]]:
        """Return the findings of some severities by their rule, the worst rules first."""
        known = self._grouped.get(severities)
        if known is None:
            found = defaultdict[Rule, list[Finding]](list)
            for item in self.worst_first(severities):
                found[item.rule].append(item)
            known = self._grouped[severities] = found
        return known

    def has_safe_fix(self, severities: Severities) -> bool:
        """Return whether a finding of some severities can be fixed without a thought."""
        return not self._with_safe_fix.isdisjoint(severities)
