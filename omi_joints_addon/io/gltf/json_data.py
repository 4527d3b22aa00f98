"""The part of a document that says physics, between io_scene_gltf2's objects and JSON.

`data` is a `gltf2_io.Gltf` whose references are indices: on import, and on export once the list of
nodes is final.
"""

from typing import Any

from ..formats.gltf.members import JsonObject

_PLACE = ("children", "translation", "rotation", "scale", "matrix")
_NODE = ("name", "mesh", "skin", *_PLACE)


def document_json(data: Any, extensions: frozenset[str]) -> JsonObject:
    """Return nodes, scenes and the named `extensions` of a document."""
    return asset_json(data) | {
        "nodes": [_node_json(node, extensions) for node in data.nodes or ()],
        "scenes": [{"nodes": list(scene.nodes or ())} for scene in data.scenes or ()],
        "extensions": _named(data.extensions, extensions),
        "extensionsUsed": [name for name in data.extensions_used or () if name in extensions],
    }


def asset_json(data: Any) -> JsonObject:
    """Return the part of a document that says what it is, which may have a mark in its extras."""
    return {"asset": {"version": "2.0", "extras": data.asset.extras or {}}}


def extensions_json(data: Any) -> JsonObject:
    """Return only what the extensions of a document and its nodes say, without a copy."""
    nodes = [
        {"extensions": node.extensions} if node.extensions else {} for node in data.nodes or ()
    ]
    return {"nodes": nodes, "extensions": data.extensions or {}}


def structure_json(data: Any) -> list[JsonObject]:
    """Return only children and extensions of the nodes, without a copy."""
    return [{"children": node.children or (), "extensions": node.extensions} for node in data.nodes]


def set_document_json(data: Any, document: JsonObject, extensions: frozenset[str]) -> None:
    """Change a document to what its JSON has become; nodes that are no longer there are removed."""
    from io_scene_gltf2.io.com import gltf2_io

    nodes = document["nodes"]
    if data.nodes is None:
        data.nodes = []
    del data.nodes[len(nodes) :]
    for node, value in zip(data.nodes, nodes, strict=False):
        _set_node(node, value, extensions)
    for value in nodes[len(data.nodes) :]:
        data.nodes.append(gltf2_io.Node.from_dict(value))
    for scene, value in zip(data.scenes or (), document["scenes"], strict=True):
        if list(scene.nodes or ()) != value["nodes"]:
            scene.nodes = value["nodes"]
    data.asset.extras = document["asset"].get("extras") or None
    data.extensions = _others(data.extensions, extensions) | document.get("extensions", {})
    used = [name for name in data.extensions_used or () if name not in extensions]
    data.extensions_used = used + document.get("extensionsUsed", [])


def _node_json(node: Any, extensions: frozenset[str]) -> JsonObject:
    present = {name: value for name in _NODE if (value := getattr(node, name)) is not None}
    if "children" in present:
        present["children"] = list(present["children"])
    named = _named(node.extensions, extensions)
    return present | ({"extensions": named} if named else {})


def _set_node(node: Any, value: JsonObject, extensions: frozenset[str]) -> None:
    for name in _PLACE:
        if (value.get(name) or None) != (getattr(node, name) or None):
            setattr(node, name, value.get(name))
    if node.extensions or "extensions" in value:
        node.extensions = _others(node.extensions, extensions) | value.get("extensions", {})


def _named(extensions: Any, names: frozenset[str]) -> JsonObject:
    return {name: value for name, value in (extensions or {}).items() if name in names}


def _others(extensions: Any, names: frozenset[str]) -> JsonObject:
    return {name: value for name, value in (extensions or {}).items() if name not in names}
