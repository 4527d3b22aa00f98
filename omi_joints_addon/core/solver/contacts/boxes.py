"""Which boxes along the axes overlap, by a tree of boxes that lie close to each other."""

import numpy as np

from ...model.pose import Array
from ..elimination import Indices

_BRANCHES = 8
_CELLS = 2**10
"""Cells per axis by which boxes are sorted: as many as ten bits can number."""


class BoxTree:
    """Boxes (n, 3) along the axes, from `low` to `high`."""

    def __init__(self, low: Array, high: Array) -> None:
        """Sort the boxes along a curve that fills space, and enclose each eight of a level."""
        self._order = np.argsort(_along_curve(0.5 * (low + high)), kind="stable")
        self._levels = [(low[self._order], high[self._order])]
        while len(self._levels[-1][0]) > _BRANCHES:
            lower, upper = self._levels[-1]
            starts = np.arange(0, len(lower), _BRANCHES)
            enclosing = np.minimum.reduceat(lower, starts), np.maximum.reduceat(upper, starts)
            self._levels.append(enclosing)

    def overlapping(self, low: Array, high: Array) -> tuple[Indices, Indices]:
        """Return the pairs of other boxes (m, 3) and own ones that overlap, sorted, (p,) each."""
        top = len(self._levels[-1][0])
        other, own = np.divmod(np.arange(len(low) * top), max(top, 1))
        for number in range(len(self._levels) - 1, -1, -1):
            lower, upper = self._levels[number]
            meets = ((lower[own] <= high[other]) & (low[other] <= upper[own])).all(axis=1)
            other, own = other[meets], own[meets]
            if number:
                below = own[:, None] * _BRANCHES + np.arange(_BRANCHES)
                exists = below < len(self._levels[number - 1][0])
                other, own = np.repeat(other, exists.sum(axis=1)), below[exists]
        own = self._order[own]
        order = np.lexsort((own, other))
        return other[order], own[order]


def _along_curve(points: Array) -> Indices:
    """Return numbers (n,) of points (n, 3) along Morton's curve."""
    least = points.min(axis=0)
    size = max(float((points.max(axis=0) - least).max()), 1e-12)
    cells = np.minimum((points - least) / size * _CELLS, _CELLS - 1).astype(np.int64)
    for shift, mask in ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)):
        cells = (cells | (cells << shift)) & mask
    return np.asarray(cells @ np.array((1, 2, 4)))
