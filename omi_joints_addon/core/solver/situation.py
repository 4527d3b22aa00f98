"""What is known at the start of a step."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..model.pose import Array
from .bodies import Bodies, Motions
from .elimination import SIZE
from .gears import Ratios, no_gears, turned_on
from .geometry import Jacobian, ends, jacobian, measure_with_directions
from .memory import Memory
from .model import Model
from .stiffening import kept_energy, stiffening
from .vectors import apply, matrices, turned


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """All that is known at the start of a step."""

    jac: Jacobian
    arms: Array
    """From the centers of mass to the connected frames, of both bodies [m], (3, 2 j)."""
    last: Array
    """Velocities (6, n) of the step before."""
    velocity: Array
    """Velocities expected in this step."""
    free: Array
    """Velocities (6, n) at the step's end if no joint acted."""
    values: Array
    """Of the rows, now and at the step's end at the velocities expected, shape (r, 2, j)."""
    position: Array
    """Of joints in couplings, turns counted."""
    inertia: Array
    """Tensors (3, 3, n) in world axes, in the middle of the step."""
    stiffening: Array
    """What `stiffening` adds to them."""
    kick: Array
    """For how long forces act on each body [s], shape (n,): to the middle of the step."""
    turning: Array
    """Angular velocities (3, n) if neither joints nor additional inertia acted."""


def situation(model: Model, motions: Motions, memory: Memory, step: Array) -> Situation:
    """Return what is known at the start of a `step` (n,) [s]; remember what bodies have lent."""
    last = np.concatenate((motions.linear, motions.angular))
    velocity = last + memory.trend
    count, joints = model.bodies.count, len(model.first.body)
    rotation = _rotations(motions.rotation, step * velocity[3:])
    turns = matrices(rotation)
    center = np.concatenate((motions.center, motions.center + step * velocity[:3]), axis=1)
    at = ends(model.twice, center, rotation[:, : 2 * count], turns[:, :, : 2 * count])
    values, ways = measure_with_directions(model.table.twice, at)
    arms = at.point[:, None, :joints] - motions.center.take(model.frames.body, 1).reshape(3, 2, -1)
    blocks = jacobian(model.table, at.axes[:, :, :joints], ways[:, :, :joints], arms)
    position, ratios, values = _geared(model, memory, blocks, values, (last, velocity), step)
    inertia, ease = _turned_tensors(model.tensors, turns[:, :, 2 * count :])
    arms = arms.reshape(3, -1)
    added = stiffening(model, arms, ease, memory.force, step)
    kick = 0.5 * (memory.step + step)
    turning = apply(ease, motions.spin)
    factor, memory.lent = kept_energy(inertia, memory.stiffening, added, turning, memory.lent)
    free = free_velocity(model.bodies, motions, factor * turning, kick)
    return Situation(
        jac=Jacobian(blocks, ratios),
        arms=arms,
        last=last,
        velocity=velocity,
        free=free,
        values=values,
        position=position,
        inertia=inertia,
        stiffening=added,
        kick=kick,
        turning=turning,
    )


def _rotations(rotation: Array, turn: Array) -> Array:
    """Return orientations (4, 3 n) now, after a `turn` (3, n) [rad], and in the middle of it."""
    turns = np.concatenate((turn, 0.5 * turn), axis=1)
    later = turned(np.concatenate((rotation, rotation), axis=1), turns)
    return np.concatenate((rotation, later), axis=1)


def _turned_tensors(tensors: Array, axes: Array) -> Array:
    """Return tensors (k, 3, 3, n) of bodies in world axes, given those of the bodies."""
    rows = np.einsum("ijn,mjkn->mikn", axes, tensors)
    return np.asarray(np.einsum("mikn,jkn->mijn", rows, axes))


def _geared(
    model: Model,
    memory: Memory,
    blocks: Array,
    values: Array,
    velocities: tuple[Array, Array],
    step: Array,
) -> tuple[Array, Ratios, Array]:
    """Return positions of joints in couplings, how these act, and what rows measure (r, 2, j).

    `values` (r, 2 j) are what rows measure without couplings, now and at the step's end.
    """
    gears, table, values = model.gears, model.table, values.reshape(len(values), 2, len(blocks))
    if not gears.count:
        return memory.position, gears.at(memory.position), values
    now, ahead = values[:, 0], values[:, 1]
    own = Jacobian(blocks, no_gears().at(memory.position))
    last, rate = rates(model, own, np.stack(velocities))
    lasted = memory.step[model.system.mover]
    position = turned_on(gears, table, now, memory.position, lasted * last)
    later = turned_on(gears, table, ahead, position, step[model.system.mover] * rate)
    ratios = gears.at(position)
    both = (ratios.measured(now), gears.at(later).measured(ahead))
    return position, ratios, np.stack(both, axis=1)


def rates(model: Model, jac: Jacobian, velocities: Array) -> Iterator[Array]:
    """Yield how fast rows change (r, j) under each of the body velocities (k, 6, n)."""
    both = velocities.take(model.frames.body, 2).reshape(len(velocities), SIZE, 2, -1)
    rates = jac.rates(both.swapaxes(1, 2).reshape(len(velocities), 2 * SIZE, -1))
    return (jac.ratios.rates(each) for each in rates)


def mass_matrices(model: Model, inertia: Array) -> Array:
    """Return the mass matrices (m, 6, 6) of the moving bodies."""
    masses = model.masses.copy()
    masses[:, 3:, 3:] = inertia.take(model.system.moving, 2).transpose(2, 0, 1)
    return masses


def free_velocity(bodies: Bodies, motions: Motions, turning: Array, kick: Array) -> Array:
    """Return the velocities (6, n) at the step's end if no joint acted.

    `turning` (3, n) are the angular ones of dynamic bodies.
    """
    angular = np.where(bodies.is_dynamic, turning, motions.angular)
    return np.concatenate((motions.linear + kick * bodies.gravity, angular))
