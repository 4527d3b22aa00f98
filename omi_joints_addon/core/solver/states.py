"""What holds joints after a step, and which of them are open."""

import numpy as np

from ..model.pose import Array
from .laws import Mask, sides
from .memory import Memory
from .simulator import JointState
from .table import RowTable

_APART = (8e-3, 1e-3)
"""Opening of rigid locks that is notable: [rad], [m]."""
_AT_LIMIT = (2e-3, 5e-4)
"""Distance from a bound that counts as touching it: [rad], [m]."""
_STATES = tuple(JointState)


def rows_apart(table: RowTable, memory: Memory) -> Mask:
    """Return which rows are locks or couplings that are notably open, (r, j)."""
    is_held = table.is_lock | table.is_coupling
    return np.asarray(is_held & (np.abs(memory.deviation) > _of_rows(table, _APART)))


def joint_states(table: RowTable, memory: Memory) -> list[JointState]:
    """Return the state of each joint."""
    near = _of_rows(table, _AT_LIMIT)
    is_both, pushes = table.is_both, memory.impulse != 0.0
    away = sides(table, memory.deviation) * memory.deviation - table.half
    excess = np.where(is_both, np.abs(memory.deviation), away)
    is_limit = table.is_row & ~(table.is_drive | table.is_rate) & (pushes | is_both)
    is_past = is_limit & (excess > np.where(table.is_soft, near, 2.0 * near))
    is_at = is_limit & ~table.is_soft & ~is_both
    most = table.max_force * memory.kick
    is_full = table.is_drive & pushes & (np.abs(memory.impulse) >= 0.999 * most)
    grades = np.select(
        [is_past, is_full, is_at],
        [JointState.PAST_LIMIT, JointState.SATURATED, JointState.AT_LIMIT],
        JointState.FREE,
    )
    return [_STATES[grade] for grade in grades.max(axis=0, initial=0).tolist()]


def _of_rows(table: RowTable, sizes: tuple[float, float]) -> Array:
    """Return an angle [rad] or a length [m] for each row."""
    return np.where(table.is_linear, sizes[1], sizes[0])
