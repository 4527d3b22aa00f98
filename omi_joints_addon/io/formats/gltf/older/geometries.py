"""Geometries of KHR before October 2024, whose meshes were shapes; ends of joints, and gravity.

Documents are JSON objects and changed in place.
"""

from typing import Any

from .....core.model.plain import JsonObject
from ..document_members import extension_of, nodes_of, set_extension
from ..khr.implicit_shapes import EXTENSION as SHAPES
from ..khr.rigid_bodies import EXTENSION as BODIES
from ..members import integer_of
from .tree import Tree
from .values import array_of

_MESHES = {"convex": True, "trimesh": False, "mesh": False}
"""Types of shapes that were meshes, and whether they were hulls."""


def move_meshes(document: JsonObject) -> None:
    """Put meshes of shapes into the geometries that refer to them."""
    root = extension_of(document, SHAPES)
    shapes = array_of(root, "shapes")
    meshes = {index: found for index, shape in enumerate(shapes) if (found := _mesh(shape))}
    if not meshes:
        return
    kept = [index for index in range(len(shapes)) if index not in meshes]
    places = {before: after for after, before in enumerate(kept)}
    left = {name: value for name, value in root.items() if name != "shapes"}
    remaining = {"shapes": [shapes[index] for index in kept]} if kept else {}
    extensions = {n: v for n, v in document["extensions"].items() if n != SHAPES}
    document["extensions"] = extensions
    set_extension(document, SHAPES, left | remaining)
    for node in nodes_of(document):
        value = extension_of(node, BODIES)
        if not isinstance(value, dict):
            continue
        parts = {
            name: _moved(value[name], meshes, places)
            for name in ("collider", "trigger")
            if isinstance(value.get(name), dict)
        }
        node["extensions"] = node["extensions"] | {BODIES: value | parts}


def _mesh(shape: Any) -> JsonObject:
    """Return the geometry that a shape is where it is a mesh, nothing else."""
    type_ = shape.get("type") if isinstance(shape, dict) else None
    if not isinstance(type_, str) or type_ not in _MESHES:
        return {}
    declared = shape.get(type_)
    declared = declared if isinstance(declared, dict) else {}
    beside = extension_of(shape, BODIES)
    is_hull = _MESHES[type_] or any(
        isinstance(holder, dict) and holder.get("convexHull") is True
        for holder in (declared, beside)
    )
    return {"mesh": declared.get("mesh")} | ({"convexHull": True} if is_hull else {})


def _moved(part: JsonObject, meshes: dict[int, JsonObject], places: dict[int, int]) -> JsonObject:
    geometry = part.get("geometry")
    index = integer_of(geometry.get("shape")) if isinstance(geometry, dict) else None
    if not isinstance(geometry, dict) or index is None:
        return part
    rest = {name: value for name, value in geometry.items() if name != "shape"}
    if index in meshes:
        return part | {"geometry": meshes[index] | rest}
    return part | {"geometry": rest | {"shape": places.get(index, index)}}


def connect_to_world(document: JsonObject, extension: str) -> None:
    """Give joints without a connected node one that stands in the world where they do."""
    tree = Tree(document)
    for index, node in enumerate(nodes_of(document)):
        value = extension_of(node, extension)
        joint = value.get("joint") if isinstance(value, dict) else None
        if isinstance(joint, dict) and "connectedNode" not in joint:
            connected = tree.new_frame(f"{tree.name(index)} World", index, None)
            changed = value | {"joint": joint | {"connectedNode": connected}}
            node["extensions"] = node["extensions"] | {extension: changed}


def move_gravity(document: JsonObject, extension: str, gravity: str) -> bool:
    """Make the gravity of the first scene that gives one that of the document."""
    is_older = False
    for scene in array_of(document, "scenes"):
        value = extension_of(scene, extension) if isinstance(scene, dict) else None
        if not isinstance(value, dict):
            continue
        is_older = True
        scene["extensions"] = {n: v for n, v in scene["extensions"].items() if n != extension}
        vector: Any = value.get("gravity")
        if extension_of(document, gravity) is None and _is_vector(vector):
            strength = sum(number * number for number in vector) ** 0.5
            direction = [number / strength for number in vector] if strength else None
            declared = {"gravity": strength} | ({"direction": direction} if direction else {})
            set_extension(document, gravity, declared)
    return is_older


def _is_vector(value: Any) -> bool:
    is_list = isinstance(value, list) and len(value) == 3
    return is_list and all(type(number) in (int, float) for number in value)
