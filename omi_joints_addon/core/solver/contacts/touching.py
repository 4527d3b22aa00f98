"""The contacts of one step of what touches: its rows, and what becomes of them."""

import numpy as np

from ...model.pose import Array
from ..bodies import Motions
from ..elimination import SIZE, Indices
from ..geometry import Jacobian
from ..laws import Laws, Mask
from ..model import Model
from ..vectors import cross, length
from .contact import Contacts
from .convex import Problems
from .held import HeldForces
from .rows import SortedRows, Surfaces

_APART = (1.0, 4.0)
"""Velocities [m/s], [rad/s] that overlaps are taken back with at most.

A body that is wedged in turns as fast as it can, and what joints open by as it turns stays in the
bodies.
"""


class TouchingStep:
    """The contacts of one step of a part (`step.StepContacts`)."""

    def __init__(
        self,
        problems: Problems,
        held: HeldForces,
        found: Contacts,
        bodies: Indices,
        labels: Indices,
        is_dynamic: Mask,
        motions: Motions,
        steps: Array,
    ) -> None:
        self._is_dynamic = is_dynamic
        self._problems, self._held, self._found = problems, held, found
        self._bodies, self.labels, self._center = bodies, labels, motions.center
        self._velocity = np.concatenate((motions.linear, motions.angular))
        self.steps = steps
        """How long the step of each contact is [s], (c,)."""
        self.touching = np.flatnonzero(np.isin(bodies, found.bodies))
        """The bodies of the part that touch something."""
        self.surfaces: Surfaces | None = None
        self.parting = np.zeros((0, SIZE))
        self.error = 0.0
        """Speed [m/s] by which contacts are off."""

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
        joints = SortedRows(model, masses, jac, laws, reference, moving)
        whole = np.repeat(self._velocity[None], len(velocities), axis=0)
        whole[:, :, self._bodies] = velocities
        surfaces = Surfaces(self._found, self._center, whole, moving, joints, self.steps)
        surfaces.impulse = self._held.of(self._found, self.steps)
        found = self._problems.solve(joints, surfaces, moving, self.labels[moving])
        self._held.keep(self._found, surfaces.impulse, self.steps)
        self.surfaces, self.error = surfaces, found.error
        change = joints.eased(found.change)
        self.parting = _bounded(joints.eased(found.parting), self.labels[moving])
        return change, joints.impulses(found.force), joints.active(change)

    def driven_speed(self) -> float:
        """Return how fast anything that is driven moves where it touches [m/s]."""
        bodies = self._found.bodies
        arms = self._found.point[:, None] - self._center[:, bodies]
        velocity = self._velocity[:, bodies]
        speed = length(velocity[:3] + cross(velocity[3:], arms))
        return float(speed[~self._is_dynamic[bodies]].max(initial=0.0))


def _bounded(parting: Array, labels: Indices) -> Array:
    """Return velocities (m, 6) of bodies as far as none of those with its label is too fast."""
    if not parting.any():
        return parting
    sizes = np.sqrt((parting.reshape(-1, 2, 3) ** 2).sum(axis=2)) / _APART
    most = np.ones(int(labels.max()) + 1)
    np.maximum.at(most, labels, sizes.max(axis=1))
    return np.asarray(parting / most[labels][:, None])
