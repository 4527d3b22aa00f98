"""Animations of joints in a document that was read, where the scene has others by now.

What is written anew is in a buffer of its own, inside the document: files beside it stay.
"""

import re
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np

from ....core.findings.loss import How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.model.animation import Track
from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from .animation_writing import TrackWriter, joint_in
from .animations import POINTER, has_pointers, pointer_of
from .dialect import Dialect
from .document_members import remove_extensions
from .document_nodes import objects_of

_ARRAYS = ("animations", "accessors", "bufferViews", "buffers")
_Key = tuple[int | str, tuple[int, ...], str, int, str]
"""What a track is of: its animation, joints, and the number that it changes."""


@dataclass(slots=True)
class TrackEdits:
    """What differs between the tracks of a scene and those of the document that it is from."""

    gone: list[Track] = field(default_factory=list)
    """Tracks that the document is not to have any more."""
    written: dict[int | str, list[Track]] = field(default_factory=dict)
    """Tracks to write by the number of their animation, or the name of one that is new."""

    def take_out(self, document: JsonObject, read: PhysicsScene, nodes: Mapping[int, int]) -> None:
        """Take the tracks that are gone out of a copy of the document that was read.

        `nodes` are those of the document by nodes of the scene, which was `read`.
        """
        writer = TrackWriter(document, bytearray(), nodes, tuple(Dialect))
        pointers: dict[int, set[str | None]] = {}
        for track in self.gone:
            animation, channel = map(int, re.findall(r"\d+", track.place))
            own = document["animations"][animation]["channels"][channel]
            found = pointers.setdefault(animation, set())
            found.add(pointer_of(own))
            for number in track.joints:
                found |= {place.pointer for place in writer.places(read, number, track)}
        if pointers:
            document["animations"] = [
                _without(animation, pointers.get(number, ()))
                for number, animation in enumerate(document["animations"])
            ]

    def put_in(
        self,
        document: JsonObject,
        scene: PhysicsScene,
        nodes: Mapping[int, int],
        wanted: Collection[Dialect],
    ) -> Iterator[Loss]:
        """Write the other tracks into the document of a scene; yield what is lost.

        `nodes` are those of the document by nodes of the scene.
        """
        damaged = [name for name in _ARRAYS if not isinstance(document.get(name, []), list)]
        if damaged and self.written:
            text = Sentence("{name} of the document is not an array", name=damaged[0])
            yield Loss("", Noun.ANIMATION, How.LOST, text)
        if damaged or not self.written:
            return
        _unshare(document, [nodes[joint.node] for joint in scene.joints])
        data, buffer = bytearray(), len(document["buffers"])
        for holder, tracks in self.written.items():
            name = holder if isinstance(holder, str) else ""
            known = {} if isinstance(holder, str) else {name: document["animations"][holder]}
            named = tuple(replace(track, animation=name) for track in tracks)
            writer = TrackWriter(document, data, nodes, wanted, buffer=buffer, animations=known)
            writer.write(replace(scene, tracks=named))
            yield from writer.losses
            yield from _shared(document, scene, tracks, nodes, min(wanted))
        uri = f"data:application/octet-stream;base64,{b64encode(data).decode()}"
        document["buffers"] += [{"byteLength": len(data), "uri": uri}] if data else []
        for name in _ARRAYS:
            if not document[name]:
                del document[name]


def edits_of(read: PhysicsScene, scene: PhysicsScene) -> TrackEdits:
    """Return how the tracks of a scene differ from those that were read."""
    edits = TrackEdits()
    if scene.tracks is read.tracks:
        return edits
    before, after = _grouped(read.tracks, read.tracks), _grouped(scene.tracks, read.tracks)
    for key, tracks in before.items():
        if not _are_alike(tracks, after.get(key, [])):
            edits.gone += tracks
    for key, tracks in after.items():
        if not _are_alike(tracks, before.get(key, [])):
            edits.written.setdefault(key[0], []).append(tracks[0])
    return edits


def without_emptied(document: JsonObject, read: JsonObject) -> None:
    """Take animations out of a document that have lost all channels since it was read."""
    before, now = read.get("animations"), document.get("animations")
    if now is before or not (isinstance(before, list) and isinstance(now, list)):
        return
    is_emptied = [
        _has_channels(old) and not _has_channels(new) for old, new in zip(before, now, strict=False)
    ] + [False] * (len(now) - len(before))
    document["animations"] = [
        animation for animation, gone in zip(now, is_emptied, strict=True) if not gone
    ]
    if not document["animations"]:
        del document["animations"]
    if has_pointers(read) and not has_pointers(document):
        remove_extensions(document, frozenset((POINTER,)))


def _has_channels(animation: object) -> bool:
    return isinstance(animation, dict) and bool(animation.get("channels"))


def _grouped(tracks: Sequence[Track], read: Sequence[Track]) -> dict[_Key, list[Track]]:
    """Return tracks of the same number in the same animation, of which the first counts."""
    numbers = {track.animation: _number(track) for track in reversed(read)}
    found: dict[_Key, list[Track]] = {}
    for track in tracks:
        number = _number(track) if track.place else numbers.get(track.animation)
        holder = track.animation if number is None else number
        key = holder, track.joints, track.kind, track.number, track.member
        found.setdefault(key, []).append(track)
    return found


def _number(track: Track) -> int | None:
    """Return the number of the animation that a track was read from."""
    found = re.match(r"/animations/(\d+)/", track.place)
    return None if found is None else int(found[1])


def _are_alike(one: Sequence[Track], other: Sequence[Track]) -> bool:
    return len(one) == len(other) and all(
        left is right
        or (
            left.interpolation == right.interpolation
            and np.array_equal(left.seconds, right.seconds)
            and np.array_equal(left.values, right.values)
        )
        for left, right in zip(one, other, strict=True)
    )


def _without(animation: JsonObject, pointers: Collection[str | None]) -> JsonObject:
    """Return an animation without what it changes there, and without samplers for that alone."""
    gone: list[JsonObject] = []
    left: list[JsonObject] = []
    for channel in objects_of(animation, "channels", []):
        (gone if pointer_of(channel) in pointers else left).append(dict(channel))
    if not gone:
        return animation
    taken = {_sampler(channel) for channel in gone} - {_sampler(channel) for channel in left}
    kept = [n for n, _ in enumerate(animation["samplers"]) if n not in taken]
    places = {number: place for place, number in enumerate(kept)}
    for channel in left:
        if _sampler(channel) in places:
            channel["sampler"] = places[channel["sampler"]]
    return animation | {"channels": left, "samplers": [animation["samplers"][n] for n in kept]}


def _sampler(channel: JsonObject) -> int | None:
    index = channel.get("sampler")
    return index if type(index) is int else None


def _unshare(document: JsonObject, nodes: Collection[int]) -> None:
    """Copy what writing tracks changes, which the document that was read keeps as it is."""
    for name in _ARRAYS:
        document[name] = list(document.get(name, ()))
    document["animations"] = deepcopy(document["animations"])
    document["extensions"] = deepcopy(document["extensions"])
    for node in nodes:
        document["nodes"][node] = deepcopy(document["nodes"][node])


def _shared(
    document: JsonObject,
    scene: PhysicsScene,
    tracks: Sequence[Track],
    nodes: Mapping[int, int],
    dialect: Dialect,
) -> Iterator[Loss]:
    """Yield the joints that a track changes as well, since they share the settings."""
    indices = {
        number: joint_in(document, nodes[joint.node], dialect).get("joint")
        for number, joint in enumerate(scene.joints)
    }
    for track in tracks:
        own = {indices[number] for number in track.joints if track.kind}
        for number, index in indices.items():
            if index in own and index is not None and number not in track.joints:
                text = "it is animated as well: it shares the settings of a joint that is"
                yield Loss(
                    scene.names[scene.joints[number].node], Noun.ANIMATION, How.CONVERTED, text
                )
