"""glTF files as JSON documents, without Blender: .gltf and .glb, whatever their bytes are.

Reads the named file only, its JSON part only, and never more than asked for.
"""

import json
import math
import os
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ....core.findings.finding import Finding
from ....core.findings.sentence import Sentence
from ....core.model.plain import JsonObject
from ...contents import FilePart, Pieces
from ...files import opened, real
from ..format import LARGEST, UnreadableError, UnwritableError
from .rules import DAMAGED_CONTAINER, NOT_UTF_8

_HEADER, _CHUNK = struct.Struct("<4sII"), struct.Struct("<II")
_JSON_CHUNK, _BINARY_CHUNK = 0x4E4F534A, 0x004E4942
_MAGIC = b"glTF"
_LARGEST_CONTAINER = 2**32 - 1
"""Bytes, since its header has 32 bits for their number."""
_READABLE = 4 * 2**20
"""Characters of a document that is written over many lines."""


class GltfFile(NamedTuple):
    """A file as it was read."""

    path: Path
    document: Any
    """Any JSON value."""
    findings: tuple[Finding, ...]
    """What is wrong with the bytes around it."""

    @property
    def is_binary(self) -> bool:
        """Whether it is a .glb, whatever it is called."""
        with opened(self.path) as file:
            return file.read(len(_MAGIC)) == _MAGIC

    def chunks(self) -> FilePart:
        """Return all that follows the JSON in a .glb; a .gltf has nothing there."""
        with opened(self.path) as file:
            head = file.read(_HEADER.size + _CHUNK.size)
            size = os.fstat(file.fileno()).st_size
        if not head.startswith(_MAGIC):
            return FilePart(self.path, size, 0)
        length, _ = _CHUNK.unpack_from(head, _HEADER.size)
        start = len(head) + length
        return FilePart(self.path, start, max(0, size - start))

    def binary(self) -> FilePart:
        """Return the content of the first binary chunk of a .glb; what is cut off is missing."""
        chunks = self.chunks()
        while len(chunks) >= _CHUNK.size:
            length, kind = _CHUNK.unpack(bytes(chunks[: _CHUNK.size]))
            chunks = chunks[_CHUNK.size :]
            if kind == _BINARY_CHUNK:
                return chunks[:length]
            chunks = chunks[length:]
        return chunks[:0]


def read_gltf(path: Path, *, largest: int = LARGEST) -> GltfFile:
    """Return the JSON document of a .gltf or .glb file, distinguished by its first bytes.

    Raises `UnreadableError` where there is none, also where it has more than `largest` bytes.
    """
    findings: list[Finding] = []
    try:
        with opened(path) as file:
            text = _json_bytes(file, os.fstat(file.fileno()).st_size, largest, findings)
    except OSError as error:
        raise UnreadableError(error.strerror or type(error).__name__) from error
    except ValueError as error:
        raise (
            error if isinstance(error, UnreadableError) else UnreadableError(str(error))
        ) from error
    return GltfFile(path, _parsed(text, findings), tuple(findings))


def _json_bytes(file: BinaryIO, size: int, largest: int, findings: list[Finding]) -> bytes:
    head = file.read(_HEADER.size)
    if not head.startswith(_MAGIC):
        if head.startswith(b"\0"):
            raise UnreadableError("is neither a GLB nor text: it begins with zero bytes")
        _require_size(size, largest)
        return head + file.read(size - len(head))
    return _json_chunk(file, head, size, largest, findings)


def _json_chunk(
    file: BinaryIO, head: bytes, size: int, largest: int, findings: list[Finding]
) -> bytes:
    """Return the JSON chunk of a binary container whose lengths may lie."""
    start = file.read(_CHUNK.size)
    if len(head) < _HEADER.size or len(start) < _CHUNK.size:
        raise UnreadableError(
            Sentence("is a GLB of {size} bytes, cut off in its header", size=size)
        )
    _, version, total = _HEADER.unpack(head)
    length, kind = _CHUNK.unpack(start)
    if version != 2:
        raise UnreadableError(Sentence("is a GLB of version {version}, not 2", version=version))
    if kind != _JSON_CHUNK:
        raise UnreadableError("is a GLB whose first chunk is not JSON")
    if length > size - file.tell():
        raise UnreadableError(
            Sentence(
                "is a GLB cut off in its JSON, {size} bytes of {total}", size=size, total=total
            )
        )
    _require_size(length, largest)
    text = file.read(length)
    for problem in _container_problems(file, size, total):
        findings.append(DAMAGED_CONTAINER("", problem=problem))
    return text


def _container_problems(file: BinaryIO, size: int, total: int) -> list[str]:
    """Return what is wrong with the lengths behind the JSON chunk, where `file` stands."""
    problems = []
    if total != size:
        problems.append(f"its header gives {total} bytes, but it has {size}")
    while (start := file.read(_CHUNK.size)) and not problems:
        if len(start) < _CHUNK.size:
            problems.append("a chunk header is cut off")
            break
        length, _ = _CHUNK.unpack(start)
        if length > size - file.tell():
            problems.append(f"a chunk of {length} bytes is cut off")
            break
        file.seek(length, os.SEEK_CUR)
    return problems


def _require_size(size: int, largest: int) -> None:
    if size > largest:
        allowed = f"{largest / 2**20:.0f} MiB allowed"
        raise UnreadableError(
            Sentence(
                "has {size:.0f} MiB of JSON, more than the {allowed}",
                size=size / 2**20,
                allowed=allowed,
            )
        )


def _parsed(text: bytes, findings: list[Finding]) -> Any:
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        findings.append(NOT_UTF_8("", offset=error.start))
        decoded = text.decode("utf-8-sig", "replace")
    try:
        return json.loads(decoded)
    except RecursionError as error:
        raise UnreadableError("has JSON that is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise UnreadableError(Sentence("is not valid JSON: {error}", error=error)) from error
    except ValueError as error:
        # An integer of more digits than Python converts.
        raise UnreadableError("has a number of too many digits") from error


def gltf_bytes(document: JsonObject) -> bytes:
    """Return a document as the text of a .gltf."""
    text = _json_text(document, separators=(",", ":"))
    if len(text) <= _READABLE:
        # Python indents in its own slow code, and nobody reads more than that.
        text = _json_text(document, indent=2)
    return (text + "\n").encode()


def glb_pieces(document: JsonObject, *chunks: bytes | FilePart) -> Pieces:
    """Return a document and the chunks behind it as a .glb; raises `UnwritableError`."""
    text = _json_text(document, separators=(",", ":")).encode()
    # Chunks start at multiples of four bytes; JSON is padded by spaces.
    text += b" " * (-len(text) % 4)
    total = _HEADER.size + _CHUNK.size + len(text) + sum(map(len, chunks))
    _require_to_fit(total)
    head = _HEADER.pack(_MAGIC, 2, total) + _CHUNK.pack(len(text), _JSON_CHUNK)
    return Pieces((head + text, *chunks))


def _json_text(document: JsonObject, **options: Any) -> str:
    """Return a document as text; numbers that JSON cannot hold become the largest, or null."""
    try:
        return json.dumps(document, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_bounded(document), allow_nan=False, **options)


def _bounded(value: object) -> Any:
    if isinstance(value, dict):
        return {name: _bounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_bounded(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else math.copysign(sys.float_info.max, value)
    return value


def binary_chunk(*data: bytes | FilePart) -> tuple[bytes | FilePart, ...]:
    """Return the pieces of the chunk of a .glb that holds its first buffer.

    Raises `UnwritableError`.
    """
    length = sum(map(len, data))
    padding = b"\0" * (-length % 4)
    _require_to_fit(length + len(padding))
    return (_CHUNK.pack(length + len(padding), _BINARY_CHUNK), *data, padding)


def _require_to_fit(size: int) -> None:
    if size > _LARGEST_CONTAINER:
        raise UnwritableError("a .glb holds 4 GiB at most; write a .gltf instead")


def require_inside(path: Path) -> None:
    """Raise `UnreadableError` where a file refers to one outside of its folder, or to no file."""
    document = read_gltf(path).document
    for uri in uris_of(document):
        found = file_of(path.parent, uri)
        shown = uri if len(uri) < 60 else uri[:57] + "…"
        if found is None:
            raise UnreadableError(Sentence("refers to {shown!r} outside its folder", shown=shown))
        if found.exists() and not found.is_file():
            raise UnreadableError(
                Sentence("refers to {shown!r}, which is not a regular file", shown=shown)
            )


def uris_of(document: object) -> list[str]:
    """Return the URIs of buffers and images that are not data."""
    if not isinstance(document, dict):
        return []
    lists = [document.get(name) for name in ("buffers", "images")]
    elements = [element for found in lists if isinstance(found, list) for element in found]
    uris = [element.get("uri") for element in elements if isinstance(element, dict)]
    return [uri for uri in uris if isinstance(uri, str) and not uri.startswith("data:")]


def _unquoted(uri: str) -> str:
    from urllib.parse import unquote

    return unquote(uri)


def leads_out(uri: str) -> bool:
    """Return whether a URI of a document leads out of the folder that the document is in."""
    if uri.startswith("data:"):
        return False
    path = _unquoted(uri).replace("\\", "/")
    return path.startswith("/") or ":" in path.split("/")[0] or ".." in path.split("/")


def file_of(folder: Path, uri: str) -> Path | None:
    """Return the file that a URI names; None where it is outside of the folder, also by a link."""
    name = _unquoted(uri)
    # No file has half a character in its name, as JSON escapes may say it.
    is_name = "\0" not in name and not any("\ud800" <= char <= "\udfff" for char in name)
    if leads_out(uri) or not is_name:
        return None
    path = folder / name
    return path if real(path).is_relative_to(real(folder)) else None
