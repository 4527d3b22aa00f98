"""Rows of joints and of contacts as one convex problem, bodies whitened by their masses.

Unknown is the change of velocity of each body, multiplied by the Cholesky factor of its mass
matrix, so that all have the mass one. Every law of `laws` is a row that wants a rate with a gain:
without bounds, with two, or with one.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...model.pose import Array
from ..elimination import SIZE, Indices
from ..geometry import Jacobian
from ..laws import Laws, Mask
from ..model import Model
from ..system import row_rates
from ..vectors import cross
from .contact import Contacts

_GAIN = 1e5
"""Gain of contacts over the inertia that they feel."""
_RECOVERED, _FASTEST = 0.1, 0.4
"""Part of an overlap that a step takes back, at most at this speed [m/s].

As it falls by that part a step it slows no faster than gravity pulls, so that nothing hops.
"""
_BOUNCES, _STRIKES = 0.2, 0.1
"""Approach [m/s] from which shapes bounce, and from which what bodies did foretells nothing."""
_SLIDES = 0.01
"""Slip [m/s] from which friction is the dynamic one."""
_SETTLED = 0.02
"""Change of the slip, as a part of it, that needs no further pass."""


class NotSolvedError(Exception):
    """A step with contacts cannot be solved; the text says why."""


class Velocities(NamedTuple):
    """Velocities (6, n) of all bodies, those that do not move included."""

    last: Array
    """Of the step before."""
    expected: Array
    start: Array
    """At the step's end if nothing acted."""


def whitened(easing: Array, body: Indices, entries: Array) -> Array:
    """Return entries (k, 6) of Jacobians by whitened velocities, zero where the body is below 0."""
    if not len(easing):
        return np.zeros_like(entries)
    found = np.einsum("ki,kij->kj", entries, easing[np.maximum(body, 0)])
    return np.where((body >= 0)[:, None], found, 0.0)


class JointRows:
    """Rows of joints, sorted by their kind: without bounds, with two, with one."""

    def __init__(
        self,
        model: Model,
        masses: Array,
        jac: Jacobian,
        laws: Laws,
        reference: Array,
        columns: Indices,
    ) -> None:
        """Take the problem that `system.solve_rows` has; `columns` (m,) are of its block rows."""
        self._system, self._laws, self._jac, self.columns = model.system, laws, jac, columns
        self._reference = reference
        self._roots = np.linalg.cholesky(masses)
        self.easing = np.linalg.inv(self._roots).transpose(0, 2, 1)
        rows, joints = np.nonzero(model.table.is_row)
        gain, offset, low, high = (
            each[rows, joints] for each in (laws.gain, laws.offset, laws.low, laws.high)
        )
        is_one_sided = (np.isinf(low) != np.isinf(high)) | (low == 0.0) | (high == 0.0)
        kind = np.where(np.isinf(low) & np.isinf(high), 0, np.where(is_one_sided, 2, 1))
        order = np.argsort(kind, kind="stable")
        self._rows, self._joints, self.kind = rows[order], joints[order], kind[order]
        self.gain, self.high, low, offset = gain[order], high[order], low[order], offset[order]
        self.acts = self.gain > 0.0
        """Rows whose impulse depends on what bodies do."""
        self._sign = np.where(np.isinf(low) & ~np.isinf(self.high), -1.0, 1.0)
        self._constant = np.where(self.acts, 0.0, np.clip(-offset, low, self.high))
        wanted = np.where(self.acts, -offset / np.where(self.acts, self.gain, 1.0), 0.0)
        self.goal = self._sign * (wanted - reference[self._rows, self._joints])
        """Change of the rate that each wants [m/s or rad/s]."""
        self.ends = self._ends()
        """Block row, -1 for none, and entries (r, 6) of both bodies of each row."""

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def _ends(self) -> list[tuple[Indices, Array]]:
        blocks = self._jac.blocks[self._joints, :, self._rows] * self._sign[:, None]
        size, found = len(self.easing), []
        for side, part in zip(self._system.rows, (slice(0, 6), slice(6, 12)), strict=True):
            body = np.where(side < size, side, -1)[self._joints]
            found.append((body, whitened(self.easing, body, blocks[:, part])))
        return found

    def couplings(self) -> Iterator[tuple[int, int, float]]:
        """Yield the row of each coupling, that of the joint it follows, and their slope."""
        ratios = self._jac.ratios
        if not len(ratios.slopes):
            return
        number = np.full(self._laws.gain.shape, -1)
        number[self._rows, self._joints] = np.arange(self.count)
        for one, other, slope in zip(
            number[ratios.rows[0], ratios.joints[0]].tolist(),
            number[ratios.rows[1], ratios.joints[1]].tolist(),
            ratios.slopes.tolist(),
            strict=True,
        ):
            yield one, other, float(slope * self._sign[one] * self._sign[other])

    def impulses(self, force: Array) -> Array:
        """Return the impulses (r, j) of the laws, given those of these rows."""
        result = np.zeros_like(self._laws.gain)
        own = np.where(self.acts, force[: self.count] * self._sign, self._constant)
        result[self._rows, self._joints] = own
        return result

    def active(self, change: Array) -> Mask:
        """Return which rows (r, j) are in the range of their law after changes (m, 6)."""
        padded = np.concatenate((change, np.zeros((1, SIZE))))
        rate = self._reference + row_rates(self._system, self._jac, padded)
        wanted = -(self._laws.gain * rate + self._laws.offset)
        return np.asarray((self._laws.low < wanted) & (wanted < self._laws.high))

    def pushes(self) -> Array:
        """Return whitened impulses (m, 6) of rows that push whatever bodies do."""
        result = np.zeros((len(self.easing), SIZE))
        for body, entries in self.ends:
            push, is_there = entries * (self._sign * self._constant)[:, None], body >= 0
            np.add.at(result, body[is_there], push[is_there])
        return result

    def whitened(self, change: Array) -> Array:
        """Return changes of velocity (m, 6) as the unknowns of the problem."""
        return np.asarray(np.einsum("nji,nj->ni", self._roots, change))


class Surfaces:
    """Rows of contacts: along the normal of each, and two along its surface."""

    def __init__(
        self,
        contacts: Contacts,
        center: Array,
        velocities: Velocities,
        moving: Indices,
        easing: Array,
        step: float,
    ) -> None:
        """Take bodies at `center` (3, n), of which `moving` (m,) are the block rows."""
        self.found, self._velocities, self._moving = contacts, velocities, moving
        block = np.full(center.shape[1], -1)
        block[moving] = np.arange(len(moving))
        self.blocks = block[contacts.first], block[contacts.second]
        ends = contacts.first, contacts.second
        self._arms = [contacts.point - center[:, body] for body in ends]
        self.entries = [self._entries(side, easing) for side in (0, 1)]
        """Of each body, shapes (3, c, 6)."""
        self.base = self.rates(velocities.start)
        """Rates of the rows if nothing acted [m/s], (3, c)."""
        self.slip = self._slip(velocities.expected)
        """Speed along the surface [m/s]."""
        static, dynamic = contacts.static_friction, contacts.dynamic_friction
        self.friction = np.where(self.slip > _SLIDES, dynamic, static)
        self.goal, self.strikes = self._goals(step)
        lightness = (self.entries[0] ** 2).sum(axis=-1) + (self.entries[1] ** 2).sum(axis=-1)
        self.gain = _GAIN / np.maximum(lightness.mean(axis=0), 1e-12)
        self.impulse = np.zeros((3, len(contacts.distance)))
        """Along the axes of each [N·s]."""

    def _entries(self, side: int, easing: Array) -> Array:
        sign, arm = (-1.0, 1.0)[side], self._arms[side]
        raw = (sign * np.concatenate((axis, cross(arm, axis))).T for axis in self.found.axes)
        return np.stack([whitened(easing, self.blocks[side], each) for each in raw])

    def rates(self, velocity: Array) -> Array:
        """Return how fast second bodies move from the first along the axes [m/s], (3, c)."""
        first, second = velocity[:, self.found.first], velocity[:, self.found.second]
        moved = second[:3] + cross(second[3:], self._arms[1])
        moved = moved - first[:3] - cross(first[3:], self._arms[0])
        return np.asarray((self.found.axes * moved).sum(axis=1))

    def _slip(self, velocity: Array) -> Array:
        _, one, other = self.rates(velocity)
        return np.asarray(np.hypot(one, other))

    def _goals(self, step: float) -> tuple[Array, Mask]:
        """Return the rates that contacts want along their normals, and which are impacts."""
        distance = self.found.distance
        recovered = np.minimum(-_RECOVERED * distance / step, _FASTEST)
        goal = np.where(distance > 0.0, -distance / step, recovered)
        approach = self.rates(self._velocities.last)[0]
        hits = distance + step * self.base[0] < 0.0
        bounces = hits & (approach < -_BOUNCES) & (self.found.restitution > 0.0)
        bounced = np.maximum(goal, -self.found.restitution * approach)
        return np.where(bounces, bounced, goal), hits & (approach < -_STRIKES)

    def expected_change(self) -> Array:
        """Return changes of velocity (m, 6) as in the step before."""
        return (self._velocities.expected - self._velocities.start)[:, self._moving].T

    def settles(self, change: Array) -> bool:
        """Take the slip after changes of velocity (m, 6); return whether it is as it was."""
        full = self._velocities.start.copy()
        full[:, self._moving] += change.T
        before, self.slip = self.slip, self._slip(full)
        differs = np.abs(self.slip - before) * self.friction
        return bool((differs <= np.maximum(2e-5, _SETTLED * self.friction * self.slip)).all())
