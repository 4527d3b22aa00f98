"""Joints to a glTF file: OMI_physics_joint on the nodes of the attachment frames.

References between nodes become indices only when the file's list of nodes is final: the exporter
follows references by recursion, which a rope or a ring does not survive.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import bpy

from ...core.checks.structure import NO_CONNECTED_NODE, NOT_BELOW_DYNAMIC
from ...core.findings.finding import Finding
from ...core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ...core.model.body import MotionType
from ...core.model.joint import JointSettings
from ...core.model.scene import Joint
from ...properties.bones import object_of
from ...properties.joint import joint_of
from ...properties.rigid_body_constraint import ConstraintJoint
from ...scene.animation import animated_settings
from ...scene.rules import CONNECTED_ELSEWHERE, SHARED_IN_CIRCLE, SHARED_SOURCE_GONE
from ..formats.gltf.dialect import Dialect
from .animation_export import AnimatedJoint
from .frames import FrameNodes
from .gathered import Gathered
from .joint_reading import JointReader, JointReading
from .joint_targets import Targets
from .report import Report
from .upstream import FileNode, WrittenNode


@dataclass(slots=True, eq=False)
class _Link:
    """One joint of the file."""

    name: str
    joint: WrittenNode
    connected: WrittenNode
    settings: JointSettings
    enable_collision: bool
    carried: str = ""
    joint_frame: FileNode = None
    connected_frame: FileNode = None
    attributes: JointAttributes = DEFAULT_ATTRIBUTES
    source: WrittenNode | None = None
    """Joint that this one follows."""
    coefficients: tuple[float, ...] = ()
    owner: bpy.types.Object | None = None
    """Object whose limits and drives these are."""


class _LeftOutError(Exception):
    """A joint that would make the file invalid."""

    def __init__(self, reason: Finding) -> None:
        super().__init__(str(reason))
        self.finding = reason


class JointExport:
    """The joints of one export."""

    def __init__(self) -> None:
        self._links: list[_Link] = []
        self.reader = JointReader()
        self._dialects: Collection[str] = ()

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
        read = list(self._readings(joints, report))
        ends = [end for _, reading in read for end in (reading.connected, reading.followed)]
        targets = Targets(nodes, ends)
        for written, reading in read:
            # Blender also writes a deleted joint that others still point to, as an empty.
            if not isinstance(written.obj, bpy.types.Object) or not targets.is_linked(written.obj):
                continue
            with report.guard(reading.name):
                try:
                    self._links.append(self._link(written, reading, targets, report))
                except _LeftOutError as left_out:
                    report.add([left_out.finding])
        return [end for link in self._links[first:] for end in (link.joint, link.connected)]

    def _readings(
        self, joints: list[WrittenNode], report: Report
    ) -> Iterator[tuple[WrittenNode, JointReading]]:
        """Yield what joints say; one that cannot be read is reported."""
        for written in joints:
            if not isinstance(written.obj, bpy.types.Object):
                continue
            with report.guard(written.obj.name):
                yield written, self.reader.read(written.obj)

    def add_frames(
        self,
        source: WrittenNode,
        joint: ConstraintJoint,
        frames: tuple[FileNode, FileNode],
    ) -> None:
        """Note a joint between two nodes that are its frames already."""
        name = source.obj.name if source.obj is not None else ""
        link = _Link(name, source, source, joint.settings, joint.enable_collision, "", *frames)
        link.attributes = joint.attributes
        self._links.append(link)

    def place_frames(self, frames: FrameNodes, gathered: Gathered, report: Report) -> None:
        """Find the nodes of all frames, once all scenes are gathered, and add the joints."""
        for link in self._links:
            with report.guard(link.name):
                link.joint_frame = link.joint_frame or frames.node_of(link.joint)
                link.connected_frame = link.connected_frame or frames.node_of(link.connected)
                joint = _joint(link, gathered)
                gathered.joints.append(joint)
                if link.owner is not None and animated_settings(link.owner):
                    gathered.keyed[joint.node] = link.owner.name_full
        self._add_beyond(gathered)
        frames.finish()

    def animated(self) -> Iterator[AnimatedJoint]:
        """Yield joints of the file whose limits, drives or collision may be animated."""
        owners = set[str]()
        for link in self._links:
            obj = link.joint.obj
            if link.joint_frame is None or link.owner is None or obj is None:
                continue
            if link.owner.name_full not in owners:
                owners.add(link.owner.name_full)
                yield AnimatedJoint(link.owner, link.joint_frame, is_owner=True)
            yield AnimatedJoint(object_of(obj), link.joint_frame, is_owner=False)

    def _add_beyond(self, gathered: Gathered) -> None:
        """Note what the joints have that the extensions have no words for."""
        frames = {link.joint: link.joint_frame for link in self._links if link.joint_frame}
        for link in self._links:
            is_plain = link.attributes == DEFAULT_ATTRIBUTES and link.source is None
            if link.joint_frame is None or is_plain:
                continue
            node = gathered.number(link.joint_frame, link.name)
            if link.attributes != DEFAULT_ATTRIBUTES:
                gathered.attributes[node] = link.attributes
            if link.source in frames:
                source = gathered.number(frames[link.source], link.name)
                gathered.follows[node] = source, link.coefficients

    def _link(
        self, written: WrittenNode, reading: JointReading, targets: Targets, report: Report
    ) -> _Link:
        """Return the joint of a node; raises `_LeftOutError`."""
        if reading.connected is None:
            raise _LeftOutError(NO_CONNECTED_NODE(reading.name))
        connected = targets.nearest(written, reading.connected)
        if connected is None:
            name = reading.connected.name
            raise _LeftOutError(CONNECTED_ELSEWHERE(reading.name, connected=name))
        settings = self._shared_settings(reading, targets, report)
        report.add(_body_findings(reading.name, written, connected, self._dialects))
        link = _Link(
            reading.name, written, connected, settings, reading.enable_collision, reading.carried
        )
        link.attributes, link.coefficients = reading.attributes, reading.coefficients
        link.owner = reading.owner
        if reading.followed is not None:
            link.source = targets.nearest(written, reading.followed)
        return link

    def _shared_settings(
        self, reading: JointReading, targets: Targets, report: Report
    ) -> JointSettings:
        """Return a joint's settings, the same object for all joints that share them."""
        if reading.owner is None:
            raise _LeftOutError(SHARED_IN_CIRCLE(reading.name, source=reading.circle))
        source = reading.source
        if source is not None and (joint_of(source) is None or not targets.is_linked(source)):
            report.add([SHARED_SOURCE_GONE(reading.name, source=source.name)])
        return self.reader.settings_of(reading.owner)


def _joint(link: _Link, gathered: Gathered) -> Joint:
    return Joint(
        node=gathered.number(link.joint_frame, link.name),
        connected=gathered.number(link.connected_frame, link.name),
        settings=link.settings,
        enable_collision=link.enable_collision,
        carried=link.carried,
        place=link.name,
    )


def _body_findings(
    name: str,
    written: WrittenNode,
    connected: WrittenNode,
    dialects: Collection[str],
) -> list[Finding]:
    """Return what an engine may not like about where a joint is in the file.

    OMI wants it below the dynamic body, KHR takes either end. A connected node without body gets
    one (`formats.gltf.world_anchor`).
    """
    motions = _motions_above(written)
    if Dialect.OMI not in dialects:
        motions |= _motions_above(connected)
    return [] if MotionType.DYNAMIC in motions else [NOT_BELOW_DYNAMIC(name)]


def _motions_above(written: WrittenNode | None) -> set[str]:
    """Return the motion types of the bodies at and above a node, frames hanging below theirs."""
    motions = set()
    while written is not None:
        if written.physics.motion_type is not None:
            motions.add(written.physics.motion_type)
        written = written.origin
    return motions
