"""What does not change while a scene moves: bodies, frames, rows, the system and rigid gains."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Bodies
from .elimination import Indices
from .gears import Gears
from .geometry import Frames, joined, twice
from .rate import STEP
from .system import System, system_of
from .table import RowTable

_RIGID = 1e6
"""Gain of rigid rows over the inertia of the bodies they hold."""
_LOCKED = 300.0
"""Gain of locks in closed loops over the inertia of the whole island, if that is less.

In a step of `STEP` a load of one g then opens them by 0.6 µm. Loops may have no room to move, as a
chain drawn straight between two posts or a net of plates that folds: stiffer, they would pull with
thousands of newtons, and gain energy. So the spring stays the same where steps are cut.
"""

_OF_BODIES = ("nodes", "is_dynamic")
_OF_ROWS = ("form", "axis", "third", "is_both", "is_nearest")
"""What of bodies and rows has to stay for a simulation to go on as if nothing was changed."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What does not change while a scene moves."""

    bodies: Bodies
    first: Frames
    """Frames of the joints."""
    second: Frames
    """Frames of what they connect."""
    frames: Frames
    """Both, the joints' first, shape (2 j,)."""
    twice: Frames
    """Both of two moments (`geometry.twice`)."""
    table: RowTable
    gears: Gears
    system: System
    rigid: Array
    """Gain of rigid rows in a step of `STEP`, shape (r, j) [kg or kg·m²]."""
    tensors: Array
    """Inertias of the bodies and their inverses, in body axes, shape (2, 3, 3, n)."""
    masses: Array
    """Mass matrices of the moving bodies, without their inertia, shape (m, 6, 6)."""
    has_loop: NDArray[np.bool_]
    """Whether joints close a loop in each body's island, shape (n,)."""
    is_spring: NDArray[np.bool_]
    """Rigid rows that are equally stiff in shorter steps, not of equal gain, shape (r, j)."""
    lightest: Array
    """Sum of the inverse principal moments [1/(kg·m²)] of each body, shape (n,)."""


def model_of(
    bodies: Bodies,
    frames: tuple[Frames, Frames],
    table: RowTable,
    gears: Gears,
    moving: Indices,
    rigid: Array | None = None,
) -> Model:
    """Return the model of `moving` bodies and of joints between `frames`.

    `rigid` are the gains of a larger model of which it is a part.
    """
    first, second = frames
    system, moves = system_of(bodies, first, second, moving, gears), bodies.is_dynamic
    has_loop = _has_loop(moves, first, second, system.island)[system.island]
    if rigid is None:
        rigid = rigid_gains(table, bodies, first, second, system.island, has_loop)
    return Model(
        bodies=bodies,
        first=first,
        second=second,
        frames=joined(first, second),
        twice=twice(first, second, bodies.count),
        table=table,
        gears=gears,
        system=system,
        rigid=rigid,
        tensors=np.stack((bodies.inertia, bodies.ease)),
        masses=bodies.mass[system.moving, None, None] * np.diag((1.0, 1.0, 1.0, 0.0, 0.0, 0.0)),
        has_loop=has_loop,
        is_spring=_is_looped(table, has_loop, moves, first, second),
        lightest=np.einsum("iin->n", bodies.ease),
    )


def locked_gains(model: Model, step: Array) -> Array:
    """Return the gain of each row were it rigid (r, j) in steps (j,) [s]."""
    if not model.has_loop.any():
        return model.rigid
    return np.where(
        model.is_spring, model.rigid * np.minimum(step * (1.0 / STEP), 1.0) ** 2, model.rigid
    )


def rigid_gains(
    table: RowTable,
    bodies: Bodies,
    first: Frames,
    second: Frames,
    island: Indices,
    has_loop: NDArray[np.bool_],
) -> Array:
    """Return the gain of each row were it rigid, in a step of `STEP`, shape (r, j).

    Bodies have an `island`, and whether it `has_loop`.
    """
    linear, angular = np.zeros(len(first.body)), np.zeros(len(first.body))
    moves = bodies.is_dynamic
    mass, largest = bodies.mass * moves, np.trace(bodies.inertia) * moves
    for frames in (first, second):
        linear += mass[frames.body]
        angular += largest[frames.body] + mass[frames.body] * (frames.offset**2).sum(axis=0)
    alone = _RIGID * (np.where(table.is_linear, linear, angular) + table.armature.sum(axis=0))
    total = np.bincount(island, mass, minlength=bodies.count)
    turning = np.bincount(island, largest, minlength=bodies.count)
    turning += total * _extents(bodies.rest.position, island) ** 2
    joined = island[np.where(moves[first.body], first.body, second.body)]
    together = _LOCKED * np.where(table.is_linear, total[joined], turning[joined])
    is_spring = _is_looped(table, has_loop, moves, first, second)
    gain = np.where(is_spring, np.minimum(alone, together), alone)
    return np.where(table.is_row, gain, 0.0)


def _is_looped(
    table: RowTable,
    has_loop: NDArray[np.bool_],
    moves: NDArray[np.bool_],
    first: Frames,
    second: Frames,
) -> NDArray[np.bool_]:
    """Return which rows (r, j) are locks or couplings in islands with a loop."""
    body = np.where(moves[first.body], first.body, second.body)
    return np.asarray((table.is_lock | table.is_coupling) & has_loop[body])


def _has_loop(
    moves: NDArray[np.bool_], first: Frames, second: Frames, island: Indices
) -> NDArray[np.bool_]:
    """Return whether joints close a loop in each island, also through what does not move, (n,)."""
    is_first = moves[first.body]
    joined = island[np.where(is_first, first.body, second.body)]
    edges = np.bincount(joined, minlength=len(island))
    anchored = np.bincount(joined, ~(is_first & moves[second.body]), minlength=len(island)) > 0
    return np.asarray(edges >= np.bincount(island, moves, minlength=len(island)) + anchored)


def _extents(places: Array, island: Indices) -> Array:
    """Return how far the bodies of each island reach [m], given places (n, 3), shape (n,)."""
    low, high = np.full(places.shape, np.inf), np.full(places.shape, -np.inf)
    np.minimum.at(low, island, places)
    np.maximum.at(high, island, places)
    return np.asarray(np.where(high >= low, high - low, 0.0).max(axis=1))


def is_stepped_alike(one: Model, other: Model) -> bool:
    """Return whether two models have the same bodies and rows, whatever the numbers of the rows."""
    pairs = [
        *((getattr(one.bodies, name), getattr(other.bodies, name)) for name in _OF_BODIES),
        *((getattr(one.table, name), getattr(other.table, name)) for name in _OF_ROWS),
        (one.frames.body, other.frames.body),
    ]
    return all(np.array_equal(first, second) for first, second in pairs)
