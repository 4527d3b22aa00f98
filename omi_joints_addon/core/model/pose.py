"""Rigid poses as arrays.

Positions (..., 3) in meters, rotations (..., 4) as quaternions x, y, z, w (glTF order).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
_CONJUGATE: Array = np.array((-1.0, -1.0, -1.0, 1.0))
_UNITS: Array = np.eye(3)
_FIRST = np.array((0, 1, 2, 7, 3, 4, 5, 2, 6, 7, 8, 3, 7, 2, 3, 0))
_SECOND = np.array((0, 3, 6, 5, 1, 4, 7, 6, 2, 5, 8, 1, 5, 6, 1, 0))
_SIGN: Array = np.array((1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, -1, -1, -1, 1), float)
"""Elements of a 3x3 matrix of which those of the 4x4 one in `rotation_from_matrix` are sums."""
_AFTER, _BEFORE = np.array((1, 2, 0)), np.array((2, 0, 1))


@dataclass(frozen=True, slots=True)
class Pose:
    """A pose, or an array of poses of any leading shape."""

    position: Array
    """[m], shape (..., 3)."""
    rotation: Array
    """Unit quaternions x, y, z, w, shape (..., 4)."""

    def at(self, index: int | Sequence[int] | NDArray[np.intp]) -> "Pose":
        """Return one of several poses, or those that are chosen."""
        return Pose(self.position[index], self.rotation[index])


def quaternion_product(left: ArrayLike, right: ArrayLike) -> Array:
    """Return left * right, the rotation `right` followed by `left`; shapes (..., 4) broadcast."""
    a, b = np.asarray(left, float), np.asarray(right, float)
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + cross(a[..., :3], b[..., :3])
    scalar = a[..., 3] * b[..., 3] - (a[..., :3] * b[..., :3]).sum(axis=-1)
    return np.concatenate((vector, scalar[..., None]), axis=-1)


def quaternion_conjugate(rotation: ArrayLike) -> Array:
    """Return the inverse of unit quaternions, shape (..., 4)."""
    return np.asarray(rotation, float) * _CONJUGATE


def rotate(rotation: ArrayLike, vector: ArrayLike) -> Array:
    """Return vectors (..., 3) rotated by unit quaternions (..., 4)."""
    q, v = np.asarray(rotation, float), np.asarray(vector, float)
    t = 2.0 * cross(q[..., :3], v)
    return np.asarray(v + q[..., 3:] * t + cross(q[..., :3], t))


def rotation_matrix(rotation: ArrayLike) -> Array:
    """Return the matrices (..., 3, 3) of unit quaternions (..., 4).

    Columns are the rotated axes.
    """
    return np.swapaxes(rotate(np.asarray(rotation, float)[..., None, :], _UNITS), -1, -2)


def rotation_from_matrix(matrix: ArrayLike) -> Array:
    """Return unit quaternions (..., 4), w >= 0, of proper rotation matrices (..., 3, 3).

    Source: Bar-Itzhack, "New Method for Extracting the Quaternion from a Rotation Matrix" (2000):
    the dominant eigenvector of a symmetric 4x4 matrix, which also gives the nearest rotation to a
    noisy one.
    """
    m = np.asarray(matrix, float)
    flat = m.reshape(*m.shape[:-2], 9)
    k = flat.take(_FIRST, -1) + _SIGN * flat.take(_SECOND, -1)
    trace = flat[..., 0] + flat[..., 4] + flat[..., 8]
    k[..., 0:11:5] -= trace[..., None]
    k[..., 15] = trace
    vector = np.linalg.eigh(k.reshape(*m.shape[:-2], 4, 4))[1][..., -1]
    return np.where(vector[..., 3:] < 0.0, -vector, vector)


def pose_from_matrix(matrix: ArrayLike) -> Pose:
    """Return the poses of affine matrices (..., 4, 4), scale removed.

    A sheared matrix gives the rotation nearest to its normalized columns; a mirrored one that of
    its columns turned round; an axis scaled to zero counts as the unit axis.
    """
    m = np.asarray(matrix, float)
    linear = m[..., :3, :3]
    length = np.sqrt((linear * linear).sum(axis=-2, keepdims=True))
    columns = np.where(length > 0.0, linear / np.where(length > 0.0, length, 1.0), _UNITS)
    return Pose(m[..., :3, 3], rotation_from_matrix(columns * handedness(columns)[..., None, None]))


def handedness(matrix: ArrayLike) -> Array:
    """Return -1 for affine or linear matrices that mirror, 1 for others."""
    determinants = np.linalg.det(np.asarray(matrix, float)[..., :3, :3])
    return np.where(determinants < 0.0, -1.0, 1.0)


def matrix_from_pose(pose: Pose) -> Array:
    """Return the affine matrices (..., 4, 4) of poses."""
    matrix = np.zeros((*pose.position.shape[:-1], 4, 4))
    matrix[..., :3, :3] = rotation_matrix(pose.rotation)
    matrix[..., :3, 3] = pose.position
    matrix[..., 3, 3] = 1.0
    return matrix


def relative_pose(frame_a: Pose, frame_b: Pose) -> Pose:
    """Return frame b seen from frame a: position in a's axes, rotation q_a* · q_b.

    Shapes broadcast.
    """
    inverse = quaternion_conjugate(frame_a.rotation)
    return Pose(
        rotate(inverse, frame_b.position - frame_a.position),
        quaternion_product(inverse, frame_b.rotation),
    )


def compose(outer: Pose, inner: Pose) -> Pose:
    """Return `inner`, given in `outer`'s axes, in the space that `outer` is given in.

    Shapes broadcast.
    """
    return Pose(
        outer.position + rotate(outer.rotation, inner.position),
        quaternion_product(outer.rotation, inner.rotation),
    )


def inverse_pose(pose: Pose) -> Pose:
    """Return the pose of the outer space in that of a pose."""
    rotation = quaternion_conjugate(pose.rotation)
    return Pose(-rotate(rotation, pose.position), rotation)


def cross(left: Array, right: Array) -> Array:
    """Return cross products of vectors (..., 3); for few of them much quicker than numpy's own."""
    found = left.take(_AFTER, -1) * right.take(_BEFORE, -1)
    found -= left.take(_BEFORE, -1) * right.take(_AFTER, -1)
    return found
