"""The nodes of a live scene: which they are, and where they stand at rest.

A node is an object of the scene. Whatever else is to be one, such as a bone that is a body, is
listed by `listed_nodes` behind the objects, with a key above every `session_uid` (32 bits) and a
type of its own among `Node`; its pose is read by `pose_of` and `poses_of`, its physics and its
parent by `read_record`. All else knows nodes by their numbers and keys.
"""

from collections.abc import Mapping, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.graph import Indices
from ..core.model.pose import Array

Node = bpy.types.Object


class Nodes:
    """The nodes of one scene; holds references into Blender's data between `take` and `release`."""

    def __init__(self) -> None:
        self.keys: NDArray[np.int64] = np.empty(0, np.int64)
        """Key of each node, the `session_uid` of an object, shape (n,)."""
        self.objects: list[Node] = []
        """The nodes in Blender, none between `release` and the next listing."""
        self.matrices: Array = np.empty((0, 4, 4))
        """World matrices at rest, shape (n, 4, 4)."""
        self.numbers: Mapping[int, int] = {}
        """Number of each node by its key."""
        self.known: Mapping[int, int] = {}
        """The key of each node under itself."""

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.keys)

    def take(self, keys: NDArray[np.int64]) -> Indices:
        """Take over another list of nodes; return which node each was before, -1 for a new one."""
        before = places(self.keys, keys)
        self.matrices = np.concatenate((self.matrices, np.eye(4)[None]))[before]
        listed = keys.tolist()
        self.keys, self.numbers = keys, dict(zip(listed, range(len(listed)), strict=True))
        self.known = dict(zip(listed, listed, strict=True))
        return before

    def release(self) -> None:
        """Drop references into Blender's data, which undo and reading a file replace."""
        self.objects = []


def listed_nodes(scene: bpy.types.Scene) -> tuple[list[Node], NDArray[np.int64]]:
    """Return the nodes of a scene, and their keys, shape (n,)."""
    objects: list[Node] = scene.objects.values()  # type: ignore[assignment]
    keys = np.empty(len(objects), np.int32)
    scene.objects.foreach_get("session_uid", keys)
    return objects, keys.astype(np.int64)


def pose_of(node: Node) -> Array:
    """Return the world matrix (4, 4) of a node."""
    return np.array(node.matrix_world)


def poses_of(scene: bpy.types.Scene, nodes: Sequence[Node]) -> Array:
    """Return the world matrices (n, 4, 4) of all nodes of a scene."""
    columns = np.empty((len(nodes), 4, 4), np.float32)
    scene.objects.foreach_get("matrix_world", columns.reshape(-1))
    return np.asarray(columns.swapaxes(1, 2), float)


def places(known: NDArray[np.int64], wanted: NDArray[np.int64]) -> Indices:
    """Return where each of the wanted numbers is among the known ones, -1 where it is not."""
    if not len(known):
        return np.full(len(wanted), -1, np.intp)
    order = np.argsort(known)
    found = order[np.searchsorted(known, wanted, sorter=order).clip(max=len(known) - 1)]
    return np.asarray(np.where(known[found] == wanted, found, -1), np.intp)
