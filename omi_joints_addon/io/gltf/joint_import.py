"""Joints from a glTF file: OMI_physics_joint of document and nodes to `Object.omi_joint`."""

import dataclasses
import json
from typing import Any

import bpy

from ...authoring.frames import display_size, show_empty
from ...authoring.joints import EMPTY_SIZE
from ...core.findings.finding import Finding
from ...core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ...properties.gltf_options import options_of
from ...properties.joint import joint_data
from ..formats.gltf.document_nodes import shown_index
from ..formats.gltf.members import CodecError
from ..formats.gltf.omi.joint import (
    EXTENSION,
    JointsDocument,
    NodeJoint,
    document_from_json,
    node_joint_from_json,
    settings_to_json,
)
from ..formats.gltf.rules import NO_SUCH_ELEMENT
from .body_import import has_body_part
from .frames import NAME
from .report import Report
from .rules import UNIT_SCALE
from .upstream import (
    document_extension,
    has_own_data,
    import_scene,
    imported_object,
    new_frame_object,
    node_extension,
    nodes_of,
    turn_imported,
)


class JointImport:
    """The joints of one file."""

    def __init__(self) -> None:
        self._document = JointsDocument()
        self._joints: dict[int, NodeJoint] = {}
        self._frames: dict[int, bpy.types.Object] = {}
        self._turned: set[int] = set()

    def read(self, importer: Any, report: Report) -> None:
        """Read document and nodes before anything is created."""
        value = document_extension(importer, EXTENSION)
        if value is not None:
            try:
                self._document, findings = document_from_json(value, f"/extensions/{EXTENSION}")
            except CodecError as error:
                findings = [error.finding]
            report.add(findings)
        nodes = nodes_of(importer)
        for index, node in enumerate(nodes):
            if (value := node_extension(node, EXTENSION)) is not None:
                with report.guard(_place(index, node)):
                    report.add(
                        self._read_node(index, value, len(nodes)), f"{_place(index, node)}: "
                    )

    def turn_frames(self, importer: Any) -> None:
        """Turn the frames that have the axes of their node to themselves, before objects exist."""
        nodes = nodes_of(importer)
        for index in self._frame_indices():
            if not has_own_data(importer, index) and not has_body_part(nodes[index]):
                turn_imported(importer, index)
                self._turned.add(index)

    def finish(self, importer: Any, report: Report) -> None:
        """Set the joints once all objects exist."""
        factor = 1.0 / import_scene(importer).unit_settings.scale_length
        if factor != 1.0 and self._joints:
            scale = import_scene(importer).unit_settings.scale_length
            report.add([UNIT_SCALE(importer.filename, scale=scale, factor=factor)])
        self._keep_rest(importer)
        owners: dict[int, bpy.types.Object] = {}
        for index, joint in self._joints.items():
            with report.guard(_place(index, nodes_of(importer)[index])):
                obj = self._frame(importer, index)
                data = joint_data(obj)
                data.enabled = True
                data.enable_collision = joint.enable_collision
                data.carried = joint.carried
                data.display_size = _show(obj)
                if joint.connected_node is not None:
                    connected = self._frame(importer, joint.connected_node)
                    data.connected_object = connected
                    _show(connected)
                owner = owners.setdefault(joint.joint, obj)
                if owner is not obj:
                    data.settings_source = owner
                elif (settings := self._settings(joint)) is not None:
                    data.settings_from_core(_scaled(settings, factor))

    def _read_node(self, index: int, value: Any, count: int) -> list[Finding]:
        """Read the joint of a node; return what is wrong with it."""
        pointer = f"/nodes/{index}/extensions/{EXTENSION}"
        try:
            joint, findings = node_joint_from_json(value, pointer)
        except CodecError as error:
            return [error.finding]
        connected = joint.connected_node
        if connected is not None and connected >= count:
            words = {"name": "node", "index": shown_index(connected)}
            findings.append(NO_SUCH_ELEMENT(f"{pointer}/connectedNode", **words))
            joint = dataclasses.replace(joint, connected_node=None)
        if self._settings(joint) is None:
            words = {"name": "physics joint", "index": shown_index(joint.joint)}
            findings.append(NO_SUCH_ELEMENT(f"{pointer}/joint", **words))
        self._joints[index] = joint
        return findings

    def _settings(self, joint: NodeJoint) -> JointSettings | None:
        """Return the settings that a joint uses, None where the document has no such."""
        known = self._document.settings
        return known[joint.joint] if joint.joint < len(known) else None

    def _frame_indices(self) -> set[int]:
        """Return the nodes that are attachment frames."""
        connected = {joint.connected_node for joint in self._joints.values()}
        return {index for index in (*self._joints, *connected) if index is not None}

    def _frame(self, importer: Any, index: int) -> bpy.types.Object:
        """Return the object that is the frame of a node: its own, or an empty below."""
        if index in self._turned:
            return imported_object(importer, index)
        if index not in self._frames:
            name = nodes_of(importer)[index].name or imported_object(importer, index).name
            frame = new_frame_object(importer, index, NAME.format(name))
            joint_data(frame).is_frame_of_parent = True
            self._frames[index] = frame
        return self._frames[index]

    def _keep_rest(self, importer: Any) -> None:
        """Keep what belongs to the document: settings that no joint uses and unknown members."""
        used = {joint.joint for joint in self._joints.values()}
        rest = json.loads(self._document.carried or "{}")
        unused = [
            settings_to_json(settings)
            for index, settings in enumerate(self._document.settings)
            if index not in used and settings is not None
        ]
        options = options_of(import_scene(importer))
        if unused:
            rest["physicsJoints"] = unused
        if rest:
            kept = json.loads(options.joints_carried or "{}")
            unused = [*kept.get("physicsJoints", ()), *unused]
            options.joints_carried = json.dumps(
                kept | rest | ({"physicsJoints": unused} if unused else {})
            )


def _place(index: int, node: Any) -> str:
    """Return what to call a node in messages."""
    return f"node {index} {node.name!r}" if node.name else f"node {index}"


def _show(frame: bpy.types.Object) -> float:
    """Give a frame the looks of one that is made in Blender; return the size to draw it at."""
    size = display_size(frame.parent or frame)
    if frame.type == "EMPTY":
        show_empty(frame, display="PLAIN_AXES", size=EMPTY_SIZE * size)
    return size


def _scaled(settings: JointSettings, factor: float) -> JointSettings:
    """Return settings with lengths times `factor`, as the importer scales positions."""
    if factor == 1.0:
        return settings
    return dataclasses.replace(
        settings,
        limits=tuple(_scaled_limit(limit, factor) for limit in settings.limits),
        drives=tuple(_scaled_drive(drive, factor) for drive in settings.drives),
    )


def _scaled_limit(limit: JointLimit, factor: float) -> JointLimit:
    if limit.angular_axes:
        return limit
    return dataclasses.replace(limit, min=limit.min * factor, max=limit.max * factor)


def _scaled_drive(drive: JointDrive, factor: float) -> JointDrive:
    if drive.type != DriveType.LINEAR:
        return drive
    position, velocity = drive.position_target, drive.velocity_target
    return dataclasses.replace(
        drive,
        position_target=None if position is None else position * factor,
        velocity_target=None if velocity is None else velocity * factor,
    )
