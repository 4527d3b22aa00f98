"""Keyed values of bodies to a glTF file, as channels to the extensions that have bodies.

OMI_physics_body and KHR_physics_rigid_bodies have the same pointers: to motions, to materials.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.model.animation import Interpolation, Track
from ...core.model.pose import Array
from ...scene.animation import animated_paths
from ...scene.joint_keys import Keys, sampled_frames
from ...scene.keyed_bodies import Axes, BodyValue, body_values, is_of_body
from ..formats.gltf.dialect import Dialect
from ..formats.gltf.khr.rigid_bodies import EXTENSION as KHR
from ..formats.gltf.omi.body import EXTENSION as OMI
from .keyed_numbers import Keyed, KeyedNumbers
from .report import Report
from .rules import NOT_ANIMATED, NOT_FINITE
from .upstream import FileNode, node_indices
from .upstream_animation import add_channel, add_sampler, animation_named, declare_pointers

TURNS = {
    Axes.VECTOR: np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    Axes.SIZES: np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
}
"""Vectors in Blender's axes to those of glTF."""
_MATERIALS = "physicsMaterials"
EXTENSIONS = {Dialect.OMI: OMI, Dialect.KHR: KHR}
"""The extension that has bodies, of each dialect."""


@dataclass(frozen=True, slots=True, eq=False)
class AnimatedBody:
    """A body or collider of the file whose values may be keyed."""

    obj: bpy.types.Object
    node: FileNode
    collider: FileNode | None
    """Node with its surface."""
    is_turned: bool
    """Whether the node has the axes of the object."""


@dataclass(frozen=True, slots=True, eq=False)
class _Channel:
    """A channel that waits for the document."""

    body: AnimatedBody
    extension: str
    member: str
    value: float | list[float]
    """One that it has at some time."""
    target: dict[str, str]


class BodyAnimation:
    """The keyed values of the bodies of one export."""

    def __init__(self, animations: list[Any], numbers: KeyedNumbers, *, is_z_up: bool) -> None:
        self._animations = animations
        self._numbers = numbers
        self._is_z_up = is_z_up
        self._extensions: list[str] = []
        self._channels: list[_Channel] = []

    def add(
        self, bodies: Iterable[AnimatedBody], dialects: Iterable[Dialect], report: Report
    ) -> None:
        """Add channels for bodies, and name what of them no channel can change."""
        self._extensions = sorted(EXTENSIONS[dialect] for dialect in set(dialects))
        rest: list[tuple[AnimatedBody, BodyValue]] = []
        for body in bodies:
            with report.guard(body.obj.name):
                paths = [path for path in animated_paths(body.obj) if is_of_body(path)]
                values = body_values(body.obj)
                if left := sorted(path.partition(".")[2] for path in paths if path not in values):
                    report.add([NOT_ANIMATED(body.obj.name, names=", ".join(left))])
                for value in [values[path] for path in paths if path in values]:
                    found = list(self._numbers.of_actions(body.obj, {value.path}))
                    self._add(body, value, found, report)
                    if not found:
                        rest.append((body, value))
        numbers = [(body, value, at) for body, value in rest for at in _indices(value)]
        found = list(self._numbers.evaluated([(b.obj, v.path, at) for b, v, at in numbers]))
        for body, value in rest:
            with report.guard(body.obj.name):
                self._add(body, value, found[: len(_indices(value))], report)
            del found[: len(_indices(value))]

    def _add(
        self, body: AnimatedBody, value: BodyValue, found: Sequence[Keyed], report: Report
    ) -> None:
        """Add what changes a value, in each animation."""
        if not all(keyed.keys.is_finite for keyed in found):
            report.add([NOT_FINITE(body.obj.name, name=value.path.partition(".")[2])])
            return
        each: dict[str, dict[int, Keyed]] = {}
        for keyed in found:
            each.setdefault(keyed.animation, {})[keyed.index] = keyed
        for name, components in each.items():
            self._write(body, value, name, components)

    def _write(
        self, body: AnimatedBody, value: BodyValue, name: str, components: dict[int, Keyed]
    ) -> None:
        rate = self._numbers.rate
        keys = _vector_keys(body.obj, value, components)
        shift = next(iter(components.values())).shift
        values = keys.values.astype(float)
        if value.axes in TURNS and not (body.is_turned or self._is_z_up):
            values = values @ TURNS[value.axes].T
        if keys.interpolation == Interpolation.CUBICSPLINE:
            values = values * np.array([rate, 1.0, rate])[:, None]
        animation = animation_named(self._animations, name)
        seconds = (keys.frames + shift) / rate
        sampler = add_sampler(
            animation, seconds, values, keys.interpolation, width=value.axes.width
        )
        first = values[0, 1] if values.ndim == 3 else values[0]
        for member in value.members:
            given = first.tolist() if value.axes is not Axes.NUMBER else float(first[0])
            for extension in self._extensions:
                channel = add_channel(animation, sampler)
                self._channels.append(_Channel(body, extension, member, given, channel))

    def point(self, data: Any) -> None:
        """Write the pointers into a `gltf2_io.Gltf` that has its bodies."""
        indices = node_indices(data)
        materials = {name: _Materials(data, indices, name) for name in self._extensions}
        for channel in self._channels:
            index, name = indices.get(id(channel.body.node)), channel.extension
            if channel.member.startswith("material/"):
                place = materials[name].place(channel.body)
            elif index is not None and _has_motion(data.nodes[index], name):
                node = data.nodes[index]
                place = f"/nodes/{index}/extensions/{name}/motion", _motion(node, name)
            else:
                place = None
            if place is not None:
                member = channel.member.removeprefix("material/")
                channel.target["pointer"] = f"{place[0]}/{member}"
                place[1].setdefault(member, channel.value)
                declare_pointers(data)


def _indices(value: BodyValue) -> list[int | None]:
    """Return the indices of the components; None is that of a number."""
    return [None] if value.axes is Axes.NUMBER else list(range(value.axes.width))


def _vector_keys(obj: bpy.types.Object, value: BodyValue, components: dict[int, Keyed]) -> Keys:
    """Return the keys of components as keys of vectors: sampled where they are not alike."""
    width, first = value.axes.width, next(iter(components.values())).keys
    rest = [obj.path_resolve(value.path)] if width == 1 else list(obj.path_resolve(value.path))
    is_alike = all(
        each.keys.interpolation == first.interpolation
        and np.array_equal(each.keys.frames, first.frames)
        for each in components.values()
    )
    if is_alike:
        still = np.zeros_like(first.values, dtype=float)
        still[(..., 1) if still.ndim == 2 else ...] = 1.0
        columns = [
            components[at].keys.values if at in components else still * rest[at]
            for at in range(width)
        ]
        return Keys(first.frames, np.stack(columns, axis=-1), first.interpolation)
    frames = np.unique(np.concatenate([each.keys.frames for each in components.values()]))
    frames = np.union1d(frames, sampled_frames(float(frames[0]), float(frames[-1]), 1))
    columns = [
        _sampled(components[at].keys, frames)
        if at in components
        else np.full(len(frames), rest[at])
        for at in range(width)
    ]
    return Keys(frames, np.stack(columns, axis=-1), Interpolation.LINEAR)


def _sampled(keys: Keys, frames: Array) -> Array:
    track = Track(
        joints=(),
        member="",
        seconds=keys.frames,
        values=keys.values,
        interpolation=Interpolation(keys.interpolation),
    )
    return np.array([track.value_at(frame) for frame in frames.tolist()])


def _has_motion(node: Any, extension: str) -> bool:
    return "motion" in (node.extensions or {}).get(extension, {})


def _motion(node: Any, extension: str) -> dict[str, Any]:
    """Return the motion of a node, as its own."""
    body = dict(node.extensions[extension])
    motion = body["motion"] = dict(body["motion"])
    node.extensions = {**node.extensions, extension: body}
    return motion


class _Materials:
    """Surfaces of a document; what is animated is the only one of its nodes."""

    def __init__(self, data: Any, indices: dict[int, int], extension: str) -> None:
        self._data = data
        self._extension = extension
        self._indices = indices
        self._own: dict[int, int] = {}
        """Materials of animated colliders by their nodes."""

    def place(self, body: AnimatedBody) -> tuple[str, dict[str, Any]] | None:
        """Return the pointer to the material of a collider and its object."""
        node = None if body.collider is None else self._indices.get(id(body.collider))
        if node is None or self._number(self._data.nodes[node]) is None:
            return None
        if node not in self._own:
            self._own[node] = self._alone(node)
        number = self._own[node]
        elements = self._data.extensions[self._extension][_MATERIALS]
        return f"/extensions/{self._extension}/{_MATERIALS}/{number}", elements[number]

    def _alone(self, node: int) -> int:
        """Return the material of a node, as a copy where others have it, too."""
        number = self._number(self._data.nodes[node])
        assert number is not None
        if sum(number == self._number(each) for each in self._data.nodes) == 1:
            return number
        elements = self._data.extensions[self._extension][_MATERIALS]
        elements.append(dict(elements[number]))
        owner = self._data.nodes[node]
        body = dict(owner.extensions[self._extension])
        body["collider"] = body["collider"] | {"physicsMaterial": len(elements) - 1}
        owner.extensions = {**owner.extensions, self._extension: body}
        return len(elements) - 1

    def _number(self, node: Any) -> int | None:
        collider = (node.extensions or {}).get(self._extension, {}).get("collider", {})
        number: int | None = collider.get("physicsMaterial")
        return number
