"""Collision shapes as OMI_physics_shape defines them. SI units.

Shapes are centered on their node. Capsule and cylinder stand on the node's up axis: Y in a
document, Z in Blender; sizes of a box are along the node's axes (`core.model.axes`).
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from ...closeness import SCALED, is_close
from .numbers import LARGEST, are_usable

Vector = tuple[float, float, float]


SMALLEST = 1e-30
"""[m]; volumes and moments of what is smaller are zero."""


class ShapeType(StrEnum):
    """Kinds of shapes that OMI_physics_shape defines."""

    BOX = "box"
    SPHERE = "sphere"
    CAPSULE = "capsule"
    CYLINDER = "cylinder"
    CONVEX = "convex"
    TRIMESH = "trimesh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What every shape has."""

    name: str = ""
    """Name of the shape in the document; empty is unnamed."""
    carried: str = ""
    """Members of the shape that this program does not know, as JSON object text; empty for none."""
    geometry_carried: str = ""
    """Members of the object with the sizes that this program does not know, likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Shape):
    """Box along the node's axes."""

    size: Vector = (1.0, 1.0, 1.0)
    """Full extents [m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere(Shape):
    """Sphere."""

    radius: float = 0.5
    """[m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule(Shape):
    """Convex hull of two spheres on the up axis."""

    height: float = 1.0
    """Distance between the centers of the two spheres [m]."""
    radius_bottom: float = 0.5
    """[m]."""
    radius_top: float = 0.5
    """[m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder(Shape):
    """Cylinder along the up axis, or a truncated cone where its radii differ."""

    height: float = 2.0
    """Distance between the two discs [m]."""
    radius_bottom: float = 0.5
    """[m]."""
    radius_top: float = 0.5
    """[m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Convex(Shape):
    """Convex hull of a mesh."""

    mesh: int | None = None
    """Mesh of the document with one primitive; None is missing, or not in a document yet."""
    approximation: str = ""
    """Word of UsdPhysics for what an engine makes of the mesh instead; empty is its hull."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimesh(Shape):
    """Triangles of a mesh, without inside."""

    mesh: int | None = None
    """Mesh of the document with one primitive; None is missing, or not in a document yet."""
    approximation: str = ""
    """Word of UsdPhysics for what an engine makes of the mesh instead; empty is the mesh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherShape(Shape):
    """Shape of a type that this program does not know; all its members are in `carried`."""

    type: str = ""
    """Word of the extension that specifies it."""


MeshShape = Convex | Trimesh
Upright = Capsule | Cylinder
TYPES: dict[type[Shape], ShapeType] = {
    Box: ShapeType.BOX,
    Sphere: ShapeType.SPHERE,
    Capsule: ShapeType.CAPSULE,
    Cylinder: ShapeType.CYLINDER,
    Convex: ShapeType.CONVEX,
    Trimesh: ShapeType.TRIMESH,
}


def shape_type(shape: Shape) -> str:
    """Return a `ShapeType`, or the type that another extension specifies."""
    return shape.type if isinstance(shape, OtherShape) else TYPES[type(shape)]


def scaled_shape_of(shape: Shape, scale: Vector) -> Shape | None:
    """Return a shape with its sizes scaled along its axes in Blender (up is Z), signs ignored.

    None where the result is not a shape of this type: a sphere or a capsule scaled unevenly, a
    cylinder that is no longer round. Shapes that refer to a mesh scale with it and stay as they
    are.
    """
    x, y, z = (abs(factor) for factor in scale)
    if isinstance(shape, Box):
        return replace(shape, size=(shape.size[0] * x, shape.size[1] * y, shape.size[2] * z))
    if isinstance(shape, Upright | Sphere):
        is_round = is_close(x, y, SCALED)
        is_uniform = is_round and is_close(x, z, SCALED)
        if is_uniform or (is_round and isinstance(shape, Cylinder)):
            return _scaled_round(shape, x, z)
        return None
    return shape


def enclosing_scaled_shape(shape: Shape, scale: Vector) -> Shape:
    """Return `scaled_shape_of`, else the shape scaled so that it still holds the scaled one.

    Spheres and capsules grow by the largest factor, cylinders by the larger one across.
    """
    scaled = scaled_shape_of(shape, scale)
    if scaled is not None:
        return scaled
    x, y, z = (abs(factor) for factor in scale)
    across = max(x, y) if isinstance(shape, Cylinder) else max(x, y, z)
    along = z if isinstance(shape, Cylinder) else across
    return _scaled_round(shape, across, along)


def unusable_sizes(shape: Shape) -> list[str]:
    """Return the names of sizes that are not positive, or too large; one radius may be 0."""
    sizes: dict[str, float] = {}
    if isinstance(shape, Box):
        sizes = {"size": min(shape.size) if are_usable(shape.size) else math.nan}
    elif isinstance(shape, Sphere):
        sizes = {"radius": shape.radius}
    elif isinstance(shape, Upright):
        sizes = {
            "height": shape.height,
            "radius_bottom": shape.radius_bottom or shape.radius_top,
            "radius_top": shape.radius_top or shape.radius_bottom,
        }
    return [name for name, size in sizes.items() if not SMALLEST <= size <= LARGEST]


def _scaled_round(shape: Shape, across: float, along: float) -> Shape:
    if isinstance(shape, Sphere):
        return replace(shape, radius=shape.radius * across)
    if isinstance(shape, Upright):
        return replace(
            shape,
            height=shape.height * along,
            radius_bottom=shape.radius_bottom * across,
            radius_top=shape.radius_top * across,
        )
    return shape
