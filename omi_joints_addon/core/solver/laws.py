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
from .rows import RowTable, Side
from .vectors import wrapped

Mask = NDArray[np.bool_]
_CORRECTION_SPEED = (4.0, 2.0)
"""Fastest return into rigid bounds: angular [rad/s], linear [m/s]."""
_LEASH = 5.0
"""Multiple of that speed that no rigid row asks for, whatever the prediction says."""
_NOTABLE_LOCK, _NOTABLE_RANGE = 1e-4, 1e-6
"""Violations [m or rad] of locks and of ranges that are put right without speed being left."""
_RESOLVED, _UNRESOLVED = 0.5, 1.0
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
    scale = np.where(
        table.is_acceleration & (lightness > 0.0), 1.0 / np.maximum(lightness, 1e-30), 1.0
    )
    return Gains(rigid, table.stiffness * scale, table.damping * scale, lightness)


def deviations(table: RowTable, values: Array) -> Array:
    """Return how far values are from the center of what is allowed; angles the short way round."""
    difference = values - table.center
    return np.where(table.is_twist, wrapped(difference), difference)


def sides(table: RowTable, deviation: Array) -> Array:
    """Return 1 where the upper bound counts, -1 where the lower one does."""
    nearest = np.where(deviation < 0.0, -1.0, 1.0)
    return np.where(
        table.side == Side.NEAREST, nearest, np.where(table.side == Side.LOWER, -1.0, 1.0)
    )


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
    """Return the laws of a step.

    A damper acts on the mean of the rates before and after, on the latter alone where a step does
    not resolve its decay.
    """
    now, share = course.now, course.share
    side = sides(table, np.where(table.is_soft, now, course.ahead))
    is_both = table.side == Side.BOTH
    back = _return_rates(table, course, side)
    goal = _goal(table, course, side, back)
    violated = _violated(table, course, side) & (back != 0.0)
    acts = acting(table, now, course.rate, share, course.step)
    late = 0.5 + 0.5 * unresolved(course.step * constants.damping * constants.lightness)
    gain = course.kick * (share * course.step * constants.stiffness + late * constants.damping)
    drag = constants.damping * ((1.0 - late) * course.last - table.velocity)
    pull = course.kick * (constants.stiffness * (now - side * table.half) + drag)
    one_sided = table.is_row & ~table.is_drive & ~is_both
    force = np.where(table.is_drive, course.kick * table.max_force, np.inf)
    return Laws(
        gain=np.where(table.is_soft, np.where(acts, gain, 0.0), constants.rigid),
        offset=np.where(table.is_soft, np.where(acts, pull, 0.0), -constants.rigid * goal),
        low=np.where(one_sided & (side < 0.0), 0.0, -force),
        high=np.where(one_sided & (side > 0.0), 0.0, force),
        taken_back=np.where(violated | (course.returned & (back != 0.0)), back, 0.0),
        is_violated=violated,
    )


def _return_rates(table: RowTable, course: Course, side: Array) -> Array:
    """Return the rates, of a limited size, at which rigid rows go back to bounds they violate."""
    speed = np.where(table.is_linear, _CORRECTION_SPEED[1], _CORRECTION_SPEED[0])
    excess = course.now - side * table.half
    violates = (table.side == Side.BOTH) | (side * excess > 0.0)
    violates &= table.is_row & ~table.is_soft
    return np.where(violates, -np.clip(excess / course.step, -speed, speed), 0.0)


def _violated(table: RowTable, course: Course, side: Array) -> Mask:
    """Return which rows are away from their bound by more than what steps leave.

    Going back from there must not stay in the velocities. What steps leave, and put right in the
    next, belongs to the motion and keeps its energy.
    """
    least = np.where(table.side == Side.BOTH, _NOTABLE_LOCK, _NOTABLE_RANGE)
    return np.asarray(np.abs(course.now - side * table.half) > least)


def _goal(table: RowTable, course: Course, side: Array, back: Array) -> Array:
    """Return the rates at which rigid rows reach their bounds at the step's end."""
    is_both = table.side == Side.BOTH
    leash = _LEASH * np.where(table.is_linear, _CORRECTION_SPEED[1], _CORRECTION_SPEED[0])
    excess = course.now - side * table.half
    excess = np.where(is_both | (side * excess > 0.0), excess, 0.0)
    goal = course.rate - (course.ahead - side * table.half - excess) / course.step + back
    goal = np.where(is_both | (side > 0.0), np.maximum(goal, -leash), goal)
    return np.where(is_both | (side < 0.0), np.minimum(goal, leash), goal)


def acting(table: RowTable, now: Array, rate: Array, share: Array | float, step: float) -> Mask:
    """Return which soft rows act: drives and locks always, other limits beyond a bound."""
    side = sides(table, now)
    beyond = side * (now + share * step * rate) > table.half
    return np.asarray(table.is_soft & ((table.side == Side.BOTH) | beyond))


def look_ahead(constants: Gains, acts: Mask, bodies: Indices, step: float) -> Array:
    """Return how far (0 to 1) springs look ahead to the step's end.

    An oscillation that the step resolves is integrated symplectically, keeping its energy; a
    stiffer one implicitly, keeping the peace. All springs on a body count. `bodies` (2, j) are the
    joints' bodies, -1 for those that do not move.
    """
    squares = np.where(acts, constants.stiffness * constants.lightness, 0.0).sum(axis=0)
    totals = np.zeros(bodies.max(initial=-1) + 2)
    for body in bodies:
        np.add.at(totals, body, squares)
    totals[-1] = 0.0
    return unresolved(step * np.sqrt(np.maximum(totals[bodies].max(axis=0), squares)))


def unresolved(turn: Array) -> Array:
    """Return 0 to 1 for oscillations that turn by `turn` [rad] in a step."""
    return np.clip((turn - _RESOLVED) / (_UNRESOLVED - _RESOLVED), 0.0, 1.0)
