"""Parsers that are not ours: each written file must be readable by one of them."""

import json
import struct
import xml.dom.minidom
from pathlib import Path


def assert_parsable(path: Path) -> None:
    """Assert that a written file is what its suffix says, by a parser that we did not write."""
    data = path.read_bytes()
    if path.suffix in (".urdf", ".xml", ".mjcf"):
        xml.dom.minidom.parseString(data)
    elif path.suffix == ".glb":
        magic, version, size, length, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON")
        _assert_json(data[20 : 20 + length])
    elif path.suffix in (".json", ".gltf"):
        _assert_json(data)
    elif path.suffix == ".usda":
        from pxr import Sdf

        assert Sdf.Layer.CreateAnonymous(".usda").ImportFromString(data.decode())


def _assert_json(data: bytes) -> None:
    """Assert that data is JSON, which has no infinity and no NaN."""
    json.loads(data.decode("utf-8"), parse_constant=_refuse)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
