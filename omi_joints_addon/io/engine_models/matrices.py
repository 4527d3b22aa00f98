"""Matrices of poses and turns, as stages have them."""

import numpy as np

from ...core.model.pose import Array


def rigid(matrix: Array) -> Array:
    """Return a matrix (4, 4) without its scale; a mirrored one is turned round, as OpenUSD does."""
    rigid = np.eye(4)
    one, _, two = np.linalg.svd(matrix[:3, :3])
    turn = one @ two
    rigid[:3, :3] = turn * np.sign(np.linalg.det(turn))
    rigid[:3, 3] = matrix[:3, 3]
    return rigid


def rotation(w: float, x: float, y: float, z: float) -> Array:
    """Return the matrix (3, 3) of a quaternion."""
    w, x, y, z = np.array((w, x, y, z)) / np.sqrt(w * w + x * x + y * y + z * z)
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


def about(axis: int, angle: float) -> Array:
    """Return the matrix (3, 3) of a turn about a main axis."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[one, one] = turn[two, two] = np.cos(angle)
    turn[two, one], turn[one, two] = np.sin(angle), -np.sin(angle)
    return turn
