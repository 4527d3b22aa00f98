"""Systems of blocks solved by elimination are those that a full matrix solves."""

import numpy as np
import pytest

from omi_joints_addon.core.solver.elimination import (
    SIZE,
    elimination_order,
    plan_elimination,
    solve,
)

Pairs = list[tuple[int, int]]
NET = 12
GRAPHS: dict[str, tuple[int, Pairs]] = {
    "a chain": (40, [(n, n + 1) for n in range(39)]),
    "a star": (30, [(0, n) for n in range(1, 30)]),
    "loose rows": (20, []),
    "a net": (
        NET * NET,
        [(n, n + 1) for n in range(NET * NET - 1) if (n + 1) % NET]
        + [(n, n + NET) for n in range(NET * NET - NET)],
    ),
    "all with all": (40, [(one, two) for one in range(40) for two in range(one)]),
    "two of these": (
        40,
        [
            (one, two)
            for part in (0, 20)
            for one in range(part, part + 20)
            for two in range(part, one)
        ],
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_solutions_are_those_of_the_full_matrix(name: str) -> None:
    size, pairs = GRAPHS[name]
    chance = np.random.default_rng(0)
    plan = plan_elimination(size, pairs)
    full = np.zeros((size, SIZE, size, SIZE))
    blocks = np.zeros((plan.block_count, SIZE, SIZE))
    for one, other in pairs:
        early, late = sorted((int(plan.places[one]), int(plan.places[other])))
        block = chance.normal(size=(SIZE, SIZE))
        blocks[plan.slots[early, late]] = block
        full[late, :, early], full[early, :, late] = block, block.T
    own = np.eye(SIZE) * 12.0 * size
    full[np.arange(size), :, np.arange(size)] = own
    right = chance.normal(size=(size, SIZE))
    diagonal = np.concatenate((np.broadcast_to(own, (size, SIZE, SIZE)), right[:, :, None]), axis=2)
    found = solve(plan, diagonal, blocks)
    matrix = full.reshape(size * SIZE, size * SIZE)
    assert found[:size].ravel() == pytest.approx(np.linalg.solve(matrix, right.ravel()), rel=1e-9)
    assert not found[size].any()


def test_the_middle_of_a_net_is_one_matrix() -> None:
    """There, hardly any two rows can be eliminated at once."""
    plan = plan_elimination(*GRAPHS["a net"])
    assert len(range(*plan.root.rows.indices(plan.size))) > 12
    assert len(plan.rounds) < 20


def fill(order: list[int], pairs: Pairs) -> int:
    """Return how many pairs of rows are coupled while rows are eliminated in an order."""
    neighbours: dict[int, set[int]] = {row: set() for row in order}
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    count = 0
    for row in order:
        ends = neighbours.pop(row)
        count += len(ends)
        for end in ends:
            neighbours[end] |= ends
            neighbours[end] -= {row, end}
    return count


def test_the_order_of_all_rows_fills_in_few_blocks() -> None:
    """That of contacts, which MuJoCo factors row by row, is by degree to the end."""
    size, pairs = GRAPHS["a net"]
    order = elimination_order(size, pairs).tolist()
    assert sorted(order) == list(range(size))
    assert fill(order, pairs) < 900 < fill(list(range(size)), pairs)
