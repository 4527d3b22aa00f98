"""Building blocks of outlines: pieces of many joints, points of circles, strips and dashes.

Arrays are (m, p, 3): m shapes with p points each.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.pose import Array

NEUTRAL = -1
"""Axis of what belongs to no single axis."""
BASES = np.array([np.roll(np.eye(3), -1 - axis, axis=0) for axis in range(3)])
"""Rows (axis + 1, axis + 2, axis) for each axis: circles run from the first to the second."""
UNITS = np.eye(3)[:, None]
"""Unit vector of each axis, shape (3, 1, 3)."""
DASHES = 9
"""Points of a straight line that may be dashed."""


class Role(IntEnum):
    """What a piece means."""

    RANGE = 0
    """Allowed values, as a surface."""
    EDGE = 1
    """Outline of the allowed values."""
    MIN = 2
    MAX = 3
    ZERO = 4
    """Where value zero is."""
    CURRENT = 5
    """The present value."""
    LOCKED = 6
    FREE = 7
    TARGET = 8
    """Where a drive pulls to."""
    VELOCITY = 9
    """Which way a drive turns or pushes."""
    FRAME = 10
    """Axes of the joint's attachment frame."""
    CONNECTED = 11
    """Axes of the connected attachment frame."""
    GAP = 12
    """From one attachment frame to the other."""
    TETHER = 13
    """From an attachment frame to its body."""
    COUPLING = 14
    """From a joint to the one that it follows."""


class State(IntEnum):
    """How the present pose stands to a limit; the gravest is the largest."""

    NORMAL = 0
    AT_LIMIT = 1
    VIOLATED = 2
    ERROR = 3
    """The limits leave no value."""
    BROKEN = 4
    """The joint broke in a preview and holds nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Faces or lines of one role for m shapes: three points make a face, two a line, one a mark."""

    role: Role
    is_face: bool
    joint: NDArray[np.intp]
    """Number of the joint, shape (m,)."""
    axis: NDArray[np.int8]
    """0 X, 1 Y, 2 Z or `NEUTRAL`, shape (m,)."""
    anchor: Array | None = None
    """[m], shape (m, p, 3); None is the joint's origin."""
    offset: Array | None = None
    """[size], shape (m, p, 3); None is zero."""
    strength: Array | None = None
    """Opacity in [0, 1], shape (m, p) or (p,); None is 1."""
    shape: NDArray[np.intp] | None = None
    """Number of the shape among those of its joint, shape (m,); None is of no shape."""
    tied: Array | None = None
    """Weights of what the pose decides (`ties`), shape (m, p, 13); None is nothing."""

    @property
    def length(self) -> int:
        """Number p of points of a shape."""
        parts = (self.anchor, self.offset, self.tied)
        return max(part.shape[1] for part in parts if part is not None)

    def points(self, size: ArrayLike = 1.0) -> Array:
        """Return points in joint frames [m], shape (m, p, 3); `size` [m] is one for all or (m,)."""
        scale = np.asarray(size, float).reshape(-1, 1, 1)
        if self.offset is None:
            return np.zeros((1, 1, 3)) if self.anchor is None else self.anchor
        return np.asarray(self.offset * scale + (0.0 if self.anchor is None else self.anchor))


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Rows of `shapes` of several joints, m of them."""

    rows: NDArray[Any]
    """Dtype `shapes.SHAPE`."""
    joint: NDArray[np.intp]
    """Number of the joint, shape (m,)."""
    number: NDArray[np.intp]
    """Number among the shapes of the same joint."""

    def __getitem__(self, chosen: Any) -> "Shapes":
        """Return the shapes of a mask or of indices."""
        if isinstance(chosen, np.ndarray) and chosen.dtype == bool and chosen.all():
            return self
        return Shapes(
            self.rows[chosen],
            self.joint[chosen],
            self.number[chosen],
        )

    def __len__(self) -> int:
        """Return the number of shapes."""
        return len(self.rows)

    @property
    def axis(self) -> NDArray[np.int8]:
        """Axis of each shape."""
        axis: NDArray[np.int8] = self.rows["axis"]
        return axis

    def bounds(self) -> tuple[tuple[Role, Array, NDArray[np.bool_]], ...]:
        """Return lower and upper bounds with their roles, and which are soft."""
        rows = self.rows
        low = Role.MIN, rows["low"], rows["soft_low"]
        return low, (Role.MAX, rows["high"], rows["soft_high"])


def drawn(
    shapes: Shapes, table: Mapping[int, Callable[[Shapes], Iterator[Piece]]]
) -> Iterator[Piece]:
    """Yield the pieces of shapes, those of each kind (`shapes.Kind`) at once."""
    kinds = set(shapes.rows["kind"].tolist())
    for kind, draw in table.items():
        if kind in kinds:
            yield from draw(shapes[shapes.rows["kind"] == kind])


def make_piece(
    shapes: Shapes,
    role: Role,
    *,
    is_face: bool = False,
    anchor: Array | None = None,
    offset: Array | None = None,
    strength: Array | None = None,
    tied: Array | None = None,
    is_neutral: bool = False,
) -> Iterator[Piece]:
    """Yield the piece of the shapes, nothing where there are none."""
    if len(shapes):
        axis = np.full(len(shapes), NEUTRAL, np.int8) if is_neutral else shapes.axis
        yield Piece(
            role, is_face, shapes.joint, axis, anchor, offset, strength, shapes.number, tied
        )


def make_stroke(
    shapes: Shapes,
    role: Role,
    soft: NDArray[np.bool_],
    *,
    anchor: Array | None = None,
    offset: Array | None = None,
    is_neutral: bool = False,
    run: int = 1,
) -> Iterator[Piece]:
    """Yield polylines (m, p, 3) as lines, dashed where `soft`, with `run` lines in a dash."""
    for chosen, step in ((~soft, 1), (soft, 2)):
        if chosen.any():
            yield from make_piece(
                shapes[chosen],
                role,
                anchor=None if anchor is None else segments(anchor[chosen], step, run),
                offset=None if offset is None else segments(offset[chosen], step, run),
                is_neutral=is_neutral,
            )


def segments(points: Array, step: int = 1, run: int = 1) -> Array:
    """Return the lines (m, q, 3) between neighbors of polylines (m, p, 3).

    Of each `step` times `run` lines the first `run` are kept.
    """
    return points.take(_pairs(points.shape[1], step, run), axis=1)


@lru_cache(maxsize=64)
def _pairs(count: int, step: int, run: int) -> NDArray[np.intp]:
    """Return the points of a polyline of `count` between which `segments` draws lines."""
    first = np.arange(count - 1)
    first = first[first // run % step == 0]
    return np.asarray(np.stack((first, first + 1), axis=1).ravel())


def fan(rim: Array) -> Array:
    """Return the faces (m, 3 (p - 1), 3) between the origin and rims (m, p, 3)."""
    start, end = rim[:, :-1], rim[:, 1:]
    return flat(np.stack((np.zeros_like(start), start, end), axis=2))


def strip(one: Array, two: Array) -> Array:
    """Return the faces (m, 6 (p - 1), 3) between two polylines (m, p, 3)."""
    both = np.concatenate((one, two), axis=1)
    return both.take(_corners(one.shape[1]), axis=1)


@lru_cache(maxsize=16)
def _corners(count: int) -> NDArray[np.intp]:
    """Return the points of two polylines of `count` between which `strip` makes faces."""
    a = np.arange(count - 1)
    b, c, d = a + 1, a + count, a + count + 1
    return np.asarray(np.stack((a, b, c, c, b, d), axis=1).ravel())


def flat(groups: Array) -> Array:
    """Return groups of points (m, g, k, c) as points (m, g k, c)."""
    count, number, length, width = groups.shape
    return np.asarray(groups.reshape(count, number * length, width))


def spread(low: Array, high: Array, count: int) -> Array:
    """Return `count` numbers from low to high each, shape (m, count)."""
    return np.asarray(low)[:, None] + (high - low)[:, None] * shares(count)


def circle(axis: NDArray[np.int8], angle: ArrayLike) -> Array:
    """Return where turning by `angle` (m, p) about axes (m,) takes the next axis; (m, p, 3)."""
    turned = np.asarray(angle, float)
    basis = BASES[axis]
    return np.asarray(
        np.cos(turned)[..., None] * basis[:, None, 0]
        + np.sin(turned)[..., None] * basis[:, None, 1]
    )


def direction(axis: NDArray[np.int8], polar: Array, ring: Array) -> Array:
    """Return directions at angles (m,) from axes (m,) toward the points of rings (m, p, 3)."""
    tilt = polar[:, None, None]
    return np.asarray(np.cos(tilt) * along(axis) + np.sin(tilt) * ring)


def turns(axis: NDArray[np.int8], angle: Array) -> Array:
    """Return what `circle` does where the angles (p,) are the same for all axes."""
    return circle(np.arange(3, dtype=np.int8), np.broadcast_to(angle, (3, len(angle))))[axis]


def along(axis: NDArray[np.int8]) -> Array:
    """Return the unit vectors of axes (m,), shape (m, 1, 3)."""
    return UNITS[axis]


def line(points: Array, count: int = DASHES) -> Array:
    """Return straight polylines (m, count, 3) from the first to the second of points (m, 2, 3)."""
    share = shares(count)[:, None]
    return np.asarray(points[:, :1] * (1.0 - share) + points[:, 1:] * share)


@lru_cache(maxsize=16)
def shares(count: int) -> Array:
    """Return `count` numbers from 0 to 1."""
    return np.linspace(0.0, 1.0, count)
