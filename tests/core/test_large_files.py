"""Files whose buffers are much larger than their JSON: bytes that stay are never all in memory."""

import json
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.contents import FilePart, Pieces, write_files
from tests.core.documents import BODY, door

SIZE = 64 * 2**20
"""Bytes of the buffer; it begins with three corners and ends with this text."""
CORNERS, END = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0), b"the end."
MOST = 8 * 2**20
"""Bytes that a command may take in Python."""


def document(**buffer: str) -> dict[str, Any]:
    """Return a door whose leaf collides as a mesh at the start of the buffer."""
    found = door()
    found["buffers"] = [{"byteLength": SIZE, **buffer}]
    found["bufferViews"] = [{"buffer": 0, "byteLength": len(CORNERS)}]
    found["accessors"] = [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]
    found["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}}]}]
    shape = {"type": "convex", "convex": {"mesh": 0}}
    found["extensions"]["OMI_physics_shape"] = {"shapes": [shape]}
    found["extensionsUsed"] += ["OMI_physics_shape"]
    leaf = next(node for node in found["nodes"] if BODY in node.get("extensions", {}))
    leaf["extensions"][BODY] |= {"collider": {"shape": 0}}
    return found


def write_buffer(path: Path, before: bytes = b"") -> None:
    """Write a buffer behind some bytes; most of it is a hole in the file."""
    with path.open("wb") as file:
        file.write(before + CORNERS)
        file.seek(len(before) + SIZE - len(END))
        file.write(END)


def source(folder: Path, suffix: str) -> Path:
    path = folder / f"large.{suffix}"
    if suffix == "gltf":
        path.write_text(json.dumps(document(uri="large.bin")))
        write_buffer(folder / "large.bin")
        return path
    text = json.dumps(document()).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + SIZE, len(text), 0x4E4F534A)
    write_buffer(path, head + text + struct.pack("<II", SIZE, 0x004E4942))
    return path


def peak(*arguments: object) -> int:
    """Return the most bytes that a command held at a time."""
    tracemalloc.start()
    try:
        assert main(list(map(str, arguments))) == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def buffer_of(path: Path) -> tuple[int, bytes, bytes]:
    """Return the length of a written buffer, its first and its last bytes."""
    start = 0
    if path.suffix == ".gltf":
        path = path.with_suffix(".bin")
    else:
        with path.open("rb") as file:
            start = 28 + struct.unpack("<12xI", file.read(16))[0]
    with path.open("rb") as file:
        file.seek(start)
        first = file.read(len(CORNERS))
        file.seek(-len(END), 2)
        return path.stat().st_size - start, first, file.read()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["glb", "gltf"])
@pytest.mark.parametrize("wanted", ["glb", "gltf"])
def test_a_buffer_is_copied_block_by_block(kind: str, wanted: str, tmp_path: Path) -> None:
    path, folder = source(tmp_path, kind), tmp_path / "out"
    folder.mkdir()
    target = folder / f"large.{wanted}"
    main(["check", str(path)])
    assert peak("convert", path, target, "--dialect", "khr") < MOST
    assert buffer_of(target) == (SIZE, CORNERS, END)
    assert peak("convert", target, folder / "back.glb", "--dialect", "omi") < MOST
    assert buffer_of(folder / "back.glb") == (SIZE, CORNERS, END)


@pytest.mark.parametrize("command", [["check"], ["show"]])
def test_of_a_buffer_only_the_meshes_of_shapes_are_read(command: list[str], tmp_path: Path) -> None:
    assert peak(*command, source(tmp_path, "glb")) < MOST


def test_a_file_that_becomes_shorter_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"0123456789")
    part = FilePart(path, 2, 6)
    assert (bytes(part), bytes(part[1:3]), len(part[4:])) == (b"234567", b"34", 2)
    write_files(tmp_path, {"b/c.bin": Pieces((b"<", part, b">")), "d": b"d"})
    assert (tmp_path / "b" / "c.bin").read_bytes() == b"<234567>"
    path.write_bytes(b"0123")
    with pytest.raises(OSError, match=r"a\.bin has become shorter"):
        bytes(part)
