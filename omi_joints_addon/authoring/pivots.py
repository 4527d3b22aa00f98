"""Where a new joint sits between two bodies. World space, meters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree
from numpy.typing import NDArray

from ..core.meaning.presets import PRESETS, Preset
from ..core.model.pose import Array
from ..core.model.shape import Cylinder
from ..core.shapes.fit import guess_fit
from ..properties.bones import world_matrix
from .context import present
from .frames import rigid_matrix

MAX_EDGE_PAIRS = 1_000_000
"""Pairs of edges that are compared at most; beyond it vertices against faces decide alone."""
_ALONG = 0.999
"""Least cosine of an angle between directions that count as one."""
RELATIVE_TIE = 1e-4
"""Distances that differ by less than this part of the bodies' size count as equal."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles of an evaluated mesh."""

    points: Array
    """World positions, shape (n, 3)."""
    triangles: NDArray[np.int32]
    """Point numbers, shape (m, 3)."""
    tree: Any
    """Their `BVHTree`."""


class Pivots:
    """Finds pivots; keeps the surfaces of bodies that take part in several joints."""

    def __init__(self, context: bpy.types.Context) -> None:
        self._graph = context.evaluated_depsgraph_get()
        self._cursor = present(context.scene).cursor.location.copy()
        self._surfaces: dict[bpy.types.Object, Surface | None] = {}

    def pivot(self, kind: str, moving: bpy.types.Object, anchor: bpy.types.Object) -> Vector:
        """Return the pivot of kind `kind` (a key of `_PIVOTS`) between two bodies."""
        return _PIVOTS[kind](self, moving, anchor)

    def cursor(self, _moving: bpy.types.Object, _anchor: bpy.types.Object) -> Vector:
        """Return the 3D cursor."""
        return self._cursor.copy()

    def midpoint(self, moving: bpy.types.Object, anchor: bpy.types.Object) -> Vector:
        """Return the middle between the origins."""
        return (_origin(moving, anchor) + _origin(anchor, moving)) / 2.0

    def closest(self, moving: bpy.types.Object, anchor: bpy.types.Object) -> Vector:
        """Return the middle of where the two surfaces come closest, or of where they cross.

        The middle between the origins where a body has no surface.
        """
        first, second = self.surface(moving), self.surface(anchor)
        if first is None or second is None or moving == anchor:
            return self.midpoint(moving, anchor)
        points = crossing_points(first, second)
        if not len(points):
            points = closest_points(first, second)
        return Vector(((points.min(axis=0) + points.max(axis=0)) / 2.0).tolist())

    def surface(self, obj: bpy.types.Object) -> Surface | None:
        """Return the surface of an object, None where it has no faces."""
        if obj not in self._surfaces:
            self._surfaces[obj] = surface_of(obj.evaluated_get(self._graph))
        return self._surfaces[obj]


def _origin(obj: bpy.types.Object, _other: bpy.types.Object) -> Vector:
    return world_matrix(obj).translation.copy()


_PIVOTS: Mapping[str, Callable[[Pivots, bpy.types.Object, bpy.types.Object], Vector]] = (
    MappingProxyType(
        {
            "CURSOR": Pivots.cursor,
            "ACTIVE": lambda _pivots, moving, anchor: _origin(anchor, moving),
            "SELECTED": lambda _pivots, moving, anchor: _origin(moving, anchor),
            "MIDPOINT": Pivots.midpoint,
            "CLOSEST": Pivots.closest,
        }
    )
)


@dataclass(frozen=True)
class Round:
    """A body that is round about an axis of its own."""

    middle: Vector
    axis: Vector
    is_disc: bool
    """Whether it is no longer than wide, as a wheel."""


def round_of(pivots: Pivots, obj: bpy.types.Object) -> Round | None:
    """Return the axis of a body that a cylinder fits best."""
    surface = pivots.surface(obj)
    if surface is None:
        return None
    space = rigid_matrix(world_matrix(obj))
    inverse = np.array(space.inverted())
    fit = guess_fit(surface.points @ inverse[:3, :3].T + inverse[:3, 3])
    if fit is None or not isinstance(fit.shape, Cylinder):
        return None
    is_disc = fit.shape.height <= 2.0 * fit.shape.radius_top
    return Round(space @ Vector(fit.center), Vector(space.col[fit.up][:3]), is_disc)


def fitted_pivot(
    pivots: Pivots, preset: Preset, moving: bpy.types.Object, place: Vector, way: Vector
) -> Vector:
    """Return where a joint that turns about `way` sits if the moving body is round about it.

    That is on the body's own axis, beside `place`: a wheel turns about its middle, wherever it
    comes closest to the car. A long cylinder without a motor may be hinged at its side, and stays.
    """
    body = round_of(pivots, moving) if PRESETS[preset].is_turning else None
    if body is None or abs(body.axis.dot(way)) < _ALONG:
        return place
    if not body.is_disc and preset != Preset.HINGE_MOTOR:
        return place
    return body.middle + way * (place - body.middle).dot(way)


def surface_of(evaluated: bpy.types.Object) -> Surface | None:
    """Return the surface of an evaluated object, None where it has no faces."""
    mesh = (
        evaluated.to_mesh()
        if evaluated.type in {"MESH", "CURVE", "SURFACE", "FONT", "META"}
        else None
    )
    if mesh is None or not mesh.polygons:
        return None
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world)
    world = points.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    corners = triangles.reshape(-1, 3)
    tree = BVHTree.FromPolygons(world.tolist(), corners.tolist(), all_triangles=True)
    return Surface(world, corners, tree)


def crossing_points(first: Surface, second: Surface) -> Array:
    """Return where edges of either surface pass through the other, shape (n, 3), perhaps none."""
    pairs = np.array(first.tree.overlap(second.tree), dtype=np.int64).reshape(-1, 2)
    one, two = first.triangles[pairs[:, 0]], second.triangles[pairs[:, 1]]
    return np.concatenate(
        [
            *_passages(first.points[one], second.points[two]),
            *_passages(second.points[two], first.points[one]),
        ]
    )


def _passages(piercing: Array, pierced: Array) -> list[Array]:
    """Return where edges of triangles (n, 3, 3) pass through others (n, 3, 3), row by row."""
    origin, along, across = (
        pierced[:, 0],
        pierced[:, 1] - pierced[:, 0],
        pierced[:, 2] - pierced[:, 0],
    )
    normal = np.cross(along, across)
    found = []
    for corner in range(3):
        start, step = piercing[:, corner], piercing[:, corner - 2] - piercing[:, corner]
        slope = np.sum(normal * step, axis=-1)
        slope = np.where(np.abs(slope) > 1e-12, slope, np.nan)
        part = np.sum(normal * (origin - start), axis=-1) / slope
        hit = start + part[:, None] * step
        area = np.sum(normal * normal, axis=-1)
        u = np.sum(np.cross(hit - origin, across) * normal, axis=-1) / area
        v = np.sum(np.cross(along, hit - origin) * normal, axis=-1) / area
        edge = 1e-6
        inside = (
            (u >= -edge) & (v >= -edge) & (u + v <= 1 + edge) & (part >= -edge) & (part <= 1 + edge)
        )
        found.append(hit[inside])
    return found


def closest_points(first: Surface, second: Surface) -> Array:
    """Return the middles between closest points of two surfaces that do not cross, shape (n, 3).

    Several where the distance is the same at several places, as between parallel faces.
    """
    size = float(np.ptp(np.concatenate((first.points, second.points)), axis=0).max())
    candidates = [_from_points(first.points, second.tree), _from_points(second.points, first.tree)]
    nearest = min(float(distances.min()) for distances, _middles in candidates)
    candidates.append(_from_edges(first, second, nearest))
    distances = np.concatenate([distances for distances, _middles in candidates])
    middles = np.concatenate([middles for _distances, middles in candidates])
    return np.asarray(middles[distances <= distances.min() + RELATIVE_TIE * size])


def _from_points(points: Array, tree: BVHTree) -> tuple[Array, Array]:
    """Return for each point (n, 3) its distance to a surface and the middle between the two."""
    nearest = [tree.find_nearest(point) for point in points.tolist()]
    found = np.array([location for location, _normal, _index, _distance in nearest], dtype=float)
    return np.linalg.norm(found - points, axis=-1), (found + points) / 2.0


def _from_edges(first: Surface, second: Surface, nearest: float) -> tuple[Array, Array]:
    """Return distances and middles of edge pairs that may come closer than `nearest`."""
    one, two = _near_edges(first, second, nearest), _near_edges(second, first, nearest)
    if len(one) * len(two) > MAX_EDGE_PAIRS:
        return np.empty(0), np.empty((0, 3))
    i, j = (grid.ravel() for grid in np.meshgrid(range(len(one)), range(len(two)), indexing="ij"))
    return _segment_distances(one[i], two[j])


def _near_edges(surface: Surface, other: Surface, nearest: float) -> Array:
    """Return the edges (n, 2, 3) of triangles that may be within `nearest` of the other surface."""
    corners = surface.points[surface.triangles]
    centers = corners.mean(axis=1)
    radii = np.linalg.norm(corners - centers[:, None], axis=-1).max(axis=1)
    distances = 2.0 * np.linalg.norm(_from_points(centers, other.tree)[1] - centers, axis=-1)
    triangles = surface.triangles[distances - radii <= nearest * 1.0001]
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.asarray(surface.points[np.unique(np.sort(edges, axis=1), axis=0)])


def _segment_distances(one: Array, two: Array) -> tuple[Array, Array]:
    """Return distances and middles of the closest points inside segments (n, 2, 3), row by row.

    Closest points at an end of a segment are left to the vertices.
    """
    u, v, w = one[:, 1] - one[:, 0], two[:, 1] - two[:, 0], one[:, 0] - two[:, 0]
    a, b, c = (np.sum(x * y, axis=-1) for x, y in ((u, u), (u, v), (v, v)))
    d, e = np.sum(u * w, axis=-1), np.sum(v * w, axis=-1)
    slope = a * c - b * b
    slope = np.where(slope > 1e-12 * a * c, slope, np.nan)
    s, t = (b * e - c * d) / slope, (a * e - b * d) / slope
    inside = (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    p, q = one[:, 0] + s[:, None] * u, two[:, 0] + t[:, None] * v
    return np.linalg.norm(p - q, axis=-1)[inside], ((p + q) / 2.0)[inside]
