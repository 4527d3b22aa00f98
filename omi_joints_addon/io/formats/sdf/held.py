"""What of SDF documents a scene holds; the rest is named toward other formats."""

from collections.abc import Iterator

from ...documents.schema import Schema
from ...documents.xml_source import SourceElement
from .schema import AXIS, GEOMETRY, JOINT, LINK, MATERIAL, SURFACE

_POSED = ("pose", "@name")
_PARTS = ("geometry", "surface", *_POSED)


def _paths(schema: Schema, *more: str) -> frozenset[str]:
    return frozenset((*schema.held(), *more))


HELD = {
    "sdf": frozenset(("world", "model", "include", "@version")),
    "world": frozenset(("model", "include", "gravity", "@name")),
    "include": frozenset(("uri", "name", "static", "placement_frame", "@merge", *_POSED)),
    "model": frozenset(
        (
            *("link", "joint", "frame", "model", "include", "static", "self_collide"),
            *("@placement_frame", *_POSED),
        )
    ),
    "frame": frozenset(("@attached_to", *_POSED)),
    "link": _paths(LINK, "collision", "visual", "inertial/pose", *_POSED),
    "joint": _paths(JOINT, "axis", "axis2", "@type", *_POSED),
    **dict.fromkeys(("axis", "axis2"), _paths(AXIS, "xyz", "use_parent_model_frame")),
    "collision": frozenset(_PARTS),
    "visual": _paths(MATERIAL, "geometry", *_POSED),
    "geometry": frozenset((*GEOMETRY, "empty")),
    "surface": _paths(SURFACE),
    **{tag: _paths(schema) for tag, schema in GEOMETRY.items()},
    "mesh": _paths(GEOMETRY["mesh"], "@optimization"),
}
"""Paths of elements and attributes that the scene holds, by the tag that they are below."""
_FRAMES = frozenset(("relative_to", "degrees", "rotation_format", "frame", "expressed_in"))
"""Attributes of poses and directions, which are resolved."""


def unheld_elements(root: SourceElement) -> Iterator[tuple[str, str]]:
    """Yield what the scene does not hold, and the name of the nearest element around it."""
    stack = [(root, root.tag, "", root.get("name"))]
    while stack:
        element, owner, path, place = stack.pop()
        known = HELD[owner]
        for name in element.attrib:
            inner = f"{path}/@{name}" if path else f"@{name}"
            if inner not in known and name not in _FRAMES:
                yield f"{name} of {element.tag}", place
        for child in reversed(element.children):
            inner = f"{path}/{child.tag}" if path else child.tag
            if inner not in known:
                yield child.tag, child.get("name") or place
            elif child.tag in HELD and not path:
                stack.append((child, child.tag, "", child.get("name") or place))
            else:
                stack.append((child, owner, inner, place))
