"""What one step leaves to the next."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Motions
from .elimination import SIZE
from .gears import first_positions
from .geometry import ends, measure
from .laws import Mask
from .model import Model
from .vectors import matrices

OF_BODIES = ("step", "trend", "stiffening", "lent", "spent", "returned", "stopped")
"""Members of `Memory` whose last axis is the bodies; that of all others is the joints."""


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
    ahead: Array
    """The same as it was expected at the step's end."""
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
    spent: Array
    """Energy [J] that islands have lost while additional inertia acted, at their labels, (n,)."""
    returned: Mask
    """Bodies whose island was brought back to a violated bound, shape (n,)."""
    stopped: Mask
    """Bodies in whose island a bound has stopped something, shape (n,)."""
    wrench: Array
    """Impulse on the connected body and its moment about the connected frame, (6, j)."""
    load: Array
    """The same of locks and other limits alone."""
    force: Array
    """Size of the force [N] of each joint, that of impacts left out, shape (j,)."""
    position: Array
    """Of joints in couplings [m or rad], turns counted, shape (j,)."""


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
        ahead=np.zeros(shape),
        step=np.zeros(count),
        kick=np.ones(shape[1]),
        trend=np.zeros((SIZE, count)),
        stiffening=np.zeros((3, 3, count)),
        lent=np.zeros(count),
        spent=np.zeros(count),
        returned=np.zeros(count, bool),
        stopped=np.zeros(count, bool),
        wrench=np.zeros((SIZE, shape[1])),
        load=np.zeros((SIZE, shape[1])),
        force=np.zeros(shape[1]),
        position=first_positions(model.gears, model.table, measure(table.grid, at)),
    )
