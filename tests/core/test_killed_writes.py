"""Programs that are killed at a rename: what another program then reads is the old or the new."""

import base64
import json
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

KILLED = """
import os, signal, sys
from omi_joints_addon.cli.main import main
left = int(sys.argv[1])
def hook(event, arguments):
    global left
    if event == "os.rename":
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
sys.exit(main(sys.argv[2:]))
"""
"""Runs a command that is killed when it has renamed so many files."""


def run(renames: int, *arguments: Any) -> int:
    command = [sys.executable, "-c", KILLED, str(renames), *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True).returncode


def glb(path: Path, data: bytes, name: str) -> Path:
    """Write a .glb with an own image and a file beside it."""
    document = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": name}],
        "images": [{"uri": "wood%20grain.png"}],
        "buffers": [{"byteLength": len(data)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path


def as_read(path: Path) -> tuple[str, list[bytes]]:
    """Return the name in a document, and its buffer and image as any program finds them."""
    document = json.loads(path.read_bytes())
    uris = [element["uri"] for kind in ("buffers", "images") for element in document[kind]]
    inside = [base64.b64decode(u.split(",")[1]) for u in uris if u.startswith("data:")]
    outside = [path.with_name(u.replace("%20", " ")).read_bytes() for u in uris if ":" not in u]
    return document["nodes"][0]["name"], inside + outside


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
def test_a_document_and_its_files_are_of_one_write(tmp_path: Path) -> None:
    found, old, new = [], tmp_path / "old", tmp_path / "new"
    written = {}
    for folder, data in ((old, bytes(range(1, 255)) * 2), (new, b"\xff\x07" * 3_000_001)):
        folder.mkdir()
        (folder / "wood grain.png").write_bytes(folder.name.encode())
        glb(folder / "in.glb", data, folder.name)
        written[folder.name] = [data, folder.name.encode()]
    first = tmp_path / "first"
    first.mkdir()
    assert run(99, "convert", old / "in.glb", first / "door.gltf") == 0
    for renames in range(9):
        target = shutil.copytree(first, tmp_path / str(renames)) / "door.gltf"
        code = run(renames, "convert", new / "in.glb", target, "--force")
        name, files = as_read(target)
        assert files == written[name], f"after {renames} renames"
        found.append(name)
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert found == ["old", "new", "new", "new", "new"]
    document = json.loads(target.read_bytes())
    assert document["buffers"][0]["uri"] == "door.bin"
    assert document["images"][0]["uri"] == "wood%20grain.png"
    assert sorted(path.name for path in target.parent.iterdir()) == [
        "door.bin", "door.gltf", "wood grain.png"
    ]  # fmt: skip
