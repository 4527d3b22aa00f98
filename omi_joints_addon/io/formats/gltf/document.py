"""A glTF document to core: bodies and joints as plain data, and all that is wrong with them.

SI units, glTF axes (Y up). Nothing outside the document is looked at.
"""

import json
import marshal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ....core.checks.frames import apart
from ....core.checks.scene import capped, check_scene
from ....core.findings.finding import Finding, finding
from ....core.model.body import Motion
from ....core.model.joint import JointSettings
from ....core.model.scene import Joint, PhysicsScene
from .container import leads_out
from .document_nodes import (
    Column,
    columns,
    extension_columns,
    node_names,
    node_parents,
    objects_of,
    shown_index,
    world_matrices,
)
from .joint_screen import SOUND, screened_document
from .members import CodecError, JsonObject, kind_of
from .omi import body as omi_physics_body
from .omi import joint as omi_physics_joint
from .omi import shape as omi_physics_shape

JOINT = omi_physics_joint.EXTENSION
BODY = omi_physics_body.EXTENSION
SHAPE = omi_physics_shape.EXTENSION
LIGHTS = "KHR_lights_punctual"
GRAVITY = (0.0, -9.81, 0.0)
"""[m/s²], along glTF's Y."""
_OLD_NAMES = {"constraints", "nodeA", "nodeB"}
_NOTHING: frozenset[str] = frozenset()
_KEPT_NAMES = {"extensions", "extras", "name"}
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class DocumentScene:
    """What a document holds."""

    scene: PhysicsScene
    findings: tuple[Finding, ...]
    """What is wrong with the document itself; `check_scene` tells the rest."""


def check_document(document: Any) -> list[Finding]:
    """Return all that is wrong with a parsed glTF document, at most a thousand of each rule."""
    read = _screened(document) if isinstance(document, dict) else scene_from_document(document)
    # A missing connected node has been told as what it is in the document.
    found = (item for item in check_scene(read.scene) if item.code != "OMI-J001")
    return capped([*read.findings, *(_in_document(item) for item in found)])


def scene_from_document(document: Any) -> DocumentScene:
    """Return bodies and joints of a parsed glTF document and what is wrong with it.

    Takes any JSON value; what is no glTF is a scene without nodes. A joint that cannot be read
    costs that joint only.
    """
    if not isinstance(document, dict):
        problem = f"it holds {kind_of(document)}, not an object"
        return DocumentScene(_EMPTY.scene(), (finding("OMI-J414", "", problem=problem),))
    return _Reader(document).read()


def _screened(document: JsonObject) -> DocumentScene:
    """Return what `scene_from_document` does, settings that cannot matter to checks left out."""
    read = _Reader(document, is_screened=True).read()
    scene = read.scene
    joints = list(scene.joints)
    for index in apart(scene) if joints else ():
        if joints[index].settings is SOUND:
            place = joints[index].settings_place
            element = document["extensions"][JOINT]["physicsJoints"][int(place.rpartition("/")[2])]
            settings, _ = omi_physics_joint.settings_from_json(element, place)
            joints[index] = replace(joints[index], settings=settings)
    return replace(read, scene=replace(scene, joints=tuple(joints)))


class _Reader:
    """Reads one document; findings gather on the way."""

    def __init__(self, document: JsonObject, *, is_screened: bool = False) -> None:
        self.document = document
        self.is_screened = is_screened
        self.findings: list[Finding] = []
        self.count = 0
        self.columns = columns(())
        self.extensions = extension_columns(self.columns["extensions"], ())
        self.motions: dict[int, Motion] = {}
        self.carries: dict[int, frozenset[str]] = {}
        self.used: set[str] = set()
        self.solid, self.watching = Column(), Column()

    def read(self) -> DocumentScene:
        """Return what the document holds."""
        self._check_head()
        nodes = objects_of(self.document, "nodes", self.findings)
        self.count, self.columns = len(nodes), columns(nodes)
        self.extensions = extension_columns(self.columns["extensions"], (JOINT, BODY, LIGHTS))
        self._read_carried_kinds()
        self._read_bodies()
        joints = self._read_joints()
        self._check_extensions()
        return DocumentScene(self.scene(joints), tuple(self.findings))

    def scene(self, joints: Sequence[Joint] = ()) -> PhysicsScene:
        """Return the scene of what has been read."""
        parents = node_parents(self.count, self.columns["children"], self.findings)
        return PhysicsScene(
            names=node_names(self.count, self.columns["name"]),
            parents=parents,
            matrices=world_matrices(self.columns, parents, self.findings),
            motions=self.motions,
            carries=self.carries,
            joints=tuple(joints),
            gravity=GRAVITY,
        )

    def _check_head(self) -> None:
        asset = self.document.get("asset")
        version = asset.get("version") if isinstance(asset, dict) else None
        if not (isinstance(version, str) and version.startswith("2.")):
            problem = "asset.version is missing" if version is None else f"version {version!r:.20}"
            self.findings.append(finding("OMI-J414", "/asset", problem=problem))
        for name in ("buffers", "images"):
            for index, element in enumerate(objects_of(self.document, name, self.findings)):
                uri = element.get("uri")
                if isinstance(uri, str) and leads_out(uri):
                    shown = repr(uri if len(uri) < 60 else uri[:57] + "…")
                    self.findings.append(finding("OMI-J411", f"/{name}/{index}/uri", uri=shown))

    def _read_carried_kinds(self) -> None:
        for name, kind in (("mesh", "mesh"), ("camera", "camera"), ("skin", "armature")):
            self._carry(self.columns[name], kind)
        self._carry(self.extensions[LIGHTS], "light")

    def _carry(self, column: Column, kind: str) -> None:
        """Note what nodes carry."""
        kinds = {before: before | {kind} for before in {*self.carries.values(), _NOTHING}}
        self.carries |= {i: kinds[self.carries.get(i, _NOTHING)] for i in column.nodes}

    def _read_bodies(self) -> None:
        shapes = self._root(SHAPE, omi_physics_shape.document_from_json)
        bodies = self._root(BODY, omi_physics_body.document_from_json)
        self.sizes = {
            "shape": len(shapes.shapes) if shapes else 0,
            "physics_material": len(bodies.materials) if bodies else 0,
            "collision_filter": len(bodies.filters) if bodies else 0,
        }
        read = _Known(omi_physics_body.node_body_from_json)
        for index, value in self._of_nodes(BODY):
            body, found = read(value)
            if found:
                self._add(found, f"/nodes/{index}/extensions/{BODY}")
            if body is None:
                continue
            if body.motion is not None:
                self.motions[index] = body.motion
            if body.collider is not None or body.trigger is not None:
                self._keep_volumes(index, body)
        self._carry(self.solid, "collider")
        self._carry(self.watching, "trigger")

    def _add(self, found: Sequence[Finding], pointer: str) -> None:
        """Add findings whose places are within the value at `pointer`."""
        self.findings += [replace(item, place=pointer + item.place) for item in found]

    def _keep_volumes(self, index: int, body: omi_physics_body.NodeBody) -> None:
        parts = (("collider", body.collider, self.solid), ("trigger", body.trigger, self.watching))
        for name, part, column in parts:
            if part is None:
                continue
            column.nodes.append(index)
            for reference, size in self.sizes.items():
                number = getattr(part, reference, None)
                if number is not None and number >= size:
                    code = "OMI-S003" if reference == "shape" else "OMI-B007"
                    words = {"name": reference.replace("_", " "), "index": shown_index(number)}
                    place = f"/nodes/{index}/extensions/{BODY}/{name}"
                    self.findings.append(finding(code, place, **words))

    def _read_joints(self) -> list[Joint]:
        read_all = screened_document if self.is_screened else omi_physics_joint.document_from_json
        document = self._root(JOINT, read_all)
        settings = document.settings if document else ()
        found = list(self._of_nodes(JOINT))
        if found and not settings and not (document and _old_names(document.carried)):
            self.findings.append(finding("OMI-J403", f"/extensions/{JOINT}"))
        read = _Known(omi_physics_joint.node_joint_from_json)
        joints: list[Joint] = []
        places = [f"/extensions/{JOINT}/physicsJoints/{index}" for index in range(len(settings))]
        for index, value in found:
            pointer = f"/nodes/{index}/extensions/{JOINT}"
            if _is_plain_joint(value, len(settings), self.count):
                chosen = settings[value["joint"]]
                if chosen is not None:
                    place, end = places[value["joint"]], value["connectedNode"]
                    joint = Joint(
                        node=index,
                        connected=end,
                        settings=chosen,
                        place=pointer,
                        settings_place=place,
                    )
                    joints.append(joint)
                continue
            if isinstance(value, dict) and (names := _OLD_NAMES & value.keys()):
                self.findings.append(finding("OMI-J405", pointer, names=", ".join(sorted(names))))
                continue
            node_joint, problems = read(value)
            self._add(problems, pointer)
            if node_joint is not None:
                joints += self._joint(index, node_joint, settings, pointer)
        self._check_settings(settings, {joint.settings_place for joint in joints})
        self._check_names(f"/extensions/{JOINT}", document.carried if document else "")
        return joints

    def _joint(
        self,
        index: int,
        joint: omi_physics_joint.NodeJoint,
        settings: Sequence[JointSettings | None],
        pointer: str,
    ) -> Iterator[Joint]:
        """Yield the joint of a node, nothing where its settings are missing."""
        self._check_names(pointer, joint.carried)
        connected = joint.connected_node
        if connected is not None and connected >= self.count:
            self._dangling(f"{pointer}/connectedNode", "node", connected)
            connected = None
        if joint.joint >= len(settings):
            self._dangling(f"{pointer}/joint", "physics joint", joint.joint)
            return
        chosen = settings[joint.joint]
        if chosen is not None:
            yield Joint(
                node=index,
                connected=connected,
                settings=chosen,
                enable_collision=joint.enable_collision,
                place=pointer,
                settings_place=f"/extensions/{JOINT}/physicsJoints/{joint.joint}",
            )

    def _check_settings(self, settings: Sequence[JointSettings | None], used: set[str]) -> None:
        """Add findings about settings that no joint uses, and unknown members."""
        for index, element in enumerate(settings):
            place = f"/extensions/{JOINT}/physicsJoints/{index}"
            if element is None:
                continue
            if place not in used:
                self.findings.append(finding("OMI-J404", place))
            if element is not SOUND:
                for part, carried in _carried_parts(element):
                    self._check_names(place + part, carried)

    def _check_names(self, place: str, carried: str) -> None:
        """Add a finding where members are unknown or of the old form of the extension."""
        if not carried:
            return
        names = sorted(json.loads(carried).keys() - _KEPT_NAMES)
        old = _old_names(carried)
        if names:
            shown = ", ".join(old or names)[:80]
            self.findings.append(finding("OMI-J405" if old else "OMI-J406", place, names=shown))

    def _check_extensions(self) -> None:
        listed = self._listed("extensionsUsed")
        for extension in sorted(self.used - listed):
            self.findings.append(finding("OMI-J402", "/extensionsUsed", extension=extension))
        if JOINT in self._listed("extensionsRequired"):
            self.findings.append(finding("OMI-J412", "/extensionsRequired", extension=JOINT))

    def _listed(self, name: str) -> set[str]:
        value = self.document.get(name, [])
        if not isinstance(value, list):
            words = {"name": name, "expected": "an array", "found": kind_of(value)}
            self.findings.append(finding("OMI-J409", f"/{name}", **words))
            return set()
        return {element for element in value if isinstance(element, str)}

    def _root(
        self, extension: str, read: Callable[[Any, str], tuple[T, list[Finding]]]
    ) -> T | None:
        """Return the extension object of the document."""
        extensions = self.document.get("extensions")
        if not isinstance(extensions, dict) or extension not in extensions:
            return None
        self.used.add(extension)
        try:
            document, found = read(extensions[extension], f"/extensions/{extension}")
        except CodecError as error:
            self.findings.append(error.finding)
            return None
        self.findings += found
        return document

    def _of_nodes(self, extension: str) -> list[tuple[int, Any]]:
        """Return the extension object of each node that has one."""
        column = self.extensions[extension]
        if column.nodes:
            self.used.add(extension)
        return list(zip(column.nodes, column.values, strict=True))

    def _dangling(self, place: str, name: str, index: int) -> None:
        self.findings.append(finding("OMI-J401", place, name=name, index=shown_index(index)))


_EMPTY = _Reader({})


def _is_plain_joint(value: Any, settings: int, nodes: int) -> bool:
    """Return whether the joint of a node says what it must and no more, with indices in range."""
    if type(value) is not dict or len(value) != 2:
        return False
    joint, connected = value.get("joint"), value.get("connectedNode")
    return (
        type(joint) is int
        and type(connected) is int
        and 0 <= joint < settings
        and 0 <= connected < nodes
    )


class _Known:
    """Reads values by a codec; one that was read before is not read again."""

    def __init__(self, read: Callable[[Any, str], tuple[Any, list[Finding]]]) -> None:
        self._read = read
        self._known: dict[bytes, tuple[Any, list[Finding]]] = {}

    def __call__(self, value: Any) -> tuple[Any, list[Finding]]:
        """Return what the codec makes of `value`, None where it cannot be read, and findings."""
        try:
            key = marshal.dumps(value, 2)
        except ValueError:
            # Deeper than marshal writes.
            return self._new(value)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._new(value)
        return known

    def _new(self, value: Any) -> tuple[Any, list[Finding]]:
        try:
            return self._read(value, "")
        except CodecError as error:
            return None, [error.finding]


def _in_document(item: Finding) -> Finding:
    """Return a finding about settings with the JSON pointer of the limit or drive."""
    is_settings = item.part and item.place.startswith("/extensions/")
    return replace(item, place=item.place + item.part, part="") if is_settings else item


def _old_names(carried: str) -> list[str]:
    """Return the members of the old form of the extension among carried ones."""
    return sorted(_OLD_NAMES & json.loads(carried).keys()) if carried else []


def _carried_parts(settings: JointSettings) -> Iterator[tuple[str, str]]:
    yield "", settings.carried
    for index, limit in enumerate(settings.limits):
        yield f"/limits/{index}", limit.carried
    for index, drive in enumerate(settings.drives):
        yield f"/drives/{index}", drive.carried
