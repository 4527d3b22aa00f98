"""What changes over time of joints into a new document, as channels of KHR_animation_pointer."""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.findings.loss import How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.animated import animated_joints
from ....core.model.animation import ENABLE_COLLISION, Track
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from .animations import POINTER, WORDS
from .dialect import Dialect
from .document_members import extension_of
from .document_nodes import objects_of
from .khr.limits import numbers_in_khr
from .khr.rigid_bodies import EXTENSION as KHR
from .omi.joint import EXTENSION as OMI

_FLOAT, _BYTE = 5126, 5121


def tracks_by_node(scene: PhysicsScene) -> dict[int, tuple[int, ...]]:
    """Return what tells animated joints apart that have the same settings, by their nodes."""
    changes = {
        scene.joints[number].node: tuple(id(track) for track in tracks if track.kind)
        for number, tracks in animated_joints(scene).items()
    }
    return {node: tracks for node, tracks in changes.items() if tracks}


@dataclass(frozen=True, slots=True)
class Place:
    """A number in the document, and what its holder is without it."""

    pointer: str
    holder: JsonObject
    member: str
    sign: float = 1.0
    """-1 for the other bound of what is symmetric."""


class TrackWriter:
    """Writes the tracks of a scene into a document that has its joints."""

    def __init__(
        self,
        document: JsonObject,
        data: bytearray,
        nodes: Mapping[int, int],
        wanted: Collection[Dialect],
        *,
        buffer: int = 0,
        animations: Mapping[str, JsonObject] | None = None,
    ) -> None:
        """Write into the buffer of that number, whose `data` grows.

        `nodes` are those of the document by nodes of the scene, `animations` those by name that it
        has.
        """
        self.losses: list[Loss] = []
        self._document, self._data, self._nodes = document, data, nodes
        self._wanted = sorted(wanted)
        self._buffer = buffer
        self._animations = dict(animations or {})
        self._count = len(self._animations)

    def write(self, scene: PhysicsScene) -> None:
        """Write all tracks of a scene."""
        start = min((float(track.seconds[0]) for track in scene.tracks), default=0.0)
        shift = max(0.0, -start)
        done: set[tuple[int, str]] = set()
        for number, tracks in animated_joints(scene).items():
            for track in tracks:
                places = {each.pointer: each for each in self.places(scene, number, track)}
                new = [each for each in places.values() if (id(track), each.pointer) not in done]
                done |= {(id(track), pointer) for pointer in places}
                self._add(track, new, shift)
                name = scene.names[scene.joints[number].node]
                if shift and new:
                    text = Sentence("its times begin {shift:g} s later, at 0", shift=shift)
                    self.losses.append(Loss(name, Noun.ANIMATION, How.CONVERTED, text))
                if not places:
                    text = Sentence(
                        "{member} of something in {kind} that the joint does not have",
                        member=track.member.replace("_", " "),
                        kind=track.kind,
                    )
                    self.losses.append(Loss(name, Noun.ANIMATION, How.LOST, text))
        if done:
            new_ones = list(self._animations.values())[self._count :]
            self._document["animations"] = [*self._document.get("animations", ()), *new_ones]
            used = self._document.get("extensionsUsed", [])
            if isinstance(used, list) and POINTER not in used:
                self._document["extensionsUsed"] = [*used, POINTER]

    def places(self, scene: PhysicsScene, number: int, track: Track) -> Iterator[Place]:
        """Yield the numbers of the document that a track of a joint changes."""
        joint = scene.joints[number]
        node = self._nodes[joint.node]
        for dialect in self._wanted:
            yield from places_of(self._document, node, joint.settings, track, dialect)

    def _add(self, track: Track, places: Collection[Place], shift: float) -> None:
        """Add channels of a track; what is animated is in the file, also where it is a default."""
        for sign in sorted({place.sign for place in places}, reverse=True):
            animation = self._animation(track.animation)
            sampler = self._sampler(animation, track, sign, shift)
            for place in places:
                if place.sign == sign:
                    value = sign * track.value_at(float(track.seconds[0]))
                    is_truth = track.member == ENABLE_COLLISION
                    place.holder.setdefault(place.member, value > 0.5 if is_truth else value)
                    target = {
                        "path": "pointer",
                        "extensions": {POINTER: {"pointer": place.pointer}},
                    }
                    animation["channels"].append({"sampler": sampler, "target": target})

    def _animation(self, name: str) -> JsonObject:
        title = {"name": name} if name else {}
        return self._animations.setdefault(name, title | {"channels": [], "samplers": []})

    def _sampler(self, animation: JsonObject, track: Track, sign: float, shift: float) -> int:
        times = _singles(track.seconds + shift)
        bounds = {"min": [float(times.min())], "max": [float(times.max())]}
        is_truth = track.member == ENABLE_COLLISION
        values = track.values > 0.5 if is_truth else sign * track.values
        output = values.astype("u1" if is_truth else "<f4").reshape(-1)
        animation["samplers"].append(
            {
                "input": self._accessor(times, _FLOAT, bounds),
                "interpolation": str(track.interpolation),
                "output": self._accessor(output, _BYTE if is_truth else _FLOAT, {}),
            }
        )
        return len(animation["samplers"]) - 1

    def _accessor(self, values: NDArray[Any], component: int, bounds: JsonObject) -> int:
        self._data += b"\0" * (-len(self._data) % 4)
        view = {"buffer": self._buffer, "byteOffset": len(self._data), "byteLength": values.nbytes}
        self._data += values.tobytes()
        accessor = {
            "bufferView": self._append("bufferViews", view),
            "componentType": component,
            "count": len(values),
            "type": "SCALAR",
        }
        return self._append("accessors", accessor | bounds)

    def _append(self, name: str, element: JsonObject) -> int:
        elements = self._document.setdefault(name, [])
        elements.append(element)
        return len(elements) - 1


def places_of(
    document: JsonObject, node: int, settings: JointSettings, track: Track, dialect: Dialect
) -> Iterator[Place]:
    """Yield the numbers that a track changes of the joint of a node, as a dialect says it.

    `settings` are those that the document is written of.
    """
    name, end = (KHR, "/joint") if dialect is Dialect.KHR else (OMI, "")
    written = joint_in(document, node, dialect)
    if "joint" not in written:
        return
    if track.member == ENABLE_COLLISION:
        at = f"/nodes/{node}/extensions/{name}{end}/enableCollision"
        yield Place(at, written, "enableCollision")
        return
    elements = _element_of(extension_of(document, name), "physicsJoints", written["joint"])
    at = f"/extensions/{name}/physicsJoints/{written['joint']}/{track.kind}"
    word = WORDS[track.kind][track.member]
    for index in _numbers(settings, track, dialect):
        holder = _element_of(elements, track.kind, index)
        if holder is not None:
            yield Place(f"{at}/{index}/{word}", holder, word)
            if dialect is Dialect.KHR and has_mirrored_minimum(settings, track):
                yield Place(f"{at}/{index}/min", holder, "min", -1.0)


def has_mirrored_minimum(settings: JointSettings, track: Track) -> bool:
    """Return whether KHR has the number negated as a minimum, too: the angle of a cone."""
    if (track.kind, track.member) != ("limits", "max") or track.number >= len(settings.limits):
        return False
    limit = settings.limits[track.number]
    return len(limit.angular_axes) > 1 and limit.min == -math.inf


def _numbers(settings: JointSettings, track: Track, dialect: Dialect) -> range:
    """Return the numbers of the limits or drives in the document that one has become."""
    if track.number >= len(getattr(settings, track.kind)):
        return range(0)
    if track.kind == "drives":
        return range(track.number, track.number + 1)
    if dialect is Dialect.OMI:
        has_axes = [bool(each.linear_axes or each.angular_axes) for each in settings.limits]
        first = sum(has_axes[: track.number])
        return range(first, first + has_axes[track.number])
    return numbers_in_khr(settings.limits, track.number)


def _element_of(holder: object, name: str, index: object) -> JsonObject | None:
    """Return an element of an array of a document; None where there is none."""
    elements = objects_of(holder, name, []) if isinstance(holder, dict) else []
    return elements[index] if type(index) is int and index < len(elements) else None


def joint_in(document: JsonObject, node: int, dialect: Dialect) -> JsonObject:
    """Return the joint of a node in a document as a dialect says it, empty where it has none."""
    found = extension_of(document["nodes"][node], OMI if dialect is Dialect.OMI else KHR)
    if dialect is Dialect.KHR:
        found = found.get("joint") if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _singles(seconds: Array) -> NDArray[Any]:
    """Return times in single precision, still ascending: keys right before a jump stay there."""
    found = seconds.astype("<f4")
    for at in range(len(found) - 2, -1, -1):
        if found[at] >= found[at + 1]:
            found[at] = np.nextafter(found[at + 1], np.float32(-np.inf))
    return found
