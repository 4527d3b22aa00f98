"""Vertices of joints in their own frames, made once for the same settings and ties."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.model.joint import JointSettings
from ..core.outline.far import far_outline, mark_outline
from ..core.outline.joint import Part, fixed_outline, tied_outline
from ..core.outline.pieces import Piece
from ..core.outline.shapes import shape_rows
from ..core.outline.ties import ROWS

MOST_TEMPLATES = 8192
"""Templates that are kept."""
WIDTH = ROWS + 7
"""Numbers of a vertex: weights of ties, what it is in meters, what it is in sizes, and 1."""
Integers = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Vertices of faces or lines of one joint, in its frame, in k runs of one look each."""

    place: NDArray[np.float32]
    """Ties, anchor [m], offset [size] and 1 of each vertex, shape (v, 20); the last 7 where nothing
    is tied, the last 4 where there are no anchors either."""
    runs: Integers
    """Number of vertices of each run, shape (k,)."""
    looks: Integers
    """`Role`, axis and number among the joint's shapes (-1 for none) of each run, shape (k, 3)."""
    strength: NDArray[np.float32] | None
    """Opacity of each vertex in [0, 1], shape (v,); None is 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What is drawn of a joint, besides its drives."""

    faces: Fixed
    lines: Fixed
    tied: Fixed
    """Lines that are tied to what the pose decides."""
    shapes: NDArray[Any]
    """Dtype `SHAPE`."""


class Templates:
    """The templates that were drawn with last."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Template, JointSettings]] = {}
        """By identity of the settings, which are kept with it: to compare them takes longer."""
        self._far: dict[tuple[int, tuple[Part, ...]], tuple[Fixed, Fixed]] = {}

    def of(
        self, settings: Sequence[JointSettings], there: Integers, parts: tuple[Part, ...]
    ) -> list[Template]:
        """Return the templates of joints, which are tied to `There` (n,)."""
        known, ties = self._known, there.tolist()
        keys = [(id(each), tie, parts) for each, tie in zip(settings, ties, strict=True)]
        missing = {key: n for n, key in enumerate(keys) if key not in known}
        if missing:
            numbers = list(missing.values())
            some = [settings[number] for number in numbers]
            made = zip(templates_of(some, there[numbers], parts), some, strict=True)
            known |= zip(missing, made, strict=True)
        found = [known[key][0] for key in keys]
        for key in list(islice(known, max(0, len(known) - MOST_TEMPLATES))):
            del known[key]
        return found

    def far(self, there: Integers, parts: tuple[Part, ...]) -> list[tuple[Fixed, Fixed]]:
        """Return points and lines of joints that are a few pixels large, tied to `There` (n,)."""
        for each in set(there.tolist()):
            if (each, parts) not in self._far:
                (point,) = vertices_of(mark_outline(1, parts), 1)
                (lines,) = vertices_of(far_outline(np.array([each]), parts), 1)
                self._far[each, parts] = (point, lines)
        return [self._far[each, parts] for each in there.tolist()]


def templates_of(
    settings: Sequence[JointSettings], there: Integers, parts: tuple[Part, ...]
) -> list[Template]:
    """Return the templates of joints, which are tied to `There` (n,)."""
    count, fixed = len(settings), list(fixed_outline(settings, parts))
    faces = vertices_of((piece for piece in fixed if piece.is_face), count)
    lines = vertices_of((piece for piece in fixed if not piece.is_face), count)
    tied = vertices_of(tied_outline(settings, there, parts), count)
    return list(map(Template, faces, lines, tied, map(shape_rows, settings)))


class _Rows:
    """Where pieces of n joints go, so that everything of one joint is one behind the other."""

    def __init__(self, totals: Integers) -> None:
        self.starts = np.concatenate(([0], np.cumsum(totals)))
        """First row of each joint and the end of the last, shape (n + 1,)."""
        self._ends = self.starts[:-1].copy()

    def take(self, batch: "_Batch", length: int) -> Integers:
        """Return the first rows (m,) of the next m things, which have `length` rows each."""
        first = self._ends[batch.piece.joint] + batch.rank * length
        self._ends += batch.counts * length
        return np.asarray(first)

    def bounds(self) -> list[slice]:
        """Return the rows of each joint."""
        starts = self.starts.tolist()
        return [slice(*both) for both in pairwise(starts)]


class _Batch:
    """A piece and how its shapes are spread over `count` joints, in whose order they are."""

    def __init__(self, piece: Piece, count: int) -> None:
        self.piece = piece
        self.length = piece.length
        self.counts = np.bincount(piece.joint, minlength=count)
        before = np.cumsum(self.counts) - self.counts
        self.rank = np.arange(len(piece.joint)) - before[piece.joint]


def vertices_of(pieces: Iterable[Piece], count: int) -> list[Fixed]:
    """Return the vertices of each of `count` joints; all pieces are faces, or all are lines."""
    batches = [_Batch(piece, count) for piece in pieces]
    if not batches:
        return [_NOTHING] * count
    runs = _Rows(np.sum([batch.counts for batch in batches], axis=0))
    rows = _Rows(np.sum([batch.counts * batch.length for batch in batches], axis=0))
    looks = np.empty((runs.starts[-1], 4), np.intp)
    place = np.zeros((rows.starts[-1], WIDTH), np.float32)
    place[:, -1] = 1.0
    is_faded = any(batch.piece.strength is not None for batch in batches)
    strength = np.ones(len(place), np.float32) if is_faded else None
    for batch in batches:
        _fill(batch.piece, rows.take(batch, batch.length), place, strength)
        here, piece = runs.take(batch, 1), batch.piece
        looks[here, 0], looks[here, 1] = piece.role, piece.axis
        looks[here, 2] = -1 if piece.shape is None else piece.shape
        looks[here, 3] = batch.length
    return [
        Fixed(_narrow(place[here]), looks[look, 3], looks[look, :3], _faded(strength, here))
        for here, look in zip(rows.bounds(), runs.bounds(), strict=True)
    ]


def _fill(
    piece: Piece,
    first: Integers,
    place: NDArray[np.float32],
    strength: NDArray[np.float32] | None,
) -> None:
    """Put the vertices of a piece where those of each shape begin."""
    rows = first[:, None] + np.arange(piece.length)
    if piece.tied is not None:
        place[rows, :ROWS] = piece.tied
    if piece.anchor is not None:
        place[rows, -7:-4] = piece.anchor
    if piece.offset is not None:
        place[rows, -4:-1] = piece.offset
    if strength is not None and piece.strength is not None:
        strength[rows] = piece.strength


def _narrow(place: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vertices without their ties, and without their anchors, where these are zero."""
    if place[:, :ROWS].any():
        return place
    return place[:, -7:].copy() if place[:, -7:-4].any() else place[:, -4:].copy()


def _faded(strength: NDArray[np.float32] | None, rows: slice) -> NDArray[np.float32] | None:
    """Return the opacity of some vertices, None where all of it is 1."""
    if strength is None or (strength[rows] == 1.0).all():
        return None
    return strength[rows]


_NOTHING = Fixed(
    np.empty((0, WIDTH), np.float32), np.empty(0, np.intp), np.empty((0, 3), np.intp), None
)
