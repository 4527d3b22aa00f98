"""KHR_implicit_shapes: document JSON to core values and back. SI units, glTF axes (Y up).

The objects are those of OMI_physics_shape with other defaults, a plane besides and no meshes. A
plane is carried whole.
"""

from typing import Any

from .....core.findings.finding import INFO, Finding, rule
from .....core.model.plain import JsonObject
from .....core.model.shape import MeshShape, Shape, ShapeType
from ..members import object_of
from ..omi import shape as omi
from ..omi.shape import ShapesDocument
from ..rules import UNKNOWN_SHAPE

EXTENSION = "KHR_implicit_shapes"
PLANE = rule(
    "OMI-S042",
    INFO,
    "the shape is an endless plane, which only KHR_implicit_shapes has; it is kept as it is",
    reason="OMI_physics_shape and Blender have no such shape, so it is not drawn or converted.",
)
_UPRIGHT = {"height": 0.5, "radiusBottom": 0.25, "radiusTop": 0.25}
_DEFAULTS: dict[str, JsonObject] = {
    ShapeType.BOX: {"size": [1.0, 1.0, 1.0]},
    ShapeType.SPHERE: {"radius": 0.5},
    ShapeType.CAPSULE: _UPRIGHT,
    ShapeType.CYLINDER: _UPRIGHT,
}
"""Where this extension's defaults are, which for upright shapes are not those of OMI."""


def document_from_json(value: object, pointer: str) -> tuple[ShapesDocument, list[Finding]]:
    """Return the document's shapes and what is wrong with them.

    Raises `CodecError` where `value` is not an object.
    """
    value = object_of(value, pointer)
    shapes = value.get("shapes")
    if isinstance(shapes, list):
        value = value | {"shapes": [_with_defaults(shape) for shape in shapes]}
    document, findings = omi.document_from_json(value, pointer)
    return document, [_as_plane(value, pointer, found) for found in findings]


def _as_plane(value: JsonObject, pointer: str, found: Finding) -> Finding:
    """Return the finding of an unknown shape as that of a plane if it is one."""
    index = found.place.removeprefix(f"{pointer}/shapes/")
    is_unknown = found.rule is UNKNOWN_SHAPE and index.isdecimal()
    if is_unknown and value["shapes"][int(index)].get("type") == "plane":
        return PLANE(found.place)
    return found


def document_to_json(document: ShapesDocument, pointer: str = "") -> JsonObject:
    """Return the extension object of the document; none of its shapes may be a mesh.

    Raises `CodecError` where a value has no place in JSON.
    """
    value = omi.document_to_json(document, pointer)
    for shape in value.get("shapes", ()):
        if shape["type"] in (ShapeType.CAPSULE, ShapeType.CYLINDER):
            # Written for readers of OMI_physics_shape's older forms.
            shape[shape["type"]].pop("radius", None)
    return value


def is_implicit(shape: Shape) -> bool:
    """Return whether a shape is one that this extension may hold: any but a mesh."""
    return not isinstance(shape, MeshShape)


def _with_defaults(shape: object) -> Any:
    """Return a shape with this extension's defaults filled in, anything unusable as it is."""
    if not isinstance(shape, dict):
        return shape
    type_ = shape.get("type")
    defaults = _DEFAULTS.get(type_) if isinstance(type_, str) else None
    sizes = shape.get(str(type_), {})
    if defaults is None or not isinstance(sizes, dict):
        return shape
    if defaults is _UPRIGHT and "radius" in sizes:
        # One radius for both ends, as older files have.
        defaults = {"height": _UPRIGHT["height"]}
    return shape | {str(type_): defaults | sizes}
