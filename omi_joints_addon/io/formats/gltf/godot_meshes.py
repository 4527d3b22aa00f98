"""Meshes of bodies in documents for Godot: on nodes of their own below.

Godot makes a body, a shape or a joint of a node that has one, and nothing of its mesh (measured
with Godot 4.6.3). So the mesh goes to a new node at the end of the document, which names its owner.
"""

from typing import Any

from ....core.model.plain import JsonObject
from .document_members import extension_of, nodes_of
from .omi.body import EXTENSION as BODY
from .omi.joint import EXTENSION as JOINT

_KEY = "OMI_mesh_of"
_MOVED = ("mesh", "weights")


def put_meshes_below(document: JsonObject) -> None:
    """Give each mesh of a physics node a node below it; skinned ones stay, as they follow bones."""
    nodes = _list_of(document.get("nodes"))
    for index, node in enumerate(nodes_of(document)):
        has_physics = any(extension_of(node, name) is not None for name in (BODY, JOINT))
        if has_physics and node.get("mesh") is not None and node.get("skin") is None:
            moved = {name: node.pop(name) for name in _MOVED if node.get(name) is not None}
            name = {"name": f"{node['name']} Mesh"} if node.get("name") else {}
            node["children"] = [*_list_of(node.get("children")), len(nodes)]
            nodes.append({**name, **moved, "extras": {_KEY: index}})


def take_meshes_back(document: JsonObject) -> None:
    """Give the meshes back to their nodes, where no other program has put nodes behind theirs."""
    nodes = _list_of(document.get("nodes"))
    while nodes and (owner := _owner(nodes)) is not None:
        last = nodes.pop()
        owner.update((name, last[name]) for name in _MOVED if name in last)
        children = [child for child in owner["children"] if child != len(nodes)]
        owner["children"] = children
        if not children:
            del owner["children"]


def _list_of(value: Any) -> list[Any]:
    """Return a list of the document to change; anything else reads as an empty one."""
    return value if isinstance(value, list) else []


def _owner(nodes: list[Any]) -> JsonObject | None:
    """Return whose mesh the last node has, None where it is a node like others."""
    last = nodes[-1]
    extras = last.get("extras") if isinstance(last, dict) else None
    index = extras.get(_KEY) if isinstance(extras, dict) else None
    if type(index) is not int or not 0 <= index < len(nodes) - 1 or last.get("children"):
        return None
    owner = nodes[index]
    if not isinstance(owner, dict) or owner.get("mesh") is not None:
        return None
    children = owner.get("children")
    is_below = isinstance(children, list) and len(nodes) - 1 in children
    return owner if is_below else None
