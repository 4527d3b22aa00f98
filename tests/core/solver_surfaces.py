"""Surfaces of triangles for scenes of the solver."""

from collections.abc import Iterable

import numpy as np

from omi_joints_addon.core.model.pose import Array

QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
Surface = tuple[Array, Array]


def block(size: Iterable[float], middle: Iterable[float] = (0.0, 0.0, 0.0)) -> Surface:
    """Return the corners and triangles of a closed box."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]
    return 0.5 * signs * tuple(size) + tuple(middle), np.array(faces)


def joined(*parts: Surface) -> Surface:
    starts = np.cumsum([0, *(len(points) for points, _faces in parts)])
    faces = [start + faces for start, (_points, faces) in zip(starts, parts, strict=False)]
    return np.concatenate([points for points, _faces in parts]), np.concatenate(faces)


def room() -> Surface:
    """Return a room of 8 x 8 x 3 m whose walls, floor and ceiling are 0.2 m thick, as one mesh."""
    (inner, faces), outer = block((8, 8, 3), (0, 0, 1.5)), block((8.4, 8.4, 3.4), (0, 0, 1.5))
    return joined((inner, faces[:, ::-1]), outer)


def grid(side: int, size: float, height=lambda x, y: 0.0 * x * y) -> Surface:
    """Return a surface of 2 · side² triangles over a square."""
    steps = np.linspace(-0.5 * size, 0.5 * size, side + 1)
    x, y = np.meshgrid(steps, steps, indexing="ij")
    cells = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    corners = [cells, cells + side + 1, cells + side + 2, cells + 1]
    faces = np.concatenate(
        [np.stack([corners[n] for n in each], 1) for each in ((0, 1, 2), (0, 2, 3))]
    )
    return np.stack((x, y, height(x, y)), axis=-1).reshape(-1, 3), faces
