"""What contacts held with in the steps before, by which the next step starts."""

import numpy as np

from ...model.pose import Array
from ..elimination import Indices
from .contact import Contacts

_MANY = 64
"""Contacts of two shapes that have keys of their own."""


def contact_keys(sides: Indices) -> Indices:
    """Return what tells each contact from others, given numbers (c, 2) of what it is between."""
    one, other = sides.T.astype(np.int64)
    pair = one * (int(sides.max(initial=0)) + 1) + other
    order = np.argsort(pair, kind="stable")
    same = pair[order]
    number = np.minimum(np.arange(len(pair)) - np.searchsorted(same, same), _MANY - 1)
    result = np.empty(len(pair), np.int64)
    result[order] = same * _MANY + number
    return result


class HeldForces:
    """Forces (3, c) of contacts in world axes [N], by their keys, and the step they are of."""

    def __init__(self) -> None:
        self._keys, self._forces = np.zeros(0, np.int64), np.zeros((3, 0))
        self._steps, self._step = np.zeros(0, np.intp), 0

    def start_step(self) -> None:
        """Begin a step, after which contacts are forgotten that were in neither of the last two."""
        self._step += 1

    def of(self, found: Contacts, step: Array) -> Array:
        """Return impulses (3, c) of steps (c,) [s] along the axes of contacts, zero of new ones."""
        if not len(self._keys) or not len(found.keys):
            return np.zeros((3, len(found.keys)))
        at = np.minimum(np.searchsorted(self._keys, found.keys), len(self._keys) - 1)
        force = np.where(self._keys[at] == found.keys, self._forces[:, at], 0.0) * step
        return np.asarray(np.einsum("kic,ic->kc", found.axes, force))

    def keep(self, found: Contacts, impulse: Array, step: Array) -> None:
        """Remember impulses (3, c) of steps (c,) [s]."""
        force = np.einsum("kic,kc->ic", found.axes, impulse) / step
        if np.array_equal(self._keys, found.keys):
            self._forces, self._steps = force, np.full(len(found.keys), self._step)
            return
        is_old = ~np.isin(self._keys, found.keys) & (self._steps >= self._step - 1)
        keys = np.concatenate((self._keys[is_old], found.keys))
        forces = np.concatenate((self._forces[:, is_old], force), axis=1)
        steps = np.concatenate((self._steps[is_old], np.full(len(found.keys), self._step)))
        order = np.argsort(keys, kind="stable")
        self._keys, self._forces, self._steps = keys[order], forces[:, order], steps[order]
