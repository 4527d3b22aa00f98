"""Joints from a glTF file, as the format reads them, to `Object.omi_joint`."""

import dataclasses
from functools import partial
from typing import Any

import bpy

from ...authoring.frames import display_size, new_frame_below, show_empty
from ...authoring.joints import EMPTY_SIZE
from ...core.meaning.coupling import only_freedom_of
from ...core.model.articulation import Coupling
from ...core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ...core.model.scene import Joint
from ...properties.joint import joint_data
from ..formats.gltf.document import DocumentScene
from ..formats.gltf.document_frames import ends_of
from .document_import import node_name
from .frames import NAME
from .report import Report
from .rules import UNIT_SCALE
from .upstream import (
    bone_of,
    frame_rotation,
    has_own_data,
    import_scene,
    imported_object,
    nodes_of,
    turn_imported,
)


class JointImport:
    """The joints of one file."""

    def __init__(self, read: DocumentScene) -> None:
        self._joints = read.scene.joints
        self._couplings = read.scene.couplings
        self._ends = ends_of(read.scene.joints)
        self._owners = read.frames
        self._frames: dict[int, bpy.types.Object] = {}
        self._turned: set[int] = set()
        self.owners: dict[str, bpy.types.Object] = {}
        """Objects that own settings, by the place of these in the document."""
        self.objects: dict[str, bpy.types.Object] = {}
        """Objects of joints by the place of these in the document."""

    def turn_frames(self, importer: Any) -> None:
        """Turn the frames that have the axes of their node to themselves, before objects exist."""
        for index in self._ends - self._owners.keys():
            if not has_own_data(importer, index):
                turn_imported(importer, index)
                self._turned.add(index)

    def finish(self, importer: Any, report: Report) -> None:
        """Set the joints once all objects exist."""
        scale = import_scene(importer).unit_settings.scale_length
        factor = 1.0 / scale
        if factor != 1.0 and self._joints:
            report.add([UNIT_SCALE(importer.filename, scale=scale, factor=factor)])
        for joint in self._joints:
            index = self._owners.get(joint.node, joint.node)
            with report.guard(partial(node_name, importer, index)):
                self._set(importer, joint, factor)
        for coupling in self._couplings:
            with report.guard(importer.filename):
                self._couple(importer, coupling, factor)

    def _couple(self, importer: Any, coupling: Coupling, factor: float) -> None:
        """Let a joint follow another one."""
        joint, source = (self._joints[n] for n in (coupling.joint, coupling.source))
        group = joint_data(self._frame(importer, joint.node)).coupling
        unit, units = (_unit(each.settings, factor) for each in (joint, source))
        group.from_core(
            self._frame(importer, source.node),
            tuple(c * unit / units**power for power, c in enumerate(coupling.coefficients)),
        )

    def _set(self, importer: Any, joint: Joint, factor: float) -> None:
        """Set a joint; the first one that has some settings owns them."""
        obj = self._frame(importer, joint.node)
        data = joint_data(obj)
        data.display_size = _show(obj)
        connected = None
        if joint.connected is not None:
            connected = self._frame(importer, joint.connected)
            _show(connected)
        self.objects[joint.place] = obj
        owner = self.owners.setdefault(joint.settings_place, obj)
        if factor != 1.0:
            joint = dataclasses.replace(joint, settings=_scaled(joint.settings, factor))
        data.from_core(joint, connected=connected, owner=None if owner is obj else owner)

    def _frame(self, importer: Any, node: int) -> bpy.types.Object:
        """Return the object that is a frame: that of its node, or an empty below."""
        index = self._owners.get(node, node)
        if index in self._turned:
            return imported_object(importer, index)
        if index not in self._frames:
            self._frames[index] = _new_frame(importer, index)
        return self._frames[index]


def _new_frame(importer: Any, index: int) -> bpy.types.Object:
    """Return a new empty in the place and the axes of a node whose object has other axes."""
    parent = imported_object(importer, index)
    name = NAME.format(nodes_of(importer)[index].name or parent.name)
    frame = new_frame_below(parent, name, frame_rotation(importer, index), bone_of(importer, index))
    joint_data(frame).is_frame_of_parent = True
    return frame


def _show(frame: bpy.types.Object) -> float:
    """Give a frame the looks of one that is made in Blender; return the size to draw it at."""
    size = display_size(frame.parent or frame)
    if frame.type == "EMPTY":
        show_empty(frame, display="PLAIN_AXES", size=EMPTY_SIZE * size)
    return size


def _unit(settings: JointSettings, factor: float) -> float:
    """Return what the position of a joint with one axis is multiplied by: angles stay."""
    freedom = only_freedom_of(settings)
    return factor if freedom is not None and freedom.is_linear else 1.0


def _scaled(settings: JointSettings, factor: float) -> JointSettings:
    """Return settings with lengths times `factor`, as the importer scales positions."""
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
