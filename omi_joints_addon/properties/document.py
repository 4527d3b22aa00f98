"""The text that a collection was imported from, kept with it in the .blend file.

The collection has the text, each object the name of the element that it stands for, and each mesh a
digest of its points, so that what nobody edited can be distinguished.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ..core.model.plain import kept_object

_HEADER = "omi_document"
_TEXTS = "omi_document_texts"
_ORIGIN = "omi_origin"
_DIGEST = "omi_mesh"
_NUMBER = re.compile(r"\.\d{3,}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A file with those that it includes."""

    format: str
    """Name of the format."""
    path: str
    """Where the file was."""
    name: str
    """Name of the model."""
    files: Mapping[str, bytes]
    """Texts by path relative to the folder of the file, its own first."""
    options: Mapping[str, Any]
    """Options of reading."""
    folders: tuple[str, ...] = ()
    """Folders beside that of the file that it may refer to."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Which element of a text an object stands for."""

    key: str
    """`core.model.origins` of the element's node."""
    name: str
    """Name of the node."""
    given: str
    """Name that the object got."""

    def is_name(self, name: str) -> bool:
        """Return whether an object of this name was not renamed; Blender appends numbers."""
        return name == self.given or _NUMBER.sub("", name) == _NUMBER.sub("", self.given)


def keep_text(collection: bpy.types.Collection, text: KeptText) -> None:
    """Keep a text with a collection."""
    header = {
        "format": text.format,
        "path": text.path,
        "name": text.name,
        "given": collection.name,
        "options": dict(text.options),
        "folders": list(text.folders),
        "files": [[name, len(data)] for name, data in text.files.items()],
    }
    collection[_HEADER] = json.dumps(header)
    if _TEXTS in collection.keys():  # noqa: SIM118
        # Bytes that are set again end at their first zero.
        del collection[_TEXTS]
    collection[_TEXTS] = zlib.compress(b"".join(text.files.values()))


def text_of(collection: bpy.types.Collection) -> KeptText | None:
    """Return the text that a collection was imported from, None where it has none."""
    header = kept_object(str(collection.get(_HEADER, "")))
    try:
        data = zlib.decompress(bytes(collection.get(_TEXTS, b"")))
        files, at = {}, 0
        for name, size in header["files"]:
            files[str(name)] = data[at : at + size]
            at += size
        given = Origin("", "", str(header["given"]))
        own = str(header["name"]) if given.is_name(collection.name) else collection.name
        return KeptText(
            format=str(header["format"]),
            path=str(header["path"]),
            name=own,
            files=files,
            options=dict(header["options"]),
            folders=tuple(map(str, header["folders"])),
        )
    except (zlib.error, KeyError, TypeError, ValueError):
        return None


def keep_origin(obj: bpy.types.Object, key: str, name: str) -> None:
    """Tie an object to an element, as its name and its mesh are now."""
    obj[_ORIGIN] = json.dumps([key, name, obj.name])
    if isinstance(obj.data, bpy.types.Mesh):
        keep_digest(obj.data)


def origin_of(obj: bpy.types.Object) -> Origin | None:
    """Return which element an object stands for, None for none."""
    try:
        key, name, given = json.loads(str(obj.get(_ORIGIN, "")))
    except (ValueError, TypeError):
        return None
    return Origin(str(key), str(name), str(given))


def keep_digest(mesh: bpy.types.Mesh) -> None:
    """Remember the points and triangles of a mesh."""
    if mesh.get(_DIGEST) is None:
        mesh[_DIGEST] = _digest(mesh)


def is_as_imported(mesh: bpy.types.Mesh) -> bool:
    """Return whether a mesh has the points and faces that it was imported with."""
    return bool(mesh.get(_DIGEST) == _digest(mesh))


def _digest(mesh: bpy.types.Mesh) -> str:
    import numpy as np  # here, since Blender starts without

    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    return hashlib.blake2b(points.tobytes() + corners.tobytes(), digest_size=8).hexdigest()
