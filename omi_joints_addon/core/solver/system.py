"""The linear system of a step: masses and rows of all joints as 6x6 blocks, and its solution.

Unknown is the change of velocity of each moving body. Rigid rows enter as stiff as double precision
allows, so that the system is positive definite whatever the joints: redundant and contradictory
ones share their load.
"""

from dataclasses import dataclass

import numpy as np

from ..model.pose import Array
from .bodies import Bodies
from .elimination import (
    SIZE,
    Indices,
    Plan,
    Scatter,
    cholesky,
    forward,
    plan_elimination,
    scatter_to,
    solve,
)
from .gears import Gears
from .geometry import Frames, Jacobian, frame_rates
from .laws import Laws, Mask
from .rows import RowTable

_MOST_ROUNDS = 12
_FULL_ROUNDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Which blocks bodies and joints fill."""

    plan: Plan
    moving: Indices
    """Body of each block row."""
    rows: Indices
    """Block row of each joint's two bodies, shape (2, j); -1 where it does not move."""
    island: Indices
    """Island of each body: the lowest body that joints tie it to, shape (n,)."""
    mover: Indices
    """Body that each joint moves, its own where both move, shape (j,)."""
    ends: Scatter
    """Bodies of the joints' frames, then of the connected ones."""
    diagonal: Scatter
    right: Scatter
    is_turned: Mask
    """Joints whose connected body is in the earlier row."""
    pairs: Scatter
    """Blocks of the joints; those of joints with one moving body are cast away."""
    geared: "GearedBlocks"


@dataclass(frozen=True, slots=True, eq=False)
class GearedBlocks:
    """Blocks between the bodies of joints in couplings (`Ratios.cross`), shape (4 k,)."""

    blocks: Scatter
    is_turned: Mask
    """Whether the body of the joint that follows is in the later row."""
    is_one: Mask
    """Whether both are the same body."""


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
    row_of = np.full(bodies.count, -1)
    row_of[moving] = np.arange(len(moving))
    rows = row_of[np.stack((first.body, second.body))]
    met = _met(rows, gears)
    both = np.concatenate((rows, met), axis=1)
    is_pair = (both >= 0).all(axis=0) & (both[0] != both[1])
    pairs = [(int(a), int(b)) for a, b in both[:, is_pair].T]
    plan = plan_elimination(len(moving), pairs)
    slots = np.where(both[0] == both[1], both[0], plan.block_count)
    slots[(both < 0).any(axis=0)] = plan.block_count
    is_turned = np.zeros(both.shape[1], bool)
    found = [plan.slot(a, b) for a, b in pairs]
    slots[is_pair] = [slot for slot, _ in found]
    is_turned[is_pair] = [not is_first for _, is_first in found]
    count = rows.shape[1]
    mover = np.where(rows[0] >= 0, first.body, second.body)
    is_still = (rows < 0).all(axis=0)
    for one, other in (gears.joints, gears.joints[::-1]):
        mover[one] = np.where(is_still[one], mover[other], mover[one])
    return System(
        plan=plan,
        moving=moving,
        rows=rows,
        island=islands(bodies, first, second, mover[gears.joints]),
        mover=mover,
        ends=scatter_to(np.concatenate((first.body, second.body))),
        diagonal=scatter_to(np.where(rows < 0, plan.block_count, rows).ravel()),
        right=scatter_to(np.where(rows < 0, plan.size, rows).ravel()),
        is_turned=is_turned[:count],
        pairs=scatter_to(slots[:count]),
        geared=GearedBlocks(scatter_to(slots[count:]), is_turned[count:], met[0] == met[1]),
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
    """Return changes of velocity (6, m), impulses (r, j), and which rows are in their range.

    `masses` (6, 6, m) are those of the moving bodies, any pull included; `reference` are the rates
    of the rows without impulses, `active` a guess from the step before. Newton's method on a convex
    piecewise quadratic problem; where the set of active rows does not settle, steps are shortened
    to the lowest point on their way.
    """
    free = -(laws.gain * reference + laws.offset)
    active = (active & (laws.gain > 0.0)) | _inside(laws, free)
    impulse, change = laws.clipped(free), np.zeros((SIZE, len(system.moving)))
    for count in range(_MOST_ROUNDS):
        start = np.where(active, free, impulse)
        blocks, right = assemble(system, masses, jac, np.where(active, laws.gain, 0.0), start)
        target = solve(system.plan, blocks, right)
        if count >= _FULL_ROUNDS:
            target = change + (target - change) * _way(
                system, masses, jac, laws, free, change, target
            )
        change = target
        wanted = free - laws.gain * row_rates(system, jac, change)
        impulse, was_active, active = laws.clipped(wanted), active, _inside(laws, wanted)
        if (active == was_active).all() and (active | (impulse == start)).all():
            break
    return change, impulse, active


def row_rates(system: System, jac: Jacobian, change: Array) -> Array:
    """Return how changes (6, m) of the moving bodies' velocities change the rows, shape (r, j)."""
    padded = np.concatenate((change, np.zeros((SIZE, 1))), axis=1)
    own = frame_rates(jac.both, padded[:, system.rows[0]], padded[:, system.rows[1]])
    return jac.ratios.rates(own)


def lightness(system: System, masses: Array, jac: Jacobian, table: RowTable, rigid: Array) -> Array:
    """Return the inverse of the inertia that each soft row feels, shape (r, j).

    It is that of the two bodies of the joint, its locked axes locked: 1/(I + m r²) for the angle of
    a hinge.
    """
    result = np.zeros(table.is_row.shape)
    chosen = np.flatnonzero(table.is_soft.any(axis=0))
    if not len(chosen):
        return result
    both = np.zeros((2 * SIZE, 2 * SIZE, len(chosen)))
    padded = np.concatenate((masses, np.eye(SIZE)[:, :, None]), axis=2)
    both[:SIZE, :SIZE] = padded[:, :, system.rows[0, chosen]]
    both[SIZE:, SIZE:] = padded[:, :, system.rows[1, chosen]]
    moves = (system.rows >= 0)[:, None, chosen]
    rows = np.concatenate(
        (jac.joint[:, :, chosen] * moves[0], jac.connected[:, :, chosen] * moves[1]), axis=1
    )
    locked = rows * np.where(table.is_lock, rigid, 0.0)[:, None, chosen]
    both += np.einsum("rin,rjn->ijn", locked, rows)
    half = forward(cholesky(both), rows.transpose(1, 0, 2).copy())
    result[:, chosen] = np.where(table.is_soft[:, chosen], (half * half).sum(axis=0), 0.0)
    return result


def _inside(laws: Laws, impulse: Array) -> Mask:
    """Return which rows give the impulse their gain asks for."""
    return np.asarray((laws.gain > 0.0) & (laws.low < impulse) & (impulse < laws.high))


def assemble(
    system: System, masses: Array, jac: Jacobian, gain: Array, impulse: Array
) -> tuple[Array, Array]:
    """Return blocks (b, 6, 6) and right side (m, 6) for gains and impulses of the rows."""
    plan = system.plan
    blocks = np.zeros((plan.block_count + 1, SIZE, SIZE))
    blocks[: plan.size] = masses.transpose(2, 0, 1)
    joint, connected = (np.ascontiguousarray(part.transpose(2, 1, 0)) for part in jac.both)
    weights = jac.ratios.stiffnesses(gain).T[:, None]
    weighted, turned = joint * weights, connected.transpose(0, 2, 1)
    own = np.concatenate((weighted @ joint.transpose(0, 2, 1), (connected * weights) @ turned))
    blocks[system.diagonal.targets] += system.diagonal.sums(own)
    cross = weighted @ turned
    cross = np.where(system.is_turned[:, None, None], cross.transpose(0, 2, 1), cross)
    blocks[system.pairs.targets] += system.pairs.sums(cross)
    if len(jac.ratios.slopes):
        _add_geared(system.geared, blocks, jac.ratios.cross(gain, jac.both))
    right = np.zeros((plan.size + 1, SIZE))
    pushes = jac.ratios.pushes(impulse).T[:, :, None]
    pushed = np.concatenate((joint @ pushes, connected @ pushes))[:, :, 0]
    right[system.right.targets] += system.right.sums(pushed)
    return blocks[: plan.block_count], right[: plan.size]


def _add_geared(geared: GearedBlocks, blocks: Array, met: Array) -> None:
    """Add what couplings put between the bodies of their joints (4 k, 6, 6), in place."""
    turned = met.transpose(0, 2, 1)
    met = np.where(geared.is_turned[:, None, None], turned, met) + np.where(
        geared.is_one[:, None, None], turned, 0.0
    )
    blocks[geared.blocks.targets] += geared.blocks.sums(met)


def _way(
    system: System, masses: Array, jac: Jacobian, laws: Laws, free: Array, start: Array, end: Array
) -> float:
    """Return the part of the way from `start` to `end` with the lowest energy."""
    direction = end - start
    rate, base = row_rates(system, jac, direction), row_rates(system, jac, start)
    momentum = np.einsum("ijn,jn->in", masses, direction)
    slope, bend = float((momentum * start).sum()), float((momentum * direction).sum())
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2.0
        push = laws.clipped(free - laws.gain * (base + middle * rate))
        if slope + middle * bend < float((rate * push).sum()):
            low = middle
        else:
            high = middle
    return high
