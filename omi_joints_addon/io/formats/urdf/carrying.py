"""What URDF has no words for, kept in elements that other programs pass over.

Each has the digest of the joint or link that it completes and counts only while that fits: who
edits the URDF gets what the URDF says.

Missed by who opens the URDF of a robot again without the .blend file that it is from, or hands it
on: of 128 glTF files that went to URDF and back, 17 drives, 34 soft and 74 other limits, 56 types
of bodies and 58 joints came back by these elements alone.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ....core.checks.difference import Difference
from ....core.findings.loss import Noun
from ....core.meaning.velocities import center_in_meters
from ....core.model.attributes import JointAttributes
from ....core.model.body import CollisionFilter, Motion, PhysicsMaterial, Vector
from ....core.model.graph import WORLD
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject, object_from_text, value_from_plain, value_to_plain
from ....core.model.pose import Array, Pose, matrix_from_pose, pose_from_matrix
from ....core.model.scene import GRAVITY, Joint, PhysicsScene
from ....core.model.settled import settled, settled_rotation
from ..carrier import Carried, digest, is_digest, json_text
from .document import Carrier, Robot
from .plan import Plan
from .printing import Texts, element_texts, elements_of

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
Placement = tuple[float, ...]
"""Position [m] and rotation x y z w of any length: seven numbers."""


def carriers_of(
    scene: PhysicsScene, plan: Plan, texts: Texts, found: Sequence[Difference]
) -> tuple[Carrier, ...]:
    """Return the elements that bring back what a document of such texts does not say."""
    nouns: dict[int, set[Noun]] = {}
    for difference in found:
        nouns.setdefault(difference.node, set()).add(difference.noun)
    joints = [
        number
        for number, joint in enumerate(scene.joints)
        if nouns.get(joint.node, set()) - {Noun.NAME, Noun.COUPLING}
    ]
    # In the order in which reading finds them: those of elements, then those that close loops.
    order = {name: number for number, (_, name) in enumerate(texts)}
    joints.sort(key=lambda number: order.get(plan.joint_names[number], len(order)))
    frames = _frames(scene, plan, joints)
    data: dict[tuple[str, str], JsonObject] = {
        ("omi_joint", plan.joint_names[number]): _joint(scene, plan, number, frames)
        for number in joints
    }
    bodies = [node for node in plan.tree.order if nouns.get(node, set()) & _BODY]
    own = dict(zip(bodies, _poses(scene, plan, bodies, bodies), strict=True))
    parts = _parts(scene, plan, nouns)
    for node in ([WORLD] if plan.has_world else []) + list(plan.tree.order):
        link: JsonObject = {"world": True} if node == WORLD else {}
        if node in own:
            link = _body(scene, plan, node, own[node])
        if parts.get(node):
            link["parts"] = parts[node]
        if link:
            data["omi_link", plan.names[node]] = link
    whole = _scene(scene, plan, nouns)
    if whole:
        data["omi_scene", ""] = whole
    return tuple(
        Carrier(
            tag=key[0],
            name=key[1],
            digest=digest(texts[key]) if key in texts else "",
            text=json_text(value),
        )
        for key, value in data.items()
    )


def _frames(
    scene: PhysicsScene, plan: Plan, joints: Sequence[int]
) -> dict[int, tuple[int, list[float]]]:
    """Return the body of each end of some joints, and its pose in the frame of that link."""
    ends = [end for number in joints for end in scene.joints[number].ends]
    owner = scene.bodies().tolist()
    bodies = [owner[end] for end in ends]
    poses = _poses(scene, plan, bodies, ends)
    return dict(zip(ends, zip(bodies, poses, strict=True), strict=True))


def _poses(
    scene: PhysicsScene, plan: Plan, bodies: Sequence[int], nodes: Sequence[int]
) -> list[list[float]]:
    """Return positions and rotations x y z w of nodes in the frames of the links of bodies."""
    if not nodes:
        return []
    frames = np.array([plan.matrices[body] for body in bodies])
    return _numbers(np.linalg.solve(frames, scene.matrices[list(nodes)]))


def _joint(
    scene: PhysicsScene,
    plan: Plan,
    number: int,
    frames: Mapping[int, tuple[int, list[float]]],
) -> JsonObject:
    """Return a joint with its ends: links and poses in their frames."""
    joint = scene.joints[number]
    ends = joint.ends
    bodies = [frames[end][0] for end in ends]
    return {
        "settings": value_to_plain(joint.settings),
        "attributes": value_to_plain(joint.attributes),
        "enable_collision": joint.enable_collision,
        "carried": joint.carried,
        "links": [plan.names[body] if body != WORLD else "" for body in bodies],
        "frames": [frames[end][1] for end in ends],
        "names": [scene.names[end] for end in ends],
        "on_body": [end == body for body, end in zip(bodies, ends, strict=True)],
    }


def _body(scene: PhysicsScene, plan: Plan, node: int, pose: list[float]) -> JsonObject:
    owner, above = scene.bodies(), int(scene.parents[node])
    body = int(owner[above]) if above >= 0 else WORLD
    # Links have no scale.
    center = center_in_meters(scene, node)
    data = {
        "motion": value_to_plain(replace(scene.motions[node], center_of_mass=center)),
        "pose": pose,
        "above": "" if body == WORLD else plan.names[body],
    }
    if node not in plan.tree.joints and not plan.has_world:
        data["root"] = _numbers(plan.matrices[node][None])[0]
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


def _numbers(matrices: Array) -> list[list[float]]:
    """Return positions and rotations x y z w of rigid matrices (n, 4, 4)."""
    pose = pose_from_matrix(matrices)
    parts = (settled(pose.position), settled_rotation(pose.rotation))
    found: list[list[float]] = np.concatenate(parts, axis=1).tolist()
    return found


@dataclass(slots=True)
class CarriedBody:
    """What an `omi_link` carries of a body."""

    motion: Motion
    pose: Placement
    """Of the body in the frame of its link."""
    above: str
    """Link of the body above, empty for none."""


@dataclass(slots=True)
class CarriedLink:
    """What an `omi_link` carries."""

    is_world: bool
    """Whether the link only stands for the world."""
    body: CarriedBody | None
    root: Placement | None
    """Of a root link in the world."""
    parts: dict[str, JsonObject]
    """What colliders have beside their shapes, by name."""


@dataclass(slots=True)
class CarriedJoint:
    """What an `omi_joint` carries."""

    joint: Joint
    """With neither nodes nor places."""
    links: tuple[str, ...]
    frames: tuple[Placement, ...]
    """Of the ends in the frames of their links."""
    names: tuple[str, ...]
    on_body: tuple[bool, ...]


@dataclass(slots=True)
class CarriedScene:
    """What an `omi_scene` carries."""

    name: str | None = None
    gravity: Vector = GRAVITY
    couplings: tuple[tuple[str, str, tuple[float, ...]], ...] = ()
    """Names of two joints and coefficients."""
    articulations: tuple[tuple[str, bool], ...] = ()
    """Name of the root link and whether it is fixed."""
    excluded_pairs: tuple[tuple[str, str], ...] = ()
    """Names of links."""


@dataclass(slots=True)
class CarriedRobot:
    """What the carriers of a document contain, those left out that do not fit it."""

    joints: dict[str, CarriedJoint] = field(default_factory=dict)
    bodies: dict[str, CarriedBody] = field(default_factory=dict)
    roots: dict[str, Placement] = field(default_factory=dict)
    """Of root links in the world."""
    parts: dict[str, JsonObject] = field(default_factory=dict)
    """What colliders have beside their shapes, by name."""
    world: str = ""
    """Link that only stands for the world."""
    scene: CarriedScene = field(default_factory=CarriedScene)
    stale: list[str] = field(default_factory=list)
    """Names of those that do not fit."""

    def add(self, name: str, value: CarriedJoint | CarriedLink | CarriedScene) -> None:
        """Add what the element of a name carries."""
        if isinstance(value, CarriedScene):
            self.scene = value
        elif isinstance(value, CarriedJoint):
            self.joints[name] = value
        else:
            self.world = name if value.is_world else self.world
            self.bodies |= {} if value.body is None else {name: value.body}
            self.roots |= {} if value.root is None else {name: value.root}
            self.parts |= value.parts


def carried_of(robot: Robot, texts: Texts | None = None) -> CarriedRobot:
    """Return what the carriers of a document contain; `texts` are of its elements, if known."""
    carried = CarriedRobot()
    if not robot.carriers:
        return carried
    links = {"", *(link.name for link in robot.links)}
    texts = _carried_texts(robot) if texts is None else texts
    for carrier in robot.carriers:
        text = texts.get((carrier.tag, carrier.name))
        fits = carrier.digest == "" if text is None else is_digest(carrier.digest, text)
        value = _CARRIED[carrier.tag].read(carrier.text, is_unchanged=fits)
        if value is None or (isinstance(value, CarriedJoint) and not links.issuperset(value.links)):
            carried.stale.append(carrier.name)
        else:
            carried.add(carrier.name, value)
    return carried


def _carried_texts(robot: Robot) -> Texts:
    """Return the texts of the links and joints that carriers are about."""
    about = {(carrier.tag, carrier.name) for carrier in robot.carriers}
    links = tuple(link for link in robot.links if ("omi_link", link.name) in about)
    joints = tuple(joint for joint in robot.joints if ("omi_joint", joint.name) in about)
    return element_texts(elements_of(replace(robot, links=links, joints=joints)))


def _scene_of(text: str) -> CarriedScene:
    data = object_from_text(text)
    x, y, z = map(float, data.get("gravity", GRAVITY))
    return CarriedScene(
        name=str(data["name"]) if "name" in data else None,
        gravity=(x, y, z),
        couplings=tuple(
            (str(joint), str(source), tuple(map(float, terms)))
            for joint, source, terms in data.get("couplings", ())
        ),
        articulations=tuple(
            (str(link), bool(fixed)) for link, fixed in data.get("articulations", ())
        ),
        excluded_pairs=tuple((str(one), str(two)) for one, two in data.get("excluded_pairs", ())),
    )


def _link_of(text: str) -> CarriedLink:
    data, body = object_from_text(text), None
    if "motion" in data:
        motion = value_from_plain(Motion, data["motion"])
        body = CarriedBody(motion, _placement(data["pose"]), str(data["above"]))
    return CarriedLink(
        is_world=data.get("world") is True,
        body=body,
        root=_placement(data["root"]) if "root" in data else None,
        parts={str(name): dict(part) for name, part in data.get("parts", {}).items()},
    )


def _joint_of(text: str) -> CarriedJoint:
    data = object_from_text(text)
    joint = Joint(
        node=-1,
        connected=None,
        settings=value_from_plain(JointSettings, data["settings"]),
        enable_collision=bool(data["enable_collision"]),
        attributes=value_from_plain(JointAttributes, data["attributes"]),
        carried=str(data["carried"]),
    )
    carried = CarriedJoint(
        joint,
        tuple(map(str, data["links"])),
        tuple(map(_placement, data["frames"])),
        tuple(map(str, data["names"])),
        tuple(map(bool, data["on_body"])),
    )
    counts = {*map(len, (carried.links, carried.frames, carried.names, carried.on_body))}
    if counts not in ({1}, {2}):
        raise ValueError("a joint has one or two ends")
    return carried


_CARRIED: dict[str, Carried[Any]] = {
    "omi_joint": Carried(_joint_of),
    "omi_link": Carried(_link_of),
    "omi_scene": Carried(_scene_of),
}


def material_of(data: Mapping[str, Any]) -> PhysicsMaterial | None:
    """Return the material of a part; raises `ValueError`."""
    plain = data.get("material")
    return None if plain is None else value_from_plain(PhysicsMaterial, plain)


def filter_of(data: Mapping[str, Any]) -> CollisionFilter | None:
    """Return the filter of a part; raises `ValueError`."""
    plain = data.get("filter")
    return None if plain is None else value_from_plain(CollisionFilter, plain)


def matrices_of(placements: Sequence[Placement]) -> Array:
    """Return the matrices (n, 4, 4) of positions and rotations."""
    values = np.array(placements, float).reshape(-1, 7)
    turns = values[:, 3:] / np.linalg.norm(values[:, 3:], axis=1, keepdims=True)
    return matrix_from_pose(Pose(values[:, :3], turns))


def _placement(values: Sequence[object]) -> Placement:
    found = tuple(map(float, values))  # type: ignore[arg-type]
    if len(found) != 7 or not all(map(math.isfinite, found)) or not any(found[3:]):
        raise ValueError("a pose has seven numbers")
    return found
