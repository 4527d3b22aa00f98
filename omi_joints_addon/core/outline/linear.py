"""Outlines of linear limits, in real meters: where the connected frame may be in the joint's."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .angular import CIRCLE_STEPS, TURN
from .pieces import (
    Piece,
    Role,
    Shapes,
    along,
    drawn,
    line,
    make_piece,
    make_stroke,
    segments,
    strip,
    turns,
)
from .shapes import ANGULAR, Figure
from .ties import Tie, weights

REACH = 1.5
"""How far an unbounded side is drawn until it has faded [size]."""
WIDTH, PLATE, MARK, LOCK_PLACE = 0.03, 0.12, 0.07, 0.3
"""Half width of a bar, radius of its end plates, arms of marks, place of lock marks [size]."""
_SQUARE = np.linspace(0.0, 2.0 * math.pi, 5) + math.pi / 4.0
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_BOX_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if a ^ b in (1, 2, 4)])


@dataclass(frozen=True, slots=True, eq=False)
class _Span:
    """Straight lines between two ends, of which an unbounded one fades out."""

    anchor: Array
    """[m], shape (m, 2, 3)."""
    offset: Array
    """[size], shape (m, 2, 3)."""
    strength: Array
    """Shape (m, 2, 1)."""


def linear_regions(shapes: Shapes) -> Iterator[Piece]:
    """Yield what all linear shapes allow."""
    yield from drawn(
        shapes[shapes.rows["metric"] < ANGULAR],
        {
            Figure.BAR: _bars,
            Figure.TUBE: _tubes,
            Figure.BALL: _balls,
            Figure.BOX: _boxes,
            Figure.RAY: _rays,
            Figure.LOCK: _locks,
        },
    )


def linear_values(shapes: Shapes) -> Iterator[Piece]:
    """Yield the present value of all linear shapes, tied to the pose."""
    known = shapes[shapes.rows["metric"] < ANGULAR]
    kinds = known.rows["kind"]
    there = set(kinds.tolist())
    if there & {Figure.BAR, Figure.RAY}:
        single = known[(kinds == Figure.BAR) | (kinds == Figure.RAY)]
        each = np.stack([weights(((Tie.ALONG + axis, 1.0),)) for axis in range(3)])
        yield from _crosses(single, Role.CURRENT, tied=each[single.axis])
    if there & {Figure.TUBE, Figure.BALL}:
        group = known[(kinds == Figure.TUBE) | (kinds == Figure.BALL)]
        tied = np.tile(weights(((Tie.CONNECTED, 1.0),)), (len(group), 1, 1))
        yield from _crosses(group, Role.CURRENT, tied=tied)


def _span(axis: NDArray[np.int8], low: Array, high: Array) -> _Span:
    """Return the lines along axes; an unbounded side starts from the other bound, or from zero."""
    bounds = np.stack((low, high), axis=1)
    is_open = np.isinf(bounds)
    start = np.where(is_open, bounds[:, ::-1], bounds)
    start = np.where(np.isinf(start), 0.0, start)
    reach = np.where(is_open, np.sign(bounds) * REACH, 0.0)
    unit = along(axis)
    strength = np.where(is_open, 0.0, 1.0)[..., None]
    strength[is_open.all(axis=1)] = 0.0
    return _Span(start[..., None] * unit, reach[..., None] * unit, strength)


def _walls(
    shapes: Shapes, span: _Span, *, meters: Array | None = None, sizes: Array | None = None
) -> Iterator[Piece]:
    """Yield the faces that a closed line (m, p, 3) around the span sweeps."""
    around = meters if meters is not None else sizes
    count = 0 if around is None else around.shape[1]
    anchor = _sweep(span.anchor, meters, count)
    offset = _sweep(span.offset, sizes, count)
    strength = _sweep(span.strength, None, count)[..., 0]
    yield from make_piece(
        shapes, Role.RANGE, is_face=True, anchor=anchor, offset=offset, strength=strength
    )


def _sweep(ends: Array, around: Array | None, count: int) -> Array:
    """Return the faces between `around` at both ends (m, 2, c)."""
    ring = np.zeros((len(ends), count, ends.shape[2])) if around is None else around
    return strip(ends[:, :1] + ring, ends[:, 1:] + ring)


def _strokes(shapes: Shapes, role: Role, span: _Span, soft: NDArray[np.bool_]) -> Iterator[Piece]:
    """Yield spans as lines, dashed where `soft`; open on both sides they fade from the middle."""
    anchor, offset, strength = (line(part) for part in (span.anchor, span.offset, span.strength))
    both = (span.strength == 0.0).all(axis=1)[:, 0]
    strength[both] = 1.0 - np.abs(np.linspace(-1.0, 1.0, strength.shape[1]))[:, None]
    for chosen, step in ((~soft, 1), (soft, 2)):
        if chosen.any():
            yield from make_piece(
                shapes[chosen],
                role,
                anchor=segments(anchor[chosen], step),
                offset=segments(offset[chosen], step),
                strength=segments(strength[chosen], step)[..., 0],
            )


def _bars(shapes: Shapes) -> Iterator[Piece]:
    """Yield bars along their axis, plates at the bounds and marks at zero."""
    rows = shapes.rows
    span = _span(shapes.axis, rows["low"], rows["high"])
    square = WIDTH * turns(shapes.axis, _SQUARE)
    yield from _walls(shapes, span, sizes=square)
    yield from _strokes(shapes, Role.EDGE, span, rows["soft_low"] | rows["soft_high"])
    for end, (role, bound, soft) in enumerate(shapes.bounds()):
        shown = np.isfinite(bound)
        plate = PLATE * turns(shapes.axis, TURN[::2])
        anchor = np.broadcast_to(span.anchor[:, [end]], plate.shape)
        yield from make_stroke(
            shapes[shown], role, soft[shown], anchor=anchor[shown], offset=plate[shown]
        )
    yield from _crosses(shapes, Role.ZERO)


def _crosses(
    shapes: Shapes,
    role: Role,
    *,
    anchor: Array | None = None,
    offset: Array | float = 0.0,
    tied: Array | None = None,
) -> Iterator[Piece]:
    """Yield crosses in the plane across the axis, at anchors (m, 1, 3) or tied (m, 1, 13)."""
    corner = MARK * turns(shapes.axis, _SQUARE[[0, 2, 1, 3]])
    anchor, tied = (
        None if each is None else np.broadcast_to(each, (*corner.shape[:2], each.shape[2]))
        for each in (anchor, tied)
    )
    yield from make_piece(shapes, role, anchor=anchor, offset=corner + offset, tied=tied)


def _tubes(shapes: Shapes) -> Iterator[Piece]:
    """Yield tubes about their axis and a cut through the tube."""
    rows = shapes.rows
    span = _span(shapes.axis, rows["span_low"], rows["span_high"])
    middle = np.clip(0.0, rows["span_low"], rows["span_high"])[:, None, None] * along(shapes.axis)
    rim = turns(shapes.axis, TURN)
    yield from _rings(shapes, rim, middle, span)
    is_bounded = np.isfinite(rows["high"])
    low, high = (np.where(is_bounded, rows[name], 0.0)[:, None, None] for name in ("low", "high"))
    faces = strip(middle + np.maximum(low, 0.0) * rim, middle + high * rim)
    yield from make_piece(shapes[is_bounded], Role.RANGE, is_face=True, anchor=faces[is_bounded])
    outer = (high * rim)[is_bounded]
    bounded = _Span(span.anchor[is_bounded], span.offset[is_bounded], span.strength[is_bounded])
    yield from _walls(shapes[is_bounded], bounded, meters=outer)
    for corner in range(0, CIRCLE_STEPS, CIRCLE_STEPS // 4):
        side = _Span(bounded.anchor + outer[:, [corner]], bounded.offset, bounded.strength)
        soft = rows["soft_high"][is_bounded]
        yield from _strokes(shapes[is_bounded], Role.EDGE, side, soft)


def _rings(shapes: Shapes, rim: Array, middle: Array, span: _Span) -> Iterator[Piece]:
    """Yield circles at both distances, in the middle and at ends that are bounds."""
    for role, radius, soft in shapes.bounds():
        shown = np.isfinite(radius) & (radius > 0.0)
        ring = np.where(shown, radius, 0.0)[:, None, None] * rim
        for place, is_there in (
            (middle, shown),
            *((span.anchor[:, [end]], shown & (span.strength[:, end, 0] > 0.0)) for end in (0, 1)),
        ):
            anchor = (place + ring)[is_there]
            yield from make_stroke(shapes[is_there], role, soft[is_there], anchor=anchor)


def _balls(shapes: Shapes) -> Iterator[Piece]:
    """Yield cuts through shells in the three planes of the frame."""
    rows = shapes.rows
    for axis in range(3):
        rim = turns(np.full(len(shapes), axis, np.int8), TURN)
        is_bounded = np.isfinite(rows["high"])
        inner, outer = (
            np.where(is_bounded, np.maximum(rows[name], 0.0), 0.0)[:, None, None] * rim
            for name in ("low", "high")
        )
        yield from make_piece(
            shapes[is_bounded],
            Role.RANGE,
            is_face=True,
            anchor=strip(inner, outer)[is_bounded],
            is_neutral=True,
        )
        for role, radius, soft in shapes.bounds():
            shown = np.isfinite(radius) & (radius > 0.0)
            ring = radius[shown][:, None, None] * rim[shown]
            yield from make_stroke(shapes[shown], role, soft[shown], anchor=ring, is_neutral=True)


def _boxes(shapes: Shapes) -> Iterator[Piece]:
    """Yield the edges of boxes, which flat or thin ones share."""
    rows = shapes.rows
    low = np.stack([rows[name] for name in ("low", "span_low", "other_low")], axis=1)
    high = np.stack([rows[name] for name in ("high", "span_high", "other_high")], axis=1)
    corners = low[:, None] + (high - low)[:, None] * _CORNERS
    yield from make_piece(shapes, Role.EDGE, anchor=corners[:, _BOX_EDGES.ravel()], is_neutral=True)


def _rays(shapes: Shapes) -> Iterator[Piece]:
    """Yield lines that fade out on both sides."""
    endless = np.full(len(shapes), np.inf)
    span = _span(shapes.axis, -endless, endless)
    yield from _strokes(shapes, Role.FREE, span, np.zeros(len(shapes), bool))


def _locks(shapes: Shapes) -> Iterator[Piece]:
    """Yield short crosses across each locked axis; beside the origin where the value is zero."""
    value = shapes.rows["low"][:, None, None]
    beside = np.where(value == 0.0, LOCK_PLACE, 0.0) * along(shapes.axis)
    yield from _crosses(shapes, Role.LOCKED, anchor=value * along(shapes.axis), offset=beside)
