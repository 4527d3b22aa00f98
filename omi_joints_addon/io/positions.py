"""Positions of joints over time, as a table: the program of a robot, or a recorded motion.

The first column is the time [s]; each other one has the name of a joint and its positions along or
about its driven axis, in meters or radians. `NAME.x`, `NAME.y`, `NAME.z` and `NAME.rx`, `NAME.ry`,
`NAME.rz`, as `simulate` writes them, name the axis. Empty cells are no positions.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.findings.sentence import Sentence
from ..core.model.pose import Array
from .files import opened

_MOST = 64 * 2**20
_TIMES = ("time", "t", "seconds", "timestamp")


class PositionsError(ValueError):
    """A table that cannot be used; the text is the reason, in one line."""


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions of joints over time."""

    seconds: Array
    """Ascending, shape (n,)."""
    columns: dict[str, Array]
    """Positions by the name of their column, shape (n,); nan where there is no position."""


def positions_of(path: Path) -> Positions:
    """Return the positions of a file, of 64 MiB at most; raises `PositionsError`."""
    try:
        with opened(path) as file:
            return positions_from_csv(file.read(_MOST).decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise PositionsError(getattr(error, "strerror", None) or str(error)) from error


def positions_from_csv(text: str) -> Positions:
    """Return the positions of a table with commas or semicolons; raises `PositionsError`."""
    head, *rows = [row for row in csv.reader(io.StringIO(text), _dialect_of(text)) if any(row)]
    names = [name.strip() for name in head]
    if names[0].lower() not in _TIMES:
        raise PositionsError(
            Sentence("the first column is {name!r}, but has to be time", name=names[0][:40])
        )
    if not rows:
        raise PositionsError("the table has no rows")
    table = np.array([_numbers(row, len(names), line) for line, row in enumerate(rows, 2)])
    if not np.isfinite(table[:, 0]).all() or (np.diff(table[:, 0]) <= 0.0).any():
        raise PositionsError("the times do not ascend")
    columns = {name: table[:, number] for number, name in enumerate(names) if number and name}
    return Positions(table[:, 0], columns)


def _dialect_of(text: str) -> type[csv.Dialect]:
    head = text.lstrip("\ufeff").partition("\n")[0]
    if not head.strip():
        raise PositionsError("the table has no first row with names")

    class Dialect(csv.excel):
        delimiter = max((",", ";", "\t"), key=head.count)

    return Dialect


def _numbers(row: list[str], count: int, line: int) -> list[float]:
    cells = [*row, *[""] * count][:count]
    try:
        return [float(cell) if cell.strip() else np.nan for cell in cells]
    except ValueError as error:
        raise PositionsError(
            Sentence("line {line} has {problem}", line=line, problem=str(error)[:80])
        ) from error
