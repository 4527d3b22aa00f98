"""One step of the motion of all bodies.

Velocities live half a step before the poses (leapfrog); rigid rows hold at the step's end, measured
at poses predicted with the last velocities, along directions at its start (SHAKE: Ryckaert,
Ciccotti, Berendsen, 1977), which keeps energy. Orientation follows the angular momentum with the
inertia at mid-step.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.graph import Indices
from ..model.pose import Array
from .bodies import Motions
from .elimination import SIZE, solve
from .geometry import Jacobian
from .impact import slowed, without_gain
from .laws import Laws, Mask, StepCourse, acting, deviations, gains, look_ahead, row_laws
from .memory import Memory
from .model import Model, locked_gains
from .pulling import apply_pull
from .situation import Situation, mass_matrices, rates, situation
from .system import Pull, System, assemble, lightness, solve_rows
from .vectors import apply, bad_columns, cross, length, turned

_STOPS = 0.1
"""Rate [m/s or rad/s] from which a bound that stops it is met by an impact."""


class StepContacts(Protocol):
    """What bodies of a step touch."""

    parting: Array
    """Velocities (m, 6) that only take overlaps back in the step that was solved."""
    touching: Indices
    """The bodies that touch something."""

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
    now = situation(model, motions, memory, step)
    masses = mass_matrices(model, now.inertia + now.stiffening)
    if renew:
        memory.lightness = lightness(model.system, masses, now.jac, model.table, model.rigid)
    start = now.free
    if pull is not None:
        apply_pull(model.system, motions, masses, start, pull, float(step[pull.body]))
    velocities = np.stack((now.last, now.velocity, start))
    last, rate, reference = rates(model, now.jac, velocities)
    laws = _laws(model, memory, now, (last, rate), step[model.system.mover])
    if contacts is None:
        solution = solve_rows(model.system, masses, now.jac, laws, reference, memory.active)
    else:
        solution = contacts.solve_rows(model, masses, now.jac, laws, reference, velocities)
    change, memory.impulse, memory.active = solution
    parting = np.zeros_like(change) if contacts is None else contacts.parting
    moved, lost = _moved(model, motions, start, (change, parting), now.inertia, step)
    moved = _without_return(model.system, memory, masses, now, laws, moved)
    if contacts is None and (now.stiffening.any() or memory.stiffening.any()):
        moved = without_gain(model, motions, memory, now, laws, moved, step, pull)
    memory.step, memory.kick = step.copy(), now.kick[model.system.mover]
    memory.stiffening = now.stiffening
    velocity = np.concatenate((moved.linear, moved.angular))
    memory.trend = velocity - now.last
    if model.table.has_rate:
        (memory.ended,) = rates(model, now.jac, velocity[None])
    memory.position = now.position
    memory.wrench, memory.load = _wrenches(model, now, memory.impulse)
    _forget_impacts(model, memory, last, None if contacts is None else contacts.touching)
    return moved, lost


def _forget_impacts(model: Model, memory: Memory, last: Array, touching: Indices | None) -> None:
    """Remember what joints hold, at most as before where bounds stop what had rates `last` (r, j).

    An impact takes two steps, and what it has opened is closed in a third one; none of that lasts.
    What turns after it would feel an inertia that nothing has (`stiffening`). Islands with a body
    that touches something go on as before: contacts forget impacts by themselves.
    """
    force, table, mover = length(memory.wrench[:3]) / memory.kick, model.table, model.system.mover
    stops = table.is_one_sided & ~table.is_soft & (np.sign(memory.impulse) * last < -_STOPS)
    is_struck = stops.any(axis=0)
    if touching is not None:
        is_struck &= ~model.system.islands_of(touching)[mover]
    struck = model.system.islands_of(mover[is_struck])
    is_short = (struck | memory.stopped)[mover]
    memory.force = np.where(is_short, np.minimum(force, memory.force), force)
    memory.stopped = struck
    memory.trend[:, struck] = 0.0


def _wrenches(model: Model, now: Situation, impulse: Array) -> tuple[Array, Array]:
    """Return the impulses (6, j) of joints on connected bodies, moments about their frames.

    Those of all rows, and those of limits alone.
    """
    limits = np.where(model.table.is_limit, impulse, 0.0)
    pushes = np.stack((now.jac.ratios.pushes(impulse).T, limits.T), axis=-1)
    found = (now.jac.blocks[:, SIZE:] @ pushes).transpose(2, 1, 0).copy()
    arms = now.arms[:, found.shape[2] :]
    for wrench in found:
        wrench[3:] -= cross(arms, wrench[:3])
    return found[0], found[1]


def _laws(
    model: Model, memory: Memory, now: Situation, both: tuple[Array, Array], step: Array
) -> Laws:
    """Return the laws of rows; remember where they are.

    `both` are their last and expected rates (r, j), `step` (j,) [s] is that of each joint.
    """
    table, system = model.table, model.system
    deviation, ahead = deviations(table, now.values).swapaxes(0, 1)
    last, rate = both
    rigid = now.jac.ratios.rigid(locked_gains(model, step))
    constants = gains(table, rigid, memory.lightness)
    share = np.zeros(len(system.mover))
    if table.has_soft:
        acts = acting(table, deviation, rate, 0.0, step)
        share = look_ahead(constants, acts, system.rows, system.plan.size, step)
    course = StepCourse(
        now=deviation,
        ahead=ahead,
        rate=rate,
        last=last,
        impulse=memory.impulse,
        # Velocities at the start are those of the first step, which no step has ended with.
        ended=np.where(memory.step[system.mover] > 0.0, memory.ended, last),
        share=share,
        step=step,
        kick=now.kick[system.mover],
    )
    memory.deviation, memory.ahead = deviation, ahead
    return row_laws(table, constants, course)


def _without_return(
    system: System, memory: Memory, masses: Array, now: Situation, laws: Laws, moved: Motions
) -> Motions:
    """Return motions without the velocities that only bring rows back to violated bounds."""
    was_returned = memory.returned[system.mover]
    memory.returned = _returned(system, laws)
    if not (laws.is_violated.any() or was_returned.any()):
        return moved
    back = np.where(laws.is_violated | was_returned, laws.back, 0.0)
    gain = np.where(memory.active, laws.gain, 0.0)
    extra = _return_velocity(system, masses, now.jac, gain, back)
    return slowed(moved, system.moving, extra, now.inertia)


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
    return system.islands_of(system.mover[joints])


def _moved(
    model: Model,
    motions: Motions,
    start: Array,
    changes: tuple[Array, Array],
    inertia: Array,
    step: Array,
) -> tuple[Motions, NDArray[np.bool_]]:
    """Return the motions after the velocities have changed, and which bodies are lost.

    The first of `changes` (m, 6) stays, the second does not.
    """
    (change, parting), moving, velocity = changes, model.system.moving, start
    velocity[:, moving] += (change + parting).T
    center = motions.center + step * velocity[:3]
    rotation = turned(motions.rotation, step * velocity[3:])
    velocity[:, moving] -= parting.T
    linear, angular = velocity[:3], velocity[3:]
    spin = apply(inertia, angular)
    lost = bad_columns(center, rotation, linear, angular)
    if lost.any():
        keep = ~lost
        center = np.where(keep, center, motions.center)
        rotation = np.where(keep, rotation, motions.rotation)
        linear, angular = np.where(keep, linear, 0.0), np.where(keep, angular, 0.0)
        spin = np.where(keep, spin, 0.0)
    return Motions(center, rotation, linear, angular, spin), lost
