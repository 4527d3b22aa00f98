"""Findings in the order in which they are shown, counted and sorted by what asks for them."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain

from ..core.findings.finding import Finding, Severity

Severities = frozenset[Severity]


class Listing:
    """What is wrong with one scene, as it was last listed."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        """Without those of an engine."""
        self.counts: Counter[Severity] = Counter()
        """Number of these findings by severity."""
        self._by_rule: defaultdict[str, list[Finding]] = defaultdict(list)
        self._by_severity: defaultdict[Severity, list[Finding]] = defaultdict(list)
        self._with_safe_fix: set[Severity] = set()
        self._worst_first: dict[Severities, list[Finding]] = {}

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings behind those before."""
        for item in findings:
            self.findings.append(item)
            self.counts[item.severity] += 1
            self._by_rule[item.code].append(item)
            self.add_of_engine((item,))

    def add_of_engine(self, findings: Iterable[Finding]) -> None:
        """Add what an engine loses, which is not counted."""
        for item in findings:
            self._by_severity[item.severity].append(item)
            if item.rule.is_safe:
                self._with_safe_fix.add(item.severity)

    def of_rule(self, code: str) -> list[Finding]:
        """Return what breaks one rule."""
        return self._by_rule.get(code, [])

    def worst_first(self, severities: Severities) -> list[Finding]:
        """Return the findings of some severities; they are put together once."""
        found = self._worst_first.get(severities)
        if found is None:
            lists = (self._by_severity.get(each, ()) for each in Severity if each in severities)
            found = self._worst_first[severities] = list(chain.from_iterable(lists))
        return found

    def has_safe_fix(self, severities: Severities) -> bool:
        """Return whether a finding of some severities can be fixed without a thought."""
        return not self._with_safe_fix.isdisjoint(severities)
