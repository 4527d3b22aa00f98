"""Solve sparse symmetric positive definite systems of 6x6 blocks, one block row per body.

Rows that do not touch are eliminated together, so that a chain of n bodies takes about log2(n)
rounds of array operations and work that grows with n; loops and hubs need no special case (nested
elimination as in Duff and Reid, "The Multifrontal Solution of Indefinite Sparse Symmetric Linear
Equations", 1983). No library call sees more than one block, so none starts threads.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array

Indices = NDArray[np.intp]
SIZE = 6
"""Rows of a block: three of linear, three of angular velocity."""
_SMALLEST_PIVOT = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """How to add batches onto targets that may repeat."""

    order: Indices
    starts: Indices
    targets: Indices
    """Distinct targets, ascending."""

    def sums(self, values: Array) -> Array:
        """Return the sums (t, ...) of values (n, ...) per distinct target."""
        if len(self.starts) == len(self.order):
            return values[self.order]
        return np.add.reduceat(values[self.order], self.starts, axis=0)

    def totals(self, values: Array) -> Array:
        """Return the sums (..., t) of values (..., n) per distinct target."""
        if len(self.starts) == len(self.order):
            return values[..., self.order]
        return np.add.reduceat(values[..., self.order], self.starts, axis=-1)


def scatter_to(targets: Sequence[int] | Indices) -> Scatter:
    """Return how to add values onto `targets`."""
    array = np.asarray(targets, dtype=np.intp)
    order = np.argsort(array, kind="stable").astype(np.intp)
    distinct, starts = np.unique(array[order], return_index=True)
    return Scatter(order, starts.astype(np.intp), distinct.astype(np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Rows that are eliminated together, and what they change."""

    pivots: Indices
    edge_pivots: Indices
    """Position in `pivots` of each edge to a later row, ascending."""
    edge_slots: Indices
    edge_rows: Scatter
    """Later row of each edge."""
    edge_ends: Indices
    first: Indices
    second: Indices
    """Pairs of edges of one pivot, as positions among the edges."""
    pair_slots: Scatter
    pivot_sums: Scatter


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Order of elimination of a graph of block rows."""

    size: int
    """Number of block rows; the diagonal block of row i is block i."""
    slots: dict[tuple[int, int], int]
    """Number of the block (earlier row, later row)."""
    rounds: tuple[Round, ...]

    @property
    def block_count(self) -> int:
        """Number of blocks, those that elimination fills in included."""
        return self.size + len(self.slots)

    def slot(self, one: int, other: int) -> tuple[int, bool]:
        """Return the block of two rows and whether `one` is its earlier row."""
        is_first = (one, other) in self.slots
        return self.slots[(one, other) if is_first else (other, one)], is_first


def plan_elimination(size: int, pairs: Iterable[tuple[int, int]]) -> Plan:
    """Return the order for `size` rows of which `pairs` are coupled."""
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for one, other in pairs:
        if one != other:
            neighbours[one].add(other)
            neighbours[other].add(one)
    slots: dict[tuple[int, int], int] = {}
    stages: list[list[tuple[int, list[int]]]] = []
    left = list(range(size))
    while left:
        chosen = _independent_rows(left, neighbours)
        stages.append([(row, _eliminate(row, neighbours)) for row in chosen])
        for row, ends in stages[-1]:
            for end in ends:
                slots[row, end] = size + len(slots)
        gone = set(chosen)
        left = [row for row in left if row not in gone]
    plan = Plan(size, slots, ())
    return Plan(size, slots, tuple(_round(plan, stage) for stage in stages))


def _independent_rows(left: list[int], neighbours: list[set[int]]) -> list[int]:
    """Return rows of low degree, no two of them coupled."""
    bound = max(2, min(len(neighbours[row]) for row in left))
    chosen, blocked = [], set[int]()
    for row in left:
        if row not in blocked and len(neighbours[row]) <= bound:
            chosen.append(row)
            blocked |= neighbours[row]
    return chosen


def _eliminate(row: int, neighbours: list[set[int]]) -> list[int]:
    """Take a row out of the graph, coupling its neighbors; return them."""
    ends = sorted(neighbours[row])
    for end in ends:
        neighbours[end] |= neighbours[row]
        neighbours[end] -= {row, end}
    neighbours[row] = set()
    return ends


def _round(plan: Plan, stage: list[tuple[int, list[int]]]) -> Round:
    edge_pivots, edge_slots, edge_ends = list[int](), list[int](), list[int]()
    first, second, targets = list[int](), list[int](), list[int]()
    for position, (row, ends) in enumerate(stage):
        base = len(edge_ends)
        edge_pivots += [position] * len(ends)
        edge_slots += [plan.slots[row, end] for end in ends]
        edge_ends += ends
        for i, one in enumerate(ends):
            for j in range(i, len(ends)):
                slot, is_first = (one, True) if i == j else plan.slot(one, ends[j])
                first.append(base + (i if is_first else j))
                second.append(base + (j if is_first else i))
                targets.append(slot)
    return Round(
        pivots=np.array([row for row, _ in stage], dtype=np.intp),
        edge_pivots=np.array(edge_pivots, dtype=np.intp),
        edge_slots=np.array(edge_slots, dtype=np.intp),
        edge_rows=scatter_to(edge_ends),
        edge_ends=np.array(edge_ends, dtype=np.intp),
        first=np.array(first, dtype=np.intp),
        second=np.array(second, dtype=np.intp),
        pair_slots=scatter_to(targets),
        pivot_sums=scatter_to(edge_pivots),
    )


def solve(plan: Plan, blocks: Array, right: Array) -> Array:
    """Return x (6, n) of `blocks` x = `right`; both arguments are overwritten.

    `blocks` (b, 6, 6) holds the diagonal blocks, then those of `plan.slots`; `right` is (n, 6). The
    batch comes first here, so that one call inverts or multiplies many blocks.
    """
    parts, known = blocks, right[:, :, None]
    kept = []
    for stage in plan.rounds:
        inverse = np.linalg.inv(parts[stage.pivots])
        value, spread = inverse @ known[stage.pivots], None
        if len(stage.edge_slots):
            edges = parts[stage.edge_slots]
            turned = edges.transpose(0, 2, 1)
            spread = inverse[stage.edge_pivots] @ edges
            later = turned @ value[stage.edge_pivots]
            known[stage.edge_rows.targets] -= stage.edge_rows.sums(later)
            product = turned[stage.first] @ spread[stage.second]
            parts[stage.pair_slots.targets] -= stage.pair_slots.sums(product)
        kept.append((value, spread))
    solution = np.empty_like(known)
    for stage, (value, spread) in zip(reversed(plan.rounds), reversed(kept), strict=True):
        if spread is not None:
            later = spread @ solution[stage.edge_ends]
            value[stage.pivot_sums.targets] -= stage.pivot_sums.sums(later)
        solution[stage.pivots] = value
    return np.asarray(solution[:, :, 0].T)


def cholesky(matrices: Array) -> Array:
    """Return the lower factors of matrices (k, k, n), which are overwritten."""
    for k in range(len(matrices)):
        if k:
            matrices[k:, k] -= np.einsum("ijn,jn->in", matrices[k:, :k], matrices[k, :k])
        pivot = np.sqrt(np.maximum(matrices[k, k], _SMALLEST_PIVOT))
        matrices[k:, k] /= pivot
    return matrices


def forward(lower: Array, right: Array) -> Array:
    """Return L⁻¹ `right` for lower factors (k, k, n) and columns (k, c, n)."""
    solution = np.empty_like(right)
    for k in range(len(lower)):
        row = right[k]
        if k:
            row = row - np.einsum("jn,jcn->cn", lower[k, :k], solution[:k])
        np.divide(row, lower[k, k], out=solution[k])
    return solution


def backward(lower: Array, right: Array) -> Array:
    """Return L⁻ᵀ `right` for lower factors (k, k, n) and one column (k, n)."""
    solution = np.empty_like(right)
    for k in reversed(range(len(lower))):
        row = right[k]
        if k + 1 < len(lower):
            row = row - np.einsum("jn,jn->n", lower[k + 1 :, k], solution[k + 1 :])
        np.divide(row, lower[k, k], out=solution[k])
    return solution
