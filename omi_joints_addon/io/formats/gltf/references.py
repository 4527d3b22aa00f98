"""References of a glTF document beside those of physics: indices, and ranges of buffers.

glTF 2.0 wants each index to be one of the array that it refers to. Khronos' validator looks at
much more (`check --with-validator`); these are what no importer survives.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....core.findings.finding import ERROR, Finding, rule
from ....core.model.plain import JsonObject
from .rules import NO_SUCH_ELEMENT

BEYOND_END = rule(
    "OMI-J497",
    ERROR,
    "the {what} reaches to byte {end}, but its {holder} ends at byte {length}",
    reason="glTF 2.0: a buffer view lies within its buffer, and an accessor within its view.",
)
_TEXTURES = (
    "pbrMetallicRoughness/baseColorTexture",
    "pbrMetallicRoughness/metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
    "emissiveTexture",
)
_REFERENCES: Mapping[str, Mapping[str, str]] = {
    "scenes": {"nodes/*": "nodes"},
    "nodes": {"mesh": "meshes", "camera": "cameras", "skin": "skins"},
    "meshes": {
        "primitives/*/attributes/*": "accessors",
        "primitives/*/indices": "accessors",
        "primitives/*/material": "materials",
        "primitives/*/targets/*/*": "accessors",
    },
    "accessors": {
        "bufferView": "bufferViews",
        "sparse/indices/bufferView": "bufferViews",
        "sparse/values/bufferView": "bufferViews",
    },
    "bufferViews": {"buffer": "buffers"},
    "images": {"bufferView": "bufferViews"},
    "textures": {"source": "images", "sampler": "samplers"},
    "materials": {f"{name}/index": "textures" for name in _TEXTURES},
    "skins": {"joints/*": "nodes", "skeleton": "nodes", "inverseBindMatrices": "accessors"},
    "animations": {
        "channels/*/target/node": "nodes",
        "samplers/*/input": "accessors",
        "samplers/*/output": "accessors",
    },
}
"""Array that each member of an element refers to; * is any element or member."""
_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
"""Bytes of each type of component."""
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def check_references(document: JsonObject) -> Iterator[Finding]:
    """Yield the references that lead nowhere, and the parts of buffers that do not exist."""
    yield from _missing(document, "scenes", [("/scene", document.get("scene"))])
    for name, members in _REFERENCES.items():
        elements = [each if isinstance(each, dict) else {} for each in _list(document, name)]
        for path, target in members.items():
            yield from _missing(document, target, _found(elements, path, f"/{name}"))
    yield from _check_views(document)
    yield from _check_accessors(document)


def _found(elements: list[JsonObject], path: str, pointer: str) -> Iterator[tuple[str, Any]]:
    first, *rest = path.split("/")
    for index, element in enumerate(elements):
        if first in element:
            yield from _values(element[first], rest, f"{pointer}/{index}/{first}")


def _values(holder: Any, parts: list[str], pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield the values that a path leads to, with their pointers."""
    if not parts:
        yield pointer, holder
        return
    name, rest = parts[0], parts[1:]
    if isinstance(holder, list) and name == "*":
        for index, value in enumerate(holder):
            yield from _values(value, rest, f"{pointer}/{index}")
    elif isinstance(holder, dict):
        for key in holder if name == "*" else [name]:
            if key in holder:
                word = key.replace("~", "~0").replace("/", "~1")
                yield from _values(holder[key], rest, f"{pointer}/{word}")


def _missing(
    document: JsonObject, name: str, found: Iterable[tuple[str, Any]]
) -> Iterator[Finding]:
    count = len(_list(document, name))
    singular = "mesh" if name == "meshes" else name.removesuffix("s")
    for pointer, value in found:
        if value is not None and not (type(value) is int and 0 <= value < count):
            yield NO_SUCH_ELEMENT(pointer, name=singular, index=f"{value!r:.20}")


def _check_views(document: JsonObject) -> Iterator[Finding]:
    for index, view in enumerate(_list(document, "bufferViews")):
        buffer = _element(document, "buffers", view, "buffer")
        end = _number(view, "byteOffset", 0) + _number(view, "byteLength", 0)
        length = _number(buffer, "byteLength", end)
        if end > length:
            words = {"what": "buffer view", "holder": "buffer"}
            yield BEYOND_END(f"/bufferViews/{index}", end=end, length=length, **words)


def _check_accessors(document: JsonObject) -> Iterator[Finding]:
    for index, accessor in enumerate(_list(document, "accessors")):
        view = _element(document, "bufferViews", accessor, "bufferView")
        size = _size(accessor)
        if not (view and size):
            continue
        step = _number(view, "byteStride", size)
        last = max(0, _number(accessor, "count", 0) - 1)
        end = _number(accessor, "byteOffset", 0) + last * step + size
        length = _number(view, "byteLength", end)
        if end > length:
            words = {"what": "accessor", "holder": "buffer view"}
            yield BEYOND_END(f"/accessors/{index}", end=end, length=length, **words)


def _size(accessor: Any) -> int:
    """Return the bytes of an element; 0 where its type is unknown or has padding."""
    kind, component = _member(accessor, "type"), _member(accessor, "componentType")
    known = isinstance(kind, str) and type(component) is int
    if not known or (kind.startswith("MAT") and _BYTES.get(component, 0) < 4):
        return 0
    return _COMPONENTS.get(kind, 0) * _BYTES.get(component, 0)


def _element(document: JsonObject, name: str, holder: Any, member: str) -> Any:
    """Return the element of an array that a member refers to, None for none."""
    index, elements = _member(holder, member), _list(document, name)
    return elements[index] if type(index) is int and 0 <= index < len(elements) else None


def _number(holder: Any, name: str, default: int) -> int:
    value = _member(holder, name)
    return value if type(value) is int and value >= 0 else default


def _member(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else None


def _list(document: JsonObject, name: str) -> list[Any]:
    value = document.get(name)
    return value if isinstance(value, list) else []
