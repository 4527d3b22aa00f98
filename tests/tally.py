"""Counts of random cases and their seeds, printed at the end of a run in one line each."""

import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


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
            end = f" ({', '.join(ends)})" if ends else ""
            yield f'{attack}: {counts["cases"]:,} cases{end}, seeds "{seeds[0]}" to "{seeds[-1]}"'


class Faults:
    """What failed among the cases of one test: one bad case hides no other."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    @contextmanager
    def of(self, seed: object) -> Iterator[None]:
        """Keep what fails in the block."""
        try:
            yield
        except Exception:  # noqa: BLE001 - reported at the end
            self._texts.append(f"{seed}: {traceback.format_exc()[-1500:]}")

    def tell(self) -> None:
        """Fail where a case has failed."""
        assert not self._texts, "\n".join([f"{len(self._texts)} failed", *self._texts[:10]])
