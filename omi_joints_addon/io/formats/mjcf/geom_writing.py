"""Colliders and what is shown of a scene as geoms and meshes of MJCF."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.model.body import Collider, PhysicsMaterial
from ....core.model.color import screen_color
from ....core.model.mesh import MeshData, Visual
from ....core.model.plain import kept_object
from ....core.model.pose import Array, matrix_from_pose, pose_from_matrix
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
    Trimesh,
    scaled_shape_of,
)
from ..meshes.stl import stl_from_mesh
from .exclusions import filter_bits
from .flat_meshes import encloses_nothing, has_area, has_four_corners, plate_below
from .geoms import CONTACT, SURFACE
from .printing import Attributes, placed_all, texts

_HIDDEN_GROUP = "3"
"""Group of geoms that are for collisions only."""


class _MeshAsset(NamedTuple):
    name: str
    depth: float | None
    """Of the plate [m] that flat triangles became; None for others."""


class GeomWriter:
    """Writes colliders and visuals; losses and files of meshes gather on the way."""

    def __init__(self, scene: PhysicsScene, losses: Losses, stem: str) -> None:
        self._scene = scene
        self._losses = losses
        self._stem = stem
        self.assets: list[Attributes] = []
        self.stiff: Mapping[int, Attributes] = {}
        """Attributes of the geoms of bodies that need stiff contacts (`fast_bodies`)."""
        self.materials: dict[str, Attributes] = {}
        """Colors of materials by name."""
        self.files: dict[str, bytes] = {}
        self._meshes: dict[tuple[Any, ...], _MeshAsset] = {}
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}
        self._places: dict[int, Attributes] = {}
        self._matrices: dict[int, Array] = {}
        self._scales: dict[int, tuple[float, float, float]] = {}

    def prepared(self, nodes: list[int], inverses: Array) -> list[int]:
        """Place nodes in the axes of their bodies, whose inverse matrices are (n, 4, 4).

        Returns the nodes.
        """
        if nodes:
            matrices = inverses @ self._scene.matrices[nodes]
            scales = settled(np.linalg.norm(matrices[:, :3, :3], axis=1))
            self._places = dict(zip(nodes, placed_all(matrices), strict=True))
            self._matrices = dict(zip(nodes, matrices, strict=True))
            self._scales = dict(zip(nodes, map(tuple, scales.tolist()), strict=True))
        return nodes

    def add(self, holder: ET.Element, node: int) -> None:
        """Add the geoms of a prepared node to its body."""
        collider, visual = self._scene.colliders.get(node), self._scene.visuals.get(node)
        name = self._scene.names[node]
        shape = None if collider is None else collider.shape
        is_same = visual is not None and shape is not None and self._shown(visual) == shape
        if visual is not None and visual.color is None:
            self._losses.same(name, Noun.LOOK)  # a name alone has no color
        if collider is not None and shape is not None:
            attributes = self._geom(node, shape, is_solid=True)
            if attributes is not None:
                is_static = holder.tag == "worldbody"
                attributes |= self._surface(collider, name, is_static=is_static)
                attributes |= self.stiff.get(int(self._scene.bodies()[node]), {})
                attributes |= self._color(visual) if is_same else {"group": _HIDDEN_GROUP}
                self._put(holder, name, attributes)
        shown = None if visual is None or is_same else self._shown(visual)
        if visual is not None and shown is not None:
            attributes = self._geom(node, shown, is_solid=False)
            if attributes is not None:
                attributes |= {"contype": "0", "conaffinity": "0", **self._color(visual)}
                if collider is not None:
                    self._losses.same(name, Noun.VISUAL)  # it is a geom of its own
                self._put(holder, name if collider is None else f"{name} shown", attributes)

    def _color(self, visual: Visual | None) -> Attributes:
        """Return the color of a geom, as the material of its name where it has one."""
        if visual is None or visual.color is None:
            return {}
        color = {"rgba": texts([round(part, 9) for part in screen_color(visual.color)])}
        if not visual.material or self.materials.setdefault(visual.material, color) != color:
            return color
        return {"material": visual.material}

    def _put(self, holder: ET.Element, name: str, attributes: Attributes) -> None:
        free = name
        while free in self._taken:
            self._counts[name] = self._counts.get(name, 0) + 1
            free = f"{name} {self._counts[name]}"
        self._taken.add(free)
        ET.SubElement(holder, "geom", {"name": free, **attributes})

    def _shown(self, visual: Visual) -> Shape | None:
        """Return the shape that a visual shows, a hull standing for a mesh."""
        return visual.shape if visual.mesh is None else Convex(mesh=visual.mesh)

    def _geom(self, node: int, shape: Shape, *, is_solid: bool) -> Attributes | None:
        name, where = self._scene.names[node], self._places[node]
        if isinstance(shape, MeshShape):
            mesh = self._mesh(name, shape.mesh, self._matrices[node], is_solid=is_solid)
            if is_solid and mesh is not None and isinstance(shape, Trimesh):
                text = "MuJoCo collides with the convex hull of the triangles"
                self._losses.converted(name, Noun.SHAPE, text)
            return None if mesh is None else {"type": "mesh", "mesh": mesh, **where}
        scaled = scaled_shape_of(shape, self._scales[node])
        size = None if scaled is None else _size(scaled)
        if size is not None and not _is_empty(size):
            return {**size, **where}
        text = "its scale does not leave it a shape of its type"
        if size is not None:
            text = "it has a size of 0, which MuJoCo rejects, so it is left out"
        elif scaled is not None:
            text = "MJCF does not support tapered shapes"
        self._losses.lost(name, Noun.SHAPE if is_solid else Noun.VISUAL, text)
        return None

    def _mesh(self, name: str, index: int | None, matrix: Array, *, is_solid: bool) -> str | None:
        """Return the name of the asset of a mesh at a scale; its file is written beside."""
        noun = Noun.COLLIDER if is_solid else Noun.VISUAL
        if index is None or index >= len(self._scene.meshes):
            self._losses.lost(name, noun, "the mesh is missing")
            return None
        pose = pose_from_matrix(matrix)
        scale = np.round(np.linalg.norm(matrix[:3, :3], axis=0), 9)
        sign = -1.0 if np.linalg.det(matrix[:3, :3]) < 0.0 else 1.0
        key = (index, sign, *scale.tolist())
        solid, shown = (self._meshes.get((each, *key)) for each in (True, False))
        found = solid if is_solid or (solid is not None and solid.depth is None) else shown
        if found is None:
            local = settled(np.linalg.inv(matrix_from_pose(pose)) @ matrix)
            try:
                data = self._read(index, sign, local)
            except ValueError as error:
                self._losses.lost(name, noun, str(error))
                return None
            found = self._written(data, shown, is_solid=is_solid)
            self._meshes[is_solid, *key] = found
        if found.depth is not None:
            depth = f"{found.depth:g}"
            text = Sentence("flat triangles become a plate of {depth} m below them", depth=depth)
            self._losses.converted(name, Noun.SHAPE, text)
        return found.name

    def _written(self, data: MeshData, shown: _MeshAsset | None, *, is_solid: bool) -> _MeshAsset:
        """Return the asset of a mesh: a plate for flat triangles, unless they are only shown."""
        is_kept = not is_solid and has_four_corners(data)
        solid, depth = (None if is_kept else plate_below(data)) or (data, None)
        if shown is not None and shown.depth == depth:
            return shown
        return _MeshAsset(self._asset(solid), depth)

    def _read(self, index: int, sign: float, local: Array) -> MeshData:
        """Return a mesh scaled by a matrix; raises `ValueError` for one that has no area."""
        data = self._scene.meshes[index].read()
        triangles = data.triangles if sign > 0.0 else data.triangles[:, ::-1]
        scaled = MeshData(data.points @ local[:3, :3].T, triangles)
        if not has_area(scaled):
            raise ValueError("its triangles have no area")
        return scaled

    def _asset(self, data: MeshData) -> str:
        """Add a mesh with its file, and return its name."""
        name = f"{self._stem}_mesh_{len(self.assets) + 1}"
        self.files[f"{name}.stl"] = stl_from_mesh(data)
        # Bodies have an inertia of their own, so that of the mesh only must not be an error.
        kept = {"inertia": "shell"} if encloses_nothing(data) else {}
        self.assets.append({"name": name, "file": f"{name}.stl", **kept})
        return name

    def _surface(self, collider: Collider, name: str, *, is_static: bool) -> Attributes:
        """Return friction and collision bits."""
        found: Attributes = {}
        material = collider.material or PhysicsMaterial()
        found["friction"] = repr(material.dynamic_friction)
        found |= _kept_surface(material)
        if collider.material is None:
            self._losses.same(name, Noun.MATERIAL)  # it has none, and gets that of this program
        elif material.restitution or material.static_friction != material.dynamic_friction:
            text = "MuJoCo has a single friction value and no restitution"
            self._losses.lost(name, Noun.MATERIAL, text)
        if collider.collision_filter is not None:
            bits = filter_bits(collider.collision_filter)
            if not bits:
                self._report_filter(name, is_static=is_static)
            found |= bits
        return found

    def _report_filter(self, name: str, *, is_static: bool) -> None:
        if is_static:
            text = "the names of systems cannot be stored as bits"
            self._losses.lost(name, Noun.COLLISION_FILTER, text)
            return
        self._losses.same(name, Noun.COLLISION_FILTER)  # as the pairs that it keeps apart


def _kept_surface(material: PhysicsMaterial) -> Attributes:
    """Return the attributes that a material carries; `friction` where its first number holds."""
    carried = kept_object(material.carried).get(SURFACE)
    members = carried.items() if isinstance(carried, dict) else ()
    kept = {name: str(value) for name, value in members if name in CONTACT}
    if kept.get("friction", "").split()[:1] != [repr(material.dynamic_friction)]:
        kept.pop("friction", None)
    return kept


def _size(shape: Shape) -> Attributes | None:
    if isinstance(shape, Box):
        return {"type": "box", "size": texts([side / 2.0 for side in shape.size])}
    if isinstance(shape, Sphere):
        return {"type": "sphere", "size": repr(shape.radius)}
    if isinstance(shape, Capsule | Cylinder) and shape.radius_bottom == shape.radius_top:
        kind = "capsule" if isinstance(shape, Capsule) else "cylinder"
        return {"type": kind, "size": texts((shape.radius_bottom, shape.height / 2.0))}
    return None


def _is_empty(size: Attributes) -> bool:
    """Return whether a shape has a length that is not above zero."""
    return not all(float(part) > 0.0 for part in size["size"].split())
