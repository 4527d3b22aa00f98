"""A document put into the file that it was read from: what nobody changed keeps its bytes."""

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from ...contents import Content, Pieces, file_part
from ...documents.json_edits import JsonEdits
from ...files import opened
from ..format import UnreadableError
from .container import GltfFile, read_gltf


def is_as_read(scene: PhysicsScene, read: PhysicsScene) -> bool:
    """Return whether nothing of a scene was replaced since it was read."""
    names = (field.name for field in fields(PhysicsScene) if field.name != "carried")
    return all(getattr(scene, name) is getattr(read, name) for name in names)


def whole_file(file: GltfFile) -> Content | None:
    """Return a file byte for byte.

    None where it is not there any more as it was read, or has numbers that are beyond doubles,
    which other programs may not read.
    """
    try:
        json.dumps(file.document, allow_nan=False)
        found = read_gltf(file.path, largest=file.path.stat().st_size).document
        if found != file.document:
            return None
        whole = file_part(file.path)
        return Pieces((whole,)) if file.is_binary else bytes(whole)
    except (UnreadableError, OSError, ValueError, RecursionError):
        return None


def edited_text(file: GltfFile, document: JsonObject) -> Content | None:
    """Return the text of a .gltf with what differs in a document, None where that cannot be."""
    try:
        json.dumps(file.document, allow_nan=False)
        with opened(file.path) as stream:
            edits = JsonEdits(stream.read())
        for pointer, value in _changes("", file.document, document):
            edits.set(pointer, value)
    except (OSError, ValueError, RecursionError):
        return None
    return edits.result()


def _changes(pointer: str, one: Any, other: Any) -> Iterator[tuple[str, Any]]:
    """Yield the smallest values that differ, by their pointers; what lost a member is whole."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() <= other.keys() and one:
        for name, value in other.items():
            inner = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name not in one:
                yield inner, value
            else:
                yield from _changes(inner, one[name], value)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _changes(f"{pointer}/{index}", left, right)
    elif one != other:
        yield pointer, other
