"""Geometries of KHR_physics_rigid_bodies: shapes of KHR_implicit_shapes, or meshes.

Here both are shapes of one list, as in OMI_physics_shape. The draft of October 2025 refers to a
node that has the mesh, loaders of its next revision to the mesh itself: both are read and written.
"""

from collections.abc import Callable, Sequence

from .....core.findings.finding import Finding
from .....core.model.plain import JsonObject
from .....core.model.shape import Convex, MeshShape, Shape, Trimesh
from ..members import Members
from ..rules import EMPTY_GEOMETRY, NO_GEOMETRY, NO_SUCH_SHAPE
from .implicit_shapes import is_implicit

_NAMES = frozenset(("shape", "node", "mesh", "convexHull"))


class GeometryReader:
    """Finds the shape of each geometry that is read."""

    def __init__(self, shapes: Sequence[Shape | None], node_meshes: Sequence[int | None]) -> None:
        self.shapes: list[Shape | None] = list(shapes)
        """The document's shapes, followed by those that geometries make of meshes."""
        self._node_meshes = node_meshes
        self._count = len(shapes)

    def omi_part(self, part: JsonObject, pointer: str, findings: list[Finding]) -> JsonObject:
        """Return a collider or trigger with the index of its shape in place of its geometry.

        Unknown members of the geometry stay in it.
        """
        value = {name: member for name, member in part.items() if name not in ("geometry", "shape")}
        geometry = part.get("geometry")
        if not isinstance(geometry, dict):
            if "geometry" in part:
                Members(part, pointer, findings).nested("geometry")
            elif "nodes" not in part:
                findings.append(NO_GEOMETRY(pointer))
            return value
        shape = self._shape_index(geometry, f"{pointer}/geometry", findings)
        if shape is not None:
            value["shape"] = shape
        rest = {name: member for name, member in geometry.items() if name not in _NAMES}
        return value | ({"geometry": rest} if rest else {})

    def _shape_index(
        self, geometry: JsonObject, pointer: str, findings: list[Finding]
    ) -> int | None:
        members = Members(geometry, pointer, findings)
        shape, node = members.index("shape"), members.index("node")
        mesh, is_hull = members.index("mesh"), members.boolean("convexHull")
        if shape is not None:
            if shape < self._count and self.shapes[shape] is not None:
                return shape
            findings.append(NO_SUCH_SHAPE(f"{pointer}/shape", index=shape))
            return None
        if mesh is None and node is not None and node < len(self._node_meshes):
            mesh = self._node_meshes[node]
        if mesh is None:
            findings.append(EMPTY_GEOMETRY(pointer))
            return None
        return self._index(Convex(mesh=mesh) if is_hull else Trimesh(mesh=mesh))

    def _index(self, shape: Shape) -> int:
        if shape not in self.shapes:
            self.shapes.append(shape)
        return self.shapes.index(shape)


class GeometryWriter:
    """Makes the geometry of each shape that is written.

    `node_of_mesh` returns a node whose geometry is a mesh and nothing else.
    """

    def __init__(self, shapes: Sequence[Shape | None], node_of_mesh: Callable[[int], int]) -> None:
        self._shapes = shapes
        self._node_of_mesh = node_of_mesh
        self._indices: dict[int, int] = {}
        for index, shape in enumerate(shapes):
            if shape is not None and is_implicit(shape):
                self._indices[index] = len(self._indices)

    def implicit_shapes(self) -> tuple[Shape, ...]:
        """Return the shapes that KHR_implicit_shapes holds, in the order of geometries."""
        return tuple(shape for shape in self._shapes if shape is not None and is_implicit(shape))

    def khr_part(self, part: JsonObject, *, is_trigger: bool) -> JsonObject | None:
        """Return a collider or trigger with a geometry in place of the index of its shape.

        None where it has neither shape nor nodes.
        """
        value = {name: member for name, member in part.items() if name not in ("shape", "geometry")}
        geometry = self._geometry(part.get("shape"))
        if geometry is not None:
            value.pop("nodes", None)
            rest = part.get("geometry")
            kept = rest if isinstance(rest, dict) else {}
            kept = {name: member for name, member in kept.items() if name not in _NAMES}
            return value | {"geometry": geometry | kept}
        if not is_trigger or not value.get("nodes"):
            return None
        value.pop("collisionFilter", None)
        return value

    def _geometry(self, index: object) -> JsonObject | None:
        if not isinstance(index, int) or not 0 <= index < len(self._shapes):
            return None
        shape = self._shapes[index]
        if not isinstance(shape, MeshShape):
            return {"shape": self._indices[index]} if index in self._indices else None
        if shape.mesh is None:
            return None
        geometry: JsonObject = {"mesh": shape.mesh, "node": self._node_of_mesh(shape.mesh)}
        return geometry | ({"convexHull": True} if isinstance(shape, Convex) else {})
