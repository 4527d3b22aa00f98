"""Shapes that hold points: of a given type, sized as Blender does, or of the type that fits best.

Points are an array (n, 3) [m], of single or double precision, in Blender's axes. Made for millions
of points: every step is one pass over contiguous columns.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.axes import other_axes
from ..model.body import Quaternion, Vector
from ..model.shape import Box, Capsule, Convex, Cylinder, Shape, ShapeType, Sphere, Trimesh
from .inertia import convex_solid, mesh_solid, primitive_solid

Points = NDArray[np.floating[Any]]
UP_ROTATIONS: tuple[Quaternion, ...] = (
    (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)),
    (-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)),
    (0.0, 0.0, 0.0, 1.0),
)
"""Rotation that takes Z to X, Y and Z."""
_MESHES: dict[str, type[Convex | Trimesh]] = {
    ShapeType.CONVEX: Convex,
    ShapeType.TRIMESH: Trimesh,
}
_THINNEST = 1e-3
"""Smallest extent of a fitted shape, in largest extents: no engine takes a flat shape."""
_CENTERED = 1e-6
"""Distance from the origin that is rounding, in largest extents."""
_SAMPLE = 2048
"""Points that decide which type fits best."""
_DIRECTIONS = 64
"""Directions whose farthest points stand for the convex hull."""
_LOOSE = 1.3
"""Volume in volumes of the convex hull above which no primitive counts as fitting."""
_SIMPLER = 1.02
"""Volume in smallest volumes up to which the simpler type is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A shape and where it stands in the space of the points."""

    shape: Shape
    center: Vector = (0.0, 0.0, 0.0)
    """[m]."""
    up: int = 2
    """Axis of the points' space that the shape stands on: 0 X, 1 Y, 2 Z."""

    @property
    def rotation(self) -> Quaternion:
        """Rotation x y z w from the shape's axes to those of the points."""
        return UP_ROTATIONS[self.up]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Extent of points along the axes."""

    low: Vector
    """Least coordinates [m]."""
    high: Vector
    """Largest coordinates [m]."""

    @property
    def center(self) -> Vector:
        """Middle of the box [m]; exactly the origin where it is there but for rounding."""
        close = _CENTERED * max(self.size)
        middles = ((low + high) / 2.0 for low, high in zip(self.low, self.high, strict=True))
        x, y, z = (middle if abs(middle) > close else 0.0 for middle in middles)
        return (x, y, z)

    @property
    def size(self) -> Vector:
        """Full extents [m], none of them without thickness."""
        x, y, z = (high - low for low, high in zip(self.low, self.high, strict=True))
        least = _THINNEST * max(x, y, z)
        return (max(x, least), max(y, least), max(z, least))


def bounds_of(points: Points) -> Bounds | None:
    """Return the extent of finite points (n, 3); None where there are none or they are one."""
    if not len(points):
        return None
    columns = points.T
    low, high = ([float(f(column)) for column in columns] for f in (np.min, np.max))
    if not all(map(math.isfinite, (*low, *high))) or low == high:
        return None
    return Bounds((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def bounds_fit(type_: str, bounds: Bounds) -> Fit:
    """Return the shape as Blender's Rigid Body sizes it from a bounding box, standing on Z.

    `type_` is a `ShapeType` of a primitive, or "cone". Blender puts it at the object's origin
    wherever the mesh is; here it is centered on the mesh. Source: rigidbody_validate_sim_shape in
    Blender's rigidbody.cc.
    """
    x, y, z = bounds.size
    radius = max(x, y) / 2.0
    shape: Shape
    if type_ == ShapeType.SPHERE:
        shape = Sphere(radius=max(x, y, z) / 2.0)
    elif type_ == ShapeType.CAPSULE:
        height = z - 2.0 * radius
        shape = (
            Capsule(height=height, radius_bottom=radius, radius_top=radius)
            if height > _THINNEST * z
            else Sphere(radius=radius)
        )
    elif type_ == ShapeType.CYLINDER:
        shape = Cylinder(height=z, radius_bottom=radius, radius_top=radius)
    elif type_ == "cone":
        shape = Cylinder(height=z, radius_bottom=radius, radius_top=0.0)
    else:
        shape = Box(size=bounds.size)
    return Fit(shape=shape, center=bounds.center)


def fit_shape(type_: str, points: Points, *, up: int | None = None) -> Fit | None:
    """Return the smallest shape of type `type_`, centered on the bounds, that holds all points.

    `up` is the axis that a capsule or cylinder stands on; None takes the axis with the least
    volume. None where the points have no extent.
    """
    bounds = bounds_of(points)
    if bounds is None:
        return None
    if type_ in _MESHES:
        return Fit(shape=_MESHES[type_]())
    if type_ == ShapeType.BOX:
        return Fit(shape=Box(size=bounds.size), center=bounds.center)
    columns = _squared_columns(points, bounds)
    if type_ == ShapeType.SPHERE:
        radius = math.sqrt(float(np.max(columns[0] + columns[1] + columns[2])))
        return Fit(shape=Sphere(radius=radius), center=bounds.center)
    fits = [
        Fit(shape=_upright(type_, columns, bounds, axis), center=bounds.center, up=axis)
        for axis in (range(3) if up is None else (up,))
    ]
    return min(fits, key=_volume)


def guess_fit(points: Points) -> Fit | None:
    """Return the box, sphere, capsule or cylinder with the least volume that holds the points.

    Where even that is much larger than their convex hull: the convex shape. None where the points
    have no extent.
    """
    sample = points[:: max(1, len(points) // _SAMPLE)]
    types = (ShapeType.BOX, ShapeType.SPHERE, ShapeType.CAPSULE, ShapeType.CYLINDER)
    tries = {type_: fit_shape(type_, sample) for type_ in types}
    volumes = {type_: _volume(fit) for type_, fit in tries.items() if fit is not None}
    if not volumes:
        return fit_shape(ShapeType.BOX, points)
    least = min(volumes.values())
    hull = convex_solid(farthest_points(sample))
    if hull is not None and least > _LOOSE * hull.volume:
        return fit_shape(ShapeType.CONVEX, points)
    best = next(type_ for type_, volume in volumes.items() if volume <= _SIMPLER * least)
    found = tries[best]
    return fit_shape(best, points, up=None if found is None else found.up)


def static_fit(points: Points, triangles: NDArray[np.intp]) -> Fit | None:
    """Return the best fit of a body that never moves: its triangles where it is hollow.

    A frame or a room has to leave open what is open: a shape that needs much more volume than the
    mesh would fill it. So would any around a surface that is not closed.
    """
    fit = guess_fit(points)
    if fit is None or not len(triangles):
        return fit
    inside = mesh_solid(points.astype(float), triangles)
    outside = convex_solid(points) if isinstance(fit.shape, Convex) else primitive_solid(fit.shape)
    if inside is not None and (outside is None or outside.volume <= _LOOSE * inside.volume):
        return fit
    return Fit(shape=Trimesh())


def farthest_points(points: Points) -> Points:
    """Return the points farthest in directions spread evenly over a sphere (Fibonacci lattice)."""
    steps = np.arange(_DIRECTIONS) + 0.5
    height = 1.0 - 2.0 * steps / _DIRECTIONS
    turn = math.pi * (1.0 + math.sqrt(5.0)) * steps
    across = np.sqrt(1.0 - height**2)
    directions = np.stack((across * np.cos(turn), across * np.sin(turn), height))
    extreme: Points = points[np.unique(np.argmax(points @ directions, axis=0))]
    return extreme


def _squared_columns(points: Points, bounds: Bounds) -> list[Points]:
    """Return squared distances (n,) from the middle of the bounds along each axis."""
    columns = []
    for column, middle in zip(points.T, bounds.center, strict=True):
        # Contiguous and of the points' own precision: any other pass costs several times more.
        away = np.subtract(column, middle, dtype=points.dtype)
        columns.append(np.multiply(away, away, out=away))
    return columns


def _upright(type_: str, columns: list[Points], bounds: Bounds, up: int) -> Shape:
    """Return the smallest capsule or cylinder about the axis `up` through the middle."""
    first, second = other_axes(up)
    around = columns[first] + columns[second]
    largest = float(np.max(around))
    radius = max(math.sqrt(largest), _THINNEST * max(bounds.size))
    extent = bounds.size[up]
    if type_ == ShapeType.CYLINDER:
        return Cylinder(height=extent, radius_bottom=radius, radius_top=radius)
    # Each point needs the cap's center at least as high as its own height less the sphere's there.
    rise = np.sqrt(columns[up]) - np.sqrt(np.maximum(radius**2 - around, 0.0))
    half = max(float(np.max(rise)), _THINNEST * max(bounds.size))
    return Capsule(height=2.0 * half, radius_bottom=radius, radius_top=radius)


def _volume(fit: Fit) -> float:
    solid = primitive_solid(fit.shape)
    return math.inf if solid is None else solid.volume
