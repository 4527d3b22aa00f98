"""Shapes to a glTF file: which node holds a shape, its sizes there, and the meshes of shapes."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.model.body import MotionType
from ...core.model.shape import (
    MeshShape,
    OtherShape,
    Shape,
    Trimesh,
    Upright,
    enclosing_scaled_shape,
    scaled_shape_of,
    shape_type,
)
from ...core.shapes.fit import Fit
from ...core.shapes.placement import along_shape
from ...properties.collider import ObjectShape
from ...properties.mesh_points import MeshReader, mesh_points, mesh_triangles
from ...properties.shape import rounded_shape
from ...scene.rules import UNEVEN_SCALE
from .frames import is_sheared
from .gathered import Gathered
from .meshes import Mesh, MeshHolder, is_triangle_mesh, new_mesh
from .report import Report
from .rules import MESH_WITHOUT_TRIANGLES, TRIANGLES_IN_MOTION
from .upstream import CAMERA_CORRECTION, ExportSettings, FileNode, WrittenNode, file_world, new_node

_SAME = 1e-5
"""Relative difference of scales that does not count."""
_OBJECT_OF_CAMERA = CAMERA_CORRECTION.conjugated().to_matrix().to_4x4()
"""From the axes of a camera's or light's node to those of its object."""
_STANDING = Quaternion((0.5**0.5, 0.5**0.5, 0.0, 0.0))
"""Rotation from the file's up axis Y to Blender's Z, where the file keeps Blender's axes."""


class ShapeNodes:
    """Places the shapes of one scene."""

    def __init__(
        self,
        gathered: Gathered,
        nodes: list[WrittenNode],
        settings: ExportSettings,
        report: Report,
        reader: MeshReader,
    ) -> None:
        self._gathered = gathered
        self._settings = settings
        self._report = report
        self._meshes = _Meshes(nodes, settings, reader)
        self._of_meshes: dict[tuple[Shape, int], Shape] = {}
        """Shapes of meshes of the file, by the `id` of the mesh."""

    def place(
        self, written: WrittenNode, shape: ObjectShape | None, name: str
    ) -> tuple[FileNode, Shape | None]:
        """Return the node that a shape of an object is on, and the shape there.

        Without shape it is the object's own node and None. `name` is the pattern of the name of a
        node that has to be made. The mesh of a shape is its number in what is gathered.
        """
        if shape is None:
            return written.node, None
        if isinstance(shape.fit.shape, MeshShape):
            return written.node, self._mesh_shape(written, shape)
        if isinstance(shape.fit.shape, OtherShape):
            return written.node, shape.fit.shape
        return self._primitive(written, shape.fit, name)

    def _primitive(self, written: WrittenNode, fit: Fit, name: str) -> tuple[FileNode, Shape]:
        assert written.obj is not None
        is_renamed = self._settings["gltf_yup"]
        node_world = file_world(written, self._settings)
        is_turned = written.is_turned and is_renamed
        world = node_world @ _OBJECT_OF_CAMERA if is_turned else node_world
        scale = world.to_scale()
        x, y, z = scale.to_tuple()
        off = max(abs(abs(x) - 1.0), abs(abs(y) - 1.0), abs(abs(z) - 1.0))
        is_scaled = off > _SAME
        shape = self._scaled(written, fit, world, scale) if is_scaled else fit.shape
        turn = _turn(fit, is_renamed=is_renamed)
        is_away = is_scaled or is_turned
        if not (is_away or turn is not None or any(fit.center)):
            return written.node, shape
        place = Matrix.LocRotScale(Vector(fit.center), turn, None)
        if is_away:
            place = node_world.inverted_safe() @ _unscaled(world, place)
        node = new_node(name.format(written.obj.name), self._settings, place)
        written.node.children.append(node)
        return node, shape

    def _scaled(self, written: WrittenNode, fit: Fit, world: Matrix, factors: Vector) -> Shape:
        """Return the shape in meters; what cannot take the scale is a finding."""
        assert written.obj is not None
        scale = np.abs(factors.to_tuple())
        along = along_shape(scale, fit)
        shape = scaled_shape_of(fit.shape, along)
        if shape is None or is_sheared(world):
            shape = enclosing_scaled_shape(fit.shape, along)
            words = ", ".join(f"{factor:.4g}" for factor in scale)
            values = {"type": shape_type(fit.shape), "scale": words}
            self._report.add([UNEVEN_SCALE(written.obj.name, **values)])
        return rounded_shape(shape)

    def _mesh_shape(self, written: WrittenNode, shape: ObjectShape) -> Shape | None:
        """Return a convex or trimesh shape; without triangles None and a finding."""
        assert written.obj is not None
        core = shape.fit.shape
        assert isinstance(core, MeshShape)
        core = replace(core, mesh=None)
        mesh = self._meshes.of_shape(written, shape)
        if mesh is None:
            values = {"type": shape_type(core)}
            self._report.add([MESH_WITHOUT_TRIANGLES(written.obj.name, **values)])
            return None
        if isinstance(core, Trimesh) and _moves(written):
            self._report.add([TRIANGLES_IN_MOTION(written.obj.name)])
        key = core, id(mesh)
        if key not in self._of_meshes:
            number = self._gathered.add_mesh(MeshHolder(written.node, mesh))
            self._of_meshes[key] = replace(core, mesh=number)
        return self._of_meshes[key]


class _Meshes:
    """Meshes of the file for shapes: those of nodes if of one primitive, else new ones."""

    def __init__(
        self, nodes: list[WrittenNode], settings: ExportSettings, reader: MeshReader
    ) -> None:
        self._nodes = nodes
        self._settings = settings
        self._reader = reader
        self._made: dict[bpy.types.ID, Mesh | None] = {}

    @cached_property
    def _by_data(self) -> dict[bpy.types.ID, Mesh]:
        """Meshes of nodes by their data, looked up once a shape asks for one."""
        found: dict[bpy.types.ID, Mesh] = {}
        for written in self._nodes:
            obj = written.obj
            if obj is not None and obj.type == "MESH" and is_triangle_mesh(written.node.mesh):
                is_plain = not (obj.modifiers and self._settings["gltf_apply"])
                if is_plain and obj.data is not None:
                    found.setdefault(obj.data, written.node.mesh)
        return found

    def of_shape(self, written: WrittenNode, shape: ObjectShape) -> Mesh | None:
        """Return the mesh of the file for a shape of a mesh."""
        if shape.mesh is not None:
            return self.of(shape.mesh)
        if shape.is_simulated and not self._settings["gltf_apply"]:
            assert written.obj is not None
            return self._new(written.obj, self._reader.simulated, written.obj)
        return self.of_object(written)

    def of(self, mesh: bpy.types.Mesh) -> Mesh | None:
        """Return the mesh of the file for a mesh of Blender."""
        if mesh in self._by_data:
            return self._by_data[mesh]
        if mesh not in self._made:
            self._made[mesh] = new_mesh(
                mesh.name, mesh_points(mesh), mesh_triangles(mesh), self._settings
            )
        return self._made[mesh]

    def of_object(self, written: WrittenNode) -> Mesh | None:
        """Return the mesh of the file for an object's own, its modifiers as the export says."""
        obj: Any = written.obj
        if is_triangle_mesh(written.node.mesh):
            return written.node.mesh
        key = obj if obj.modifiers or obj.data is None else obj.data
        return self._new(key, self._reader, obj)

    def _new(self, key: Any, reader: MeshReader, obj: Any) -> Mesh | None:
        if key not in self._made:
            points, triangles = reader.points(obj), reader.triangles(obj)
            self._made[key] = new_mesh(obj.name, points, triangles, self._settings)
        return self._made[key]


def _moves(written: WrittenNode) -> bool:
    """Return whether a node is on or below a dynamic body."""
    types = (each.physics.motion_type for each in (written, *written.nodes_above()))
    return next(filter(None, types), None) == MotionType.DYNAMIC


def _turn(fit: Fit, *, is_renamed: bool) -> Quaternion | None:
    """Return the rotation from a shape's axes in the file to the object's; None where they agree.

    `is_renamed` says that the file's Y is Blender's Z, the axis that shapes stand on.
    """
    if not isinstance(fit.shape, Upright) or (is_renamed and fit.up == 2):
        return None
    x, y, z, w = fit.rotation
    turn = Quaternion((w, x, y, z))
    return turn if is_renamed else turn @ _STANDING


def _unscaled(world: Matrix, place: Matrix) -> Matrix:
    """Return where `place` in an object's axes is in the world, without scale."""
    rotation = world.to_quaternion() @ place.to_quaternion()
    return Matrix.LocRotScale((world @ place).translation, rotation, None)
