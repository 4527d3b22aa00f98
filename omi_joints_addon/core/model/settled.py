"""Poses without the digits that rounding leaves, so that the second write of a file is the first.

Poses in a tree are products and quotients of poses: read and written again, their last digits
differ. What is written is taken from a grid that is coarser than rounding and finer than what any
engine keeps; reading leads back to the same point of it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .pose import Array, rotation_from_matrix, rotation_matrix

DECIMALS = 13
_RIGID = 1e-9
"""Difference from a rotation that counts as none."""
_FEW, _NEAR, _EXACT = 8, 1e-12, 1e-14
"""Decimals of matrices that are exact rotations, and how far rotations may be from them."""
_ALIKE = 1e-6
"""Difference of components of a unit vector that count as equal."""


def settled(values: ArrayLike, *, least: float = 1.0) -> Array:
    """Return numbers rounded to `DECIMALS` of the power of ten above the largest of them.

    Where all are smaller than `least`, that is the largest. Of arrays (..., n) each row is by
    itself.
    """
    found = np.asarray(values, float)
    rows = np.atleast_1d(found)
    largest = np.abs(rows).max(axis=-1, initial=least, keepdims=True)
    with np.errstate(all="ignore"):
        digits = DECIMALS - np.ceil(np.log10(largest))
        power = 10.0 ** np.abs(digits)
        many, few = np.rint(rows * power) / power, np.rint(rows / power) * power
        rounded = np.where(digits < 0.0, few, many) + 0.0
    return np.asarray(np.where(np.isfinite(largest), rounded, rows).reshape(found.shape))


def settled_rotation(rotation: ArrayLike) -> Array:
    """Return unit quaternions (..., 4) on the grid: three components are, the largest follows.

    Rotations whose matrices have few decimals stay exact, such as quarter turns.
    """
    found = np.asarray(rotation, float)
    whole = rotation_matrix(found)
    matrix = whole.round(_FEW)
    # With all decimals of the grid, matrices could be exact rotations by chance.
    is_near = np.abs(matrix - whole).max(axis=(-2, -1)) < _NEAR
    is_exact = is_near & (_distance_from_rotation(matrix) < _EXACT)
    result = np.where(is_exact[..., None], rotation_from_matrix(matrix), settled_unit(found))
    signs = np.where((result * _is_largest(result)).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return np.asarray(result * signs + 0.0)


def settled_unit(vector: ArrayLike) -> Array:
    """Return unit vectors (..., n) on the grid: all components but the largest, which follows."""
    found = np.asarray(vector, float)
    is_largest = _is_largest(found)
    result = np.where(is_largest, 0.0, settled(found))
    rest = np.sqrt(np.maximum(0.0, 1.0 - (result * result).sum(axis=-1, keepdims=True)))
    return np.where(is_largest, np.copysign(rest, found), result)


def settled_matrix(matrix: ArrayLike) -> Array:
    """Return matrices (..., 4, 4) on the grid, which are rigid where they were."""
    found = np.asarray(matrix, float)
    linear = found[..., :3, :3]
    result = settled(found.reshape(*found.shape[:-2], 16)).reshape(found.shape)
    is_rigid = (_distance_from_rotation(linear) < _RIGID) & (np.linalg.det(linear) > 0.0)
    result[..., :3, 3] = settled(found[..., :3, 3])
    rigid = np.where(is_rigid[..., None, None], linear, np.eye(3))
    turned = rotation_matrix(settled_rotation(rotation_from_matrix(rigid))) + 0.0
    result[..., :3, :3] = np.where(is_rigid[..., None, None], turned, result[..., :3, :3])
    return result


def _is_largest(vectors: Array) -> NDArray[np.bool_]:
    """Return which component of vectors (..., n) is the largest, the last of those alike."""
    sizes = np.abs(vectors)
    are_alike = sizes > sizes.max(axis=-1, keepdims=True) - _ALIKE
    return np.asarray(are_alike & (np.cumsum(are_alike[..., ::-1], axis=-1)[..., ::-1] == 1))


def _distance_from_rotation(matrix: Array) -> Array:
    """Return how far matrices (..., 3, 3) are from having orthonormal columns."""
    product = np.swapaxes(matrix, -1, -2) @ matrix
    return np.asarray(np.abs(product - np.eye(3)).max(axis=(-2, -1)))
