"""Meshes into a new document: points and triangles in one buffer. Axes of glTF there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.findings.loss import How, Loss, Noun
from ....core.model.mesh import Mesh, MeshData, Visual
from ....core.model.plain import JsonObject
from ....core.shapes.surface import shape_surface

_POINTS, _TRIANGLES = 0, 4
_ARRAY, _ELEMENTS = 34962, 34963
_FLOAT, _INTEGER = 5126, 5125
Color = tuple[float, float, float, float]


class MeshWriter:
    """The meshes, materials and buffer of a new document."""

    def __init__(self, meshes: tuple[Mesh, ...]) -> None:
        self.losses: list[Loss] = []
        self.data = bytearray()
        self._meshes = meshes
        self._document: JsonObject = {}
        self._written: dict[Any, int | None] = {}
        self._primitives: dict[Any, JsonObject | None] = {}
        self._materials: dict[tuple[Color, str], int] = {}

    def members(self) -> JsonObject:
        """Return the members of the document, without the buffer."""
        return self._document

    def mesh(self, index: int | None) -> int | None:
        """Return the mesh of the document that a mesh of the scene has become; None for none."""
        return None if index is None else self._mesh(index, None, "")

    def visual(self, visual: Visual) -> int | None:
        """Return the mesh of the document that shows what a node shows."""
        key = visual.mesh if visual.mesh is not None else visual.shape
        return None if key is None else self._mesh(key, visual.color, visual.material)

    def _mesh(self, key: object, color: Color | None, material: str) -> int | None:
        look = (key, color, material)
        if look not in self._written:
            self._written[look] = self._new_mesh(key, color, material)
        return self._written[look]

    def _new_mesh(self, key: Any, color: Color | None, material: str) -> int | None:
        if key not in self._primitives:
            self._primitives[key] = self._new_primitive(key)
        primitive = self._primitives[key]
        if primitive is None:
            return None
        if color is not None:
            primitive = primitive | {"material": self._material(color, material)}
        mesh: JsonObject = {"primitives": [primitive]}
        name = self._meshes[key].name if isinstance(key, int) else key.name
        return self._add("meshes", ({"name": name} if name else {}) | mesh)

    def _new_primitive(self, key: Any) -> JsonObject | None:
        if not isinstance(key, int):
            surface = shape_surface(key)
            return None if surface is None else self._primitive(surface)
        mesh = self._meshes[key]
        place = mesh.name or mesh.uri or f"mesh {key}"
        try:
            data = mesh.read()
        except ValueError as error:
            self.losses.append(Loss(place, Noun.MESH, How.LOST, str(error)))
            return None
        if not len(data.points) or not np.isfinite(data.points).all():
            self.losses.append(Loss(place, Noun.MESH, How.LOST, "it has no usable points"))
            return None
        return self._primitive(data)

    def _primitive(self, data: MeshData) -> JsonObject:
        x, y, z = data.points.T
        points = np.stack((x, z, 0.0 - y), axis=1).astype("<f4")
        bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        position = self._accessor(points, "VEC3", _FLOAT, _ARRAY) | bounds
        primitive: JsonObject = {"attributes": {"POSITION": self._add("accessors", position)}}
        if not len(data.triangles):
            return primitive | {"mode": _POINTS}
        corners = data.triangles.reshape(-1).astype("<u4")
        indices = self._accessor(corners, "SCALAR", _INTEGER, _ELEMENTS)
        return primitive | {"indices": self._add("accessors", indices), "mode": _TRIANGLES}

    def _accessor(self, values: NDArray[Any], type_: str, component: int, use: int) -> JsonObject:
        view = {
            "buffer": 0,
            "byteOffset": len(self.data),
            "byteLength": values.nbytes,
            "target": use,
        }
        self.data += values.tobytes()
        at = self._add("bufferViews", view)
        return {"bufferView": at, "componentType": component, "count": len(values), "type": type_}

    def _material(self, color: Color, name: str) -> int:
        if (color, name) not in self._materials:
            material: JsonObject = {"name": name} if name else {}
            material |= {
                "pbrMetallicRoughness": {"baseColorFactor": list(color), "metallicFactor": 0.0}
            }
            if color[3] < 1.0:
                material["alphaMode"] = "BLEND"
            self._materials[color, name] = self._add("materials", material)
        return self._materials[color, name]

    def _add(self, name: str, element: JsonObject) -> int:
        elements = self._document.setdefault(name, [])
        elements.append(element)
        return len(elements) - 1
