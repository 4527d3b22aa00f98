"""Values of bodies that pointers of a file change, by their objects."""

import re
from collections.abc import Iterator
from typing import Any

import bpy

from ...core.model.pose import Array
from ...properties.body import body_data_of
from ...scene.keyed_bodies import Axes, BodyValue, body_values
from .body_animation import EXTENSIONS, TURNS
from .upstream import imported_bone, imported_object, nodes_of

_EITHER = "|".join(EXTENSIONS.values())
_MOTION = re.compile(rf"/nodes/(\d+)/extensions/(?:{_EITHER})/motion/(\w+)")
_MATERIAL = re.compile(rf"/extensions/({_EITHER})/physicsMaterials/(\d+)/(\w+)")
_TURNED = frozenset(("CAMERA", "LIGHT"))
"""Types of objects whose axes keep the names that the node's have in the file."""


def keyed_values(importer: Any, pointer: str) -> list[tuple[bpy.types.Object, BodyValue]]:
    """Return the objects with the value that a pointer changes; bones have none."""
    if (found := _MOTION.fullmatch(pointer)) is not None:
        nodes, member = [int(found[1])], found[2]
    elif (found := _MATERIAL.fullmatch(pointer)) is not None:
        nodes = list(_with_material(importer, found[1], int(found[2])))
        member = f"material/{found[3]}"
    else:
        return []
    keyed = []
    for node in nodes:
        if node >= len(nodes_of(importer)) or imported_bone(importer, node):
            continue
        obj = imported_object(importer, node)
        values = () if body_data_of(obj) is None else body_values(obj).values()
        keyed += [(obj, value) for value in values if member in value.members]
    return keyed


def components(obj: bpy.types.Object, value: BodyValue, values: Array) -> list[Array]:
    """Return the values of each component in Blender's axes; the last axis are those in a file."""
    if value.axes is Axes.NUMBER:
        return [values]
    if obj.type not in _TURNED:
        values = values @ TURNS[value.axes]
    return [values[..., at] for at in range(value.axes.width)]


def _with_material(importer: Any, extension: str, number: int) -> Iterator[int]:
    """Yield the nodes whose colliders have a material."""
    for index, node in enumerate(nodes_of(importer)):
        body = (node.extensions or {}).get(extension, {})
        collider = body.get("collider") if isinstance(body, dict) else None
        if isinstance(collider, dict) and collider.get("physicsMaterial") == number:
            yield index
