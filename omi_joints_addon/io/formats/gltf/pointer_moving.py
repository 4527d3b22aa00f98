"""Animations of joints in another dialect than the one that they were written in."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from ....core.findings.loss import How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.model.plain import JsonObject
from .animations import POINTER, pointer_of
from .dialect import Dialect
from .dialect_physics import Physics
from .khr.limits import number_before, numbers_in_khr
from .khr.rigid_bodies import EXTENSION as KHR
from .omi.body import EXTENSION as OMI_BODY
from .omi.joint import EXTENSION as OMI

_NAMES = {Dialect.OMI: OMI, Dialect.KHR: KHR}
_BODIES = {Dialect.OMI: OMI_BODY, Dialect.KHR: KHR}
_SETTINGS = re.compile(r"/extensions/(\w+)/physicsJoints/(\d+)(/limits/\d+/\w+|/drives/\d+/\w+)")
_KHR_MAXIMUM = re.compile(rf"/extensions/{KHR}/physicsJoints/(\d+)/limits/(\d+)/max")
_OF_BODY = re.compile(
    rf"(/nodes/\d+|)/extensions/(?:{OMI_BODY}|{KHR})(/motion/(?:mass|centerOfMass|inertiaDiagonal"
    "|inertiaOrientation|linearVelocity|angularVelocity|gravityFactor)"
    r"|/physicsMaterials/\d+/(?:staticFriction|dynamicFriction|restitution))"
)
"""Pointers that both dialects have."""
_COLLISION = re.compile(r"/nodes/(\d+)/extensions/(\w+)(?:/joint)?/enableCollision")


def move_pointers(
    document: JsonObject, known: Sequence[Physics], wanted: Collection[Dialect]
) -> list[Loss]:
    """Have the animations of a document change the numbers that it has in the wanted dialects.

    `known` is what the document held before. What a dialect has no pointer to is a loss.
    """
    there = {physics.dialect: physics for physics in known}
    if there.keys() == set(wanted) or not isinstance(document.get("animations"), list):
        return []
    document["animations"] = deepcopy(document["animations"])
    losses: list[Loss] = []
    for animation in filter(_has_channels, document["animations"]):
        channels: list[Any] = []
        for channel in animation["channels"]:
            moved = _moved(document, channel, there, wanted)
            channels += moved
            name = str(animation.get("name", ""))
            if not moved:
                text = Sentence("the animation of {pointer}", pointer=str(pointer_of(channel)))
                losses.append(Loss(name, Noun.CARRIED, How.LOST, text))
            if any(_is_half(document, pointer_of(each)) for each in moved if each is not channel):
                half = "the cone opens to one side: files of KHR hold it by two bounds"
                losses.append(Loss(name, Noun.LIMIT, How.LOST, half))
        animation["channels"] = channels
    return losses


def _has_channels(animation: Any) -> bool:
    return isinstance(animation, dict) and isinstance(animation.get("channels"), list)


def _moved(
    document: JsonObject,
    channel: Any,
    there: dict[Dialect, Physics],
    wanted: Collection[Dialect],
) -> list[Any]:
    """Return a channel for each wanted dialect; one that is not about physics stays alone."""
    pointer = pointer_of(channel) if isinstance(channel, dict) else None
    own = next((dialect for dialect in _NAMES if _is_of(dialect, pointer or "")), None)
    if pointer is None or own is None or own not in there:
        return [channel]
    found = [channel] if own in wanted else []
    for dialect in sorted(set(wanted) - there.keys()):
        for target in _translated(document, pointer, there[own], dialect):
            new = deepcopy(channel)
            new["target"]["extensions"][POINTER]["pointer"] = target
            found.append(new)
    return found


def _is_of(dialect: Dialect, pointer: str) -> bool:
    names = {_NAMES[dialect], _BODIES[dialect]}
    return any(f"/extensions/{name}/" in pointer for name in names)


def _is_half(document: JsonObject, pointer: str | None) -> bool:
    """Return whether a pointer is to one of the two bounds by which KHR's files hold a cone."""
    found = _KHR_MAXIMUM.fullmatch(pointer or "")
    if found is None:
        return False
    limit = document["extensions"][KHR]["physicsJoints"][int(found[1])]["limits"][int(found[2])]
    return len(limit.get("angularAxes", ())) > 1 and limit.get("min", 0.0) < 0.0


def _translated(
    document: JsonObject, pointer: str, before: Physics, dialect: Dialect
) -> Iterator[str]:
    """Yield what a pointer of one dialect is in another that the document has."""
    name = _NAMES[dialect]
    if (body := _OF_BODY.fullmatch(pointer)) is not None:
        yield f"{body[1]}/extensions/{_BODIES[dialect]}{body[2]}"
    elif (collision := _COLLISION.fullmatch(pointer)) is not None:
        node, end = collision[1], "/joint" if dialect is Dialect.KHR else ""
        yield f"/nodes/{node}/extensions/{name}{end}/enableCollision"
    elif (settings := _SETTINGS.fullmatch(pointer)) is not None:
        index = next(_indices(document, before, int(settings[2]), dialect), None)
        if index is not None:
            for part in _parts(settings[3], before, int(settings[2]), dialect):
                yield f"/extensions/{name}/physicsJoints/{index}{part}"


def _parts(part: str, before: Physics, index: int, dialect: Dialect) -> Iterator[str]:
    """Yield what a part of settings is in another dialect: KHR splits limits of both kinds."""
    _, kind, number, member = part.split("/")
    known = before.joints.settings
    settings = known[index] if index < len(known) else None
    if kind == "drives" or settings is None:
        numbers: Iterable[int] = (int(number),)
    elif dialect is Dialect.KHR:
        numbers = numbers_in_khr(settings.limits, int(number))
    else:
        count = sum(len(numbers_in_khr(settings.limits, n)) for n in range(len(settings.limits)))
        numbers = (number_before(settings.limits, int(number), count),)
    for found in numbers:
        yield f"/{kind}/{found}/{member}"


def _indices(document: JsonObject, before: Physics, index: int, dialect: Dialect) -> Iterator[int]:
    """Yield the settings that joints have now, of those that had some before."""
    for node, physics in before.nodes.items():
        if physics.joint is not None and physics.joint.joint == index:
            joint = document["nodes"][node].get("extensions", {}).get(_NAMES[dialect], {})
            number = joint.get("joint", {}) if dialect is Dialect.KHR else joint
            if isinstance(number.get("joint"), int):
                yield number["joint"]
