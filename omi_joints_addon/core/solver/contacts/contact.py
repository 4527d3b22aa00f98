"""Contacts as plain data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.pose import Array
from ..elimination import Indices


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """Points where shapes touch or are about to; c in the last axis."""

    keys: Indices
    """What tells each from others, also in the next step."""
    bodies: Indices
    """Both of each, shape (2, c)."""
    nodes: Indices
    """Nodes of both bodies, of the colliders of what belongs to no body, shape (2, c)."""
    point: Array
    """[m], shape (3, c)."""
    axes: Array
    """From the first body to the second, then two along the surface, shape (3 axes, 3, c)."""
    distance: Array
    """[m], negative where shapes overlap."""
    static_friction: Array
    dynamic_friction: Array
    restitution: Array

    @property
    def first(self) -> Indices:
        """First body of each."""
        return np.asarray(self.bodies[0])

    @property
    def second(self) -> Indices:
        """Second body of each."""
        return np.asarray(self.bodies[1])

    def some(self, chosen: NDArray[np.bool_]) -> "Contacts":
        """Return those that are chosen (c,)."""
        if chosen.all():
            return self
        at = np.flatnonzero(chosen)
        return Contacts(*(getattr(self, each).take(at, -1) for each in self.__slots__))
