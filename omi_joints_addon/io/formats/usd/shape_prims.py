"""Shapes as geometry of USD and back.

Written shapes are leaves below the prim of their node, with the purpose guide where they are not
shown. Capsules, cylinders and cones of USD stand on the axis that they name, ours on Z.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....core.model.mesh import MeshData
from ....core.model.pose import Array
from ....core.model.settled import settled
from ....core.model.shape import (
    SMALLEST,
    Box,
    Capsule,
    Convex,
    Cylinder,
    Shape,
    Sphere,
    Trimesh,
    Upright,
)
from ....core.shapes.hull import convex_hull
from .prim import Prim

_SEGMENTS = 32
_NEAR = 1e-6
"""Part of a size that counts as none."""
_AXES = ("X", "Y", "Z")
_UPRIGHT: dict[str, tuple[type[Capsule | Cylinder], str, str]] = {
    "Capsule": (Capsule, "radius", "radius"),
    "Capsule_1": (Capsule, "radiusBottom", "radiusTop"),
    "Cylinder": (Cylinder, "radius", "radius"),
    "Cylinder_1": (Cylinder, "radiusBottom", "radiusTop"),
    "Cone": (Cylinder, "radius", ""),
}
"""Shapes of types with an axis, with the attributes of their radii; none is a tip."""
GEOMETRY = frozenset(("Cube", "Sphere", "Mesh", *_UPRIGHT))
"""Types of prims that can be shapes or are shown."""


def set_shape(prim: Prim, shape: Shape, read_mesh: Callable[[int], MeshData]) -> bool:
    """Make the prim the geometry of a shape; return whether it is exactly that shape.

    `read_mesh` gives a mesh by index. Raises `ValueError` for a shape that cannot be written.
    """
    if isinstance(shape, Box):
        prim.type_name = "Cube"
        prim.set("size", "double", 1.0)
        prim.set("xformOp:scale", "double3", shape.size)
        prim.set("xformOpOrder", "token[]", ("xformOp:scale",), is_uniform=True)
        return True
    if isinstance(shape, Sphere):
        prim.type_name = "Sphere"
        prim.set("radius", "double", shape.radius)
        return True
    if isinstance(shape, Upright):
        return _set_upright(prim, shape)
    if isinstance(shape, Convex | Trimesh) and shape.mesh is not None:
        set_mesh(prim, read_mesh(shape.mesh))
        return True
    raise ValueError("USD does not have this shape")


def set_mesh(prim: Prim, data: MeshData) -> None:
    """Make the prim a mesh of triangles."""
    points = settled(data.points)
    prim.type_name = "Mesh"
    prim.set("points", "point3f[]", points)
    prim.set("faceVertexCounts", "int[]", np.full(len(data.triangles), 3, np.int32))
    prim.set("faceVertexIndices", "int[]", data.triangles.astype(np.int32).ravel())
    prim.set("subdivisionScheme", "token", "none", is_uniform=True)
    if len(points):
        prim.set("extent", "float3[]", np.array((points.min(axis=0), points.max(axis=0))))


def set_sizes(
    prim: Prim, kind: str, one: Shape, new: Shape, value: Callable[[str], Any]
) -> Array | None:
    """Give a prim that is the shape `one` the sizes of `new`; return what its axes grow by (3,).

    None where a prim of this type cannot be that. `value` gives an attribute of it as it is.
    """
    grown = np.ones(3)
    if isinstance(one, Box) and isinstance(new, Box) and kind == "Cube":
        grown = np.array(new.size) / np.maximum(one.size, SMALLEST)
        factors = {"size": float(grown[0])} if np.ptp(grown) <= _NEAR * grown.max() else {}
        grown = np.ones(3) if factors else grown
    elif isinstance(one, Sphere) and isinstance(new, Sphere) and kind == "Sphere":
        factors = {"radius": _ratio(new.radius, one.radius)}
    elif isinstance(one, Upright) and type(new) is type(one) and kind in _UPRIGHT:
        _class, *names = _UPRIGHT[kind]
        ends = ("radius_bottom", "radius_top")
        ratios = [_ratio(getattr(new, end), getattr(one, end)) for end in ends]
        if names[0] == names[1] and not math.isclose(*ratios, rel_tol=_NEAR):
            return None
        if not names[1] and new.radius_top:
            return None
        factors = {"height": _ratio(new.height, one.height)}
        factors |= {name: ratio for name, ratio in zip(names, ratios, strict=True) if name}
    else:
        return None
    for name, factor in factors.items():
        prim.set(name, "double", float(f"{float(value(name)) * factor:.12g}"))
    return grown


def _ratio(one: float, other: float) -> float:
    return one / max(other, SMALLEST)


def hull_of(shape: Shape) -> bool:
    """Return whether the shape is written as the hull of a mesh."""
    return isinstance(shape, Convex) or (
        isinstance(shape, Upright)
        and shape.radius_bottom != shape.radius_top
        and not _is_cone(shape)
    )


def _set_upright(prim: Prim, shape: Capsule | Cylinder) -> bool:
    if shape.radius_bottom == shape.radius_top or _is_cone(shape):
        kind = "Capsule" if isinstance(shape, Capsule) else "Cylinder"
        prim.type_name = "Cone" if _is_cone(shape) else kind
        prim.set("axis", "token", "Z", is_uniform=True)
        prim.set("height", "double", shape.height)
        prim.set("radius", "double", shape.radius_bottom)
        return True
    points = _profile_points(shape)
    set_mesh(prim, MeshData(points, convex_hull(points)))
    return False


def _is_cone(shape: Capsule | Cylinder) -> bool:
    return isinstance(shape, Cylinder) and shape.radius_top == 0.0 < shape.radius_bottom


def _profile_points(shape: Capsule | Cylinder) -> Array:
    """Return points on the surface of a tapered shape, shape (n, 3)."""
    half = 0.5 * shape.height
    rings = [(shape.radius_bottom, -half), (shape.radius_top, half)]
    if isinstance(shape, Capsule):
        for radius, middle in tuple(rings):
            for angle in np.linspace(-0.5 * math.pi, 0.5 * math.pi, 9):
                rings.append((radius * math.cos(angle), middle + radius * math.sin(angle)))
    around = np.linspace(0.0, 2.0 * math.pi, _SEGMENTS, endpoint=False)
    circle = np.stack((np.cos(around), np.sin(around), np.zeros_like(around)), axis=-1)
    points = [circle * radius + (0.0, 0.0, height) for radius, height in rings]
    return np.asarray(np.unique(np.concatenate(points).round(12), axis=0))


@dataclass(frozen=True, slots=True)
class Geometry:
    """Shape of a geometry prim in meters, and where it is in the axes of its node."""

    shape: Shape
    axis: int = 2
    """Axis of the node that the shape stands on: 0 X, 1 Y, 2 Z."""
    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m]."""
    is_exact: bool = True
    """Whether the scale of the prim left it a shape of its kind."""


def geometry_of(
    kind: str, value: Callable[[str], Any], scale: Array, outer: Array
) -> Geometry | None:
    """Return the geometry of a prim type, None where it is not a primitive.

    `value` gives an attribute by name, with the default of the schema. Axes are `scale` (3,) long
    on a node whose own are `outer` (3,) meters long; as in UsdPhysics an uneven scale makes a round
    shape as large as its largest factor.
    """
    if kind == "Plane":
        return _plane(_axis(value), outer)
    if kind == "Cube":
        x, y, z = (abs(float(value("size"))) * scale).tolist()
        return Geometry(Box(size=(x, y, z)))
    if kind == "Sphere":
        radius = float(value("radius")) * float(scale.max())
        return Geometry(Sphere(radius=radius), is_exact=_is_even(scale))
    if kind not in _UPRIGHT:
        return None
    axis = _axis(value)
    across = np.delete(scale, axis)
    shape_class, bottom_name, top_name = _UPRIGHT[kind]
    bottom = float(value(bottom_name)) * float(across.max())
    top = float(value(top_name)) * float(across.max()) if top_name else 0.0
    height = float(value("height")) * float(scale[axis])
    is_exact = _is_even(across if shape_class is Cylinder else scale)
    shape = shape_class(height=height, radius_bottom=bottom, radius_top=top)
    return Geometry(shape, axis, is_exact=is_exact)


def _axis(value: Callable[[str], Any]) -> int:
    return _AXES.index(value("axis")) if value("axis") in _AXES else 2


def _plane(axis: int, outer: Array) -> Geometry:
    """Return a box whose face toward an axis is the plane across it, as large on any node."""
    wide, thick = 100.0, 1.0
    size, center = wide / outer, np.zeros(3)
    size[axis] = thick / outer[axis]
    center[axis] = -0.5 * size[axis]
    (x, y, z), (a, b, c) = size.tolist(), center.tolist()
    return Geometry(Box(size=(x, y, z)), center=(a, b, c))


def bounds_of(points: Array, *, is_round: bool) -> Geometry:
    """Return the box or sphere around points (n, 3) [m]."""
    low, high = points.min(axis=0), points.max(axis=0)
    x, y, z = (0.5 * (low + high)).tolist()
    if not is_round:
        a, b, c = (high - low).tolist()
        return Geometry(Box(size=(a, b, c)), center=(x, y, z))
    radius = float(np.linalg.norm(points - (x, y, z), axis=1).max())
    return Geometry(Sphere(radius=radius), center=(x, y, z))


def _is_even(factors: Array) -> bool:
    return bool(np.ptp(factors) <= 1e-5 * float(np.abs(factors).max()))
