"""Joints whose positions follow those of others (`model.articulation.Coupling`).

A coupling is a row of the joint that follows: its position less the polynomial of the position of
the other joint, which has a row that only measures. Rates of such a row, and the impulses that it
gives, come from those of the two rows by the slope of the polynomial. Angles go on beyond half a
turn, since a gear that turns once need not be where it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..meaning.coupling import only_freedom_of
from ..model.articulation import Coupling
from ..model.joint import JointSettings
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .elimination import Indices
from .rows import Form, Row
from .table import RowTable
from .vectors import wrapped


@dataclass(frozen=True, slots=True, eq=False)
class Gears:
    """Couplings: for joints that follow, then for those that they follow, (2, k)."""

    joints: Indices
    """Numbers among the joints that act."""
    rows: Indices
    coefficients: Array
    """Lowest power first, shape (p, k)."""

    @property
    def count(self) -> int:
        """Number of couplings."""
        return self.joints.shape[1]

    @property
    def curved(self) -> Indices:
        """Joints of couplings whose slope changes."""
        return self.joints[:, self.coefficients[2:].any(axis=0)].ravel()

    def part(self, joints: Indices) -> "Gears":
        """Return the couplings among some joints, ascending, numbered there."""
        chosen = np.isin(self.joints, joints).all(axis=0)
        numbers = np.searchsorted(joints, self.joints[:, chosen])
        return Gears(numbers, self.rows[:, chosen], self.coefficients[:, chosen])

    def at(self, positions: Array) -> "Ratios":
        """Return how couplings act with the joints at `positions` (j,)."""
        if not self.count:
            return _NO_RATIOS
        source = positions[self.joints[1]]
        powers = source ** np.arange(len(self.coefficients))[:, None]
        slopes = (self.coefficients[1:] * powers[:-1]).T * np.arange(1, len(powers))
        values = positions[self.joints[0]] - (self.coefficients * powers).sum(axis=0)
        return Ratios(self.rows, self.joints, values, slopes.sum(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """Couplings at one moment, shapes (2, k) and (k,)."""

    rows: Indices
    joints: Indices
    values: Array
    """What their rows measure: how far joints that follow are from where they should be."""
    slopes: Array
    """Movement of the joint that follows for a movement of the other one."""

    def measured(self, values: Array) -> Array:
        """Return what rows measure (r, j), those of couplings put in."""
        if len(self.slopes):
            values = values.copy()
            values[self.rows[0], self.joints[0]] = self.values
        return values

    def rates(self, rates: Array) -> Array:
        """Return rates (r, j) of rows from those of their own joints' frames."""
        if not len(self.slopes):
            return rates
        result = rates.copy()
        result[self.rows[0], self.joints[0]] -= self.slopes * rates[self.rows[1], self.joints[1]]
        return result

    def pushes(self, impulse: Array) -> Array:
        """Return impulses (r, j) on the joints' own frames from those of rows."""
        if not len(self.slopes):
            return impulse
        result = impulse.copy()
        passed = self.slopes * impulse[self.rows[0], self.joints[0]]
        np.subtract.at(result, (self.rows[1], self.joints[1]), passed)
        return result

    def stiffnesses(self, gain: Array) -> Array:
        """Return gains (r, j) of the joints' own frames from those of rows."""
        if not len(self.slopes):
            return gain
        result = gain.copy()
        passed = self.slopes**2 * gain[self.rows[0], self.joints[0]]
        np.add.at(result, (self.rows[1], self.joints[1]), passed)
        return result

    def rigid(self, rigid: Array) -> Array:
        """Return gains of rigid rows (r, j) for the inertia that is felt on both sides."""
        if not len(self.slopes):
            return rigid
        own, other = rigid[self.rows, self.joints]
        ease = np.where(own > 0.0, 1.0 / np.maximum(own, 1e-300), 0.0)
        ease += np.where(other > 0.0, self.slopes**2 / np.maximum(other, 1e-300), 0.0)
        result = rigid.copy()
        result[self.rows[0], self.joints[0]] = 1.0 / np.maximum(ease, 1e-300)
        return result

    def cross(self, gain: Array, jacobians: Array) -> Array:
        """Return blocks (4 k, 6, 6) between the bodies of joints that follow and of the others.

        `gain` (r, j) is that of rows, `jacobians` (j, 12, r) is `Jacobian.blocks`. First come the
        joints' own bodies with those of the others, then with the connected ones.
        """
        weight = -self.slopes * gain[self.rows[0], self.joints[0]]
        one, other = (
            (found[:, :6], found[:, 6:]) for found in jacobians[self.joints, :, self.rows]
        )
        return np.concatenate(
            [(a * weight[:, None])[:, :, None] * b[:, None, :] for a in one for b in other]
        )


_NO_RATIOS = Ratios(np.zeros((2, 0), np.intp), np.zeros((2, 0), np.intp), np.zeros(0), np.zeros(0))
"""Of no couplings."""


def no_gears() -> Gears:
    """Return no couplings."""
    none = np.zeros((2, 0), np.intp)
    return Gears(none, none, np.zeros((1, 0)))


def gears_of(
    couplings: Sequence[Coupling],
    joints: Sequence[int],
    rows: Sequence[list[Row]],
    scene: PhysicsScene,
) -> Gears:
    """Return the couplings between joints that act, and add what they need to the joints' `rows`.

    `joints` are the numbers of the joints that act in the scene, ascending.
    """
    own = {number: position for position, number in enumerate(joints)}
    measures: dict[int, int] = {}
    follows: list[tuple[int, int]] = []
    if not couplings:
        return no_gears()
    for each in couplings:
        place = own[each.joint]
        measures.setdefault(place, len(rows[place]))
        follows.append((place, len(rows[place])))
        rows[place].append(_row(scene.joints[each.joint].settings, is_coupling=True))
    sources = [own[each.source] for each in couplings]
    for place, each in zip(sources, couplings, strict=True):
        if place not in measures:
            measures[place] = len(rows[place])
            rows[place].append(_row(scene.joints[each.source].settings, is_coupling=False))
    return Gears(
        np.array([[place for place, _ in follows], sources], np.intp),
        np.array([[row for _, row in follows], [measures[place] for place in sources]], np.intp),
        _coefficients(couplings),
    )


def _coefficients(couplings: Sequence[Coupling]) -> Array:
    """Return the coefficients (p, k), of two powers at least."""
    most = max(2, *(len(each.coefficients) for each in couplings))
    padded = [each.coefficients + (0.0,) * (most - len(each.coefficients)) for each in couplings]
    return np.array(padded).T


def _row(settings: JointSettings, *, is_coupling: bool) -> Row:
    """Return the row that measures the one axis of a joint."""
    freedom = only_freedom_of(settings)
    assert freedom is not None
    return Row(
        form=Form.DISTANCE_ALONG if freedom.is_linear else Form.TWIST,
        axis=freedom.axis,
        center=0.0,
        stiffness=np.inf if is_coupling else 0.0,
        is_drive=not is_coupling,
        is_coupling=is_coupling,
    )


def turned_on(
    gears: Gears, table: RowTable, values: Array, before: Array, change: Array | float
) -> Array:
    """Return positions (j,) of joints in couplings from what rows measure (r, j).

    Of the turns that an angle may have made, those count that are nearest to the positions `before`
    (j,) and the `change` (r, j) of rows since.
    """
    rows, joints = gears.rows, gears.joints
    found = values[rows, joints]
    near = before[joints] + (change[rows, joints] if isinstance(change, np.ndarray) else change)
    result = before.copy()
    result[joints] = np.where(table.is_linear[rows, joints], found, near + wrapped(found - near))
    return result


def first_positions(gears: Gears, table: RowTable, values: Array) -> Array:
    """Return positions (j,) at rest, angles so that joints are least far from where they belong."""
    positions = np.zeros(values.shape[1])
    positions[gears.joints] = values[gears.rows, gears.joints]
    for _ in range(gears.count):
        before = positions.copy()
        positions[gears.joints[0]] -= gears.at(positions).values
        positions = turned_on(gears, table, values, positions, 0.0)
        if np.array_equal(positions, before):
            break
    return positions
