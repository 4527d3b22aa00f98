"""The way of a scene whose bodies touch: what touches is stepped together, all else as without.

Contacts are sought at the start of each step. Islands with contacts take the smallest steps that
one of them needs; those that take the same are solved together.
"""

from dataclasses import replace
from typing import Unpack

import numpy as np

from ...model.pose import Array
from ..bodies import Motions
from ..course import PATIENCE, Course, StepOptions, aimed, move_fixed
from ..elimination import Indices
from ..laws import Mask
from ..memory import Memory
from ..model import Model
from ..pace import MOST_PARTS
from ..parts import Share, copy_columns, part_of, put_back
from ..system import Pull
from ..table import RowTable
from .contact import Contacts
from .convex import Problems
from .finding import ContactFinder
from .held import HeldForces
from .rows import NotSolvedError
from .touching import TouchingStep

_PATIENCE_OF_CUTS = 12
"""For how many steps what touches keeps its smaller steps once it is calm.

Impacts are short. With `PATIENCE` twenty ragdolls that land kept four to eight parts a step where
two were wanted: 68 ms a frame for 58, the longest 212 for 176. With 8 and less contacts speed up
the hand of `test_solver_bounds`. Off 24 steps a frame, after 0.7 s to 1 s, with 24 and 8: a rope
23.0 and 16.8 mm, the crowd 22.9 and 22.1, a ragdoll 15.6 and 16.2; joints open as far.
"""
_LARGEST_TURN = 0.2
"""Turn [rad] of a body without joints that a step may have."""
_GROWTH, _PARTING = 1.5, 1.0
"""How many times the energy of what touches may be what it was or is without contacts, and the
speed [m/s] that it may have from rest: what parts from overlaps is slower."""
_STRUCK = 3.0
"""How many times its speed what is struck may leave with."""
_MOST_KEPT = 64
"""How many groups of islands are kept for when they are needed again."""


class ContactCourse(Course):
    """How islands are stepped that may touch."""

    def __init__(self, model: Model, together: Model, finder: ContactFinder) -> None:
        """Take the model of what joints hold, and that of all bodies that move."""
        super().__init__(model)
        self._together, self._finder = together, finder
        self._patience = np.zeros(model.bodies.count, np.intp)
        self._is_free = ~np.isin(np.arange(model.bodies.count), model.system.moving)
        self._groups: dict[bytes, Share] = {}
        self._problems, self._held = Problems(), HeldForces()
        self._touches: list[Array] = []
        """Contacts of the last step, (c, 7) each."""
        self._pushes: list[tuple[Array, Indices]] = []
        """Impulses (3, c) on the second of two nodes (2, c), since the last `renew`."""
        self._problem = ""
        self._label = together.system.island
        """One for all bodies that joints and contacts tie to each other (n,)."""
        self._error = 0.0
        self._inside: dict[tuple[int, int], tuple[float, float]] = {}
        """Found since the last `renew`, which was so long ago [s]:"""
        self._since = 0.0

    @property
    def contact_problem(self) -> str:
        """Why a step was solved without contacts, empty where none was."""
        return self._problem

    @property
    def contact_error(self) -> float:
        """Return the largest speed [m/s] that contacts were off by in any step."""
        return self._error

    @property
    def left_out(self) -> int:
        """Return how many contacts were too many in a step, at most."""
        return self._finder.left_out

    def contact_forces(self) -> Array:
        """Return the contacts of the last step (c, 7): point [m], force [N] and depth [m]."""
        return np.concatenate((np.zeros((0, 7)), *self._touches))

    def pushes(self) -> dict[tuple[int, int], Array]:
        """Return what nodes got from others that they touched, impulses (3,) [N·s]."""
        found: dict[tuple[int, int], Array] = {}
        for impulses, nodes in self._pushes:
            pairs, number = np.unique(nodes, axis=1, return_inverse=True)
            sums = np.zeros((pairs.shape[1], 3))
            np.add.at(sums, number.ravel(), impulses.T)
            for (other, node), impulse in zip(pairs.T.tolist(), sums, strict=True):
                found[node, other] = found.get((node, other), 0.0) + impulse
        return found

    def inside(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Return when bodies were in triggers first and last, by the nodes of triggers [s].

        Times count from the last `renew`.
        """
        return self._inside

    def go_on(self, before: Course) -> None:
        """Go on with the same bodies, and with what they touched since the last `renew`."""
        super().go_on(before)
        if isinstance(before, ContactCourse):
            for name in ("_touches", "_pushes", "_problem", "_error", "_inside", "_since"):
                setattr(self, name, getattr(before, name))

    def aim(self, table: RowTable) -> None:
        """Go on with a table that differs in numbers of its rows."""
        super().aim(table)
        self._together = replace(self._together, table=table)
        self._groups = {key: aimed(part, table) for key, part in self._groups.items()}

    def advance(
        self, motions: Motions, memory: Memory, step: float, *, pull: Pull | None, renew: bool
    ) -> Motions:
        """Return the motions after a step [s], as `Course.advance` does."""
        self._touches = []
        if renew:
            self._pushes, self._inside, self._since = [], {}, 0.0
        labels = self._labels(motions, memory, step)
        self._since += step
        self._elsewhere = labels >= 0
        self._patience_of_cuts = np.where(self._elsewhere, _PATIENCE_OF_CUTS, PATIENCE)
        moved = super().advance(motions, memory, step, pull=pull, renew=renew)
        if self._elsewhere.any():
            cuts = self._cuts_of(labels, motions, step)
            own = self._advance_touching(motions, memory, step, cuts, pull=pull, renew=renew)
            copy_columns(own, moved, np.flatnonzero(self._elsewhere))
        return moved

    def _labels(self, motions: Motions, memory: Memory, step: float) -> Indices:
        """Return the group that each body touches, -1 for none or where it does not move."""
        bodies, island = self._model.bodies, self._together.system.island
        self._held.start_step()
        self._finder.find(motions, step)
        if self._finder.has_triggers:
            for pair in self._finder.inside():
                first, _last = self._inside.get(pair, (self._since, 0.0))
                self._inside[pair] = first, self._since
        found = self._finder.contacts(bodies.is_dynamic)
        touches = np.zeros(bodies.count, bool)
        touches[island[found.bodies[bodies.is_dynamic[found.bodies]]]] = True
        is_new = touches[island] & bodies.is_dynamic
        # What was foretold of bodies without joints while they were stepped elsewhere is old.
        memory.trend[:, is_new & (self._patience == 0) & self._is_free] = 0.0
        self._patience = np.where(is_new, PATIENCE, np.maximum(self._patience - 1, 0))
        self._label = _joined(island, found, bodies.is_dynamic)
        return np.where(self._patience > 0, self._label, -1)

    def _cuts_of(self, labels: Indices, motions: Motions, step: float) -> Indices:
        """Return into how many parts all that touch each other cut their steps, (n,)."""
        turn = step * np.sqrt((motions.angular**2).sum(axis=0))
        free = 2.0 ** np.ceil(np.log2(np.maximum(turn / _LARGEST_TURN, 1.0)) - 1e-9)
        own = np.maximum(self.cuts, np.minimum(free, MOST_PARTS).astype(np.intp))
        most = np.ones(len(labels), np.intp)
        np.maximum.at(most, labels[self._elsewhere], own[self._elsewhere])
        return most[labels]

    def _advance_touching(
        self,
        motions: Motions,
        memory: Memory,
        step: float,
        cuts: Indices,
        **options: Unpack[StepOptions],
    ) -> Motions:
        """Return the motions after a step of all that touches, each body's cut into `cuts` (n,).

        Bodies whose parts of the step begin at the same time are stepped in one call.
        """
        own, is_dynamic = motions.copy(), self._model.bodies.is_dynamic
        most = int(cuts[self._elsewhere].max())
        for slot in range(most):
            if slot:
                copy_columns(motions, own, self._fixed)
                move_fixed(own, self._fixed, step * slot / most)
                self._finder.find(own, step / most)
                found = self._finder.contacts(self._elsewhere)
                self._label = _joined(self._together.system.island, found, is_dynamic)
            begin = self._elsewhere & (slot % (most // cuts) == 0)
            is_last = (slot + most // cuts == most) & begin
            own = self._advance_some(own, memory, step / cuts, begin, is_last, **options)
            options["renew"] = False
        return own

    def _advance_some(
        self,
        motions: Motions,
        memory: Memory,
        lengths: Array,
        chosen: Mask,
        is_last: Mask,
        **options: Unpack[StepOptions],
    ) -> Motions:
        """Return the motions after a step of `lengths` (n,) [s] of those bodies that are chosen.

        What cannot be solved with contacts is stepped without; `is_last` (n,) are those whose step
        ends with this.
        """
        left = chosen
        while left.any():
            part = self._group(np.flatnonzero(left))
            contacts = self._contacts(part, motions, lengths, left)
            steps = lengths[part.bodies]
            try:
                own, known, lost = self._stepped(part, motions, memory, steps, contacts, **options)
            except NotSolvedError as error:
                self._problem = str(error)
                left = left & ~self._islands_of(error.bodies)
                continue
            if len(grown := self._grown(part, motions, memory, own, contacts, steps, **options)):
                self.grown[grown] = True
                left = left & ~np.isin(contacts.labels, contacts.labels[grown])
                continue
            self.lost[part.bodies] |= lost
            motions = put_back(part, own, known, motions, memory)
            self._error = max(self._error, contacts.error)
            self._keep(contacts, memory, is_last)
            break
        if (alone := chosen & ~left).any():
            part = self._group(np.flatnonzero(alone))
            steps = lengths[part.bodies]
            motions = self._advance_part(part, motions, memory, steps, **options)
        return motions

    def _grown(
        self,
        part: Share,
        motions: Motions,
        memory: Memory,
        own: Motions,
        contacts: TouchingStep,
        steps: Array,
        **options: Unpack[StepOptions],
    ) -> Indices:
        """Return the bodies that a step has sped up as no contact can, one of all that touch.

        `own` are the motions of the part after it. Contacts give what they were struck with, and
        drives what they give without contacts.
        """
        model, labels = part.model, contacts.labels[part.bodies]
        size = len(contacts.labels)
        before = _kinetic(self._model, motions)[part.bodies]
        after = _kinetic(model, own)
        slack = 0.5 * model.bodies.mass * _PARTING**2 * model.bodies.is_dynamic
        slacks, sums, most = (np.bincount(labels, e, size) for e in (slack, after, before))
        if (sums <= _GROWTH * most + slacks).all():
            return np.zeros(0, np.intp)
        alone, _known, _lost = self._stepped(part, motions, memory, steps, **options)
        most = np.maximum(most, np.bincount(labels, _kinetic(model, alone), size))
        struck = 1.0 + (_STRUCK * contacts.driven_speed() / _PARTING) ** 2
        is_grown = ~(sums <= _GROWTH * most + struck * slacks)
        grown = [
            part.bodies[np.where(labels == label, after - before, -np.inf).argmax()]
            for label in np.flatnonzero(is_grown)
        ]
        return np.array(grown, np.intp)

    def _islands_of(self, bodies: Indices) -> Mask:
        """Return which bodies (n,) are in the islands of some."""
        return self._together.system.islands_of(bodies) & self._model.bodies.is_dynamic

    def _contacts(
        self, part: Share, motions: Motions, lengths: Array, chosen: Mask
    ) -> TouchingStep:
        found = self._finder.contacts(chosen)
        moves = self._model.bodies.is_dynamic[found.first]
        return TouchingStep(
            self._problems,
            self._held,
            found,
            part.bodies,
            self._label,
            self._model.bodies.is_dynamic,
            motions,
            lengths[np.where(moves, found.first, found.second)],
        )

    def _keep(self, contacts: TouchingStep, memory: Memory, is_last: Mask) -> None:
        """Remember forces; what bodies did before an impact foretells nothing."""
        surfaces = contacts.surfaces
        if surfaces is None or not len(surfaces.found.keys):
            return
        found, is_dynamic = surfaces.found, self._model.bodies.is_dynamic
        if surfaces.strikes.any():
            struck = found.bodies[:, surfaces.strikes].ravel()
            memory.trend[:, struck] = 0.0
            # Nor does the growth of rates by one foretell that they grow on, and what joints open
            # by where bodies turn otherwise than expected is put right without a gain.
            islands = self._islands_of(struck)
            self._rates[islands], memory.returned[islands] = np.inf, True
        impulse = np.einsum("kic,kc->ic", found.axes, surfaces.impulse)
        self._pushes.append((impulse, found.nodes))
        force = impulse / contacts.steps
        force = np.where(is_dynamic[found.second], force, -force)
        touch = np.concatenate((found.point, force, -found.distance[None])).T
        counts = (surfaces.impulse[0] > 0.0) & is_last[found.bodies].any(axis=0)
        self._touches.append(touch[counts])

    def _group(self, bodies: Indices) -> Share:
        key = bodies.tobytes()
        if key not in self._groups:
            if len(self._groups) >= _MOST_KEPT:
                self._groups.clear()
            islands = np.unique(self._together.system.island[bodies])
            self._groups[key] = part_of(self._together, islands)
        return self._groups[key]


def _kinetic(model: Model, motions: Motions) -> Array:
    """Return the kinetic energy (n,) [J] of bodies, 0 of those that do not move."""
    energy = model.bodies.mass * (motions.linear**2).sum(axis=0)
    energy = 0.5 * (energy + (motions.angular * motions.spin).sum(axis=0))
    return np.where(model.bodies.is_dynamic, energy, 0.0)


def _joined(label: Indices, found: Contacts, is_dynamic: Mask) -> Indices:
    """Return labels (n,) of bodies: one of those that all have which touch each other."""
    both = is_dynamic[found.first] & is_dynamic[found.second]
    one, other = label[found.first[both]], label[found.second[both]]
    if not both.any():
        return label
    pairs = np.unique(np.minimum(one, other) * len(label) + np.maximum(one, other))
    roots = np.arange(len(label)).tolist()

    def root_of(number: int) -> int:
        while roots[number] != number:
            roots[number] = number = roots[roots[number]]
        return number

    for low, high in zip(*(each.tolist() for each in np.divmod(pairs, len(label))), strict=True):
        least, most = sorted((root_of(low), root_of(high)))
        roots[most] = least
    table = np.array([root_of(number) for number in roots], np.intp)
    return np.asarray(table[label])
