"""All that Blender's RNA says of a scene and its objects, as plain data."""

from collections.abc import Sequence
from typing import Any

import bpy

_SKIPPED = {
    "rna_type",
    "id_data",
    "depsgraph",
    "bl_rna",
    "session_uid",
    "is_evaluated",
    "use_nodes",
    "data_version",  # Which release saved a file: set by saving it.
    # To ask an UV map for these makes layers of the mesh, which moves the UV map in memory.
    "vertex_selection",
    "edge_selection",
    "pin",
}


def dumped(
    groups: Sequence[str] = ("scenes", "objects", "meshes", "actions", "collections"),
) -> dict[str, Any]:
    """Return every property of every scene, object, mesh and action, IDs by name."""
    bpy.context.view_layer.update()
    return {
        f"{group}.{item.name}": _struct(item, set())
        for group in groups
        for item in getattr(bpy.data, group)
    }


def _struct(struct: Any, above: set[int]) -> Any:
    key = hash((struct.as_pointer(), struct.bl_rna.identifier))
    if key in above:
        return "..."
    names = {prop.identifier for prop in struct.bl_rna.properties}
    values = {name: _value(struct, name, above | {key}) for name in sorted(names - _SKIPPED)}
    return values | {f'["{name}"]': _plain(struct[name]) for name in _custom(struct, names)}


def _custom(struct: Any, names: set[str]) -> list[str]:
    """Return the names of the custom properties of what can have any."""
    try:
        return sorted(set(struct.keys()) - names)
    except TypeError:
        return []


def _value(struct: Any, name: str, above: set[int]) -> Any:
    prop, value = struct.bl_rna.properties[name], getattr(struct, name, None)
    if value is None or prop.type in {"BOOLEAN", "INT", "FLOAT"}:
        return _plain(value)
    if prop.type == "POINTER":
        is_named = isinstance(value, bpy.types.ID) and not value.is_embedded_data
        return value.name if is_named else _struct(value, above)
    if prop.type == "COLLECTION":
        return [
            each.name if isinstance(each, bpy.types.ID) else _struct(each, above) for each in value
        ]
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return [_plain(each) for each in value] if hasattr(value, "__len__") else value
