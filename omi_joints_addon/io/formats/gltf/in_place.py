"""A document put into the file that it was read from: what nobody changed keeps its bytes."""

import copy
import json
from dataclasses import fields

from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from ...contents import Content, Pieces, file_part
from ...documents.json_edits import JsonEdits
from ...documents.json_merging import JsonMerge
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
        merge = JsonMerge(edits, lambda _pointer, one, other: one == other, has_names=False)
        merge.members("", copy.deepcopy(file.document), file.document, document)
    except (OSError, ValueError, RecursionError):
        return None
    return edits.result()
