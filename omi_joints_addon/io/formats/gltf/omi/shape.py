"""OMI_physics_shape: document JSON to core values and back. SI units, glTF axes (Y up).

Reading is tolerant: what is wrong becomes a finding, sizes that are missing or unusable take their
defaults and a shape of an unknown type is carried whole. Writing is strict, and sizes are always
written: the schema wants the object that holds them, and Blender's exporter drops empty ones.
"""

import math
from typing import Any, NamedTuple

from .....core.findings.finding import Finding
from .....core.model.plain import JsonObject
from .....core.model.shape import (
    SMALLEST,
    TYPES,
    Box,
    Capsule,
    Cylinder,
    MeshShape,
    OtherShape,
    Shape,
    ShapeType,
    Sphere,
    Upright,
    shape_type,
)
from ..members import CodecError, Members, merged, object_of
from ..rules import SIZE_NOT_POSITIVE, UNKNOWN_SHAPE

EXTENSION = "OMI_physics_shape"
_CLASSES: dict[str, type[Shape]] = {type_: cls for cls, type_ in TYPES.items()}
_RADII = {"radius_bottom": "radiusBottom", "radius_top": "radiusTop"}
GEOMETRY_NAMES: dict[str, frozenset[str]] = {
    ShapeType.BOX: frozenset(("size",)),
    ShapeType.SPHERE: frozenset(("radius",)),
    ShapeType.CAPSULE: frozenset(("height", "radius", *_RADII.values())),
    ShapeType.CYLINDER: frozenset(("height", "radius", *_RADII.values())),
    ShapeType.CONVEX: frozenset(("mesh",)),
    ShapeType.TRIMESH: frozenset(("mesh",)),
}


class ShapesDocument(NamedTuple):
    """The extension object of the document."""

    shapes: tuple[Shape | None, ...] = ()
    """Elements of `shapes`, indices kept; None is an element that is not a shape."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


def document_from_json(value: object, pointer: str) -> tuple[ShapesDocument, list[Finding]]:
    """Return the document's shapes and what is wrong with them.

    Raises `CodecError` where `value` is not an object.
    """
    members = Members(object_of(value, pointer), pointer)
    shapes = members.elements("shapes", shape_from_json)
    return ShapesDocument(shapes=shapes, carried=members.carried()), members.findings


def document_to_json(document: ShapesDocument, pointer: str = "") -> JsonObject:
    """Return the extension object of the document; a missing element is written as a default box.

    Raises `CodecError` where a value has no place in JSON.
    """
    shapes = [
        shape_to_json(shape or Box(), f"{pointer}/shapes/{index}")
        for index, shape in enumerate(document.shapes)
    ]
    known = {"shapes": shapes} if shapes else {}
    return merged(known, document.carried, frozenset(("shapes",)), pointer)


def shape_from_json(value: object, pointer: str) -> tuple[Shape, list[Finding]]:
    """Return a shape and what is wrong with it.

    Raises `CodecError` where `value` is not an object or has no type.
    """
    members = Members(object_of(value, pointer), pointer)
    type_ = members.text("type")
    if type_ is None:
        raise CodecError(pointer, "the shape has no type")
    if type_ not in _CLASSES:
        members.findings.append(UNKNOWN_SHAPE(pointer, type=type_))
        return _other(members, type_), members.findings
    geometry = Members(members.nested(type_) or {}, f"{pointer}/{type_}", members.findings)
    shape = _CLASSES[type_](
        **_sizes(type_, geometry),
        name=members.text("name") or "",
        carried=members.carried(),
        geometry_carried=geometry.carried(),
    )
    return shape, members.findings


def shape_to_json(shape: Shape, pointer: str = "") -> JsonObject:
    """Return a shape as JSON; raises `CodecError` where a size is not usable."""
    type_ = shape_type(shape)
    known: JsonObject = {"type": str(type_)}
    if shape.name:
        known["name"] = shape.name
    if isinstance(shape, OtherShape):
        return merged(known, shape.carried, frozenset(known), pointer)
    place = f"{pointer}/{type_}"
    geometry = merged(_geometry(shape, place), shape.geometry_carried, GEOMETRY_NAMES[type_], place)
    known[str(type_)] = geometry
    return merged(known, shape.carried, frozenset(("type", "name", type_)), pointer)


def _other(members: Members, type_: str) -> OtherShape:
    name = members.text("name") or ""
    return OtherShape(type=type_, name=name, carried=members.carried())


def _sizes(type_: str, geometry: Members) -> dict[str, Any]:
    if type_ == ShapeType.BOX:
        return _box_size(geometry)
    if type_ == ShapeType.SPHERE:
        radius = _size(geometry, "radius")
        return {} if radius is None else {"radius": radius}
    if type_ in (ShapeType.CAPSULE, ShapeType.CYLINDER):
        return _upright_sizes(geometry)
    if geometry.peek("mesh") == -1:
        # For none, as the specification's default says.
        geometry.number("mesh")
    return {"mesh": geometry.index("mesh")}


def _box_size(geometry: Members) -> dict[str, Any]:
    size = geometry.vector("size", 3)
    if size is None:
        return {}
    if min(size) < SMALLEST:
        geometry.findings.append(_bad_size(geometry, "size", min(size)))
        return {}
    return {"size": size}


def _upright_sizes(geometry: Members) -> dict[str, Any]:
    """Return height and radii; older files give one `radius` for both ends."""
    sizes: dict[str, Any] = {}
    height = _size(geometry, "height")
    if height is not None:
        sizes["height"] = height
    radius = _size(geometry, "radius")
    for attribute, name in _RADII.items():
        end = geometry.number(name, minimum=0.0)
        if end is not None or radius is not None:
            sizes[attribute] = radius if end is None else end
    if {"radius_bottom", "radius_top"} <= sizes.keys() and max(
        sizes["radius_bottom"], sizes["radius_top"]
    ) < SMALLEST:
        geometry.findings.append(_bad_size(geometry, "radiusBottom", 0.0))
        del sizes["radius_bottom"], sizes["radius_top"]
    return sizes


def _size(geometry: Members, name: str) -> float | None:
    """Return a positive number."""
    number = geometry.number(name)
    if number is not None and number < SMALLEST:
        geometry.findings.append(_bad_size(geometry, name, number))
        return None
    return number


def _bad_size(geometry: Members, name: str, value: float) -> Finding:
    return SIZE_NOT_POSITIVE(f"{geometry.pointer}/{name}", name=name, value=value)


def _geometry(shape: Shape, pointer: str) -> JsonObject:
    if isinstance(shape, Box):
        return {"size": [_written(size, "size", pointer) for size in shape.size]}
    if isinstance(shape, Sphere):
        return {"radius": _written(shape.radius, "radius", pointer)}
    if isinstance(shape, Upright):
        return _upright_geometry(shape, pointer)
    return _mesh_geometry(shape, pointer)


def _upright_geometry(shape: Capsule | Cylinder, pointer: str) -> JsonObject:
    if shape.radius_bottom == shape.radius_top == 0.0:
        raise CodecError(f"{pointer}/radiusBottom", "both radii are 0")
    radii = {
        name: _written(getattr(shape, attribute), name, pointer, is_zero_valid=True)
        for attribute, name in _RADII.items()
    }
    height = {"height": _written(shape.height, "height", pointer)}
    if shape.radius_bottom == shape.radius_top:
        # The one member that Godot's importer reads, from older forms of the extension.
        return height | {"radius": radii["radiusBottom"]} | radii
    return height | radii


def _mesh_geometry(shape: Shape, pointer: str) -> JsonObject:
    assert isinstance(shape, MeshShape)
    if shape.mesh is None:
        raise CodecError(f"{pointer}/mesh", "the shape has no mesh")
    return {"mesh": int(shape.mesh)}


def _written(value: float, name: str, pointer: str, *, is_zero_valid: bool = False) -> float:
    """Return a size as it is written; raises `CodecError`."""
    if not math.isfinite(value):
        raise CodecError(f"{pointer}/{name}", f"{name} is {value}, which JSON cannot store")
    if value < 0.0 or (value == 0.0 and not is_zero_valid):
        raise CodecError(f"{pointer}/{name}", f"{name} is {value}, but must be above zero")
    return float(value)
