"""Files of Blender's exporter in the dialects of glTF physics, and what they say."""

import json
import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from tests.roundtrip.documents import (
    JOINT,
    axes_and_place,
    export,
    world,
)

KHR, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
OMI = {JOINT, "OMI_physics_body", "OMI_physics_shape"}


def export_as(folder: Path, *dialects: str, name: str = "file.gltf") -> dict[str, Any]:
    """Export all in some dialects and return the document as it was written."""
    bpy.context.scene.omi_gltf.export_dialects = set(dialects)
    return export(folder, name)


def extensions_in(document: dict[str, Any]) -> set[str]:
    """Return the physics extensions that a document declares or uses."""
    owners = [document, *document["nodes"]]
    used = {name for owner in owners for name in owner.get("extensions", {})}
    assert used <= set(document.get("extensionsUsed", ()))
    assert not document.get("extensionsRequired")
    return set(document.get("extensionsUsed", ())) & (OMI | {KHR, SHAPES})


def json_of_glb(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[12:16])
    return json.loads(data[20 : 20 + length])


def khr_parts(document: dict[str, Any], part: str) -> list[tuple[np.ndarray, Any]]:
    """Return what each node says of a part, with its place, in the order of places in the world.

    References are replaced by what they mean and boxes take the scale of their node, which the
    exporter writes as nodes of their own without scale.
    """
    root = document["extensions"][KHR]
    found = []
    for index, node in enumerate(document["nodes"]):
        values = dict(node.get("extensions", {}).get(KHR, {}).get(part, {}))
        if not values:
            continue
        places = [world(document, index)]
        if part == "joint":
            places.append(world(document, values.pop("connectedNode")))
            values["joint"] = settings(root["physicsJoints"][values["joint"]])
        elif part == "collider":
            shape = document["extensions"][SHAPES]["shapes"][values.pop("geometry")["shape"]]
            scale = np.linalg.norm(places[0][:3, :3], axis=0)
            values["size"] = np.round(np.array(shape["box"]["size"]) * scale, 5).tolist()
            values["physicsMaterial"] = {"restitution": 0} | root["physicsMaterials"][
                values["physicsMaterial"]
            ]
            values["collisionFilter"] = root["collisionFilters"][values["collisionFilter"]]
        found.append((np.array([axes_and_place(matrix) for matrix in places]), values))
    return sorted(found, key=lambda item: tuple(np.round(item[0][0][:3, 3], 3)))


def settings(value: dict[str, Any]) -> dict[str, Any]:
    """Return joint settings whose axes ascend: which axes are limited is a set."""
    limits = [
        {key: sorted(member) if "Axes" in key else member for key, member in limit.items()}
        for limit in value.get("limits", ())
    ]
    return value | {"limits": limits}


def node_named_or_last(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a node by name, where others may have none."""
    return next(node for node in document["nodes"] if node.get("name") == name)
