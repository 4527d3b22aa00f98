"""Rows of joints and of contacts as one convex problem, bodies whitened by their masses.

Unknown is the change of velocity of each body, multiplied by the Cholesky factor of its mass
matrix, so that all have the mass one. Every law of `laws` is a row that wants a rate with a gain:
without bounds, with two, or with one.
"""

from collections.abc import Iterator

import numpy as np

from ...model.pose import Array
from ..elimination import SIZE, Indices
from ..geometry import Jacobian
from ..laws import Laws, Mask
from ..model import Model
from ..system import row_rates
from ..vectors import cross
from .contact import Contacts
from .fields import Rows, Touches

_GAIN = 1e2
"""Gain of contacts over the inertia that they feel; what they yield by it is taken back.

With 3e2 a heap of 50 takes 6.8 passes a step of 5.1 iterations each, with 1e2 7.5 of 3.9, which is
a fifth less work; with 1e5 and a single pass Newton's method took 64 and more (heap of 100).
"""
_RECOVERED, _FASTEST = 0.1, 0.4
"""Part of an overlap that a step takes back, at most at this speed [m/s].

As it falls by that part a step it slows no faster than gravity pulls, so that nothing hops.
"""
_BOUNCES, _STRIKES = 0.2, 0.1
"""Approach [m/s] from which shapes bounce, and from which what bodies did foretells nothing."""
_SIDES = np.array((-1.0, 1.0))[:, None]
"""From the first body of a contact to the second."""
_SLIDES = 0.01
"""Slip [m/s] from which friction is the dynamic one."""


class NotSolvedError(Exception):
    """A step with contacts cannot be solved; the text says why."""

    def __init__(self, why: str, bodies: Indices) -> None:
        """Name the `bodies` (k,) that cannot be stepped with contacts."""
        super().__init__(why)
        self.bodies = bodies


def _roots_of(masses: Array, moving: Indices) -> Array:
    """Return the Cholesky factors of mass matrices (m, 6, 6); raises `NotSolvedError`."""
    try:
        return np.asarray(np.linalg.cholesky(masses))
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(np.nan_to_num(masses))[:, 0]
        is_bad = ~(least > 0.0) | ~np.isfinite(masses).all(axis=(1, 2))
        raise NotSolvedError("an inertia is out of range", moving[is_bad]) from None


def whitened(easing: Array, body: Indices, entries: Array) -> Array:
    """Return entries (k, 6) of Jacobians by whitened velocities, zero where the body is below 0."""
    if not (len(easing) and len(entries)):
        return np.zeros_like(entries)
    found = np.einsum("ki,kij->kj", entries, easing[np.maximum(body, 0)])
    return np.where((body >= 0)[:, None], found, 0.0)


class SortedRows:
    """Rows of joints, sorted by their kind: without bounds, with two, with one."""

    def __init__(
        self,
        model: Model,
        masses: Array,
        jac: Jacobian,
        laws: Laws,
        reference: Array,
        moving: Indices,
    ) -> None:
        """Take the problem that `system.solve_rows` has, of `moving` bodies (m,).

        Raises `NotSolvedError`.
        """
        self._system, self._laws, self._jac = model.system, laws, jac
        self._reference = reference
        self._roots = _roots_of(masses, moving)
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
        self.blocks, self._entries = self._ends()
        """Block rows of both bodies (2, r), -1 for none."""
        self._couplings = list(self._of_couplings())

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def _ends(self) -> tuple[Indices, Array]:
        """Return block rows (2, r), -1 for none, and entries (2, r, 6) of both bodies."""
        blocks = self._jac.blocks[self._joints, :, self._rows] * self._sign[:, None]
        ends = np.stack([side[self._joints] for side in self._system.rows])
        ends = np.where(ends < len(self.easing), ends, -1)
        parts = blocks.reshape(-1, 2, SIZE).swapaxes(0, 1)
        found = whitened(self.easing, ends.ravel(), parts.reshape(-1, SIZE))
        return ends, found.reshape(parts.shape)

    def rows(self, chosen: Indices, blocks: Indices) -> Rows:
        """Return some of the rows on these `blocks` (2, r)."""
        number = np.full(self.count, -1)
        number[chosen] = np.arange(len(chosen))
        return Rows(
            kind=self.kind[chosen],
            gain=self.gain[chosen],
            goal=self.goal[chosen],
            high=self.high[chosen],
            acts=self.acts[chosen],
            blocks=blocks,
            entries=self._entries[:, chosen],
            couplings=[
                (int(number[own]), int(number[other]), slope)
                for own, other, slope in self._couplings
                if number[own] >= 0
            ],
        )

    def _of_couplings(self) -> Iterator[tuple[int, int, float]]:
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
        own = np.where(self.acts, force * self._sign, self._constant)
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
        push = self._sign * self._constant
        if push.any():
            for body, entries in zip(self.blocks, self._entries, strict=True):
                is_there = body >= 0
                np.add.at(result, body[is_there], (entries * push[:, None])[is_there])
        return result

    def eased(self, change: Array) -> Array:
        """Return unknowns of the problem (m, 6) as changes of velocity."""
        return np.asarray(np.einsum("nij,nj->ni", self.easing, change))

    def whitened(self, change: Array) -> Array:
        """Return changes of velocity (m, 6) as the unknowns of the problem."""
        return np.asarray(np.einsum("nji,nj->ni", self._roots, change))


class Surfaces:
    """Rows of contacts: along the normal of each, and two along its surface."""

    def __init__(
        self,
        contacts: Contacts,
        center: Array,
        velocities: Array,
        moving: Indices,
        joints: SortedRows,
        step: Array,
    ) -> None:
        """Take bodies at `center` (3, n), of which `moving` (m,) are the block rows.

        `velocities` (3, 6, n) are those of the step before, those expected, and those at the step's
        end if nothing acted; `step` (c,) [s] is that of each contact.
        """
        self.found, self.steps = contacts, step
        block = np.full(center.shape[1], -1)
        block[moving] = np.arange(len(moving))
        self.blocks = block[contacts.bodies]
        """Block rows of both bodies (2, c), -1 for none."""
        # On the surface of each body: halfway between two that are apart, arms would be too long.
        half = 0.5 * contacts.distance * contacts.axes[0]
        self._arms = contacts.point[:, None] + _SIDES * half[:, None] - center[:, contacts.bodies]
        self._entries = self._entries_by(joints.easing)
        last, expected, self.base = self._rates(velocities)
        """Rates of the rows if nothing acted [m/s], (3, c)."""
        self.slip = np.hypot(expected[1], expected[2])
        """Speed along the surface [m/s]."""
        static, dynamic = contacts.static_friction, contacts.dynamic_friction
        self.friction = np.where(self.slip > _SLIDES, dynamic, static)
        self.goal, self.parting, self.strikes = self._goals(step, last[0])
        lightness = (self._entries[:, 0] ** 2).sum(axis=(0, 2))
        self._gain = _GAIN / np.maximum(lightness, 1e-12)
        self.start = joints.whitened((velocities[1] - velocities[2])[:, moving].T)
        """What bodies do as in the step before, as unknowns (m, 6)."""
        self.impulse = np.zeros((3, len(contacts.distance)))
        """Along the axes of each [N·s]: those that are expected, then those that came."""

    def touches(self, chosen: Indices, blocks: Indices) -> Touches:
        """Return the rows of some contacts on these `blocks` (2, c)."""
        return Touches(
            blocks=blocks,
            entries=self._entries[:, :, chosen],
            gain=self._gain[chosen],
            friction=self.friction[chosen],
        )

    def _entries_by(self, easing: Array) -> Array:
        """Return what velocities of both bodies count for in the rows, (2, 3, c, 6)."""
        axes = self.found.axes.swapaxes(0, 1)
        raw = np.empty((2, 3, axes.shape[2], SIZE))
        raw[..., :3] = axes.transpose(1, 2, 0)
        raw[..., 3:] = cross(self._arms[:, :, None], axes[:, None]).transpose(1, 2, 3, 0)
        np.negative(raw[0], out=raw[0])
        body = np.repeat(self.blocks, 3, axis=0).ravel()
        return whitened(easing, body, raw.reshape(-1, SIZE)).reshape(raw.shape)

    def _rates(self, velocities: Array) -> Array:
        """Return how fast second bodies move from the first along the axes [m/s], (k, 3, c).

        `velocities` are (k, 6, n).
        """
        both = velocities[:, :, self.found.bodies].swapaxes(0, 1)
        (first, second), (turns, second_turns) = (
            each.transpose(2, 0, 1, 3) for each in (both[:3], cross(both[3:], self._arms[:, None]))
        )
        moved = second + second_turns - first - turns
        return np.asarray((self.found.axes.swapaxes(0, 1)[:, None] * moved[:, :, None]).sum(axis=0))

    def _goals(self, step: Array, approach: Array) -> tuple[Array, Array, Mask]:
        """Return the rates that contacts want along their normals, and which are impacts.

        Between them is what takes overlaps back; `approach` (c,) are the rates of the step before.
        """
        distance, part = self.found.distance, self.found.restitution
        recovered = np.minimum(-_RECOVERED * distance / step, _FASTEST)
        goal = np.where(distance > 0.0, -distance / step, recovered)
        hits = distance + step * self.base[0] < 0.0
        bounces = hits & (approach < -_BOUNCES) & (part > 0.0)
        # It comes as high as from where the step begins, above the surface. Rates are those of
        # half a step before and after the poses.
        pull = (approach - self.base[0]) / step
        half = 0.5 * step * pull
        lost = 2.0 * np.maximum(pull * distance, 0.0) * (1.0 - part**2)
        speed = np.sqrt(np.maximum((part * (approach - half)) ** 2 - lost, 0.0)) - half
        parting = np.where(bounces, 0.0, np.maximum(goal, 0.0))
        goal = np.where(bounces, np.maximum(goal, speed), goal)
        return goal, parting, hits & (approach < -_STRIKES)
