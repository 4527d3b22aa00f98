"""Colliders and visuals as elements of links, and meshes as files beside the document."""

import xml.etree.ElementTree as ET
from pathlib import PurePosixPath

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.model.body import Collider, CollisionFilter, Trigger
from ....core.model.color import screen_color
from ....core.model.mesh import Mesh
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled
from ....core.model.shape import Convex, Shape
from ...documents.number_words import word
from ..geometries import GeometryWriter
from ..origins import origins_of_matrices
from .schema import (
    GEOMETRY,
    MATERIAL,
    SURFACE,
    MaterialValues,
    SurfaceValues,
)

_BOUNCES = 1e-3
"""Speed [m/s] from which what has a restitution bounces; by default nothing bounces."""


class PoseWriter:
    """Poses of elements, all of which are written at once."""

    def __init__(self) -> None:
        self._elements: list[ET.Element] = []
        self._matrices: list[Array] = []

    def add(self, element: ET.Element, matrix: Array) -> None:
        """Have a pose put first into an element unless it is the identity."""
        self._elements.append(element)
        self._matrices.append(matrix)

    def write(self) -> None:
        """Put in the poses of all elements."""
        origins = origins_of_matrices(np.array(self._matrices))
        numbers = settled(np.array(origins).reshape(-1, 6)).tolist()
        for element, values in zip(self._elements, numbers, strict=True):
            if any(values):
                pose = ET.Element("pose")
                pose.text = " ".join(map(word, values))
                element.insert(0, pose)


class PartWriter:
    """Writes what bodies show and collide with; `stem` is the name of the document."""

    def __init__(self, scene: PhysicsScene, losses: Losses, stem: str) -> None:
        self._geometries = GeometryWriter(
            meshes=scene.meshes, stem=stem, report=self._report, has_capsules=True
        )
        self.files = self._geometries.files
        self.poses = PoseWriter()
        self._scene, self._losses = scene, losses

    def collision(self, parent: ET.Element, node: int, name: str, link: Array) -> None:
        """Add a collider or a trigger to the element of a link at a rigid matrix."""
        part = self._scene.colliders.get(node) or self._scene.triggers.get(node)
        assert part is not None
        element = self._part(parent, "collision", node, name, link, part.shape)
        if element is None:
            return
        values = _surface(part)
        if values != SurfaceValues():
            SURFACE.write(ET.SubElement(element, "surface"), values)

    def visual(self, parent: ET.Element, node: int, name: str, link: Array) -> None:
        """Add a visual to the element of a link at a rigid matrix."""
        visual = self._scene.visuals[node]
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
        matrix = self._scene.matrices[node]
        geometry = self._geometries.geometry(shape, matrix)
        if geometry is None:
            return None
        place = matrix.copy()
        scale = np.linalg.norm(matrix[:3, :3], axis=0)
        scale[0] *= np.sign(np.linalg.det(matrix[:3, :3])) or 1.0
        place[:3, :3] = matrix[:3, :3] / scale
        element = ET.SubElement(parent, tag, {"name": name})
        self.poses.add(element, np.linalg.solve(link, place))
        inner = ET.SubElement(ET.SubElement(element, "geometry"), geometry.kind)
        GEOMETRY[geometry.kind].write(inner, geometry)
        return element

    def _report(self, mesh: Mesh, problem: str) -> None:
        name = mesh.name or PurePosixPath(mesh.uri).stem or "mesh"
        text = Sentence("it cannot be read: {error}", error=problem)
        self._losses.lost(name, Noun.MESH, text)


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
