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
from .table import RowTable

Mask = NDArray[np.bool_]
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
    back: Array
    """Parts of the rates [m/s or rad/s] that bring rows back to their bounds."""
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
    if not table.has_acceleration:
        return Gains(rigid, table.stiffness, table.damping, lightness)
    scale = np.where(
        table.is_acceleration & (lightness > 0.0), 1.0 / np.maximum(lightness, 1e-30), 1.0
    )
    return Gains(rigid, table.stiffness * scale, table.damping * scale, lightness)


def deviations(table: RowTable, values: Array) -> Array:
    """Return how far values (r, 2, j) of two moments are from the center of what is allowed.

    Angles go the short way round.
    """
    difference = values - table.center[:, None]
    difference -= (2.0 * np.pi) * np.rint(difference * table.turn[:, None])
    return np.asarray(difference)


def sides(table: RowTable, deviation: Array) -> Array:
    """Return 1 where the upper bound counts, -1 where the lower one does."""
    if not table.has_nearest:
        return table.side
    return np.where(table.is_nearest & (deviation < 0.0), -1.0, table.side)


@dataclass(frozen=True, slots=True, eq=False)
class StepCourse:
    """How rows are expected to go through a step, shapes (r, j)."""

    now: Array
    """Deviations at its start."""
    ahead: Array
    """Deviations at its end, at the rates `rate`."""
    rate: Array
    last: Array
    """Rates before it."""
    impulse: Array
    """What rows gave in the step before [N·s or N·m·s]."""
    ended: Array
    """Rates that the step before has ended with, along its own directions."""
    share: Array
    """How far springs look ahead (`look_ahead`)."""
    step: Array
    """Length [s], shape (j,)."""
    kick: Array
    """For how long forces of each joint act [s], shape (j,)."""


def row_laws(table: RowTable, constants: Gains, course: StepCourse) -> Laws:
    """Return the laws of a step."""
    side = sides(table, np.where(table.is_soft, course.now, course.ahead))
    bound = side * table.half
    excess = course.now - bound
    is_beyond = table.is_both | (side * excess > 0.0)
    left = is_beyond * excess
    back = np.minimum(np.maximum(left / -course.step, -table.speed), table.speed)
    goal = course.rate - (course.ahead - bound - left) / course.step + back
    goal = side * np.minimum(np.maximum(side * goal, -table.leash), table.ceiling)
    gain, offset = constants.rigid, constants.rigid * -goal
    if table.has_soft:
        gain, offset = _with_soft_laws(table, constants, course, excess, gain, offset)
    if table.has_rate:
        gain, offset = _with_rate_laws(table, constants, course, gain, offset)
    force = course.kick * table.max_force
    return Laws(
        gain=gain,
        offset=offset,
        low=np.where(table.is_one_sided & (side < 0.0), 0.0, -force),
        high=np.where(table.is_one_sided & (side > 0.0), 0.0, force),
        back=back,
        # Going back from there must not stay in the velocities. What steps leave, and put right in
        # the next, belongs to the motion and keeps its energy.
        is_violated=(np.abs(excess) > table.notable) & (back != 0.0),
    )


def _with_soft_laws(
    table: RowTable, constants: Gains, course: StepCourse, excess: Array, gain: Array, offset: Array
) -> tuple[Array, Array]:
    """Return gains and offsets (r, j) with those of soft rows put in.

    A damper acts on the mean of the rates before and after, on the latter alone where a step does
    not resolve its decay.
    """
    acts = acting(table, course.now, course.rate, course.share, course.step).astype(float)
    late = 0.5 + 0.5 * unresolved(course.step * constants.damping * constants.lightness)
    own = acts * course.share * course.step * constants.stiffness
    pull = acts * constants.stiffness * excess
    if table.has_soft_bounds:
        part = np.where(table.is_one_sided, 1.0 - course.share, 0.0)
        slope, force, beyond = _over_bounds(table, constants, course, excess)
        own, pull, acts = (
            one + part * (other - one)
            for one, other in ((own, slope), (pull, force), (acts, beyond))
        )
    drag = constants.damping * ((1.0 - late) * course.last - table.velocity)
    return (
        np.where(table.is_soft, course.kick * (own + acts * late * constants.damping), gain),
        np.where(table.is_soft, course.kick * (pull + acts * drag), offset),
    )


def _over_bounds(
    table: RowTable, constants: Gains, course: StepCourse, excess: Array
) -> tuple[Array, Array, Array]:
    """Return the mean force of springs on the way from the middle of one step to that of the next.

    It is the slope over the rate, the force at rate 0, and which part of the way is beyond. Work
    over way: what a spring takes on the way in it gives back on the way out, wherever in a step
    the bound is (a discrete gradient: Gonzalez 1996). The rate at the end, where it is not linear,
    is that of a single body that feels the inertia of the row.
    """
    side = sides(table, course.now)
    half, back = 0.5 * course.step, course.kick - 0.5 * course.step
    depth, last = side * excess, side * course.last
    free = side * (course.rate - constants.lightness * course.impulse)
    before = depth - back * last
    pull = course.kick * constants.lightness * constants.stiffness
    after = depth + half * _rate_beyond(pull, (depth, before, free, last), half, back)
    way = after - before
    ends = np.maximum(after, 0.0), np.maximum(before, 0.0)
    share = (ends[0] - ends[1]) / np.where(way == 0.0, 1.0, way)
    is_still = np.abs(way) < 1e-12
    beyond = np.where(is_still, depth > 0.0, share)
    mean = 0.5 * (ends[0] + ends[1]) * beyond
    slope = np.where(is_still, 0.5 * beyond, (ends[0] - mean) / np.where(is_still, 1.0, way)) * half
    rate = (after - depth) / half
    return (
        constants.stiffness * slope,
        side * constants.stiffness * (mean - slope * rate),
        beyond,
    )


def _rate_beyond(
    pull: Array, course: tuple[Array, Array, Array, Array], half: Array, back: Array
) -> Array:
    """Return the rate v (r, j) for which v = free - pull · mean depth from before to after.

    `course` are depth, depth before, rates without the spring and last; `half` and `back` are how
    long the last parts of both steps are [s], so that after = depth + half · v.
    """
    depth, before, free, last = course
    inside = (free - 0.5 * pull * (depth + before)) / (1.0 + 0.5 * pull * half)
    # Into it: (v - free)(half v + back last) + pull (depth + half v)² / 2 = 0
    a = half * (1.0 + 0.5 * pull * half)
    b = back * last - half * free + pull * half * depth
    c = 0.5 * pull * depth**2 - back * free * last
    into = (np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0)) - b) / (2.0 * a)
    # Out of it: (v - free)(half v + back last) - pull before² / 2 = 0
    b, c = back * last - half * free, -0.5 * pull * before**2 - back * free * last
    out = -(np.sqrt(np.maximum(b * b - 4.0 * half * c, 0.0)) + b) / (2.0 * half)
    is_in, leaves = before > 0.0, depth + half * inside < 0.0
    comes = depth + half * free > 0.0
    return np.where(is_in, np.where(leaves, out, inside), np.where(comes, into, free))


def _with_rate_laws(
    table: RowTable, constants: Gains, course: StepCourse, gain: Array, offset: Array
) -> tuple[Array, Array]:
    """Return gains and offsets (r, j) with those of rows that act on rates alone put in.

    A rotor resists the change of its rate since the last step; friction keeps rest, and largest
    velocities themselves.
    """
    is_rotor = table.armature > 0.0
    goal = np.where(is_rotor, course.ended, table.velocity)
    own = np.where(is_rotor, table.armature, constants.rigid)
    return np.where(table.is_rate, own, gain), np.where(table.is_rate, -own * goal, offset)


def acting(table: RowTable, now: Array, rate: Array, share: Array | float, step: Array) -> Mask:
    """Return which soft rows act: drives and locks always, other limits beyond a bound."""
    side = sides(table, now)
    beyond = side * (now + share * step * rate) > table.half
    return np.asarray(table.is_soft & (table.is_both | beyond))


def look_ahead(constants: Gains, acts: Mask, rows: Indices, size: int, step: Array) -> Array:
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
    part = (turn - RESOLVED) * (1.0 / (_UNRESOLVED - RESOLVED))
    return np.minimum(np.maximum(part, 0.0), 1.0)
