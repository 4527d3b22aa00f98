"""Bodies of OMI before August 2023, whose shapes were on nodes of their own.

A shape belonged to the body of its node, else to the nearest one above; without a body it was
static. Documents are JSON objects and changed in place.
"""

from collections.abc import Iterator
from typing import Any

from .....core.model.plain import JsonObject
from .....core.model.shape import ShapeType
from ..document_members import children_of, extension_of, nodes_of, set_extension
from ..members import integer_of
from ..omi.body import EXTENSION as BODY
from ..omi.shape import EXTENSION as SHAPE
from .tree import Tree
from .values import array_of

_TRIGGER = "trigger"
_COLLIDER = "OMI_collider"
_OF_SHAPES = ("isTrigger", "center")
"""Members of shapes that belong to the node now."""


def keep_early_capsules(document: JsonObject) -> None:
    """Give capsules of OMI_collider before November 2022 the radii of today.

    Their `height` was that of the middle, as it is again. Such documents have `extents` for sizes
    and `mesh` for a type.
    """
    root = extension_of(document, _COLLIDER)
    colliders = array_of(root, "colliders")
    shapes = [shape for shape in colliders if isinstance(shape, dict)]
    if any("extents" in shape or shape.get("type") == "mesh" for shape in shapes):
        set_extension(document, _COLLIDER, root | {"colliders": list(map(_early, colliders))})


def _early(shape: Any) -> Any:
    if not isinstance(shape, dict) or shape.get("type") != ShapeType.CAPSULE:
        return shape
    radius = shape.get("radius")
    sizes = {"height": shape.get("height"), "radiusBottom": radius, "radiusTop": radius}
    given = {name: size for name, size in sizes.items() if size is not None}
    rest = {name: value for name, value in shape.items() if name not in ("radius", "height")}
    return rest | {ShapeType.CAPSULE.value: given}


def has_shape_nodes(document: JsonObject) -> bool:
    """Return whether nodes refer to shapes themselves."""
    return any(extension_of(node, SHAPE) is not None for node in nodes_of(document))


def has_trigger_bodies(document: JsonObject) -> bool:
    """Return whether nodes are bodies of the type trigger."""
    return any(_type_of(node) == _TRIGGER for node in nodes_of(document))


def move_shapes(document: JsonObject) -> None:
    """Make shapes of nodes colliders and triggers, and bodies of the type trigger triggers."""
    nodes, tree = nodes_of(document), Tree(document)
    shapes = array_of(extension_of(document, SHAPE), "shapes")
    owners = {index: _owner(tree, nodes, index) for index, _ in _shape_nodes(nodes)}
    triggers: dict[int, list[int]] = {}
    for index, node in list(_shape_nodes(nodes)):
        reference = extension_of(node, SHAPE).get("shape")
        shape = _element(shapes, reference)
        owner = owners[index]
        is_trigger = shape.get("isTrigger")
        if is_trigger is None:
            is_trigger = owner is not None and _type_of(nodes[owner]) == _TRIGGER
        holder = _holder(tree, index, shape)
        part = {} if reference is None else {"shape": reference}
        _add(document["nodes"][holder], _TRIGGER if is_trigger else "collider", part)
        if is_trigger and owner is not None:
            triggers.setdefault(owner, []).append(holder)
        node["extensions"] = {n: v for n, v in node["extensions"].items() if n != SHAPE}
    for index, node in enumerate(nodes):
        if _type_of(node) == _TRIGGER:
            _end_trigger(node, [part for part in triggers.get(index, ()) if part != index])
    _without_members_of_nodes(document, shapes)


def name_parts_of_triggers(document: JsonObject) -> bool:
    """Have triggers without a shape name those below them; return whether there were any.

    Before February 2024 they were the parts without being named, and Godot still writes so.
    """
    nodes = nodes_of(document)
    is_older = False
    for index, node in enumerate(nodes):
        body = extension_of(node, BODY)
        trigger = body.get(_TRIGGER) if isinstance(body, dict) else None
        if not isinstance(trigger, dict) or trigger.get("nodes") or _has_shape(trigger):
            continue
        if parts := sorted(_triggers_below(nodes, index)):
            declared = {name: value for name, value in trigger.items() if name != "shape"}
            _set_body(node, body | {_TRIGGER: declared | {"nodes": parts}})
            is_older = True
    return is_older


def _shape_nodes(nodes: list[JsonObject]) -> Iterator[tuple[int, JsonObject]]:
    for index, node in enumerate(nodes):
        if isinstance(extension_of(node, SHAPE), dict):
            yield index, node


def _type_of(node: JsonObject) -> Any:
    body = extension_of(node, BODY)
    return body.get("type") if isinstance(body, dict) else None


def _owner(tree: Tree, nodes: list[JsonObject], index: int) -> int | None:
    """Return the node of the body that a shape belongs to."""
    bodies = (at for at in (index, *tree.above(index)) if extension_of(nodes[at], BODY) is not None)
    return next(bodies, None)


def _element(shapes: list[Any], reference: object) -> JsonObject:
    index = integer_of(reference)
    shape = shapes[index] if index is not None and 0 <= index < len(shapes) else None
    return shape if isinstance(shape, dict) else {}


def _holder(tree: Tree, index: int, shape: JsonObject) -> int:
    """Return the node that a shape is centered on, a new one where it has a center of its own."""
    center = shape.get("center")
    if not isinstance(center, list) or not any(center):
        return index
    return tree.new_node({"name": f"{tree.name(index)} Collider", "translation": center}, index)


def _add(node: JsonObject, kind: str, part: JsonObject) -> None:
    body = extension_of(node, BODY)
    _set_body(node, (body if isinstance(body, dict) else {}) | {kind: part})


def _end_trigger(node: JsonObject, parts: list[int]) -> None:
    """Make a body of the type trigger one of its parts, or nothing where it has no volume."""
    own = extension_of(node, BODY).get(_TRIGGER)
    rest = {name: value for name, value in node["extensions"].items() if name != BODY}
    trigger = own if own is not None else {"nodes": parts} if parts else None
    node["extensions"] = rest if trigger is None else rest | {BODY: {_TRIGGER: trigger}}


def _set_body(node: JsonObject, body: JsonObject) -> None:
    extensions = node.get("extensions")
    node["extensions"] = (extensions if isinstance(extensions, dict) else {}) | {BODY: body}


def _without_members_of_nodes(document: JsonObject, shapes: list[Any]) -> None:
    root = extension_of(document, SHAPE)
    if not shapes or not isinstance(root, dict):
        return
    plain = [
        {name: value for name, value in shape.items() if name not in _OF_SHAPES}
        if isinstance(shape, dict)
        else shape
        for shape in shapes
    ]
    set_extension(document, SHAPE, root | {"shapes": plain})


def _has_shape(trigger: JsonObject) -> bool:
    return bool(trigger.get("shape", -1) != -1)


def _triggers_below(nodes: list[JsonObject], index: int) -> Iterator[int]:
    """Yield the nearest triggers below a node that is not followed into other bodies."""
    waiting, seen = list(children_of(nodes[index])), {index}
    while waiting:
        at = waiting.pop()
        if at in seen or not 0 <= at < len(nodes):
            continue
        seen.add(at)
        body = extension_of(nodes[at], BODY)
        declared = body if isinstance(body, dict) else {}
        if isinstance(declared.get(_TRIGGER), dict):
            yield at
        elif "motion" not in declared:
            waiting += children_of(nodes[at])
