"""One field in which two scenes differ, and when values and places count as equal."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...closeness import READ, is_close
from ..findings.loss import Noun
from ..model.pose import Array

CLOSE = READ.relative
"""Relative difference of numbers, and meters and parts of a unit axis, that count as equal."""


class Difference(NamedTuple):
    """One field that is not the same."""

    node: int
    """Node of the body, joint, collider or visual in the first scene; -1 is the whole scene."""
    noun: Noun


def are_same_places(ones: Array, others: Array, reach: float) -> NDArray[np.bool_]:
    """Return which world matrices (n, 4, 4) are equal within rounding, shape (n,)."""
    ones, others = (each.reshape(-1, 4, 4) for each in (ones, others))
    scale = np.maximum(reach, np.abs(ones[:, :3, 3]).max(axis=1, initial=0.0))
    are_same = np.abs(ones - others).max(axis=(1, 2), initial=0.0) <= CLOSE * scale
    return np.asarray(are_same)


def is_read_back(one: object, other: object) -> bool:
    """Return whether a value of a scene is that of another, which was written and read again."""
    return is_close(one, other, READ)
