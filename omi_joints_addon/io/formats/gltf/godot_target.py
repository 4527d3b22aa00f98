"""Documents in the terms of Godot's importer: right there, and wrong everywhere else.

`core.engines.godot.target` says what these are, `godot_original` takes them back.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....core.engines.godot import GODOT
from ....core.engines.godot.scene import MENDED, OWN_SETTINGS
from ....core.engines.godot.target import (
    GodotJoint,
    in_godot_shape,
    in_godot_terms,
    turned_rest,
)
from ....core.findings.finding import Finding
from ....core.findings.sentence import Sentence
from ....core.model.body import Quaternion
from ....core.model.graph import joint_ends
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import quaternion_product, rotate, rotation_matrix
from ....core.model.scene import Joint
from ....core.model.shape import Cylinder, Shape
from ....core.rewrite.portable import Portable, portable
from ..format import Options, UnwritableError
from .dialect import Dialect
from .document import DocumentScene, scene_from_document
from .document_members import copied, extension_of, nodes_of
from .godot_meshes import put_meshes_below
from .godot_original import frames_of, kept, marked, plain, set_frames
from .godot_velocities import turn_velocities
from .omi.joint import EXTENSION as JOINT
from .omi.joint import settings_to_json
from .omi.shape import EXTENSION as SHAPE
from .omi.shape import document_from_json as shapes_from_json
from .omi.shape import shape_to_json


def for_godot(document: JsonObject) -> tuple[JsonObject, list[Finding]]:
    """Return a document in the OMI form in the terms of Godot's importer.

    What these cannot express is among the findings, by the rules of the engine report.
    """
    document = copied(document)
    put_meshes_below(document)
    joints = _Joints(document)
    found = (item for item in _of_scene(joints.read) if item.rule != OWN_SETTINGS)
    findings = [*joints.write(), *found]
    _write_shapes(document)
    turn_velocities(document, joints.read)
    return marked(document), findings


def godot_findings(read: DocumentScene) -> list[Finding]:
    """Return what Godot loses of a document that was written in its importer's terms."""
    found = [item.at(joint.place) for joint, _, terms in _terms(read) for item in terms.findings]
    return [*found, *_of_scene(read)]


def _of_scene(read: DocumentScene) -> Iterator[Finding]:
    return (item for item in GODOT.check_scene(read.scene) if item.rule not in MENDED)


def require_godot(options: Options) -> None:
    """Raise `UnwritableError` unless a document with these options can be for Godot's importer."""
    if options["for"] != GODOT.name:
        raise UnwritableError(
            Sentence(
                "glTF can only be written for {target}, not {options!r}",
                target=GODOT.name,
                options=options["for"],
            )
        )
    if Dialect.KHR in (options.get("dialect") or ()):
        raise UnwritableError("Godot's importer only reads the OMI extensions; leave out khr")


class _Joints:
    """The joints of one document on their way; elements that become equal are one."""

    def __init__(self, document: JsonObject) -> None:
        self.document = document
        self.nodes = nodes_of(document)
        self.read = scene_from_document(document, dialects={Dialect.OMI})
        self.elements: list[JsonObject] = []
        root = extension_of(document, JOINT)
        authored = root.get("physicsJoints") if isinstance(root, dict) else None
        self.authored: list[Any] = authored if isinstance(authored, list) else []

    def write(self) -> list[Finding]:
        """Rewrite all joints; return what cannot be expressed."""
        findings: list[Finding] = []
        used: set[int] = set()
        for joint, result, terms in _terms(self.read):
            used.add(self._write_joint(joint, result, terms.settings))
            findings += [item.at(joint.place) for item in terms.findings]
        for index, element in enumerate(self.authored):
            if index not in used:
                self._add(element, index, element)
        if self.authored:
            root = self.document["extensions"][JOINT]
            changed = self.document["extensions"] | {JOINT: root | {"physicsJoints": self.elements}}
            self.document["extensions"] = changed
        return findings

    def _write_joint(self, joint: Joint, result: Portable, settings: JointSettings) -> int:
        """Rewrite one joint; return the index of its settings."""
        node = self.nodes[self.read.frames.get(joint.node, joint.node)]
        value = node["extensions"][JOINT]
        before = int(value["joint"])
        element = settings_to_json(settings)
        changed = value | {"joint": self._add(element, before, self.authored[before])}
        if result.is_turned:
            frames = frames_of(node, self.nodes)
            _turn(node, self.nodes, result.turn.rotation)
            changed = kept(changed, {"frames": frames}, frames_of(node, self.nodes))
        node["extensions"] = node["extensions"] | {JOINT: changed}
        return before

    def _add(self, element: Any, index: int, authored: Any) -> int:
        """Return the index of an element that keeps its original, added where it is new."""
        if isinstance(element, dict) and isinstance(authored, dict):
            original = {"index": index, "settings": plain(authored)}
            element = kept(plain(element), original, plain(element))
        if element not in self.elements:
            self.elements.append(element)
        return self.elements.index(element)


def _terms(read: DocumentScene) -> Iterator[tuple[Joint, Portable, GodotJoint]]:
    """Yield each joint, what its frames are turned by, and its settings in the importer's terms."""
    masses = list(_masses(read))
    rests = read.scene.relative_poses()
    for number, joint in enumerate(read.scene.joints):
        rest = rests.at(number)
        index = read.frames.get(joint.node, joint.node)
        can_turn = index == joint.node and index not in read.scene.motions
        can_turn = can_turn and not read.scene.carries.get(index)
        result = portable(joint.settings, GODOT, turns=can_turn)
        turned = turned_rest(rest, result.turn.rotation)
        yield joint, result, in_godot_terms(result.settings, turned, masses[number])


def _masses(read: DocumentScene) -> Iterator[float | None]:
    """Yield what a force on each joint moves, None where both ends move or none does."""
    ends = joint_ends(read.scene)
    for number in range(len(read.scene.joints)):
        moving = [
            int(body)
            for body, is_dynamic in (
                (ends.body[number], ends.is_dynamic[number]),
                (ends.connected_body[number], ends.is_connected_dynamic[number]),
            )
            if is_dynamic
        ]
        yield read.scene.motions[moving[0]].mass if len(moving) == 1 else None


def _turn(node: JsonObject, nodes: list[JsonObject], turn: Quaternion) -> None:
    """Turn a node in its own axes and its children back, so that they stay where they are."""
    back: Quaternion = (-turn[0], -turn[1], -turn[2], turn[3])
    own, *children = frames_of(node, nodes)
    set_frames(node, nodes, [_after(own, turn), *(_before(child, back) for child in children)])


def _after(frame: JsonObject, turn: Quaternion) -> JsonObject:
    """Return a transform that comes after a turn in the node's own axes."""
    if "matrix" in frame:
        return {"matrix": _matrix(_rows(frame) @ _turning(turn))}
    rotation = quaternion_product(np.array(frame.get("rotation", (0, 0, 0, 1))), np.array(turn))
    return frame | {"rotation": rotation.tolist()}


def _before(frame: JsonObject, turn: Quaternion) -> JsonObject:
    """Return a transform of which a parent's turn is taken off."""
    if "matrix" in frame:
        return {"matrix": _matrix(_turning(turn) @ _rows(frame))}
    rotation = quaternion_product(np.array(turn), np.array(frame.get("rotation", (0, 0, 0, 1))))
    place = rotate(np.array(turn), np.array(frame.get("translation", (0.0, 0.0, 0.0)), float))
    return frame | {"translation": place.tolist(), "rotation": rotation.tolist()}


def _rows(frame: JsonObject) -> Any:
    return np.array(frame["matrix"], float).reshape(4, 4).T


def _matrix(rows: Any) -> list[float]:
    found: list[float] = rows.T.reshape(16).tolist()
    return found


def _turning(turn: Quaternion) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(np.array(turn))
    return matrix


def _write_shapes(document: JsonObject) -> None:
    root = extension_of(document, SHAPE)
    if not isinstance(root, dict):
        return
    read, _ = shapes_from_json(root, f"/extensions/{SHAPE}")
    declared = root.get("shapes")
    shapes = list(declared) if isinstance(declared, list) else []
    for index, shape in enumerate(read.shapes):
        if shape is None:
            continue
        meant = in_godot_shape(shape)
        if meant != shape or _lacks_radius(shape, shapes[index].get("cylinder") or {}):
            element = shape_to_json(meant)
            shapes[index] = kept(plain(element), plain(shapes[index]), plain(element))
    document["extensions"] = document["extensions"] | {SHAPE: root | {"shapes": shapes}}


def _lacks_radius(shape: Shape, sizes: JsonObject) -> bool:
    """Return whether a cylinder misses the one radius of older files, all that the importer reads.

    It is written beside both radii where these are equal.
    """
    if not isinstance(shape, Cylinder) or shape.radius_bottom != shape.radius_top:
        return False
    return "radius" not in sizes
