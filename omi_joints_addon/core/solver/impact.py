"""Inelastic impacts in place of steps in which additional inertia would add energy.

Links that carry a thousand times their mass go slack and snap taut: their tension grows by the
thousandfold within a step, and what resists their turns then (`stiffening`) pushes like a mass that
nothing has. Such a step ends with the velocities of an impact, which loses energy.
"""

import numpy as np

from ..model.pose import Array
from .bodies import Motions
from .elimination import Indices, solve
from .laws import Laws, Mask
from .memory import Memory
from .model import Model
from .pulling import apply_pull, work_of_pull
from .situation import Situation, free_velocity, mass_matrices, rates
from .system import Pull, assemble
from .vectors import apply

_SLACK, _FALL = 1e-4, 1e-5
"""What an island may gain beyond what it has lost: a part of its kinetic energy, and what its
weight has when it falls so far [m]."""


def without_gain(
    model: Model,
    motions: Motions,
    memory: Memory,
    now: Situation,
    laws: Laws,
    moved: Motions,
    step: Array,
    pull: Pull | None,
) -> Motions:
    """Return motions in which islands gain no energy, by impacts; remember what they have spent.

    Only islands are watched in which additional inertia acts. `motions` are those before, `moved`
    those after a `step` (n,) [s].
    """
    added = (now.stiffening + memory.stiffening).any(axis=(0, 1))
    is_watched = _per_island(model, added) > 0.0
    spent = memory.spent - is_watched * _gain(model, motions, memory, now, moved, step, pull)
    kinetic, before = energies(model, moved, step)
    is_gain = is_watched & (spent < -_slack(model, kinetic))
    if is_gain.any():
        moved = _after_impact(model, motions, memory, now, laws, moved, step, pull, is_gain)
        spent += _per_island(model, before - energies(model, moved, step)[1])
    memory.spent = spent
    return moved


def energies(model: Model, motions: Motions, step: Array) -> tuple[Array, Array]:
    """Return the kinetic energy of each body and that with gravity's [J], shapes (n,).

    They are those half a `step` (n,) [s] ago, 0 for bodies that do not move.
    """
    bodies = model.bodies
    kinetic = bodies.mass * (motions.linear**2).sum(axis=0)
    kinetic = 0.5 * (kinetic + (motions.angular * motions.spin).sum(axis=0))
    middle = motions.center - 0.5 * step * motions.linear
    potential = -bodies.mass * (bodies.gravity * middle).sum(axis=0)
    moves = bodies.is_dynamic
    return np.where(moves, kinetic, 0.0), np.where(moves, kinetic + potential, 0.0)


def slowed(motions: Motions, moving: Indices, less: Array, inertia: Array) -> Motions:
    """Return motions with the velocities of `moving` bodies less by (m, 6)."""
    linear, angular, spin = motions.linear.copy(), motions.angular.copy(), motions.spin.copy()
    linear[:, moving] -= less[:, :3].T
    angular[:, moving] -= less[:, 3:].T
    spin[:, moving] -= apply(inertia[:, :, moving], less[:, 3:].T)
    return Motions(motions.center, motions.rotation, linear, angular, spin)


def _gain(
    model: Model,
    motions: Motions,
    memory: Memory,
    now: Situation,
    moved: Motions,
    step: Array,
    pull: Pull | None,
) -> Array:
    """Return the energy [J] that rigid rows and additional inertia give islands, (n,).

    Springs, drives, a pull and bodies that are driven from outside may give as much as they do.
    """
    change = energies(model, moved, step)[1] - energies(model, motions, memory.step)[1]
    ended = np.concatenate((moved.linear, moved.angular))
    if pull is not None:
        length = float(step[pull.body])
        change[pull.body] -= work_of_pull(motions, now.last, ended, pull, length)
    velocity = 0.5 * (now.last + ended)
    carried = np.where(model.bodies.is_dynamic, 0.0, velocity)
    own, driven = rates(model, now.jac, np.stack((velocity, carried)))
    work = memory.impulse * (np.where(_is_rigid(model), 0.0, own) - driven)
    return _per_island(model, change) - _per_island(model, work.sum(axis=0), model.system.mover)


def _slack(model: Model, kinetic: Array) -> Array:
    """Return the energy [J] that islands may gain, (n,); `kinetic` (n,) [J] is that of bodies."""
    bodies = model.bodies
    weight = bodies.mass * np.sqrt((bodies.gravity**2).sum(axis=0)) * bodies.is_dynamic
    return _per_island(model, _SLACK * kinetic + _FALL * weight)


def _after_impact(
    model: Model,
    motions: Motions,
    memory: Memory,
    now: Situation,
    laws: Laws,
    moved: Motions,
    step: Array,
    pull: Pull | None,
    chosen: Mask,
) -> Motions:
    """Return motions with the velocities that chosen islands (n,) have after an impact.

    Nothing but the bodies' own inertia resists, and rigid rows only stop: they neither foresee
    where the step ends nor bring anything back.
    """
    system = model.system
    velocity = free_velocity(model.bodies, motions, now.turning, now.kick)
    masses = mass_matrices(model, now.inertia)
    if pull is not None:
        apply_pull(system, motions, masses, velocity, pull, float(step[pull.body]))
    (reference,) = rates(model, now.jac, velocity[None])
    offset = np.where(_is_rigid(model), 0.0, laws.offset)
    push = np.where(memory.active, -(laws.gain * reference + offset), memory.impulse)
    gain = np.where(memory.active, laws.gain, 0.0)
    change = solve(system.plan, *assemble(system, masses, now.jac, gain, push))[:-1]
    velocity[:, system.moving] += change.T
    less = np.concatenate((moved.linear, moved.angular)) - velocity
    return slowed(
        moved, system.moving, (chosen[system.island] * less)[:, system.moving].T, now.inertia
    )


def _is_rigid(model: Model) -> Mask:
    """Return the rows (r, j) that do no work."""
    table = model.table
    return np.asarray(table.is_row & ~(table.is_soft | table.is_rate))


def _per_island(model: Model, values: Array | Mask, bodies: Indices | None = None) -> Array:
    """Return sums of `values` of each body, or of each of some, at the labels of islands (n,)."""
    island = model.system.island
    of = island if bodies is None else island[bodies]
    return np.asarray(np.bincount(of, values, minlength=len(island)), float)
