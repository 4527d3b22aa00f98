"""Vertices and triangles of meshes as arrays, in the axes of the mesh's object."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import bpy

from ..core import shapes
from .bones import BodyBone, Node

if TYPE_CHECKING:
    from typing import TypeGuard

    import numpy as np
    from numpy.typing import NDArray

    Triangles = NDArray[np.intp]
_WITH_SURFACE = frozenset(("MESH", "CURVE", "SURFACE", "META", "FONT"))


def mesh_points(mesh: bpy.types.Mesh) -> "shapes.fit.Points":
    """Return the vertices (n, 3) [m] in single precision."""
    import numpy as np

    points = np.empty((len(mesh.vertices), 3), np.float32)
    # The attribute is the mesh's own array; `vertices` copies value by value.
    known = mesh.attributes.get("position")
    if known is not None:
        known.data.foreach_get("vector", points.ravel())
    elif len(points):
        # In Edit Mode, of all objects that share the mesh, attributes are those of the edit.
        mesh.vertices.foreach_get("co", points.ravel())
    return points


def mesh_triangles(mesh: bpy.types.Mesh) -> "Triangles":
    """Return the triangles (t, 3) as indices of vertices."""
    import numpy as np

    mesh.calc_loop_triangles()
    triangles = np.empty((len(mesh.loop_triangles), 3), np.int32)
    if len(triangles):
        mesh.loop_triangles.foreach_get("vertices", triangles.ravel())
    return triangles.astype(np.intp)


def has_surface(obj: Node) -> "TypeGuard[bpy.types.Object]":
    """Return whether the object is of a type that has a mesh or becomes one."""
    return obj.type in _WITH_SURFACE and obj.data is not None


def is_edited(obj: bpy.types.Object) -> bool:
    """Return whether what an object shows is in Edit Mode, by itself or one that shares it."""
    return obj.mode == "EDIT" or bool(getattr(obj.data, "is_editmode", False))


class MeshReader:
    """Meshes of objects; bounds are kept, so that objects that share a mesh read it once."""

    def __init__(
        self,
        depsgraph: bpy.types.Depsgraph | None,
        *,
        simulated: bpy.types.Depsgraph | None = None,
    ) -> None:
        self._depsgraph = depsgraph
        """Evaluates modifiers; None reads meshes as they are without."""
        self._simulated = simulated
        """Evaluates those of Rigid Bodies; None is `depsgraph`."""
        self._bounds: dict[bpy.types.ID, shapes.fit.Bounds | None] = {}

    @cached_property
    def simulated(self) -> "MeshReader":
        """The reader of meshes with all modifiers, as Blender's simulation takes them."""
        return self if self._simulated is None else MeshReader(self._simulated)

    def bounds(self, obj: Node) -> "shapes.fit.Bounds | None":
        """Return the extent of the object's mesh in its own axes; None where it has none."""
        data = obj.data
        if not has_surface(obj) or data is None:
            return None
        if self._depsgraph is not None and (obj.modifiers or obj.type != "MESH"):
            return shapes.fit.bounds_of(self.points(obj))
        if data not in self._bounds:
            self._bounds[data] = shapes.fit.bounds_of(self.points(obj))
        return self._bounds[data]

    def source_of(self, obj: Node) -> bpy.types.ID | BodyBone:
        """Return what the object's mesh depends on: its data, or itself where modifiers count."""
        is_own = self._depsgraph is not None and (len(obj.modifiers) > 0 or obj.type != "MESH")
        return obj if is_own or obj.data is None else obj.data

    def points(self, obj: Node) -> "shapes.fit.Points":
        """Return the vertices (n, 3) [m] of the object's mesh in its own axes."""
        import numpy as np

        with self.mesh(obj) as mesh:
            return np.empty((0, 3), np.float32) if mesh is None else mesh_points(mesh)

    def triangles(self, obj: Node) -> "Triangles":
        """Return the triangles (t, 3) of the object's mesh as indices of `points`."""
        import numpy as np

        with self.mesh(obj) as mesh:
            return np.empty((0, 3), np.intp) if mesh is None else mesh_triangles(mesh)

    @contextmanager
    def mesh(self, obj: Node) -> Iterator[bpy.types.Mesh | None]:
        """Lend the object's mesh; None where it has none."""
        if not has_surface(obj):
            yield None
        elif obj.type == "MESH" and (self._depsgraph is None or not obj.modifiers):
            # In Edit Mode this is the mesh before it, which is what is exported.
            yield obj.data  # type: ignore[misc]
        else:
            source = obj if self._depsgraph is None else obj.evaluated_get(self._depsgraph)
            mesh = source.to_mesh()
            try:
                yield mesh
            finally:
                source.to_mesh_clear()
