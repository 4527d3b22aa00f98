"""One step of the motion of all bodies.

Velocities live half a step before the poses (leapfrog); rigid rows hold at the step's end, measured
at poses predicted with the last velocities, along directions at its start (SHAKE: Ryckaert,
Ciccotti, Berendsen, 1977), which keeps energy. Orientation follows the angular momentum with the
inertia at mid-step.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Bodies, Motions
from .elimination import SIZE, Indices, solve
from .gears import Ratios, first_positions, no_gears, turned_on
from .geometry import (
    Jacobian,
    ends,
    jacobian,
    measure,
    measure_with_directions,
)
from .laws import Course, Laws, Mask, acting, deviations, gains, look_ahead, row_laws
from .model import Model, locked_gains
from .stiffening import kept_energy, stiffening
from .system import Pull, System, assemble, lightness, solve_rows
from .vectors import apply, bad_columns, cross, length, matrices, turned


@dataclass(slots=True, eq=False)
class Memory:
    """What one step leaves to the next; arrays (r, j)."""

    active: NDArray[np.bool_]
    """Rows in the range of their law."""
    lightness: Array
    ended: Array
    """Rates with which the last step has ended, along its own directions [m/s or rad/s]."""
    impulse: Array
    """[N·s or N·m·s]."""
    deviation: Array
    """From the center of each row, at the start of the step [m or rad]."""
    step: Array
    """How long the last step of each body was [s], (n,): velocities are half of that early."""
    kick: Array
    """For how long forces of each joint acted [s], shape (j,)."""
    trend: Array
    """Change of the velocities of all bodies, shape (6, n)."""
    stiffening: Array
    """Inertia added in the step, shape (3, 3, n) (`stiffening.stiffening`)."""
    lent: Array
    """Energy [J] that bodies have lost to additional inertia, shape (n,)."""
    returned: Mask
    """Bodies whose island was brought back to a violated bound, shape (n,)."""
    wrench: Array
    """Impulse on the connected body and its moment about the connected frame, (6, j)."""
    position: Array
    """Of joints in couplings [m or rad], turns counted, shape (j,)."""


class StepContacts(Protocol):
    """What bodies of a step touch."""

    def solve_rows(
        self,
        model: Model,
        masses: Array,
        jac: Jacobian,
        laws: Laws,
        reference: Array,
        velocities: Array,
    ) -> tuple[Array, Array, Mask]:
        """Return what `system.solve_rows` does, contacts held as well.

        `velocities` (3, 6, n) are those of the step before, those expected, and those at the step's
        end if nothing acted.
        """


def new_memory(model: Model, motions: Motions) -> Memory:
    """Return the memory before the first step."""
    turns = matrices(motions.rotation)
    at = ends(model.frames, motions.center, motions.rotation, turns)
    table, count = model.table, model.bodies.count
    shape = table.is_row.shape
    return Memory(
        active=np.zeros(shape, bool),
        lightness=np.zeros(shape),
        ended=np.zeros(shape),
        impulse=np.zeros(shape),
        deviation=np.zeros(shape),
        step=np.zeros(count),
        kick=np.ones(shape[1]),
        trend=np.zeros((SIZE, count)),
        stiffening=np.zeros((3, 3, count)),
        lent=np.zeros(count),
        returned=np.zeros(count, bool),
        wrench=np.zeros((SIZE, shape[1])),
        position=first_positions(model.gears, model.table, measure(table.grid, at)),
    )


def advance(
    model: Model,
    motions: Motions,
    memory: Memory,
    step: Array,
    *,
    pull: Pull | None = None,
    renew: bool,
    contacts: StepContacts | None = None,
) -> tuple[Motions, NDArray[np.bool_]]:
    """Return the motions a step later and which bodies got lost in numbers that are not finite.

    Those stay where they are. `step` (n,) [s] is that of each body, the same for all of an island
    and what moves it. `renew` computes the effective inertias anew, which change slowly.
    """
    now = _situation(model, motions, memory, step)
    masses = _masses(model, now.inertia + now.stiffening)
    if renew:
        memory.lightness = lightness(model.system, masses, now.jac, model.table, model.rigid)
    start = now.free
    if pull is not None:
        _apply_pull(model.system, motions, masses, start, pull, float(step[pull.body]))
    velocities = np.stack((now.last, now.velocity, start))
    last, rate, reference = _rates(model, now.jac, velocities)
    laws = _laws(model, memory, now, (last, rate), step[model.system.mover])
    if contacts is None:
        solution = solve_rows(model.system, masses, now.jac, laws, reference, memory.active)
    else:
        velocities = np.stack((now.last, now.velocity, start))
        solution = contacts.solve_rows(model, masses, now.jac, laws, reference, velocities)
    change, memory.impulse, memory.active = solution
    moved, lost = _moved(model, motions, start, change, now.inertia, step)
    moved = _without_return(model.system, memory, masses, now, laws, moved)
    memory.step, memory.kick = step.copy(), now.kick[model.system.mover]
    memory.stiffening = now.stiffening
    velocity = np.concatenate((moved.linear, moved.angular))
    memory.trend = velocity - now.last
    if model.table.has_rate:
        (memory.ended,) = _rates(model, now.jac, velocity[None])
    memory.position = now.position
    memory.wrench = _wrench(now, memory.impulse)
    return moved, lost


@dataclass(frozen=True, slots=True, eq=False)
class _Situation:
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


def _situation(model: Model, motions: Motions, memory: Memory, step: Array) -> _Situation:
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
    force = length(memory.wrench[:3]) / memory.kick
    arms = arms.reshape(3, -1)
    added = stiffening(model, arms, ease, force, step)
    kick = 0.5 * (memory.step + step)
    turning = apply(ease, motions.spin)
    factor, memory.lent = kept_energy(inertia, memory.stiffening, added, turning, memory.lent)
    free = _free_velocity(model.bodies, motions, factor * turning, kick)
    return _Situation(
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
    last, rate = _rates(model, own, np.stack(velocities))
    lasted = memory.step[model.system.mover]
    position = turned_on(gears, table, now, memory.position, lasted * last)
    later = turned_on(gears, table, ahead, position, step[model.system.mover] * rate)
    ratios = gears.at(position)
    both = (ratios.measured(now), gears.at(later).measured(ahead))
    return position, ratios, np.stack(both, axis=1)


def _rates(model: Model, jac: Jacobian, velocities: Array) -> Iterator[Array]:
    """Yield how fast rows change (r, j) under each of the body velocities (k, 6, n)."""
    both = velocities.take(model.frames.body, 2).reshape(len(velocities), SIZE, 2, -1)
    rates = jac.rates(both.swapaxes(1, 2).reshape(len(velocities), 2 * SIZE, -1))
    return (jac.ratios.rates(each) for each in rates)


def _wrench(now: _Situation, impulse: Array) -> Array:
    """Return the impulses (6, j) of joints on connected bodies, moments about their frames."""
    pushes = now.jac.ratios.pushes(impulse).T[:, :, None]
    wrench = (now.jac.blocks[:, SIZE:] @ pushes)[:, :, 0].T.copy()
    wrench[3:] -= cross(now.arms[:, wrench.shape[1] :], wrench[:3])
    return wrench


def _laws(
    model: Model, memory: Memory, now: _Situation, rates: tuple[Array, Array], step: Array
) -> Laws:
    """Return the laws of rows with their last and expected `rates`; remember where they are.

    `step` (j,) [s] is that of each joint.
    """
    table, system = model.table, model.system
    deviation, ahead = deviations(table, now.values).swapaxes(0, 1)
    last, rate = rates
    rigid = now.jac.ratios.rigid(locked_gains(model, step))
    constants = gains(table, rigid, memory.lightness)
    share = np.zeros(len(system.mover))
    if table.has_soft:
        acts = acting(table, deviation, rate, 0.0, step)
        share = look_ahead(constants, acts, system.rows, system.plan.size, step)
    course = Course(
        now=deviation,
        ahead=ahead,
        rate=rate,
        last=last,
        # Velocities at the start are those of the first step, which no step has ended with.
        ended=np.where(memory.step[system.mover] > 0.0, memory.ended, last),
        share=share,
        step=step,
        kick=now.kick[system.mover],
    )
    memory.deviation = deviation
    return row_laws(table, constants, course)


def _masses(model: Model, inertia: Array) -> Array:
    """Return the mass matrices (m, 6, 6) of the moving bodies."""
    masses = model.masses.copy()
    masses[:, 3:, 3:] = inertia.take(model.system.moving, 2).transpose(2, 0, 1)
    return masses


def _free_velocity(bodies: Bodies, motions: Motions, turning: Array, kick: Array) -> Array:
    """Return the velocities (6, n) at the step's end if no joint acted.

    `turning` (3, n) are the angular ones of dynamic bodies.
    """
    angular = np.where(bodies.is_dynamic, turning, motions.angular)
    return np.concatenate((motions.linear + kick * bodies.gravity, angular))


def _apply_pull(
    system: System, motions: Motions, masses: Array, start: Array, pull: Pull, step: float
) -> None:
    """Add a pull to the mass and the free velocity of its body, in place."""
    row = int(np.flatnonzero(system.moving == pull.body)[0])
    arm = apply(matrices(motions.rotation[:, pull.body, None]), pull.arm[:, None])
    rows = np.concatenate((np.eye(3), cross(arm, np.eye(3)).T), axis=1)
    gain = step * (step * pull.stiffness + pull.damping)
    distance = motions.center[:, pull.body] + arm[:, 0] - pull.target
    impulse = -gain * (rows @ start[:, pull.body]) - step * pull.stiffness * distance
    masses[row] += gain * rows.T @ rows
    start[:, pull.body] += np.linalg.solve(masses[row], rows.T @ impulse)


def _without_return(
    system: System, memory: Memory, masses: Array, now: _Situation, laws: Laws, moved: Motions
) -> Motions:
    """Return motions without the velocities that only bring rows back to violated bounds."""
    was_returned = memory.returned[system.mover]
    memory.returned = _returned(system, laws)
    if not (laws.is_violated.any() or was_returned.any()):
        return moved
    back = np.where(laws.is_violated | was_returned, laws.back, 0.0)
    gain = np.where(memory.active, laws.gain, 0.0)
    extra = _return_velocity(system, masses, now.jac, gain, back)
    return _slowed(moved, system.moving, extra, now.inertia)


def _return_velocity(
    system: System, masses: Array, jac: Jacobian, gain: Array, back: Array
) -> Array:
    """Return the velocities (m, 6) that only bring rows back to bounds they had violated.

    `gain` (r, j) is that of the rows in their range, `back` (r, j) [m/s or rad/s] how fast they go.
    """
    return solve(system.plan, *assemble(system, masses, jac, gain, gain * back))[:-1]


def _returned(system: System, laws: Laws) -> Mask:
    """Return which bodies (n,) are in islands that were brought back to violated bounds."""
    if not laws.is_violated.any():
        return np.zeros(len(system.island), bool)
    joints = laws.is_violated.any(axis=0)
    return np.isin(system.island, system.island[system.mover[joints]])


def _slowed(motions: Motions, moving: Indices, less: Array, inertia: Array) -> Motions:
    """Return motions with the velocities of `moving` bodies less by (m, 6)."""
    linear, angular, spin = motions.linear.copy(), motions.angular.copy(), motions.spin.copy()
    linear[:, moving] -= less[:, :3].T
    angular[:, moving] -= less[:, 3:].T
    spin[:, moving] -= apply(inertia[:, :, moving], less[:, 3:].T)
    return Motions(motions.center, motions.rotation, linear, angular, spin)


def _moved(
    model: Model,
    motions: Motions,
    start: Array,
    change: Array,
    inertia: Array,
    step: Array,
) -> tuple[Motions, NDArray[np.bool_]]:
    """Return the motions after the velocities have changed, and which bodies are lost."""
    velocity = start
    velocity[:, model.system.moving] += change.T
    linear, angular = velocity[:3], velocity[3:]
    center = motions.center + step * linear
    rotation = turned(motions.rotation, step * angular)
    spin = apply(inertia, angular)
    lost = bad_columns(center, rotation, linear, angular)
    if lost.any():
        keep = ~lost
        center = np.where(keep, center, motions.center)
        rotation = np.where(keep, rotation, motions.rotation)
        linear, angular = np.where(keep, linear, 0.0), np.where(keep, angular, 0.0)
        spin = np.where(keep, spin, 0.0)
    return Motions(center, rotation, linear, angular, spin), lost
