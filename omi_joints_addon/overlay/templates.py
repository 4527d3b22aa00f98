"""Vertices of joints in their own frames; those that settings alone decide are made once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from ..core.model.joint import JointSettings
from ..core.outline.joint import Part, fixed_outline
from ..core.outline.pieces import Piece

MOST_TEMPLATES = 8192
"""Settings whose vertices are kept."""
WIDTH = 7
"""Numbers of a vertex: what it is in meters, what it is in sizes, and 1."""
Integers = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Vertices of faces or lines of one joint, in its frame, in k runs of one look each."""

    place: NDArray[np.float32]
    """Anchor [m], offset [size] and 1 of each vertex, shape (v, 7), or (v, 4) without anchors."""
    runs: Integers
    """Number of vertices of each run, shape (k,)."""
    looks: Integers
    """`Role`, axis and number among the joint's shapes (-1 for none) of each run, shape (k, 3)."""
    strength: NDArray[np.float32] | None
    """Opacity of each vertex in [0, 1], shape (v,); None is 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What is drawn of a joint."""

    faces: Fixed
    lines: Fixed


class Templates:
    """The templates of settings that were drawn last."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[Part, ...]], tuple[JointSettings, Template]] = {}
        """By identity of the settings, which are kept with it: to compare them takes longer."""

    def of(self, settings: Sequence[JointSettings], parts: tuple[Part, ...]) -> list[Template]:
        """Return the template of each of the settings."""
        known = self._known
        keys = [(id(each), parts) for each in settings]
        missing = {key: each for key, each in zip(keys, settings, strict=True) if key not in known}
        if missing:
            made = templates_of(fixed_outline(tuple(missing.values()), parts), len(missing))
            known |= zip(missing, zip(missing.values(), made, strict=True), strict=True)
        found = [known[key][1] for key in keys]
        for key in list(islice(known, max(0, len(known) - MOST_TEMPLATES))):
            del known[key]
        return found


def templates_of(pieces: Iterable[Piece], count: int) -> list[Template]:
    """Return what pieces draw of each of `count` joints."""
    batches = [_Batch(piece, count) for piece in pieces]
    faces = _fixed([batch for batch in batches if batch.piece.is_face], count)
    lines = _fixed([batch for batch in batches if not batch.piece.is_face], count)
    return list(map(Template, faces, lines))


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


def _fixed(batches: Sequence[_Batch], count: int) -> list[Fixed]:
    """Return the vertices of each of `count` joints."""
    if not batches:
        return [_NOTHING] * count
    runs = _Rows(np.sum([batch.counts for batch in batches], axis=0))
    rows = _Rows(np.sum([batch.counts * batch.length for batch in batches], axis=0))
    looks = np.empty((runs.starts[-1], 4), np.intp)
    place = np.zeros((rows.starts[-1], WIDTH), np.float32)
    place[:, 6] = 1.0
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
    if piece.anchor is not None:
        place[rows, :3] = piece.anchor
    if piece.offset is not None:
        place[rows, 3:6] = piece.offset
    if strength is not None and piece.strength is not None:
        strength[rows] = piece.strength


def _narrow(place: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vertices without their anchors where these are zero."""
    return place if place[:, :3].any() else place[:, 3:].copy()


def _faded(strength: NDArray[np.float32] | None, rows: slice) -> NDArray[np.float32] | None:
    """Return the opacity of some vertices, None where all of it is 1."""
    if strength is None or (strength[rows] == 1.0).all():
        return None
    return strength[rows]


_NOTHING = Fixed(
    np.empty((0, WIDTH), np.float32), np.empty(0, np.intp), np.empty((0, 3), np.intp), None
)
