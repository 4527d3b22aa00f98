"""Extension objects of a whole glTF document given as JSON: find, set, declare and remove them."""

from collections.abc import Iterable
from typing import Any

from ....core.model.plain import JsonObject


def nodes_of(document: JsonObject) -> list[JsonObject]:
    """Return the nodes of a document that are objects; anything else reads as an empty one."""
    nodes = document.get("nodes")
    if not isinstance(nodes, list):
        return []
    return [node if isinstance(node, dict) else {} for node in nodes]


def children_of(node: JsonObject) -> list[int]:
    """Return the indices of the nodes below a node; other values are skipped."""
    return _indices(node.get("children"))


def lists_of_roots(document: JsonObject) -> list[list[Any]]:
    """Return the list of nodes of each scene, to read or to change."""
    scenes = document.get("scenes")
    owners = scenes if isinstance(scenes, list) else []
    found = [scene.get("nodes") for scene in owners if isinstance(scene, dict)]
    return [nodes for nodes in found if isinstance(nodes, list)]


def copied(document: object) -> Any:
    """Return a copy of a document that the functions of dialects may change.

    Shallow but for what they change in place: nodes and scenes, and their lists of indices.
    """
    if not isinstance(document, dict):
        return document
    copy = dict(document)
    for name, key in (("nodes", "children"), ("scenes", "nodes")):
        if isinstance(copy.get(name), list):
            copy[name] = [_copied_element(element, key) for element in copy[name]]
    return copy


def extension_of(owner: JsonObject, name: str) -> Any:
    """Return an extension object of a document or node, None where there is none."""
    extensions = owner.get("extensions")
    return extensions.get(name) if isinstance(extensions, dict) else None


def set_extension(owner: JsonObject, name: str, value: JsonObject) -> None:
    """Set an extension object of a document or node; an empty one is left out."""
    extensions = owner.get("extensions")
    kept = extensions if isinstance(extensions, dict) else {}
    if value:
        owner["extensions"] = kept | {name: value}


def declare(document: JsonObject, names: Iterable[str]) -> None:
    """Name those extensions in `extensionsUsed` that the document or one of its nodes has."""
    owners = (document, *nodes_of(document))
    used = document.get("extensionsUsed")
    declared = list(used) if isinstance(used, list) else []
    for name in names:
        is_used = any(extension_of(owner, name) is not None for owner in owners)
        if is_used and name not in declared:
            declared.append(name)
    if declared:
        document["extensionsUsed"] = declared


def remove_extensions(document: JsonObject, names: frozenset[str]) -> None:
    """Remove extensions from a document, its nodes and its lists of extensions."""
    for owner in (document, *nodes_of(document)):
        extensions = owner.get("extensions")
        if isinstance(extensions, dict) and not names.isdisjoint(extensions):
            rest = {name: value for name, value in extensions.items() if name not in names}
            _set_or_remove(owner, "extensions", rest)
    for key in ("extensionsUsed", "extensionsRequired"):
        declared = document.get(key)
        if isinstance(declared, list):
            _set_or_remove(document, key, [name for name in declared if name not in tuple(names)])


def _indices(value: object) -> list[int]:
    if not isinstance(value, list):
        return []
    return [index for index in value if isinstance(index, int) and not isinstance(index, bool)]


def _copied_element(element: object, key: str) -> Any:
    if not isinstance(element, dict):
        return element
    indices = element.get(key)
    return element | ({key: list(indices)} if isinstance(indices, list) else {})


def _set_or_remove(owner: JsonObject, key: str, value: object) -> None:
    if value:
        owner[key] = value
    else:
        del owner[key]
