"""What is in a `geometry` of URDF and SDF: primitives that stand on Z, and meshes in files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from ...core.meaning.naming import free_name
from ...core.model.mesh import Mesh
from ...core.model.pose import Array
from ...core.model.settled import settled
from ...core.model.shape import (
    Box,
    Capsule,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    enclosing_scaled_shape,
)
from .meshes.obj import obj_from_mesh
from .meshes.stl import stl_from_mesh
from .origins import Vector

_WRITERS = {"obj": obj_from_mesh, "stl": stl_from_mesh}
_FOLDER = "meshes"
_SAME = 1e-6
"""Difference of a scale from 1 that is rounding of single precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """A shape; sizes that its kind does not have are at their defaults."""

    kind: str = "box"
    """box, sphere, cylinder, capsule, cone or mesh."""
    size: Vector = (1.0, 1.0, 1.0)
    radius: float = 0.0
    length: float = 0.0
    """Of a capsule: between the centers of its ends."""
    uri: str = ""
    scale: Vector = (1.0, 1.0, 1.0)


def shape_of(geometry: Geometry) -> Shape:
    """Return the primitive of a geometry."""
    radius, length = geometry.radius, geometry.length
    if geometry.kind == "box":
        return Box(size=geometry.size)
    if geometry.kind == "sphere":
        return Sphere(radius=radius)
    if geometry.kind == "capsule":
        return Capsule(height=length, radius_bottom=radius, radius_top=radius)
    top = 0.0 if geometry.kind == "cone" else radius
    return Cylinder(height=length, radius_bottom=radius, radius_top=top)


@dataclass(slots=True, kw_only=True)
class GeometryWriter:
    """Finds the geometries of shapes, and gathers the files of their meshes."""

    meshes: Sequence[Mesh]
    stem: str
    """Name of the document, which its meshes begin with: others may be in its folder."""
    report: Callable[[Mesh, str], None]
    """Takes a mesh that cannot be read, and why."""
    has_capsules: bool
    """Whether there are capsules; else cylinders enclose them."""
    prefix: str = ""
    """What stands before the folder of the meshes in the document, such as package://NAME/."""
    kind: str = "obj"
    """Suffix of the meshes that are written; another than obj and stl writes none."""
    keeps_files: bool = False
    """Whether meshes that came from files are only referred to."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Contents by path relative to the document."""
    _uris: dict[int, str] = field(default_factory=dict)

    def geometry(self, shape: Shape | None, matrix: Array) -> Geometry | None:
        """Return what a shape is at a matrix (4, 4) with its scale, None for nothing."""
        if isinstance(shape, MeshShape):
            return None if shape.mesh is None else self._mesh(shape.mesh, matrix)
        if shape is None:
            return None
        x, y, z = settled(np.linalg.norm(matrix[:3, :3], axis=0)).tolist()
        return self._primitive(enclosing_scaled_shape(shape, (x, y, z)))

    def _primitive(self, shape: Shape) -> Geometry | None:
        """Return the geometry that holds a primitive: cones become cylinders."""
        if isinstance(shape, Box):
            return Geometry(size=shape.size)
        if isinstance(shape, Sphere):
            return Geometry(kind="sphere", radius=shape.radius)
        if not isinstance(shape, Cylinder | Capsule):
            return None
        radius, length = max(shape.radius_bottom, shape.radius_top), shape.height
        if isinstance(shape, Cylinder):
            return Geometry(kind="cylinder", radius=radius, length=length)
        if self.has_capsules:
            return Geometry(kind="capsule", radius=radius, length=length)
        ends = shape.radius_bottom + shape.radius_top
        return Geometry(kind="cylinder", radius=radius, length=length + ends)

    def _mesh(self, index: int, matrix: Array) -> Geometry | None:
        if not 0 <= index < len(self.meshes):
            return None
        if index not in self._uris:
            self._uris[index] = self._uri(self.meshes[index])
        return Geometry(kind="mesh", uri=self._uris[index], scale=_scale(matrix))

    def _uri(self, mesh: Mesh) -> str:
        """Return the address of a mesh, which is written unless a package has it."""
        if "://" in mesh.uri or self.kind not in _WRITERS or (self.keeps_files and mesh.uri):
            return mesh.uri
        try:
            data = _WRITERS[self.kind](mesh.read())
        except ValueError as error:
            self.report(mesh, str(error))
            return mesh.uri
        taken = {PurePosixPath(path).stem for path in self.files}
        path = f"{_FOLDER}/{free_name(_file_name(mesh, self.stem), taken)}.{self.kind}"
        self.files[path] = data
        return self.prefix + path


def _scale(matrix: Array) -> Vector:
    """Return the scale of the axes, of a mirrored node with X turned round; near 1 is 1."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    x, y, z = np.where(np.abs(scale - 1.0) < _SAME, 1.0, scale).tolist()
    return (-x if np.linalg.det(matrix[:3, :3]) < 0.0 else x, y, z)


def _file_name(mesh: Mesh, stem: str) -> str:
    """Return a name without anything that a folder could be left by, beginning with the stem."""
    name = mesh.name or PurePosixPath(mesh.uri).stem or "mesh"
    if stem and name != stem and not name.startswith(f"{stem}_"):
        name = f"{stem}_{name}"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)
    return plain[:64]
