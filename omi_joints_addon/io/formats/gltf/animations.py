"""Animated numbers of joints and bodies in a document: channels of KHR_animation_pointer.

The pointers are those that OMI_physics_joint, OMI_physics_body and KHR_physics_rigid_bodies define.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....core.findings.finding import ERROR, INFO, WARNING, Finding, rule
from ....core.model.animation import ENABLE_COLLISION, MEMBERS, MOTION, Interpolation, Track
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from .document_nodes import LIGHTS, objects_of
from .khr.limits import number_before
from .khr.rigid_bodies import EXTENSION as KHR
from .omi.body import EXTENSION as OMI_BODY
from .omi.joint import DRIVE_NUMBERS, LIMIT_NUMBERS
from .omi.joint import EXTENSION as OMI
from .omi.shape import EXTENSION as OMI_SHAPE
from .pointers import nearest

if TYPE_CHECKING:
    from .mesh_data import Buffers

POINTER = "KHR_animation_pointer"
LEADS_NOWHERE = rule(
    "OMI-J454",
    ERROR,
    "the animation changes {pointer}, but the file has nothing there",
    reason="KHR_animation_pointer: a pointer has to resolve to a property in the file.",
)
NOT_CHANGEABLE = rule(
    "OMI-J455",
    WARNING,
    "the animation changes {pointer}, which the extension does not allow to change",
    reason=(
        "OMI_physics_joint, OMI_physics_body and KHR_physics_rigid_bodies list the pointers that "
        "animations may use; axes, modes and connected nodes are not among them."
    ),
)
NOT_FOLLOWED = rule(
    "OMI-J461",
    INFO,
    "the animation changes {pointer}, which simulations here use at its value at rest",
    reason="Simulations follow limits, drives, collisions of joints, and mass, center, moments, "
    "gravity factor and velocities of bodies. Files keep all other animations.",
)
NO_VALUES = rule(
    "OMI-J456",
    WARNING,
    "the keys of the animation cannot be used: {problem}",
    reason="glTF 2.0: a sampler has ascending times and a value for each, all of them numbers.",
)
_NUMBER = ((0, 1.0),)
_SAME = ((0, 1.0), (1, 1.0), (2, 1.0))
_VECTOR = ((0, 1.0), (2, -1.0), (1, 1.0))
_SIZES = ((0, 1.0), (2, 1.0), (1, 1.0))
"""Components of vectors in Blender's axes: number in glTF's and sign."""
WORDS = {
    kind: {name: words[name] for name in MEMBERS[kind]}
    for kind, words in (("limits", LIMIT_NUMBERS), ("drives", DRIVE_NUMBERS))
}
"""Numbers that may change, by their names in the model, with those in the extensions."""
_NAMES = {kind: {word: name for name, word in words.items()} for kind, words in WORDS.items()}
MOTIONS = {
    "mass": ("mass", _NUMBER),
    "gravityFactor": ("gravity_factor", _NUMBER),
    "centerOfMass": ("center_of_mass", _VECTOR),
    "inertiaDiagonal": ("inertia_diagonal", _SIZES),
    "linearVelocity": ("linear_velocity", _VECTOR),
    "angularVelocity": ("angular_velocity", _VECTOR),
}
"""Numbers of motions that may change, with those of the model and where its components are."""
_SETTINGS = rf"/extensions/(?:{OMI}|{KHR})/physicsJoints/\d+"
_MOTION = rf"/nodes/(\d+)/extensions/(?:{OMI_BODY}|{KHR})/motion/({'|'.join(MOTIONS)})"
_PART = rf"({_SETTINGS})/(limits|drives)/(\d+)/(\w+)"
_FOLLOWED = "|".join(
    (
        *(rf"{_SETTINGS}/{kind}/\d+/({'|'.join(_NAMES[kind])})" for kind in _NAMES),
        rf"/nodes/\d+/extensions/{OMI}(/joint)?/enableCollision",
        rf"/nodes/\d+/extensions/{KHR}/joint/enableCollision",
        _MOTION,
    )
)
_CHANGEABLE = "|".join(
    (
        _FOLLOWED,
        rf"/nodes/\d+/extensions/{KHR}/motion/isKinematic",
        rf"/nodes/\d+/extensions/(?:{OMI_BODY}|{KHR})/motion/inertiaOrientation",
        rf"/extensions/(?:{OMI_BODY}|{KHR})/physicsMaterials/\d+/"
        "(staticFriction|dynamicFriction|restitution)",
        rf"/extensions/{OMI_SHAPE}/shapes/\d+/.*",
        r"/extensions/KHR_implicit_shapes/shapes/\d+/.*",
    )
)
"""Patterns, which `re` compiles when a file has such an animation."""
_PHYSICS = (OMI, OMI_BODY, OMI_SHAPE, KHR, "KHR_implicit_shapes")


class _Channel(NamedTuple):
    place: str
    animation: str
    sampler: JsonObject
    pointer: str


def check_pointers(document: JsonObject) -> Iterator[Finding]:
    """Yield the pointers of animations that lead nowhere, or to what may not change."""
    for channel in _channels(document):
        place, pointer = channel.place, channel.pointer
        holder = pointer.rpartition("/")[0]
        if _is_physics(pointer) and not re.fullmatch(_CHANGEABLE, pointer):
            yield NOT_CHANGEABLE(place, pointer=pointer)
        elif not _is_there(document, holder, is_ours=_is_physics(pointer)):
            yield LEADS_NOWHERE(place, pointer=pointer or '""')
        elif _is_physics(pointer) and not re.fullmatch(_FOLLOWED, pointer):
            yield NOT_FOLLOWED(place, pointer=pointer)


def has_pointers(document: JsonObject) -> bool:
    """Return whether an animation of a document changes anything by a pointer."""
    return any(True for _ in _channels(document))


def _is_physics(pointer: str) -> bool:
    return any(f"/extensions/{name}/" in pointer for name in _PHYSICS)


def _is_there(document: JsonObject, holder: str, *, is_ours: bool) -> bool:
    """Return whether what holds a number is in the document, else its element of an array.

    Members of objects that are left out have defaults; of extensions that we do not know, too.
    """
    if not holder.startswith("/"):
        # Animations change numbers, and a document is not one.
        return False
    if is_ours:
        holder = re.sub(rf"({OMI})/joint$", r"\1", holder)
        return nearest(document, holder) == holder
    element = re.match(r"/\w+/\d+", holder)
    return element is None or nearest(document, element[0]) == element[0]


def read_tracks(
    scene: PhysicsScene, buffers: "Buffers"
) -> tuple[tuple[Track, ...], tuple[Finding, ...]]:
    """Return what animations change of joints and bodies, and what is wrong with their keys.

    `scene` is that of the document in `buffers`.
    """
    findings: list[Finding] = []
    sharing: dict[str, list[int]] = {}
    for number, joint in enumerate(scene.joints):
        sharing.setdefault(joint.settings_place, []).append(number)
        sharing.setdefault(joint.place, []).append(number)
    tracks: list[Track] = []
    for channel in _channels(buffers.document):
        if motion := re.fullmatch(_MOTION, channel.pointer):
            node, member = int(motion[1]), motion[2]
            if node in scene.motions:
                tracks += _of_keys(channel, buffers, findings, node=node, member=member)
            continue
        target = target_of(channel.pointer)
        joints = sharing.get(target[0], []) if target else []
        if not (target and joints):
            continue
        place, kind, number, member = target
        settings = scene.joints[joints[0]].settings
        if kind == "limits" and KHR in place:
            count = limits_in_khr(buffers.document, place)
            number = number_before(settings.limits, number, count)
        if not _has_part(settings, kind, number, member):
            continue
        tracks += _of_keys(
            channel,
            buffers,
            findings,
            joints=tuple(joints),
            kind=kind,
            number=number,
            member=member,
        )
    return tuple(tracks), tuple(findings)


def target_of(pointer: str) -> tuple[str, str, int, str] | None:
    """Return the place of settings or of a joint, and kind, number and member of a `Track`."""
    holder, _, member = pointer.rpartition("/")
    if member == "enableCollision":
        # OMI_physics_joint writes its own pointer with a level that the node does not have.
        return holder.replace(f"{OMI}/joint", OMI), "", 0, ENABLE_COLLISION
    found = re.fullmatch(_PART, pointer)
    if found is None:
        return None
    settings, kind, number, member = found.groups()
    name = _NAMES[kind].get(member)
    return None if name is None else (settings, kind, int(number), name)


def limits_in_khr(document: JsonObject, place: str) -> int:
    """Return how many limits the settings at a place of a document of KHR have there."""
    index = int(place.rpartition("/")[2])
    limits = document["extensions"][KHR]["physicsJoints"][index].get("limits")
    return len(limits) if isinstance(limits, list) else 0


def _has_part(settings: JointSettings, kind: str, number: int, member: str) -> bool:
    """Return whether settings have what a track changes.

    The minimum of a cone in KHR is its maximum negated, which settings do not have.
    """
    if not kind:
        return True
    elements: Sequence[Any] = settings.limits if kind == "limits" else settings.drives
    if number >= len(elements):
        return False
    is_cone = kind == "limits" and len(elements[number].angular_axes) > 1
    return not (is_cone and member == "min" and np.isinf(elements[number].min))


def _of_keys(
    channel: _Channel,
    buffers: "Buffers",
    findings: list[Finding],
    *,
    node: int | None = None,
    member: str,
    **target: Any,
) -> Iterator[Track]:
    """Yield a channel as a track, that of a vector of the body at `node` as one for each component.

    Keys that cannot be used are a finding.
    """
    name, parts = (member, _NUMBER) if node is None else MOTIONS[member]
    try:
        keys = _keys(channel, "SCALAR" if len(parts) == 1 else "VEC3", buffers)
    except ValueError as error:
        findings.append(NO_VALUES(channel.place, problem=str(error)))
        return
    if node is not None:
        target = {"body": node, "kind": MOTION}
        if len(parts) > 1 and _has_gltf_axes(buffers.document["nodes"][node]):
            parts = _SAME
    for number, (part, sign) in enumerate(parts):
        if len(parts) > 1:
            target["number"] = number
        yield Track(
            **target,
            member=name,
            seconds=keys.seconds,
            values=sign * keys.values[..., part],
            interpolation=keys.interpolation,
            animation=channel.animation,
            place=channel.place,
        )


def _has_gltf_axes(node: JsonObject) -> bool:
    """Return whether the axes of a node keep their names in Blender."""
    return "camera" in node or LIGHTS in node.get("extensions", {})


class _Keys(NamedTuple):
    seconds: Array
    values: Array
    """Shape (n, width), of `CUBICSPLINE` (n, 3, width)."""
    interpolation: Interpolation


def _keys(channel: _Channel, type_: str, buffers: "Buffers") -> _Keys:
    """Return the keys of a channel; raises `ValueError` where they cannot be used."""
    sampler = channel.sampler
    word = sampler.get("interpolation", Interpolation.LINEAR)
    if word not in tuple(Interpolation):
        raise ValueError(f"{word!r:.20} is not an interpolation")
    seconds = buffers.numbers(sampler.get("input"), "SCALAR")[:, 0]
    values = buffers.numbers(sampler.get("output"), type_)
    width = 3 if word == Interpolation.CUBICSPLINE else 1
    if not len(seconds) or len(values) != width * len(seconds):
        raise ValueError(f"{len(seconds)} times have {len(values)} values")
    if not (np.isfinite(seconds).all() and np.isfinite(values).all()):
        raise ValueError("a time or value is not a number")
    if (np.diff(seconds) <= 0.0).any():
        raise ValueError("the times do not ascend")
    values = values if width == 1 else values.reshape(len(seconds), width, -1)
    return _Keys(seconds, values, Interpolation(word))


def _channels(document: JsonObject) -> Iterator[_Channel]:
    """Yield the channels with pointers, as far as they are objects."""
    for number, animation in enumerate(objects_of(document, "animations", [])):
        samplers = dict(enumerate(objects_of(animation, "samplers", [])))
        name = animation.get("name")
        for index, channel in enumerate(objects_of(animation, "channels", [])):
            pointer, sampler = pointer_of(channel), channel.get("sampler")
            if pointer is not None:
                yield _Channel(
                    place=f"/animations/{number}/channels/{index}",
                    animation=name if isinstance(name, str) else "",
                    sampler=samplers.get(sampler, {}) if type(sampler) is int else {},
                    pointer=pointer,
                )


def pointer_of(channel: JsonObject) -> str | None:
    """Return what a channel points at, empty for nothing, None for one that moves a node."""
    target = channel.get("target")
    extensions = target.get("extensions") if isinstance(target, dict) else None
    extension = extensions.get(POINTER) if isinstance(extensions, dict) else None
    pointer = extension.get("pointer") if isinstance(extension, dict) else None
    if isinstance(pointer, str):
        return pointer
    return "" if isinstance(target, dict) and target.get("path") == "pointer" else None
