"""Keyed numbers of joints to a glTF file, as channels of KHR_animation_pointer."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy

from ...core.findings.finding import Finding, Rule
from ...core.model.animation import ENABLE_COLLISION, Interpolation, Track
from ...core.model.joint import JointSettings
from ...core.model.plain import JsonObject
from ...properties.joint import joint_data
from ...scene.animation import animated_paths, exists, is_position_animated
from ...scene.joint_tracks import COLLISION, PREFIX, number_of
from ...scene.rules import POSITION_ANIMATED
from ..formats.gltf.animation_writing import Place, has_mirrored_minimum, places_of
from ..formats.gltf.dialect import Dialect
from .keyed_numbers import Keyed, KeyedNumbers
from .report import Report
from .rules import ANIMATION_LEFT_OUT, NOT_ANIMATED, NOT_FINITE, REMOVED
from .upstream import FileNode, node_indices
from .upstream_animation import (
    add_channel,
    add_sampler,
    animation_named,
    declare_pointers,
)


@dataclass(frozen=True, slots=True, eq=False)
class AnimatedJoint:
    """A joint of the file whose numbers may be keyed."""

    obj: bpy.types.Object
    """The joint, or the one whose settings it shares."""
    frame: FileNode
    is_owner: bool
    """Whether its limits and drives are meant, else what it does not share."""


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """A track whose keys are in the file, and which waits for its joint."""

    joint: AnimatedJoint
    settings: JointSettings
    track: Track
    animation: Any
    samplers: dict[float, int]
    """By sign: that of -1 is for the minimum of what is symmetric."""

    def point_at(self, place: Place) -> None:
        """Add the channel to a number of the document."""
        target = add_channel(self.animation, self.samplers[place.sign])
        target["pointer"] = place.pointer
        value = place.sign * self.track.value_at(float(self.track.seconds[0]))
        is_truth = self.track.member == ENABLE_COLLISION
        place.holder.setdefault(place.member, value > 0.5 if is_truth else value)


class AnimationExport:
    """The keyed numbers of one export."""

    def __init__(
        self, animations: list[Any], numbers: KeyedNumbers, dialects: Collection[Dialect]
    ) -> None:
        self._animations = animations
        self._numbers = numbers
        self._dialects = dialects
        self._written: list[_Written] = []

    def add(self, joints: Iterable[AnimatedJoint], report: Report) -> None:
        """Add the keys of joints to the animations of the file; `point` adds their channels."""
        rest: list[tuple[AnimatedJoint, str]] = []
        for joint in joints:
            with report.guard(joint.obj.name):
                if not (joint.is_owner or self._numbers.is_every_frame_written):
                    report.add(_lost_motion(joint.obj))
                paths, done = _written_paths(joint, report), set[str]()
                for keyed in self._numbers.of_actions(joint.obj, paths):
                    done.add(keyed.path)
                    self._add(joint, keyed, report)
                rest += [(joint, path) for path in paths if path not in done]
        found = self._numbers.evaluated([(joint.obj, path, None) for joint, path in rest])
        for (joint, _), keyed in zip(rest, found, strict=True):
            with report.guard(joint.obj.name):
                self._add(joint, keyed, report)

    def _add(self, joint: AnimatedJoint, keyed: Keyed, report: Report) -> None:
        keys, target = keyed.keys, number_of(keyed.path)
        assert target is not None
        if not keys.is_finite:
            report.add([NOT_FINITE(joint.obj.name, name=keyed.path.removeprefix(PREFIX))])
            return
        kind, number, member = target
        rate, is_cubic = self._numbers.rate, keys.interpolation == Interpolation.CUBICSPLINE
        track = Track(
            kind=kind,
            number=number,
            member=member,
            seconds=(keys.frames + keyed.shift) / rate,
            values=keys.values * [rate, 1.0, rate] if is_cubic else keys.values,
            interpolation=Interpolation(keys.interpolation),
        )
        settings = joint_data(joint.obj).settings_to_core()
        animation = animation_named(self._animations, keyed.animation)
        has_two = Dialect.KHR in self._dialects and has_mirrored_minimum(settings, track)
        samplers = {
            sign: add_sampler(
                animation,
                track.seconds,
                track.values if sign > 0.0 else -track.values,
                track.interpolation,
            )
            for sign in ((1.0, -1.0) if has_two else (1.0,))
        }
        self._written.append(_Written(joint, settings, track, animation, samplers))

    def leave_out(self, report: Report) -> None:
        """Name what a file for Godot has no channels of."""
        names = dict.fromkeys(each.joint.obj.name for each in self._written)
        report.add([ANIMATION_LEFT_OUT(name) for name in names])

    def point(self, data: Any) -> None:
        """Add the channels to a `gltf2_io.Gltf` that has its joints.

        What is animated is in the file, also where it would be left out as a default.
        """
        indices, document = node_indices(data), _document(data)
        for each in self._written:
            index = indices.get(id(each.joint.frame), -1)
            for dialect in self._dialects if index >= 0 else ():
                places = places_of(document, index, each.settings, each.track, dialect)
                for place in places:
                    each.point_at(place)
                    declare_pointers(data)


def _document(data: Any) -> JsonObject:
    """Return what a document says of joints."""
    nodes = [{"extensions": node.extensions or {}} for node in data.nodes]
    return {"nodes": nodes, "extensions": data.extensions or {}}


def _lost_motion(joint: bpy.types.Object) -> Iterator[Finding]:
    """Yield that bodies follow a joint whose position is keyed, and have no keys of their own."""
    if is_position_animated(joint):
        yield POSITION_ANIMATED(joint.name)


def _written_paths(joint: AnimatedJoint, report: Report) -> list[str]:
    """Return the animated properties of a joint that a file can have; all others are named."""
    paths = [
        path
        for path in animated_paths(joint.obj)
        if path.startswith(PREFIX) and (path == COLLISION) != joint.is_owner
    ]
    groups: dict[Rule, list[str]] = {NOT_ANIMATED: [], REMOVED: []}
    for path in paths:
        if not exists(joint.obj, path):
            groups[REMOVED].append(path)
        elif number_of(path) is None:
            groups[NOT_ANIMATED].append(path)
    for rule, left in groups.items():
        if left:
            names = ", ".join(sorted(path.removeprefix(PREFIX) for path in left))
            report.add([rule(joint.obj.name, names=names)])
    return [path for path in paths if not any(path in left for left in groups.values())]
