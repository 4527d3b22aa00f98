"""Collisions, visuals and lights of links as nodes of a scene."""

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Collider, CollisionFilter, PhysicsMaterial, Trigger
from ....core.model.color import linear_color
from ....core.model.mesh import Visual
from ....core.model.pose import Array
from ....core.model.scene_builder import SceneBuilder
from ....core.model.shape import Convex, Shape, Trimesh
from ...documents.schema import Report
from ...documents.xml_source import SourceElement
from ..beside import Folders
from ..geometries import Geometry, shape_of
from ..meshes.beside import MeshesBeside
from .rules import MISSING_MESH, SHAPELESS
from .schema import GEOMETRY, MATERIAL, SURFACE, MaterialValues, SurfaceValues

_BITS = 16
_USUAL_THRESHOLD = 100000.0
_ALL_BITS = 0xFFFF


class Parts:
    """Reads what links show and collide with."""

    def __init__(self, build: SceneBuilder, findings: list[Finding], report: Report) -> None:
        self.meshes = MeshesBeside(self._report_mesh)
        self._build, self._findings, self._report = build, findings, report

    def collision(
        self, element: SourceElement, link: int, matrix: Array, folders: Folders, *, is_static: bool
    ) -> None:
        """Add a collision below the node of a link, at a world matrix."""
        name, found = element.get("name"), self._geometry(element, folders)
        if found is None:
            return
        shape, _, scale = found
        if isinstance(shape, Convex) and is_static:
            shape = Trimesh(mesh=shape.mesh)
        surface: SurfaceValues = SURFACE.read(element.find("surface"), self._report)
        node = self._build.add(name, link, matrix @ scale)
        filter_ = _filter(surface)
        if surface.without_contact:
            self._build.triggers[node] = Trigger(shape=shape, collision_filter=filter_)
        else:
            self._build.colliders[node] = Collider(
                shape=shape, material=_material(surface), collision_filter=filter_
            )

    def visual(self, element: SourceElement, link: int, matrix: Array, folders: Folders) -> None:
        """Add a visual below the node of a link, at a world matrix."""
        found = self._geometry(element, folders)
        if found is None:
            return
        shape, mesh, scale = found
        values: MaterialValues = MATERIAL.read(element, self._report)
        node = self._build.add(element.get("name"), link, matrix @ scale)
        seen = None if mesh is not None else shape
        self._build.visuals[node] = Visual(mesh=mesh, shape=seen, color=_color(values))

    def _geometry(
        self, holder: SourceElement, folders: Folders
    ) -> tuple[Shape, int | None, Array] | None:
        """Return shape, mesh and scale (4, 4) of a geometry, None where there is no shape."""
        geometry = holder.find("geometry")
        element = geometry.children[0] if geometry is not None and geometry.children else None
        if element is None or element.tag == "empty":
            return None
        if element.tag not in GEOMETRY:
            self._findings.append(SHAPELESS(holder.get("name"), kind=element.tag))
            return None
        found: Geometry = GEOMETRY[element.tag].read(element, self._report)
        if found.kind != "mesh":
            return shape_of(found), None, np.eye(4)
        meshes, place = self._build.meshes, holder.get("name")
        number = self.meshes.number(meshes, place, found.uri, folders)
        return Convex(mesh=number), number, np.diag((*found.scale, 1.0))

    def _report_mesh(self, place: str, uri: str, problem: str) -> None:
        self._findings.append(MISSING_MESH(place, uri=uri, problem=problem))


def _material(surface: SurfaceValues) -> PhysicsMaterial | None:
    """Return the surface of a collision; a friction of 1 is what an element without one has."""
    bounce = surface.restitution if surface.threshold < _USUAL_THRESHOLD else 0.0
    if surface.mu is None and not bounce:
        return None
    friction = 1.0 if surface.mu is None else max(0.0, surface.mu)
    return PhysicsMaterial(static_friction=friction, dynamic_friction=friction, restitution=bounce)


def _filter(surface: SurfaceValues) -> CollisionFilter | None:
    """Return what bits of a surface let it meet, None for everything."""
    if surface.category_bitmask is None and surface.collide_bitmask is None:
        return None
    meets = _ALL_BITS if surface.collide_bitmask is None else int(surface.collide_bitmask)
    is_in = meets if surface.category_bitmask is None else int(surface.category_bitmask)
    if meets & _ALL_BITS == is_in & _ALL_BITS == _ALL_BITS:
        return None
    return CollisionFilter(
        collision_systems=tuple(_bits(is_in)), collide_with_systems=tuple(_bits(meets))
    )


def _bits(mask: int) -> list[str]:
    return [f"bit {number}" for number in range(_BITS) if mask >> number & 1]


def _color(values: MaterialValues) -> tuple[float, float, float, float] | None:
    """Return a color in linear light (IEC 61966-2-1)."""
    if values.diffuse is None:
        return None
    red, green, blue, alpha = values.diffuse
    return linear_color((red, green, blue, alpha * (1.0 - values.transparency)))
