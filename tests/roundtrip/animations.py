"""Animations of glTF files, played without Blender."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

from tests.roundtrip.documents import parents, world


def channels_of(document: dict[str, Any], node: int) -> list[dict[str, Any]]:
    """Return the channels that move a node."""
    return [
        channel
        for animation in document.get("animations", ())
        for channel in animation["channels"]
        if channel["target"].get("node") == node
    ]


def animated_world(document: dict[str, Any], folder: Path, node: int, time: float) -> np.ndarray:
    """Return the world matrix of a node at a time [s] of all animations, at keys only."""
    chain = [node]
    above = parents(document)
    while (node := above.get(node, -1)) >= 0:
        chain.append(node)
    moved = {"nodes": [dict(node) for node in document["nodes"]]}
    for animation in document.get("animations", ()):
        for channel in animation["channels"]:
            target = channel["target"]
            if target.get("node") in chain:
                sampler = animation["samplers"][channel["sampler"]]
                value = _key(document, folder, sampler, time)
                moved["nodes"][target["node"]][target["path"]] = value
    return world(moved, chain[0])


def _key(document: dict[str, Any], folder: Path, sampler: dict[str, Any], time: float) -> Any:
    """Return the value of a sampler at a key, or the first or last beyond all keys."""
    times = _numbers(document, folder, sampler["input"])
    values = _numbers(document, folder, sampler["output"]).reshape(len(times), -1)
    assert sampler.get("interpolation", "LINEAR") in {"LINEAR", "STEP"}
    at = int(np.abs(times - np.clip(time, times[0], times[-1])).argmin())
    assert abs(times[at] - np.clip(time, times[0], times[-1])) < 1e-3
    return values[at].tolist()


def _numbers(document: dict[str, Any], folder: Path, accessor: int) -> np.ndarray:
    """Return all numbers of an accessor of floats."""
    described = document["accessors"][accessor]
    view = document["bufferViews"][described["bufferView"]]
    data = (folder / document["buffers"][view["buffer"]]["uri"]).read_bytes()
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[described["type"]]
    count = described["count"] * width
    start = view.get("byteOffset", 0) + described.get("byteOffset", 0)
    return np.array(struct.unpack_from(f"<{count}f", data, start))
