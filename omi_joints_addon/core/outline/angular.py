"""Outlines of angular limits, of unit radius: arcs, cones, caps, rings and combinations."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..meaning.metric import angular_metric
from ..model.pose import Array, rotate
from .pieces import (
    Piece,
    Role,
    Shapes,
    along,
    circle,
    direction,
    drawn,
    fan,
    flat,
    line,
    make_piece,
    make_stroke,
    segments,
    spread,
    strip,
    turns,
)
from .shapes import ANGULAR, Figure
from .ties import Tie, weights

STEPS = 24
"""Segments of an arc."""
CIRCLE_STEPS = 32
"""Segments of a whole circle."""
BANDS = 2
"""Rings of faces between the inner and the outer circle of a cone."""
GRID = 16
"""Cells along each side in which the boundary of combined limits is sought."""
TURN = np.linspace(0.0, 2.0 * math.pi, CIRCLE_STEPS + 1)
RIM_RUN = 3
"""Segments of the rim of a cone for each of a circle: chords 0.03° inside the cone at most."""
RIM = np.linspace(0.0, 2.0 * math.pi, RIM_RUN * CIRCLE_STEPS + 1)
LOCK_RADIUS, LOCK_ARM = 0.5, 0.06
FREE_RADIUS = 0.12
"""Radius of the mark of a joint that turns freely, as a pin does."""


def angular_regions(shapes: Shapes) -> Iterator[Piece]:
    """Yield what all angular shapes allow."""
    yield from drawn(
        shapes[shapes.rows["metric"] >= ANGULAR],
        {
            Figure.SECTOR: _sectors,
            Figure.CONE: _cones,
            Figure.CAP: _caps,
            Figure.SWING: _swings,
            Figure.RING: _rings,
            Figure.LOCK: _locks,
        },
    )


def angular_values(shapes: Shapes) -> Iterator[Piece]:
    """Yield the present value of all angular shapes, tied to the pose."""
    known = shapes[shapes.rows["metric"] >= ANGULAR]
    kinds = known.rows["kind"]
    there = set(kinds.tolist())
    if Figure.SECTOR in there:
        yield from _toward(known[kinds == Figure.SECTOR], Tie.TIP)
    if Figure.RING in there:
        yield from _toward(known[(kinds == Figure.RING) & ~_is_free(known)], Tie.TIP, 0.95)
    if Figure.CONE in there:
        yield from _toward(known[kinds == Figure.CONE], Tie.AXIS)
    if Figure.CAP in there:
        caps = known[kinds == Figure.CAP]
        for axis in range(3):
            yield from _toward(_about(caps, axis), Tie.AXIS)


def _sectors(shapes: Shapes) -> Iterator[Piece]:
    """Yield arcs in the plane across their axis."""
    rows = shapes.rows
    low, high = (np.clip(rows[name], -math.pi, math.pi) for name in ("low", "high"))
    arc = circle(shapes.axis, spread(low, high, STEPS + 1))
    filled = rows["filled"]
    yield from make_piece(shapes[filled], Role.RANGE, is_face=True, offset=fan(arc[filled]))
    yield from make_stroke(shapes, Role.EDGE, rows["soft_low"] | rows["soft_high"], offset=arc)
    yield from _spokes(shapes, Role.MIN, low, rows["soft_low"], low > -math.pi)
    yield from _spokes(shapes, Role.MAX, high, rows["soft_high"], high < math.pi)
    zero = circle(shapes.axis, np.zeros((len(shapes), 1)))
    yield from make_piece(
        shapes, Role.ZERO, offset=np.concatenate((0.92 * zero, 1.08 * zero), axis=1)
    )


def _spokes(
    shapes: Shapes,
    role: Role,
    angle: Array,
    soft: NDArray[np.bool_],
    shown: NDArray[np.bool_],
) -> Iterator[Piece]:
    """Yield lines from the origin to where the next axis is at `angle`."""
    end = circle(shapes.axis, angle[:, None])
    spoke = np.concatenate((np.zeros_like(end), end), axis=1)
    yield from make_piece(shapes[shown & ~soft], role, offset=spoke[shown & ~soft])
    dashed = shown & soft
    if dashed.any():
        dashes = segments(line(spoke[dashed]), 2)
        yield from make_piece(shapes[dashed], role, offset=dashes)


def _toward(shapes: Shapes, tie: Tie, start: float = 0.0) -> Iterator[Piece]:
    """Yield lines along a vector that each axis has, from a part of it to just beyond it."""
    each = [weights(((tie + axis, start),), ((tie + axis, 1.05),)) for axis in range(3)]
    yield from make_piece(shapes, Role.CURRENT, tied=np.stack(each)[shapes.axis])


def _cones(shapes: Shapes, *, is_neutral: bool = False, has_ribs: bool = True) -> Iterator[Piece]:
    """Yield spherical patches about their axis with inner and outer circle."""
    rows = shapes.rows
    low, high = (np.clip(rows[name], 0.0, math.pi) for name in ("low", "high"))
    filled = rows["filled"]
    patch = _patch(shapes[filled], low[filled], high[filled])
    yield from make_piece(
        shapes[filled], Role.RANGE, is_face=True, offset=patch, is_neutral=is_neutral
    )
    for role, bound, soft in shapes.bounds():
        angle = np.clip(bound, 0.0, math.pi)
        shown = (angle > 0.0) & (angle < math.pi)
        rim = direction(shapes.axis, angle, turns(shapes.axis, RIM))
        yield from make_stroke(
            shapes[shown],
            role,
            soft[shown],
            offset=rim[shown],
            is_neutral=is_neutral,
            run=RIM_RUN,
        )
    if has_ribs:
        yield from _ribs(shapes, high)


def _patch(shapes: Shapes, low: Array, high: Array) -> Array:
    """Return the faces of spherical patches from angle low to high."""
    polar = spread(low, high, BANDS + 1)
    ring = turns(shapes.axis, TURN)
    circles = [direction(shapes.axis, polar[:, band], ring) for band in range(BANDS + 1)]
    return np.concatenate([strip(*pair) for pair in pairwise(circles)], axis=1)


def _ribs(shapes: Shapes, angle: Array) -> Iterator[Piece]:
    """Yield four lines from the origin to the rim of each cone."""
    shown = (angle > 0.0) & (angle < math.pi)
    quarters = turns(shapes.axis[shown], np.arange(4) * math.pi / 2.0)
    ends = direction(shapes.axis[shown], angle[shown], quarters)
    ribs = flat(np.stack((np.zeros_like(ends), ends), axis=2))
    yield from make_piece(shapes[shown], Role.EDGE, offset=ribs)


def _caps(shapes: Shapes) -> Iterator[Piece]:
    """Yield a patch about each axis: a rotation moves no direction further than by its angle."""
    for axis in range(3):
        yield from _cones(_about(shapes, axis), is_neutral=True, has_ribs=False)


def _about(shapes: Shapes, axis: int) -> Shapes:
    rows = shapes.rows.copy()
    rows["axis"] = axis
    return replace(shapes, rows=rows)


def _rings(shapes: Shapes) -> Iterator[Piece]:
    """Yield whole circles; small where all rotation is free."""
    radius = np.where(_is_free(shapes), FREE_RADIUS, 1.0)
    ring = turns(shapes.axis, TURN) * radius[:, None, None]
    yield from make_piece(shapes, Role.FREE, offset=segments(ring))


def _is_free(shapes: Shapes) -> NDArray[np.bool_]:
    """Return which shapes are rings of a joint that turns freely about all axes."""
    is_ring = shapes.rows["kind"] == Figure.RING
    rings = np.bincount(shapes.joint[is_ring], minlength=shapes.joint.max(initial=0) + 1)
    return np.asarray(is_ring & (rings[shapes.joint] == 3))


def _locks(shapes: Shapes) -> Iterator[Piece]:
    """Yield crosses on the circle about each locked axis, and an arm where it is not zero."""
    radial = circle(shapes.axis, shapes.rows["low"][:, None])
    middle, arm = LOCK_RADIUS * radial, LOCK_ARM * along(shapes.axis)
    cross = np.concatenate(
        (
            middle - arm - LOCK_ARM * radial,
            middle + arm + LOCK_ARM * radial,
            middle - arm + LOCK_ARM * radial,
            middle + arm - LOCK_ARM * radial,
        ),
        axis=1,
    )
    yield from make_piece(shapes, Role.LOCKED, offset=cross)
    turned = shapes.rows["low"] != 0.0
    yield from _spokes(shapes, Role.LOCKED, shapes.rows["low"], np.zeros(len(shapes), bool), turned)


def _swings(shapes: Shapes) -> Iterator[Piece]:
    """Yield the directions that combined limits leave to the third axis, and their boundary."""
    for number in range(len(shapes)):
        shape = shapes[number : number + 1]
        row = shape.rows[0]
        ranges = tuple(
            float(row[name])
            for name in ("low", "high", "span_low", "span_high", "other_low", "other_high")
        )
        faces, edges = _allowed_directions(int(row["axis"]), ranges)
        if len(faces):
            yield from make_piece(
                shape, Role.RANGE, is_face=True, offset=faces[None], is_neutral=True
            )
            yield from make_piece(shape, Role.EDGE, offset=edges[None], is_neutral=True)


@lru_cache(maxsize=512)
def _allowed_directions(third: int, ranges: tuple[float, ...]) -> tuple[Array, Array]:
    """Return faces (f, 3) and boundary lines (e, 3) of the directions within all `ranges`.

    A direction stands for the rotation without twist that takes the third axis there. `ranges` are
    low and high [rad] of the cone's angle and of the twists about the two other axes.
    """
    corners = _grid(third, ranges)
    return _clip(corners, _margins(third, ranges, corners))


def _grid(third: int, ranges: tuple[float, ...]) -> Array:
    """Return triangles (t, 3, 3) that cover the allowed directions and little more.

    Corners are the swings of which both twists are evenly spaced, with a narrow border around.
    """
    one, two = (_samples(low, high, ranges[1]) for low, high in (ranges[2:4], ranges[4:6]))
    turn = np.zeros((len(one), len(two), 4))
    turn[..., (third + 1) % 3] = np.tan(one / 2.0)[:, None]
    turn[..., (third + 2) % 3] = np.tan(two / 2.0)
    turn[..., 3] = 1.0
    turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
    corners = rotate(turn, np.eye(3)[third])
    return strip(corners[:-1], corners[1:]).reshape(-1, 3, 3)


def _samples(low: float, high: float, cone: float) -> Array:
    """Return angles [rad] from low to high within the cone, and one past each end."""
    most = min(cone, math.pi - 0.05)
    low, high = max(low, -most), min(high, most)
    border = 0.02 * (high - low)
    inner = np.linspace(low + 0.05 * border, high - 0.05 * border, GRID + 1)
    return np.concatenate(([low - border], inner, [high + border]))


def _margins(third: int, ranges: tuple[float, ...], directions: Array) -> Array:
    """Return how far inside all ranges [rad] directions (..., 3) are; negative is outside."""
    turn = np.zeros((*directions.shape[:-1], 4))
    one, two = (third + 1) % 3, (third + 2) % 3
    turn[..., one], turn[..., two] = -directions[..., two], directions[..., one]
    turn[..., 3] = 1.0 + directions[..., third]
    turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
    values = [angular_metric(axes, turn) for axes in (tuple(sorted((one, two))), (one,), (two,))]
    margins = [
        np.minimum(value - low, high - value)
        for value, low, high in zip(values, ranges[::2], ranges[1::2], strict=True)
    ]
    return np.asarray(np.min(margins, axis=0))


def _clip(triangles: Array, margin: Array) -> tuple[Array, Array]:
    """Return the parts of triangles (t, 3, 3) with margin (t, 3) >= 0, and lines where it is 0."""
    inside = margin >= 0.0
    count = inside.sum(axis=1)
    faces, edges = [triangles[count == 3].reshape(-1, 3)], []
    for kept in (1, 2):
        chosen = count == kept
        lone = np.argmax(inside[chosen] == (kept == 1), axis=1)
        order = (lone[:, None] + np.arange(3)) % 3
        point = np.take_along_axis(triangles[chosen], order[..., None], axis=1)
        depth = np.take_along_axis(margin[chosen], order, axis=1)
        share = (depth[:, :1] / (depth[:, :1] - depth[:, 1:]))[..., None]
        cut = point[:, :1] + share * (point[:, 1:] - point[:, :1])
        edges.append(cut.reshape(-1, 3))
        corner, (one, two) = point[:, 0], np.moveaxis(cut, 1, 0)
        parts = [corner, one, two]
        if kept == 2:
            parts = [one, point[:, 1], point[:, 2], one, point[:, 2], two]
        faces.append(np.stack(parts, axis=1).reshape(-1, 3))
    return np.concatenate(faces), np.concatenate(edges)
