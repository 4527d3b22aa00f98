"""JSON schema (draft 2020-12) of glTF documents with OMI_physics_joint, in its current form."""

from typing import Any

_NUMBER = {"type": "number"}
_NOT_NEGATIVE = {"type": "number", "minimum": 0}
_INDEX = {"type": "integer", "minimum": 0}
_AXES = {
    "type": "array",
    "items": {"enum": [0, 1, 2]},
    "minItems": 1,
    "maxItems": 3,
    "uniqueItems": True,
}
_OPEN = {"extensions": {"type": "object"}, "extras": {}}


def _object(properties: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties | _OPEN, **keywords}


_LIMIT = _object(
    {
        "linearAxes": _AXES,
        "angularAxes": _AXES,
        "min": _NUMBER,
        "max": _NUMBER,
        "stiffness": _NUMBER | {"description": "Negative is infinitely stiff."},
        "damping": _NOT_NEGATIVE,
    },
    anyOf=[{"required": ["linearAxes"]}, {"required": ["angularAxes"]}],
)
_DRIVE = _object(
    {
        "type": {"type": "string", "examples": ["linear", "angular"]},
        "mode": {"type": "string", "examples": ["force", "acceleration"]},
        "axis": {"enum": [0, 1, 2]},
        "maxForce": _NUMBER | {"description": "Negative is unlimited."},
        "positionTarget": _NUMBER,
        "velocityTarget": _NUMBER,
        "stiffness": _NOT_NEGATIVE,
        "damping": _NOT_NEGATIVE,
    },
    required=["type", "mode", "axis"],
)
_SETTINGS = _object(
    {
        "name": {"type": "string"},
        "limits": {"type": "array", "items": {"$ref": "#/$defs/limit"}},
        "drives": {"type": "array", "items": {"$ref": "#/$defs/drive"}},
    }
)
_NODE_JOINT = _object(
    {"joint": _INDEX, "connectedNode": _INDEX, "enableCollision": {"type": "boolean"}},
    required=["joint", "connectedNode"],
)


def _holding(value: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object whose extension is `value`."""
    extensions = {"type": "object", "properties": {"OMI_physics_joint": value}}
    return {"type": "object", "properties": {"extensions": extensions}}


_ROOT = _object({"physicsJoints": {"type": "array", "items": {"$ref": "#/$defs/settings"}}})
_HEAD = _holding({"$ref": "#/$defs/root"})
DOCUMENT_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "glTF document with OMI_physics_joint",
    "$defs": {
        "limit": _LIMIT,
        "drive": _DRIVE,
        "settings": _SETTINGS,
        "root": _ROOT,
        "nodeJoint": _NODE_JOINT,
    },
    "type": "object",
    "properties": _HEAD["properties"]
    | {"nodes": {"type": "array", "items": _holding({"$ref": "#/$defs/nodeJoint"})}},
}
"""Schema of a whole document; what is not about joints is left open."""
