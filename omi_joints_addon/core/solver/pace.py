"""How fast the equations of bodies change as they turn, and into how many parts steps are cut."""

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Motions
from .model import Model
from .rows import Form
from .vectors import apply_inverse, cross, matrices

LARGEST_TURN = 0.05
"""Turn of a body [rad] from which on its step is cut."""
MOST_PARTS = 16
"""Into how many parts a step is cut at most."""
MOST_TURN = 0.25
"""Turn of a body [rad] in the smallest part beyond which it is slowed."""


def turning_rates(model: Model, motions: Motions) -> Array:
    """Return how fast the equations of each body turn [rad/s], shape (n,).

    A wheel that spins about the arm to its joint, and about a principal axis, changes nothing as
    it spins, where its joint has no other bounds or springs about that axis. What its arms, its
    angular momentum and such rows turn by counts.
    """
    angular = motions.angular
    sweep = np.sqrt((cross(angular, motions.spin) ** 2).sum(axis=0))
    rates = sweep / np.maximum(np.sqrt((motions.spin**2).sum(axis=0)), 1e-300)
    local = apply_inverse(matrices(motions.rotation), angular)
    for frames in (model.first, model.second):
        length = np.sqrt((frames.offset**2).sum(axis=0))
        swept = np.sqrt((cross(local[:, frames.body], frames.offset) ** 2).sum(axis=0))
        np.maximum.at(
            rates, frames.body, np.where(length > 1e-9, swept, 0.0) / np.maximum(length, 1e-9)
        )
    first, second = model.first.body, model.second.body
    relative = np.sqrt(((angular[:, second] - angular[:, first]) ** 2).sum(axis=0))
    relative = np.where(_senses_turns(model), relative, 0.0)
    carried = np.sqrt((angular[:, first] ** 2).sum(axis=0))
    np.maximum.at(rates, first, np.maximum(relative, np.where(_slides(model), carried, 0.0)))
    np.maximum.at(rates, second, relative)
    return np.where(model.bodies.is_dynamic, rates, 0.0)


def parts_of_islands(model: Model, rates: Array, step: float) -> NDArray[np.intp]:
    """Return into how many parts a step [s] of each body's island is cut, powers of 2, (n,)."""
    fastest = np.zeros(len(rates))
    np.maximum.at(fastest, model.system.island, rates)
    wanted = np.maximum(fastest[model.system.island] * step / LARGEST_TURN, 1.0)
    doublings = np.ceil(np.log2(np.minimum(wanted, MOST_PARTS)) - 1e-9)
    return np.asarray(2 ** doublings.astype(np.intp))


def _senses_turns(model: Model) -> NDArray[np.bool_]:
    """Return which joints have angular rows that change as they turn: not hinges and motors."""
    table = model.table
    harmless = table.is_linear | (table.is_drive & (table.stiffness == 0.0)) | table.is_coupling
    harmless |= table.is_rate
    for group in table.grid.groups:
        if group.form == Form.SWING_PART:
            harmless.ravel()[group.flat] = True
    harmless &= table.is_both | table.is_rate
    result = (table.is_row & ~harmless).any(axis=0)
    result[model.gears.curved] = True
    return np.asarray(result)


def _slides(model: Model) -> NDArray[np.bool_]:
    """Return which joints have rows along axes that turn with the joint's body."""
    table = model.table
    locks = (table.is_lock & table.is_linear).sum(axis=0)
    return np.asarray((table.is_row & table.is_linear).any(axis=0) & (locks < 3))
