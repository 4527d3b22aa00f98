"""Nodes of a glTF document as arrays: names, parents and world matrices. Meters, glTF axes (Y up).

Sound nodes are converted together; only where that fails are they looked at one by one.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.findings.finding import Finding
from ....core.model.numbers import all_usable
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from .members import integer_of, kind_of
from .rules import BAD_TRANSFORM, BROKEN_TREE, NO_SUCH_ELEMENT, WRONG_GLTF_TYPE

Parents = NDArray[np.intp]
LIGHTS = "KHR_lights_punctual"
_SIZES = {"matrix": 16, "translation": 3, "rotation": 4, "scale": 3}
_MEMBERS = ("name", "children", "mesh", "camera", "skin", "extensions", "extras")
_NUMBERS = {int, float}
_BLOCK = 512
"""Values that are looked at together, so that they stay in the processor's cache meanwhile."""


def wrong_type(place: str, name: str, expected: str, value: object) -> Finding:
    """Return the finding about a part of a document that is of another type."""
    return WRONG_GLTF_TYPE(place, name=name, expected=expected, found=kind_of(value))


def objects_of(holder: JsonObject, name: str, findings: list[Finding]) -> list[JsonObject]:
    """Return an array of objects of the document; what is not an object becomes an empty one."""
    value = holder.get(name, [])
    if not isinstance(value, list):
        findings.append(wrong_type(f"/{name}", name, "an array", value))
        return []
    if set(map(type, value)) <= {dict}:
        return value
    objects = []
    for index, element in enumerate(value):
        if not isinstance(element, dict):
            title = f"an element of {name}"
            findings.append(wrong_type(f"/{name}/{index}", title, "an object", element))
        objects.append(element if isinstance(element, dict) else {})
    return objects


class Column(NamedTuple):
    """A member of nodes, as far as they have it."""

    nodes: list[int]
    """Which nodes have it, ascending."""
    values: list[Any]
    """Its value in each of them."""


class DocumentNodes:
    """The nodes of a document, looked through once."""

    def __init__(self, document: JsonObject) -> None:
        self.findings: list[Finding] = []
        """What is wrong with the list."""
        nodes = objects_of(document, "nodes", self.findings)
        self.count = len(nodes)
        self.columns = columns(nodes)
        self._extensions: dict[str, Column] = {}
        for index, value in zip(*self.columns["extensions"], strict=True):
            for name, extension in value.items() if type(value) is dict else ():
                if name not in self._extensions:
                    self._extensions[name] = Column([], [])
                column = self._extensions[name]
                column.nodes.append(index)
                column.values.append(extension)

    def names(self) -> Collection[str]:
        """Return the names of all extensions on nodes."""
        return self._extensions.keys()

    def extension(self, name: str) -> Iterator[tuple[int, Any]]:
        """Yield the nodes that have an extension, and its object in each."""
        return zip(*self.column_of(name), strict=True)

    def column_of(self, name: str) -> Column:
        """Return the nodes that have an extension, and its object in each."""
        return self._extensions.get(name, Column([], []))

    def with_extension(self, name: str) -> list[int]:
        """Return the nodes that have an extension."""
        return self.column_of(name).nodes

    def of_each(self, name: str) -> list[Any]:
        """Return a member of each node, None where it has none."""
        values: list[Any] = [None] * self.count
        for index, value in zip(*self.columns[name], strict=True):
            values[index] = value
        return values


def columns(nodes: Sequence[JsonObject]) -> dict[str, Column]:
    """Return the members of nodes that matter to physics, all found in one pass."""
    table = {name: Column([], []) for name in (*_SIZES, *_MEMBERS)}
    for index, node in enumerate(nodes):
        for name, value in node.items():
            if name in table:
                column = table[name]
                column.nodes.append(index)
                column.values.append(value)
    return table


def node_names(count: int, names: Column) -> tuple[str, ...]:
    """Return the names of nodes; those without a usable one are called by their index."""
    if len(names.nodes) == count and set(map(type, names.values)) <= {str}:
        found = names.values
    else:
        known = dict(zip(names.nodes, names.values, strict=True))
        found = [
            name if isinstance(name := known.get(index), str) else f"node {index}"
            for index in range(count)
        ]
    if "".join(found).isascii():
        return tuple(found)
    return tuple(name.encode("utf-8", "replace").decode() for name in found)


def node_parents(count: int, children: Column, findings: list[Finding]) -> Parents:
    """Return the parent of each node, -1 for none, shape (n,).

    Of two parents the first counts, and nodes of a cycle have none.
    """
    parents = np.full(count, -1, dtype=np.intp)
    if not _are_plain_children(count, children, parents):
        for owner, child in _all_children(children, findings):
            place = f"/nodes/{owner}/children"
            if not 0 <= child < count:
                findings.append(NO_SUCH_ELEMENT(place, name="node", index=shown_index(child)))
            elif parents[child] >= 0:
                findings.append(BROKEN_TREE(place, index=child))
            else:
                parents[child] = owner
    for node in np.flatnonzero(_is_endless(parents)).tolist():
        findings.append(BROKEN_TREE(f"/nodes/{node}", index=node))
        parents[node] = -1
    return parents


def _are_plain_children(count: int, children: Column, parents: Parents) -> bool:
    """Set the parents where all children are indices that occur once; return whether they are."""
    lists = children.values
    if not set(map(type, lists)) <= {list}:
        return False
    flat = list(chain.from_iterable(lists))
    if not set(map(type, flat)) <= {int} or len(set(flat)) != len(flat):
        return False
    if flat and not (min(flat) >= 0 and max(flat) < count):
        return False
    parents[flat] = np.repeat(children.nodes, list(map(len, lists)))
    return True


def _all_children(children: Column, findings: list[Finding]) -> Iterator[tuple[int, int]]:
    for owner, group in zip(children.nodes, children.values, strict=True):
        yield from _children(owner, group, findings)


def world_matrices(table: dict[str, Column], parents: Parents, findings: list[Finding]) -> Array:
    """Return the world matrices of nodes, shape (n, 4, 4); `parents` has no cycle."""
    matrices = _local_matrices(len(parents), table, findings)
    above = parents.copy()
    with np.errstate(all="ignore"):
        while len(below := np.flatnonzero(above >= 0)):
            matrices[below] = matrices[above[below]] @ matrices[below]
            above[below] = above[above[below]]
    return matrices


def _children(owner: int, group: object, findings: list[Finding]) -> list[tuple[int, int]]:
    """Return pairs of a node and its children; other values are left out."""
    place = f"/nodes/{owner}/children"
    if not isinstance(group, list):
        findings.append(wrong_type(place, "children", "an array", group))
        return []
    pairs = []
    for child in group:
        index = integer_of(child)
        if index is None:
            findings.append(wrong_type(place, "a child", "an index", child))
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


def _local_matrices(count: int, table: dict[str, Column], findings: list[Finding]) -> Array:
    matrices = np.tile(np.eye(4), (count, 1, 1))
    rotated, rotations = _arrays(table, "rotation", findings)
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(rotations, axis=1, keepdims=True)
    unit = rotations / np.where(lengths > 0.0, lengths, 1.0)
    matrices[rotated, :3, :3] = _rotations(np.where(lengths > 0.0, unit, (0.0, 0.0, 0.0, 1.0)))
    scaled, scales = _arrays(table, "scale", findings)
    matrices[scaled, :3, :3] *= scales[:, None, :]
    placed, places = _arrays(table, "translation", findings)
    matrices[placed, :3, 3] = places
    given, entries = _arrays(table, "matrix", findings)
    matrices[given] = np.swapaxes(entries.reshape(-1, 4, 4), 1, 2)
    return matrices


def _rotations(quaternions: Array) -> Array:
    """Return what `core.model.pose.rotation_matrix` does, for very many: shape (n, 3, 3)."""
    x, y, z, w = 2.0**0.5 * quaternions.T
    matrices = np.empty((len(quaternions), 3, 3))
    for i, (a, b, c) in enumerate(((x, y, z), (y, z, x), (z, x, y))):
        j, k = (i + 1) % 3, (i + 2) % 3
        matrices[:, i, i] = 1.0 - b * b - c * c
        matrices[:, j, i] = a * b + c * w
        matrices[:, k, i] = a * c - b * w
    return matrices


def _arrays(
    table: dict[str, Column], name: str, findings: list[Finding]
) -> tuple[list[int], Array]:
    """Return the nodes that have a usable vector `name`, and these, shape (k, size)."""
    column, size = table[name], _SIZES[name]
    array = _array(column.values, size)
    if array is not None:
        return column.nodes, array
    nodes, arrays = [], [np.zeros((0, size))]
    for index, value in zip(column.nodes, column.values, strict=True):
        row = _array([value], size)
        if row is None:
            findings.append(BAD_TRANSFORM(f"/nodes/{index}/{name}", name=name))
        else:
            nodes.append(index)
            arrays.append(row)
    return nodes, np.concatenate(arrays)


def _array(values: list[Any], size: int) -> Array | None:
    """Return lists of `size` finite numbers as rows, None where one is something else."""
    blocks = [np.zeros((0, size))]
    for start in range(0, len(values), _BLOCK):
        block = _block(values[start : start + _BLOCK], size)
        if block is None:
            return None
        blocks.append(block)
    return np.concatenate(blocks)


def _block(values: list[Any], size: int) -> Array | None:
    try:
        flat = list(chain.from_iterable(values))
        is_even = set(map(len, values)) <= {size}
    except TypeError:
        # Some are not lists; what a text or an object is made of is not a number.
        return None
    if not is_even or not set(map(type, flat)) <= _NUMBERS:
        return None
    try:
        array = np.fromiter(flat, dtype=float, count=len(flat))
    except OverflowError:
        return None
    return array.reshape(-1, size) if all_usable(array) else None


def shown_index(number: int) -> str:
    """Return an index for a message; files hold numbers of thousands of digits."""
    return str(number) if abs(number) <= 10**18 else "beyond all"
