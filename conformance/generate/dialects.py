"""glTF documents of the two dialects: the same bodies and joints in the words of each."""

import copy
from typing import Any

import numpy as np

from .animations import animate
from .feature import BASE, MASS, MOMENT, Array, Feature, plain, quaternion

Json = dict[str, Any]
OMI, KHR = "omi", "khr"
JOINT, BODY, SHAPE = "OMI_physics_joint", "OMI_physics_body", "OMI_physics_shape"
RIGID, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
SIZE = 0.1
"""Side of the boxes that all bodies have [m]."""
BOX: Json = {"type": "box", "box": {"size": [SIZE, SIZE, SIZE]}}
BASE_NODE, CONNECTED, BODY_NODE, JOINT_NODE = range(4)


def head(dialect: str, nodes: list[Json], **members: Any) -> Json:
    """Return a document with nodes, and one box as its shape."""
    names = [JOINT, BODY, SHAPE] if dialect == OMI else [RIGID, SHAPES]
    return {
        "asset": {"version": "2.0", "generator": "conformance set, CC0"},
        "extensionsUsed": names,
        "extensions": {names[-1]: {"shapes": [copy.deepcopy(BOX)]}},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        **members,
    }


def joint_document(feature: Feature, dialect: str) -> Json:
    """Return the document of a feature: base, connected frame, body, joint."""
    position, rotation = feature.body_pose(0.0, at_start=True)
    offset = -np.array(feature.arm)
    base = {"name": "Base", "children": [CONNECTED], **_placed(BASE, None)}
    body = {"name": "Body", "children": [JOINT_NODE], **_placed(position, rotation)}
    connected = {"name": "Connected", **_placed(np.zeros(3), feature.frame)}
    joint = {"name": "Joint", **_placed(offset, None)}
    nodes: list[Json] = [base, connected, body, joint]
    settings = {
        key: value
        for key, value in (("limits", feature.limits), ("drives", feature.drives))
        if value
    }
    document = head(dialect, nodes)
    motion = {"mass": MASS, "inertiaDiagonal": [MOMENT] * 3, **feature.motion}
    put_static(dialect, base)
    put_dynamic(dialect, body, motion)
    put_joint(dialect, joint, CONNECTED)
    put_settings(dialect, document, [settings])
    document["scenes"] = [{"nodes": [BASE_NODE, BODY_NODE]}]
    for animated in feature.animated:
        animate(document, JOINT if dialect == OMI else RIGID, animated)
    if feature.parent:
        _below(document, feature.parent["scale"])
    return document


def put_static(dialect: str, node: Json) -> None:
    """Make a node a static body with a box."""
    if dialect == OMI:
        put(node, BODY, {"motion": {"type": "static"}, "collider": {"shape": 0}})
    else:
        put(node, RIGID, {"collider": {"geometry": {"shape": 0}}})


def put_dynamic(dialect: str, node: Json, motion: Json) -> None:
    """Make a node a dynamic body with a box."""
    if dialect == OMI:
        put(node, BODY, {"motion": {"type": "dynamic", **motion}, "collider": {"shape": 0}})
    else:
        put(node, RIGID, {"motion": dict(motion), "collider": {"geometry": {"shape": 0}}})


def put_joint(dialect: str, node: Json, connected: int, settings: int = 0, **members: Any) -> None:
    """Make a node the joint frame of a joint."""
    values = {"joint": settings, "connectedNode": connected, **members}
    put(node, *((JOINT, values) if dialect == OMI else (RIGID, {"joint": values})))


def put_settings(dialect: str, document: Json, settings: list[Json]) -> None:
    """Set the settings that joints refer to."""
    # Clients of KHR_physics_rigid_bodies fail on a joint without the array.
    rows = settings if dialect == OMI else [{"limits": [], **each} for each in settings]
    name = JOINT if dialect == OMI else RIGID
    document["extensions"].setdefault(name, {})["physicsJoints"] = rows


def put(node: Json, extension: str, values: Json) -> None:
    """Set an extension of a node."""
    node.setdefault("extensions", {})[extension] = values


def _placed(position: Array, rotation: Array | None) -> Json:
    """Return the transform of a node, without what is default."""
    values: Json = {}
    if np.any(np.abs(position) > 1e-12):
        values["translation"] = plain(position)
    if rotation is not None and np.abs(rotation - np.eye(3)).max() > 1e-12:
        values["rotation"] = quaternion(rotation)
    return values


def _below(document: Json, scale: list[float]) -> None:
    """Put all below a node with a scale, which leaves them where they are."""
    factors = np.array(scale)
    flip = np.sign(factors)
    for index in (BASE_NODE, BODY_NODE):
        node = document["nodes"][index]
        node["translation"] = plain(np.array(node["translation"]) / factors)
        if "rotation" in node:
            node["rotation"] = _mirrored(node["rotation"], flip)
    nodes = document["nodes"]
    connected = nodes[CONNECTED]
    connected["rotation"] = _mirrored(connected.get("rotation", [0.0, 0.0, 0.0, 1.0]), flip)
    nodes.append({"name": "Parent", "scale": scale, "children": [BASE_NODE, BODY_NODE]})
    document["scenes"] = [{"nodes": [len(nodes) - 1]}]


def _mirrored(rotation: list[float], flip: Array) -> list[float]:
    """Return a rotation between a mirror and the same mirror."""
    # The axis of a rotation is mirrored as a pseudovector.
    return plain([*(np.prod(flip) * flip * rotation[:3]), rotation[3]])
