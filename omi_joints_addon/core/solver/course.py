"""The way of a scene from step to step: which islands take smaller steps, and which bodies none."""

from dataclasses import replace
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Motions
from .elimination import Indices
from .free import advance_free, free_bodies
from .memory import Memory
from .model import Model
from .pace import (
    LARGEST_TURN_IN_LOOPS,
    MOST_PARTS,
    MOST_SPIN,
    MOST_TURN,
    impacts,
    parts_of_islands,
    senses_turns,
    swings,
    turning_rates,
    unbalanced_spins,
)
from .parts import Share, copy_columns, part_of, put_back, taken
from .rate import STEP
from .step import StepContacts, advance
from .system import Pull
from .table import RowTable
from .vectors import turned

FASTEST = MOST_TURN * MOST_PARTS / STEP
"""Rate [rad/s] to which jointed bodies are slowed at that step (`pace.turning_rates`)."""
FASTEST_SPIN = MOST_SPIN * MOST_PARTS / STEP
"""Rate [rad/s] up to which the spin of unbalanced bodies is resolved at that step."""
PATIENCE = 24
"""For how many steps the past counts: an island that has become calm keeps its smaller steps, and
bodies that touched are stepped as if they still did."""
_MANY = 64
"""Jointed bodies from which on the steps of all are cut as half of them need."""
_MOST_KEPT = 16
"""How many parts of a scene are kept for when they are needed again."""


class StepOptions(TypedDict):
    """What acts from outside, and whether effective inertias are computed anew."""

    pull: Pull | None
    renew: bool


class Course:
    """How the islands of a model are stepped."""

    def __init__(self, model: Model) -> None:
        """Start with steps that are not cut."""
        count = model.bodies.count
        self.lost = np.zeros(count, bool)
        """Bodies that stopped because their numbers were not finite."""
        self.slowed = np.zeros(count, bool)
        """Bodies that turned faster than steps resolve."""
        self.unresolved = np.zeros(count, bool)
        """Bodies that spun faster than steps resolve."""
        self.grown = np.zeros(count, bool)
        """Bodies that contacts would have sped up without end."""
        self._model = model
        self.cuts = np.ones(count, np.intp)
        """Into how many parts the step of each body is cut."""
        self._calm = np.zeros(count, np.intp)
        self._patience_of_cuts = np.full(count, PATIENCE)
        """For how many calm steps that stays so."""
        self._rates = np.zeros(count)
        """Rates [rad/s] of bodies in the step before (`pace.turning_rates`)."""
        self._has_bounds = bool((model.table.is_one_sided & ~model.table.is_soft).any())
        self._swings = swings(model)
        self._parts: dict[bytes, Share] = {}
        self._elsewhere = np.zeros(count, bool)
        """Bodies that are stepped by what they touch (`contacts.course`)."""
        jointed = np.isin(np.arange(count), model.system.moving)
        self._free = free_bodies(model.bodies, np.flatnonzero(model.bodies.is_dynamic & ~jointed))
        self._fixed = np.flatnonzero(~model.bodies.is_dynamic)
        self._senses = senses_turns(model)

    def go_on(self, before: "Course") -> None:
        """Go on with what was found of the same bodies, some joints of which broke."""
        for name in ("lost", "slowed", "unresolved", "grown", "cuts", "_calm", "_rates"):
            getattr(self, name)[:] = getattr(before, name)

    def aim(self, table: RowTable) -> None:
        """Go on with a table that differs in numbers of its rows."""
        self._model = replace(self._model, table=table)
        self._senses = senses_turns(self._model)
        self._parts = {key: aimed(part, table) for key, part in self._parts.items()}

    @property
    def contact_problem(self) -> str:
        """Why a step was solved without contacts, empty where none was."""
        return ""

    @property
    def contact_error(self) -> float:
        """Return the largest speed [m/s] that contacts were off by in any step."""
        return 0.0

    @property
    def left_out(self) -> int:
        """Return how many contacts were too many in a step, at most."""
        return 0

    def contact_forces(self) -> Array:
        """Return the contacts of the last step (c, 7): point [m], force [N] and depth [m]."""
        return np.zeros((0, 7))

    def pushes(self) -> dict[tuple[int, int], Array]:
        """Return what nodes got from others that they touched, impulses (3,) [N·s]."""
        return {}

    def inside(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Return when bodies were in triggers first and last, by the nodes of triggers [s].

        Times count from the last `renew`.
        """
        return {}

    def advance(
        self, motions: Motions, memory: Memory, step: float, *, pull: Pull | None, renew: bool
    ) -> Motions:
        """Return the motions after a step [s]; `renew` as in `step.advance`."""
        motions = motions.copy()
        self._pace(motions, step)
        free = self._free
        if self._elsewhere.any():
            free = free.some(~self._elsewhere[free.bodies])
        held = None if pull is None or pull.body not in free.bodies else pull.body
        if held is not None:
            free = free.some(free.bodies != held)
        lasted, moved = memory.step[free.bodies], motions
        if len(joined := self._joined(held)):
            moved = self._advance_joined(motions, memory, step, joined, pull=pull, renew=renew)
        move_fixed(moved, self._fixed, step)
        advance_free(free, moved, lasted, step)
        memory.step[free.bodies] = step
        return moved

    def _joined(self, held: int | None) -> Indices:
        """Return the jointed bodies that move, and the one `held` without joint."""
        joined = self._model.system.moving
        joined = joined[~self._elsewhere[joined]]
        return joined if held is None else np.append(joined, held)

    def _advance_joined(
        self,
        motions: Motions,
        memory: Memory,
        step: float,
        joined: Indices,
        *,
        pull: Pull | None,
        renew: bool,
    ) -> Motions:
        """Return the motions after a step of the bodies `joined`; what else moves is as before.

        All islands whose parts of the step begin at the same time are stepped in one call, each by
        the length of its own.
        """
        fixed, others = self._fixed, np.ones(self._model.bodies.count, bool)
        others[joined] = False
        cuts = self._common_cuts(motions, memory, step)
        moved, most = motions.copy(), int(cuts[joined].max(initial=1))
        for slot in range(most):
            copy_columns(motions, moved, fixed)
            move_fixed(moved, fixed, step * slot / most)
            part = self._part(joined[slot % (most // cuts[joined]) == 0])
            steps, is_first = step / cuts[part.bodies], renew and slot == 0
            moved = self._advance_part(part, moved, memory, steps, pull=pull, renew=is_first)
        copy_columns(motions, moved, np.flatnonzero(others))
        return moved

    def _advance_part(
        self,
        part: Share,
        motions: Motions,
        memory: Memory,
        step: Array,
        **options: Unpack[StepOptions],
    ) -> Motions:
        """Return the motions after a step (n,) [s] of a part: changed in place, or new ones."""
        own, known, lost = self._stepped(part, motions, memory, step, **options)
        self.lost[part.bodies] |= lost
        return put_back(part, own, known, motions, memory)

    def _stepped(
        self,
        part: Share,
        motions: Motions,
        memory: Memory,
        step: Array,
        contacts: StepContacts | None = None,
        **options: Unpack[StepOptions],
    ) -> tuple[Motions, Memory, NDArray[np.bool_]]:
        """Return the motions and the memory of a part after a step, and which bodies are lost."""
        own, known = taken(part, motions, memory)
        options["pull"] = _own_pull(part, options["pull"])
        try:
            own, lost = advance(part.model, own, known, step, contacts=contacts, **options)
        except np.linalg.LinAlgError:
            # Numbers so far apart that a matrix has no inverse: nothing of it moves on.
            own, known = taken(part, motions.copy(), memory)
            lost = part.model.bodies.is_dynamic
            for velocity in (own.linear, own.angular, own.spin):
                velocity[:, lost] = 0.0
        return own, known, lost

    def _common_cuts(self, motions: Motions, memory: Memory, step: float) -> Indices:
        """Return into how many parts a step [s] of each body is cut, those of driven bodies too.

        Joints that meet a bound have their islands cut for as long as that takes.
        Islands that are attached to bodies driven from outside are cut alike: these have one
        length. Where half of many bodies take smaller steps, all do: parts that are large take
        longer to make than they save.
        """
        model = self._model
        cuts = self.cuts
        if self._has_bounds:
            cuts = np.maximum(cuts, impacts(model, memory, step, self._swings))
        jointed = np.sort(cuts[model.system.moving])
        if len(jointed) >= _MANY:
            cuts = np.maximum(cuts, jointed[len(jointed) // 2])
        is_driven = motions.linear.any(axis=0) | motions.angular.any(axis=0)
        is_driven &= ~model.bodies.is_dynamic
        if not is_driven.any() or (cuts == 1).all():
            return cuts
        hangs = is_driven[model.first.body] | is_driven[model.second.body]
        chosen = model.system.islands_of(model.system.mover[hangs]) & model.bodies.is_dynamic
        alike = chosen | is_driven
        return np.where(alike, cuts[alike].max(), cuts)

    def _part(self, bodies: Indices) -> Share:
        """Return the part that has the islands of some bodies."""
        key = bodies.tobytes()
        if key not in self._parts:
            if len(self._parts) >= _MOST_KEPT:
                self._parts.clear()
            islands = np.unique(self._model.system.island[bodies])
            self._parts[key] = part_of(self._model, islands)
        return self._parts[key]

    def _pace(self, motions: Motions, step: float) -> None:
        """Choose how steps are cut; slow what turns too fast for the smallest, in place."""
        squares = np.einsum("in,in->n", motions.angular, motions.angular)
        squares *= self._model.bodies.is_dynamic
        is_calm = not squares.max(initial=0.0) * step**2 > LARGEST_TURN_IN_LOOPS**2
        if is_calm and (self.cuts == 1).all():
            return
        rates = turning_rates(self._model, motions, self._senses)
        rates[self._free.bodies] = 0.0
        most = MOST_TURN * MOST_PARTS / step
        for body in np.flatnonzero(rates > most):
            self.slowed[body] = True
            motions.angular[:, body] *= most / rates[body]
            motions.spin[:, body] *= most / rates[body]
        spins = unbalanced_spins(self._model, motions, rates)
        self.unresolved |= spins * step > MOST_SPIN * MOST_PARTS
        wanted = parts_of_islands(self._model, rates, self._rates, spins, step)
        self._rates = rates
        self._calm = np.where(wanted >= self.cuts, 0, self._calm + 1)
        keeps = (wanted < self.cuts) & (self._calm <= self._patience_of_cuts)
        self.cuts = np.where(keeps, self.cuts, wanted)


def aimed(part: Share, table: RowTable) -> Share:
    """Return a part whose rows have the numbers of a `table` of all joints."""
    own = table if part.is_whole else part.model.table.with_numbers_of(table, part.joints)
    return replace(part, model=replace(part.model, table=own))


def _own_pull(part: Share, pull: Pull | None) -> Pull | None:
    """Return a pull on a body that moves with the part, numbered as there."""
    if pull is None:
        return None
    moving = part.bodies[part.moving]
    found = part.moving[moving == pull.body]
    return replace(pull, body=int(found[0])) if len(found) else None


def move_fixed(motions: Motions, fixed: Indices, step: float) -> None:
    """Move bodies that are driven, in place."""
    if motions.linear[:, fixed].any() or motions.angular[:, fixed].any():
        motions.center[:, fixed] += step * motions.linear[:, fixed]
        turn = step * motions.angular[:, fixed]
        motions.rotation[:, fixed] = turned(motions.rotation[:, fixed], turn)
