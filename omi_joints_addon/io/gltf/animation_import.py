"""Channels of KHR_animation_pointer that change joints and bodies, as F-curves."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import bpy

from ...authoring.joint_tracks import path_of, set_keys
from ...core.model.pose import Array
from ...properties.joint import joint_data
from ..formats.gltf.animations import limits_in_khr, target_of
from ..formats.gltf.khr.limits import number_before
from ..formats.gltf.khr.rigid_bodies import EXTENSION as KHR
from .body_channels import components, keyed_values
from .report import Report
from .rules import NOT_KEYED
from .upstream import import_scene
from .upstream_animation import PointerChannel, pointer_channels

_OF_IMPORTER = re.compile(
    r"/(materials|cameras)/.*|/nodes/\d+/(translation|rotation|scale|weights)"
    r"|/extensions/KHR_lights_punctual/.*"
)
"""Pointers that Blender's importer reads or reports itself."""


@dataclass(frozen=True, slots=True, eq=False)
class _KeyedNumber:
    """A number of an object with its values."""

    obj: bpy.types.Object
    path: str
    index: int
    values: Array
    channel: PointerChannel


class AnimationImport:
    """Animations of the joints and bodies of one file.

    `owners` are the objects that own settings by the place of these in the document, `joints` those
    of joints by theirs.
    """

    def __init__(
        self, owners: Mapping[str, bpy.types.Object], joints: Mapping[str, bpy.types.Object]
    ) -> None:
        self._owners = owners
        self._joints = joints

    def finish(self, importer: Any, report: Report) -> None:
        """Make F-curves of all channels that point at physics; name what else changes.

        As the importer does, the first animation of an object becomes its action and those after
        it muted strips.
        """
        scene = import_scene(importer)
        rate = scene.render.fps / scene.render.fps_base
        found = [
            (channel.animation, keyed)
            for channel in pointer_channels(importer)
            for keyed in self._keyed(importer, channel, report)
        ]
        found.sort(key=lambda each: each[1].obj.name_full)  # stable: animations stay in order
        for (_, name), of_object in groupby(found, lambda each: (each[1].obj.name_full, each[0])):
            numbers = [keyed for _, keyed in of_object]
            obj = numbers[0].obj
            with _Action(obj, name) as action:
                for keyed in numbers:
                    curve = action.fcurve_ensure_for_datablock(obj, keyed.path, index=keyed.index)
                    frames, interpolation = (
                        keyed.channel.seconds * rate,
                        keyed.channel.interpolation,
                    )
                    set_keys(curve, frames, keyed.values, interpolation, rate)

    def _keyed(
        self, importer: Any, channel: PointerChannel, report: Report
    ) -> Iterator["_KeyedNumber"]:
        """Yield the numbers of objects that a channel changes; name one that changes others."""
        factor = 1.0 / import_scene(importer).unit_settings.scale_length
        if (target := self._target(importer, channel.pointer)) is not None:
            obj, path, is_length = target
            if channel.width == 1:
                values = channel.values * (factor if is_length else 1.0)
                yield _KeyedNumber(obj, path, 0, values, channel)
            return
        values_of_bodies = [
            (obj, value)
            for obj, value in keyed_values(importer, channel.pointer)
            if value.axes.width == channel.width
        ]
        for obj, value in values_of_bodies:
            scaled = channel.values * (factor if value.is_length else 1.0)
            for at, values in enumerate(components(obj, value, scaled)):
                yield _KeyedNumber(obj, value.path, at, values, channel)
        is_read = _is_of_joint(channel.pointer) or _OF_IMPORTER.fullmatch(channel.pointer)
        if not (values_of_bodies or is_read):
            report.add([NOT_KEYED(channel.animation, pointer=channel.pointer)])

    def _target(self, importer: Any, pointer: str) -> tuple[bpy.types.Object, str, bool] | None:
        """Return the object and data path of a pointer, and whether it is a length."""
        target = target_of(pointer)
        if target is None:
            return None
        place, kind, number, member = target
        obj = (self._owners if kind else self._joints).get(place)
        if obj is None:
            return None
        if kind == "limits" and f"/{KHR}/" in place:
            count = limits_in_khr({"extensions": importer.data.extensions}, place)
            number = number_before(joint_data(obj).settings_to_core().limits, number, count)
        path = path_of(obj, kind, number, member)
        return None if path is None else (obj, path, path.endswith("_distance"))


def _is_of_joint(pointer: str) -> bool:
    """Return whether a pointer is to a joint, which a file may have in a second dialect."""
    return "/physicsJoints/" in pointer or pointer.endswith("/enableCollision")


class _Action:
    """The action that an animation of an object goes into while the block runs."""

    def __init__(self, obj: bpy.types.Object, name: str) -> None:
        self._data = obj.animation_data or obj.animation_data_create()
        self._first = self._data.action, self._data.action_slot
        self._name = name
        self._new: bpy.types.Action | None = None

    def __enter__(self) -> bpy.types.Action:
        for track in self._data.nla_tracks:
            for strip in track.strips:
                if track.name == self._name and strip.action is not None:
                    self._data.action = strip.action
                    self._data.action_slot = strip.action_slot
                    return strip.action
        self._new = bpy.data.actions.new(self._name)
        self._data.action = self._new
        return self._new

    def __exit__(self, *_: object) -> None:
        slot = self._data.action_slot
        before, slot_before = self._first
        if before is None or before == self._data.action:
            return
        if self._new is not None:
            track = self._data.nla_tracks.new()
            track.name = self._name
            start = int(self._new.frame_range[0])
            strip = track.strips.new(self._name, start, self._new)
            strip.action_slot = slot
            track.mute = True
        self._data.action, self._data.action_slot = before, slot_before
