"""Fixes of glTF files that keep all they mean: what has no effect goes, what is used is listed."""

import copy
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ....core.findings.finding import Finding
from ....core.findings.sentence import Sentence
from ...contents import Content
from ...documents.json_edits import JsonEdits
from ...files import opened
from .animations import POINTER, has_pointers
from .container import GltfFile, glb_pieces
from .godot_original import is_for_godot

_UNLISTED = "OMI-J402"
_WITHOUT_EFFECT = ("OMI-J101", "OMI-J102", "OMI-J201", "OMI-J431")
"""Limits without axes, limits without bounds, drives without targets, axes named again."""
FIXED = frozenset((_UNLISTED, *_WITHOUT_EFFECT))
"""Codes of the findings that can be fixed in a file."""
_PLACE = re.compile(r"(/extensions/\w+/physicsJoints/\d+)/(\w+/.+)")


def fixed_file(file: GltfFile, findings: Iterable[Finding]) -> tuple[Content, int]:
    """Return the new content of a file, and how many findings it ends; 0 leave it as it is.

    Text keeps all its bytes but those of settings that change. Left as they are: damaged
    containers, files in the terms of Godot's importer, which have everything twice, and settings
    whose limits and drives an animation counts. Raises `UneditableError` for text that `JsonEdits`
    does not understand.
    """
    found, listed = list(findings), file.document.get("extensionsUsed", [])
    if file.findings or is_for_godot(file.document) or not isinstance(listed, list):
        return b"", 0
    unlisted = [_extension(each) for each in found if each.code == _UNLISTED]
    repeated = [each for each in found if each.place.startswith("/extensionsUsed/")]
    is_counted = POINTER in listed or has_pointers(file.document)
    gone = [] if is_counted else _places(found)
    edits = _edits(file.document, gone)
    if unlisted or repeated:
        edits["/extensionsUsed"] = list(dict.fromkeys([*listed, *unlisted]))
    count = len(unlisted) + len(repeated) + len(gone)
    return (_content(file, edits) if edits else b""), count


def _places(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """Return pointers of settings, and of what goes within them."""
    found = (_PLACE.fullmatch(each.place) for each in findings if each.code in _WITHOUT_EFFECT)
    return [(match[1], match[2]) for match in found if match is not None]


def _extension(found: Finding) -> str:
    assert isinstance(found.message, Sentence)
    return str(found.message.values["extension"])


def _edits(document: Any, places: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the new joint settings by their pointers."""
    edits: dict[str, Any] = {}
    # The last and the deepest first, so that the others keep their places.
    for settings, inside in sorted(set(places), key=_order, reverse=True):
        if settings not in edits:
            edits[settings] = copy.deepcopy(_at(document, settings.split("/")[1:]))
        *holders, last = inside.split("/")
        del _at(edits[settings], holders)[int(last)]
        # Clients of KHR_physics_rigid_bodies fail on a joint without limits.
        if edits[settings].get("drives") == []:
            del edits[settings]["drives"]
    return edits


def _order(place: tuple[str, str]) -> list[str]:
    return [name.rjust(12) for name in place[1].split("/")]


def _at(value: Any, names: Iterable[str]) -> Any:
    for name in names:
        value = value[int(name) if isinstance(value, list) else name]
    return value


def _content(file: GltfFile, edits: dict[str, Any]) -> Content:
    if not file.is_binary:
        with opened(file.path) as stream:
            text = JsonEdits(stream.read())
        for pointer, value in edits.items():
            text.set(pointer, value)
        return text.result()
    document = file.document
    for pointer, value in edits.items():
        document = _with(document, pointer.split("/")[1:], value)
    return glb_pieces(document, file.chunks())


def _with(holder: Any, names: Sequence[str], value: Any) -> Any:
    """Return a container with another value at a place below; all beside it is shared."""
    if not names:
        return value
    first, *rest = names
    if isinstance(holder, list):
        index = int(first)
        return [*holder[:index], _with(holder[index], rest, value), *holder[index + 1 :]]
    return {**holder, first: _with(holder.get(first), rest, value)}
