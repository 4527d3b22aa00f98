"""Joints to the world: in OMI_physics_joint the connected node is below a body, so it gets one."""

from collections.abc import Sequence

from ....core.findings.finding import Finding
from ....core.model.plain import JsonObject
from .document_members import (
    children_of,
    declare,
    extension_of,
    lists_of_roots,
    nodes_of,
    set_extension,
)
from .omi import body as omi_physics_body
from .omi import joint as omi_physics_joint
from .rules import HELD_BY_WORLD

NAME = "{} World Anchor"
"""Name of the node that is made for a frame without a body."""
_STATIC = {"motion": {"type": "static"}}


def anchor_to_bodies(document: JsonObject) -> list[Finding]:
    """Give every connected node that is on no body a static one; return a finding for each.

    That is the nearest collider at or above it, which is static without motion, else a new node
    around the frame. The document is a JSON object and changed in place. Bodies are only added to a
    document that has bodies.
    """
    nodes = nodes_of(document)
    if not any(extension_of(node, omi_physics_body.EXTENSION) is not None for node in nodes):
        return []
    parents = _parents(nodes)
    moving = {index for index, node in enumerate(nodes) if _has(node, "motion")}
    findings = []
    for index, connected in _connected(nodes):
        above = _at_and_above(connected, parents)
        if not moving.isdisjoint(above):
            continue
        body = next((at for at in above if _has(nodes[at], "collider")), None)
        if body is None:
            body = len(nodes)
            nodes.append(_new_anchor(document, connected, parents))
        moving.add(body)
        owner = nodes[body]
        value = extension_of(owner, omi_physics_body.EXTENSION) or {}
        set_extension(owner, omi_physics_body.EXTENSION, value | _STATIC)
        name = str(owner.get("name", f"node {body}"))
        place = str(nodes[index].get("name", f"/nodes/{index}"))
        findings.append(HELD_BY_WORLD(place, node=name))
    declare(document, [omi_physics_body.EXTENSION])
    return findings


def _parents(nodes: Sequence[JsonObject]) -> dict[int, int]:
    return {
        child: index
        for index, node in enumerate(nodes)
        if "children" in node
        for child in children_of(node)
    }


def _connected(nodes: Sequence[JsonObject]) -> list[tuple[int, int]]:
    found = []
    for index, node in enumerate(nodes):
        joint = extension_of(node, omi_physics_joint.EXTENSION)
        connected = joint.get("connectedNode") if isinstance(joint, dict) else None
        if type(connected) is int and 0 <= connected < len(nodes):
            found.append((index, connected))
    return found


def _at_and_above(index: int, parents: dict[int, int]) -> list[int]:
    """Return a node and those above it, nearest first."""
    found = [index]
    while (above := parents.get(found[-1])) is not None and above not in found:
        found.append(above)
    return found


def _has(node: JsonObject, part: str) -> bool:
    body = extension_of(node, omi_physics_body.EXTENSION)
    return isinstance(body, dict) and part in body


def _new_anchor(document: JsonObject, frame: int, parents: dict[int, int]) -> JsonObject:
    """Put a new node between a frame and what is above it."""
    nodes = document["nodes"]
    held = nodes[frame] if isinstance(nodes[frame], dict) else {}
    anchor: JsonObject = {"name": NAME.format(held.get("name", f"Node {frame}"))}
    lists = lists_of_roots(document)
    if frame in parents:
        lists = [nodes[parents[frame]]["children"]]
    for siblings in lists:
        if frame in siblings:
            siblings[siblings.index(frame)] = len(nodes)
    anchor["children"] = [frame]
    if frame in parents:
        parents[len(nodes)] = parents[frame]
    parents[frame] = len(nodes)
    nodes.append(anchor)
    return anchor
