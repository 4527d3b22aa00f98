"""A joint of a scene moved by hand together with those that couplings tie to it."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..model.graph import joint_ends, links_of, reached
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .coupling import GearTrain, only_freedom_of
from .freedom import clamped
from .metric import wrapped_angle
from .range_of_motion import current_values, moved_matrices, moving_body_of
from .sides import End

_PARTS = 16
"""Into how many parts a way is cut to find where it first leaves the range of another joint."""
AT_BOUND, _TINY = 1e-6, 1e-9
"""Distance [m or rad] from a bound that counts as touching it."""


class Linkage:
    """One joint and all that move with it.

    Joints that follow it move, and so does what it follows. In a scene without couplings there is
    no other joint.
    """

    def __init__(self, scene: PhysicsScene, number: int, body: int) -> None:
        """Take joint `number` of a scene, which moves `body` (`moving_body_of`).

        Raises `CannotFollowError` where what the joint follows cannot be found.
        """
        self.scene, self.number, self.body = scene, number, body
        self.settings = scene.joints[number].settings
        self._train = GearTrain(scene, number)
        self._freedom = only_freedom_of(self.settings)
        self.is_alone = self._freedom is None or len(self._train.joints) < 2
        own, other = joint_ends(scene).pairs()[number]
        self._held = own if own != body else other
        self._bodies = {n: self._body_of(n) for n in self._train.joints if n != number}
        self.positions(current_values(scene, number))

    def positions(self, values: Array) -> dict[int, float]:
        """Return the positions of all joints of the linkage, this one at `values` (`freedom`)."""
        if self._freedom is None or self.is_alone:
            return {}
        return self._train.positions(float(values[self._freedom.number]))

    def excesses(self, values: Array) -> dict[int, float]:
        """Return how far each joint of the linkage is beyond its bounds [m or rad]."""
        if self._freedom is None or self.is_alone:
            return {}
        return self._train.excesses(float(values[self._freedom.number]))

    def matrices(self, values: Array) -> Array:
        """Return the world matrices (n, 4, 4) of all nodes with this joint at `values`."""
        found = self.positions(values)
        if not found:
            return moved_matrices(self.scene, self.number, values, self.body)
        own = self._at(values, found[self.number])
        result = moved_matrices(self.scene, self.number, _wrapped(own), self.body)
        for follower, body in self._bodies.items():
            freedom = self._train.freedoms[follower]
            if freedom is not None and body is not None:
                own = current_values(self.scene, follower)
                own[freedom.number] = found[follower]
                moved = replace(self.scene, matrices=result)
                result = moved_matrices(moved, follower, _wrapped(own), body)
        return result

    def clamped(self, values: Array, start: Array) -> Array:
        """Return values (6,) within the limits of all joints, on the way from `start`.

        Where a limit is violated at the start already, only those of the joint itself count.
        """
        goal = clamped(self.settings, values)
        found = self.positions(goal)
        if not found or self._freedom is None:
            return goal
        number = self._freedom.number
        way = np.linspace(start[number], goal[number], _PARTS + 1)
        inside = [self._is_inside(goal, float(value)) for value in way[1:]]
        if all(inside) or not self._is_inside(goal, float(start[number]), tolerance=AT_BOUND):
            return self._at(goal, found[self.number])
        first = inside.index(False)
        low, high = float(way[first]), float(way[first + 1])
        for _ in range(50):
            middle = (low + high) / 2.0
            low, high = (middle, high) if self._is_inside(goal, middle) else (low, middle)
        return self._at(goal, low)

    def path(self, rows: Iterable[Array], start: Array) -> list[Array]:
        """Return the values of a path, each as far as limits allow from the one before."""
        found = []
        for row in rows:
            start = self.clamped(row, start)
            found.append(start)
        return found

    def _is_inside(self, values: Array, position: float, *, tolerance: float = _TINY) -> bool:
        excess = self.excesses(self._at(values, position))
        return all(each <= tolerance for each in excess.values())

    def _at(self, values: Array, position: float) -> Array:
        """Return values (6,) with the joint's one axis at a position."""
        result = values.copy()
        if self._freedom is not None:
            result[self._freedom.number] = position
        return result

    def _body_of(self, follower: int) -> int | None:
        """Return the body that a joint moves: on the side away from what this one holds."""
        pairs = joint_ends(self.scene).pairs()
        links = links_of(pair for number, pair in enumerate(pairs) if number != follower)
        sides = zip(pairs[follower], (End.JOINT, End.CONNECTED), strict=True)
        away = [end for body, end in sides if self._held not in reached(links, (body,))]
        end = away[0] if len(away) == 1 else None
        return moving_body_of(self.scene, follower, end=end)


def _wrapped(values: Array) -> Array:
    """Return values (6,) with angles in (-pi, pi]."""
    return np.concatenate((values[:3], wrapped_angle(values[3:])))
