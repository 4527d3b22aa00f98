"""A pull at a body, by a spring whose impulse falls as the rate at the step's end grows."""

import math

import numpy as np

from ..model.pose import Array, quaternion_conjugate, rotate
from .bodies import Motions
from .model import Model
from .system import Pull, System
from .vectors import apply, cross, matrices

_FREQUENCY = 2.0
"""Of the spring that pulls a grabbed body [Hz]."""


def pull_at(model: Model, motions: Motions, body: int, point: Array) -> Pull:
    """Return what holds a world point (3,) of a body where it is.

    The spring is critically damped for the mass of the body's island.
    """
    turn = quaternion_conjugate(motions.rotation[:, body])
    arm = rotate(turn, point - motions.center[:, body])
    island = model.system.island
    mass = float(model.bodies.mass[island == island[body]].sum())
    rate = 2.0 * math.pi * _FREQUENCY
    return Pull(body, arm, point, mass * rate**2, 2.0 * mass * rate)


def line_of_pull(motions: Motions, pull: Pull) -> Array:
    """Return the point that is held and the one it is pulled to [m], (2, 3)."""
    arm = rotate(motions.rotation[:, pull.body], pull.arm)
    return np.asarray(np.stack((motions.center[:, pull.body] + arm, pull.target)))


def apply_pull(
    system: System, motions: Motions, masses: Array, start: Array, pull: Pull, step: float
) -> None:
    """Add a pull to the mass and the free velocity of its body, in place."""
    row = int(np.flatnonzero(system.moving == pull.body)[0])
    rows, gain, offset = _law(motions, pull, step)
    impulse = -(gain * (rows @ start[:, pull.body]) + offset)
    masses[row] += gain * rows.T @ rows
    start[:, pull.body] += np.linalg.solve(masses[row], rows.T @ impulse)


def work_of_pull(motions: Motions, last: Array, velocity: Array, pull: Pull, step: float) -> float:
    """Return the work [J] of a pull in a step between velocities (6, n) of all bodies."""
    rows, gain, offset = _law(motions, pull, step)
    before, after = rows @ last[:, pull.body], rows @ velocity[:, pull.body]
    return float(-(gain * after + offset) @ (before + after)) / 2.0


def _law(motions: Motions, pull: Pull, step: float) -> tuple[Array, float, Array]:
    """Return the rows (3, 6) of a pull, and gain and offset (3,) of its impulse [N·s]."""
    arm = apply(matrices(motions.rotation[:, pull.body, None]), pull.arm[:, None])
    rows = np.concatenate((np.eye(3), cross(arm, np.eye(3)).T), axis=1)
    distance = motions.center[:, pull.body] + arm[:, 0] - pull.target
    return rows, step * (step * pull.stiffness + pull.damping), step * pull.stiffness * distance
