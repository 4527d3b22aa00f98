"""Which joints a view shows, and in how much detail: spheres around chunks of them, and the eye."""

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array
from ..core.outline.far import SPREAD
from .joint_arrays import JointArrays

CHUNK = 32
"""Joints that are near each other and are drawn together."""
FAR_PIXELS = 5.0
"""Radius [pixels] below which a joint is drawn as a point."""
LINK_PIXELS = 10.0
"""Radius [pixels] from which on lines to other places are drawn."""
APART = 3.0
"""Distance [pixels] within which points are as good as one."""
FULL_COST, LINK_COST = 400, 6
"""Vertices of a joint at full detail, and of its lines to other places, about."""
OUT_OF_VIEW = 0.25
"""What a joint out of view costs that is drawn with others, which are in view."""
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

    def with_new(self, chunks: NDArray[np.intp], new: "Spheres") -> "Spheres":
        """Return the spheres with new ones for some chunks."""
        found = Spheres(self.center.copy(), self.radius.copy())
        found.center[chunks], found.radius[chunks] = new.center, new.radius
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

    @property
    def key(self) -> tuple[float, bytes]:
        """What decides where points are in the view."""
        return self.width, self.perspective.tobytes()

    def details(
        self,
        spheres: Spheres,
        seen: NDArray[np.bool_],
        ranges: Array,
        costs: Array,
        is_chosen: NDArray[np.bool_],
    ) -> NDArray[np.int8]:
        """Return the `Detail` of each of c chunks, which cost as much as `costs` (c,) joints.

        `seen` (c,) is which spheres the view `sees`, `ranges` (c,) the radius [pixels] of the
        largest range of each. Where there are more vertices than may be drawn, the largest have
        most detail, and before them those that are chosen.
        """
        has_links = self.radii(spheres.center, spheres.radius) >= LINK_PIXELS
        order = np.lexsort((-ranges, ~is_chosen))
        found = np.where(seen, Detail.POINT, Detail.NONE).astype(np.int8)
        for detail, is_wanted, cost, most in (
            (Detail.FAR, has_links, LINK_COST, self.most / 4.0),
            (Detail.FULL, ranges >= FAR_PIXELS, FULL_COST, self.most),
        ):
            wanted = order[(seen & is_wanted)[order]]
            found[wanted[np.cumsum(costs[wanted] * cost) <= most]] = detail
        return found

    def sees(self, centers: Array, radius: Array) -> NDArray[np.bool_]:
        """Return which spheres (n, 3), (n,) are not outside one side of the view, or behind it."""
        x, y, _, w = self.perspective
        planes = np.stack((w + x, w - x, w + y, w - y, w))
        length = np.linalg.norm(planes[:, :3], axis=1)
        planes /= np.where(length > 0.0, length, 1.0)[:, None]
        distance = planes[:, :3] @ centers.T + planes[:, 3:]
        return np.asarray((distance >= -radius).all(axis=0))

    def radii(self, centers: Array, radius: Array) -> Array:
        """Return the radius [pixels] of spheres (n, 3), (n,) where each is nearest to the eye."""
        toward = self.perspective[3, :3]
        length = float(np.linalg.norm(toward))
        step = toward / length if length else toward
        nearest = centers - radius[:, None] * step
        return np.asarray(radius / pixel_sizes(nearest, self.perspective, self.width))

    def ranges(self, origins: Array, sizes: Array, reaches: Array) -> Array:
        """Return the radius [pixels] of the ranges of joints (n, 3), (n,), 0 out of view."""
        is_seen = self.sees(origins, SPREAD * sizes + reaches)
        return np.where(is_seen, self.radii(origins, sizes + reaches), 0.0)

    def distinct(self, points: Array, weight: Array) -> NDArray[np.intp]:
        """Return which of points (n, 3) in view to draw: of those at one place only one.

        That is the one with the largest weight (n,), a whole number, and of these the nearest.
        """
        x, y, z, w = self.perspective[:, :3] @ points.T + self.perspective[:, 3:]
        beyond = 1.0 + 4.0 * APART / self.width
        is_seen = (np.maximum(np.abs(x), np.abs(y)) <= beyond * w) & (np.abs(z) <= w) & (w > 0.0)
        seen = np.flatnonzero(is_seen)
        if not len(seen):
            return seen
        x, y, z = (along[seen] / w[seen] for along in (x, y, z))
        across, up = self._steps()
        column, row = (
            ((along + beyond) * steps).astype(np.intp) for along, steps in ((x, across), (y, up))
        )
        cell = row * (int(2.0 * beyond * across) + 1) + column
        rank = weight[seen] - (z + 1.0) / 4.0
        best = np.full(cell.max() + 1, -math.inf)
        np.maximum.at(best, cell, rank)
        return np.asarray(seen[rank == best[cell]], np.intp)

    def _steps(self) -> tuple[float, float]:
        """Return how often `APART` fits between the middle of the view and its right and top."""
        across = self.width / (2.0 * APART)
        wide, high = np.linalg.norm(self.perspective[:2, :3], axis=1)
        return across, float(across * wide / high)


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
    order = np.concatenate(chunks)
    starts = np.cumsum([0, *map(len, chunks)])[:-1]
    frames = joints.frames[:, :, :3, 3][order]
    origin = frames[:, 0]
    ends = np.concatenate(
        (frames[:, 1:], joints.bodies[order], joints.followed[order, None]), axis=1
    )
    ends -= origin[:, None]
    distance = np.nan_to_num(np.sqrt(np.einsum("nek,nek->ne", ends, ends)))
    span = SPREAD * sizes[order] + reach[order]
    radius = np.maximum(span + distance[:, 0], distance[:, 1:].max(axis=1))
    low = np.minimum.reduceat(origin, starts, axis=0)
    high = np.maximum.reduceat(origin, starts, axis=0)
    center = (low + high) / 2.0
    counts = list(map(len, chunks))
    away = np.linalg.norm(origin - np.repeat(center, counts, axis=0), axis=1)
    return Spheres(center, np.maximum.reduceat(away + radius, starts))
