"""glTF files as JSON documents, without Blender: .gltf and .glb, whatever their bytes are.

Reads the named file only, its JSON part only, and never more than asked for.
"""

import json
import os
import stat
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ....core.findings.finding import Finding, finding

LARGEST = 256 * 2**20
"""Bytes of JSON that are read unless asked for more; parsed they take about ten times as much."""
_HEADER, _CHUNK = struct.Struct("<4sII"), struct.Struct("<II")
_JSON_CHUNK = 0x4E4F534A
_MAGIC = b"glTF"


class UnreadableError(ValueError):
    """A file that holds no JSON document; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class GltfFile:
    """A file as it was read."""

    document: Any
    """Any JSON value."""
    findings: tuple[Finding, ...]
    """What is wrong with the bytes around it."""


def read_gltf(path: Path, *, largest: int = LARGEST) -> GltfFile:
    """Return the JSON document of a .gltf or .glb file, told apart by its first bytes.

    Raises `UnreadableError` where there is none, also where it has more than `largest` bytes.
    """
    findings: list[Finding] = []
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableError("is no file")
            text = _json_bytes(file, status.st_size, largest, findings)
    except OSError as error:
        raise UnreadableError(error.strerror or type(error).__name__) from error
    except ValueError as error:
        raise (
            error if isinstance(error, UnreadableError) else UnreadableError(str(error))
        ) from error
    return GltfFile(_parsed(text, findings), tuple(findings))


def _json_bytes(file: BinaryIO, size: int, largest: int, findings: list[Finding]) -> bytes:
    head = file.read(_HEADER.size)
    if not head.startswith(_MAGIC):
        _require_size(size, largest)
        return head + file.read(largest)
    return _json_chunk(file, head, size, largest, findings)


def _json_chunk(
    file: BinaryIO, head: bytes, size: int, largest: int, findings: list[Finding]
) -> bytes:
    """Return the JSON chunk of a binary container whose lengths may lie."""
    start = file.read(_CHUNK.size)
    if len(head) < _HEADER.size or len(start) < _CHUNK.size:
        raise UnreadableError(f"is a GLB of {size} bytes, cut off in its header")
    _, version, total = _HEADER.unpack(head)
    length, kind = _CHUNK.unpack(start)
    if version != 2:
        raise UnreadableError(f"is a GLB of version {version}, not 2")
    if kind != _JSON_CHUNK:
        raise UnreadableError("is a GLB whose first chunk is not JSON")
    if length > size - file.tell():
        raise UnreadableError(f"is a GLB cut off in its JSON, {size} bytes of {total}")
    _require_size(length, largest)
    text = file.read(length)
    for problem in _container_problems(file, size, total):
        findings.append(finding("OMI-J410", "", problem=problem))
    return text


def _container_problems(file: BinaryIO, size: int, total: int) -> list[str]:
    """Return what is wrong with the lengths behind the JSON chunk, where `file` stands."""
    problems = []
    if total != size:
        problems.append(f"its header says {total} bytes, it has {size}")
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
        raise UnreadableError(f"has {size / 2**20:.0f} MiB of JSON, more than the {allowed}")


def _parsed(text: bytes, findings: list[Finding]) -> Any:
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        findings.append(finding("OMI-J415", "", offset=error.start))
        decoded = text.decode("utf-8-sig", "replace")
    try:
        return json.loads(decoded)
    except RecursionError as error:
        raise UnreadableError("has JSON that is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise UnreadableError(f"is no JSON: {error}") from error
    except ValueError as error:
        # An integer of more digits than Python converts.
        raise UnreadableError("has a number of too many digits") from error
