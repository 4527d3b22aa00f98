"""Collision shapes on Blender objects. SI units, the object's axes: upright shapes stand on Z."""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy

from ..core import shapes
from ..core.model.axes import AXIS_LETTERS
from ..core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    MeshShape,
    OtherShape,
    Shape,
    ShapeType,
    Sphere,
    Trimesh,
    Upright,
    shape_type,
)
from .exact import change, exact_numbers, recalled, recalled_vector, remember, shortest_decimals
from .overridable import (
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    PointerProperty,
    StringProperty,
)
from .stored import Values, same
from .words import OTHER

NONE = "NONE"
GUESS = "GUESS"
"""Instead of a type: the shape with the least volume around the mesh, or its convex hull."""
MESH_TYPES = frozenset(("CONVEX", "TRIMESH"))
"""Shape types that are meshes."""
_CLASSES: dict[str, type[Shape]] = {
    "BOX": Box,
    "SPHERE": Sphere,
    "CAPSULE": Capsule,
    "CYLINDER": Cylinder,
    "CONVEX": Convex,
    "TRIMESH": Trimesh,
}
_NUMBERS = {
    "SPHERE": ("radius",),
    "CAPSULE": ("height", "radius_bottom", "radius_top"),
    "CYLINDER": ("height", "radius_bottom", "radius_top"),
}


def _length(name: str, description: str, default: float) -> float:
    return FloatProperty(
        name=name,
        description=description,
        default=default,
        min=0.0,
        precision=4,
        subtype="DISTANCE",
        unit="LENGTH",
    )


class OMI_PG_shape(bpy.types.PropertyGroup):
    """A collision shape and where it stands on its object."""

    type = EnumProperty(
        name="Shape",
        description="Kind of collision shape",
        items=(
            (NONE, "From Children", "Combined shapes of the objects below", "NONE", 0),
            ("BOX", "Box", "Box along the object's axes", "MESH_CUBE", 1),
            ("SPHERE", "Sphere", "Sphere", "MESH_UVSPHERE", 2),
            ("CAPSULE", "Capsule", "Two spheres and the space between them", "MESH_CAPSULE", 3),
            ("CYLINDER", "Cylinder", "Cylinder or truncated cone", "MESH_CYLINDER", 4),
            ("CONVEX", "Convex Hull", "Convex hull of a mesh", "MESH_ICOSPHERE", 5),
            (
                "TRIMESH",
                "Triangle Mesh",
                "Triangles of a mesh; for static bodies",
                "MESH_DATA",
                6,
            ),
            (OTHER, "Other", "A shape that another glTF extension specifies", "QUESTION", 7),
        ),
    )
    size: tuple[float, float, float] = FloatVectorProperty(
        name="Size",
        description="Full extents of the box",
        default=(1.0, 1.0, 1.0),
        min=0.0,
        precision=4,
        subtype="XYZ_LENGTH",
        unit="LENGTH",
    )
    radius = _length("Radius", "Radius of the sphere", 0.5)
    height = _length(
        "Height",
        "Distance between the discs of a cylinder or between the spheres' centers of a capsule",
        1.0,
    )
    radius_bottom = _length("Radius Bottom", "Radius at the end toward -Z", 0.5)
    radius_top = _length("Radius Top", "Radius at the end toward +Z", 0.5)
    mesh: bpy.types.Mesh | None = PointerProperty(
        name="Mesh",
        description=(
            "Mesh of the shape; if empty, the object's own mesh with its modifiers is used"
        ),
        type=bpy.types.Mesh,
    )
    offset: tuple[float, float, float] = FloatVectorProperty(
        name="Offset",
        description="Center of the shape from the object's origin; a shape that is not "
        "at the origin becomes a node of its own in the glTF file",
        precision=4,
        subtype="XYZ_LENGTH",
        unit="LENGTH",
    )
    up = EnumProperty(
        name="Axis",
        description="Axis of the object that the shape is aligned with",
        items=tuple((axis, axis, f"The object's local {axis}") for axis in AXIS_LETTERS),
        default="Z",
    )
    shape_name = StringProperty(name="Name", description="Name of the shape in the glTF file")
    other_type = StringProperty(
        name="Type Name", description="Type that another glTF extension specifies"
    )
    approximation = StringProperty(
        name="USD Approximation",
        description="Word of UsdPhysics for what an engine makes of the mesh, such as "
        "convexDecomposition; if empty, its hull or its triangles",
    )
    exact = StringProperty(options={"HIDDEN"})
    carried = StringProperty(options={"HIDDEN"})
    geometry_carried = StringProperty(options={"HIDDEN"})
    fitted = StringProperty(
        description="What the sizes were when they were fitted to the object's mesh",
        options={"HIDDEN"},
    )

    def from_core(self, shape: Shape | None) -> None:
        """Set type and sizes to a core value, standing on Z; offset, axis and mesh stay."""
        if shape is None:
            self.type = NONE
            return
        is_other = isinstance(shape, OtherShape)
        type_ = OTHER if is_other else shape_type(shape).upper()
        self.type = type_
        change(self, "other_type", shape_type(shape) if is_other else "")
        numbers = {name: getattr(shape, name) for name in _NUMBERS.get(type_, ())}
        if isinstance(shape, Box):
            numbers["size"] = shape.size
        remember(self, numbers)
        change(self, "approximation", shape.approximation if isinstance(shape, MeshShape) else "")
        change(self, "shape_name", shape.name)
        change(self, "carried", shape.carried)
        change(self, "geometry_carried", shape.geometry_carried)

    @property
    def is_fitted(self) -> bool:
        """Whether the shape was fitted to its object's mesh and not edited since."""
        return bool(self.fitted) and self.fitted == self._sizes_text()

    def mark_fitted(self) -> None:
        """Remember that the shape fits its object's mesh."""
        change(self, "fitted", self._sizes_text())

    @property
    def sizes(self) -> tuple[str, str, tuple[float, ...], tuple[float, ...]]:
        """Type, axis, all sizes and offset."""
        numbers = (*self.size, self.radius, self.height, self.radius_bottom, self.radius_top)
        return self.type, self.up, numbers, tuple(self.offset)

    def _sizes_text(self) -> str:
        return f"{zlib.crc32(' '.join(map(str, self.sizes)).encode()):08x}"

    def from_fit(self, fit: "shapes.fit.Fit") -> None:
        """Set shape, offset and axis to a fitted shape; its name stays."""
        name = self.shape_name
        self.from_core(rounded_shape(fit.shape))
        self.shape_name = name
        self.offset = fit.center
        self.up = AXIS_LETTERS[fit.up]


def fit_in(values: Values) -> "shapes.fit.Fit | None":
    """Return the shape with offset and axis that properties hold; None where children's count."""
    if values["type"] == NONE:
        return None
    shape = _shape(values)
    x, y, z = shortest_decimals(values["offset"])
    axis = AXIS_LETTERS.index(values["up"]) if isinstance(shape, Upright) else 2
    return same(shapes.fit.Fit(shape=shape, center=(x, y, z), up=axis))


def _shape(values: Values) -> Shape:
    """Return the shape that properties hold, standing on Z."""
    type_, name, carried = values["type"], values["shape_name"], values["carried"]
    if type_ == OTHER:
        return OtherShape(type=values["other_type"], name=name, carried=carried)
    sizes = _sizes(type_, values, exact_numbers(values["exact"]))
    kept = values["geometry_carried"]
    return _CLASSES[type_](**sizes, name=name, carried=carried, geometry_carried=kept)


def _sizes(type_: str, held: Mapping[str, Any], known: dict[str, list[Any]]) -> dict[str, Any]:
    """Return the sizes of a type as doubles."""
    if type_ == "BOX":
        return {"size": recalled_vector(held["size"], "size", known)}
    if type_ in MESH_TYPES:
        return {"approximation": held["approximation"]}
    return {name: recalled(held[name], name, known) for name in _NUMBERS.get(type_, ())}


def rounded_shape(shape: Shape) -> Shape:
    """Return a shape with the seven digits that its single precision is good for."""
    if isinstance(shape, Box):
        x, y, z = map(_rounded, shape.size)
        return replace(shape, size=(x, y, z))
    names = _NUMBERS.get(shape_type(shape).upper(), ())
    sizes: dict[str, Any] = {name: _rounded(getattr(shape, name)) for name in names}
    return replace(shape, **sizes)


def _rounded(size: float) -> float:
    return float(f"{size:.7g}")


def fit_type(type_: str) -> str:
    """Return the core's type of an enum identifier."""
    return ShapeType(type_.lower())
