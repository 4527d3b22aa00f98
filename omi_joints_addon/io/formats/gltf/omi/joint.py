"""OMI_physics_joint: document JSON to core values and back. SI units, radians, axes of the frames.

Reading is tolerant: what is wrong becomes a finding and the rest is kept. Writing is strict:
defaults are left out, axes ascend, numbers are finite doubles, no array is empty.
KHR_physics_rigid_bodies has the same settings objects.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from .....core.findings.finding import Finding
from .....core.model.joint import JointDrive, JointLimit, JointSettings
from .....core.model.plain import JsonObject
from ..known import Known
from ..members import CodecError, Members, changed_numbers, integer_of, kind_of, merged, object_of
from ..rules import (
    DRIVE_WITHOUT_AXIS,
    DRIVE_WORD_MISSING,
    NO_CONNECTED_MEMBER,
    NO_SUCH_AXIS,
    NOT_AN_OBJECT,
    REPEATED,
)

_WHOLE = {int}
_ASCENDING = frozenset(each for count in range(4) for each in combinations((0, 1, 2), count))
T = TypeVar("T")
Read = Callable[[Any], tuple[T, list[Finding]]]
"""Reads a value; the places of findings are within it."""
EXTENSION = "OMI_physics_joint"
AXES = {"linear_axes": "linearAxes", "angular_axes": "angularAxes"}
LIMIT_NUMBERS = {"min": "min", "max": "max", "stiffness": "stiffness", "damping": "damping"}
DRIVE_NUMBERS = {
    "max_force": "maxForce",
    "position_target": "positionTarget",
    "velocity_target": "velocityTarget",
    "stiffness": "stiffness",
    "damping": "damping",
}
_LIMIT_NAMES = frozenset((*AXES.values(), *LIMIT_NUMBERS.values()))
_DRIVE_NAMES = frozenset(("type", "mode", "axis", *DRIVE_NUMBERS.values()))
_SETTINGS_NAMES = frozenset(("name", "limits", "drives"))
_NODE_NAMES = frozenset(("joint", "connectedNode", "enableCollision"))
_DOCUMENT_NAMES = frozenset(("physicsJoints",))
NOT_NEGATIVE = frozenset(("stiffness", "damping", "max_force"))
_NOT_NEGATIVE_BUT = {unset: NOT_NEGATIVE - {unset} for unset in ("stiffness", "max_force")}


class NodeJoint(NamedTuple):
    """The joint of a node: which settings it uses and which node it is connected to."""

    joint: int
    """Index into `JointsDocument.settings`."""
    connected_node: int | None
    """Index of the connected node; None makes the joint invalid."""
    enable_collision: bool = False
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


class JointsDocument(NamedTuple):
    """The extension object of the document."""

    settings: tuple[JointSettings | None, ...] = ()
    """Elements of `physicsJoints`, indices kept; None is an element that is not an object."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


def document_from_json(value: object, pointer: str) -> tuple[JointsDocument, list[Finding]]:
    """Return the document's joint settings and what is wrong with them.

    Raises `CodecError` where `value` is not an object.
    """
    members = Members(object_of(value, pointer), pointer)
    # Limits and drives that are equal are read once.
    limits, drives = Known(_limit_from_json), Known(_drive_from_json)

    def read(value: object, place: str) -> tuple[JointSettings, list[Finding]]:
        return settings_from_json(value, place, limits, drives)

    settings = members.elements("physicsJoints", read)
    return JointsDocument(settings=settings, carried=members.carried()), members.findings


def document_to_json(document: JointsDocument, pointer: str = "") -> JsonObject:
    """Return the extension object of the document; a missing element is written as an empty one.

    Raises `CodecError` where a value has no place in JSON.
    """
    joints = [
        {} if settings is None else settings_to_json(settings, f"{pointer}/physicsJoints/{index}")
        for index, settings in enumerate(document.settings)
    ]
    known = {"physicsJoints": joints} if joints else {}
    return merged(known, document.carried, _DOCUMENT_NAMES, pointer)


def node_joint_from_json(value: object, pointer: str) -> tuple[NodeJoint, list[Finding]]:
    """Return a node's joint and what is wrong with it.

    Raises `CodecError` where `value` is not an object or names no settings.
    """
    members = Members(object_of(value, pointer), pointer)
    joint = members.index("joint")
    if joint is None:
        raise CodecError(pointer, "the joint has no settings: joint is missing or not an index")
    connected = members.index("connectedNode")
    if connected is None:
        members.findings.append(NO_CONNECTED_MEMBER(pointer))
    node_joint = NodeJoint(
        joint=joint,
        connected_node=connected,
        enable_collision=members.boolean("enableCollision") or False,
        carried=members.carried(),
    )
    return node_joint, members.findings


def node_joint_to_json(joint: NodeJoint, pointer: str = "") -> JsonObject:
    """Return the extension object of a node; raises `CodecError` without connected node."""
    if joint.connected_node is None:
        raise CodecError(pointer, "the joint has no connected node")
    known: JsonObject = {"joint": joint.joint, "connectedNode": joint.connected_node}
    if joint.enable_collision:
        known["enableCollision"] = True
    return merged(known, joint.carried, _NODE_NAMES, pointer)


def settings_from_json(
    value: Any,
    pointer: str,
    limits: Read[JointLimit | None] | None = None,
    drives: Read[JointDrive | None] | None = None,
) -> tuple[JointSettings, list[Finding]]:
    """Return joint settings and what is wrong with them.

    `limits` and `drives` read those, where many settings share them. Raises `CodecError` where
    `value` is not an object.
    """
    limits, drives = limits or _limit_from_json, drives or _drive_from_json
    members = Members(object_of(value, pointer), pointer)
    settings = JointSettings(
        limits=_elements(members, "limits", limits),
        drives=_elements(members, "drives", drives),
        name=members.text("name") or "",
        carried=members.carried(),
    )
    return settings, members.findings


def settings_to_json(settings: JointSettings, pointer: str = "") -> JsonObject:
    """Return joint settings as JSON; a limit without axes, which is not valid, is left out.

    Raises `CodecError` where a value has no place in JSON.
    """
    limits = [
        _limit_to_json(limit, f"{pointer}/limits/{index}")
        for index, limit in enumerate(settings.limits)
        if limit.linear_axes or limit.angular_axes
    ]
    drives = [
        _drive_to_json(drive, f"{pointer}/drives/{index}")
        for index, drive in enumerate(settings.drives)
    ]
    known = {"name": settings.name, "limits": limits, "drives": drives}
    present = {name: value for name, value in known.items() if value}
    return merged(present, settings.carried, _SETTINGS_NAMES, pointer)


def _elements(members: Members, name: str, read: Read[T | None]) -> tuple[T, ...]:
    """Return the objects in an array as `read` reads them; anything else leaves a finding."""
    elements: list[T] = []
    for index, value in enumerate(members.array(name)):
        if not isinstance(value, dict):
            place = f"{members.pointer}/{name}/{index}"
            members.findings.append(NOT_AN_OBJECT(place, found=kind_of(value)))
            continue
        element, found = read(value)
        if found:
            place = f"{members.pointer}/{name}/{index}"
            members.findings += [item.at(place + item.place) for item in found]
        if element is not None:
            elements.append(element)
    return tuple(elements)


def _limit_from_json(value: JsonObject, pointer: str = "") -> tuple[JointLimit, list[Finding]]:
    """Return a limit; its axes are made unique and ascending, what is not an axis is dropped."""
    members = Members(value, pointer)
    axes: dict[str, Any] = {
        attribute: _axes(members, name) for attribute, name in AXES.items() if name in value
    }
    numbers = _numbers(members, LIMIT_NUMBERS, unset="stiffness")
    return JointLimit(**axes, **numbers, carried=members.carried()), members.findings


def _drive_from_json(
    value: JsonObject, pointer: str = ""
) -> tuple[JointDrive | None, list[Finding]]:
    """Return a drive, None where it has no axis to act on.

    A missing type or mode becomes the default.
    """
    members = Members(value, pointer)
    words: dict[str, Any] = {"type": members.text("type"), "mode": members.text("mode")}
    axis = members.index("axis")
    if axis not in (0, 1, 2):
        members.findings.append(DRIVE_WITHOUT_AXIS(pointer))
        return None, members.findings
    for name in () if all(words.values()) else [n for n, word in words.items() if word is None]:
        words[name] = str(getattr(JointDrive(), name))
        members.findings.append(DRIVE_WORD_MISSING(pointer, name=name, default=words[name]))
    numbers = _numbers(members, DRIVE_NUMBERS, unset="max_force")
    drive = JointDrive(**words, **numbers, axis=axis, carried=members.carried())
    return drive, members.findings


def _axes(members: Members, name: str) -> tuple[int, ...]:
    """Return the axes of an array, unique and ascending."""
    values = members.array(name)
    if set(map(type, values)) <= _WHOLE and tuple(values) in _ASCENDING:
        return tuple(values)
    axes: set[int] = set()
    for index, value in enumerate(values):
        axis = integer_of(value)
        if axis in (0, 1, 2) and axis not in axes:
            axes.add(axis)
            continue
        place = f"{members.pointer}/{name}/{index}"
        if axis in axes:
            members.findings.append(REPEATED(place, name=name, value=axis))
        else:
            members.findings.append(NO_SUCH_AXIS(place, name=name))
    return tuple(sorted(axes))


def _numbers(members: Members, table: dict[str, str], *, unset: str) -> dict[str, Any]:
    """Return the usable numbers; by the specification a negative `unset` is as good as none."""
    numbers = members.numbers(table, not_negative=_NOT_NEGATIVE_BUT[unset])
    if numbers.get(unset, 0.0) < 0.0:
        del numbers[unset]
    return numbers


def _limit_to_json(limit: JointLimit, pointer: str) -> JsonObject:
    axes = {name: getattr(limit, attribute) for attribute, name in AXES.items()}
    known: JsonObject = {
        name: [_written_axis(axis, f"{pointer}/{name}") for axis in sorted(set(value))]
        for name, value in axes.items()
        if value
    }
    known |= changed_numbers(limit, LIMIT_NUMBERS, pointer, not_negative=NOT_NEGATIVE)
    return merged(known, limit.carried, _LIMIT_NAMES, pointer)


def _drive_to_json(drive: JointDrive, pointer: str) -> JsonObject:
    known: JsonObject = {
        "type": str(drive.type),
        "mode": str(drive.mode),
        "axis": _written_axis(drive.axis, f"{pointer}/axis"),
    }
    known |= changed_numbers(drive, DRIVE_NUMBERS, pointer, not_negative=NOT_NEGATIVE)
    return merged(known, drive.carried, _DRIVE_NAMES, pointer)


def _written_axis(axis: int, pointer: str) -> int:
    if axis not in (0, 1, 2):
        raise CodecError(pointer, f"{axis} is not an axis")
    return int(axis)
