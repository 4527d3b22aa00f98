"""glTF files with a rotor on a motor, whose numbers are animated: written by hand."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

OMI, KHR = "OMI_physics_joint", "KHR_physics_rigid_bodies"
POINTER = "KHR_animation_pointer"
INERTIA, DAMPING = 0.5, 2.0
"""[kg·m²] and [N·m·s/rad] of the rotor and its motor."""
LOCKS = [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}, {"angularAxes": [0, 1], "min": 0, "max": 0}]


def rotor(*limits: dict[str, Any], **drive: Any) -> dict[str, Any]:
    """Return a document: a body that turns about Z of its own origin against the world."""
    motion = {"type": "dynamic", "mass": 1.0, "inertiaDiagonal": [INERTIA] * 3}
    motor = {"type": "angular", "mode": "force", "axis": 2, "damping": DAMPING, **drive}
    settings = {"limits": [*LOCKS, *limits], "drives": [motor] if drive else []}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", OMI, POINTER],
        "extensions": {OMI: {"physicsJoints": [settings]}},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"name": "Base", "children": [1]},
            {"name": "Motor", "extensions": {OMI: {"joint": 0, "connectedNode": 3}}},
            {
                "name": "Rotor",
                "children": [3],
                "extensions": {"OMI_physics_body": {"motion": motion}},
            },
            {"name": "Shaft"},
        ],
    }


def animate(
    document: dict[str, Any],
    pointer: str,
    keys: list[tuple[float, Any]],
    interpolation: str = "LINEAR",
    *,
    name: str = "Program",
    type_: str = "SCALAR",
) -> None:
    """Add a channel to a document; values of a cubic spline are in-tangent, value, out-tangent.

    Those of the `type_` VEC3 are tuples of three numbers.
    """
    times = [time for time, _ in keys]
    values = [v for _, value in keys for v in (value if isinstance(value, tuple) else (value,))]
    indices = []
    for numbers in (times, values):
        data = struct.pack(f"<{len(numbers)}f", *numbers)
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        _add(document, "buffers", {"byteLength": len(data), "uri": uri})
        view = {"buffer": len(document["buffers"]) - 1, "byteLength": len(data)}
        _add(document, "bufferViews", view)
        view_index = len(document["bufferViews"]) - 1
        accessor = {"bufferView": view_index, "componentType": 5126, "count": len(numbers)}
        width, kind = (3, type_) if numbers is values and type_ == "VEC3" else (1, "SCALAR")
        accessor |= {"count": len(numbers) // width, "type": kind}
        indices.append(_add(document, "accessors", accessor))
    sampler = {"input": indices[0], "output": indices[1], "interpolation": interpolation}
    target = {"path": "pointer", "extensions": {POINTER: {"pointer": pointer}}}
    _add(
        document,
        "animations",
        {"name": name, "samplers": [sampler], "channels": [{"sampler": 0, "target": target}]},
    )


def _add(document: dict[str, Any], name: str, element: dict[str, Any]) -> int:
    document.setdefault(name, []).append(element)
    return len(document[name]) - 1


def written(document: dict[str, Any], folder: Path) -> Path:
    """Return the path of a document that was written."""
    path = folder / "rotor.gltf"
    path.write_text(json.dumps(document))
    return path
