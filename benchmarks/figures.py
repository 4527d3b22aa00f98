"""Figures of benchmarks: a line each, with the baseline of the same run, the target and a verdict.

Times are processor time, which other work on the machine hardly touches, and medians.
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
COLUMNS = ("value", "baseline", "ratio", "target", "")
WIDTH = 58
Action = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number that was measured."""

    name: str
    value: float
    unit: str = "ms"
    baseline: float | None = None
    """What the value is compared with, of the same run and unit."""
    target: float | None = None
    """The most that is wanted: of the ratio where there is a baseline, else of the value."""

    @property
    def ratio(self) -> float | None:
        """The value as a multiple of the baseline."""
        return self.value / self.baseline if self.baseline else None

    @property
    def verdict(self) -> str:
        """Whether the target is met; nothing without one."""
        if self.target is None:
            return ""
        judged = self.value if self.ratio is None else self.ratio
        return "ok" if judged <= self.target else "MISS"

    def cells(self) -> tuple[str, ...]:
        """Return the texts of the columns behind the name."""
        unit = f" {self.unit}" if self.unit else ""
        is_relative = self.ratio is not None
        return (
            number_text(self.value) + unit,
            "" if self.baseline is None else number_text(self.baseline) + unit,
            "" if self.ratio is None else f"{self.ratio:.2f} ×",
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

    def add(self, name: str, value: float, **more: Any) -> None:
        """Write a figure; see `Figure` for what there may be more."""
        figure = Figure(name=name, value=value, **more)
        self._write(asdict(figure), figure.line())

    def add_growth(self, name: str, sizes: Sequence[int], times: Sequence[float]) -> None:
        """Write the exponent with which times [ms] grow, and the times."""
        values = ", ".join(number_text(value) for value in times)
        self.add(f"{name}: {values} ms", exponent(sizes, times), unit="", target=MOST_GROWTH)

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


def median_ms(
    action: Action,
    *,
    runs: int = 5,
    prepare: Action | None = None,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Return the median time [ms] of an action, each run after `prepare`."""
    return statistics.median(_timed(action, prepare, clock) for _ in range(runs))


def paired_ms(one: Action, other: Action, *, runs: int = 5) -> tuple[float, float]:
    """Return the median times [ms] of two actions that take turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for run in range(runs):
        for number in (0, 1) if run % 2 else (1, 0):
            times[number].append(_timed((one, other)[number], None, time.process_time))
    return statistics.median(times[0]), statistics.median(times[1])


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
