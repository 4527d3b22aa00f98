"""Steps with contacts as convex problems of MuJoCo's, one for each few islands.

Contacts yield a little, as springs of a finite gain: the cones of friction are smooth then, and
Newton's method converges. What they have yielded by is taken back in the next pass (method of
multipliers: Hestenes, Powell 1969), so in the end they hold as if they did not yield; passes also
bring what friction lifts, which depends on how fast contacts slip.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.pose import Array
from ..elimination import SIZE, Indices
from ..rate import STEP
from .fields import FieldsError, RowProblem, Rows, Touches
from .ordering import Ordering
from .rows import NotSolvedError, SortedRows, Surfaces

_PASSES, _MOST_PASSES = 12, 36
"""Solutions of a step after which a rough result will do, and most of them.

After six a crowd takes 11.9 a step instead of 13.7, in the same time.
"""
_ROUGH = 5e-3
"""Speed [m/s] that contacts may be off by then; with 2e-3 heaps and crowds are 4 % more work."""
_WORK = 4_500_000
"""Entries of its matrix times iterations after which a problem takes no further pass.

That is up to 0.05 s. A heap of 100 takes 4.3 million at most, a crowd 3.6.
"""
_FIRM = 1e-5
"""Speed [m/s] that contacts may still yield with; with 5e-5 passes are 8 % fewer."""
_SETTLED, _LIFTED = 0.02, 2e-5
"""Change of the slip, as a part of it, and of what it lifts beyond that [m/s], that need no further
pass."""
_FARTHEST = 10.0
"""How many times the way from pass to pass islands are foreseen to go on.

A car's wheels came 15 % nearer a pass, bound to what is 50 times as heavy. Passes of a step with
this: a car 4.0 -> 2.5, thrown into a room 9.9 -> 9.3, a heap of 50 9.4 -> 8.0. One part for all
islands is as good but in crowds; one for each contact, or a stiffer gain where they are slow, needs
more passes or iterations in heaps.
"""
_NEAR = 0.01
"""How far off [m/s] an island may be taken, all its contacts together, to be foreseen.

Where passes do not come nearer, this made them worse: a hand of overlapping links, one of a million
times its moment, gained 190 J in a frame.
"""
_KEPT = 0.01
"""Speed [m/s] that stays in bodies of that which overlaps are taken back with."""
_TOGETHER = 128
"""Bodies up to which islands are solved in one problem.

With 32, 64, 128, 256 a crowd took 32, 20, 14, 10 passes a step, all within 5 % of 53 ms a frame.
"""


@dataclass(slots=True)
class Solution:
    """What comes of a step of all bodies of a part."""

    change: Array
    """Of the velocities, (m, 6)."""
    parting: Array
    """Velocities (m, 6) beside that which only take overlaps back: they do not go on."""
    force: Array
    """Impulses of the rows of joints (r,)."""
    error: float = 0.0
    """Speed [m/s] that contacts or their slip are off by."""


class Problems:
    """Models of MuJoCo for problems of any size, kept for the next ones."""

    def __init__(self) -> None:
        """Start without any."""
        self._known: dict[int, RowProblem] = {}
        self._ordering = Ordering()

    def solve(
        self, joints: SortedRows, surfaces: Surfaces, bodies: Indices, islands: Indices
    ) -> Solution:
        """Return the step of `bodies` (m,) in `islands` (m,); impulses are left with `surfaces`.

        Raises `NotSolvedError`.
        """
        still = np.zeros((len(bodies), SIZE))
        solution = Solution(still, still.copy(), np.zeros(joints.count))
        known = np.append(islands, -1)
        of_rows, of_contacts = (
            known[each.blocks].max(axis=0, initial=-1) for each in (joints, surfaces)
        )
        pushes = joints.pushes()
        for chosen in _bins(islands):
            own = np.flatnonzero(chosen[islands])
            rows, contacts = (np.flatnonzero(chosen[of]) for of in (of_rows, of_contacts))
            try:
                numbers = bodies, own, rows, contacts
                self._solve_some(joints, surfaces, numbers, of_contacts[contacts], pushes, solution)
            except FieldsError as error:
                raise NotSolvedError(str(error), bodies[own]) from error
        return solution

    def _solve_some(
        self,
        joints: SortedRows,
        surfaces: Surfaces,
        numbers: tuple[Indices, Indices, Indices, Indices],
        of_contacts: Indices,
        pushes: Array,
        solution: Solution,
    ) -> None:
        bodies, own, at_rows, at_contacts = numbers
        place = np.full(len(bodies) + 1, -1)
        place[own] = np.arange(len(own))
        ends = place[joints.blocks[:, at_rows]], place[surfaces.blocks[:, at_contacts]]
        order = self._ordering.blocks(bodies[own], np.concatenate(ends, axis=1))
        block = np.append(order, -1)
        rows = joints.rows(at_rows, block[ends[0]])
        touches = surfaces.touches(at_contacts, block[ends[1]])
        _require_finite(rows, touches, bodies[own])
        problem = self._room_for(len(own))
        problem.load(
            rows, touches, _sorted(pushes[own], order), _sorted(surfaces.start[own], order)
        )
        passes = _Passes(surfaces, at_contacts, touches, of_contacts, problem.room)
        # Parts of a step begin with the forces of the part before.
        part = float(surfaces.steps[at_contacts].max(initial=0.0)) / STEP
        change, force, impulse = _settled(problem, passes, _PASSES * part)
        error = passes.error
        if passes.begin_parting():
            apart, _force, _impulse = _settled(problem, passes, 1)
            solution.parting[own] = (apart - change)[order]
        if not np.isfinite(change).all() or not np.isfinite(solution.parting).all():
            raise NotSolvedError("the step has no finite solution", bodies[own])
        solution.change[own] = change[order]
        solution.force[at_rows] = force
        solution.error = max(solution.error, error)
        surfaces.impulse[:, at_contacts] = impulse

    def _room_for(self, count: int) -> RowProblem:
        room = 1
        while room < count:
            room = room * 3 // 2 if room & (room - 1) == 0 and room > 1 else 2 ** room.bit_length()
        if room not in self._known:
            self._known[room] = RowProblem(room)
        return self._known[room]


def _settled(problem: RowProblem, passes: "_Passes", enough: float) -> tuple[Array, Array, Array]:
    """Return what `RowProblem.solve` does; after `enough` passes a rough result will do."""
    for number in range(1, _MOST_PASSES + 1):
        change, force, impulse = problem.solve(passes.goals())
        passes.work += problem.work
        are_enough = passes.are_enough(change, impulse) or passes.work > _WORK
        if are_enough or (number >= enough and passes.error < _ROUGH):
            break
    return change, force, impulse


class _Passes:
    """What contacts want from pass to pass."""

    def __init__(
        self, surfaces: Surfaces, chosen: Indices, touches: Touches, islands: Indices, bodies: int
    ) -> None:
        self._touches = touches
        self._base, self._wanted = surfaces.base[:, chosen], surfaces.goal[chosen]
        self._goal = self._wanted - np.maximum(surfaces.parting[chosen] - _KEPT, 0.0)
        self._rates = self._base
        self._change = np.zeros((bodies + 1, SIZE))
        """What bodies do, and what does not move (m + 1, 6)."""
        self._friction = surfaces.friction[chosen]
        self._taken = np.concatenate(
            (surfaces.impulse[:, chosen], (self._friction * surfaces.slip[chosen])[None])
        )
        """Impulses that contacts are taken to have, and rates at which friction lifts them, (4, c).

        MuJoCo's cones lift what slides.
        """
        self._last: tuple[Array, Array] | None = None
        """What came of the pass before, and how far off it was taken [m/s], (4, c)."""
        self._island = islands
        self.error, self.work = 0.0, 0

    def goals(self) -> Array:
        """Return changes of rates (3, c)."""
        goals = self._taken[:3] / self._touches.gain - self._base
        goals[0] += self._goal - self._taken[3]
        return np.asarray(goals)

    def begin_parting(self) -> bool:
        """Have contacts take overlaps back from now on; return whether any does."""
        are_late = (self._goal < self._wanted) & (self._rates[0] < self._wanted)
        self._goal, self._last = self._wanted, None
        return bool(are_late.any())

    def are_enough(self, change: Array, impulse: Array) -> bool:
        """Take what bodies do (m, 6) and impulses (3, c); return whether both are as before."""
        if not len(self._friction):
            return True
        touches, self._change[:-1] = self._touches, change
        moved = self._change[touches.blocks]
        rates = self._base + np.einsum("skcj,scj->kc", touches.entries, moved)
        came = np.concatenate((impulse, (self._friction * np.hypot(rates[1], rates[2]))[None]))
        missed = came - self._taken
        missed[:3] /= touches.gain
        # Contacts that neither act nor would with the new slip are as they are.
        acts = (impulse[0] > 0.0) | (rates[0] < self._goal - came[3])
        lifted = float((acts * (np.abs(missed[3]) - _SETTLED * came[3])).max(initial=0.0))
        yielded = float(np.abs(missed[:3]).max())
        self._rates, self.error = rates, max(yielded, lifted)
        self._taken = self._foreseen(came, missed)
        return lifted <= _LIFTED and yielded <= _FIRM

    def _foreseen(self, came: Array, missed: Array) -> Array:
        """Return what the next pass takes contacts to have, given what came of this one (4, c).

        Each island goes on as it came from the pass before, as far as it would miss nothing then
        (Anderson 1965, depth one).
        """
        last, self._last = self._last, (came, missed)
        if last is None:
            return came
        way = missed - last[1]
        along, size = (
            np.bincount(self._island, (each * way).sum(axis=0)) for each in (missed, way)
        )
        part = along / np.maximum(size, 1e-300)
        before = np.bincount(self._island, (last[1] * last[1]).sum(axis=0))
        now = np.bincount(self._island, (missed * missed).sum(axis=0))
        part[(np.abs(part) > _FARTHEST) | (now > np.minimum(before, _NEAR**2))] = 0.0
        foreseen = came - part[self._island] * (came - last[0])
        np.maximum(foreseen[::3], 0.0, out=foreseen[::3])
        return np.asarray(foreseen)


def _sorted(values: Array, order: Indices) -> Array:
    """Return values (m, 6) at their blocks."""
    result = np.empty_like(values)
    result[order] = values
    return result


def _bins(islands: Indices) -> Iterator[NDArray[np.bool_]]:
    """Yield which islands, by their labels and one more, are solved together."""
    counts = np.bincount(islands)
    total, chosen = 0, np.zeros(len(counts) + 1, bool)
    for label in np.flatnonzero(counts).tolist():
        if total and total + counts[label] > _TOGETHER:
            yield chosen
            total, chosen = 0, np.zeros(len(counts) + 1, bool)
        chosen[label] = True
        total += int(counts[label])
    if total:
        yield chosen


def _require_finite(rows: Rows, touches: Touches, bodies: Indices) -> None:
    """Refuse numbers that would end in MuJoCo with a warning and wrong results."""
    values = (rows.goal, rows.gain, rows.entries, touches.gain, touches.entries)
    # Sums are only finite where all is.
    if not math.isfinite(sum(float(each.sum()) for each in values)):
        raise NotSolvedError("numbers of a step are not finite", bodies)
