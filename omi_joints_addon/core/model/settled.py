"""Poses without the digits that rounding leaves, so that the second write of a file is the first.

Poses in a tree are products and quotients of poses: read and written again, their last digits
differ. What is written is taken from a grid that is coarser than rounding and finer than what any
engine keeps; reading leads back to the same point of it.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from .pose import Array, rotation_from_matrix, rotation_matrix

DECIMALS = 13
_RIGID = 1e-9
"""Difference from a rotation that counts as none."""
_EXACT = 1e-14
_ALIKE = 1e-6
"""Difference of components of a quaternion that count as equal."""


def settled(values: ArrayLike, *, least: float = 1.0) -> Array:
    """Return numbers rounded to `DECIMALS` of the power of ten above the largest of them.

    Where all are smaller than `least`, that is the largest.
    """
    found = np.asarray(values, float)
    largest = float(np.abs(found).max(initial=least))
    if not math.isfinite(largest):
        return found
    return found.round(DECIMALS - math.ceil(math.log10(largest))) + 0.0


def settled_rotation(rotation: ArrayLike) -> Array:
    """Return a unit quaternion (4,) on the grid: three components are, the largest follows.

    Rotations whose matrices have no more decimals stay exact, such as quarter turns.
    """
    found = np.asarray(rotation, float)
    matrix = rotation_matrix(found).round(DECIMALS)
    if np.abs(matrix.T @ matrix - np.eye(3)).max() < _EXACT:
        return rotation_from_matrix(matrix) + 0.0
    sizes = np.abs(found)
    largest = int(np.flatnonzero(sizes > sizes.max() - _ALIKE)[-1])
    result = settled(found if found[largest] > 0.0 else -found)
    result[largest] = 0.0
    result[largest] = math.sqrt(max(0.0, 1.0 - float(result @ result)))
    return result


def settled_matrix(matrix: ArrayLike) -> Array:
    """Return a matrix (4, 4) on the grid, which is rigid where it was."""
    found = np.asarray(matrix, float)
    linear, result = found[:3, :3], settled(found)
    is_rigid = np.abs(linear.T @ linear - np.eye(3)).max() < _RIGID and np.linalg.det(linear) > 0.0
    result[:3, 3] = settled(found[:3, 3])
    if is_rigid:
        result[:3, :3] = rotation_matrix(settled_rotation(rotation_from_matrix(linear))) + 0.0
    return result
