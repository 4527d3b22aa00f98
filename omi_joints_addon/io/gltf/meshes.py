"""Meshes of files, as io_scene_gltf2 makes them: the part of `upstream` about meshes."""

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.shapes.fit import Points
from .upstream import ExportSettings, FileNode

if TYPE_CHECKING:
    from ...properties.mesh_points import Triangles

Mesh = Any
"""`io.com.gltf2_io.Mesh`."""


def modifier_depsgraph(settings: ExportSettings) -> bpy.types.Depsgraph | None:
    """Return what evaluates modifiers, as `nodes.__gather_mesh`; None if they are left out."""
    return evaluated() if settings["gltf_apply"] else None


def evaluated() -> bpy.types.Depsgraph:
    """Return what evaluates modifiers of the scene that is exported."""
    return bpy.context.evaluated_depsgraph_get()  # noqa: TID251 - hooks are given no context


def is_triangle_mesh(mesh: Mesh | None) -> bool:
    """Return whether a mesh of the file is of triangles in one primitive."""
    return mesh is not None and len(mesh.primitives) == 1 and mesh.primitives[0].mode in (None, 4)


def new_mesh(
    name: str, points: Points, triangles: "Triangles", settings: ExportSettings
) -> Mesh | None:
    """Return a new mesh of the file, None without triangles.

    `points` (n, 3) are in Blender's axes, `triangles` (t, 3) are indices of them.
    """
    from io_scene_gltf2.io.com import gltf2_io

    if not len(triangles):
        return None
    if settings["gltf_yup"]:
        points = points[:, (0, 2, 1)] * np.array((1.0, 1.0, -1.0), np.float32)
    positions = np.ascontiguousarray(points, np.float32)
    primitive = gltf2_io.MeshPrimitive(
        attributes={"POSITION": _accessor(positions, "VEC3", has_bounds=True)},
        extensions=None,
        extras=None,
        indices=_accessor(triangles.astype(np.uint32).ravel(), "SCALAR"),
        material=None,
        mode=None,
        targets=None,
    )
    return gltf2_io.Mesh(
        extensions=None, extras=None, name=name, primitives=[primitive], weights=None
    )


_FLOAT, _UNSIGNED_INT = 5126, 5125
_ARRAY, _ELEMENT_ARRAY = 34962, 34963


def _accessor(values: NDArray[Any], data_type: str, *, has_bounds: bool = False) -> Any:
    """Return an accessor of positions or of indices (`accessors.array_to_accessor`)."""
    from io_scene_gltf2.io.com import gltf2_io
    from io_scene_gltf2.io.exp.binary_data import BinaryData

    is_index = data_type == "SCALAR"
    return gltf2_io.Accessor(
        buffer_view=BinaryData(values.tobytes(), _ELEMENT_ARRAY if is_index else _ARRAY),
        byte_offset=None,
        component_type=_UNSIGNED_INT if is_index else _FLOAT,
        count=len(values),
        extensions=None,
        extras=None,
        max=values.max(axis=0).tolist() if has_bounds else None,
        min=values.min(axis=0).tolist() if has_bounds else None,
        name=None,
        normalized=None,
        sparse=None,
        type=data_type,
    )


class MeshHolder:
    """Has the exporter write a mesh whether or not a node shows it, and tells its index.

    `exporter.__traverse` replaces a mesh by its index wherever it finds one in a node's extensions.
    """

    def __init__(self, node: FileNode, mesh: Mesh) -> None:
        self._node = node
        self._name = f"mesh {id(mesh)}"
        node.extensions = (node.extensions or {}) | {self._name: mesh}

    def take_index(self) -> int:
        """Return the index of the mesh, once the list of meshes is final."""
        index: int = self._node.extensions.pop(self._name)
        return index


class ImportedMeshes:
    """Meshes of Blender for meshes of a file, made where no node shows them."""

    def __init__(self, importer: Any) -> None:
        self._importer = importer
        self._made: dict[int, bpy.types.Mesh] = {}

    def mesh(self, index: int) -> bpy.types.Mesh:
        """Return the mesh of Blender for a mesh of the file."""
        from io_scene_gltf2.blender.imp.mesh import BlenderMesh

        # `BlenderNode.create_mesh_object` notes the name by skin and morph weights.
        names = self._importer.data.meshes[index].blender_name
        shown = bpy.data.meshes.get(names[(None,)]) if (None,) in names else None
        if shown is not None:
            return shown
        if index not in self._made:
            self._made[index] = BlenderMesh.create(self._importer, index, None)
        return self._made[index]
