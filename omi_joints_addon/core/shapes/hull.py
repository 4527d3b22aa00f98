"""Convex hulls of points, by quickhull.

Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls" (1996).
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.pose import Array, cross

Indices = NDArray[np.intp]
_TOLERANCE = 1e-7
"""Distance from a face within which a point counts as on it, in sizes of the point set."""
_ATTEMPTS = 20
"""Points that nearly lie on faces can fold a hull: they are joggled then, as Qhull does (QJ)."""


def convex_hull(points: ArrayLike) -> Indices:
    """Return the triangles (t, 3) of the hull of points (n, 3), seen from outside counterclockwise.

    Empty where the points lie in a plane.
    """
    vertices = np.asarray(points, float)
    if len(vertices) < 4:
        return np.empty((0, 3), np.intp)
    tolerance = _TOLERANCE * float(np.ptp(vertices, axis=0).max())
    random = np.random.default_rng(0)
    for attempt in range(_ATTEMPTS):
        joggle = random.uniform(-1.0, 1.0, vertices.shape) * tolerance * attempt
        corners = _first_tetrahedron(vertices + joggle, tolerance)
        if corners is None:
            break
        triangles = _Hull(vertices + joggle, tolerance).grown(corners)
        if triangles is not None:
            return triangles
    return np.empty((0, 3), np.intp)


@dataclass(eq=False, slots=True)
class _Face:
    """Triangle of a hull under construction."""

    corners: tuple[int, int, int]
    normal: Array
    offset: float
    outside: Indices
    """Points that this face has to make room for."""
    is_open: bool = True

    def edges(self) -> tuple[tuple[int, int], ...]:
        a, b, c = self.corners
        return ((a, b), (b, c), (c, a))


@dataclass(eq=False)
class _Hull:
    points: Array
    tolerance: float
    by_edge: dict[tuple[int, int], _Face] = field(default_factory=dict)

    def grown(self, corners: Indices) -> Indices | None:
        """Return the triangles of the hull that starts as the tetrahedron `corners`.

        None where it folds, which points within the tolerance of faces can make it do.
        """
        a, b, c, d = (int(corner) for corner in corners)
        waiting = self._added(
            [(a, b, c), (a, d, b), (b, d, c), (c, d, a)], np.arange(len(self.points))
        )
        while waiting:
            face = waiting.pop()
            if face.is_open and len(face.outside):
                new = self._pushed(face)
                if new is None:
                    return None
                waiting += new
        faces = {id(face): face for face in self.by_edge.values()}
        return np.array([face.corners for face in faces.values()], np.intp)

    def _pushed(self, face: _Face) -> list[_Face] | None:
        """Replace the faces that the point farthest outside `face` sees; return the new ones.

        None where their rim is not one ring.
        """
        heights = self.points[face.outside] @ face.normal
        apex = int(face.outside[np.argmax(heights)])
        seen = self._seen(face, apex)
        rim = [edge for other in seen for edge in other.edges() if self.by_edge[edge[::-1]].is_open]
        if len({start for start, _ in rim}) < len(rim):
            return None
        orphans = np.concatenate([other.outside for other in seen])
        for other in seen:
            for edge in other.edges():
                del self.by_edge[edge]
        return self._added([(a, b, apex) for a, b in rim], orphans[orphans != apex])

    def _seen(self, face: _Face, apex: int) -> list[_Face]:
        """Return the faces around `face` that a point is above, marked as no longer open."""
        point = self.points[apex]
        face.is_open = False
        seen = [face]
        for current in seen:
            for a, b in current.edges():
                other = self.by_edge[b, a]
                if other.is_open and other.normal @ point > other.offset + self.tolerance:
                    other.is_open = False
                    seen.append(other)
        return seen

    def _added(self, triangles: list[tuple[int, int, int]], loose: Indices) -> list[_Face]:
        """Return new faces, each loose point given to the one that it is farthest above."""
        corners = self.points[np.array(triangles)]
        normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.sqrt((normals**2).sum(axis=1, keepdims=True))
        normals /= np.where(length > 0.0, length, 1.0)
        offsets = (normals * corners[:, 0]).sum(axis=1)
        heights = self.points[loose] @ normals.T - offsets
        nearest = np.argmax(heights, axis=1) if len(loose) else np.empty(0, np.intp)
        above = heights[np.arange(len(loose)), nearest] > self.tolerance
        faces = [
            _Face(triangle, normals[i], float(offsets[i]), loose[above & (nearest == i)])
            for i, triangle in enumerate(triangles)
        ]
        for face in faces:
            self.by_edge |= dict.fromkeys(face.edges(), face)
        return faces


def _first_tetrahedron(points: Array, tolerance: float) -> Indices | None:
    """Return four corners of a solid tetrahedron, the fourth below the first three."""
    first = int(np.argmin(points[:, 0]))
    second = int(np.argmax(np.linalg.norm(points - points[first], axis=1)))
    direction = points[second] - points[first]
    away = np.cross(points - points[first], direction)
    third = int(np.argmax(np.linalg.norm(away, axis=1)))
    normal = np.cross(direction, points[third] - points[first])
    length = float(np.linalg.norm(normal))
    if length <= tolerance * float(np.linalg.norm(direction)):
        return None
    heights = (points - points[first]) @ (normal / length)
    fourth = int(np.argmax(np.abs(heights)))
    if abs(heights[fourth]) <= tolerance:
        return None
    if heights[fourth] > 0.0:
        second, third = third, second
    return np.array((first, second, third, fourth))
