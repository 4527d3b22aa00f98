"""One step of the motion of all bodies.

Velocities live half a step before the poses (leapfrog); rigid rows hold at the step's end, measured
at poses predicted with the last velocities, along directions at its start (SHAKE: Ryckaert,
Ciccotti, Berendsen, 1977), which keeps energy. Orientation follows the angular momentum with the
inertia at mid-step.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Bodies, Motions
from .elimination import SIZE, Indices, solve
from .gears import Gears, first_positions, turned_on
from .geometry import (
    Ends,
    Frames,
    Jacobian,
    ends,
    frame_rates,
    jacobian,
    measure,
    measure_with_directions,
    rates,
)
from .laws import Course, Laws, Mask, acting, deviations, gains, look_ahead, row_laws
from .rows import RowTable
from .stiffening import slowing, stiffening
from .system import Pull, System, assemble, lightness, solve_rows
from .vectors import apply, bad_columns, congruent, cross, inverse, matrices, turned

_RIGID = 1e6
"""Gain of rigid rows over the inertia of the bodies they hold."""
_LOCKED = 100.0
"""Gain of locks in closed loops over the inertia of the whole island, if that is less.

A load of one g then opens them by 2 µm. Loops may have no room to move, as a chain drawn straight
between two posts: a thousand times stiffer, it would pull with thousands of newtons.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What does not change while a scene moves."""

    bodies: Bodies
    first: Frames
    """Frames of the joints."""
    second: Frames
    """Frames of what they connect."""
    table: RowTable
    gears: Gears
    system: System
    rigid: Array
    """Gain of rigid rows, shape (r, j) [kg or kg·m²]."""


@dataclass(slots=True, eq=False)
class Memory:
    """What one step leaves to the next; arrays (r, j)."""

    active: NDArray[np.bool_]
    """Rows in the range of their law."""
    lightness: Array
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
    returned: Mask
    """Bodies whose island was brought back to a violated bound, shape (n,)."""
    wrench: Array
    """Impulse on the connected body and its moment about the connected frame, (6, j)."""
    position: Array
    """Of joints in couplings [m or rad], turns counted, shape (j,)."""


def new_memory(model: Model, motions: Motions) -> Memory:
    """Return the memory before the first step."""
    at = ends(model.first, model.second, motions.center, motions.rotation)
    shape, count = model.table.is_row.shape, model.bodies.count
    return Memory(
        active=np.zeros(shape, bool),
        lightness=np.zeros(shape),
        impulse=np.zeros(shape),
        deviation=np.zeros(shape),
        step=np.zeros(count),
        kick=np.ones(shape[1]),
        trend=np.zeros((SIZE, count)),
        stiffening=np.zeros((3, 3, count)),
        returned=np.zeros(count, bool),
        wrench=np.zeros((SIZE, shape[1])),
        position=first_positions(model.gears, model.table, measure(model.table, at)),
    )


def rigid_gains(
    table: RowTable, bodies: Bodies, first: Frames, second: Frames, island: Indices
) -> Array:
    """Return the gain of each row were it rigid, shape (r, j); `island` is that of each body."""
    linear, angular = np.zeros(len(first.body)), np.zeros(len(first.body))
    moves = bodies.is_dynamic
    mass, largest = bodies.mass * moves, np.trace(bodies.inertia) * moves
    for frames in (first, second):
        linear += mass[frames.body]
        angular += largest[frames.body] + mass[frames.body] * (frames.offset**2).sum(axis=0)
    alone = _RIGID * np.where(table.is_linear, linear, angular)
    total = np.bincount(island, mass, minlength=bodies.count)
    turning = np.bincount(island, largest, minlength=bodies.count)
    turning += total * _extents(bodies.rest.position, island) ** 2
    joined = island[np.where(moves[first.body], first.body, second.body)]
    together = _LOCKED * np.where(table.is_linear, total[joined], turning[joined])
    looped = _has_loop(moves, first, second, island)[joined]
    is_kept = (table.is_lock | table.is_coupling) & looped
    gain = np.where(is_kept, np.minimum(alone, together), alone)
    return np.where(table.is_row, gain, 0.0)


def _has_loop(moves: NDArray[np.bool_], first: Frames, second: Frames, island: Indices) -> Array:
    """Return whether joints close a loop in each island, also through what does not move, (n,)."""
    is_first = moves[first.body]
    joined = island[np.where(is_first, first.body, second.body)]
    edges = np.bincount(joined, minlength=len(island))
    anchored = np.bincount(joined, ~(is_first & moves[second.body]), minlength=len(island)) > 0
    return np.asarray(edges >= np.bincount(island, moves, minlength=len(island)) + anchored)


def _extents(places: Array, island: Indices) -> Array:
    """Return how far the bodies of each island reach [m], given places (n, 3), shape (n,)."""
    low, high = np.full(places.shape, np.inf), np.full(places.shape, -np.inf)
    np.minimum.at(low, island, places)
    np.maximum.at(high, island, places)
    return np.asarray(np.where(high >= low, high - low, 0.0).max(axis=1))


def advance(
    model: Model,
    motions: Motions,
    memory: Memory,
    step: float,
    *,
    pull: Pull | None = None,
    renew: bool,
) -> tuple[Motions, NDArray[np.bool_]]:
    """Return the motions a step [s] later and which bodies got lost in numbers that are not finite.

    Those stay where they are. `renew` computes the effective inertias anew, which change slowly.
    """
    now = _situation(model, motions, memory, step)
    start = _free_velocity(model.bodies, motions, now, memory)
    masses = _masses(model.bodies, now.inertia + now.stiffening, model.system.moving)
    if renew:
        memory.lightness = lightness(model.system, masses, now.jac, model.table, model.rigid)
    laws = _laws(model, motions, memory, now, step)
    if pull is not None:
        _apply_pull(model.system, motions, masses, start, pull, step)
    reference = rates(now.jac, model.first, model.second, start)
    change, memory.impulse, memory.active = solve_rows(
        model.system, masses, now.jac, laws, reference, memory.active
    )
    moved, lost = _moved(model, motions, start, change, now.inertia, step)
    if (laws.taken_back != 0.0).any():
        extra = _return_velocity(model.system, masses, now.jac, laws, memory.active)
        moved = _slowed(moved, model.system.moving, extra, now.inertia)
    memory.returned = _returned(model.system, laws)
    memory.step, memory.kick = np.full_like(memory.step, step), now.kick[model.system.mover]
    memory.stiffening = now.stiffening
    memory.trend = np.concatenate((moved.linear - motions.linear, moved.angular - motions.angular))
    memory.position = now.position
    pushes = now.jac.ratios.pushes(memory.impulse)
    memory.wrench = np.einsum("rij,rj->ij", now.jac.connected, pushes)
    arm = now.at.point - motions.center[:, model.second.body]
    memory.wrench[3:] -= cross(arm, memory.wrench[:3])
    return moved, lost


@dataclass(frozen=True, slots=True, eq=False)
class _Situation:
    """All that is known at the start of a step."""

    at: Ends
    jac: Jacobian
    last: Array
    """Velocities (6, n) of the step before."""
    velocity: Array
    """Velocities expected in this step."""
    values: Array
    """Of the rows, now."""
    position: Array
    """Of joints in couplings, turns counted."""
    inertia: Array
    """Tensors (3, 3, n) in world axes, in the middle of the step."""
    stiffening: Array
    """What `stiffening` adds to them."""
    kick: Array
    """For how long forces act on each body [s], shape (n,): to the middle of the step."""


def _situation(model: Model, motions: Motions, memory: Memory, step: float) -> _Situation:
    last = np.concatenate((motions.linear, motions.angular))
    velocity = last + memory.trend
    at = ends(model.first, model.second, motions.center, motions.rotation)
    values, directions = measure_with_directions(model.table, at)
    both = jacobian(model.table, model.first, model.second, at, directions, motions.center)
    lasted = memory.step[model.system.mover]
    position = _positions(model, values, memory.position, both, last, lasted)
    ratios = model.gears.at(position)
    middle = turned(motions.rotation, 0.5 * step * velocity[3:])
    inertia = congruent(matrices(middle), model.bodies.inertia)
    return _Situation(
        at=at,
        jac=Jacobian(*both, ratios),
        last=last,
        velocity=velocity,
        values=ratios.measured(values),
        position=position,
        inertia=inertia,
        stiffening=stiffening(
            (model.first, model.second),
            model.system.ends,
            at,
            motions.center,
            inertia,
            np.sqrt((memory.wrench[:3] ** 2).sum(axis=0)) / memory.kick,
            step,
        ),
        kick=0.5 * (memory.step + step),
    )


def _positions(
    model: Model,
    values: Array,
    before: Array,
    jacobians: tuple[Array, Array],
    velocity: Array,
    duration: Array | float,
) -> Array:
    """Return the positions (j,) of joints in couplings: `before` and a time [s] later.

    `values` are what rows measure then, `velocity` (6, n) that of the bodies meanwhile.
    """
    if not model.gears.count:
        return before
    rate = frame_rates(jacobians, velocity[:, model.first.body], velocity[:, model.second.body])
    return turned_on(model.gears, model.table, values, before, duration * rate)


def _laws(model: Model, motions: Motions, memory: Memory, now: _Situation, step: float) -> Laws:
    """Return the laws of the rows; remember where these are."""
    table = model.table
    ahead = ends(
        model.first,
        model.second,
        motions.center + step * now.velocity[:3],
        turned(motions.rotation, step * now.velocity[3:]),
    )
    values = measure(table, ahead)
    later = _positions(model, values, now.position, now.jac.both, now.velocity, step)
    values = model.gears.at(later).measured(values)
    deviation = deviations(table, now.values)
    rate = rates(now.jac, model.first, model.second, now.velocity)
    constants = gains(table, now.jac.ratios.rigid(model.rigid), memory.lightness)
    acts = acting(table, deviation, rate, 0.0, step)
    course = Course(
        now=deviation,
        ahead=deviations(table, values),
        rate=rate,
        last=rates(now.jac, model.first, model.second, now.last),
        share=look_ahead(constants, acts, model.system.rows, step),
        step=step,
        kick=now.kick[model.system.mover],
        returned=memory.returned[model.system.mover],
    )
    memory.deviation = deviation
    return row_laws(table, constants, course)


def _masses(bodies: Bodies, inertia: Array, moving: Indices) -> Array:
    """Return the mass matrices (6, 6, m) of the moving bodies."""
    masses = np.zeros((SIZE, SIZE, len(moving)))
    masses[[0, 1, 2], [0, 1, 2]] = bodies.mass[moving]
    masses[3:, 3:] = inertia[:, :, moving]
    return masses


def _free_velocity(bodies: Bodies, motions: Motions, now: _Situation, memory: Memory) -> Array:
    """Return the velocities (6, n) at the step's end if no joint acted."""
    velocity = np.concatenate((motions.linear + now.kick * bodies.gravity, motions.angular))
    turning = apply(inverse(now.inertia), motions.spin)
    turning *= slowing(now.inertia, memory.stiffening, now.stiffening, turning)
    velocity[3:] = np.where(bodies.is_dynamic, turning, velocity[3:])
    return velocity


def _apply_pull(
    system: System, motions: Motions, masses: Array, start: Array, pull: Pull, step: float
) -> None:
    """Add a pull to the mass and the free velocity of its body, in place."""
    row = int(np.searchsorted(system.moving, pull.body))
    arm = apply(matrices(motions.rotation[:, pull.body, None]), pull.arm[:, None])
    rows = np.concatenate((np.eye(3), cross(arm, np.eye(3)).T), axis=1)
    gain = step * (step * pull.stiffness + pull.damping)
    distance = motions.center[:, pull.body] + arm[:, 0] - pull.target
    impulse = -gain * (rows @ start[:, pull.body]) - step * pull.stiffness * distance
    masses[:, :, row] += gain * rows.T @ rows
    start[:, pull.body] += np.linalg.solve(masses[:, :, row], rows.T @ impulse)


def _return_velocity(
    system: System, masses: Array, jac: Jacobian, laws: Laws, active: Mask
) -> Array:
    """Return the velocities (6, m) that only bring rows back to bounds they had violated."""
    gain = np.where(active, laws.gain, 0.0)
    blocks, right = assemble(system, masses, jac, gain, gain * laws.taken_back)
    return solve(system.plan, blocks, right)


def _returned(system: System, laws: Laws) -> Mask:
    """Return which bodies (n,) are in islands that were brought back to violated bounds."""
    joints = laws.is_violated.any(axis=0)
    islands = system.island[system.mover[joints]]
    return np.isin(system.island, islands) if len(islands) else np.zeros(len(system.island), bool)


def _slowed(motions: Motions, moving: Indices, less: Array, inertia: Array) -> Motions:
    """Return motions with the velocities of `moving` bodies less by (6, m)."""
    linear, angular, spin = motions.linear.copy(), motions.angular.copy(), motions.spin.copy()
    linear[:, moving] -= less[:3]
    angular[:, moving] -= less[3:]
    spin[:, moving] -= apply(inertia[:, :, moving], less[3:])
    return Motions(motions.center, motions.rotation, linear, angular, spin)


def _moved(
    model: Model,
    motions: Motions,
    start: Array,
    change: Array,
    inertia: Array,
    step: float,
) -> tuple[Motions, NDArray[np.bool_]]:
    """Return the motions after the velocities have changed, and which bodies are lost."""
    velocity = start
    velocity[:, model.system.moving] += change
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
