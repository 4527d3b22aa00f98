"""What joints and bodies have that the extensions have no words for, in `extras` of their nodes.

glTF has `extras` for data of applications: other programs pass over them or, as three.js does, hand
them on. They never contradict the extensions, so they count while their joint or body is there.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ....core.findings.finding import Finding
from ....core.model.articulation import Articulation, Coupling
from ....core.model.attributes import DEFAULT_ATTRIBUTES, NUMBERS, JointAttributes
from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from .dialect_physics import Physics
from .document_members import nodes_of
from .document_nodes import Column, shown_index
from .members import Members, changed_numbers
from .omi.body import EXTENSION as BODY
from .omi.joint import EXTENSION as JOINT
from .rules import EXTRAS_REFER_NOWHERE


def _member(field: str) -> str:
    """Return the member that a field is: break_force is breakForce."""
    first, *others = field.split("_")
    return first + "".join(map(str.capitalize, others))


_NUMBERS = {name: _member(name) for name in NUMBERS}
_SIGNED = ("zero",)
_WHOLE_RANGE = "range"
_FLAGS = {name: _member(name) for name in ("enabled", "in_articulation")}
KNOWN = {
    JOINT: frozenset((*_NUMBERS.values(), *_FLAGS.values(), _WHOLE_RANGE, "follows", "carried")),
    BODY: frozenset(("articulation", "excludedPairs")),
}
"""Members of `extras` that are ours, and what is in them."""
Follows = tuple[int, tuple[float, ...]]
"""Node of the joint that is followed, and the coefficients (`Coupling`)."""


class Beyond(NamedTuple):
    """All that joints and bodies have beyond the extensions, by their nodes."""

    attributes: Mapping[int, JointAttributes] = {}
    """Attributes of joints, where they differ from the defaults."""
    follows: Mapping[int, Follows] = {}
    """What joints follow."""
    articulations: Mapping[int, bool] = {}
    """Roots of articulations, and whether they are fixed."""
    excluded: Mapping[int, Sequence[int]] = {}
    """Bodies that a body does not collide with; each pair is here once."""

    def couplings(self, joints: Sequence[int]) -> tuple[Coupling, ...]:
        """Return the couplings between joints whose nodes are given."""
        numbers = {node: number for number, node in enumerate(joints)} if self.follows else {}
        return tuple(
            Coupling(joint=numbers[node], source=numbers[source], coefficients=coefficients)
            for node, (source, coefficients) in self.follows.items()
            if node in numbers and source in numbers
        )

    def roots(self) -> tuple[Articulation, ...]:
        """Return the articulations."""
        found = self.articulations.items()
        return tuple(Articulation(root=node, is_fixed=is_fixed) for node, is_fixed in found)

    def excluded_pairs(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of bodies that do not collide."""
        return tuple((one, other) for one, others in self.excluded.items() for other in others)

    def placed(self, frame: Callable[[int], int], body: Callable[[int], int]) -> "Beyond":
        """Return the same by other numbers of the nodes of joints and of bodies."""
        return Beyond(
            attributes={frame(node): value for node, value in self.attributes.items()},
            follows={
                frame(node): (frame(source), coefficients)
                for node, (source, coefficients) in self.follows.items()
            },
            articulations={body(node): fixed for node, fixed in self.articulations.items()},
            excluded={
                body(one): [body(other) for other in others]
                for one, others in self.excluded.items()
            },
        )


NOTHING_BEYOND = Beyond()


def beyond_of(scene: PhysicsScene) -> Beyond:
    """Return what a scene has beyond the extensions, as far as JSON can say it."""
    nodes = [joint.node for joint in scene.joints]
    excluded: dict[int, list[int]] = {}
    for one, other in scene.excluded_pairs:
        excluded.setdefault(one, []).append(other)
    return Beyond(
        attributes={
            joint.node: joint.attributes
            for joint in scene.joints
            # Nearly all have the very same: to compare what they are would take longer.
            if joint.attributes is not DEFAULT_ATTRIBUTES and joint.attributes != DEFAULT_ATTRIBUTES
        },
        follows={
            nodes[each.joint]: (nodes[each.source], each.coefficients)
            for each in scene.couplings
            if all(map(math.isfinite, each.coefficients))
        },
        articulations={each.root: each.is_fixed for each in scene.articulations},
        excluded=excluded,
    )


def write_beyond(document: JsonObject, physics: Physics, beyond: Beyond) -> None:
    """Have the nodes of a document say what is beyond its physics, and nothing of before.

    Joints that are not among the physics are passed over. Raises `CodecError` where a value has no
    place in JSON.
    """
    nodes = nodes_of(document)
    for node in nodes:
        if isinstance(node.get("extras"), dict):
            _clear(node)
    joints = {index for index, declared in physics.nodes.items() if declared.joint is not None}
    for index in joints & {*beyond.attributes, *beyond.follows}:
        value = attributes_to_json(beyond.attributes.get(index, DEFAULT_ATTRIBUTES))
        if index in beyond.follows and beyond.follows[index][0] in joints:
            source, coefficients = beyond.follows[index]
            value["follows"] = _reference(source, nodes) | {"coefficients": list(coefficients)}
        _add(nodes[index], JOINT, value)
    for index in {*beyond.articulations, *beyond.excluded}:
        value = {}
        if index in beyond.articulations:
            value["articulation"] = {"fixed": beyond.articulations[index]}
        if others := beyond.excluded.get(index):
            value["excludedPairs"] = [_reference(other, nodes) for other in others]
        _add(nodes[index], BODY, value)


def attributes_to_json(attributes: JointAttributes) -> JsonObject:
    """Return attributes that differ from their defaults; raises `CodecError` for NaN."""
    value = changed_numbers(attributes, _NUMBERS, f"/{JOINT}")
    for name, member in _FLAGS.items():
        if getattr(attributes, name) != getattr(DEFAULT_ATTRIBUTES, name):
            value[member] = getattr(attributes, name)
    if attributes.whole_range is not None:
        value[_WHOLE_RANGE] = list(attributes.whole_range)
    texts = attributes.texts()
    return value | ({"carried": texts} if texts else {})


def _clear(node: JsonObject) -> None:
    """Remove what is written anew from a node's extras."""
    extras = dict(node["extras"])
    for key in KNOWN.keys() & extras.keys():
        if isinstance(extras[key], dict) and not KNOWN[key].isdisjoint(extras[key]):
            extras[key] = {n: item for n, item in extras[key].items() if n not in KNOWN[key]}
            if not extras[key]:
                del extras[key]
    node["extras"] = extras
    if not extras:
        del node["extras"]


def _add(node: JsonObject, key: str, value: JsonObject) -> None:
    """Add members to a node's extras; what is not an object stays as it is."""
    extras = node.get("extras", {})
    if isinstance(extras, dict):
        there = extras.get(key)
        node["extras"] = extras | {key: there | value if isinstance(there, dict) else value}


def _reference(index: int, nodes: Sequence[JsonObject]) -> JsonObject:
    """Return what finds a node again, also where other programs have renumbered the nodes."""
    name = nodes[index].get("name")
    return {"node": index} | ({"name": name} if isinstance(name, str) else {})


def read_beyond(
    extras: Column, names: Sequence[str], joints: Sequence[int], bodies: Collection[int]
) -> tuple[Beyond, list[Finding]]:
    """Return what nodes say beyond the extensions, and what is wrong with it.

    `joints` and `bodies` are the nodes that are joints and that have a motion.
    """
    reader = _Reader(names, joints, bodies)
    for index, value in zip(extras.nodes, extras.values, strict=True):
        if isinstance(value, dict) and not value.keys().isdisjoint(KNOWN):
            reader.read(index, Members(value, f"/nodes/{index}/extras", reader.findings))
    return reader.beyond, reader.findings


class _Reader:
    """Reads the extras of nodes; references find their nodes by index, else by name."""

    def __init__(
        self, names: Sequence[str], joints: Sequence[int], bodies: Collection[int]
    ) -> None:
        self.findings: list[Finding] = []
        self._names = names
        self._joints, self._bodies = frozenset(joints), frozenset(bodies)
        self._attributes: dict[int, JointAttributes] = {}
        self._follows: dict[int, Follows] = {}
        self._articulations: dict[int, bool] = {}
        self._excluded: dict[int, list[int]] = {}
        self.beyond = Beyond(
            attributes=self._attributes,
            follows=self._follows,
            articulations=self._articulations,
            excluded=self._excluded,
        )

    @cached_property
    def _called(self) -> dict[str, list[int]]:
        nodes: dict[str, list[int]] = {}
        for node, name in enumerate(self._names):
            nodes.setdefault(name, []).append(node)
        return nodes

    def read(self, index: int, extras: Members) -> None:
        """Read what one node says."""
        joint, body = extras.nested(JOINT), extras.nested(BODY)
        if joint and index in self._joints:
            self._read_joint(index, Members(joint, f"{extras.pointer}/{JOINT}", self.findings))
        if body and index in self._bodies:
            self._read_body(index, Members(body, f"{extras.pointer}/{BODY}", self.findings))

    def _read_joint(self, index: int, declared: Members) -> None:
        attributes = _attributes(declared)
        if attributes != DEFAULT_ATTRIBUTES:
            self._attributes[index] = attributes
        follows = declared.nested("follows")
        if follows is None:
            return
        source = self._found(follows, f"{declared.pointer}/follows", self._joints, index)
        members = Members(follows, f"{declared.pointer}/follows", self.findings)
        terms = members.peek("coefficients")
        count = len(terms) if isinstance(terms, list) and terms else 1
        coefficients = (0.0, 1.0) if terms is None else members.vector("coefficients", count)
        if source is not None and coefficients is not None:
            self._follows[index] = source, coefficients

    def _read_body(self, index: int, declared: Members) -> None:
        if (articulation := declared.nested("articulation")) is not None:
            place = f"{declared.pointer}/articulation"
            is_fixed = Members(articulation, place, self.findings).boolean("fixed")
            self._articulations[index] = bool(is_fixed)
        for number, other in enumerate(declared.array("excludedPairs")):
            place = f"{declared.pointer}/excludedPairs/{number}"
            found = self._found(other, place, self._bodies, index)
            if found is not None:
                self._excluded.setdefault(index, []).append(found)

    def _found(self, value: object, place: str, known: frozenset[int], owner: int) -> int | None:
        """Return the node that is meant.

        None with a finding where it is the owner or not among those known.
        """
        declared = Members(value if isinstance(value, dict) else {}, place, self.findings)
        index, name = declared.index("node"), declared.text("name")
        if index in known and index != owner and (name is None or self._names[index] == name):
            return index
        others = [] if name is None else self._called.get(name, [])
        named = [node for node in others if node in known and node != owner]
        if len(named) == 1:
            return named[0]
        shown = shown_index(-1 if index is None else index) if name is None else repr(name)
        self.findings.append(EXTRAS_REFER_NOWHERE(place, node=shown))
        return None


def _attributes(declared: Members) -> JointAttributes:
    numbers = {
        name: declared.number(member, minimum=-math.inf if name in _SIGNED else 0.0)
        for name, member in _NUMBERS.items()
    }
    flags = {name: declared.boolean(member) for name, member in _FLAGS.items()}
    carried = declared.nested("carried") or {}
    texts = tuple((name, text) for name, text in carried.items() if isinstance(text, str))
    values = {**numbers, **flags, "whole_range": declared.vector(_WHOLE_RANGE, 2)}
    known = {name: value for name, value in values.items() if value is not None}
    return JointAttributes(**known, carried=texts)  # type: ignore[arg-type]
