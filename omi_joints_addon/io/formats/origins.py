"""Poses as URDF and SDF write them: a place, then angles about the fixed axes X, Y and Z.

[m] and [rad].
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...core.model.pose import Array
from ...core.model.settled import DECIMALS, settled

Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)
_GIMBAL = 1e-9
"""Cosine of the pitch below which roll and yaw turn about one axis."""


class Origin(NamedTuple):
    """A pose."""

    xyz: Vector = ZERO
    rpy: Vector = ZERO
    """About the fixed axes X, then Y, then Z."""

    def matrix(self) -> Array:
        """Return the pose as a matrix, shape (4, 4)."""
        return np.asarray(matrices_of_origins([self])[0])


HERE = Origin()


def matrices_of_origins(origins: Sequence[Origin]) -> Array:
    """Return poses as matrices, shape (n, 4, 4)."""
    angles = [angle for origin in origins for angle in origin.rpy]
    # Those of numpy differ between processors in the last digit.
    (sr, sp, sy), (cr, cp, cy) = (
        np.array(list(map(function, angles))).reshape(-1, 3).T for function in (math.sin, math.cos)
    )
    matrices = np.zeros((len(origins), 4, 4))
    matrices[:, 0, 0], matrices[:, 1, 0], matrices[:, 2, 0] = cy * cp, sy * cp, -sp
    matrices[:, 0, 1], matrices[:, 0, 2] = cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    matrices[:, 1, 1], matrices[:, 1, 2] = sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    matrices[:, 2, 1], matrices[:, 2, 2] = cp * sr, cp * cr
    matrices[:, :3, 3] = np.array([origin.xyz for origin in origins]).reshape(-1, 3)
    matrices[:, 3, 3] = 1.0
    return matrices


def origins_of_matrices(matrices: ArrayLike) -> list[Origin]:
    """Return the poses of rigid matrices (n, 4, 4), without the digits that rounding leaves.

    The pitch comes from atan2, since asin loses half of the digits near a quarter turn. There the
    yaw loses digits, too: it has fewer the nearer that is, at last none, and the roll completes it.
    """
    m = np.asarray(matrices, float).reshape(-1, 4, 4)
    cosine = np.hypot(m[:, 0, 0], m[:, 1, 0])
    pitch = np.arctan2(-m[:, 2, 0], cosine)
    yaw = np.where(cosine > _GIMBAL, np.arctan2(m[:, 1, 0], m[:, 0, 0]), 0.0)
    yaw = _rounded(yaw, np.floor(DECIMALS + np.log10(np.maximum(cosine, _GIMBAL))))
    # The second row of the rotation without its yaw has the sine and the cosine of the roll.
    across = np.cos(yaw)[:, None] * m[:, 1, :3] - np.sin(yaw)[:, None] * m[:, 0, :3]
    roll = np.arctan2(-across[:, 2], across[:, 1])
    angles = np.column_stack((_rounded(roll, DECIMALS), pitch.round(DECIMALS) + 0.0, yaw))
    places = settled(m[:, :3, 3])
    return list(map(_origin, places.tolist(), angles.tolist()))


def _rounded(angles: Array, decimals: ArrayLike) -> Array:
    """Return angles with some decimals, half a turn in one direction only."""
    power = 10.0 ** np.asarray(decimals, float)
    found = np.rint(angles * power) / power + 0.0
    return np.where(np.abs(found) + 0.5 / power >= math.pi, math.pi, found)


def _origin(xyz: list[float], rpy: list[float]) -> Origin:
    return Origin((xyz[0], xyz[1], xyz[2]), (rpy[0], rpy[1], rpy[2]))


def origin_of_matrix(matrix: ArrayLike) -> Origin:
    """Return the pose of a rigid matrix (4, 4)."""
    return origins_of_matrices(matrix)[0]
