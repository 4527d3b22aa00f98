"""Surfaces of triangles, and which of their triangles are near what moves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.pose import Array
from ..bodies import Bodies, Motions
from ..elimination import Indices
from ..vectors import apply, apply_inverse, matrices
from .shapes import ContactShape, Meetings
from .triangles import Triangles

_SPARE = 0.25
"""How much farther is looked, as a part of a shape's size: that lasts for some steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes along the axes that shapes reach within a step, (g, 3) [m]."""

    low: Array
    high: Array

    def widened(self) -> "Boxes":
        """Return boxes for more than one step."""
        more = _SPARE * (self.high - self.low).max(axis=1, keepdims=True)
        return Boxes(self.low - more, self.high + more)

    def holds(self, other: "Boxes") -> bool:
        """Return whether other boxes are in these."""
        return bool((self.low <= other.low).all() and (other.high <= self.high).all())


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Triangles near shapes that move, in world axes; k of them."""

    movers: Indices
    """Numbers of what was asked about."""
    shapes: Indices
    """Whose triangles they are."""
    triangles: Indices
    """Numbers of the triangles, from 0 for the first of each shape."""
    prisms: Array
    """Shape (k, 6, 3) [m]."""
    normals: Array
    """Shape (k, 3)."""
    distance: Array
    """Of the middle of what moves from the plane of the triangle [m]."""

    @classmethod
    def none(cls) -> "Near":
        """Return no triangles."""
        none = np.zeros(0, np.intp)
        return cls(none, none, none, np.zeros((0, 6, 3)), np.zeros((0, 3)), np.zeros(0))


class Ground:
    """All surfaces of triangles of a scene."""

    def __init__(self, bodies: Bodies, shapes: Sequence[ContactShape], meetings: Meetings) -> None:
        """Take those shapes that have triangles."""
        self._bodies, self._meetings = bodies, meetings
        self._surfaces = {
            number: Triangles(shape.points, shape.triangles)
            for number, shape in enumerate(shapes)
            if shape.points is not None and shape.triangles is not None
        }
        self._body = {number: shapes[number].body for number in self._surfaces}
        self.meets = np.zeros(len(shapes), bool)
        """Which shapes (s,) surfaces can touch."""
        self.meets |= meetings.are_allowed[list(self._surfaces)].any(axis=0)
        self.count = sum(len(each.normals) for each in self._surfaces.values())
        """Number of triangles."""
        self._first = np.zeros(len(shapes), np.intp)
        for number, each in self._surfaces.items():
            self._first[number + 1 :] += len(each.normals)
        self._reach = {
            number: float(np.linalg.norm(each.corners, axis=2).max(initial=0.0))
            for number, each in self._surfaces.items()
        }
        self._asked: tuple[Boxes, Array] | None = None
        self._near: Near | None = None

    def numbers(self, near: Near) -> Indices:
        """Return the number of each triangle among those of all surfaces (k,)."""
        return self._first[near.shapes] + near.triangles

    def ways(self, motions: Motions) -> Array:
        """Return how fast a point of each shape's surface may move [m/s], (s,)."""
        result = np.zeros(len(self.meets))
        for number, body in self._body.items():
            linear, angular = motions.linear[:, body], motions.angular[:, body]
            turning = np.linalg.norm(angular) * self._reach[number]
            result[number] = np.linalg.norm(linear) + turning
        return result

    def near(self, reach: Boxes, owners: Indices, motions: Motions) -> Near:
        """Return the triangles near shapes `owners` (g,) that reach so far; often those before."""
        held = np.array(sorted(set(self._body.values())), np.intp)
        placed = np.concatenate((motions.center[:, held], motions.rotation[:, held]))
        if self._near is None or self._asked is None or not self._is_known(reach, placed):
            wide = reach.widened()
            self._asked = wide, placed
            self._near = _joined(
                [self._near_one(number, wide, owners, motions) for number in self._surfaces]
            )
        return self._near

    def _is_known(self, reach: Boxes, placed: Array) -> bool:
        wide, before = self._asked or (reach, placed)
        same = len(wide.low) == len(reach.low) and np.array_equal(before, placed)
        return same and wide.holds(reach)

    def _near_one(self, number: int, reach: Boxes, owners: Indices, motions: Motions) -> Near:
        """Return the triangles of one surface near shapes."""
        surface, body = self._surfaces[number], self._body[number]
        turn, center = matrices(motions.rotation[:, [body]]), motions.center[:, [body]]
        half = 0.5 * (reach.high - reach.low)
        middle = apply_inverse(turn, (reach.low + half).T - center).T
        half = np.abs(turn[:, :, 0]).T @ half.T
        low, high = middle - half.T, middle + half.T
        movers, triangles = _overlapping(surface, low, high)
        allowed = self._meetings.are_allowed[owners[movers], number]
        normal = surface.normals[triangles]
        apart = ((middle[movers] - surface.corners[triangles, 0]) * normal).sum(axis=1)
        extent = (np.abs(normal) * half.T[movers]).sum(axis=1)
        chosen = allowed & (np.abs(apart) < extent + surface.depth[triangles])
        movers, triangles = movers[chosen], triangles[chosen]
        prisms = surface.prisms(triangles)
        turned = apply(turn, prisms.reshape(-1, 3).T) + center
        return Near(
            movers=movers,
            shapes=np.full(len(movers), number),
            triangles=triangles,
            prisms=turned.T.reshape(-1, 6, 3),
            normals=apply(turn, surface.normals[triangles].T).T,
            distance=apart[chosen],
        )


def _overlapping(surface: Triangles, low: Array, high: Array) -> tuple[Indices, Indices]:
    if surface.tree is None:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    return surface.tree.overlapping(low, high)


def _joined(parts: Sequence[Near]) -> Near:
    return Near(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Near.__slots__)
    )


def nearest(near: Near, most: int) -> NDArray[np.intp]:
    """Return the numbers of the `most` triangles whose planes are nearest, sorted."""
    return np.sort(np.argsort(np.abs(near.distance), kind="stable")[:most])
