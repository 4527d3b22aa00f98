"""Documents that were written for Godot's importer, taken back to what was authored.

Such a document says so in `asset.extras`. What was changed for the importer has the original and a
digest of what was written in its own extras: settings, motions and shapes in theirs, frames in
those of the joint's extension object, so that they survive tools that move nodes. What another
program has changed since is read as it is.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from ....core.findings.finding import INFO, WARNING, Finding, rule
from ....core.model.plain import JsonObject
from ..carrier import digest, is_digest
from .document_members import copied, extension_of, nodes_of
from .godot_meshes import take_meshes_back
from .omi.body import EXTENSION as BODY
from .omi.joint import EXTENSION as JOINT
from .omi.shape import EXTENSION as SHAPE
from .originals import take_original, with_original

MARK, TARGET = "OMI_physics_target", "Godot 4 importer"
_KEY = "OMI_specification"
_GENERATOR = re.compile(r"Godot Engine v[\d.]+\.(?!dev\b)[a-z]")
"""Start of the generator of documents that a release of Godot wrote itself.

The official examples of OMI_physics_joint are from development builds and mean what the
specification says.
"""
_FRAME = {"translation": 3, "rotation": 4, "matrix": 16}
"""Members of a frame, and how many numbers each has."""

FOR_GODOT = rule(
    "OMI-J468",
    INFO,
    "this document was written for Godot's importer; it is read back as it was authored",
    reason=(
        "An engine that follows the specification will read mirrored angles and long capsules "
        "from it."
    ),
)
CHANGED_SINCE = rule(
    "OMI-J469",
    WARNING,
    "this was changed after it was written for Godot's importer, so it is read as is: angles may "
    "be mirrored and capsules too long",
    reason="The original kept beside it no longer matches.",
)


def is_for_godot(document: object) -> bool:
    """Return whether a document says that it is written for Godot's importer."""
    asset = document.get("asset") if isinstance(document, dict) else None
    extras = asset.get("extras") if isinstance(asset, dict) else None
    return isinstance(extras, dict) and extras.get(MARK) == TARGET


def is_written_by_godot(document: JsonObject) -> bool:
    """Return whether a document says that Godot wrote it, and has settings of joints."""
    asset, root = document.get("asset"), extension_of(document, JOINT)
    generator = asset.get("generator") if isinstance(asset, dict) else None
    is_godot = isinstance(generator, str) and _GENERATOR.match(generator) is not None
    return is_godot and isinstance(root, dict) and isinstance(root.get("physicsJoints"), list)


def marked(document: JsonObject) -> JsonObject:
    """Return the document with the mark."""
    asset = document.get("asset")
    asset = asset if isinstance(asset, dict) else {}
    extras = asset.get("extras")
    kept = extras if isinstance(extras, dict) else {}
    return document | {"asset": asset | {"extras": kept | {MARK: TARGET}}}


def kept(value: JsonObject, original: JsonObject, *written: object) -> JsonObject:
    """Return a value that keeps its original, as long as what was `written` stays."""
    return with_original(value, {"original": original, "digest": digest(_text(*written))}, _KEY)


def plain(value: JsonObject) -> JsonObject:
    """Return a value without its original."""
    return take_original(value, _KEY)[0]


def as_authored(document: JsonObject) -> tuple[JsonObject, list[Finding]]:
    """Return a document without what was changed for Godot's importer, and what is wrong with it.

    Takes any document; one without the mark comes back as it is.
    """
    if not is_for_godot(document):
        return document, []
    document = _unmarked(copied(document))
    findings = [FOR_GODOT("/asset")]
    _restore_shapes(document, findings)
    _restore_motions(document, findings)
    _restore_frames(document, findings)
    _restore_settings(document, findings)
    take_meshes_back(document)
    return document, findings


def frames_of(node: JsonObject, nodes: list[JsonObject]) -> list[JsonObject]:
    """Return the transforms of a node and of its children, each as its own members say."""
    # An exporter may have empty lists for what is not there.
    found = (node, *_children(node, nodes))
    return [{name: one[name] for name in _FRAME if one.get(name)} for one in found]


def set_frames(node: JsonObject, nodes: list[JsonObject], frames: list[JsonObject]) -> None:
    """Set the transforms of a node and of its children."""
    for one, frame in zip((node, *_children(node, nodes)), frames, strict=True):
        for name in _FRAME:
            one.pop(name, None)
        one.update(frame)


def _children(node: JsonObject, nodes: list[JsonObject]) -> list[JsonObject]:
    """Return the nodes below a node, those that are there."""
    below = node.get("children")
    numbers = below if isinstance(below, list) else []
    return [nodes[i] for i in numbers if type(i) is int and 0 <= i < len(nodes)]


def _unmarked(document: JsonObject) -> JsonObject:
    asset = document["asset"]
    extras = {name: value for name, value in asset["extras"].items() if name != MARK}
    rest = {name: value for name, value in asset.items() if name != "extras"}
    return document | {"asset": rest | ({"extras": extras} if extras else {})}


def _text(*values: object) -> str:
    return json.dumps(_canonical(values), sort_keys=True)


def _canonical(value: Any) -> Any:
    """Return a value without what exporters may write in other ways: empty members, 0 for 0.0."""
    if isinstance(value, dict):
        members = {name: _canonical(member) for name, member in value.items()}
        return {name: member for name, member in members.items() if member not in (None, {}, [])}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) <= sys.float_info.max else value


def _taken(
    value: JsonObject, place: str, findings: list[Finding], *written: object
) -> tuple[JsonObject, JsonObject | None]:
    """Return a value without its original, and the original where it still belongs to it."""
    rest, record = take_original(value, _KEY)
    if record is None:
        return value, None
    original = record.get("original")
    is_unchanged = is_digest(record.get("digest"), _text(*(written or (rest,))))
    if not is_unchanged or not isinstance(original, dict):
        findings.append(CHANGED_SINCE(place))
        return rest, None
    return rest, original


def _restore_shapes(document: JsonObject, findings: list[Finding]) -> None:
    for index, shape in _elements(document, SHAPE, "shapes"):
        rest, original = _taken(shape, f"/extensions/{SHAPE}/shapes/{index}", findings)
        _set_element(document, SHAPE, "shapes", index, rest if original is None else original)


def _restore_motions(document: JsonObject, findings: list[Finding]) -> None:
    for index, node in enumerate(nodes_of(document)):
        body = extension_of(node, BODY)
        motion = body.get("motion") if isinstance(body, dict) else None
        if isinstance(motion, dict):
            place = f"/nodes/{index}/extensions/{BODY}/motion"
            rest, original = _taken(motion, place, findings)
            changed = body | {"motion": rest if original is None else original}
            node["extensions"] = node["extensions"] | {BODY: changed}


def _restore_frames(document: JsonObject, findings: list[Finding]) -> None:
    nodes = nodes_of(document)
    for index, node in enumerate(nodes):
        joint = extension_of(node, JOINT)
        if isinstance(joint, dict):
            place = f"/nodes/{index}/extensions/{JOINT}"
            rest, original = _taken(joint, place, findings, frames_of(node, nodes))
            node["extensions"] = node["extensions"] | {JOINT: rest}
            frames = original.get("frames") if original else None
            if isinstance(frames, list) and len(frames) == len(frames_of(node, nodes)):
                set_frames(node, nodes, list(map(_frame, frames)))


def _restore_settings(document: JsonObject, findings: list[Finding]) -> None:
    """Put the settings back in their order; several that were one become one again."""
    ordered: dict[int, JsonObject] = {}
    others: list[Any] = []
    places: dict[int, tuple[bool, int]] = {}
    for index, element in _elements(document, JOINT, "physicsJoints"):
        place = f"/extensions/{JOINT}/physicsJoints/{index}"
        rest, original = _taken(element, place, findings)
        before = original.get("index") if original else None
        settings = original.get("settings") if original else None
        if isinstance(settings, dict) and type(before) is int:
            ordered[before] = settings
            places[index] = (True, before)
        else:
            places[index] = (False, len(others))
            others.append(rest)
    order = sorted(ordered)
    root = extension_of(document, JOINT)
    if not isinstance(root, dict):
        return
    joined = [*(ordered[index] for index in order), *others]
    document["extensions"] = document["extensions"] | {JOINT: root | {"physicsJoints": joined}}
    for node in nodes_of(document):
        joint = extension_of(node, JOINT)
        if isinstance(joint, dict) and _number(joint) in places:
            is_original, at = places[_number(joint)]
            number = order.index(at) if is_original else len(order) + at
            node["extensions"] = node["extensions"] | {JOINT: joint | {"joint": number}}


def _frame(value: object) -> JsonObject:
    members = value.items() if isinstance(value, dict) else ()
    return {name: member for name, member in members if _is_vector(member, _FRAME.get(name))}


def _is_vector(value: Any, count: int | None) -> bool:
    is_list = isinstance(value, list) and len(value) == count
    return is_list and all(type(number) in (int, float) for number in value)


def _number(joint: JsonObject) -> int:
    number = joint.get("joint")
    return number if type(number) is int else -1


def _elements(document: JsonObject, extension: str, name: str) -> Iterator[tuple[int, JsonObject]]:
    root = extension_of(document, extension)
    elements = root.get(name) if isinstance(root, dict) else None
    for index, element in enumerate(elements if isinstance(elements, list) else []):
        if isinstance(element, dict):
            yield index, element


def _set_element(
    document: JsonObject, extension: str, name: str, index: int, value: JsonObject
) -> None:
    root = document["extensions"][extension]
    changed = [*root[name][:index], value, *root[name][index + 1 :]]
    document["extensions"] = document["extensions"] | {extension: root | {name: changed}}
