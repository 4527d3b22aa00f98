"""Solve sparse symmetric positive definite systems of 6x6 blocks, one block row per body.

Rows that do not touch are eliminated together, so that a chain of n bodies takes about log2(n)
rounds of array operations and work that grows with n; loops and hubs need no special case (nested
elimination as in Duff and Reid, "The Multifrontal Solution of Indefinite Sparse Symmetric Linear
Equations", 1983). No library call is given so much at once that it starts threads.

Rows are numbered in the order in which they are eliminated, and each row of a round has as many
edges to later rows as the one with the most, if need be to a row beyond the last one. What a round
works on then lies side by side. The few rows that are left in the end are one full matrix, which
takes less time than rounds of one or two rows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array

Indices = NDArray[np.intp]
SIZE = 6
"""Rows of a block: three of linear, three of angular velocity."""
_MOST_FULL = 12
"""Rows that are solved as a full matrix, which is quicker than rounds."""
_MOST_DENSE, _FEW = 48, 8
"""The same where less than one row in so many is eliminated at once, as in the middle of a net."""
_MOST_AT_ONCE, _PIECE, _MOST_PRODUCTS = 96, 48, 1 << 18
"""Unknowns and products from which on OpenBLAS uses several threads, which wait busily.

Of a larger matrix pieces of so many unknowns are eliminated.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """How to add batches onto targets that may repeat: by halves, which keeps batches together."""

    order: Indices
    """Of the values that count."""
    folds: tuple[tuple[Indices, Indices], ...]
    """Which values stay, and which are added to the first of them."""
    targets: Indices
    """Distinct targets of the values that are left."""

    def take_from(self, target: Array, values: Array) -> None:
        """Subtract values (n, ...) from their targets, in place."""
        target[self.targets] -= self.sums(values)

    def add_to(self, target: Array, values: Array) -> None:
        """Add values (n, ...) onto their targets, in place."""
        target[self.targets] += self.sums(values)

    def sums(self, values: Array) -> Array:
        """Return the sums (t, ...) of values (n, ...) per distinct target."""
        values = values.take(self.order, 0)
        for kept, added in self.folds:
            rest = values.take(added, 0)
            values = values.take(kept, 0)
            values[: len(rest)] += rest
        return values


def scatter_to(targets: Sequence[int] | Indices, count: int) -> Scatter:
    """Return how to add values onto `targets` below `count`; others are cast away."""
    array = np.asarray(targets, dtype=np.intp)
    order = np.argsort(array, kind="stable").astype(np.intp)
    order = order[array[order] < count]
    left, folds = array[order], list[tuple[Indices, Indices]]()
    while True:
        first, second, alone = _paired(left)
        if not len(second):
            return Scatter(order, tuple(folds), left)
        kept = np.concatenate((first, alone))
        folds.append((kept, second))
        left = left[kept]


def _paired(targets: Indices) -> tuple[Indices, Indices, Indices]:
    """Return pairs of positions with the same target, each position once, and all others."""
    order = np.argsort(targets, kind="stable").astype(np.intp)
    found = targets[order]
    starts = np.flatnonzero(np.diff(found, prepend=-1))
    rank = np.arange(len(found)) - np.repeat(starts, np.diff(np.append(starts, len(found))))
    second = np.flatnonzero(rank % 2)
    is_alone = rank % 2 == 0
    is_alone[second - 1] = False
    return order[second - 1], order[second], order[is_alone]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Rows that are eliminated together, and what they change."""

    rows: slice
    edges: slice
    """Blocks of their edges, row by row."""
    ends: Indices
    """Later rows of the edges of each row, ascending, shape (p, d)."""
    diagonal: Scatter
    """Onto the rows of the edges."""
    between: Scatter
    """Onto the blocks of pairs of edges, pair by pair (`_pairs`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """The rows that are left after all rounds, and the blocks between them."""

    rows: slice
    blocks: slice
    """One for each pair of rows (`_pairs`)."""
    late: Indices
    """Of each pair, counted from the first of the rows."""
    early: Indices


@dataclass(frozen=True, slots=True, eq=False)
class Elimination:
    """Order of elimination of a graph of block rows."""

    size: int
    """Number of block rows."""
    places: Indices
    """When each row as it was given is eliminated, shape (n,): its number from there on."""
    slots: dict[tuple[int, int], int]
    """Number of the block (earlier row, later row); it holds the later row's part of the matrix."""
    block_count: int
    """Number of these blocks, with those of edges beyond the last row."""
    rounds: tuple[Round, ...]
    root: Root

    def block_of(self, one: int, other: int) -> int:
        """Return the number of the block of two rows; what is beyond the last row is cast away."""
        pair = min(one, other), max(one, other)
        return self.slots[pair] if pair[1] < self.size else self.block_count


def plan_elimination(size: int, pairs: Iterable[tuple[int, int]]) -> Elimination:
    """Return the order for `size` rows of which `pairs` are coupled."""
    stages, left = _stages(size, pairs, most=_MOST_DENSE)
    order = _order(stages, left)
    places = np.argsort(order).astype(np.intp)
    counts = [(len(stage), max(len(ends) for _, ends in stage)) for stage in stages]
    ends = [
        _ends(stage, count[1], size, places) for stage, count in zip(stages, counts, strict=True)
    ]
    starts = np.cumsum([0, *(rows for rows, _ in counts)])
    firsts = np.cumsum([0, *(rows * edges for rows, edges in counts)])
    root = _root(int(starts[-1]), len(left), int(firsts[-1]))
    slots = _slots(ends, starts, firsts, size) | _root_slots(root)
    plan = Elimination(size, places, slots, root.blocks.stop, (), root)
    rounds = [
        _round(plan, slice(starts[n], starts[n + 1]), slice(firsts[n], firsts[n + 1]), each)
        for n, each in enumerate(ends)
    ]
    return replace(plan, rounds=tuple(rounds))


def elimination_order(size: int, pairs: Iterable[tuple[int, int]]) -> Indices:
    """Return `size` rows, of which `pairs` are coupled, as eliminating them fills in few blocks."""
    return _order(*_stages(size, pairs, most=_MOST_FULL))


_Stage = list[tuple[int, list[int]]]
"""Rows that are eliminated together, and the later rows that each is coupled to."""


def _order(stages: Sequence[_Stage], left: Sequence[int]) -> Indices:
    return np.array([*(row for stage in stages for row, _ in stage), *left], dtype=np.intp)


def _stages(
    size: int, pairs: Iterable[tuple[int, int]], *, most: int
) -> tuple[list[_Stage], list[int]]:
    """Return the stages of elimination, and the rows that are left, at `most` so many."""
    neighbors: list[set[int]] = [set() for _ in range(size)]
    for one, other in pairs:
        if one != other:
            neighbors[one].add(other)
            neighbors[other].add(one)
    stages: list[_Stage] = []
    left = list(range(size))
    while True:
        chosen = _independent_rows(left, neighbors)
        limit = most if len(chosen) * _FEW < len(left) else _MOST_FULL
        if _is_root(left, neighbors, limit):
            return stages, left
        stages.append([(row, _eliminate(row, neighbors)) for row in chosen])
        gone = set(chosen)
        left = [row for row in left if row not in gone]


def _is_root(left: list[int], neighbors: list[set[int]], most: int) -> bool:
    """Return whether few rows are left, all of one island: what fails in one ends there."""
    if len(left) > most:
        return False
    found, new = set(left[:1]), set(left[:1])
    while new:
        new = set[int]().union(*(neighbors[row] for row in new)) - found
        found |= new
    return len(found) == len(left)


def _independent_rows(left: list[int], neighbors: list[set[int]]) -> list[int]:
    """Return rows of low degree, no two of them coupled."""
    degrees = [len(neighbors[row]) for row in left]
    bound = max(2, min(degrees, default=0))
    chosen, blocked = [], set[int]()
    for row, degree in zip(left, degrees, strict=True):
        if degree <= bound and row not in blocked:
            chosen.append(row)
            blocked |= neighbors[row]
    return chosen


def _eliminate(row: int, neighbors: list[set[int]]) -> list[int]:
    """Take a row out of the graph, coupling its neighbors; return them."""
    ends = sorted(neighbors[row])
    for end in ends:
        neighbors[end] |= neighbors[row]
        neighbors[end] -= {row, end}
    neighbors[row] = set()
    return ends


def _ends(
    stage: Sequence[tuple[int, list[int]]], count: int, size: int, places: Indices
) -> Indices:
    """Return the later rows (p, count) of the edges of a stage, `size` where there are fewer."""
    result = np.full((len(stage), count), size, dtype=np.intp)
    for row, (_, ends) in zip(result, stage, strict=True):
        row[: len(ends)] = np.sort(places[ends])
    return result


def _slots(
    ends: Sequence[Indices], starts: Indices, firsts: Indices, size: int
) -> dict[tuple[int, int], int]:
    """Return the number of the block of each edge, where stages have their first row and edge."""
    return {
        (int(start) + row, int(end)): int(first) + row * each.shape[1] + edge
        for each, start, first in zip(ends, starts, firsts, strict=False)
        for row, found in enumerate(each)
        for edge, end in enumerate(found)
        if end < size
    }


def _root(start: int, count: int, block: int) -> Root:
    """Return the last `count` rows from `start` on, with their blocks from `block` on."""
    pairs = np.array(_pairs(count), np.intp).reshape(-1, 2)
    blocks = slice(block, block + len(pairs))
    return Root(slice(start, start + count), blocks, pairs[:, 0], pairs[:, 1])


def _root_slots(root: Root) -> dict[tuple[int, int], int]:
    """Return the numbers of the blocks between the rows that are left."""
    start = root.rows.start
    pairs = zip(root.early.tolist(), root.late.tolist(), strict=True)
    return {
        (start + early, start + late): root.blocks.start + number
        for number, (early, late) in enumerate(pairs)
    }


def _pairs(count: int) -> list[tuple[int, int]]:
    """Return the pairs of `count` edges, as the later and the earlier one."""
    return [(late, early) for late in range(count) for early in range(late)]


def _round(plan: Elimination, rows: slice, edges: slice, ends: Indices) -> Round:
    between = [
        plan.block_of(int(each[late]), int(each[early]))
        for late, early in _pairs(ends.shape[1])
        for each in ends
    ]
    return Round(
        rows,
        edges,
        ends,
        scatter_to(ends.ravel(), plan.size),
        scatter_to(between, plan.block_count),
    )


def solve(plan: Elimination, diagonal: Array, blocks: Array) -> Array:
    """Return x (n + 1, 6) of a system of n rows, the last one zero; arguments are overwritten.

    `diagonal` (n, 6, 7) holds the diagonal blocks and, as their last columns, the right side;
    `blocks` (b, 6, 6) the lower blocks of `plan.slots`.
    """
    kept = []
    for each in plan.rounds:
        count = each.ends.shape[1] * SIZE
        own = diagonal[each.rows]
        lower = blocks[each.edges].reshape(len(own), count, SIZE)
        right = np.concatenate((lower.transpose(0, 2, 1), own[:, :, SIZE:]), axis=2)
        # Twice as fast as `solve`, which factors in the same way but substitutes row by row.
        solved = _inverses(own[:, :, :SIZE]) @ right
        kept.append(solved)
        if count:
            _update(each, diagonal, blocks, (lower @ solved).reshape(-1, SIZE, count + 1))
    solution = np.zeros((plan.size + 1, SIZE))
    solution[plan.root.rows] = _solve_root(plan.root, diagonal, blocks)
    for each, solved in zip(reversed(plan.rounds), reversed(kept), strict=True):
        later = solution[each.ends].reshape(len(solved), solved.shape[2] - 1, 1)
        solution[each.rows] = (solved[:, :, -1:] - solved[:, :, :-1] @ later)[:, :, 0]
    return solution


def _inverses(matrices: Array) -> Array:
    """Return the inverses of matrices (n, 6, 6), not a number where there is none."""
    try:
        return np.linalg.inv(matrices)
    except np.linalg.LinAlgError:
        if len(matrices) == 1:
            return np.full_like(matrices, np.nan)
    return np.concatenate([_inverses(matrix[None]) for matrix in matrices])


def _solve_root(root: Root, diagonal: Array, blocks: Array) -> Array:
    """Return x (k, 6) of the k rows that are left, not a number where there is none."""
    own, lower = diagonal[root.rows], blocks[root.blocks]
    count, each = len(own), np.arange(len(own))
    full = np.empty((count, count, SIZE, SIZE))
    full[each, each] = own[:, :, :SIZE]
    full[root.late, root.early] = lower
    full[root.early, root.late] = lower.transpose(0, 2, 1)
    matrix = full.swapaxes(1, 2).reshape(count * SIZE, count * SIZE)
    try:
        return _solve_full(matrix, own[:, :, SIZE].reshape(-1, 1)).reshape(count, SIZE)
    except np.linalg.LinAlgError:
        return np.full((count, SIZE), np.nan)


def _solve_full(matrix: Array, right: Array) -> Array:
    """Return x (m, 1) of a full system, in pieces that no library call starts threads for."""
    if len(matrix) <= _MOST_AT_ONCE:
        return np.linalg.solve(matrix, right)
    first, rest = slice(_PIECE), slice(_PIECE, None)
    inverse = np.linalg.inv(matrix[first, first])
    solved = _product(inverse, np.concatenate((matrix[first, rest], right[first]), axis=1))
    change = _product(matrix[rest, first], solved)
    later = _solve_full(matrix[rest, rest] - change[:, :-1], right[rest] - change[:, -1:])
    return np.concatenate((solved[:, -1:] - solved[:, :-1] @ later, later))


def _product(left: Array, right: Array) -> Array:
    """Return the product of matrices (n, k) and (k, m), a few rows at a time."""
    rows = max(1, _MOST_PRODUCTS // right.size)
    parts = [left[start : start + rows] @ right for start in range(0, len(left), rows)]
    return np.concatenate(parts)


def _update(each: Round, diagonal: Array, blocks: Array, product: Array) -> None:
    """Take from later rows what a round stands for: `product` (p d, 6, 6 d + 1), in place."""
    rows, count = each.ends.shape
    by_edge = product.reshape(rows, count, SIZE, -1)
    change = np.empty((rows, count, SIZE, SIZE + 1))
    for edge in range(count):
        change[:, edge, :, :SIZE] = by_edge[:, edge, :, edge * SIZE : (edge + 1) * SIZE]
    change[..., SIZE] = by_edge[..., -1]
    each.diagonal.take_from(diagonal, change.reshape(-1, SIZE, SIZE + 1))
    pairs = [
        by_edge[:, late, :, early * SIZE : (early + 1) * SIZE] for late, early in _pairs(count)
    ]
    if pairs:
        each.between.take_from(blocks, pairs[0] if len(pairs) == 1 else np.concatenate(pairs))
