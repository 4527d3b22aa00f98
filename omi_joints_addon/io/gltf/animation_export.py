"""Keyed numbers of joints to a glTF file, as channels of KHR_animation_pointer."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import bpy

from ...core.findings.finding import Rule
from ...core.model.plain import JsonObject
from ...properties.joint import joint_data
from ...scene.animation import animated_paths, exists
from ...scene.joint_tracks import COLLISION, PREFIX, number_of
from ..formats.gltf.dialect import Dialect
from ..formats.gltf.khr.limits import numbers_in_khr
from ..formats.gltf.khr.rigid_bodies import EXTENSION as KHR
from ..formats.gltf.omi.joint import EXTENSION as OMI
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

_MEMBERS = {
    "max_force": "maxForce",
    "position_target": "positionTarget",
    "velocity_target": "velocityTarget",
}
"""Members of the extensions that have another name than ours."""


@dataclass(frozen=True, slots=True, eq=False)
class AnimatedJoint:
    """A joint of the file whose numbers may be keyed."""

    obj: bpy.types.Object
    """The joint, or the one whose settings it shares."""
    frame: FileNode
    is_owner: bool
    """Whether its limits and drives are meant, else what it does not share."""


class AnimationExport:
    """The keyed numbers of one export."""

    def __init__(
        self, animations: list[Any], numbers: KeyedNumbers, dialects: Collection[Dialect]
    ) -> None:
        self._animations = animations
        self._numbers = numbers
        self._dialects = dialects
        self._targets: list[tuple[FileNode, Dialect, str, float, dict[str, str]]] = []
        """Node, dialect, part, a value at some time, and where the pointer goes."""
        self._names: list[str] = []

    def add(self, joints: Iterable[AnimatedJoint], report: Report) -> None:
        """Add channels for joints to the animations of the file; `point` says what they change."""
        rest: list[tuple[AnimatedJoint, str]] = []
        for joint in joints:
            with report.guard(joint.obj.name):
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
        part, keys, rate = part_of(keyed.path), keyed.keys, self._numbers.rate
        assert part is not None
        if not keys.is_finite:
            report.add([NOT_FINITE(joint.obj.name, name=keyed.path.removeprefix(PREFIX))])
            return
        self._names.append(joint.obj.name)
        animation = animation_named(self._animations, keyed.animation)
        seconds = (keys.frames + keyed.shift) / rate
        values = keys.values
        if keys.interpolation == "CUBICSPLINE":
            values = values * [rate, 1.0, rate]
        sampler = add_sampler(animation, seconds, values, keys.interpolation)
        value = float(values.reshape(len(seconds), -1)[0, values.ndim - 1])
        for dialect in self._dialects:
            for there in _parts_in(dialect, joint, part):
                target = add_channel(animation, sampler)
                self._targets.append((joint.frame, dialect, there, value, target))
        if Dialect.KHR in self._dialects and _has_mirrored_minimum(joint, part):
            # The minimum of such a limit is written too, as its maximum negated.
            sampler = add_sampler(animation, seconds, -values, keys.interpolation)
            for there in _parts_in(Dialect.KHR, joint, part.replace("/max", "/min")):
                mirrored = add_channel(animation, sampler)
                self._targets.append((joint.frame, Dialect.KHR, there, -value, mirrored))

    def leave_out(self, report: Report) -> None:
        """Name what a file for Godot has no channels of."""
        report.add([ANIMATION_LEFT_OUT(name) for name in dict.fromkeys(self._names)])

    def point(self, data: Any) -> None:
        """Write the pointers into a `gltf2_io.Gltf` that has its joints.

        What is animated is in the file, also where it would be left out as a default.
        """
        indices = node_indices(data)
        for node, dialect, part, value, target in self._targets:
            index = indices.get(id(node))
            if index is None:
                continue
            place = _place(data, index, dialect, part)
            if place is not None:
                pointer, holder, member = place
                holder.setdefault(member, bool(value) if part == "/enableCollision" else value)
                target["pointer"] = pointer
        if any(target["pointer"] for *_, target in self._targets):
            declare_pointers(data)


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
        elif not part_of(path):
            groups[NOT_ANIMATED].append(path)
    for rule, left in groups.items():
        if left:
            names = ", ".join(sorted(path.removeprefix(PREFIX) for path in left))
            report.add([rule(joint.obj.name, names=names)])
    return [path for path in paths if not any(path in left for left in groups.values())]


def part_of(path: str) -> str | None:
    """Return the part of a joint that a data path of its object changes, such as `/limits/0/max`.

    None for what the extensions have no pointer to.
    """
    found = number_of(path)
    if found is None:
        return None
    kind, number, member = found
    return f"/{kind}/{number}/{_MEMBERS.get(member, member)}" if kind else "/enableCollision"


def _parts_in(dialect: Dialect, joint: AnimatedJoint, part: str) -> list[str]:
    """Return what a part of a joint is in a dialect: KHR splits limits of both kinds of axes."""
    if dialect is not Dialect.KHR or not part.startswith("/limits/"):
        return [part]
    _, kind, number, member = part.split("/")
    limits = joint_data(joint.obj).settings_to_core().limits
    return [f"/{kind}/{there}/{member}" for there in numbers_in_khr(limits, int(number))]


def _has_mirrored_minimum(joint: AnimatedJoint, part: str) -> bool:
    """Return whether a part is the angle of a cone or of a whole rotation."""
    _, kind, number, member = f"{part}//".split("/")[:4]
    if (kind, member) != ("limits", "max"):
        return False
    limit = joint_data(joint.obj).limits[int(number)]
    return sum(limit.angular_axes) > 1 and not limit.use_min


def _place(
    data: Any, index: int, dialect: Dialect, part: str
) -> tuple[str, JsonObject, str] | None:
    """Return the pointer to a part of a node's joint, what holds it, and its name there."""
    name = KHR if dialect is Dialect.KHR else OMI
    joint = (data.nodes[index].extensions or {}).get(name)
    at = f"/nodes/{index}/extensions/{name}"
    if dialect is Dialect.KHR and joint is not None:
        joint, at = joint.get("joint"), f"{at}/joint"
    if joint is None:
        return None
    if part == "/enableCollision":
        return f"{at}{part}", joint, part[1:]
    elements = data.extensions[name]["physicsJoints"]
    kind, number, member = part[1:].split("/")
    holders = elements[joint["joint"]].get(kind, ())
    if int(number) >= len(holders):
        return None
    pointer = f"/extensions/{name}/physicsJoints/{joint['joint']}{part}"
    return pointer, holders[int(number)], member
