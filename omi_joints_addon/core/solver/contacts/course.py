"""The way of a scene whose bodies touch: what touches is stepped together, all else as without.

Contacts are sought at the start of each step. Islands with contacts take the smallest steps that
one of them needs; those that take the same are solved together.
"""

from dataclasses import replace

import numpy as np

from ...model.pose import Array
from ..bodies import Motions
from ..course import Course, aimed, move_fixed
from ..elimination import Indices
from ..geometry import Jacobian
from ..laws import Laws, Mask
from ..memory import Memory
from ..model import Model
from ..pace import MOST_PARTS
from ..parts import Part, copy_columns, part_of
from ..system import Pull
from ..table import RowTable
from .contact import Contacts
from .convex import solve
from .finding import ContactFinder
from .ordering import Ordering
from .rows import JointRows, NotSolvedError, Surfaces, Velocities

_PATIENCE = 24
"""For how many steps bodies that touched are stepped as if they still did."""
_LARGEST_TURN = 0.2
"""Turn [rad] of a body without joints that a step may have."""
_MOST_KEPT = 64
"""How many groups of islands are kept for when they are needed again."""


class ContactCourse(Course):
    """How islands are stepped that may touch."""

    def __init__(self, model: Model, together: Model, finder: ContactFinder) -> None:
        """Take the model of what joints hold, and that of all bodies that move."""
        super().__init__(model)
        self._together, self._finder = together, finder
        self._patience = np.zeros(model.bodies.count, np.intp)
        self._groups: dict[bytes, Part] = {}
        self._ordering = Ordering()
        self._touches: list[Array] = []
        """Contacts of the last step, (c, 7) each."""
        self._pushes: list[tuple[Array, Indices]] = []
        """Impulses (3, c) on the second of two nodes (2, c), since the last `renew`."""
        self._problem = ""
        self._inside: set[tuple[int, int]] = set()
        """Found since the last `renew`."""

    @property
    def contact_problem(self) -> str:
        """Why a step was solved without contacts, empty where none was."""
        return self._problem

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

    def inside(self) -> set[tuple[int, int]]:
        """Return the triggers, by their nodes, and the bodies that are in them."""
        return self._inside

    def aim(self, table: RowTable) -> None:
        """Go on with a table that differs in what its drives are aimed at."""
        super().aim(table)
        self._together = replace(self._together, table=table)
        self._groups = {key: aimed(part, table) for key, part in self._groups.items()}

    def advance(
        self, motions: Motions, memory: Memory, step: float, *, pull: Pull | None, renew: bool
    ) -> Motions:
        """Return the motions after a step [s], as `Course.advance` does."""
        self._touches = []
        if renew:
            self._pushes, self._inside = [], set()
        labels = self._labels(motions, memory, step)
        self._elsewhere = labels >= 0
        moved = super().advance(motions, memory, step, pull=pull, renew=renew)
        cuts = self._cuts_of(labels, motions, step)
        # Those that are not cut come first: they have the contacts that were found for labels.
        for cut in np.unique(cuts[self._elsewhere]).tolist():
            bodies = np.flatnonzero(self._elsewhere & (cuts == cut))
            own = self._advance_group(bodies, motions, memory, step, cut, pull=pull, renew=renew)
            copy_columns(own, moved, bodies)
        return moved

    def _labels(self, motions: Motions, memory: Memory, step: float) -> Indices:
        """Return the group that each body touches, -1 for none or where it does not move."""
        bodies, island = self._model.bodies, self._together.system.island
        self._finder.find(motions, step)
        if self._finder.has_triggers:
            self._inside |= self._finder.inside()
        found = self._finder.contacts(motions, bodies.is_dynamic)
        touching = found.bodies[bodies.is_dynamic[found.bodies]]
        is_new = np.zeros(bodies.count, bool)
        is_new[np.isin(island, island[touching]) & bodies.is_dynamic] = True
        # What was foretold of bodies without joints while they were stepped elsewhere is old.
        starts = is_new & (self._patience == 0)
        memory.trend[:, starts & ~np.isin(np.arange(bodies.count), self._model.system.moving)] = 0.0
        self._patience = np.where(is_new, _PATIENCE, np.maximum(self._patience - 1, 0))
        label = _joined(island.copy(), found, bodies.is_dynamic)
        return np.where(self._patience > 0, label, -1)

    def _cuts_of(self, labels: Indices, motions: Motions, step: float) -> Indices:
        """Return into how many parts all that touch each other cut their steps, (n,)."""
        turn = step * np.sqrt((motions.angular**2).sum(axis=0))
        free = 2.0 ** np.ceil(np.log2(np.maximum(turn / _LARGEST_TURN, 1.0)) - 1e-9)
        own = np.maximum(self.cuts, np.minimum(free, MOST_PARTS).astype(np.intp))
        most = np.ones(len(labels), np.intp)
        np.maximum.at(most, labels[self._elsewhere], own[self._elsewhere])
        return most[labels]

    def _advance_group(
        self,
        bodies: Indices,
        motions: Motions,
        memory: Memory,
        step: float,
        cut: int,
        *,
        pull: Pull | None,
        renew: bool,
    ) -> Motions:
        """Return the motions after a step of bodies that touch."""
        own, fixed = motions.copy(), ~self._model.bodies.is_dynamic
        part = self._group(bodies)
        is_chosen = np.zeros(self._model.bodies.count, bool)
        is_chosen[bodies] = True
        length = np.full(len(part.bodies), step / cut)
        for slot in range(cut):
            copy_columns(motions, own, np.flatnonzero(fixed))
            move_fixed(own, fixed, step * slot / cut)
            if cut > 1:
                self._finder.find(own, step / cut)
            contacts = self._contacts(part, own, step / cut, is_chosen)
            is_first = renew and slot == 0
            try:
                own = self._advance_part(
                    part, own, memory, length, pull=pull, renew=is_first, contacts=contacts
                )
            except NotSolvedError as error:
                self._problem = str(error)
                own = self._advance_part(part, own, memory, length, pull=pull, renew=is_first)
            self._keep(contacts, memory, last=slot == cut - 1)
        return own

    def _contacts(self, part: Part, motions: Motions, step: float, chosen: Mask) -> "_StepContacts":
        found = self._finder.contacts(motions, chosen)
        velocity = np.concatenate((motions.linear, motions.angular))
        own = (found, part.bodies, motions.center, velocity, step)
        return _StepContacts(self._finder, *own, self._ordering)

    def _keep(self, contacts: "_StepContacts", memory: Memory, *, last: bool) -> None:
        """Remember forces; what bodies did before an impact foretells nothing."""
        surfaces = contacts.surfaces
        if surfaces is None:
            return
        struck = np.union1d(
            surfaces.found.first[surfaces.strikes], surfaces.found.second[surfaces.strikes]
        )
        memory.trend[:, struck] = 0.0
        impulse = np.einsum("kic,kc->ic", surfaces.found.axes, surfaces.impulse)
        self._pushes.append((impulse, surfaces.found.nodes))
        if last:
            force = impulse / contacts.step
            is_moved = self._model.bodies.is_dynamic[surfaces.found.second]
            force = np.where(is_moved, force, -force)
            depth = -surfaces.found.distance[None]
            touch = np.concatenate((surfaces.found.point, force, depth)).T
            self._touches.append(touch[surfaces.impulse[0] > 0.0])

    def _group(self, bodies: Indices) -> Part:
        key = bodies.tobytes()
        if key not in self._groups:
            if len(self._groups) >= _MOST_KEPT:
                self._groups.clear()
            islands = np.unique(self._together.system.island[bodies])
            self._groups[key] = part_of(self._together, islands)
        return self._groups[key]


def _joined(label: Indices, found: Contacts, is_dynamic: Mask) -> Indices:
    """Return labels (n,) of bodies, the lowest of all that touch each other."""
    both = is_dynamic[found.first] & is_dynamic[found.second]
    if not both.any():
        return label
    ends = np.unique(np.stack((found.first[both], found.second[both])), axis=1)
    while (label[ends[0]] != label[ends[1]]).any():
        # Islands have the label of their lowest body, so labels of labels are labels.
        lowest = label[ends].min(axis=0)
        for side in ends:
            np.minimum.at(label, label[side], lowest)
        label = label[label]
    return label


class _StepContacts:
    """The contacts of one step of a part (`step.StepContacts`)."""

    def __init__(
        self,
        finder: ContactFinder,
        found: Contacts,
        bodies: Indices,
        center: Array,
        velocity: Array,
        step: float,
        ordering: Ordering,
    ) -> None:
        self.step, self._finder, self._found = step, finder, found
        self._ordering = ordering
        self._bodies, self._center, self._velocity = bodies, center, velocity
        self.surfaces: Surfaces | None = None

    def solve_rows(
        self,
        model: Model,
        masses: Array,
        jac: Jacobian,
        laws: Laws,
        reference: Array,
        velocities: Array,
    ) -> tuple[Array, Array, Mask]:
        """Return what `system.solve_rows` does, contacts held as well; raises `NotSolvedError`."""
        moving = self._bodies[model.system.moving]
        columns = self._ordering.blocks(moving, self._pairs(model, moving))
        joints = JointRows(model, masses, jac, laws, reference, columns)
        whole = Velocities(*(self._whole(each) for each in velocities))
        surfaces = Surfaces(self._found, self._center, whole, moving, joints.easing, self.step)
        change, impulse = solve(self._finder, joints, surfaces)
        self.surfaces = surfaces
        return change, impulse, joints.active(change)

    def _pairs(self, model: Model, moving: Indices) -> Indices:
        """Return the bodies that joints tie and that touch, (2, p), as numbered in `moving`."""
        block = np.full(self._center.shape[1], -1)
        block[moving] = np.arange(len(moving))
        touching = block[np.stack((self._found.first, self._found.second))]
        rows = model.system.rows
        return np.concatenate((np.where(rows < len(moving), rows, -1), touching), axis=1)

    def _whole(self, own: Array) -> Array:
        """Return the velocities (6, n) of all bodies, of which those of the part are `own`."""
        result = self._velocity.copy()
        result[:, self._bodies] = own
        return result
