"""Joints of several axes in one of two files, which can be several joints in the other."""

from collections.abc import Iterable, Iterator, Mapping, Set

import numpy as np

from ...core.model.pose import Array
from .model import EngineBody, EngineModel

_SAME = 1e-3
"""Sine of the angle between motions that count as the same."""


def moving_alike(
    source: EngineModel,
    written: EngineModel,
    bodies: Iterable[tuple[EngineBody, EngineBody]],
    start: Array,
    joints: Mapping[str, str],
) -> Iterator[tuple[Set[str], Set[str], bool]]:
    """Yield joints of source and file that stand for each other, and whether they move alike.

    `joints` are those that are one of both, by their names in the source; `start` is the motion
    (4, 4) from the file to the source. Bodies before others are first, as `bodies` have them.
    """
    known, others = set(joints), set(joints.values())
    seen: set[tuple[frozenset[str], frozenset[str]]] = set()
    for one, two in bodies:
        left, right = frozenset(one.path) - known, frozenset(two.path) - others
        both = [source.joints[name] for name in left] + [written.joints[name] for name in right]
        has_several = any(not joint.has_one_axis for joint in both)
        if has_several and (left, right) not in seen:
            seen.add((left, right))
            there = _span(source, left, np.eye(4))
            found = _span(written, right, start)
            yield left, right, _are_same(there, found)


def _span(model: EngineModel, names: Iterable[str], start: Array) -> Array:
    """Return an orthonormal basis (n, 6) of the motions that joints allow together."""
    rows = [row for name in names for row in model.joints[name].screws]
    turn, place = start[:3, :3], start[:3, 3]
    moved = np.array(
        [(*(turn @ row[:3]), *(turn @ row[3:] + np.cross(place, turn @ row[:3]))) for row in rows]
    ).reshape(-1, 6)
    _, sizes, basis = np.linalg.svd(moved, full_matrices=False)
    return np.asarray(basis[sizes > _SAME])


def _are_same(one: Array, two: Array) -> bool:
    if len(one) != len(two):
        return False
    return bool(np.linalg.norm(one - one @ two.T @ two) <= _SAME * max(1, len(one)))
