"""Which joints a view shows, and in how much detail: spheres around chunks of them, and the eye."""

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array
from ..core.outline.far import SPREAD
from .geometry import JointArrays

CHUNK = 32
"""Joints that are near each other and are drawn together."""
FAR_PIXELS = 5.0
"""Radius [pixels] below which a joint is drawn as a point."""
LINK_PIXELS = 10.0
"""Radius [pixels] from which on lines to other places are drawn."""
FULL_COST, LINK_COST = 400, 6
"""Vertices of a joint at full detail, and of its lines to other places, about."""
SIZE_STEPS = 16
"""Sizes from one to its double at which joints are drawn that keep their size on screen."""
_CELLS = 1024
"""Cells along each axis by which joints are sorted."""


class Detail(IntEnum):
    """How much of a chunk is drawn."""

    NONE = 0
    """It is out of view."""
    POINT = 1
    """Joints are points."""
    FAR = 2
    """Joints are points with lines to other places."""
    FULL = 3


@dataclass(frozen=True, slots=True, eq=False)
class Spheres:
    """What contains the joints of each of c chunks."""

    center: Array
    """[m], in world axes, shape (c, 3)."""
    radius: Array
    """[m], shape (c,)."""
    range: Array
    """Radius [m] of the largest range, angles at their size, shape (c,)."""

    def with_new(self, chunks: NDArray[np.intp], new: "Spheres") -> "Spheres":
        """Return the spheres with new ones for some chunks."""
        found = Spheres(self.center.copy(), self.radius.copy(), self.range.copy())
        found.center[chunks], found.radius[chunks] = new.center, new.radius
        found.range[chunks] = new.range
        return found


def pixel_sizes(points: Array, perspective: Array, width: float) -> Array:
    """Return the size of a pixel [m] at world points (n, 3) of a view `width` pixels wide.

    `perspective` (4, 4) takes world to clip space.
    """
    depth = points @ perspective[3, :3] + perspective[3, 3]
    across = np.linalg.norm(perspective[0, :3])
    return np.asarray(2.0 * np.maximum(depth, 1e-6) / (across * width))


def screen_sizes(points: Array, perspective: Array, width: float, pixels: Array) -> Array:
    """Return the sizes [m] at which what is at world points (n, 3) is `pixels` (n,) large.

    They are rounded to steps of 4 %, so that a view that turns or zooms changes few of them.
    """
    exact = np.maximum(pixels * pixel_sizes(points, perspective, width), 1e-9)
    return np.asarray(np.exp2(np.rint(np.log2(exact) * SIZE_STEPS) / SIZE_STEPS))


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """From where a view looks."""

    perspective: Array
    """Takes world to clip space, shape (4, 4)."""
    width: float
    """[pixels]"""
    most: float = math.inf
    """Vertices that are drawn at most, about; of points there may be more."""

    def details(
        self, spheres: Spheres, counts: NDArray[np.intp], is_chosen: NDArray[np.bool_]
    ) -> NDArray[np.int8]:
        """Return the `Detail` of each of c chunks, which have `counts` (c,) joints each.

        Where there are more vertices than may be drawn, the largest chunks have most detail, and
        before them those that are chosen.
        """
        seen, pixel = self._sees(spheres), self._least_pixels(spheres)
        order = np.lexsort((-spheres.range / pixel, ~is_chosen))
        found = np.where(seen, Detail.POINT, Detail.NONE).astype(np.int8)
        for detail, radius, least, cost, most in (
            (Detail.FAR, spheres.radius, LINK_PIXELS, LINK_COST, self.most / 4.0),
            (Detail.FULL, spheres.range, FAR_PIXELS, FULL_COST, self.most),
        ):
            wanted = order[(seen & (radius >= least * pixel))[order]]
            found[wanted[np.cumsum(counts[wanted] * cost) <= most]] = detail
        return found

    def pixels(self, spheres: Spheres) -> Array:
        """Return the radius [pixels] of the largest joint of each chunk, shape (c,)."""
        return spheres.range / self._least_pixels(spheres)

    def _sees(self, spheres: Spheres) -> NDArray[np.bool_]:
        """Return which spheres are not wholly outside one side of the view, or behind the eye."""
        x, y, _, w = self.perspective
        planes = np.stack((w + x, w - x, w + y, w - y, w))
        length = np.linalg.norm(planes[:, :3], axis=1)
        planes /= np.where(length > 0.0, length, 1.0)[:, None]
        distance = spheres.center @ planes[:, :3].T + planes[:, 3]
        return np.asarray((distance >= -spheres.radius[:, None]).all(axis=1))

    def _least_pixels(self, spheres: Spheres) -> Array:
        """Return the size of a pixel [m] where each sphere is nearest to the eye."""
        toward = self.perspective[3, :3]
        length = float(np.linalg.norm(toward))
        step = toward / length if length else toward
        nearest = spheres.center - spheres.radius[:, None] * step
        return pixel_sizes(nearest, self.perspective, self.width)


def chunks_of(points: Array) -> list[NDArray[np.intp]]:
    """Return the numbers (at most `CHUNK`, ascending) of points (n, 3) that are near each other.

    Points are sorted along a curve that interleaves the bits of their cells (Morton, 1966).
    """
    low, high = points.min(axis=0), points.max(axis=0)
    cells = ((points - low) * ((_CELLS - 1) / max(float((high - low).max()), 1e-9))).astype(int)
    code = np.zeros(len(points), np.int64)
    for bit in range(_CELLS.bit_length() - 1):
        for axis in range(3):
            code |= (cells[:, axis] >> bit & 1) << (3 * bit + axis)
    order = np.argsort(code, kind="stable")
    return [np.sort(order[first : first + CHUNK]) for first in range(0, len(order), CHUNK)]


def spheres_of(
    joints: JointArrays, reach: Array, sizes: Array, chunks: list[NDArray[np.intp]]
) -> Spheres:
    """Return what contains each chunk; `reach` (n,) [m] is that of settings, `sizes` (n,) [m]."""
    origin = joints.frames[:, 0, :3, 3]
    ends = np.concatenate(
        (joints.frames[:, 1:, :3, 3], joints.bodies, joints.followed[:, None]), axis=1
    )
    distance = np.nan_to_num(np.linalg.norm(ends - origin[:, None], axis=2))
    span = SPREAD * sizes + reach
    radius = np.maximum(span + distance[:, 0], distance[:, 1:].max(axis=1))
    order = np.concatenate(chunks)
    starts = np.cumsum([0, *map(len, chunks)])[:-1]
    sorted_origin = origin[order]
    low = np.minimum.reduceat(sorted_origin, starts, axis=0)
    high = np.maximum.reduceat(sorted_origin, starts, axis=0)
    center = (low + high) / 2.0
    counts = list(map(len, chunks))
    away = np.linalg.norm(sorted_origin - np.repeat(center, counts, axis=0), axis=1)
    return Spheres(
        center,
        np.maximum.reduceat(away + radius[order], starts),
        np.maximum.reduceat((sizes + reach)[order], starts),
    )
