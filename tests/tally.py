"""Counts of random cases and their seeds, printed at the end of a run in one line each."""

from collections import Counter
from collections.abc import Iterable


class Tally:
    """What ran in one pytest, by the name of what it attacks."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._seeds: dict[str, list[str]] = {}

    def add(self, attack: str, seed: object, outcome: str = "") -> None:
        """Count a case by its seed, and how it ended where cases end differently."""
        counts = self._counts.setdefault(attack, Counter())
        counts["cases"] += 1
        if outcome:
            counts[outcome] += 1
        self._seeds.setdefault(attack, []).append(str(seed))

    def lines(self) -> Iterable[str]:
        """Yield a line for each attack: how many cases, from which seed to which."""
        for attack, counts in self._counts.items():
            seeds = self._seeds[attack]
            ends = [f"{number:,} {name}" for name, number in counts.items() if name != "cases"]
            told = f" ({', '.join(ends)})" if ends else ""
            yield f'{attack}: {counts["cases"]:,} cases{told}, seeds "{seeds[0]}" to "{seeds[-1]}"'
