"""Visual and collision elements as nodes of a scene."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Collider
from ....core.model.color import linear_color
from ....core.model.mesh import Mesh, Visual
from ....core.model.pose import Array
from ....core.model.scene_builder import SceneBuilder
from ....core.model.shape import Convex, Shape
from ..beside import Folders
from ..geometries import shape_of
from ..meshes.beside import MeshesBeside
from ..origins import matrices_of_origins
from .carrying import filter_of, material_of
from .document import Link, LinkPart, Material
from .rules import MISSING_MESH


class Parts:
    """Reads visual and collision elements, and where their meshes are."""

    def __init__(self, folders: Folders) -> None:
        self.findings: list[Finding] = []
        self.meshes = MeshesBeside(self._report)
        self._folders = folders

    def add(
        self,
        build: SceneBuilder,
        links: Sequence[tuple[Link, int, Array]],
        kept: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """Add the parts of links, which have nodes and world matrices, below these nodes.

        `kept` is what a file of this program keeps of colliders, by name.
        """
        places = iter(_places(links))
        for link, node, _ in links:
            for part in link.visuals:
                here = build.add(part.name or f"{link.name}_visual", node, next(places))
                build.visuals[here] = self._visual(build.meshes, link.name, part)
            for part in link.collisions:
                name = part.name or f"{link.name}_collision"
                here, surface = build.add(name, node, next(places)), kept.get(name, {})
                build.colliders[here] = self._collider(build.meshes, link.name, part, surface)

    def _collider(
        self, meshes: list[Mesh], place: str, part: LinkPart, kept: Mapping[str, Any]
    ) -> Collider:
        geometry = part.geometry
        if geometry.kind == "mesh":
            shape: Shape = Convex(mesh=self._mesh(meshes, place, geometry.uri))
        else:
            shape = shape_of(geometry)
        return Collider(shape=shape, material=material_of(kept), collision_filter=filter_of(kept))

    def _visual(self, meshes: list[Mesh], place: str, part: LinkPart) -> Visual:
        material = part.material or Material()
        is_mesh = part.geometry.kind == "mesh"
        return Visual(
            mesh=self._mesh(meshes, place, part.geometry.uri) if is_mesh else None,
            shape=None if is_mesh else shape_of(part.geometry),
            color=None if material.color is None else linear_color(material.color),
            material="" if material.name == own_material(part.name) else material.name,
            texture=material.texture,
        )

    def _mesh(self, meshes: list[Mesh], place: str, uri: str) -> int:
        return self.meshes.number(meshes, place, uri, self._folders)

    def _report(self, place: str, uri: str, problem: str) -> None:
        self.findings.append(MISSING_MESH(place, uri=uri, problem=problem))


def _places(links: Sequence[tuple[Link, int, Array]]) -> Array:
    """Return the world matrices (n, 4, 4) of the parts of links, visuals before collisions."""
    parts = [(m, part) for link, _, m in links for part in (*link.visuals, *link.collisions)]
    matrices = np.array([matrix for matrix, _ in parts]).reshape(-1, 4, 4)
    matrices = matrices @ matrices_of_origins([part.origin for _, part in parts])
    for row, (_, part) in enumerate(parts):
        if part.geometry.kind == "mesh":
            matrices[row] = matrices[row] @ np.diag((*part.geometry.scale, 1.0))
    return matrices


def own_material(part: str) -> str:
    """Return the name of a material that belongs to one part alone."""
    return f"{part}_material"
