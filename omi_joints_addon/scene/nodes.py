"""The nodes of a live scene: which they are, and where they stand at rest.

A node is an object of the scene, or behind those a bone that is a body. Its pose is read by
`pose_of` and `poses_of`, its physics and its parent by `read_record`. All else knows nodes by their
numbers and keys.
"""

from collections.abc import Iterable, Mapping, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.graph import Indices
from ..core.model.pose import Array
from ..properties.bones import Node, object_of, world_matrix
from .disabled import disabled_objects
from .structure import body_bones_of

_ARMATURE = bpy.types.Object.bl_rna.properties["type"].enum_items["ARMATURE"].value  # type: ignore[attr-defined]


class Nodes:
    """The nodes of one scene; holds references into Blender's data between `take` and `release`."""

    def __init__(self) -> None:
        self.keys: NDArray[np.int64] = np.empty(0, np.int64)
        """Key of each node, its `session_uid`, shape (n,)."""
        self.objects: list[Node] = []
        """The nodes in Blender, none between `release` and the next listing."""
        self.matrices: Array = np.empty((0, 4, 4))
        """World matrices at rest, shape (n, 4, 4)."""
        self.numbers: Mapping[int, int] = {}
        """Number of each node by its key."""
        self.known: Mapping[int, int] = {}
        """The key of each node under itself."""

        self.bones: dict[int, list[int]] = {}
        """The keys of the bones that are bodies for each armature by its key."""

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

    def object_at(self, node: int) -> bpy.types.Object:
        """Return the object of a node, for a bone its armature."""
        return object_of(self.objects[node])

    def list(self, scene: bpy.types.Scene) -> NDArray[np.int64]:
        """Look up the nodes of a scene; return their keys, shape (n,)."""
        objects: list[Node] = scene.objects.values()  # type: ignore[assignment]
        keys, kinds = (np.empty(len(objects), np.int32) for _ in range(2))
        scene.objects.foreach_get("session_uid", keys)
        scene.objects.foreach_get("type", kinds)
        rigs = np.flatnonzero(kinds == _ARMATURE).tolist()
        bones = {int(keys[node]): body_bones_of(object_of(objects[node])) for node in rigs}
        self.bones = {key: keys_of(each) for key, each in bones.items()}
        self.objects = [*objects, *(bone for each in bones.values() for bone in each)]
        return np.array([*keys, *(key for each in self.bones.values() for key in each)], np.int64)

    def release(self) -> None:
        """Drop references into Blender's data, which undo and reading a file replace."""
        self.objects = []


def keys_of(nodes: Iterable[Node]) -> list[int]:
    """Return the keys of some nodes."""
    return [node.session_uid for node in nodes]


def pose_of(node: Node) -> Array:
    """Return the world matrix (4, 4) of a node."""
    # By rows: numpy takes Blender 4.5's matrices number by number, which takes five times as long.
    return np.array([row[:] for row in world_matrix(node)])  # type: ignore[attr-defined]


def poses_of(scene: bpy.types.Scene, nodes: Sequence[Node]) -> Array:
    """Return the world matrices (n, 4, 4) of all nodes of a scene, objects first."""
    columns = np.empty((len(scene.objects), 4, 4), np.float32)
    scene.objects.foreach_get("matrix_world", columns.reshape(-1))
    objects = np.asarray(columns.swapaxes(1, 2), float)
    disabled = disabled_objects(scene)
    for number in [n for n, node in enumerate(nodes) if node in disabled] if disabled else ():
        objects[number] = pose_of(nodes[number])
    bones = [pose_of(node) for node in nodes[len(objects) :]]
    return np.concatenate((objects, bones)) if bones else objects


def place_all(matrices: Array, parents: Indices) -> list[int]:
    """Put nodes whose place is not a number where the nearest one above is that has a place.

    Return them. The matrices (n, 4, 4) are changed; `parents` are -1 for none.
    """
    lost: list[int] = np.flatnonzero(~np.isfinite(matrices).all(axis=(1, 2))).tolist()
    left = set(lost)
    for node in lost:
        above, seen = int(parents[node]), {node}
        while above in left and above not in seen:
            seen.add(above)
            above = int(parents[above])
        matrices[node] = matrices[above] if above >= 0 and above not in left else np.eye(4)
    return lost


def places(known: NDArray[np.int64], wanted: NDArray[np.int64]) -> Indices:
    """Return where each of the wanted numbers is among the known ones, -1 where it is not."""
    if not len(known):
        return np.full(len(wanted), -1, np.intp)
    order = np.argsort(known)
    found = order[np.searchsorted(known, wanted, sorter=order).clip(max=len(known) - 1)]
    return np.asarray(np.where(known[found] == wanted, found, -1), np.intp)
