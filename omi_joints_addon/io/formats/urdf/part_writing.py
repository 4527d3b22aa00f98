"""Colliders and visuals as elements of their links, and meshes as files beside the document."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.color import screen_color
from ....core.model.mesh import Mesh, Visual
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.shape import Convex, Shape
from ..geometries import GeometryWriter
from ..origins import Origin, origin_of_matrix
from .document import LinkPart, Material
from .parts import own_material
from .rules import MISSING_MESH


class PartWriter:
    """Writes the parts of links; `origins` are their poses in their links, by node.

    `options` are those of `GeometryWriter`.
    """

    def __init__(
        self, scene: PhysicsScene, rigid: Array, origins: Mapping[int, Origin], **options: Any
    ) -> None:
        """`rigid` are the world matrices of all nodes without scale, shape (n, 4, 4)."""
        self.findings: list[Finding] = []
        self._geometries = GeometryWriter(
            meshes=scene.meshes, report=self._report, has_capsules=False, **options
        )
        self.files = self._geometries.files
        self._scene, self._rigid, self._origins = scene, rigid, origins

    def collision(self, node: int, name: str, link: Array) -> LinkPart | None:
        """Return the element of a collider, None for one without shape that URDF knows."""
        return self._part(node, name, link, self._scene.colliders[node].shape, None)

    def visual(self, node: int, name: str, link: Array) -> LinkPart | None:
        """Return the element of a visual."""
        visual = self._scene.visuals[node]
        shape = visual.shape if visual.mesh is None else Convex(mesh=visual.mesh)
        return self._part(node, name, link, shape, _material(visual, name))

    def _part(
        self, node: int, name: str, link: Array, shape: Shape | None, material: Material | None
    ) -> LinkPart | None:
        geometry = self._geometries.geometry(shape, self._scene.matrices[node])
        if geometry is None:
            return None
        origin = self._origins[node]
        if min(geometry.scale) < 0.0:
            rigid = self._rigid[node].copy()
            rigid[:3, :3] = self._scene.matrices[node][:3, :3] / np.array(geometry.scale)
            origin = origin_of_matrix(np.linalg.solve(link, rigid))
        return LinkPart(name=name, origin=origin, geometry=geometry, material=material)

    def _report(self, mesh: Mesh, problem: str) -> None:
        place = mesh.name or mesh.uri
        self.findings.append(MISSING_MESH(place, uri=mesh.uri or place, problem=problem))


def _material(visual: Visual, name: str) -> Material | None:
    if visual.color is None and not visual.texture and not visual.material:
        return None
    color = None if visual.color is None else screen_color(visual.color)
    name = visual.material or own_material(name)
    return Material(name=name, color=color, texture=visual.texture)
