"""Colliders and visuals as elements of their links, and meshes as files beside the document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.color import screen_color
from ....core.model.mesh import Mesh, Visual
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.settled import DECIMALS
from ....core.model.shape import (
    Box,
    Capsule,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    enclosing_scaled_shape,
)
from ..meshes.obj import obj_from_mesh
from ..meshes.stl import stl_from_mesh
from .document import Geometry, LinkPart, Material, Origin, numbered, origin_of_matrix
from .parts import own_material
from .rules import MISSING_MESH

_WRITERS = {"obj": obj_from_mesh, "stl": stl_from_mesh}


@dataclass(slots=True)
class PartWriter:
    """Writes the parts of links and gathers the files of their meshes."""

    scene: PhysicsScene
    rigid: Array
    """World matrices of all nodes without scale, shape (n, 4, 4)."""
    folder: str = "meshes"
    """Folder of the meshes, relative to the document."""
    prefix: str = ""
    """What stands before the folder in the document, such as package://NAME/."""
    stem: str = ""
    """Name of the document, which its meshes begin with: other robots may be in its folder."""
    kind: str = "obj"
    """Suffix of the meshes that are written; empty writes none."""
    origins: Mapping[int, Origin] = field(default_factory=dict)
    """Poses of the parts in their links, by node."""
    keeps_files: bool = False
    """Whether meshes that came from files are only referred to."""
    files: dict[str, bytes] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    _uris: dict[int, str] = field(default_factory=dict)

    def collision(self, node: int, name: str, link: Array) -> LinkPart | None:
        """Return the element of a collider, None for one without shape that URDF knows."""
        shape = self.scene.colliders[node].shape
        matrix = self.scene.matrices[node]
        geometry = self._geometry(shape, matrix) if shape is not None else None
        return None if geometry is None else self._part(name, geometry, node, link, None)

    def visual(self, node: int, name: str, link: Array) -> LinkPart | None:
        """Return the element of a visual."""
        visual, matrix = self.scene.visuals[node], self.scene.matrices[node]
        if visual.mesh is not None:
            geometry: Geometry | None = self._mesh(visual.mesh, matrix)
        else:
            geometry = self._geometry(visual.shape, matrix) if visual.shape else None
        if geometry is None:
            return None
        return self._part(name, geometry, node, link, _material(visual, name))

    def _part(
        self, name: str, geometry: Geometry, node: int, link: Array, material: Material | None
    ) -> LinkPart:
        origin = self.origins[node]
        if geometry.kind == "mesh" and min(geometry.scale) < 0.0:
            rigid = self.rigid[node].copy()
            rigid[:3, :3] = self.scene.matrices[node][:3, :3] / np.array(geometry.scale)
            origin = origin_of_matrix(np.linalg.solve(link, rigid))
        return LinkPart(name=name, origin=origin, geometry=geometry, material=material)

    def _geometry(self, shape: Shape, matrix: Array) -> Geometry | None:
        if isinstance(shape, MeshShape):
            return None if shape.mesh is None else self._mesh(shape.mesh, matrix)
        x, y, z = np.linalg.norm(matrix[:3, :3], axis=0).round(DECIMALS).tolist()
        return _primitive(enclosing_scaled_shape(shape, (x, y, z)))

    def _mesh(self, index: int, matrix: Array) -> Geometry | None:
        if not 0 <= index < len(self.scene.meshes):
            return None
        if index not in self._uris:
            self._uris[index] = self._uri(self.scene.meshes[index])
        x, y, z = _scale(matrix)
        return Geometry(kind="mesh", filename=self._uris[index], scale=(x, y, z))

    def _uri(self, mesh: Mesh) -> str:
        """Return the address of a mesh, which is written unless a package has it."""
        if "://" in mesh.uri or self.kind not in _WRITERS or (self.keeps_files and mesh.uri):
            return mesh.uri
        try:
            data = _WRITERS[self.kind](mesh.read())
        except ValueError as error:
            place = mesh.name or mesh.uri
            self.findings.append(MISSING_MESH(place, uri=mesh.uri or place, problem=str(error)))
            return mesh.uri
        stem = _file_name(mesh, self.stem)
        path = f"{self.folder}/{stem}.{self.kind}"
        if path in self.files:
            taken = {PurePosixPath(name).stem for name in self.files}
            path = f"{self.folder}/{numbered(stem, taken)}.{self.kind}"
        self.files[path] = data
        return self.prefix + path


def _scale(matrix: Array) -> Array:
    """Return the scale of the axes, of a mirrored node with X turned round; near 1 is 1."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    scale = np.where(np.abs(scale - 1.0) < 1e-6, 1.0, scale)
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        scale[0] = -scale[0]
    return np.asarray(scale)


def _primitive(shape: Shape) -> Geometry | None:
    """Return the geometry that holds a primitive: capsules and cones become cylinders."""
    if isinstance(shape, Box):
        return Geometry(size=shape.size)
    if isinstance(shape, Sphere):
        return Geometry(kind="sphere", radius=shape.radius)
    if isinstance(shape, Cylinder | Capsule):
        radius = max(shape.radius_bottom, shape.radius_top)
        ends = 0.0 if isinstance(shape, Cylinder) else shape.radius_bottom + shape.radius_top
        return Geometry(kind="cylinder", radius=radius, length=shape.height + ends)
    return None


def _material(visual: Visual, name: str) -> Material | None:
    if visual.color is None and not visual.texture and not visual.material:
        return None
    color = None if visual.color is None else screen_color(visual.color)
    name = visual.material or own_material(name)
    return Material(name=name, color=color, texture=visual.texture)


def _file_name(mesh: Mesh, stem: str) -> str:
    """Return a name without anything that a folder could be left by, beginning with the stem."""
    name = mesh.name or PurePosixPath(mesh.uri).stem or "mesh"
    if stem and name != stem and not name.startswith(f"{stem}_"):
        name = f"{stem}_{name}"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)
    return plain[:64]
