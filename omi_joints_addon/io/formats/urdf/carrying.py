"""What URDF has no words for, kept in elements that other programs pass over.

Each has the digest of the joint or link that it completes and counts only while that fits: who
edits the URDF gets what the URDF says.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.checks.differences import Difference
from ....core.findings.loss import Noun
from ....core.model.attributes import JointAttributes
from ....core.model.body import CollisionFilter, Motion, PhysicsMaterial, Vector
from ....core.model.graph import WORLD
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject, kept_object, value_from_plain, value_to_plain
from ....core.model.pose import Array, Pose, matrix_from_pose, pose_from_matrix
from ....core.model.scene import GRAVITY, Joint, PhysicsScene
from .document import Carrier, Robot
from .plan import Plan
from .printing import digests

_BODY = frozenset(
    (
        Noun.MOTION,
        Noun.MASS,
        Noun.CENTER_OF_MASS,
        Noun.INERTIA,
        Noun.VELOCITY,
        Noun.GRAVITY_FACTOR,
        Noun.POSE,
        Noun.PARENT,
        Noun.CARRIED,
    )
)
_PART = frozenset((Noun.MATERIAL, Noun.COLLISION_FILTER))


def carriers_of(
    scene: PhysicsScene, plan: Plan, robot: Robot, found: Sequence[Difference]
) -> tuple[Carrier, ...]:
    """Return the elements that bring back what a document does not say."""
    nouns: dict[int, set[Noun]] = {}
    for difference in found:
        nouns.setdefault(difference.node, set()).add(difference.noun)
    data: dict[tuple[str, str], JsonObject] = {
        ("omi_joint", plan.joint_names[number]): _joint(scene, plan, number)
        for number, joint in enumerate(scene.joints)
        if nouns.get(joint.node, set()) - {Noun.NAME, Noun.COUPLING}
    }
    parts = _parts(scene, plan, nouns)
    for node in ([WORLD] if plan.has_world else []) + list(plan.tree.order):
        link: JsonObject = {"world": True} if node == WORLD else {}
        if nouns.get(node, set()) & _BODY:
            link = _body(scene, plan, node)
        if parts.get(node):
            link["parts"] = parts[node]
        if link:
            data["omi_link", plan.names[node]] = link
    whole = _scene(scene, plan, nouns)
    if whole:
        data["omi_scene", ""] = whole
    known = digests(robot)
    return tuple(
        Carrier(tag=key[0], name=key[1], digest=known.get(key, ""), text=_text(value))
        for key, value in data.items()
    )


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"), sort_keys=True)


def _joint(scene: PhysicsScene, plan: Plan, number: int) -> JsonObject:
    """Return a joint with its ends: links and poses in their frames."""
    joint, owner = scene.joints[number], scene.bodies()
    ends = [joint.node] if joint.connected is None else [joint.node, joint.connected]
    bodies = [int(owner[end]) for end in ends]
    return {
        "settings": value_to_plain(joint.settings),
        "attributes": value_to_plain(joint.attributes),
        "enable_collision": joint.enable_collision,
        "carried": joint.carried,
        "links": [plan.names[body] if body != WORLD else "" for body in bodies],
        "frames": [
            _pose(np.linalg.solve(plan.matrices[body], scene.matrices[end]))
            for body, end in zip(bodies, ends, strict=True)
        ],
        "names": [scene.names[end] for end in ends],
        "on_body": [end == body for body, end in zip(bodies, ends, strict=True)],
    }


def _body(scene: PhysicsScene, plan: Plan, node: int) -> JsonObject:
    owner, above = scene.bodies(), int(scene.parents[node])
    body = int(owner[above]) if above >= 0 else WORLD
    data = {
        "motion": value_to_plain(scene.motions[node]),
        "pose": _pose(np.linalg.solve(plan.matrices[node], scene.matrices[node])),
        "above": "" if body == WORLD else plan.names[body],
    }
    if node not in plan.tree.joints and not plan.has_world:
        data["root"] = _pose(plan.matrices[node])
    return data


def _parts(
    scene: PhysicsScene, plan: Plan, nouns: Mapping[int, set[Noun]]
) -> dict[int, JsonObject]:
    """Return what colliders have beside their shapes, by link and name."""
    found: dict[int, JsonObject] = {}
    for node, collider in scene.colliders.items():
        if not nouns.get(node, set()) & _PART or node not in plan.link_of:
            continue
        data = {
            "material": value_to_plain(collider.material),
            "filter": value_to_plain(collider.collision_filter),
        }
        found.setdefault(plan.link_of[node], {})[scene.names[node]] = data
    return found


def _scene(scene: PhysicsScene, plan: Plan, nouns: Mapping[int, set[Noun]]) -> JsonObject:
    names = plan.names
    data: JsonObject = {
        "articulations": [
            [names[found.root], found.is_fixed]
            for found in scene.articulations
            if found.root in names
        ],
        "excluded_pairs": [
            [names[node] for node in pair]
            for pair in scene.excluded_pairs
            if names.keys() >= set(pair)
        ],
        "couplings": [
            [plan.joint_names[n] for n in (found.joint, found.source)] + [list(found.coefficients)]
            for found in scene.couplings
            if Noun.COUPLING in nouns.get(scene.joints[found.joint].node, set())
        ],
    }
    here = nouns.get(-1, set())
    if Noun.GRAVITY in here:
        data["gravity"] = list(scene.gravity)
    if Noun.NAME in here:
        data["name"] = scene.name
    return {name: value for name, value in data.items() if value or name == "name"}


def _pose(matrix: Array) -> list[float]:
    """Return position and rotation x y z w of a rigid matrix."""
    pose = pose_from_matrix(matrix)
    return [*pose.position.tolist(), *pose.rotation.tolist()]


@dataclass(slots=True)
class CarriedBody:
    """What an `omi_link` says of a body."""

    motion: Motion
    pose: Array
    """Matrix (4, 4) of the body in the frame of its link."""
    above: str
    """Link of the body above, empty for none."""


@dataclass(slots=True)
class CarriedJoint:
    """What an `omi_joint` says."""

    joint: Joint
    """With neither nodes nor places."""
    links: tuple[str, ...]
    frames: tuple[Array, ...]
    """Matrices (4, 4) of the ends in the frames of their links."""
    names: tuple[str, ...]
    on_body: tuple[bool, ...]


@dataclass(slots=True)
class Carried:
    """What the carriers of a document say, those left out that do not fit it."""

    joints: dict[str, CarriedJoint] = field(default_factory=dict)
    bodies: dict[str, CarriedBody] = field(default_factory=dict)
    roots: dict[str, Array] = field(default_factory=dict)
    """World matrix of root links."""
    parts: dict[str, JsonObject] = field(default_factory=dict)
    """What colliders have beside their shapes, by name."""
    world: str = ""
    """Link that only stands for the world."""
    name: str | None = None
    gravity: Vector | None = None
    couplings: tuple[tuple[str, str, tuple[float, ...]], ...] = ()
    """Names of two joints and coefficients."""
    articulations: tuple[tuple[str, bool], ...] = ()
    """Name of the root link and whether it is fixed."""
    excluded_pairs: tuple[tuple[str, str], ...] = ()
    """Names of links."""
    stale: list[str] = field(default_factory=list)
    """Names of those that do not fit."""


def carried_of(robot: Robot) -> Carried:
    """Return what the carriers of a document say."""
    found = Carried()
    if not robot.carriers:
        return found
    names, known = {link.name for link in robot.links}, digests(robot)
    for carrier in robot.carriers:
        if carrier.digest != known.get((carrier.tag, carrier.name), ""):
            found.stale.append(carrier.name)
            continue
        try:
            _take(found, carrier, names)
        except (ValueError, TypeError, KeyError, LookupError, AttributeError):
            found.stale.append(carrier.name)
    return found


def _take(found: Carried, carrier: Carrier, names: set[str]) -> None:
    data = kept_object(carrier.text)
    if carrier.tag == "omi_scene":
        _take_scene(found, data)
    elif carrier.tag == "omi_joint":
        joint = _joint_of(data)
        if names.issuperset(link for link in joint.links if link):
            found.joints[carrier.name] = joint
    else:
        if data.get("world") is True:
            found.world = carrier.name
        if "motion" in data:
            found.bodies[carrier.name] = CarriedBody(
                value_from_plain(Motion, data["motion"]), _matrix(data["pose"]), str(data["above"])
            )
        if "root" in data:
            found.roots[carrier.name] = _matrix(data["root"])
        found.parts.update({str(name): dict(part) for name, part in data.get("parts", {}).items()})


def _take_scene(found: Carried, data: Mapping[str, Any]) -> None:
    x, y, z = map(float, data.get("gravity", GRAVITY))
    couplings = [
        (str(joint), str(source), tuple(map(float, terms)))
        for joint, source, terms in data.get("couplings", ())
    ]
    articulations = [(str(link), bool(fixed)) for link, fixed in data.get("articulations", ())]
    pairs = [(str(one), str(other)) for one, other in data.get("excluded_pairs", ())]
    found.name = str(data["name"]) if "name" in data else None
    found.gravity = (x, y, z)
    found.couplings = tuple(couplings)
    found.articulations, found.excluded_pairs = tuple(articulations), tuple(pairs)


def _joint_of(data: Mapping[str, Any]) -> CarriedJoint:
    joint = Joint(
        node=-1,
        connected=None,
        settings=value_from_plain(JointSettings, data["settings"]),
        enable_collision=bool(data["enable_collision"]),
        attributes=value_from_plain(JointAttributes, data["attributes"]),
        carried=str(data["carried"]),
    )
    found = CarriedJoint(
        joint,
        tuple(map(str, data["links"])),
        tuple(map(_matrix, data["frames"])),
        tuple(map(str, data["names"])),
        tuple(map(bool, data["on_body"])),
    )
    if not 1 <= len(found.links) == len(found.frames) == len(found.names) == len(found.on_body) < 3:
        raise ValueError("a joint has one or two ends")
    return found


def material_of(data: Mapping[str, Any]) -> PhysicsMaterial | None:
    """Return the material of a part; raises `ValueError`."""
    plain = data.get("material")
    return None if plain is None else value_from_plain(PhysicsMaterial, plain)


def filter_of(data: Mapping[str, Any]) -> CollisionFilter | None:
    """Return the filter of a part; raises `ValueError`."""
    plain = data.get("filter")
    return None if plain is None else value_from_plain(CollisionFilter, plain)


def _matrix(values: object) -> Array:
    array = np.array(values, float)
    if array.shape != (7,) or not np.isfinite(array).all() or not array[3:].any():
        raise ValueError("a pose has seven numbers")
    rotation = array[3:] / np.linalg.norm(array[3:])
    return matrix_from_pose(Pose(array[:3], rotation))
