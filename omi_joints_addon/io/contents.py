"""Contents of files to write: bytes, and parts of other files, copied block by block."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .files import opened

_BLOCK = 2**20
_THIRDS = 3 * _BLOCK
"""Bytes whose text in base 64 needs no padding."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """Consecutive bytes of a file, read when they are asked for; each read raises `OSError`."""

    path: Path
    start: int
    """Offset in the file [bytes]."""
    length: int
    """Number of bytes."""

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, wanted: slice) -> "FilePart":
        first, last, _ = wanted.indices(self.length)
        return FilePart(self.path, self.start + first, max(0, last - first))

    def __bytes__(self) -> bytes:
        return b"".join(self.blocks())

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes in blocks; raises `OSError` where the file has become shorter."""
        left = self.length
        with opened(self.path) as file:
            file.seek(self.start)
            while left:
                block = file.read(min(left, _BLOCK))
                if not block:
                    raise OSError(None, f"{self.path.name} has become shorter")
                left -= len(block)
                yield block


@dataclass(frozen=True, slots=True)
class Base64:
    """Bytes of a file as the text of a data URI."""

    part: FilePart

    def __len__(self) -> int:
        return 4 * (-(-len(self.part) // 3))

    def blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks; raises `OSError`."""
        from base64 import b64encode

        for start in range(0, len(self.part), _THIRDS):
            yield b64encode(bytes(self.part[start : start + _THIRDS]))


@dataclass(frozen=True, slots=True)
class Pieces:
    """What follows each other in a file."""

    pieces: tuple[bytes | FilePart | Base64, ...]

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def __bytes__(self) -> bytes:
        return b"".join(self.blocks())

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes in blocks; raises `OSError`."""
        for piece in self.pieces:
            yield from (piece,) if isinstance(piece, bytes) else piece.blocks()


Content = bytes | Pieces


def blocks_of(content: Content) -> Iterator[bytes]:
    """Yield the bytes of a content in blocks; raises `OSError`."""
    return iter((content,)) if isinstance(content, bytes) else content.blocks()


def file_part(path: Path) -> FilePart:
    """Return a whole file; raises `ValueError` with the reason where it cannot be read."""
    try:
        with opened(path) as file:
            return FilePart(path, 0, file.seek(0, 2))
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror or error}") from error


def write_files(folder: Path, files: Mapping[str, Content]) -> None:
    """Write files by their paths relative to a folder; raises `OSError`."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as file:
            for block in blocks_of(content):
                file.write(block)
