"""How fast the equations of bodies change as they turn, and into how many parts steps are cut."""

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Motions
from .laws import sides
from .memory import Memory
from .model import Model
from .rows import Form
from .vectors import apply_inverse, cross, matrices

LARGEST_TURN, LARGEST_TURN_IN_LOOPS = 0.07, 0.05
"""Turn of a body [rad] from which on its step is cut, in trees and where joints close loops."""
LARGEST_SPIN, MOST_SPIN = 0.2, 0.4
"""Angle [rad] that a body spins by from which on its step is cut, unless its spin is balanced, and
that beyond which its energy does not stay in the smallest part.

The turn to the middle of a step is predicted. Beyond 0.5 rad errors of that grow as large as the
spin.
"""
_AHEAD = 2.0
"""For how many steps the growth of a rate counts: a whip's tip is faster at the step's end."""
_BALANCED = 1e-4
"""Part of a body's spin that may change its equations without errors growing."""
_IMPACT = 0.5
"""Rate [rad/s] for each of which a step has a part in which a slider meets a rigid bound.

An impact acts at the start of its step and of the next one, along directions that turn on as if it
had not come: its error grows with the step, and with the square of the change of the spin. Hinges
and cones take four parts: with more, ragdolls whose limbs meet their limits took up to three times
as long.
"""
_SLOW = 2.0
"""Rate [rad/s] below which a bound is met without a cut: that of the joint, or of what swings."""
_SHORTEST = 0.05
"""Arm [m] below which what swings on it is taken for no faster."""
MOST_PARTS = 16
"""Into how many parts a step is cut at most."""
MOST_TURN = 0.25
"""Turn of a body [rad] in the smallest part beyond which it is slowed."""


def turning_rates(model: Model, motions: Motions, senses: NDArray[np.bool_]) -> Array:
    """Return how fast the equations of each body turn [rad/s], shape (n,).

    `senses` (2, j) is what `senses_turns` returns.
    A wheel that spins about the arm to its joint, and about a principal axis, changes nothing as
    it spins, where its joint has no other bounds or springs about that axis. What its arms, its
    angular momentum and such rows turn by counts.
    """
    angular = motions.angular
    sweep = np.sqrt((cross(angular, motions.spin) ** 2).sum(axis=0))
    rates = sweep / np.maximum(np.sqrt((motions.spin**2).sum(axis=0)), 1e-300)
    local = apply_inverse(matrices(motions.rotation), angular)
    frames, first, second = model.frames, model.first.body, model.second.body
    length = np.sqrt((frames.offset**2).sum(axis=0))
    swept = np.sqrt((cross(local[:, frames.body], frames.offset) ** 2).sum(axis=0))
    swept = np.where(length > 1e-9, swept, 0.0) / np.maximum(length, 1e-9)
    relative = np.sqrt(((angular[:, second] - angular[:, first]) ** 2).sum(axis=0))
    relative = np.where(senses[0], relative, 0.0)
    carried = np.sqrt((angular[:, first] ** 2).sum(axis=0))
    own = np.maximum(relative, np.where(senses[1], carried, 0.0))
    np.maximum.at(rates, frames.body, np.maximum(swept, np.concatenate((own, relative))))
    return np.where(model.bodies.is_dynamic, rates, 0.0)


def unbalanced_spins(model: Model, motions: Motions, rates: Array) -> Array:
    """Return how fast jointed bodies spin [rad/s] whose equations turn with it, shape (n,)."""
    spins = np.sqrt((motions.angular**2).sum(axis=0))
    is_held = np.zeros(len(rates), bool)
    is_held[model.frames.body] = True
    return np.where(is_held & (rates > _BALANCED * spins), spins, 0.0)


def swings(model: Model) -> Array:
    """Return how fast things turn [rad] where a row is stopped, for its own rate, (r, j).

    What a slider carries swings by its shortest arm.
    """
    frames, island = model.frames, model.system.island
    arms = np.sqrt((frames.offset**2).sum(axis=0))
    arms = np.where(model.bodies.is_dynamic[frames.body] & (arms > 1e-6), arms, np.inf)
    shortest = np.full(model.bodies.count, np.inf)
    np.minimum.at(shortest, island[frames.body], np.maximum(arms, _SHORTEST))
    return np.where(model.table.is_linear, 1.0 / shortest[island[model.system.mover]], 1.0)


def impacts(model: Model, memory: Memory, step: float, swing: Array) -> NDArray[np.intp]:
    """Return into how many parts impacts cut the step [s] of each body's island, (n,).

    `swing` (r, j) is what `swings` returns.
    """
    table, mover, island = model.table, model.system.mover, model.system.island
    side = sides(table, memory.ahead)
    before, now = side * memory.deviation, side * memory.ahead
    speed = (now - before) / np.maximum(memory.step[mover], 1e-300)
    meets = table.is_one_sided & ~table.is_soft & (speed * swing > _SLOW) & (before < table.half)
    meets &= now + step * speed > table.half
    if not meets.any():
        return np.ones(len(island), np.intp)
    rate = meets * np.where(table.is_linear, speed * swing, _SLOW)
    fastest = np.full(len(island), _IMPACT)
    np.maximum.at(fastest, island[mover], rate.max(axis=0))
    parts = np.minimum(fastest[island] / _IMPACT, MOST_PARTS)
    return np.asarray(2 ** np.ceil(np.log2(parts)).astype(np.intp))


def parts_of_islands(
    model: Model, rates: Array, before: Array, spins: Array, step: float
) -> NDArray[np.intp]:
    """Return into how many parts a step [s] of each body's island is cut, powers of 2, (n,).

    `rates` are those of `turning_rates` now and `before` that, a step ago; `spins` are those of
    `unbalanced_spins`.
    """
    most = np.where(model.has_loop, LARGEST_TURN_IN_LOOPS, LARGEST_TURN)
    wanted = (rates + _AHEAD * np.maximum(rates - before, 0.0)) / most
    wanted = np.maximum(wanted, spins / LARGEST_SPIN)
    fastest = np.zeros(len(rates))
    np.maximum.at(fastest, model.system.island, wanted)
    parts = np.nan_to_num(fastest[model.system.island] * step, nan=MOST_PARTS)
    parts = np.clip(parts, 1.0, MOST_PARTS)
    return np.asarray(2 ** np.ceil(np.log2(parts) - 1e-9).astype(np.intp))


def senses_turns(model: Model) -> NDArray[np.bool_]:
    """Return which joints have rows that change as they turn, or as they are carried, (2, j)."""
    return np.stack((_senses_turns(model), _slides(model)))


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
