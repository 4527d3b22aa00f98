"""Bodies follow their meshes whenever Blender reports that these were edited."""

from collections.abc import Iterator
from typing import Any

import bpy

from ... import authoring
from ...scene.watch import WATCH


def _follow(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Let the bodies follow whose mesh or armature a dependency graph reports."""
    if depsgraph.id_type_updated("OBJECT") and (bodies := list(_changed(depsgraph))):
        authoring.following.follow_meshes(bodies, depsgraph)


def _changed(depsgraph: bpy.types.Depsgraph) -> Iterator[bpy.types.Object]:
    """Yield the bodies and armatures that may not be what they were.

    A new value of any property has its object reported as rebuilt, but not its mesh.
    """
    objects: dict[Any, bool] = {}
    data = set[Any]()
    for update in depsgraph.updates:
        each = update.id.original if update.id else None
        if not isinstance(each, bpy.types.Object):
            data.add(each)
        elif each.type == "ARMATURE" or each.is_property_set("omi_body"):
            objects[each] = update.is_updated_geometry or objects.get(each, False)
    for obj, is_rebuilt in objects.items():
        depends = obj.type == "ARMATURE" or obj.modifiers
        is_new = obj.is_property_set("omi_body") and not obj.omi_body.anchor
        if obj.data in data or (is_rebuilt and depends) or is_new:
            yield obj


def attach() -> None:
    """Follow from now on."""
    WATCH.changing.append(_follow)


def detach() -> None:
    """Follow no longer."""
    if _follow in WATCH.changing:
        WATCH.changing.remove(_follow)


CLASSES: tuple[type, ...] = ()
