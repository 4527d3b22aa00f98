"""Turns of bodies that joint forces drive faster than a step resolves.

A joint force F at an arm r turns a body back with F r per radian, which no row knows of (geometric
stiffness: Andrews, Teichmann, Kry, "Geometric Stiffness for Real-Time Constrained Multibody
Dynamics", 2017). Light links under tension flutter by it. Where a step does not resolve that, the
change of the turn feels step² F r as additional inertia, as in Newmark's method: no flutter and no
damping. Where the force grows, the turn is slowed so that the energy with that inertia stays.
"""

import numpy as np

from ..model.pose import Array
from .elimination import Scatter
from .geometry import Ends, Frames
from .laws import unresolved
from .vectors import apply, inverse


def stiffening(
    frames: tuple[Frames, Frames],
    sums: Scatter,
    at: Ends,
    center: Array,
    inertia: Array,
    force: Array,
    step: float,
) -> Array:
    """Return the additional inertia (3, 3, n) [kg·m²] of bodies with tensors `inertia`.

    `force` (j,) [N] are the sizes of the joints' forces, `frames` the joints' and connected ones,
    `sums` adds them up by body.
    """
    arms = np.concatenate([at.point - center[:, each.body] for each in frames], axis=1)
    lengths = np.sqrt((arms * arms).sum(axis=0))
    scale = np.concatenate((force, force)) / np.maximum(lengths, 1e-12)
    parts = -scale * arms[:, None] * arms
    parts[[0, 1, 2], [0, 1, 2]] += scale * lengths**2
    result = np.zeros(inertia.shape)
    result[:, :, sums.targets] = sums.totals(parts)
    square = (inverse(inertia) * result).sum(axis=(0, 1))
    return result * (step**2 * unresolved(step * np.sqrt(square)))


def slowing(inertia: Array, before: Array, after: Array, angular: Array) -> Array:
    """Return factors (n,) of angular velocities that keep the energy as additional inertia grows.

    Without them a force that rises while a body turns would raise the energy of the next fall.
    """
    if not after.any():
        return np.ones(angular.shape[1])
    own = (angular * apply(inertia, angular)).sum(axis=0)
    old = own + (angular * apply(before, angular)).sum(axis=0)
    new = own + (angular * apply(after, angular)).sum(axis=0)
    return np.asarray(np.sqrt(np.where(new > old, old / np.maximum(new, 1e-300), 1.0)))
