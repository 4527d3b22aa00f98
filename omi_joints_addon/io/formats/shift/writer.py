"""A scene to Shift JSON. Joints are written from parent to child: frame 2 moves in frame 1."""

import json
from typing import Any

import numpy as np

from ....core.findings.loss import ATTRIBUTE_NOUNS, Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.authored import count_losses
from ....core.model.attributes import DEFAULT_ATTRIBUTES, NUMBERS
from ....core.model.filters import pairs_beyond_joints
from ....core.model.graph import SpanningTree, spanning_tree
from ....core.model.plain import JsonObject, value_to_plain
from ....core.model.pose import Array
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.settled import settled, settled_matrix
from ..carrier import carrier
from ..format import Target, UnwritableError, Written
from .body_writing import WrittenBodies
from .carried import CARRIER
from .geometry import file_name
from .joint_writing import CARRY, HARD_LIMITS, WrittenJoint, written_joint, written_tie
from .kept import BODIES, FIXED, NAME, ROOT, kept_of
from .lights import written_lights
from .placing import motion_matrices, positions_of, unit_of
from .reader import AXIS, FRAMES, POLYNOMIALS
from .velocities import STILL, joint_velocity, scene_velocities

VERSIONS = ("0.2", "2.0.0")
_UNITS = {"angle": "radians", "length": "meters", "mass": "kilograms", "time": "seconds"}
_UNSUPPORTED = tuple(name for name in NUMBERS if name != "zero")
"""Attributes that Shift does not have."""
_Rest = tuple[Array, Array, Any]
"""World matrices (4, 4) of both frames of a joint, and what is written of its position."""
_LOOP_DECIMALS = 11
_EXACT = 1e-12
"""Frames closer than this to where a joint allows them are left where they are."""


def write_model(scene: PhysicsScene, target: Target) -> Written:
    """Return the document of a scene; raises `UnwritableError` for an unknown version."""
    version = str(target.options.get("version", VERSIONS[0]))
    if version not in VERSIONS:
        raise UnwritableError(
            Sentence(
                "unknown version {version!r} (choose from {versions})",
                version=version,
                versions=", ".join(VERSIONS),
            )
        )
    hard_limits = str(target.options.get("hard_limits", CARRY))
    if hard_limits not in HARD_LIMITS:
        raise UnwritableError(
            Sentence(
                "unknown value {value!r} of hard_limits (choose from {values})",
                value=hard_limits,
                values=", ".join(HARD_LIMITS),
            )
        )
    document, losses = model_document(scene, version, hard_limits)
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    return Written(files={target.path.name: text.encode()}, losses=tuple(losses))


def model_document(
    scene: PhysicsScene, version: str, hard_limits: str = CARRY
) -> tuple[JsonObject, Losses]:
    """Return the document of a scene in SI, and what it does not say."""
    losses = Losses()
    return _Writer(scene, losses, version, hard_limits).document(), losses


class _Writer:
    def __init__(self, scene: PhysicsScene, losses: Losses, version: str, hard_limits: str) -> None:
        self._scene = scene
        self._losses = losses
        self._version = version
        self._hard_limits = hard_limits
        self._tree: SpanningTree = spanning_tree(scene)
        self._tree_joints = {number: body for body, number in self._tree.joints.items()}
        self._bodies = WrittenBodies(scene, losses, version=version)
        self._velocities = scene_velocities(scene, self._bodies.worlds)
        self._words = self._worded()
        self._rests = self._at_rest()
        self._undeclared: list[JsonObject] = []
        self._in_loops: set[int] = set()
        """Bodies of written joints that are not in the tree."""

    def document(self) -> JsonObject:
        """Return the whole document."""
        written = {
            number for number, joint in enumerate(self._scene.joints) if self._joint(number, joint)
        }
        for body in self._tree.order:
            if not self._bodies.is_fixed(body) and self._tree.joints.get(body) not in written:
                self._float(body)
        self._lights = written_lights(self._scene, self._bodies, self._losses)
        self._report_scene()
        self._bodies.write_places()
        return self._head() | self._bodies.document | self._tail()

    def _head(self) -> JsonObject:
        """Return the parameters, with those of a Shift file that the scene does not hold."""
        rest = kept_of(self._scene, ROOT)
        known = rest.pop("model_parameters", None)
        parameters = {
            "version": self._version,
            "units": _UNITS,
            "gravity": list(self._scene.gravity),
        }
        known = known if isinstance(known, dict) else {}
        return {"model_parameters": known | parameters, **rest}

    def _tail(self) -> JsonObject:
        fixed = self._bodies.fixed.members | kept_of(self._scene, FIXED)
        if self._lights:
            fixed["lights"] = self._lights
        tail: JsonObject = {"fixed": fixed} if self._version == "0.2" else fixed
        return tail | ({CARRIER: {"joints": self._undeclared}} if self._undeclared else {})

    def _joint(self, number: int, joint: Joint) -> bool:
        """Write a joint; return whether it is one of Shift's."""
        place = self._scene.names[joint.node]
        if joint.connected is None:
            self._losses.lost(place, Noun.JOINT, "it has no connected object")
            return False
        tie = written_tie(joint)
        if tie:
            self._tie(joint, tie, place)
            return False
        words, losses = self._words[number]
        self._losses.found += losses
        bodies = (self._bodies.owner(joint.connected), self._bodies.owner(joint.node))
        if words is None or all(map(self._bodies.is_fixed, bodies)):
            self._keep(joint, place)
            return False
        self._in_loops |= set() if number in self._tree_joints else set(bodies)
        members = self._members(joint, words, bodies, self._rests[number])
        assembly = self._bodies.assembly_of(bodies[self._bodies.is_fixed(bodies[0])])
        name = members["name"] = assembly.free(place)
        members |= self._attributes(joint, place, words.members)
        if not words.is_whole:
            members[CARRIER] = carrier({"settings": value_to_plain(joint.settings)}, members)
        assembly.members["joints"].append(members)
        for index, restraint in enumerate(words.restraints):
            named = {"name": f"{name}_{index + 1}", **restraint, "joint": name}
            assembly.members.setdefault("restraints", []).append(named)
        return True

    def _tie(self, joint: Joint, restraints: list[JsonObject], place: str) -> None:
        """Write a joint that is a spring or damper between two frames."""
        nodes = (joint.node, joint.other)
        owners = [self._bodies.owner(node) for node in nodes]
        pair = [
            self._end(body, self._scene.names[node], self._bodies.worlds[node])
            for body, node in zip(owners, nodes, strict=True)
        ]
        assembly = self._bodies.assembly_of(owners[self._bodies.is_fixed(owners[0])])
        found = assembly.members.setdefault("restraints", [])
        for restraint in restraints:
            found.append({"name": place, "body_frame_pair": pair, **restraint})

    def _worded(self) -> dict[int, tuple[WrittenJoint | None, Losses]]:
        """Return joints with two ends in Shift's words by number, with what these leave out."""
        found: dict[int, tuple[WrittenJoint | None, Losses]] = {}
        for number, joint in enumerate(self._scene.joints):
            if joint.connected is None:
                continue
            losses = Losses()
            words = written_joint(
                joint,
                self._scene.names[joint.node],
                losses,
                version=self._version,
                axis=unit_of(joint.attributes.kept(NAME).get(AXIS)),
                hard_limits=self._hard_limits,
            )
            found[number] = words, losses
        return found

    def _at_rest(self) -> dict[int, _Rest]:
        """Return where joints are at rest; the frames of a tree are moved together where apart."""
        found = [(number, words) for number, (words, _) in self._words.items() if words is not None]
        joints = [self._scene.joints[number] for number, _ in found]
        kinds = [words.kind for _, words in found]
        axes = np.array([words.axis for _, words in found]).reshape(-1, 3)
        turns = np.array([words.turn for _, words in found]).reshape(-1, 4, 4)
        firsts = self._bodies.worlds[[joint.other for joint in joints]] @ turns
        seconds = self._bodies.worlds[[joint.node for joint in joints]] @ turns
        motions = np.linalg.inv(firsts) @ seconds
        measured = positions_of(kinds, axes, motions)
        are_tree = [number in self._tree_joints for number, _ in found]
        # That of a loop is measured between bodies that all others place.
        positions = [
            at_tree if is_tree else round(at_loop, _LOOP_DECIMALS) + 0.0
            for is_tree, at_tree, at_loop in zip(
                are_tree, settled(measured[:, None])[:, 0].tolist(), measured.tolist(), strict=True
            )
        ]
        allowed = motion_matrices(kinds, axes, np.array(positions))
        pins = [row for row, kind in enumerate(kinds) if kind == "spherical"]
        allowed[pins, :3, :3] = settled_matrix(motions[pins])[:, :3, :3]
        apart = np.array(are_tree, bool) & (np.abs(motions - allowed).max(axis=(1, 2)) > _EXACT)
        firsts[apart] = seconds[apart] @ np.linalg.inv(allowed[apart])
        rests: list[Any] = list(positions)
        for row in pins:
            rests[row] = {"R": allowed[row, :3, :3].tolist()}
        places = zip(firsts, seconds, rests, strict=True)
        return dict(zip([number for number, _ in found], places, strict=True))

    def _members(
        self, joint: Joint, words: WrittenJoint, bodies: tuple[int, int], rest: _Rest
    ) -> JsonObject:
        """Return ends and position at rest."""
        first, second, position = rest
        names: Any = joint.attributes.kept(NAME).get(FRAMES)
        is_own = isinstance(names, list) and len(names) == 2
        if not is_own:
            names = [self._scene.names[node] for node in (joint.other, joint.node)]
        pairs = [
            self._end(body, str(name), matrix, is_own=is_own)
            for body, name, matrix in zip(bodies, names, (first, second), strict=True)
        ]
        ends: JsonObject = {"body_frame_pairs": pairs}
        if self._version != "0.2":
            ends = {"parent": [pairs[0][0].split(":"), pairs[0][1]]}
            ends["child"] = [pairs[1][0].split(":"), pairs[1][1]]
        members = {**ends, **words.members, "initial_displacement": position}
        return members | self._speed(joint, words, bodies, first)

    def _speed(
        self, joint: Joint, words: WrittenJoint, bodies: tuple[int, int], first: Array
    ) -> JsonObject:
        """Return the member of the velocity at the start, none where both bodies are at rest."""
        if words.kind not in ("revolute", "prismatic") or not {*bodies} & self._velocities.keys():
            return {}
        first_body, second_body = (self._velocities.get(body, STILL) for body in bodies)
        speed = joint_velocity(
            first[:3, :3] @ words.axis,
            self._bodies.worlds[joint.node][:3, 3],
            (first_body, second_body),
            np.array([self._bodies.world(body)[:3, 3] for body in bodies]),
            turns=words.kind == "revolute",
        )
        return {"initial_velocity": float(settled(speed))}

    def _end(self, body: int, name: str, matrix: Array, *, is_own: bool = False) -> list[str]:
        """Return the path of a body and the name of a frame on it."""
        return [
            ":".join(self._bodies.holder(body).path),
            self._bodies.frame(body, name, matrix, is_own=is_own),
        ]

    def _attributes(self, joint: Joint, place: str, springs: JsonObject) -> JsonObject:
        """Return members of a joint beside its motion."""
        attributes = joint.attributes
        if joint.enable_collision:
            text = "Shift cannot let connected bodies collide"
            self._lose_contact(place, Noun.ENABLE_COLLISION, text)
        members = attributes.kept(NAME)
        for name in POLYNOMIALS:
            if name in members and not _begins(members[name], springs.get(name, ())):
                # What was carried is of another spring than the one that is there by now.
                del members[name]
        members = {key: members[key] for key in sorted(members.keys() - {FRAMES, AXIS})}
        if not attributes.enabled:
            members["active"] = False
        for noun, text in count_losses(attributes, "Shift counts from its frames"):
            self._losses.lost(place, noun, text)
        for name in _UNSUPPORTED:
            if getattr(attributes, name) != getattr(DEFAULT_ATTRIBUTES, name):
                self._losses.lost(
                    place, ATTRIBUTE_NOUNS[name], "Shift joints do not have this attribute"
                )
        return members

    def _keep(self, joint: Joint, place: str) -> None:
        """Carry a joint that Shift has no type for."""
        assert joint.connected is not None
        self._losses.carried(place, Noun.JOINT, "Shift does not support this kind of joint")
        ends = [
            self._end(self._bodies.owner(node), self._scene.names[node], self._bodies.worlds[node])
            for node in (joint.connected, joint.node)
        ]
        plain: JsonObject = {"name": place, "body_frame_pairs": ends}
        plain["settings"] = value_to_plain(joint.settings)
        plain["enable_collision"] = joint.enable_collision
        self._undeclared.append(plain)

    def _float(self, body: int) -> None:
        """Place a body that no joint places."""
        holder = self._bodies.holder(body)
        assembly = self._bodies.assembly_of(body)
        own = [":".join(holder.path), "origin"]
        ends: JsonObject = {"body_frame_pairs": [["fixed", "origin"], own]}
        if self._version != "0.2":
            ends = {"parent": [["fixed"], "origin"], "child": [list(holder.path), "origin"]}
        members = {
            "name": assembly.free(f"{holder.path[-1]}_float"),
            **ends,
            "type": "float",
            "initial_displacement": {},
        }
        world = self._bodies.worlds[body]
        # Reading places a body of a loop by the joints of that, whose frames are rounded.
        at_rest = world.round(_LOOP_DECIMALS) if body in self._in_loops else world
        self._bodies.place(members["initial_displacement"], at_rest)
        if body in self._velocities:
            members["initial_velocity"] = settled(np.concatenate(self._velocities[body])).tolist()
        assembly.members["joints"].append(members)

    def _geometry_file(self, node: int) -> str:
        """Return the file of a body's geometry that the document names, empty for none."""
        file = file_name(kept_of(self._scene, BODIES, self._scene.names[node]))
        visual = self._scene.visuals.get(node)
        mesh = None if visual is None or visual.mesh is None else self._scene.meshes[visual.mesh]
        return file if file is not None and mesh is not None and mesh.uri == file else ""

    def _report_geometry(self, node: int, noun: Noun) -> None:
        """Note that a body names the file of its geometry, as in the file it comes from, or not."""
        name, file = self._scene.names[node], self._geometry_file(node)
        if file:
            self._losses.converted(
                name,
                noun,
                Sentence("the file refers to {file}, which belongs beside it", file=file),
            )
        else:
            text = "this program does not write geometry to Shift files"
            self._losses.lost(name, noun, text)

    def _report_scene(self) -> None:
        scene, names = self._scene, self._scene.names
        for nodes, noun in (
            (scene.colliders, Noun.COLLIDER),
            (scene.triggers, Noun.TRIGGER),
            (scene.visuals, Noun.VISUAL),
        ):
            for node in nodes:
                self._report_geometry(node, noun)
        for coupling in scene.couplings:
            place = names[scene.joints[coupling.joint].node]
            self._losses.lost(place, Noun.COUPLING, "Shift does not support couplings")
        for articulation in scene.articulations:
            self._losses.same(names[articulation.root], Noun.ARTICULATION)  # Shift finds trees
        for one, other in pairs_beyond_joints(scene):
            text = Sentence("it collides with {other}: Shift has no filters", other=names[other])
            self._lose_contact(names[one], Noun.EXCLUDED_PAIR, text)

    def _lose_contact(self, place: str, noun: Noun, text: str) -> None:
        """Note what decides about collisions, which matters where the file has shapes."""
        if any(self._geometry_file(node) for node in self._scene.colliders):
            self._losses.lost(place, noun, text)
        else:
            self._losses.same(place, noun)


def _begins(polynomial: Any, spring: Any) -> bool:
    """Return whether a polynomial, lowest power first, has a spring's two terms."""
    numbers = polynomial if isinstance(polynomial, list) else []
    one, other = ([*each, 0.0, 0.0][:2] for each in (numbers, spring))
    return bool(np.allclose(np.array(one, float), np.array(other, float), rtol=1e-12, atol=0.0))
