"""Nodes of a glTF document as arrays: names, parents and world matrices. Metres, glTF axes (Y up).

Sound nodes are converted together; only where that fails are they looked at one by one.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.findings import Finding, finding
from ...core.pose import Array, rotation_matrix
from .members import JsonObject, integer_of, kind_of

Parents = NDArray[np.intp]
_SIZES = {"matrix": 16, "translation": 3, "rotation": 4, "scale": 3}
_NUMBERS = {int, float}


def objects_of(holder: JsonObject, name: str, findings: list[Finding]) -> list[JsonObject]:
    """Return an array of objects of the document; what is no object becomes an empty one."""
    value = holder.get(name, [])
    if not isinstance(value, list):
        expected = {"expected": "an array", "found": kind_of(value)}
        findings.append(finding("OMI-J409", f"/{name}", name=name, **expected))
        return []
    if set(map(type, value)) <= {dict}:
        return value
    objects = []
    for index, element in enumerate(value):
        if not isinstance(element, dict):
            place, words = f"/{name}/{index}", {"expected": "an object", "found": kind_of(element)}
            findings.append(finding("OMI-J409", place, name=f"an element of {name}", **words))
        objects.append(element if isinstance(element, dict) else {})
    return objects


def node_names(nodes: Sequence[JsonObject]) -> tuple[str, ...]:
    """Return the names of nodes; those without a usable one are called by their index."""
    names = [node.get("name") for node in nodes]
    return tuple(
        name.encode("utf-8", "replace").decode() if isinstance(name, str) else f"node {index}"
        for index, name in enumerate(names)
    )


def node_parents(nodes: Sequence[JsonObject], findings: list[Finding]) -> Parents:
    """Return the parent of each node, -1 for none, shape (n,).

    Of two parents the first counts, and nodes of a cycle have none.
    """
    parents = np.full(len(nodes), -1, dtype=np.intp)
    owners = [index for index, node in enumerate(nodes) if "children" in node]
    lists = [nodes[index]["children"] for index in owners]
    if set(map(type, lists)) <= {list} and set(map(type, chain.from_iterable(lists))) <= {int}:
        pairs = [(o, child) for o, group in zip(owners, lists, strict=True) for child in group]
    else:
        pairs = [
            pair
            for owner, group in zip(owners, lists, strict=True)
            for pair in _children(owner, group, findings)
        ]
    for owner, child in pairs:
        if not 0 <= child < len(nodes):
            place = f"/nodes/{owner}/children"
            findings.append(finding("OMI-J401", place, name="node", index=shown_index(child)))
        elif parents[child] >= 0:
            findings.append(finding("OMI-J407", f"/nodes/{owner}/children", index=child))
        else:
            parents[child] = owner
    for node in np.flatnonzero(_is_endless(parents)).tolist():
        findings.append(finding("OMI-J407", f"/nodes/{node}", index=node))
        parents[node] = -1
    return parents


def world_matrices(nodes: Sequence[JsonObject], parents: Parents, findings: list[Finding]) -> Array:
    """Return the world matrices of nodes, shape (n, 4, 4); `parents` has no cycle."""
    matrices = _local_matrices(nodes, findings)
    above = parents.copy()
    with np.errstate(all="ignore"):
        while len(below := np.flatnonzero(above >= 0)):
            matrices[below] = matrices[above[below]] @ matrices[below]
            above[below] = above[above[below]]
    return matrices


def _children(owner: int, group: Any, findings: list[Finding]) -> list[tuple[int, int]]:
    """Return pairs of a node and its children; what is no index is left out."""
    place = f"/nodes/{owner}/children"
    if not isinstance(group, list):
        words = {"name": "children", "expected": "an array", "found": kind_of(group)}
        findings.append(finding("OMI-J409", place, **words))
        return []
    pairs = []
    for child in group:
        index = integer_of(child)
        if index is None:
            words = {"name": "a child", "expected": "an index", "found": kind_of(child)}
            findings.append(finding("OMI-J409", place, **words))
        else:
            pairs.append((owner, index))
    return pairs


def _is_endless(parents: Parents) -> NDArray[np.bool_]:
    """Return which nodes are in a cycle of parents or below one, shape (n,)."""
    above = parents.copy()
    for _ in range(len(parents).bit_length()):
        inside = above >= 0
        if not inside.any():
            break
        above[inside] = above[above[inside]]
    return np.asarray(above >= 0)


def _local_matrices(nodes: Sequence[JsonObject], findings: list[Finding]) -> Array:
    matrices = np.tile(np.eye(4), (len(nodes), 1, 1))
    rotated, rotations = _arrays(nodes, "rotation", findings)
    lengths = np.linalg.norm(rotations, axis=1, keepdims=True)
    unit = rotations / np.where(lengths > 0.0, lengths, 1.0)
    matrices[rotated, :3, :3] = rotation_matrix(np.where(lengths > 0.0, unit, (0.0, 0.0, 0.0, 1.0)))
    scaled, scales = _arrays(nodes, "scale", findings)
    matrices[scaled, :3, :3] *= scales[:, None, :]
    placed, places = _arrays(nodes, "translation", findings)
    matrices[placed, :3, 3] = places
    given, columns = _arrays(nodes, "matrix", findings)
    matrices[given] = np.swapaxes(columns.reshape(-1, 4, 4), 1, 2)
    return matrices


def _arrays(
    nodes: Sequence[JsonObject], name: str, findings: list[Finding]
) -> tuple[list[int], Array]:
    """Return the nodes that have a usable vector `name`, and these, shape (k, size)."""
    size = _SIZES[name]
    having = [index for index, node in enumerate(nodes) if name in node]
    values = [nodes[index][name] for index in having]
    if not _are_sound(values, size):
        is_sound = _sound_one(size)
        for index in having:
            if not is_sound(nodes[index][name]):
                findings.append(finding("OMI-J408", f"/nodes/{index}/{name}", name=name))
        having = [index for index in having if is_sound(nodes[index][name])]
        values = [nodes[index][name] for index in having]
    return having, np.array(values, dtype=float).reshape(-1, size)


def _sound_one(size: int) -> Callable[[Any], bool]:
    return lambda value: _are_sound([value], size)


def _are_sound(values: list[Any], size: int) -> bool:
    """Return whether every value is a list of `size` finite numbers."""
    if not values:
        return True
    if set(map(type, values)) != {list} or set(map(len, values)) != {size}:
        return False
    if not set(map(type, chain.from_iterable(values))) <= _NUMBERS:
        return False
    try:
        return bool(np.isfinite(np.array(values, dtype=float)).all())
    except OverflowError:
        return False


def shown_index(number: int) -> str:
    """Return an index for a message; files hold numbers of thousands of digits."""
    return str(number) if abs(number) <= 10**18 else "beyond all"
