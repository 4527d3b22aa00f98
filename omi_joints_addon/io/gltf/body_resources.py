"""What bodies of a file share: shapes, materials and collision filters, each written once."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...core.model.body import CollisionFilter, PhysicsMaterial
from ...core.model.shape import MeshShape, Shape
from ...properties.surface import OMI_PG_physics_scene
from ..formats.gltf.members import JsonObject
from ..formats.gltf.omi.body import EXTENSION, filter_to_json, material_to_json
from ..formats.gltf.omi.shape import EXTENSION as SHAPE_EXTENSION
from ..formats.gltf.omi.shape import shape_to_json
from .meshes import Mesh, MeshHolder
from .upstream import Node, declare_extension


class BodyResources:
    """Collects the arrays of the document; every value is checked when it is added."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[Shape, int], int] = {}
        self._shape_values: list[JsonObject] = []
        self._holders: list[tuple[JsonObject, MeshHolder]] = []
        self._materials: dict[PhysicsMaterial, int] = {}
        self._filters: dict[CollisionFilter, int] = {}
        self._kept: dict[str, JsonObject] = {EXTENSION: {}, SHAPE_EXTENSION: {}}

    def keep(self, scene: OMI_PG_physics_scene) -> None:
        """Note what an import kept of its document."""
        for name, text in (
            (EXTENSION, scene.bodies_carried),
            (SHAPE_EXTENSION, scene.shapes_carried),
        ):
            if text:
                self._kept[name] |= json.loads(text)

    def material(self, material: PhysicsMaterial | None) -> int | None:
        """Return the index of a material; raises `CodecError`."""
        if material is None:
            return None
        if material not in self._materials:
            material_to_json(material)
        return self._materials.setdefault(material, len(self._materials))

    def filter(self, collision_filter: CollisionFilter | None) -> int | None:
        """Return the index of a collision filter; raises `CodecError`."""
        if collision_filter is None:
            return None
        if collision_filter not in self._filters:
            filter_to_json(collision_filter)
        return self._filters.setdefault(collision_filter, len(self._filters))

    def shape(self, shape: Shape) -> int:
        """Return the index of a shape in the file's axes; raises `CodecError`."""
        return self._index(shape, 0, lambda: shape_to_json(shape))

    def mesh_shape(self, shape: MeshShape, mesh: Mesh, node: Node) -> int:
        """Return the index of a convex or trimesh shape of a mesh of the file.

        `node` is one that is written; the mesh gets its index on the way.
        """

        def value() -> JsonObject:
            found = shape_to_json(replace(shape, mesh=0))
            self._holders.append((found[found["type"]], MeshHolder(node, mesh)))
            return found

        return self._index(shape, id(mesh), value)

    def _index(self, shape: Shape, mesh: int, value: Callable[[], JsonObject]) -> int:
        if (shape, mesh) not in self._shapes:
            self._shape_values.append(value())
            self._shapes[shape, mesh] = len(self._shape_values) - 1
        return self._shapes[shape, mesh]

    def write(self, document: Any) -> None:
        """Write the arrays into the document, the indices of meshes being final."""
        for value, holder in self._holders:
            value["mesh"] = holder.take_index()
        bodies: JsonObject = {}
        if self._materials:
            bodies["physicsMaterials"] = [material_to_json(value) for value in self._materials]
        if self._filters:
            bodies["collisionFilters"] = [filter_to_json(value) for value in self._filters]
        shapes: JsonObject = {"shapes": self._shape_values} if self._shape_values else {}
        for name, value in ((EXTENSION, bodies), (SHAPE_EXTENSION, shapes)):
            written = value | _rest(value, self._kept[name])
            if written:
                document.extensions[name] = written
                declare_extension(document, name)


def _rest(written: JsonObject, kept: JsonObject) -> JsonObject:
    """Return what an import kept, arrays behind what is written by now."""
    return {
        name: [*written[name], *(v for v in value if v not in written[name])]
        if name in written
        else value
        for name, value in kept.items()
    }
