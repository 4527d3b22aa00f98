"""Channels of KHR_animation_pointer: numbers of joint settings that change over time."""

import base64
import struct
from typing import Any

from .feature import Animated

Json = dict[str, Any]
POINTER = "KHR_animation_pointer"


def animate(document: Json, extension: str, animated: Animated) -> None:
    """Add an animation of the first joint settings of an extension."""
    times, values = (_accessor(document, each) for each in (animated.times, animated.values))
    document["accessors"][times] |= {"min": [animated.times[0]], "max": [animated.times[-1]]}
    pointer = f"/extensions/{extension}/physicsJoints/0/{animated.member}"
    target = {"path": "pointer", "extensions": {POINTER: {"pointer": pointer}}}
    sampler = {"input": times, "output": values, "interpolation": animated.interpolation}
    animation = {
        "name": "Program",
        "samplers": [sampler],
        "channels": [{"sampler": 0, "target": target}],
    }
    document.setdefault("animations", []).append(animation)
    if POINTER not in document["extensionsUsed"]:
        document["extensionsUsed"].append(POINTER)


def _accessor(document: Json, numbers: tuple[float, ...]) -> int:
    data = struct.pack(f"<{len(numbers)}f", *numbers)
    uri = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    buffer = _add(document, "buffers", {"byteLength": len(data), "uri": uri})
    view = _add(document, "bufferViews", {"buffer": buffer, "byteLength": len(data)})
    values = {"bufferView": view, "componentType": 5126, "count": len(numbers), "type": "SCALAR"}
    return _add(document, "accessors", values)


def _add(document: Json, name: str, element: Json) -> int:
    document.setdefault(name, []).append(element)
    return len(document[name]) - 1
