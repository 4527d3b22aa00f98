"""Force laws of rows over one step, as impulses that depend on the rate at the step's end.

Every law is p(u) = clip(-(gain · u + offset), low, high): rigid bounds as a gain far beyond the
masses, springs and dampers by their own constants. p never grows with u, which makes a step a
convex problem.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .elimination import Indices
from .rows import RowTable
from .vectors import wrapped

Mask = NDArray[np.bool_]
_CORRECTION_SPEED = (4.0, 2.0)
"""Fastest return into rigid bounds: angular [rad/s], linear [m/s]."""
_LEASH = 5.0
"""Multiple of that speed that no rigid row asks for, whatever the prediction says."""
_NOTABLE_LOCK, _NOTABLE_RANGE = 1e-4, 1e-6
"""Violations [m or rad] of locks and of ranges that are put right without speed being left."""
RESOLVED, _UNRESOLVED = 0.5, 1.0
"""Angle [rad] that an oscillation turns in a step: up to the first it is integrated as it is, from
the second on implicitly, which damps it."""


@dataclass(frozen=True, slots=True, eq=False)
class Laws:
    """Impulse of each row, shapes (r, j): clip(-(gain · u + offset), low, high) [N·s or N·m·s]."""

    gain: Array
    offset: Array
    low: Array
    high: Array
    taken_back: Array
    """Rates [m/s or rad/s] that only bring rows back to bounds they have violated."""
    is_violated: Mask
    """Rows beyond a rigid bound by more than what steps leave."""

    def clipped(self, impulse: Array) -> Array:
        """Return impulses within their bounds."""
        return np.minimum(np.maximum(impulse, self.low), self.high)


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """Constants of rows, shapes (r, j)."""

    rigid: Array
    """Gain of rigid rows [kg or kg·m²]."""
    stiffness: Array
    damping: Array
    lightness: Array
    """Inverse of the inertia that a soft row feels [1/kg or 1/(kg·m²)]."""


def gains(table: RowTable, rigid: Array, lightness: Array) -> Gains:
    """Return the constants, those of acceleration drives scaled by the effective inertia."""
    if not table.is_acceleration.any():
        return Gains(rigid, table.stiffness, table.damping, lightness)
    scale = np.where(
        table.is_acceleration & (lightness > 0.0), 1.0 / np.maximum(lightness, 1e-30), 1.0
    )
    return Gains(rigid, table.stiffness * scale, table.damping * scale, lightness)


def deviations(table: RowTable, values: Array) -> Array:
    """Return how far values are from the center of what is allowed; angles the short way round."""
    difference = values - table.center
    if not table.is_twist.any():
        return difference
    return np.where(table.is_twist, wrapped(difference), difference)


def sides(table: RowTable, deviation: Array) -> Array:
    """Return 1 where the upper bound counts, -1 where the lower one does."""
    return np.where(table.is_nearest & (deviation < 0.0), -1.0, table.side)


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """How rows are expected to go through a step, shapes (r, j)."""

    now: Array
    """Deviations at its start."""
    ahead: Array
    """Deviations at its end, at the rates `rate`."""
    rate: Array
    last: Array
    """Rates before it."""
    share: Array
    """How far springs look ahead (`look_ahead`)."""
    step: float
    """Length [s]."""
    kick: Array
    """For how long forces of each joint act [s], shape (j,)."""
    returned: Mask
    """Joints that the step before has brought back, shape (j,)."""


def row_laws(table: RowTable, constants: Gains, course: Course) -> Laws:
    """Return the laws of a step."""
    side = sides(table, np.where(table.is_soft, course.now, course.ahead))
    bound = side * table.half
    excess = course.now - bound
    speed = np.where(table.is_linear, _CORRECTION_SPEED[1], _CORRECTION_SPEED[0])
    is_beyond = table.is_both | (side * excess > 0.0)
    back = np.where(is_beyond & ~table.is_soft, np.clip(excess / -course.step, -speed, speed), 0.0)
    goal = _goal(table, course, side, np.where(is_beyond, excess, 0.0)) + back
    goal = _leashed(table, goal, side, _LEASH * speed)
    least = np.where(table.is_both, _NOTABLE_LOCK, _NOTABLE_RANGE)
    # Going back from there must not stay in the velocities. What steps leave, and put right in the
    # next, belongs to the motion and keeps its energy.
    violated = (np.abs(excess) > least) & (back != 0.0) & table.is_row
    gain, offset = constants.rigid, -constants.rigid * goal
    if table.has_soft:
        gain, offset = _with_soft_laws(table, constants, course, excess, gain, offset)
    force = np.where(table.is_drive, course.kick * table.max_force, np.inf)
    is_one_sided = ~(table.is_drive | table.is_both)
    return Laws(
        gain=gain,
        offset=offset,
        low=np.where(is_one_sided & (side < 0.0), 0.0, -force),
        high=np.where(is_one_sided & (side > 0.0), 0.0, force),
        taken_back=np.where(violated | course.returned, back, 0.0),
        is_violated=violated,
    )


def _goal(table: RowTable, course: Course, side: Array, left: Array) -> Array:
    """Return the rates at which rigid rows keep as far beyond their bounds as is `left`."""
    return course.rate - (course.ahead - side * table.half - left) / course.step


def _leashed(table: RowTable, goal: Array, side: Array, leash: Array) -> Array:
    """Return rates no further into what is allowed than `leash`."""
    goal = np.where(table.is_both | (side > 0.0), np.maximum(goal, -leash), goal)
    return np.where(table.is_both | (side < 0.0), np.minimum(goal, leash), goal)


def _with_soft_laws(
    table: RowTable, constants: Gains, course: Course, excess: Array, gain: Array, offset: Array
) -> tuple[Array, Array]:
    """Return gains and offsets (r, j) with those of soft rows put in.

    A damper acts on the mean of the rates before and after, on the latter alone where a step does
    not resolve its decay.
    """
    acts = acting(table, course.now, course.rate, course.share, course.step)
    late = 0.5 + 0.5 * unresolved(course.step * constants.damping * constants.lightness)
    own = course.share * course.step * constants.stiffness + late * constants.damping
    drag = constants.damping * ((1.0 - late) * course.last - table.velocity)
    pull = constants.stiffness * excess + drag
    return (
        np.where(table.is_soft, np.where(acts, course.kick * own, 0.0), gain),
        np.where(table.is_soft, np.where(acts, course.kick * pull, 0.0), offset),
    )


def acting(table: RowTable, now: Array, rate: Array, share: Array | float, step: float) -> Mask:
    """Return which soft rows act: drives and locks always, other limits beyond a bound."""
    side = sides(table, now)
    beyond = side * (now + share * step * rate) > table.half
    return np.asarray(table.is_soft & (table.is_both | beyond))


def look_ahead(constants: Gains, acts: Mask, rows: Indices, size: int, step: float) -> Array:
    """Return how far (0 to 1) springs look ahead to the step's end, shape (j,).

    An oscillation that the step resolves is integrated symplectically, keeping its energy; a
    stiffer one implicitly, keeping the peace. All springs on a body count. `rows` (2, j) are the
    joints' bodies, `size` stands for those that do not move.
    """
    squares = np.where(acts, constants.stiffness * constants.lightness, 0.0).sum(axis=0)
    totals = np.bincount(rows.ravel(), np.tile(squares, 2), minlength=size + 1)
    totals[size] = 0.0
    return unresolved(step * np.sqrt(np.maximum(totals[rows].max(axis=0), squares)))


def unresolved(turn: Array) -> Array:
    """Return 0 to 1 for oscillations that turn by `turn` [rad] in a step."""
    return np.clip((turn - RESOLVED) / (_UNRESOLVED - RESOLVED), 0.0, 1.0)
