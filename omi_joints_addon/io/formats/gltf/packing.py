"""A document with its buffers and images as the files of a .gltf or a .glb."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from ....core.findings.loss import How, Loss
from ....core.model.plain import JsonObject
from ...contents import Content, FilePart, Pieces, file_part
from ...files import real
from .container import (
    GltfFile,
    binary_chunk,
    file_of,
    glb_pieces,
    gltf_bytes,
    uris_of,
)
from .document_nodes import objects_of
from .mesh_data import Buffers

Piece = bytes | FilePart
IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
"""What glTF calls images, by their suffixes."""


@dataclass(slots=True, eq=False)
class _Buffer:
    pieces: list[Piece] = field(default_factory=list)
    size: int = 0
    """Bytes of all pieces."""

    def add(self, piece: Piece) -> int:
        """Add a piece, filled up to four bytes; return where it starts."""
        start, padding = self.size, b"\0" * (-len(piece) % 4)
        self.pieces += (piece, padding)
        self.size += len(piece) + len(padding)
        return start


@dataclass(slots=True, eq=False)
class Packing:
    """Files of one document; the document is changed."""

    document: JsonObject
    target: Path
    losses: list[Loss] = field(default_factory=list)

    def of_new(self, data: bytes) -> dict[str, Content]:
        """Return the files of a new document whose one buffer is `data`."""
        if not data:
            return self._files((), {})
        self.document["buffers"] = [{"byteLength": len(data)}]
        return self._with_buffer(data)

    def of_read(self, file: GltfFile) -> dict[str, Content]:
        """Return the files of a document that was read from a file."""
        if file.is_binary and not self._is_binary:
            self._without_sharing("buffers")
            return self._with_buffer(file.binary()) | dict(self._beside(file))
        if file.is_binary or not self._is_binary:
            return self._files((file.chunks(),), dict(self._beside(file)))
        whole = self._merged(Buffers(file, self.document), file)
        chunks = binary_chunk(*whole.pieces) if whole.size else ()
        return self._files(chunks, dict(self._beside(file)))

    @property
    def _is_binary(self) -> bool:
        return self.target.suffix.lower() == ".glb"

    def _with_buffer(self, data: Piece) -> dict[str, Content]:
        """Return files of a document whose first buffer, if it has no URI, is `data`."""
        if self._is_binary:
            return self._files(binary_chunk(data), {})
        buffers = self.document.get("buffers")
        first = buffers[0] if isinstance(buffers, list) and buffers else None
        if not isinstance(buffers, list) or not isinstance(first, dict) or "uri" in first:
            return self._files((), {})
        name = self.target.with_suffix(".bin").name
        buffers[0] = first | {"uri": quote(name)}
        length = first.get("byteLength")
        wanted = data[:length] if isinstance(length, int) else data
        return self._files((), {name: Pieces((wanted,))})

    def _files(self, chunks: Sequence[Piece], beside: Mapping[str, Content]) -> dict[str, Content]:
        if self._is_binary:
            return {self.target.name: glb_pieces(self.document, *chunks), **beside}
        return {self.target.name: gltf_bytes(self.document), **beside}

    def _beside(self, file: GltfFile) -> Iterator[tuple[str, Content]]:
        """Yield the files that the document refers to, where it goes to another folder."""
        here, there = real(file.path.parent), real(self.target.parent)
        if here == there:
            return
        for uri in dict.fromkeys(uris_of(self.document)):
            path = file_of(here, uri)
            try:
                if path is None:
                    raise ValueError("it is outside the folder of the file")
                name = PurePosixPath(path.relative_to(here)).as_posix()
                yield name, Pieces((file_part(path),))
            except ValueError as error:
                self.losses.append(Loss(uri[:60], "file", How.LOST, str(error)))

    def _merged(self, buffers: Buffers, file: GltfFile) -> "_Buffer":
        """Make one buffer of all that can be read, images too; return it."""
        whole = _Buffer()
        starts: dict[int, int] = {}
        others: list[JsonObject] = []
        for index, buffer in enumerate(objects_of(self.document, "buffers", [])):
            try:
                found = buffers.data(index)
            except ValueError as error:
                self.losses.append(Loss(f"buffer {index}", "buffer", How.LOST, str(error)))
                others.append(buffer)
                continue
            starts[index] = whole.add(found)
        places = self._places(starts)
        self._move_views(places, starts)
        self._embed_images(whole, file)
        first = [{"byteLength": whole.size}] if whole.size else []
        if first or others:
            self.document["buffers"] = [*first, *others]
        return whole

    def _places(self, starts: dict[int, int]) -> dict[int, int]:
        """Return the new index of each buffer: 0 for those that become one."""
        count = len(objects_of(self.document, "buffers", []))
        left = [index for index in range(count) if index not in starts]
        first = 1 if starts else 0
        return dict.fromkeys(starts, 0) | {old: first + new for new, old in enumerate(left)}

    def _move_views(self, places: dict[int, int], starts: dict[int, int]) -> None:
        self._without_sharing("bufferViews")
        for view in objects_of(self.document, "bufferViews", []):
            _move(view, places, starts)
            extensions = view.get("extensions")
            if isinstance(extensions, dict):
                view["extensions"] = {name: _moved(value, places, starts)
                                      for name, value in extensions.items()}  # fmt: skip

    def _embed_images(self, whole: "_Buffer", file: GltfFile) -> None:
        """Put images that are files into the buffer, where their kind is known."""
        self._without_sharing("images")
        for image in objects_of(self.document, "images", []):
            uri = image.get("uri")
            path = file_of(file.path.parent, uri) if isinstance(uri, str) else None
            kind = IMAGES.get(path.suffix.lower()) if path is not None else None
            if path is None or kind is None:
                continue
            try:
                found = file_part(path)
            except ValueError:
                continue
            views = self.document.setdefault("bufferViews", [])
            start = whole.add(found)
            views.append({"buffer": 0, "byteOffset": start, "byteLength": len(found)})
            del image["uri"]
            image |= {"mimeType": kind, "bufferView": len(views) - 1}

    def _without_sharing(self, name: str) -> None:
        """Copy an array of objects, which the document that was read keeps as it is."""
        value = self.document.get(name)
        if isinstance(value, list):
            self.document[name] = [
                dict(element) if isinstance(element, dict) else element for element in value
            ]


def _moved(value: object, places: dict[int, int], starts: dict[int, int]) -> Any:
    if not isinstance(value, dict):
        return value
    copy = dict(value)
    _move(copy, places, starts)
    return copy


def _move(view: JsonObject, places: dict[int, int], starts: dict[int, int]) -> None:
    buffer = view.get("buffer")
    if type(buffer) is not int or buffer not in places:
        return
    view["buffer"] = places[buffer]
    offset = view.get("byteOffset", 0)
    if starts.get(buffer) and isinstance(offset, int):
        view["byteOffset"] = offset + starts[buffer]
