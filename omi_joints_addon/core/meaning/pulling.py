"""A joint moved by pulling at a point of its body, as the mouse does."""

import numpy as np

from ..model.pose import Array
from .freedom import freedoms
from .linkage import Linkage
from .range_of_motion import carried_by

_ROUNDS, _HALVINGS = 8, 6
_STEP = 1e-5
"""Change of a value [m or rad] by which slopes are measured."""
_DAMPING = 1e-6
"""Share of the largest slope that keeps values still which move the point nowhere."""
_LARGEST_TURN = 0.5
"""Change of an angle [rad] in one round."""
_TINY = 1e-9


class Pull:
    """A point of the body that a linkage moves, held by the mouse."""

    def __init__(self, linkage: Linkage, values: Array, point: Array) -> None:
        """Hold a point (3,) in the world [m] while the joint is at `values` (`freedom`)."""
        self._linkage = linkage
        self._numbers = [freedom.number for freedom in freedoms(linkage.settings)]
        self._point = np.linalg.inv(self._carry(values)) @ np.append(point, 1.0)

    def toward(
        self, target: Array, direction: Array, start: Array, *, past_limits: bool = False
    ) -> Array:
        """Return values (6,) that bring the point nearest to a line, beginning at `start`.

        The line goes through `target` (3,) along the unit vector `direction` (3,). Without
        `past_limits` values stay where limits allow.
        """
        values = start
        for _ in range(_ROUNDS if self._numbers else 0):
            gap = self._gap(values, target, direction)
            step = self._step(values, gap, target, direction)
            moved = self._shortened(values, step, gap, target, direction)
            if not past_limits:
                moved = self._linkage.clamped(moved, values)
            if np.allclose(moved, values, rtol=0.0, atol=_TINY):
                break
            values = moved
        return values

    def _step(self, values: Array, gap: Array, target: Array, direction: Array) -> Array:
        """Return by how much to change the values, by their slopes (Gauss-Newton)."""
        changes = np.eye(6)[self._numbers] * _STEP
        slopes = np.array([self._gap(values + each, target, direction) - gap for each in changes])
        slopes /= _STEP
        normal = slopes @ slopes.T
        damping = _DAMPING * float(np.trace(normal)) + _TINY
        step = np.zeros(6)
        step[self._numbers] = -np.linalg.solve(normal + damping * np.eye(len(slopes)), slopes @ gap)
        turn = float(np.abs(step[3:]).max())
        return step * min(1.0, _LARGEST_TURN / turn) if turn > 0.0 else step

    def _shortened(
        self, values: Array, step: Array, gap: Array, target: Array, direction: Array
    ) -> Array:
        """Return the values after a step, halved until it brings the point nearer."""
        before = float(gap @ gap)
        for _ in range(_HALVINGS):
            after = self._gap(values + step, target, direction)
            if float(after @ after) < before:
                return values + step
            step = step / 2.0
        return values

    def _gap(self, values: Array, target: Array, direction: Array) -> Array:
        """Return the way (3,) from the line to the point, across the line."""
        way = (self._carry(values) @ self._point)[:3] - target
        return np.asarray(way - (way @ direction) * direction)

    def _carry(self, values: Array) -> Array:
        linkage = self._linkage
        return carried_by(linkage.scene, linkage.number, values, linkage.body)
