"""Colliders and visuals as elements of links, and meshes as files beside the document."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.model.body import Collider, CollisionFilter, Trigger
from ....core.model.color import screen_color
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled
from ....core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    enclosing_scaled_shape,
)
from ...documents.number_words import word
from ..meshes.obj import obj_from_mesh
from .frames import numbers_of
from .schema import (
    GEOMETRY,
    MATERIAL,
    SURFACE,
    GeometryValues,
    MaterialValues,
    SurfaceValues,
    Vector,
)

_FOLDER = "meshes"
_BOUNCES = 1e-3
"""Speed [m/s] from which what has a restitution bounces; by default nothing bounces."""


@dataclass(slots=True)
class PartWriter:
    """Writes what bodies show and collide with."""

    scene: PhysicsScene
    losses: Losses
    stem: str
    """Name of the document, which the files of its meshes begin with."""
    files: dict[str, bytes] = field(default_factory=dict)
    _uris: dict[int, str] = field(default_factory=dict)

    def collision(self, parent: ET.Element, node: int, name: str, link: Array) -> None:
        """Add a collider or a trigger to the element of a link at a rigid matrix."""
        part = self.scene.colliders.get(node) or self.scene.triggers.get(node)
        assert part is not None
        element = self._part(parent, "collision", node, name, link, part.shape)
        if element is None:
            return
        values = _surface(part)
        if values != SurfaceValues():
            SURFACE.write(ET.SubElement(element, "surface"), values)

    def visual(self, parent: ET.Element, node: int, name: str, link: Array) -> None:
        """Add a visual to the element of a link at a rigid matrix."""
        visual = self.scene.visuals[node]
        shape = visual.shape if visual.mesh is None else Convex(mesh=visual.mesh)
        element = self._part(parent, "visual", node, name, link, shape)
        if element is not None and visual.color is not None:
            # Gazebo refuses more than 1, which light on screens is not.
            color = tuple(settled(screen_color(visual.color)).clip(0.0, 1.0).tolist())
            red, green, blue, alpha = color
            MATERIAL.write(element, MaterialValues(diffuse=(red, green, blue, alpha)))

    def _part(
        self,
        parent: ET.Element,
        tag: str,
        node: int,
        name: str,
        link: Array,
        shape: Shape | None,
    ) -> ET.Element | None:
        """Add an element with a geometry, None where the shape has none."""
        matrix = self.scene.matrices[node]
        found = None if shape is None else self._geometry(shape, matrix)
        if found is None:
            return None
        kind, values = found
        place = matrix.copy()
        scale = np.linalg.norm(matrix[:3, :3], axis=0)
        scale[0] *= np.sign(np.linalg.det(matrix[:3, :3])) or 1.0
        place[:3, :3] = matrix[:3, :3] / scale
        element = ET.SubElement(parent, tag, {"name": name})
        set_pose(element, np.linalg.solve(link, place))
        GEOMETRY[kind].write(ET.SubElement(ET.SubElement(element, "geometry"), kind), values)
        return element

    def _geometry(self, shape: Shape, matrix: Array) -> tuple[str, GeometryValues] | None:
        scale = settled(np.linalg.norm(matrix[:3, :3], axis=0))
        if isinstance(shape, MeshShape):
            return None if shape.mesh is None else self._mesh(shape, matrix, scale)
        x, y, z = scale.tolist()
        enclosing = enclosing_scaled_shape(shape, (x, y, z))
        if isinstance(enclosing, Box):
            return "box", GeometryValues(size=enclosing.size)
        if isinstance(enclosing, Sphere):
            return "sphere", GeometryValues(radius=enclosing.radius)
        if isinstance(enclosing, Cylinder | Capsule):
            kind = "cylinder" if isinstance(enclosing, Cylinder) else "capsule"
            radius = max(enclosing.radius_bottom, enclosing.radius_top)
            return kind, GeometryValues(radius=radius, length=enclosing.height)
        return None

    def _mesh(
        self, shape: MeshShape, matrix: Array, scale: Array
    ) -> tuple[str, GeometryValues] | None:
        number = shape.mesh
        if number is None or not 0 <= number < len(self.scene.meshes):
            return None
        if number not in self._uris:
            self._uris[number] = self._uri(number)
        x, y, z = scale.tolist()
        factors: Vector = (-x if np.linalg.det(matrix[:3, :3]) < 0.0 else x, y, z)
        return "mesh", GeometryValues(uri=self._uris[number], scale=factors)

    def _uri(self, number: int) -> str:
        """Return the address of a mesh, which is written unless a package has it."""
        mesh = self.scene.meshes[number]
        if "://" in mesh.uri:
            return mesh.uri
        name = mesh.name or PurePosixPath(mesh.uri).stem or "mesh"
        try:
            data = obj_from_mesh(mesh.read())
        except ValueError as error:
            text = Sentence("it cannot be read: {error}", error=error)
            self.losses.lost(name, Noun.MESH, text)
            return mesh.uri
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)
        stem = plain[:64] if plain.startswith(self.stem) else f"{self.stem}_{plain[:64]}"
        path, count = f"{_FOLDER}/{stem}.obj", 2
        while path in self.files:
            path, count = f"{_FOLDER}/{stem}_{count}.obj", count + 1
        self.files[path] = data
        return path


def set_pose(element: ET.Element, matrix: Array) -> None:
    """Put a pose first into an element unless it is the identity."""
    values = settled(numbers_of(matrix))
    if values.any():
        pose = ET.Element("pose")
        pose.text = pose_text(values.tolist())
        element.insert(0, pose)


def pose_text(values: Sequence[float]) -> str:
    """Return the six numbers of a pose."""
    return " ".join(map(word, values))


def _surface(part: Collider | Trigger) -> SurfaceValues:
    """Return what the surface of a collider says; one without material has what SDF has."""
    meets, is_in = _masks(part.collision_filter)
    if isinstance(part, Trigger):
        return SurfaceValues(collide_bitmask=meets, category_bitmask=is_in, without_contact=True)
    material = part.material
    if material is None:
        return SurfaceValues(collide_bitmask=meets, category_bitmask=is_in)
    bounces = material.restitution > 0.0
    return SurfaceValues(
        mu=material.dynamic_friction,
        restitution=material.restitution,
        threshold=_BOUNCES if bounces else SurfaceValues().threshold,
        collide_bitmask=meets,
        category_bitmask=is_in,
    )


def _masks(filter_: CollisionFilter | None) -> tuple[float | None, float | None]:
    """Return the bits that a filter meets and those that it is in, as files of SDF name them."""
    if filter_ is None:
        return None, None
    names = (*filter_.collision_systems, *(filter_.collide_with_systems or ()))
    if not all(name.startswith("bit ") and name[4:].isdigit() for name in names):
        return None, None
    meets, is_in = (
        float(sum(1 << int(name[4:]) for name in systems))
        for systems in (filter_.collide_with_systems or (), filter_.collision_systems)
    )
    return meets, is_in
