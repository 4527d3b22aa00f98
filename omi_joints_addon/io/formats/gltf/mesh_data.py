"""Points and triangles of the meshes of a document, read when they are asked for.

Buffers are data URIs, the binary part of a .glb, or files in the document's folder, never outside.
Axes of Blender.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.model.mesh import Mesh, MeshData
from ....core.model.numbers import all_usable
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from ...contents import FilePart, file_part
from .container import GltfFile, file_of
from .document_nodes import objects_of

_TYPES: dict[Any, str] = {
    5120: "<i1",
    5121: "<u1",
    5122: "<i2",
    5123: "<u2",
    5125: "<u4",
    5126: "<f4",
}
_WIDTHS: dict[Any, int] = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_LIST, _STRIP, _FAN = 4, 5, 6
_LARGEST = 2**26
"""Elements of an accessor."""
_FURTHEST = 2**40
"""Offset in a buffer [bytes]."""
Numbers = NDArray[Any]


class Buffers(NamedTuple):
    """The buffers of a document that was read from a file."""

    file: GltfFile
    document: JsonObject

    def meshes(self) -> tuple[Mesh, ...]:
        """Return all meshes, none of which is read yet."""
        found = objects_of(self.document, "meshes", [])
        return tuple(
            Mesh(name=_text(mesh.get("name")), read=partial(self._read, mesh)) for mesh in found
        )

    def numbers(self, index: object, type_: str) -> Array:
        """Return the numbers of an accessor, scaled where it is normalized, shape (n, width).

        Raises `ValueError` saying why they cannot be had.
        """
        values = self._accessor(index, type_).reshape(-1, _WIDTHS[type_])
        is_scaled = _element(self.document, "accessors", index).get("normalized") is True
        if not is_scaled or values.dtype.kind == "f":
            return values.astype(float)
        return np.maximum(values / np.iinfo(values.dtype).max, -1.0)

    def data(self, index: int) -> bytes | FilePart:
        """Return what is in a buffer; raises `ValueError` saying why they cannot be had."""
        buffer = _element(self.document, "buffers", index)
        uri = buffer.get("uri")
        if uri is None:
            return self.file.binary()
        if not isinstance(uri, str):
            raise ValueError(f"buffer {index} has no usable URI")
        if uri.startswith("data:"):
            return _decoded(uri)
        path = file_of(self.file.path.parent, uri)
        if path is None:
            raise ValueError(f"buffer {index} is outside the folder of the file")
        return file_part(path)

    def _read(self, mesh: JsonObject) -> MeshData:
        points: list[Array] = [np.zeros((0, 3))]
        triangles: list[NDArray[np.intp]] = [np.zeros((0, 3), np.intp)]
        for primitive in objects_of(mesh, "primitives", []):
            found = self._points(primitive)
            corners = self._corners(primitive, len(found))
            if corners.size and (corners.min() < 0 or corners.max() >= len(found)):
                raise ValueError("an index refers to a missing point")
            triangles.append(corners + sum(map(len, points)))
            points.append(found)
        whole = np.concatenate(points)
        return MeshData(
            np.stack((whole[:, 0], 0.0 - whole[:, 2], whole[:, 1]), axis=1),
            np.concatenate(triangles),
        )

    def _points(self, primitive: JsonObject) -> Array:
        attributes, extensions = primitive.get("attributes"), primitive.get("extensions")
        if isinstance(extensions, dict) and "KHR_draco_mesh_compression" in extensions:
            raise ValueError("the mesh is compressed by Draco")
        index = attributes.get("POSITION") if isinstance(attributes, dict) else None
        values = self._accessor(index, "VEC3")
        if not all_usable(values):
            raise ValueError("a point is not finite, or too far away")
        return np.asarray(values, float)

    def _corners(self, primitive: JsonObject, count: int) -> NDArray[np.intp]:
        """Return the triangles of a primitive, shape (t, 3); points and lines have none."""
        index, mode = primitive.get("indices"), primitive.get("mode", _LIST)
        if index is None:
            order = np.arange(count, dtype=np.intp)
        else:
            order = np.asarray(self._accessor(index, "SCALAR"), np.intp).reshape(-1)
        if mode == _LIST:
            whole: NDArray[np.intp] = order[: len(order) // 3 * 3].reshape(-1, 3)
            return whole
        if mode not in (_STRIP, _FAN) or len(order) < 3:
            return np.zeros((0, 3), np.intp)
        second, third = order[1:-1], order[2:]
        if mode == _FAN:
            return np.stack((np.full_like(second, order[0]), second, third), axis=1)
        corners: NDArray[np.intp] = np.stack((order[:-2], second, third), axis=1)
        corners[1::2] = corners[1::2, [1, 0, 2]]
        return corners

    def _accessor(self, index: object, type_: str) -> Numbers:
        """Return the elements of an accessor, shape (n, width), normalized ones not scaled."""
        accessor = _element(self.document, "accessors", index)
        kind, count = _kind_of(accessor), accessor.get("count")
        if kind is None or accessor.get("type") != type_ or type(count) is not int:
            raise ValueError(f"accessor {index} is not a {type_} of a known kind")
        if not 0 <= count < _LARGEST:
            raise ValueError(f"accessor {index} has {count} elements")
        if accessor.get("bufferView") is None:
            values: Numbers = np.zeros((count, _WIDTHS[type_]), kind)
        else:
            view = accessor["bufferView"]
            values = self._view(accessor, view, count, kind, type_)
        sparse = accessor.get("sparse")
        if isinstance(sparse, dict):
            values = self._with_sparse(values.copy(), sparse, type_)
        return values

    def _with_sparse(self, values: Numbers, sparse: JsonObject, type_: str) -> Numbers:
        """Return elements with those that a sparse accessor replaces."""
        where, what, count = sparse.get("indices"), sparse.get("values"), sparse.get("count")
        if not (isinstance(where, dict) and isinstance(what, dict) and type(count) is int):
            raise ValueError("a sparse accessor is broken")
        kind = _kind_of(where)
        if kind is None or kind.kind != "u" or not 0 <= count <= len(values):
            raise ValueError("a sparse accessor is broken")
        places = self._view(where, where.get("bufferView"), count, kind, "SCALAR").reshape(-1)
        if places.size and places.max() >= len(values):
            raise ValueError("a sparse accessor refers to a missing element")
        values[places] = self._view(what, what.get("bufferView"), count, values.dtype, type_)
        return values

    def _view(
        self, owner: JsonObject, index: object, count: int, kind: "np.dtype[Any]", type_: str
    ) -> Numbers:
        """Return elements of a buffer view, from the byte offset that the owner gives on."""
        view = _element(self.document, "bufferViews", index)
        data = self.data(view.get("buffer", -1))
        width = _WIDTHS[type_]
        size = kind.itemsize * width
        stride = view.get("byteStride", size)
        offsets = view.get("byteOffset", 0), owner.get("byteOffset", 0)
        numbers = (stride, *offsets)
        if not all(type(number) is int and 0 <= number < _FURTHEST for number in numbers):
            raise ValueError(f"buffer view {index} has no usable offset")
        start, span = sum(offsets), stride * (count - 1) + size if count else 0
        if start + span > len(data):
            raise ValueError(f"buffer view {index} extends beyond its buffer")
        part = bytes(data[start : start + span])
        return np.ndarray((count, width), kind, part, 0, (stride, kind.itemsize))


def _element(document: JsonObject, name: str, index: object) -> JsonObject:
    found = document.get(name)
    is_there = isinstance(found, list) and type(index) is int and 0 <= index < len(found)
    element = found[index] if found is not None and is_there else None
    if not isinstance(element, dict):
        raise ValueError(f"{name} has no element {index}")
    return element


def _kind_of(owner: JsonObject) -> "np.dtype[Any] | None":
    """Return the type of an accessor's numbers, None where glTF does not have it."""
    number = owner.get("componentType")
    return np.dtype(_TYPES[number]) if type(number) is int and number in _TYPES else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _decoded(uri: str) -> bytes:
    import base64
    import binascii

    head, comma, data = uri.partition(",")
    if not comma or not head.endswith(";base64"):
        raise ValueError("a data URI is not base64")
    try:
        return base64.b64decode(data)
    except binascii.Error as error:
        raise ValueError(f"a data URI is broken: {error}") from error
