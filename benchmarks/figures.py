"""Figures of benchmarks: a line each, with the baseline of the same run, the target and a verdict.

Times are processor time, which other work on the machine hardly touches, and medians. Where they
come too close to the target for their spread there are more runs.
"""

import gc
import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, TextIO

AS_JSON = "OMI_BENCH_JSON"
"""Variable that has tables written as lines of JSON, for `run.py`."""
SIZES = (1000, 5000, 20000)
"""Numbers of joints at which growth is measured."""
MOST_GROWTH = 1.1
"""Largest exponent where Blender's own time grows in proportion."""
MOST = 2
"""Times as many runs there may be where the target is close."""
COLUMNS = ("value", "baseline", "ratio", "spread", "target", "")
WIDTH = 56
Action = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Samples:
    """What several runs of one thing took."""

    values: Sequence[float]

    @property
    def median(self) -> float:
        """The value in the middle."""
        return statistics.median(self.values)

    @property
    def spread(self) -> float | None:
        """How far off the median may be, as a part of it; None for a single run.

        That is the distance of the quartiles by the root of the number of runs.
        """
        if len(self.values) < 2 or not self.median:
            return None
        low, _middle, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return (high - low) / math.sqrt(len(self.values)) / abs(self.median)

    def over(self, other: "Samples") -> "Samples":
        """Return the ratios to the runs of something else, run by run."""
        return Samples([one / two for one, two in zip(self.values, other.values, strict=True)])

    def is_close_to(self, target: float | None) -> bool:
        """Return whether the median is no farther from a target than it may be off."""
        if target is None:
            return False
        return abs(self.median - target) < abs(self.median) * (self.spread or 0.0)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number that was measured."""

    name: str
    value: float
    unit: str = "ms"
    baseline: float | None = None
    """What the value is compared with, of the same run and unit."""
    ratio: float | None = None
    """The value as a multiple of the baseline, the median of all runs."""
    target: float | None = None
    """The most that is wanted: of the ratio where there is a baseline, else of the value."""
    spread: float | None = None
    """How far off the value or the ratio may be, as a part of it; None for a single run."""

    @property
    def verdict(self) -> str:
        """Whether the target is met, with a ? where the spread leaves it open."""
        if self.target is None:
            return ""
        judged = self.value if self.ratio is None else self.ratio
        is_open = abs(judged - self.target) < judged * (self.spread or 0.0)
        return ("ok" if judged <= self.target else "MISS") + ("?" if is_open else "")

    def cells(self) -> tuple[str, ...]:
        """Return the texts of the columns behind the name."""
        unit = f" {self.unit}" if self.unit else ""
        is_relative = self.ratio is not None
        return (
            number_text(self.value) + unit,
            "" if self.baseline is None else number_text(self.baseline) + unit,
            "" if self.ratio is None else f"{self.ratio:.2f} ×",
            "" if self.spread is None else f"± {100.0 * self.spread:.1f} %",
            "" if self.target is None else f"{self.target:g}" + (" ×" if is_relative else unit),
            self.verdict,
        )

    def line(self) -> str:
        """Return the figure as a line of the table."""
        return line(self.name, self.cells())


def line(name: str, cells: Sequence[str]) -> str:
    """Return one line of a table."""
    return (f"{name:{WIDTH}}" + "".join(f"{cell:>12}" for cell in cells)).rstrip()


def number_text(value: float) -> str:
    """Return a number with three digits that count."""
    digits = 2 if value == 0.0 else min(3, max(0, 2 - math.floor(math.log10(abs(value)))))
    return f"{value:,.{digits}f}"


class Table:
    """Where a benchmark writes its figures; all else that is printed goes to the error output."""

    def __init__(self, title: str) -> None:
        self._out = _output()
        self._is_json = AS_JSON in os.environ
        self._write({"title": title}, f"\n{line(title, COLUMNS)}")

    def add(
        self,
        name: str,
        value: Samples | float,
        *,
        baseline: Samples | float | None = None,
        unit: str = "ms",
        target: float | None = None,
    ) -> None:
        """Write a figure; runs and those of the baseline have taken turns."""
        here = value if isinstance(value, Samples) else Samples([value])
        there = Samples([baseline]) if isinstance(baseline, float) else baseline
        judged = here if there is None else here.over(there)
        figure = Figure(
            name=name,
            value=here.median,
            unit=unit,
            baseline=None if there is None else there.median,
            ratio=None if there is None else judged.median,
            target=target,
            spread=judged.spread,
        )
        self._write(asdict(figure), figure.line())

    def add_growth(
        self,
        name: str,
        sizes: Sequence[int],
        times: Sequence[float],
        *,
        baseline: Sequence[float] | None = None,
    ) -> None:
        """Write the exponent with which times [ms] grow, and the times.

        The target is `MOST_GROWTH`, or the exponent of Blender's own times where that is more.
        """
        own = None if baseline is None else exponent(sizes, baseline)
        figure = Figure(
            name=f"{name}: {', '.join(map(number_text, times))} ms",
            value=exponent(sizes, times),
            unit="",
            baseline=own,
            target=max(MOST_GROWTH, round(own or 0.0, 2)),
        )
        self._write(asdict(figure), figure.line())

    def _write(self, value: dict[str, Any], text: str) -> None:
        self._out.write((json.dumps(value) if self._is_json else text) + "\n")
        self._out.flush()


@lru_cache(maxsize=1)
def _output() -> TextIO:
    """Return the output; what else is printed there goes to the error output from now on."""
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Blender writes its log from C, past Python's streams.
    os.dup2(2, 1)
    return out


def times_ms(
    action: Action,
    *,
    runs: int = 5,
    prepare: Action | None = None,
    clock: Callable[[], float] = time.process_time,
    target: float | None = None,
) -> Samples:
    """Return the times [ms] of an action, each run after `prepare`."""
    times: list[float] = []
    while _are_wanted(times, runs, Samples(times), target):
        times.append(_timed(action, prepare, clock))
    return Samples(times)


def paired_ms(
    one: Action,
    other: Action,
    *,
    runs: int = 5,
    target: float | None = None,
    clock: Callable[[], float] = time.process_time,
) -> tuple[Samples, Samples]:
    """Return the times [ms] of two actions that take turns; `target` is one of their ratio.

    `clock` is another one where processes of their own do part of it.
    """
    times: tuple[list[float], list[float]] = ([], [])
    samples = Samples(times[0]), Samples(times[1])
    while _are_wanted(times[0], runs, samples[0].over(samples[1]), target):
        for number in (0, 1) if len(times[0]) % 2 else (1, 0):
            times[number].append(_timed((one, other)[number], None, clock))
    return samples


def _are_wanted(times: Sequence[float], runs: int, judged: Samples, target: float | None) -> bool:
    """Return whether there are to be more runs: `runs` at least, and up to `MOST` times as many."""
    return len(times) < runs or (len(times) < MOST * runs and judged.is_close_to(target))


def _timed(action: Action, prepare: Action | None, clock: Callable[[], float]) -> float:
    if prepare is not None:
        prepare()
    gc.collect()
    start = clock()
    action()
    return 1000.0 * (clock() - start)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Return the exponent with which times grow, the least squares of their logarithms."""
    across = [math.log(size) for size in sizes]
    up = [math.log(max(value, 1e-6)) for value in times]
    return statistics.linear_regression(across, up).slope
