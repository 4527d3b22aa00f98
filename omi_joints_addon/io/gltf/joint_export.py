"""Joints to a glTF file: OMI_physics_joint on the nodes of the attachment frames.

References between nodes become indices only when the file's list of nodes is final: the exporter
follows references by recursion, which a rope or a ring does not survive.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import bpy

from ...core.checks.structure import NO_CONNECTED_NODE, NOT_BELOW_DYNAMIC
from ...core.findings.finding import Finding
from ...core.model.body import MotionType
from ...core.model.joint import JointSettings
from ...properties.joint import SettingsCycleError, joint_data, joint_of, settings_owner
from ...scene.rules import CONNECTED_ELSEWHERE, SHARED_IN_CIRCLE, SHARED_SOURCE_GONE
from ..formats.gltf.dialect import Dialect
from ..formats.gltf.members import CodecError, JsonObject
from ..formats.gltf.omi.joint import EXTENSION, NodeJoint, node_joint_to_json, settings_to_json
from ..formats.gltf.rules import UNREADABLE
from .frames import FrameNodes
from .joint_targets import Targets
from .report import Report
from .upstream import Node, WrittenNode, declare_extension, node_indices


@dataclass(slots=True, eq=False)
class _Link:
    """One joint of the file."""

    joint: WrittenNode
    connected: WrittenNode
    value: JsonObject
    """Extension object of the node, but for `connectedNode`."""
    joint_frame: Node = None
    connected_frame: Node = None


class _LeftOutError(Exception):
    """A joint that would make the file invalid."""

    def __init__(self, reason: Finding) -> None:
        super().__init__(str(reason))
        self.finding = reason


class JointExport:
    """The joints of one export."""

    def __init__(self) -> None:
        self._links: list[_Link] = []
        self._settings: list[JsonObject] = []
        self._indices: dict[JointSettings, int] = {}
        self._read: dict[bpy.types.Object, JointSettings] = {}
        self._same: dict[int, tuple[JointSettings, int]] = {}
        self._owned: dict[bpy.types.Object, int] = {}
        self._kept: JsonObject = {}
        self._dialects: Collection[str] = ()

    def keep(self, members: str) -> None:
        """Note what an import kept of its document, as JSON object text."""
        if members:
            self._kept |= json.loads(members)

    def add_scene(
        self, nodes: list[WrittenNode], dialects: Collection[str], report: Report
    ) -> list[WrittenNode]:
        """Note the joints of a scene that has been gathered, leaving out what would be invalid.

        Return the attachment frames among the nodes.
        """
        self._dialects = dialects
        joints = [written for written in nodes if written.physics.is_joint]
        if not joints:
            return []
        first = len(self._links)
        targets = Targets(nodes, [joint_data(w.obj).connected_object for w in joints if w.obj])
        for written in joints:
            # Blender also writes a deleted joint that others still point to, as an empty.
            if written.obj is None or not targets.is_linked(written.obj):
                continue
            with report.guard(written.obj.name):
                try:
                    self._links.append(self._link(written, written.obj, targets, report))
                except _LeftOutError as left_out:
                    report.add([left_out.finding])
        return [end for link in self._links[first:] for end in (link.joint, link.connected)]

    def add_frames(
        self,
        source: WrittenNode,
        settings: JointSettings,
        enable_collision: bool,
        frames: tuple[Node, Node],
    ) -> None:
        """Note a joint between two nodes that are its frames already; raises `CodecError`."""
        joint = NodeJoint(
            joint=self._index(settings), connected_node=0, enable_collision=enable_collision
        )
        self._links.append(_Link(source, source, node_joint_to_json(joint), *frames))

    def place_frames(self, frames: FrameNodes, report: Report) -> None:
        """Find the nodes of all frames, once all scenes are gathered."""
        for link in self._links:
            with report.guard(_name(link)):
                link.joint_frame = link.joint_frame or frames.node_of(link.joint)
                link.connected_frame = link.connected_frame or frames.node_of(link.connected)
        frames.finish()

    def frame_nodes(self) -> list[Node]:
        """Return the nodes of all frames."""
        return [n for link in self._links for n in (link.joint_frame, link.connected_frame) if n]

    def write(self, document: Any, report: Report) -> None:
        """Write the joints into the document, whose indices are final."""
        if not self._links:
            return
        indices = node_indices(document)
        for link in self._links:
            with report.guard(_name(link)):
                value = link.value | {"connectedNode": indices[id(link.connected_frame)]}
                node = link.joint_frame
                node.extensions = (node.extensions or {}) | {EXTENSION: value}
        unused = self._kept.pop("physicsJoints", [])
        self._settings.extend(value for value in unused if value not in self._settings)
        document.extensions[EXTENSION] = {"physicsJoints": self._settings} | self._kept
        declare_extension(document, EXTENSION)

    def _link(
        self, written: WrittenNode, obj: bpy.types.Object, targets: Targets, report: Report
    ) -> _Link:
        """Return the joint of a node; raises `_LeftOutError`."""
        data = joint_data(obj)
        if data.connected_object is None:
            raise _LeftOutError(NO_CONNECTED_NODE(obj.name))
        connected = targets.nearest(written, data.connected_object)
        if connected is None:
            name = data.connected_object.name
            raise _LeftOutError(CONNECTED_ELSEWHERE(obj.name, connected=name))
        try:
            joint = NodeJoint(
                joint=self._settings_index(obj, targets, report),
                connected_node=0,
                enable_collision=data.enable_collision,
                carried=data.carried,
            )
            value = node_joint_to_json(joint)
        except CodecError as error:
            problem = f"{error.message}; the joint is left out"
            raise _LeftOutError(UNREADABLE(obj.name, problem=problem)) from error
        report.add(_body_findings(obj, written, connected, self._dialects))
        return _Link(written, connected, value)

    def _settings_index(self, obj: bpy.types.Object, targets: Targets, report: Report) -> int:
        """Return the index of a joint's settings, which are written once."""
        try:
            owner = settings_owner(obj)
        except SettingsCycleError as cycle:
            raise _LeftOutError(SHARED_IN_CIRCLE(obj.name, source=str(cycle))) from cycle
        source = joint_data(obj).settings_source
        if source is not None and (joint_of(source) is None or not targets.is_linked(source)):
            report.add([SHARED_SOURCE_GONE(obj.name, source=source.name)])
        if (index := self._owned.get(owner)) is None:
            index = self._owned[owner] = self._index(self.settings_of(owner))
        return index

    def settings_of(self, owner: bpy.types.Object) -> JointSettings:
        """Return the settings that a joint owns, read once in an export."""
        if (settings := self._read.get(owner)) is None:
            settings = self._read[owner] = joint_data(owner).settings_to_core()
        return settings

    def _index(self, settings: JointSettings) -> int:
        """Return the index of settings, equal ones having the same; raises `CodecError`."""
        # What joints hold alike is mostly one value, which is quicker to find than to compare.
        known = self._same.get(id(settings))
        if known is not None:
            return known[1]
        if (index := self._indices.get(settings)) is None:
            value = settings_to_json(settings)
            index = self._indices[settings] = len(self._settings)
            self._settings.append(value)
        self._same[id(settings)] = settings, index
        return index


def _name(link: _Link) -> str:
    return link.joint.obj.name if link.joint.obj is not None else ""


def _body_findings(
    obj: bpy.types.Object,
    written: WrittenNode,
    connected: WrittenNode,
    dialects: Collection[str],
) -> list[Finding]:
    """Return what an engine may not like about where a joint is in the file.

    OMI wants it below the dynamic body, KHR takes either end. A connected node without body gets
    one (`codec.world_anchor`).
    """
    motions = _motions_above(written)
    if Dialect.OMI not in dialects:
        motions |= _motions_above(connected)
    return [] if MotionType.DYNAMIC in motions else [NOT_BELOW_DYNAMIC(obj.name)]


def _motions_above(written: WrittenNode | None) -> set[str]:
    """Return the motion types of the bodies at and above a node, frames hanging below theirs."""
    motions = set()
    while written is not None:
        if written.physics.motion_type is not None:
            motions.add(written.physics.motion_type)
        written = written.origin
    return motions
