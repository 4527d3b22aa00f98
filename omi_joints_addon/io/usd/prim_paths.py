"""Which prim of a stage Blender's exporter has made of which object."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import bpy

_NAME = "blender:object_name"


def paths_of_objects(
    context: Any, stage: Any, objects: Sequence[bpy.types.Object]
) -> dict[int, str]:
    """Return the path of the prim of each object that was written, by its number.

    Blender 5.2 tells; 4.5 writes the object's name beside its own properties, unless it is not to.
    Then prims are found by the names that Blender gives them.
    """
    numbers = {obj.name: number for number, obj in enumerate(objects)}
    if hasattr(context, "get_prim_map"):
        return _from_map(context.get_prim_map(), numbers)
    found: dict[int, str] = {}
    by_name: dict[str, list[str]] = {}
    for prim in stage.Traverse():
        path = str(prim.GetPath())
        name = _object_name(prim)
        if name in numbers:
            found.setdefault(numbers[name], path)
        by_name.setdefault(str(prim.GetName()), []).append(path)
    return found or _from_names(numbers, by_name)


def _from_map(prim_map: Mapping[Any, Sequence[Any]], numbers: Mapping[str, int]) -> dict[int, str]:
    found: dict[int, list[str]] = {}
    kind = bpy.types.Object  # looked up once: it takes as long as the rest for an object
    for path, made_of in prim_map.items():
        for item in made_of:
            number = numbers.get(item.name) if isinstance(item, kind) else None
            if number is not None:
                found.setdefault(number, []).append(str(path))
    # Instances of an object are written as often; the first stands for it.
    return {number: min(paths, key=_depth) for number, paths in found.items()}


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _object_name(prim: Any) -> str | None:
    for attribute in prim.GetAuthoredPropertiesInNamespace("userProperties"):
        if attribute.GetName().endswith(_NAME):
            value = attribute.Get()
            return value if isinstance(value, str) else None
    return None


def _from_names(numbers: Mapping[str, int], by_name: Mapping[str, list[str]]) -> dict[int, str]:
    found = {}
    for name, number in numbers.items():
        paths = by_name.get(re.sub(r"[^A-Za-z0-9_]", "_", name), ())
        if len(paths) == 1:
            found[number] = paths[0]
    return found


def mesh_path(stage: Any, path: str) -> str | None:
    """Return the path of the mesh prim of an object's prim: itself or its only mesh below."""
    prim = stage.GetPrimAtPath(path)
    if not prim:
        # It is written later, as that of a bone.
        return None
    if prim.GetTypeName() == "Mesh":
        return path
    below = [child for child in prim.GetChildren() if child.GetTypeName() == "Mesh"]
    own = [child for child in below if _object_name(child) is None]
    return str(own[0].GetPath()) if len(own) == 1 else None
