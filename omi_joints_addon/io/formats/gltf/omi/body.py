"""OMI_physics_body: document JSON to core values and back. SI units, glTF axes (Y up).

Reading is tolerant: what is wrong becomes a finding and the rest is kept; the index -1 for none.
Writing is strict: defaults of a motion and -1 are left out, numbers are finite doubles.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from .....core.findings.finding import Finding
from .....core.model.body import CollisionFilter, Motion, MotionType, PhysicsMaterial
from .....core.model.plain import JsonObject
from ..known import Known
from ..members import CodecError, Members, changed_numbers, kind_of, merged, object_of
from ..rules import (
    EMPTY_ARRAY,
    MOTION_WITHOUT_TYPE,
    NO_POSITIVE_MASS,
    NO_ROTATION,
    REPEATED,
    TOO_SMALL,
    UNKNOWN_MOTION_TYPE,
    WRONG_TYPE,
)
from .body_resources import (
    filter_from_json,
    filter_to_json,
    material_from_json,
    material_to_json,
)

EXTENSION = "OMI_physics_body"
VECTORS = {
    "center_of_mass": ("centerOfMass", 3),
    "inertia_diagonal": ("inertiaDiagonal", 3),
    "inertia_orientation": ("inertiaOrientation", 4),
    "linear_velocity": ("linearVelocity", 3),
    "angular_velocity": ("angularVelocity", 3),
}
NUMBERS = {"mass": "mass", "gravity_factor": "gravityFactor"}
_MOTION_NAMES = frozenset(("type", *NUMBERS.values(), *(name for name, _ in VECTORS.values())))
_COLLIDER_NAMES = frozenset(("shape", "physicsMaterial", "collisionFilter"))
_TRIGGER_NAMES = frozenset(("shape", "nodes", "collisionFilter"))
_MOTION = Motion()
_NODE_NAMES = frozenset(("motion", "collider", "trigger"))
_DOCUMENT_NAMES = frozenset(("physicsMaterials", "collisionFilters"))
_MOTION_TYPES = frozenset(MotionType)
T = TypeVar("T")


class NodeCollider(NamedTuple):
    """The collider of a node, its references as indices; None for none."""

    shape: int | None = None
    physics_material: int | None = None
    collision_filter: int | None = None
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


class NodeTrigger(NamedTuple):
    """The trigger of a node, its references as indices; None for none."""

    shape: int | None = None
    nodes: tuple[int, ...] = ()
    collision_filter: int | None = None
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


class NodeBody(NamedTuple):
    """The extension object of a node."""

    motion: Motion | None = None
    collider: NodeCollider | None = None
    trigger: NodeTrigger | None = None
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


class BodiesDocument(NamedTuple):
    """The extension object of the document."""

    materials: tuple[PhysicsMaterial | None, ...] = ()
    """Elements of `physicsMaterials`, indices kept; None is an element that is not an object."""
    filters: tuple[CollisionFilter | None, ...] = ()
    """Elements of `collisionFilters`, likewise."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


ReadCollider = Callable[[Any], tuple[NodeCollider | None, list[Finding]]]
"""Reads a collider; the places of findings are within it."""


def document_from_json(value: object, pointer: str) -> tuple[BodiesDocument, list[Finding]]:
    """Return the document's materials and filters and what is wrong with them.

    Raises `CodecError` where `value` is not an object.
    """
    members = Members(object_of(value, pointer), pointer)
    document = BodiesDocument(
        materials=members.elements("physicsMaterials", material_from_json),
        filters=members.elements("collisionFilters", filter_from_json),
        carried=members.carried(),
    )
    return document, members.findings


def document_to_json(document: BodiesDocument, pointer: str = "") -> JsonObject:
    """Return the extension object of the document; a missing element is written as a default one.

    Raises `CodecError` where a value has no place in JSON.
    """
    known: JsonObject = {}
    if document.materials:
        known["physicsMaterials"] = [
            material_to_json(material or PhysicsMaterial(), f"{pointer}/physicsMaterials/{index}")
            for index, material in enumerate(document.materials)
        ]
    if document.filters:
        known["collisionFilters"] = [
            filter_to_json(filter_ or CollisionFilter(), f"{pointer}/collisionFilters/{index}")
            for index, filter_ in enumerate(document.filters)
        ]
    return merged(known, document.carried, _DOCUMENT_NAMES, pointer)


def node_body_from_json(
    value: object, pointer: str, colliders: ReadCollider | None = None
) -> tuple[NodeBody, list[Finding]]:
    """Return a node's motion, collider and trigger and what is wrong with them.

    `colliders` reads those, where many nodes share them. Raises `CodecError` where `value` is not
    an object.
    """
    members = Members(object_of(value, pointer), pointer)
    body = NodeBody(
        motion=_part(members, "motion", _motion_from_members),
        collider=_collider(members, colliders or _collider_from_json),
        trigger=_part(members, "trigger", _trigger_from_members),
        carried=members.carried(),
    )
    return body, members.findings


def bodies_reader() -> Callable[[Any, str], tuple[NodeBody, list[Finding]]]:
    """Return `node_body_from_json` for many nodes: equal colliders are read once."""
    return partial(node_body_from_json, colliders=Known(_collider_from_json))


def node_body_to_json(body: NodeBody, pointer: str = "") -> JsonObject:
    """Return the extension object of a node; raises `CodecError` for what JSON cannot hold."""
    known: JsonObject = {}
    if body.motion is not None:
        known["motion"] = motion_to_json(body.motion, f"{pointer}/motion")
    if body.collider is not None:
        known["collider"] = _collider_to_json(body.collider, f"{pointer}/collider")
    if body.trigger is not None:
        known["trigger"] = _trigger_to_json(body.trigger, f"{pointer}/trigger")
    return merged(known, body.carried, _NODE_NAMES, pointer)


def motion_to_json(motion: Motion, pointer: str = "") -> JsonObject:
    """Return a motion as JSON; raises `CodecError` where a value has no place in JSON."""
    known: JsonObject = {"type": str(motion.type)}
    known |= changed_numbers(motion, NUMBERS, pointer, not_negative=("mass",))
    for attribute, (name, _) in VECTORS.items():
        vector = getattr(motion, attribute)
        if vector == getattr(_MOTION, attribute):
            continue
        if not all(map(math.isfinite, vector)):
            raise CodecError(f"{pointer}/{name}", f"{name} is {vector}, which JSON cannot store")
        known[name] = [float(number) for number in vector]
    return merged(known, motion.carried, _MOTION_NAMES, pointer)


def _part(members: Members, name: str, read: Callable[[Members], T]) -> T | None:
    value = members.nested(name)
    if value is None:
        return None
    return read(Members(value, f"{members.pointer}/{name}", members.findings))


def _motion_from_members(members: Members) -> Motion:
    motion_type = members.text("type")
    if motion_type is None:
        motion_type = Motion().type
        members.findings.append(MOTION_WITHOUT_TYPE(members.pointer, default=str(motion_type)))
    elif motion_type not in _MOTION_TYPES:
        members.findings.append(UNKNOWN_MOTION_TYPE(f"{members.pointer}/type", type=motion_type))
    read: dict[str, Any] = {
        attribute: members.vector(name, length) for attribute, (name, length) in VECTORS.items()
    }
    read["mass"] = _mass(members)
    read["gravity_factor"] = members.number("gravityFactor")
    for attribute, usable in _USABLE.items():
        if attribute in read:
            read[attribute] = usable(members, read[attribute])
    present = {attribute: value for attribute, value in read.items() if value is not None}
    return Motion(**present, type=motion_type, carried=members.carried())


def _mass(members: Members) -> float | None:
    mass = members.number("mass")
    if mass is not None and mass <= 0.0:
        members.findings.append(NO_POSITIVE_MASS(f"{members.pointer}/mass", value=mass))
        return None
    return mass


def _unit(members: Members, rotation: tuple[float, ...] | None) -> tuple[float, ...] | None:
    """Return a quaternion unless its length says that it is not a rotation."""
    if rotation is None or abs(math.hypot(*rotation) - 1.0) < 1e-3:
        return rotation
    place = f"{members.pointer}/inertiaOrientation"
    members.findings.append(NO_ROTATION(place, length=math.hypot(*rotation)))
    return None


def _not_negative(members: Members, diagonal: tuple[float, ...] | None) -> tuple[float, ...] | None:
    if diagonal is None or min(diagonal) >= 0.0:
        return diagonal
    place = f"{members.pointer}/inertiaDiagonal"
    name = "inertiaDiagonal"
    members.findings.append(TOO_SMALL(place, name=name, value=min(diagonal), minimum=0.0))
    return None


_USABLE: dict[str, Callable[[Members, tuple[float, ...] | None], tuple[float, ...] | None]] = {
    "inertia_orientation": _unit,
    "inertia_diagonal": _not_negative,
}
"""What looks at vectors that not every value will do for."""


def _collider(members: Members, read: ReadCollider) -> NodeCollider | None:
    value = members.nested("collider")
    if value is None:
        return None
    collider, findings = read(value)
    place = f"{members.pointer}/collider"
    members.findings += [item.at(place + item.place) for item in findings]
    return collider


def _collider_from_json(value: Any, pointer: str = "") -> tuple[NodeCollider, list[Finding]]:
    members = Members(value, pointer)
    collider = NodeCollider(
        shape=_index(members, "shape"),
        physics_material=_index(members, "physicsMaterial"),
        collision_filter=_index(members, "collisionFilter"),
        carried=members.carried(),
    )
    return collider, members.findings


def _trigger_from_members(members: Members) -> NodeTrigger:
    return NodeTrigger(
        shape=_index(members, "shape"),
        nodes=_node_indices(members),
        collision_filter=_index(members, "collisionFilter"),
        carried=members.carried(),
    )


def _node_indices(members: Members) -> tuple[int, ...]:
    """Return the nodes of a compound trigger, each once."""
    nodes: dict[int, None] = {}
    if members.peek("nodes") == []:
        members.findings.append(EMPTY_ARRAY(f"{members.pointer}/nodes", name="nodes"))
    for position, value in enumerate(members.array("nodes")):
        element = Members({"nodes": value}, members.pointer, [])
        index = element.index("nodes")
        if index is None:
            place = f"{members.pointer}/nodes/{position}"
            members.findings.append(
                WRONG_TYPE(place, name="node", expected="an index", found=kind_of(value))
            )
        elif index in nodes:
            place = f"{members.pointer}/nodes/{position}"
            members.findings.append(REPEATED(place, name="nodes", value=index))
        else:
            nodes[index] = None
    return tuple(nodes)


def _index(members: Members, name: str) -> int | None:
    """Return an index; -1 for none, as the specification's default says."""
    value = members.peek(name)
    if value == -1 and not isinstance(value, bool):
        members.number(name)
        return None
    return members.index(name)


def _collider_to_json(collider: NodeCollider, pointer: str) -> JsonObject:
    known = {
        "shape": collider.shape,
        "physicsMaterial": collider.physics_material,
        "collisionFilter": collider.collision_filter,
    }
    present = {name: index for name, index in known.items() if index is not None}
    return merged(present, collider.carried, _COLLIDER_NAMES, pointer)


def _trigger_to_json(trigger: NodeTrigger, pointer: str) -> JsonObject:
    known: JsonObject = {
        "shape": trigger.shape,
        "nodes": list(trigger.nodes) or None,
        "collisionFilter": trigger.collision_filter,
    }
    present = {name: value for name, value in known.items() if value is not None}
    return merged(present, trigger.carried, _TRIGGER_NAMES, pointer)
