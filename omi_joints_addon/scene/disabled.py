"""Objects that are disabled in viewports, by themselves or by a collection: Blender skips them.

Where they are is worked out by `world_matrix`, and when it changes is seen here.
"""

from collections.abc import Iterator
from typing import Any

import bpy

from .structure import parents_of
from .updates import Updates


def disabled_objects(scene: bpy.types.Scene) -> set[bpy.types.Object]:
    """Return the objects of a scene that its first view layer does not evaluate."""
    flags = [False] * len(scene.objects)
    scene.objects.foreach_get("hide_viewport", flags)
    found: set[bpy.types.Object] = set()
    if any(flags):
        found.update(obj for obj, flag in zip(scene.objects, flags, strict=True) if flag)
    layer: Any = scene.view_layers[0].layer_collection
    for each in _skipped(layer):
        found.update(each.collection.all_objects)
    return found


def _skipped(layer: Any) -> Iterator[Any]:
    """Yield the collections of a layer that are not evaluated."""
    for child in layer.children:
        if child.exclude or child.collection.hide_viewport:
            yield child
        else:
            yield from _skipped(child)


class Followers:
    """The disabled objects of one scene, which move without a report of Blender.

    Keys are those of `session_uid`.
    """

    def __init__(self) -> None:
        self._above: dict[int, frozenset[int]] | None = None
        """What each of them is below, None where it is not known."""

    def forget(self) -> None:
        """Have them looked up anew."""
        self._above = None

    def moved(self, scene: bpy.types.Scene, updates: Updates) -> set[int]:
        """Return the keys of those that may have moved."""
        if self._above is None or updates.depsgraph.id_type_updated("COLLECTION"):
            # Blender works out anew what it evaluates.
            self._above = {
                obj.session_uid: frozenset(above.session_uid for above in parents_of(obj))
                for obj in disabled_objects(scene)
            }
        if not self._above or not updates.depsgraph.id_type_updated("OBJECT"):
            return set()
        changed = {each.id.session_uid for each in updates.all if each.id}
        if not changed:
            # An edit of what is disabled itself.
            return {*self._above}
        return {key for key, above in self._above.items() if not changed.isdisjoint(above)}
