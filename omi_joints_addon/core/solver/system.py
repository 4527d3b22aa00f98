"""The linear system of a step: masses and rows of all joints as 6x6 blocks, and its solution.

Unknown is the change of velocity of each moving body. Rigid rows enter as stiff as double precision
allows, so that the system is positive definite whatever the joints: redundant and contradictory
ones share their load.
"""

from dataclasses import dataclass

import numpy as np

from ..model.pose import Array
from .bodies import Bodies
from .elimination import SIZE, Elimination, Indices, Scatter, plan_elimination, scatter_to, solve
from .gears import Gears
from .geometry import Frames, Jacobian
from .laws import Laws, Mask
from .table import RowTable

_MOST_ROUNDS = 12
_FULL_ROUNDS = 3
_SETTLED = 1e-10
"""Change of velocities [m/s or rad/s], or as a part of them, that needs no further round."""


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Which blocks bodies and joints fill."""

    plan: Elimination
    moving: Indices
    """Body of each block row, in the order of elimination."""
    rows: Indices
    """Block row of each joint's two bodies, (2, j); one beyond the last where it does not move."""
    island: Indices
    """Island of each body: the lowest body that joints tie it to, shape (n,)."""
    mover: Indices
    """Body that each joint moves, its own where both move, shape (j,)."""
    ends: Scatter
    """Bodies of the joints' frames, then of the connected ones."""
    diagonal: Scatter
    """Rows of the joints' bodies, then of the connected ones."""
    between: Scatter
    """Blocks of the joints with two moving bodies."""
    is_turned: Mask
    """Joints whose connected body is in the earlier row, shape (j, 1, 1)."""
    geared: "GearedBlocks"

    def islands_of(self, bodies: Indices) -> Mask:
        """Return which bodies (n,) are in the islands of some."""
        chosen = np.zeros(len(self.island), bool)
        chosen[self.island[bodies]] = True
        return chosen[self.island]


@dataclass(frozen=True, slots=True, eq=False)
class GearedBlocks:
    """Blocks between the bodies of joints in couplings (`Ratios.cross`), shape (4 k,)."""

    diagonal: Scatter
    """Onto the rows of bodies that meet themselves."""
    between: Scatter
    is_turned: Mask
    """Whether the body of the joint that follows is in the earlier row, shape (4 k, 1, 1)."""


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """A point of a body pulled to a place by a damped spring."""

    body: int
    arm: Array
    """From the center of mass to the point, in body axes [m]."""
    target: Array
    """[m], in world axes."""
    stiffness: float
    damping: float


def system_of(
    bodies: Bodies, first: Frames, second: Frames, moving: Indices, gears: Gears
) -> System:
    """Return the system of joints between the frames `first` and `second`, and couplings.

    `moving` are the dynamic bodies that take part.
    """
    size = len(moving)
    row_of = np.full(bodies.count, size)
    row_of[moving] = np.arange(size)
    rows = row_of[np.stack((first.body, second.body))]
    both = np.concatenate((rows, _met(rows, gears)), axis=1)
    is_pair = (both < size).all(axis=0) & (both[0] != both[1])
    plan = plan_elimination(size, both[:, is_pair].T.tolist())
    places = np.append(plan.places, size)
    rows, both = places[rows], places[both]
    slots, count = _slots(plan, both, is_pair), rows.shape[1]
    mover = _movers(first, second, rows, size, gears)
    return System(
        plan=plan,
        moving=moving[np.argsort(plan.places)],
        rows=rows,
        island=islands(bodies, first, second, mover[gears.joints]),
        mover=mover,
        ends=scatter_to(np.concatenate((first.body, second.body)), bodies.count),
        diagonal=scatter_to(rows.ravel(), size),
        between=scatter_to(slots[:count], plan.block_count),
        is_turned=(rows[1] < rows[0])[:, None, None],
        geared=_geared(both[:, count:], slots[count:], plan),
    )


def _slots(plan: Elimination, rows: Indices, is_pair: Mask) -> Indices:
    """Return the block of each two `rows` (2, p), one beyond the last unless they are a pair."""
    result = np.full(rows.shape[1], plan.block_count)
    result[is_pair] = [plan.block_of(int(a), int(b)) for a, b in rows[:, is_pair].T]
    return result


def _movers(first: Frames, second: Frames, rows: Indices, size: int, gears: Gears) -> Indices:
    """Return a body that each joint moves, itself or by the joint that it is coupled with."""
    result = np.where(rows[0] < size, first.body, second.body)
    is_still = (rows == size).all(axis=0)
    for one, other in (gears.joints, gears.joints[::-1]):
        result[one] = np.where(is_still[one], result[other], result[one])
    return result


def _geared(met: Indices, slots: Indices, plan: Elimination) -> GearedBlocks:
    """Return where couplings put the blocks of the rows (2, 4 k) that meet in them."""
    is_one = met[0] == met[1]
    return GearedBlocks(
        diagonal=scatter_to(np.where(is_one, met[0], plan.size), plan.size),
        between=scatter_to(slots, plan.block_count),
        is_turned=(met[0] < met[1])[:, None, None],
    )


def _met(rows: Indices, gears: Gears) -> Indices:
    """Return the block rows (2, 4 k) that meet in couplings, in the order of `Ratios.cross`."""
    one, other = rows[:, gears.joints[0]], rows[:, gears.joints[1]]
    return np.stack((np.repeat(one, 2, axis=0).ravel(), np.tile(other, (2, 1)).ravel()))


def islands(bodies: Bodies, first: Frames, second: Frames, geared: Indices) -> Indices:
    """Return for each body the lowest body that joints tie it to through moving ones, (n,).

    `geared` (2, k) are bodies that couplings tie together.
    """
    ends = np.concatenate((np.stack((first.body, second.body)), geared), axis=1)
    ends = ends[:, bodies.is_dynamic[ends].all(axis=0)]
    label = np.arange(bodies.count)
    while (label[ends[0]] != label[ends[1]]).any():
        lowest = label[ends].min(axis=0)
        np.minimum.at(label, ends[0], lowest)
        np.minimum.at(label, ends[1], lowest)
        label = label[label]
    return label


def solve_rows(
    system: System, masses: Array, jac: Jacobian, laws: Laws, reference: Array, active: Mask
) -> tuple[Array, Array, Mask]:
    """Return changes of velocity (m, 6), impulses (r, j), and which rows are in their range.

    `masses` (m, 6, 6) are those of the moving bodies, any pull included; `reference` are the rates
    of the rows without impulses, `active` a guess from the step before. Newton's method on a convex
    piecewise quadratic problem; where the set of active rows does not settle, steps are shortened
    to the lowest point on their way.
    """
    free = -(laws.gain * reference + laws.offset)
    active = (active & (laws.gain > 0.0)) | _inside(laws, free)
    impulse, change = laws.clipped(free), np.zeros((len(masses) + 1, SIZE))
    for count in range(_MOST_ROUNDS):
        start = np.where(active, free, impulse)
        target = solve(
            system.plan, *assemble(system, masses, jac, np.where(active, laws.gain, 0.0), start)
        )
        if count >= _FULL_ROUNDS:
            target = change + (target - change) * _way(
                system, masses, jac, laws, free, change, target
            )
        last, change = change, target
        wanted = free - laws.gain * row_rates(system, jac, change)
        impulse, was_active, active = laws.clipped(wanted), active, _inside(laws, wanted)
        if (active == was_active).all() and (active | (impulse == start)).all():
            break
        # Rows that are at their bound without a force are in their range or not by rounding.
        if count and np.abs(change - last).max() <= _SETTLED * (1.0 + np.abs(change).max()):
            break
    return change[:-1], impulse, active


def row_rates(system: System, jac: Jacobian, change: Array) -> Array:
    """Return how changes (m + 1, 6) of velocities change the rows (r, j); the last one is zero."""
    both = change.take(system.rows.T, 0).reshape(1, -1, 2 * SIZE)
    return jac.ratios.rates(jac.rates(both.transpose(0, 2, 1))[0])


def lightness(system: System, masses: Array, jac: Jacobian, table: RowTable, rigid: Array) -> Array:
    """Return the inverse of the inertia that each soft row feels, shape (r, j).

    It is that of the two bodies of the joint and of its rotor, its locked axes locked: 1/(I + m r²)
    for the angle of a hinge.
    """
    result = np.zeros(table.is_row.shape)
    chosen = np.flatnonzero(table.is_soft.any(axis=0))
    if not len(chosen):
        return result
    rows = system.rows[:, chosen]
    padded = np.concatenate((masses, np.eye(SIZE)[None]))
    both = np.zeros((len(chosen), 2 * SIZE, 2 * SIZE))
    both[:, :SIZE, :SIZE], both[:, SIZE:, SIZE:] = padded[rows]
    moves = np.repeat(len(masses) > rows.T, SIZE, axis=1)
    blocks = jac.blocks[chosen] * moves[:, :, None]
    locked = np.where(table.is_lock, rigid, table.armature)[:, chosen].T[:, None]
    both += (blocks * locked) @ blocks.transpose(0, 2, 1)
    squares = (blocks * np.linalg.solve(both, blocks)).sum(axis=1).T
    result[:, chosen] = np.where(table.is_soft[:, chosen], squares, 0.0)
    return result


def _inside(laws: Laws, impulse: Array) -> Mask:
    """Return which rows give the impulse their gain asks for: all that have none."""
    return np.asarray((laws.low < impulse) & (impulse < laws.high))


def assemble(
    system: System, masses: Array, jac: Jacobian, gain: Array, impulse: Array
) -> tuple[Array, Array]:
    """Return the arguments of `elimination.solve` for gains and impulses (r, j) of the rows."""
    plan, count = system.plan, len(jac.blocks)
    diagonal = np.zeros((plan.size, SIZE, SIZE + 1))
    diagonal[:, :, :SIZE] = masses
    blocks = np.zeros((plan.block_count, SIZE, SIZE))
    right = np.empty((count, gain.shape[0], 2 * SIZE + 1))
    weights = jac.ratios.stiffnesses(gain).T[:, :, None]
    np.multiply(jac.blocks.transpose(0, 2, 1), weights, out=right[:, :, :-1])
    right[:, :, -1] = jac.ratios.pushes(impulse).T
    found = jac.blocks @ right
    own = np.empty((2, count, SIZE, SIZE + 1))
    own[0, :, :, :SIZE], own[1, :, :, :SIZE] = found[:, :SIZE, :SIZE], found[:, SIZE:, SIZE:-1]
    own[:, :, :, SIZE] = found[:, :, -1].reshape(count, 2, SIZE).swapaxes(0, 1)
    system.diagonal.add_to(diagonal, own.reshape(2 * count, SIZE, SIZE + 1))
    between = np.where(system.is_turned, found[:, :SIZE, SIZE:-1], found[:, SIZE:, :SIZE])
    system.between.add_to(blocks, between)
    if len(jac.ratios.slopes):
        _add_geared(system.geared, diagonal, blocks, jac.ratios.cross(gain, jac.blocks))
    return diagonal, blocks


def _add_geared(geared: GearedBlocks, diagonal: Array, blocks: Array, met: Array) -> None:
    """Add what couplings put between the bodies of their joints (4 k, 6, 6), in place."""
    turned = met.transpose(0, 2, 1)
    geared.diagonal.add_to(diagonal[:, :, :SIZE], met + turned)
    geared.between.add_to(blocks, np.where(geared.is_turned, turned, met))


def _way(
    system: System, masses: Array, jac: Jacobian, laws: Laws, free: Array, start: Array, end: Array
) -> float:
    """Return the part of the way from `start` to `end` with the lowest energy."""
    direction = end - start
    rate, base = row_rates(system, jac, direction), row_rates(system, jac, start)
    momentum = (masses @ direction[:-1, :, None])[:, :, 0]
    slope, bend = float((momentum * start[:-1]).sum()), float((momentum * direction[:-1]).sum())
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2.0
        push = laws.clipped(free - laws.gain * (base + middle * rate))
        if slope + middle * bend < float((rate * push).sum()):
            low = middle
        else:
            high = middle
    return high
