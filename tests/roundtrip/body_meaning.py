"""What a document says about bodies, by node name, worked out without the add-on's own code."""

from collections.abc import Iterator
from typing import Any

import numpy as np

MOTION = {
    "mass": 1.0,
    "centerOfMass": [0.0, 0.0, 0.0],
    "inertiaDiagonal": [0.0, 0.0, 0.0],
    "inertiaOrientation": [0.0, 0.0, 0.0, 1.0],
    "linearVelocity": [0.0, 0.0, 0.0],
    "angularVelocity": [0.0, 0.0, 0.0],
    "gravityFactor": 1.0,
}
MATERIAL = {
    "staticFriction": 0.6,
    "dynamicFriction": 0.6,
    "restitution": 0.0,
    "frictionCombine": "average",
    "restitutionCombine": "average",
}
ROUND = {"height": 1.0, "radiusBottom": 0.5, "radiusTop": 0.5}
SHAPES: dict[str, dict[str, Any]] = {
    "box": {"size": [1.0, 1.0, 1.0]},
    "sphere": {"radius": 0.5},
    "capsule": ROUND,
    "cylinder": ROUND | {"height": 2.0},
    "convex": {},
    "trimesh": {},
}


def meaning(document: dict[str, Any]) -> dict[str, Any]:
    """Return what each node with OMI_physics_body says, references replaced by what they mean."""
    nodes = document["nodes"]
    return {
        node.get("name", f"node {index}"): _node(document, node)
        for index, node in enumerate(nodes)
        if "OMI_physics_body" in node.get("extensions", {})
    }


def nodes_by_name(document: dict[str, Any]) -> dict[str, Any]:
    """Return the nodes by name."""
    return {node["name"]: node for node in document["nodes"]}


def body_of(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the extension object of a node, as it is written."""
    return nodes_by_name(document)[name]["extensions"]["OMI_physics_body"]


def shapes_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the document's shapes, as they are written."""
    return document.get("extensions", {}).get("OMI_physics_shape", {}).get("shapes", [])


def world_of(document: dict[str, Any], name: str) -> np.ndarray:
    """Return the world matrix of a node in glTF's axes."""
    parents = {c: i for i, node in enumerate(document["nodes"]) for c in node.get("children", ())}
    index = next(i for i, node in enumerate(document["nodes"]) if node["name"] == name)
    matrix = np.eye(4)
    while index is not None:
        matrix = _local(document["nodes"][index]) @ matrix
        index = parents.get(index)
    return matrix


def _local(node: dict[str, Any]) -> np.ndarray:
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    matrix = np.eye(4)
    matrix[:3, :3] = np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        )
    ) * node.get("scale", (1.0, 1.0, 1.0))
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix


def _node(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    body = node["extensions"]["OMI_physics_body"]
    values = dict(body)
    if "motion" in body:
        values["motion"] = MOTION | body["motion"]
    for part in ("collider", "trigger"):
        if part in body:
            values[part] = _part(document, body[part])
    if "trigger" in body and not {"shape", "nodes"} & body["trigger"].keys():
        # Before the list of nodes, the triggers below were the parts.
        values["trigger"]["nodes"] = list(_triggers_below(document, node))
    return values


def _triggers_below(document: dict[str, Any], node: dict[str, Any]) -> Iterator[str]:
    for index in node.get("children", ()):
        child = document["nodes"][index]
        if "trigger" in child.get("extensions", {}).get("OMI_physics_body", {}):
            yield child["name"]
        yield from _triggers_below(document, child)


def _part(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    extensions = document.get("extensions", {})
    bodies = extensions.get("OMI_physics_body", {})
    values = dict(part)
    values["shape"] = _shape(document, part.get("shape", -1))
    values["collisionFilter"] = _element(
        bodies.get("collisionFilters"), part.get("collisionFilter")
    )
    if (index := part.get("physicsMaterial", -1)) != -1:
        values["physicsMaterial"] = MATERIAL | bodies["physicsMaterials"][index]
    if "nodes" in part:
        values["nodes"] = [document["nodes"][index]["name"] for index in part["nodes"]]
    return values


def _shape(document: dict[str, Any], index: int) -> Any:
    shape = _element(document["extensions"].get("OMI_physics_shape", {}).get("shapes"), index)
    if shape is None:
        return None
    type_ = shape["type"]
    sizes = dict(shape.get(type_, {}))
    if "radius" in sizes and type_ != "sphere":
        radius = sizes.pop("radius")
        if type_ == "capsule" and not {"radiusBottom", "radiusTop"} & sizes.keys():
            # While there was one radius, the height was that of the whole.
            sizes["height"] -= 2.0 * radius
        sizes = {"radiusBottom": radius, "radiusTop": radius} | sizes
    values = dict(shape) | {type_: SHAPES[type_] | sizes}
    if "mesh" in sizes:
        values[type_]["mesh"] = _mesh(document, sizes["mesh"])
    return values


def _mesh(document: dict[str, Any], index: int) -> Any:
    """Return what tells one mesh from another here: its extent and number of triangles."""
    (primitive,) = document["meshes"][index]["primitives"]
    positions = document["accessors"][primitive["attributes"]["POSITION"]]
    indices = document["accessors"][primitive["indices"]]
    return positions["min"], positions["max"], indices["count"]


def _element(elements: Any, index: int | None) -> Any:
    return None if index is None or index < 0 else elements[index]
