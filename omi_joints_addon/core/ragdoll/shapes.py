"""Shapes of a ragdoll: capsules, boxes and hulls that fit what the bodies' bones deform.

Points are in the axes of the body's bone, Y along it [m].
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.body import Vector
from ..model.mesh import MeshData
from ..model.pose import Array
from ..model.shape import Box, Capsule, Convex, Shape, Sphere
from ..shapes.fit import Fit, farthest_points
from ..shapes.hull import convex_hull
from ..shapes.inertia import mesh_solid, primitive_solid
from .parts import Segment

BOX_PARTS = (Segment.HIPS, Segment.SPINE, Segment.CHEST, Segment.HAND, Segment.FOOT)
"""Parts that are as thick as they are wide are not long: boxes fit them."""
HELD = 0.98
"""Share of the points between the ends of a shape."""
_AROUND = 0.85
"""Share of the points within the radius of a capsule."""
_MOST_WEIGHT = 0.5
"""Weight from which on a point belongs to a body."""
_FEWEST = 8
"""Points from which on they decide about a shape."""
_SLENDER = 0.15
"""Radius of a bone that deforms nothing, in lengths."""
_GRID = 5
"""Points of a shape along each axis that are looked for in others."""


def owners(weights: Iterable[tuple[ArrayLike, ArrayLike, ArrayLike]], bodies: int) -> list[Array]:
    """Return the body of each point of some meshes, -1 for none, one array for each mesh.

    `weights` are for each mesh: point, body and weight of each entry, shapes (w,); the number of
    points is that of the largest point. Weights of the bones of one body add up.
    """
    found = []
    for point, body, weight in weights:
        at, of = np.asarray(point, np.intp), np.asarray(body, np.intp)
        count = int(at.max()) + 1 if len(at) else 0
        keys, some = at * bodies + of, np.asarray(weight, float)
        total = np.bincount(keys[of >= 0], some[of >= 0], count * bodies).reshape(count, bodies)
        most = total.argmax(axis=1) if count else np.empty(0, np.intp)
        is_held = total[np.arange(count), most] >= _MOST_WEIGHT
        found.append(np.where(is_held, most, -1))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class BoneShape:
    """The shape of a body, in the axes of its bone."""

    fit: Fit
    volume: float
    """[m³]."""
    center: Vector
    """Middle of the volume [m]."""
    hull: MeshData | None = None
    """Mesh of a convex shape."""


def fitted_shape(kind: str, points: Array, length: float) -> BoneShape:
    """Return the capsule, box or hull of points (n, 3); of a bone of some length without points."""
    if len(points) < _FEWEST:
        return _bone_shape(kind, length)
    if kind == "hull" and (hull := _hull_shape(points)):
        return hull
    low, high = np.quantile(points, ((1.0 - HELD) / 2.0, (1.0 + HELD) / 2.0), axis=0)
    x, y, z = ((low + high) / 2.0).tolist()
    size = np.maximum(high - low, 1e-3 * float((high - low).max()))
    if kind != "capsule":
        return _solid(Box(size=_three(size)), (x, y, z))
    across = np.hypot(points[:, 0] - x, points[:, 2] - z)
    radius = min(float(np.quantile(across, _AROUND)), float(size.max()) / 2.0)
    return _capsule(radius, float(size[1]), (x, y, z))


def _hull_shape(points: Array) -> BoneShape | None:
    """Return the hull of the farthest points; None where all lie in a plane."""
    corners = farthest_points(points)
    triangles = convex_hull(corners)
    solid = mesh_solid(corners, triangles)
    if solid is None:
        return None
    used, numbers = np.unique(triangles, return_inverse=True)
    hull = MeshData(corners[used], numbers.reshape(-1, 3))
    return BoneShape(Fit(shape=Convex()), solid.volume, _three(solid.center), hull)


def _bone_shape(kind: str, length: float) -> BoneShape:
    center = (0.0, length / 2.0, 0.0)
    if kind == "capsule":
        return _capsule(_SLENDER * length, length, center)
    width = 2.0 * _SLENDER * length
    return _solid(Box(size=(width, length, width)), center)


def _capsule(radius: float, extent: float, center: Vector) -> BoneShape:
    height = extent - 2.0 * radius
    if height <= 1e-3 * extent:
        return _solid(Sphere(radius=max(radius, extent / 2.0)), center)
    return _solid(Capsule(height=height, radius_bottom=radius, radius_top=radius), center)


def _solid(shape: Shape, center: Vector) -> BoneShape:
    solid = primitive_solid(shape)
    up = 1 if isinstance(shape, Capsule) else 2
    fit = Fit(shape=shape, center=center, up=up)
    return BoneShape(fit, 0.0 if solid is None else solid.volume, center)


def mirrored_shape(shape: BoneShape) -> BoneShape:
    """Return a shape of a bone as the bone of the other side has it: X points the other way."""
    fit, hull = shape.fit, shape.hull
    if hull is not None:
        hull = MeshData(hull.points * (-1.0, 1.0, 1.0), hull.triangles[:, ::-1])
    fit = replace(fit, center=_mirrored(fit.center))
    return replace(shape, fit=fit, center=_mirrored(shape.center), hull=hull)


def _mirrored(place: Vector) -> Vector:
    return -place[0], place[1], place[2]


def overlapping(shapes: Sequence[BoneShape], worlds: Array) -> NDArray[np.bool_]:
    """Return which shapes overlap, shape (n, n); world matrices (n, 4, 4) are of their nodes.

    Points in each shape are looked for in all others.
    """
    count = len(shapes)
    grids = [_grid(shape) for shape in shapes]
    owner = np.repeat(np.arange(count), [len(grid) for grid in grids])
    turns, places = worlds[owner, :3, :3], worlds[owner, :3, 3]
    points = np.einsum("nij,nj->ni", turns, np.concatenate([np.empty((0, 3)), *grids])) + places
    found = np.zeros((count, count), bool)
    for number, (shape, world) in enumerate(zip(shapes, worlds, strict=True)):
        inverse = np.linalg.inv(world)
        local = points @ inverse[:3, :3].T + inverse[:3, 3]
        found[number] = np.bincount(owner, _holds(shape, local), count) > 0
    overlap: NDArray[np.bool_] = (found | found.T) & ~np.eye(count, dtype=bool)
    return overlap


def _grid(shape: BoneShape) -> Array:
    """Return points in a shape (p, 3)."""
    if shape.hull is not None:
        shares = np.linspace(0.0, 1.0, _GRID)[:, None, None]
        around = shape.hull.points - shape.center
        return np.asarray(shares * around + shape.center).reshape(-1, 3)
    half = _half_size(shape.fit)
    steps = np.linspace(-1.0, 1.0, _GRID)
    cube = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    if not isinstance(shape.fit.shape, Box):
        # A ball, stretched along the axis of a capsule.
        radius = np.linalg.norm(cube, axis=1, keepdims=True)
        cube = cube * np.abs(cube).max(axis=1, keepdims=True) / np.where(radius > 0, radius, 1.0)
    return np.asarray(cube * half + shape.center)


def _half_size(fit: Fit) -> Array:
    shape = fit.shape
    if isinstance(shape, Box):
        return np.array(shape.size) / 2.0
    if isinstance(shape, Capsule):
        half = np.full(3, shape.radius_bottom)
        half[fit.up] += shape.height / 2.0
        return half
    return np.full(3, shape.radius if isinstance(shape, Sphere) else 0.0)


def _holds(shape: BoneShape, points: Array) -> NDArray[np.bool_]:
    """Return which points (n, 3) are inside a shape."""
    if shape.hull is not None:
        first, second, third = shape.hull.points[shape.hull.triangles].swapaxes(0, 1)
        outward = np.cross(second - first, third - first)
        within: NDArray[np.bool_] = (points @ outward.T < (first * outward).sum(axis=1)).all(axis=1)
        return within
    around, half = points - shape.center, _half_size(shape.fit)
    if isinstance(shape.fit.shape, Box):
        inside: NDArray[np.bool_] = (np.abs(around) < half).all(axis=-1)
        return inside
    radius = shape.fit.shape.radius_bottom if isinstance(shape.fit.shape, Capsule) else half[0]
    away = np.maximum(np.abs(around) - (half - radius), 0.0)
    near: NDArray[np.bool_] = np.linalg.norm(away, axis=-1) < radius
    return near


def _three(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
