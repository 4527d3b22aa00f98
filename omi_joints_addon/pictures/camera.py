"""Where the camera of a picture stands."""

import math

import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array

ANGLES = (math.radians(62.0), math.radians(-35.0))
FIELD_OF_VIEW = math.radians(30.0)
"""Angle that the larger side of the picture spans."""
MARGIN = 1.32
LEAST_RADIUS = 0.01
"""Smallest scene [m] that fills a picture."""


def camera_matrix(
    points: NDArray[np.float32], size: tuple[int, int], angles: tuple[float, float] = ANGLES
) -> Array:
    """Return the world matrix (4, 4) of a camera that just sees all points (n, 3).

    `angles` [rad] lead from straight above downwards, and from the front around the vertical.
    """
    back, right, up = _directions(*angles)
    axes = np.stack((right, up, back), axis=1)
    seen = points @ axes
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2.0
    across, upwards, depth = np.moveaxis(MARGIN * (seen - middle), -1, 0)
    half = math.tan(FIELD_OF_VIEW / 2.0) * np.array(size) / max(size)
    distances = np.maximum(np.abs(across) / half[0], np.abs(upwards) / half[1]) + depth
    middle[2] += max(float(distances.max()), LEAST_RADIUS)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = axes, axes @ middle
    return matrix


def pixel_sizes(points: Array, matrix: Array, size: tuple[int, int]) -> Array:
    """Return the size [m] of a pixel at world points (n, 3), seen from a camera matrix (4, 4)."""
    depth = (matrix[:3, 3] - points) @ matrix[:3, 2]
    return np.asarray(2.0 * np.maximum(depth, 0.0) * math.tan(FIELD_OF_VIEW / 2.0) / max(size))


def _directions(polar: float, around: float) -> tuple[Array, Array, Array]:
    """Return the camera's axes: backwards, right and up."""
    back = np.array(
        (
            math.sin(polar) * math.sin(around),
            -math.sin(polar) * math.cos(around),
            math.cos(polar),
        )
    )
    right = np.array((math.cos(around), math.sin(around), 0.0))
    return back, right, np.cross(back, right)
