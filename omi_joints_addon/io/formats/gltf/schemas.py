"""JSON schemas (draft 2020-12) of the extension objects, in the words of the codecs' tables.

Of joints, bodies and shapes in OMI, of KHR, and of joints in the form of 2023. What the published
schemas say otherwise is listed with reasons in `tests/core/test_schemas.py`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ....core.model.body import CombineMode, MotionType
from ....core.model.joint import DriveMode, DriveType
from ....core.model.shape import ShapeType
from .omi.body import NUMBERS, VECTORS
from .omi.body_resources import COMBINES, FRICTIONS, SYSTEMS
from .omi.joint import AXES, DRIVE_NUMBERS, LIMIT_NUMBERS
from .omi.shape import GEOMETRY_NAMES

Schema = dict[str, Any]
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NUMBER: Schema = {"type": "number"}
_NOT_NEGATIVE: Schema = {"type": "number", "minimum": 0}
_POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0}
_INDEX: Schema = {"type": "integer", "minimum": 0}
_TEXT: Schema = {"type": "string"}
_AXIS: Schema = {"enum": [0, 1, 2]}
_AXES: Schema = {"type": "array", "items": _AXIS, "minItems": 1, "maxItems": 3, "uniqueItems": True}
_OPEN = {"extensions": {"type": "object"}, "extras": {}}
_UNLIMITED = "Negative is unlimited."


def _object(properties: Mapping[str, Any], **keywords: Any) -> Schema:
    return {"type": "object", "properties": {**properties, **_OPEN}, **keywords}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _numbers(names: Iterable[str], kind: Schema = _NUMBER, **others: Schema) -> Schema:
    return {name: others.get(name, kind) for name in names}


def _word(words: Iterable[str]) -> Schema:
    """Return the schema of a word for which other extensions may have more values."""
    return {"type": "string", "examples": [str(word) for word in words]}


def _either(*names: str, both: bool) -> Schema:
    rows = [{"required": [name]} for name in names]
    return {"anyOf": rows} if both else {"oneOf": rows}


def _limit(*, is_omi: bool) -> Schema:
    stiffness = _NUMBER | {"description": _UNLIMITED} if is_omi else _NOT_NEGATIVE
    numbers = _numbers(LIMIT_NUMBERS.values(), stiffness=stiffness, damping=_NOT_NEGATIVE)
    return _object(
        {**dict.fromkeys(AXES.values(), _AXES), **numbers}, **_either(*AXES.values(), both=is_omi)
    )


def _drive() -> Schema:
    force = _NUMBER | {"description": _UNLIMITED}
    own = {"maxForce": force, "stiffness": _NOT_NEGATIVE, "damping": _NOT_NEGATIVE}
    words = {"type": _word(DriveType), "mode": _word(DriveMode), "axis": _AXIS}
    return _object({**words, **_numbers(DRIVE_NUMBERS.values(), **own)}, required=[*words])


def _joints(*, is_omi: bool) -> Schema:
    members = {"limits": _list(_limit(is_omi=is_omi)), "drives": _list(_drive()), "name": _TEXT}
    return _list(_object(members))


_NODE_JOINT = _object(
    {"joint": _INDEX, "connectedNode": _INDEX, "enableCollision": {"type": "boolean"}},
    required=["joint", "connectedNode"],
)
_MATERIAL = _object(
    {
        **_numbers(FRICTIONS.values(), _NOT_NEGATIVE),
        **dict.fromkeys(COMBINES.values(), _word(CombineMode)),
        "name": _TEXT,
    }
)
_FILTER = _object(
    {
        **dict.fromkeys(("collisionSystems", *SYSTEMS.values()), _list(_TEXT)),
        "name": _TEXT,
    },
    **{"not": {"required": [*SYSTEMS.values()]}},
)
_RESOURCES = {"physicsMaterials": _list(_MATERIAL), "collisionFilters": _list(_FILTER)}
_USE = {"physicsMaterial": _INDEX, "collisionFilter": _INDEX}


def _motion(*, is_omi: bool) -> Schema:
    vectors = {
        name: {"type": "array", "items": _NUMBER, "minItems": count, "maxItems": count}
        for name, count in VECTORS.values()
    }
    mass = _POSITIVE if is_omi else _NOT_NEGATIVE
    members = {**_numbers(NUMBERS.values(), mass=mass), **vectors}
    if is_omi:
        return _object({"type": _word(MotionType), **members}, required=["type"])
    return _object({"isKinematic": {"type": "boolean"}, **members})


_GEOMETRY = _object(
    {"shape": _INDEX, "node": _INDEX, "mesh": _INDEX, "convexHull": {"type": "boolean"}},
    **_either("shape", "node", "mesh", both=True),
)


def _shape(kinds: Mapping[str, Schema]) -> Schema:
    return _list(_object({"type": _word(kinds), **kinds, "name": _TEXT}, required=["type"]))


def _sizes(kind: str, *, is_omi: bool) -> Schema:
    """Return the schema of the object with the sizes of a shape."""
    size = {"type": "array", "items": _POSITIVE, "minItems": 3, "maxItems": 3}
    # Half of an upright shape may be pointed, and a capsule have no straight part.
    ends = {"radiusBottom": _NOT_NEGATIVE, "radiusTop": _NOT_NEGATIVE, "height": _NOT_NEGATIVE}
    others: dict[str, Schema] = {"size": size, "mesh": _INDEX, "radius": _POSITIVE, **ends}
    names = sorted(GEOMETRY_NAMES[kind] - (set() if is_omi or kind == "sphere" else {"radius"}))
    return _object(_numbers(names, _POSITIVE, **others))


_PLANE = _object({"doubleSided": {"type": "boolean"}, "sizeX": _POSITIVE, "sizeZ": _POSITIVE})
_IMPLICIT = (ShapeType.BOX, ShapeType.SPHERE, ShapeType.CAPSULE, ShapeType.CYLINDER)
_OLD_LIMIT = _object(
    {
        **dict.fromkeys(AXES.values(), _AXES),
        **_numbers(("lowerLimit", "upperLimit", "stiffness", "damping")),
    }
)
OMI: Mapping[str, Schema] = {
    "glTF.OMI_physics_joint": _object({"physicsJoints": _joints(is_omi=True)}),
    "node.OMI_physics_joint": _NODE_JOINT,
    "glTF.OMI_physics_body": _object(_RESOURCES),
    "node.OMI_physics_body": _object(
        {
            "motion": _motion(is_omi=True),
            "collider": _object({"shape": _INDEX, **_USE}),
            "trigger": _object(
                {"shape": _INDEX, "nodes": _list(_INDEX), "collisionFilter": _INDEX}
            ),
        }
    ),
    "glTF.OMI_physics_shape": _object(
        {"shapes": _shape({str(kind): _sizes(kind, is_omi=True) for kind in ShapeType})},
        required=["shapes"],
    ),
}
KHR: Mapping[str, Schema] = {
    "glTF.KHR_physics_rigid_bodies": _object(
        {**_RESOURCES, "physicsJoints": _joints(is_omi=False)}
    ),
    "node.KHR_physics_rigid_bodies": _object(
        {
            "motion": _motion(is_omi=False),
            "collider": _object({"geometry": _GEOMETRY, **_USE}, required=["geometry"]),
            "trigger": _object(
                {"geometry": _GEOMETRY, "nodes": _list(_INDEX), "collisionFilter": _INDEX}
            ),
            "joint": _NODE_JOINT,
        }
    ),
    "glTF.KHR_implicit_shapes": _object(
        {
            "shapes": _shape(
                {**{str(k): _sizes(k, is_omi=False) for k in _IMPLICIT}, "plane": _PLANE}
            )
        },
        required=["shapes"],
    ),
}
OLD: Mapping[str, Schema] = {
    "glTF.OMI_physics_joint": _object({"constraints": _list(_OLD_LIMIT)}),
    "node.OMI_physics_joint": _object(
        {
            "constraints": _list({"anyOf": [_INDEX, _OLD_LIMIT]}),
            "nodeA": _INDEX,
            "nodeB": _INDEX,
        },
        required=["constraints"],
    ),
}
"""Schema of each extension object of a document (glTF) or a node; what is not named is open."""
DIALECTS: Mapping[str, Mapping[str, Schema]] = {"omi": OMI, "khr": KHR, "omi-2023": OLD}


def document_schema(dialect: str) -> Schema:
    """Return the schema of a glTF document in a dialect; what is not physics is open."""
    known = DIALECTS[dialect]
    nodes = {"type": "array", "items": _holding("node", known)}
    return {
        "$schema": _DRAFT,
        "$id": f"urn:omi-joints:schema:{dialect}",
        "title": f"glTF document with physics ({dialect})",
        "$defs": dict(known),
        "type": "object",
        "properties": {**_holding("glTF", known)["properties"], "nodes": nodes},
    }


def _holding(owner: str, known: Mapping[str, Schema]) -> Schema:
    """Return the schema of an object with the extensions of a document or a node."""
    found = {
        name.partition(".")[2]: {"$ref": f"#/$defs/{name}"}
        for name in known
        if name.startswith(f"{owner}.")
    }
    extensions = {"type": "object", "properties": found}
    return {"type": "object", "properties": {"extensions": extensions}}
