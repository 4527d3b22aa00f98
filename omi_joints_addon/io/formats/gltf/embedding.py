"""A document with the files that it refers to inside, as data URIs."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from ...contents import Base64, Pieces, file_part
from .container import file_of, gltf_bytes, read_gltf
from .document_nodes import objects_of
from .packing import IMAGES


def embedded(path: Path) -> Pieces:
    """Return a .gltf that needs no other file of its folder; raises `ValueError`."""
    document = read_gltf(path, largest=path.stat().st_size).document
    mark = uuid4().hex
    files: list[Path] = []
    for element in (*objects_of(document, "buffers", []), *objects_of(document, "images", [])):
        uri = element.get("uri")
        file = file_of(path.parent, uri) if isinstance(uri, str) else None
        if file is not None and file.is_file():
            kind = IMAGES.get(file.suffix.lower(), "application/octet-stream")
            element["uri"] = f"data:{kind};base64,{mark}-{len(files)}-"
            files.append(file)
    return Pieces(tuple(_filled(gltf_bytes(document), mark, files)))


def _filled(text: bytes, mark: str, files: list[Path]) -> Iterator[bytes | Base64]:
    """Yield a text with files where their numbers are marked."""
    before, *rest = re.split(f"{mark}-(\\d+)-".encode(), text)
    yield before
    for number, between in zip(rest[::2], rest[1::2], strict=True):
        yield Base64(file_part(files[int(number)]))
        yield between
