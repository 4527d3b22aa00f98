"""The order of MuJoCo's unknowns: its factors fill up where bodies that touch are far apart."""

import numpy as np

from ..elimination import Indices, elimination_order

_FEW = 12
"""Bodies for which any order will do."""
_MOST_KEPT = 64


class Ordering:
    """Which block of unknowns each body of a problem has."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[Indices, Indices]] = {}
        """For bodies: the pairs that an order was found for, and the blocks."""

    def blocks(self, bodies: Indices, pairs: Indices) -> Indices:
        """Return the block of each body (m,), given `pairs` (2, p) of them that act on each other.

        Pairs are numbered as the bodies are given, -1 for none.
        """
        count = len(bodies)
        if count <= _FEW:
            return np.arange(count)
        one, other = pairs[:, (pairs >= 0).all(axis=0)]
        codes, key = np.minimum(one, other) * count + np.maximum(one, other), bodies.tobytes()
        known = self._known.get(key)
        if known is None or not _are_in(codes, known[0]):
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            codes = np.unique(codes)
            ends = np.stack(np.divmod(codes, count), axis=1).tolist()
            # MuJoCo eliminates the last of its unknowns first.
            known = codes, np.argsort(elimination_order(count, ends)[::-1])
            self._known[key] = known
        return known[1]


def _are_in(values: Indices, known: Indices) -> bool:
    """Return whether all values are among those known, which are sorted."""
    if not len(values):
        return True
    at = np.searchsorted(known, values)
    return bool(at.max() < len(known) and (known[at] == values).all())
