"""Bodies that no joint holds: they fall and tumble, which needs no equations to be solved.

The angular momentum stays in world axes. In the principal axes of a body it goes round on the
curve where the energy is constant too; the implicit midpoint rule keeps both to rounding, however
long its steps (Cooper, "Stability of Runge-Kutta Methods for Trajectory Problems", 1987).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .bodies import Bodies, Motions
from .elimination import Indices
from .vectors import apply, apply_inverse, cross, matrices, product, turned

_RESOLVED_TURN = 0.2
"""Turn [rad] of a body within which its axes' way about the angular momentum is resolved."""
_MOST_PARTS = 8
"""Into how many such turns a step is cut at most; beyond that the way slows, the spin does not."""
_MOST_ROUNDS = 30


@dataclass(frozen=True, slots=True, eq=False)
class FreeBodies:
    """Bodies without joints, shapes (f,), (3, f) and (3, 3, f)."""

    bodies: Indices
    moments: Array
    """Principal moments of inertia [kg·m²]."""
    axes: Array
    """Principal axes as columns, in body axes."""
    gravity: Array

    def some(self, chosen: NDArray[np.bool_]) -> "FreeBodies":
        """Return those that are chosen (f,)."""
        if chosen.all():
            return self
        return FreeBodies(*(getattr(self, each)[..., chosen] for each in self.__slots__))


def free_bodies(bodies: Bodies, chosen: Indices) -> FreeBodies:
    """Return the bodies `chosen` of all."""
    moments, axes = np.linalg.eigh(np.moveaxis(bodies.inertia[:, :, chosen], 2, 0))
    return FreeBodies(
        chosen,
        np.ascontiguousarray(moments.T),
        np.ascontiguousarray(np.moveaxis(axes, 0, 2)),
        bodies.gravity[:, chosen],
    )


def advance_free(free: FreeBodies, motions: Motions, before: Array, step: float) -> None:
    """Move free bodies on by a step [s], in place; `before` (f,) is how long their last one was."""
    chosen = free.bodies
    if not len(chosen):
        return
    linear = motions.linear[:, chosen] + 0.5 * (before + step) * free.gravity
    motions.linear[:, chosen] = linear
    motions.center[:, chosen] += step * linear
    rotation, angular = _tumbled(free, motions.rotation[:, chosen], motions.spin[:, chosen], step)
    motions.rotation[:, chosen], motions.angular[:, chosen] = rotation, angular


def _tumbled(free: FreeBodies, rotation: Array, spin: Array, step: float) -> tuple[Array, Array]:
    """Return orientations (4, f) and angular velocities (3, f) after a step, at constant `spin`."""
    frame = matrices(rotation)
    own = apply_inverse(free.axes, apply_inverse(frame, spin))
    rate = np.sqrt((own * own).sum(axis=0)) / free.moments.min(axis=0)
    fastest = float(rate.max(initial=0.0))
    parts = int(np.clip(np.ceil(fastest * step / _RESOLVED_TURN), 1, _MOST_PARTS))
    length = np.minimum(step / parts, _RESOLVED_TURN / np.maximum(rate, 1e-300))
    for _ in range(parts):
        before, own = own, _gone_round(own, free.moments, length)
        turn = apply(free.axes, (0.5 * step / parts) * (before + own) / free.moments)
        rotation = turned(rotation, apply(matrices(rotation), turn))
    rotation = _aligned(rotation, apply(matrices(rotation), apply(free.axes, own)), spin)
    angular = apply(matrices(rotation), apply(free.axes, own / free.moments))
    return rotation, angular


def _gone_round(own: Array, moments: Array, length: Array) -> Array:
    """Return angular momenta (3, f) in principal axes after `length` (f,) [s]: L' = L x L / I."""
    after = own
    for _ in range(_MOST_ROUNDS):
        middle = 0.5 * (own + after)
        last, after = after, own + length * cross(middle, middle / moments)
        if np.abs(after - last).max(initial=0.0) <= 1e-15 * np.abs(own).max(initial=0.0):
            break
    return after


def _aligned(rotation: Array, found: Array, wanted: Array) -> Array:
    """Return orientations turned by the least that brings vectors `found` (3, f) along `wanted`."""
    turn = np.empty_like(rotation)
    turn[:3] = cross(found, wanted)
    turn[3] = (found * wanted).sum(axis=0) + np.sqrt(
        (found * found).sum(axis=0) * (wanted * wanted).sum(axis=0)
    )
    size = np.sqrt((turn * turn).sum(axis=0))
    turn = np.where(size > 0.0, turn / np.maximum(size, 1e-300), [[0.0], [0.0], [0.0], [1.0]])
    return product(turn, rotation)
