"""Nodes of a document that an older form moves or adds. Meters, glTF axes (Y up)."""

import itertools
from typing import Any

import numpy as np

from .....core.model.plain import JsonObject
from .....core.model.pose import Array, Pose, matrix_from_pose, pose_from_matrix
from ..document_members import children_of, extension_of, lists_of_roots
from ..members import Members
from ..omi.body import EXTENSION as BODIES
from .values import array_of


class Tree:
    """The nodes of a document, which are changed in place."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._nodes: list[Any] = array_of(document, "nodes")
        self._parents: dict[int, int] = {}
        for index, node in enumerate(self._nodes):
            for child in children_of(node) if isinstance(node, dict) else ():
                self._parents.setdefault(child, index)

    def has(self, index: int) -> bool:
        """Return whether there is such a node."""
        return 0 <= index < len(self._nodes) and isinstance(self._nodes[index], dict)

    def has_size(self, index: int) -> bool:
        """Return whether anything below a node can be placed where it likes."""
        with np.errstate(all="ignore"):
            world = self._world(index)
            return bool(np.isfinite(world).all() and abs(np.linalg.det(world)) > 0.0)

    def above(self, index: int) -> list[int]:
        """Return the nodes above a node, nearest first."""
        found: list[int] = []
        at = self._parents.get(index)
        while at is not None and at != index and at not in found:
            found.append(at)
            at = self._parents.get(at)
        return found

    def is_cut(self, index: int, body: int) -> bool:
        """Return whether another body that moves is between a node and one above it."""
        between = itertools.takewhile(lambda at: at != body, self.above(index))
        bodies = (extension_of(self._nodes[at], BODIES) for at in between)
        return any(isinstance(declared, dict) and "motion" in declared for declared in bodies)

    def name(self, index: int) -> str:
        """Return the name of a node."""
        name = self._nodes[index].get("name")
        return name if isinstance(name, str) else f"Node {index}"

    def hang(self, index: int, body: int) -> None:
        """Put a node below another, where it stands."""
        local = np.linalg.inv(self._world(body)) @ self._world(index)
        parent = self._parents.get(index)
        lists = [] if parent is None else [self._nodes[parent]["children"]]
        lists += lists_of_roots(self._document)
        for siblings in lists:
            siblings[:] = [other for other in siblings if other != index]
        if parent is not None and not self._nodes[parent]["children"]:
            # The specification allows no empty list.
            del self._nodes[parent]["children"]
        for key in ("matrix", "translation", "rotation", "scale"):
            self._nodes[index].pop(key, None)
        self._nodes[index] |= _placed(local)
        self._adopt(index, body)

    def new_frame(self, name: str, index: int, body: int | None) -> int:
        """Return a new node in the place of a node, below another or of a scene."""
        local = self._world(index)
        if body is not None:
            local = np.linalg.inv(self._world(body)) @ local
        # A frame has no size.
        unscaled = {key: value for key, value in _placed(local).items() if key != "scale"}
        return self.new_node({"name": name} | unscaled, body)

    def new_node(self, node: JsonObject, parent: int | None) -> int:
        """Return a new node below another, or in the first scene."""
        self._nodes.append(node)
        new = len(self._nodes) - 1
        if parent is not None:
            self._adopt(new, parent)
        else:
            for roots in lists_of_roots(self._document)[:1]:
                roots.append(new)
        return new

    def _adopt(self, index: int, body: int) -> None:
        self._nodes[body]["children"] = [*array_of(self._nodes[body], "children"), index]
        self._parents[index] = body

    def _world(self, index: int) -> Array:
        matrix = np.eye(4)
        for at in (index, *self.above(index)):
            matrix = _local(self._nodes[at]) @ matrix
        return matrix


def _local(node: JsonObject) -> Array:
    """Return the matrix of a node against its parent."""
    members = Members(node, "")
    columns = members.vector("matrix", 16)
    if columns is not None:
        return np.array(columns, dtype=float).reshape(4, 4).T
    rotation = np.array(members.vector("rotation", 4) or (0.0, 0.0, 0.0, 1.0))
    length = float(np.linalg.norm(rotation))
    pose = Pose(
        np.array(members.vector("translation", 3) or (0.0, 0.0, 0.0)),
        rotation / length if length else np.array((0.0, 0.0, 0.0, 1.0)),
    )
    scale = members.vector("scale", 3) or (1.0, 1.0, 1.0)
    return np.asarray(matrix_from_pose(pose) @ np.diag((*scale, 1.0)))


def _placed(local: Array) -> JsonObject:
    pose = pose_from_matrix(local)
    scale = np.linalg.norm(local[:3, :3], axis=0)
    members: JsonObject = {
        "translation": pose.position.tolist(),
        "rotation": pose.rotation.tolist(),
    }
    return members if np.allclose(scale, 1.0) else members | {"scale": scale.tolist()}
