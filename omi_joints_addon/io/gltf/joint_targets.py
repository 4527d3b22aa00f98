"""Which node of a file a joint is connected to, where one Blender object has several nodes.

Collection instances, duplicated objects and objects of several scenes are written once for each
place; a joint connects within its own.
"""

from collections.abc import Iterable

import bpy

from .upstream import WrittenNode


class Targets:
    """The nodes of one scene that joints may be connected to."""

    def __init__(
        self, nodes: Iterable[WrittenNode], wanted: Iterable[bpy.types.Object | None]
    ) -> None:
        self._linked = _linked_objects()
        self._nodes: dict[bpy.types.Object, list[WrittenNode]] = {
            obj: [] for obj in wanted if obj is not None
        }
        for written in nodes:
            if written.obj in self._nodes:
                self._nodes[written.obj].append(written)
        self._nearest: dict[bpy.types.Object, dict[WrittenNode | None, WrittenNode]] = {}

    def is_linked(self, obj: bpy.types.Object) -> bool:
        """Return whether an object is in a collection; a deleted one lives on in pointers to it."""
        return obj in self._linked

    def nearest(self, joint: WrittenNode, obj: bpy.types.Object) -> WrittenNode | None:
        """Return the node of `obj` that shares the lowest node above with `joint`, else None."""
        nodes = self._nodes.get(obj)
        if not nodes or not self.is_linked(obj):
            return None
        if len(nodes) == 1:
            return nodes[0]
        if obj not in self._nearest:
            self._nearest[obj] = _outermost_below(nodes)
        above: WrittenNode | None = joint
        below = self._nearest[obj]
        while above is not None and above not in below:
            above = above.origin
        return below[above]


def _outermost_below(nodes: list[WrittenNode]) -> dict[WrittenNode | None, WrittenNode]:
    """Return for each node above any of `nodes` the one below it that is in fewest instances."""
    below: dict[WrittenNode | None, WrittenNode] = {}
    for written in sorted(nodes, key=_instances_above):
        above: WrittenNode | None = written
        while above is not None:
            below.setdefault(above, written)
            above = above.origin
        below.setdefault(None, written)
    return below


def _instances_above(written: WrittenNode) -> int:
    count = 0
    above = written.origin
    while above is not None:
        count += above.is_instancer
        above = above.origin
    return count


def _linked_objects() -> set[bpy.types.Object]:
    """Return all objects that are in a collection: `Object.users_collection` of each is slow."""
    linked: set[bpy.types.Object] = set()
    for collection in (*bpy.data.collections, *(s.collection for s in bpy.data.scenes)):
        linked.update(collection.objects)
    return linked
