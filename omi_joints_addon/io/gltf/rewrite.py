"""glTF files with another JSON part, all else kept byte by byte, without Blender."""

import json
import struct
from pathlib import Path
from typing import Any

_HEADER, _CHUNK = struct.Struct("<4sII"), struct.Struct("<II")
_JSON_CHUNK = 0x4E4F534A


def rewrite_gltf(source: Path, target: Path, document: Any) -> None:
    """Write the file `source`, which has been read, to `target` with another document.

    A .glb keeps its binary chunks; a .gltf has no others.
    """
    data = source.read_bytes()
    if data.startswith(b"glTF"):
        target.write_bytes(_container(data, document))
    else:
        target.write_text(json.dumps(document, indent=2) + "\n", "utf-8")


def refers_to_files(document: Any) -> bool:
    """Return whether buffers or images of a document are files of their own."""
    if not isinstance(document, dict):
        return False
    lists = [document.get(name) for name in ("buffers", "images")]
    elements = [element for found in lists if isinstance(found, list) for element in found]
    uris = [element.get("uri") for element in elements if isinstance(element, dict)]
    return any(isinstance(uri, str) and not uri.startswith("data:") for uri in uris)


def _container(data: bytes, document: Any) -> bytes:
    """Return a binary container with another JSON chunk."""
    magic, version, _ = _HEADER.unpack_from(data)
    length, _ = _CHUNK.unpack_from(data, _HEADER.size)
    rest = data[_HEADER.size + _CHUNK.size + length :]
    text = json.dumps(document, separators=(",", ":")).encode()
    # Chunks start at multiples of four bytes; JSON is padded by spaces.
    text += b" " * (-len(text) % 4)
    total = _HEADER.size + _CHUNK.size + len(text) + len(rest)
    return b"".join(
        (
            _HEADER.pack(magic, version, total),
            _CHUNK.pack(len(text), _JSON_CHUNK),
            text,
            rest,
        )
    )
