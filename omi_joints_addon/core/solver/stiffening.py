"""Turns of bodies that joint forces drive faster than a step resolves.

A joint force F at an arm r turns a body back with F r per radian, which no row knows of (geometric
stiffness: Andrews, Teichmann, Kry, "Geometric Stiffness for Real-Time Constrained Multibody
Dynamics", 2017). Light links under tension flutter by it. Where a step does not resolve that, the
change of the turn feels 4 step² F r as additional inertia, with which it turns by half a radian in
a step at most: no flutter and no damping. Where the force grows, the turn is slowed so that the
energy with that inertia stays, and where it falls, the turn gets back what it has lost by that.
"""

import numpy as np

from ..model.pose import Array
from .laws import RESOLVED, unresolved
from .model import Model


def stiffening(model: Model, arms: Array, ease: Array, force: Array, step: Array) -> Array:
    """Return the additional inertia (3, 3, n) [kg·m²] of bodies with inverse tensors `ease`.

    `arms` (3, 2 j) [m] reach to the joints on the bodies, `force` (j,) [N] are the sizes of the
    joints' forces, `step` (n,) [s] those of the bodies.
    """
    result = np.zeros(ease.shape)
    squares = np.einsum("in,in->n", arms, arms)
    moments = np.concatenate((force, force)) * np.sqrt(squares)
    stiffest = np.bincount(model.frames.body, moments, minlength=ease.shape[2])
    if (stiffest * model.lightest * step**2).max(initial=0.0) <= RESOLVED**2:
        return result
    scaled = (arms * (-moments / np.maximum(squares, 1e-24))).T
    parts = scaled[:, :, None] * arms.T[:, None]
    parts.reshape(-1, 9)[:, ::4] += moments[:, None]
    model.system.ends.add_to(result.transpose(2, 0, 1), parts)
    turns = step * np.sqrt(np.einsum("ijn,ijn->n", ease, result))
    result *= (step / RESOLVED) ** 2 * unresolved(turns)
    return result


def kept_energy(
    inertia: Array, before: Array, after: Array, angular: Array, lent: Array
) -> tuple[Array, Array]:
    """Return factors (n,) of angular velocities as additional inertia changes, and what is lent.

    Where it grows they keep the energy with it: without them a force that rises while a body turns
    would raise the energy of the next fall. Where it falls they give back what bodies have `lent`
    [J], shape (n,), and no more.
    """
    if not (after.any() or lent.any()):
        return np.ones(angular.shape[1]), lent
    own, old, new = (
        np.einsum("in,ijn,jn->n", angular, each, angular) for each in (inertia, before, after)
    )
    old, new = own + old, own + new
    square = old / np.maximum(new, 1e-300)
    square = np.where(
        new > 0.0, np.minimum(square, 1.0 + 2.0 * lent / np.maximum(own, 1e-300)), 1.0
    )
    return np.sqrt(square), lent + 0.5 * own * (1.0 - square)
