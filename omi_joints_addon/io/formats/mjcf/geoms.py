"""Geoms of an MJCF model: colliders, what is shown, and the mass that they give their bodies."""

import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Collider, PhysicsMaterial
from ....core.model.color import Color, linear_color
from ....core.model.mesh import Mesh, MeshData, Visual
from ....core.model.pose import Array, Pose, pose_from_matrix
from ....core.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere
from ....core.shapes.hull import convex_hull
from ....core.shapes.inertia import Solid, placed_all, primitive_solid
from ....core.shapes.shell import primitive_shell
from ..beside import Folders
from ..format import Source
from ..meshes.beside import mesh_beside
from .attributes import Place, Values, matrices_of
from .exclusions import BITS, filter_of_bits
from .fitting import FITTED, fitted
from .held import SHAPELESS
from .mesh_masses import LEGACY, ellipsoid_solid, solid_of_mesh
from .orientations import NO_TURN, from_z
from .printing import texts
from .rules import BAD_VALUE, KEPT_SHAPE, MISSING, MISSING_FILE, NO_SHAPE
from .schema import ATTRIBUTES, carried
from .skeleton import Element

SURFACE = "mjcf"
"""Member of what materials carry: attributes of contacts."""
_KEPT_TYPES = ("plane", "ellipsoid")
T = TypeVar("T")
_Key = tuple[Shape | str | None, ...]
CONTACT = carried("geom")
"""Attributes of contacts that materials carry, of `friction` all three numbers."""
_ENDLESS, _THICKNESS = 100.0, 0.01
"""Side and thickness of the box that stands for an infinite plane [m]."""
_LAST_SHOWN_GROUP = 2
"""Groups that MuJoCo's viewer shows at first; the others are for collisions."""


_NO_LENGTH = 1e-14
"""Points that are nearer to each other have no direction for MuJoCo [m]."""


class _Asset(NamedTuple):
    number: int
    """Of the mesh of the scene."""
    matrix: Array
    """Its place (4, 4) in its own axes, with its scale."""
    inertia: str
    """How it weighs."""


def _moved(read: Callable[[], MeshData], matrix: Array) -> MeshData:
    """Return a mesh with its points moved by a matrix (4, 4), its faces outward."""
    data = read()
    points = data.points @ matrix[:3, :3].T + matrix[:3, 3]
    is_mirrored = float(np.linalg.det(matrix[:3, :3])) < 0.0
    return MeshData(points, data.triangles[:, ::-1] if is_mirrored else data.triangles)


class Geoms:
    """Meshes of a model and what its geoms become."""

    def __init__(self, root: ET.Element, values: Values, source: Source) -> None:
        self._values = values
        self._folders = Folders(source.path, source.named_folders, {})
        self.findings: list[Finding] = values.findings
        self.meshes: list[Mesh] = []
        self._are_planes_boxes = source.options.get("planes") == "box"
        self.kept_names: set[str] = set()
        """Names of attributes that are kept for MuJoCo alone."""
        self._known: dict[Element, Shape | None] = {}
        self._shapes: dict[_Key, Shape | None] = {}
        self._colliders: dict[_Key, Collider | None] = {}
        self._solids: dict[_Key, Solid | None] = {}
        self._places: dict[Element, Array] = {}
        self._rows: dict[Element, int] = {}
        self._poses = Pose(np.zeros((0, 3)), np.zeros((0, 4)))
        """Of all geoms without scale, in the order of `_rows`."""
        self._assets: dict[str, _Asset] = {}
        self._materials: dict[tuple[float, str], PhysicsMaterial] = {}
        self._looks: dict[str, tuple[Color, str]] = {}
        """Color and texture of materials by name."""
        textures = {
            texture.get("name", ""): texture.get("file", "")
            for asset in root.findall("asset")
            for texture in asset.findall("texture")
        }
        for asset in root.findall("asset"):
            for element in asset:
                if element.tag == "mesh":
                    self._mesh(element)
                elif element.tag == "material":
                    attributes = values.attributes(element, "")
                    found = values.numbers("material", attributes, "rgba", (1.0, 1.0, 1.0, 1.0))
                    red, green, blue, alpha = found.tolist()
                    texture = textures.get(attributes.get("texture", ""), "")
                    name = attributes.get("name", "")
                    self._looks[name] = ((red, green, blue, alpha), texture)

    def prepare(self, geoms: list[Element]) -> None:
        """Place all geoms of a model."""
        if not geoms:
            return
        frames = np.array([geom.frame for geom in geoms])
        matrices = frames @ matrices_of([self._placing(geom) for geom in geoms])
        for geom, matrix in zip(geoms, matrices, strict=True):
            self._adjust(geom, matrix)
        self._places = dict(zip(geoms, matrices, strict=True))
        self._rows = {geom: row for row, geom in enumerate(geoms)}
        self._poses = pose_from_matrix(matrices)

    def place(self, geom: Element) -> Array:
        """Return the matrix (4, 4) of a geom in the axes of its body, with the scale of a mesh."""
        return self._places[geom]

    def _placing(self, geom: Element) -> Place:
        """Return the place of a geom within the frames around it."""
        ends = self._ends(geom)
        if ends is None:
            return self._values.place(geom.name, geom.attributes)
        pairs = list(zip(*ends, strict=True))
        rotation = from_z([second - first for first, second in pairs])
        return tuple((first + second) / 2.0 for first, second in pairs), rotation or NO_TURN

    def _adjust(self, geom: Element, matrix: Array) -> None:
        """Scale the place (4, 4) of a geom as its mesh, fit it, or have it lie below its plane."""
        kind = self.kind(geom)
        if kind == "mesh" and geom.attributes.get("mesh") in self._assets:
            matrix[:] = matrix @ self._assets[geom.attributes["mesh"]].matrix
        elif kind in FITTED and "mesh" in geom.attributes:
            self._fit(geom, kind, matrix)
        elif kind == "plane" and self._are_planes_boxes:
            matrix[:3, 3] -= matrix[:3, 2] * _THICKNESS / 2.0

    def _fit(self, geom: Element, kind: str, matrix: Array) -> None:
        """Give a primitive the size and the place (4, 4) that it has on its mesh."""
        name = geom.attributes.pop("mesh")
        asset = self._assets.get(name)
        if asset is None:
            self.findings.append(MISSING(geom.name, kind="mesh", name=name))
            return
        try:
            data = self.meshes[asset.number].read()
            solid = solid_of_mesh(data, asset.matrix, asset.inertia)
        except ValueError:
            solid = None
        if solid is None:
            self.findings.append(BAD_VALUE(geom.name, name="mesh", expected="a mesh with volume"))
            return
        is_bounding = self._values.compiler.fits_bounds
        fit = fitted(kind, data, asset.matrix, solid, is_bounding=is_bounding)
        factor = self._values.number(geom.name, geom.attributes, "fitscale")
        geom.attributes.pop("fitscale", None)
        geom.attributes["size"] = texts([factor * half for half in fit.size])
        matrix[:] = matrix @ fit.place

    def kind(self, geom: Element) -> str:
        """Return the type of a geom."""
        return geom.attributes.get("type", "mesh" if "mesh" in geom.attributes else "sphere")

    def shape(self, geom: Element) -> Shape | None:
        """Return the shape of a geom, None where it has no counterpart; findings say why."""
        if geom not in self._known:
            key = tuple(map(geom.attributes.get, _OF_SHAPE))
            self._known[geom] = self._once(self._shapes, key, partial(self._new_shape, geom))
        return self._known[geom]

    def _new_shape(self, geom: Element) -> Shape | None:
        kind = self.kind(geom)
        if kind == "mesh":
            name = geom.attributes.get("mesh", "")
            if name not in self._assets:
                self.findings.append(MISSING(geom.name, kind="mesh", name=name))
                return None
            return Convex(mesh=self._assets[name].number)
        if kind == "plane" and self._are_planes_boxes:
            return self._slab(geom)
        if kind in SHAPELESS:
            rule = KEPT_SHAPE if kind in _KEPT_TYPES else NO_SHAPE
            self.findings.append(rule(geom.name, type=kind))
            return None
        shape = self._primitive(geom, kind)
        if shape is None:
            self.findings.append(BAD_VALUE(geom.name, name="size", expected="positive sizes"))
        return shape

    def is_kept(self, geom: Element) -> bool:
        """Return whether a geom without a shape is kept for writing MJCF."""
        return self.kind(geom) in _KEPT_TYPES

    def _slab(self, geom: Element) -> Shape:
        """Return the box whose upper side is a plane."""
        size = [*self._values.list_of(geom.name, geom.attributes, "size"), 0.0, 0.0]
        x, y = (2.0 * half if half > 0.0 else _ENDLESS for half in size[:2])
        return Box(size=(x, y, _THICKNESS))

    def collider(self, geom: Element, shape: Shape) -> Collider | None:
        """Return the collider of a geom, the same for equal ones; None where it never collides."""
        key = (shape, *map(geom.attributes.get, _OF_COLLIDER))
        return self._once(self._colliders, key, partial(self._new_collider, geom, shape))

    def _once(self, known: dict[_Key, T], key: _Key, make: Callable[[], T]) -> T:
        """Return a value for equal attributes, made once unless there are findings about it."""
        if key in known:
            return known[key]
        count, value = len(self.findings), make()
        return known.setdefault(key, value) if len(self.findings) == count else value

    def _new_collider(self, geom: Element, shape: Shape) -> Collider | None:
        bits = [int(self._values.number(geom.name, geom.attributes, name)) for name in BITS]
        if not any(bits):
            return None
        friction = self._values.floats(geom.name, geom.attributes, "friction")
        slide = friction[0]
        kept = {name: geom.attributes[name] for name in CONTACT if name in geom.attributes}
        if friction[1:] == ATTRIBUTES["friction"].default[1:]:
            kept.pop("friction", None)
        elif "friction" in kept:
            kept["friction"] = texts(friction)
        self.kept_names |= kept.keys()
        carried = json.dumps({SURFACE: kept}) if kept else ""
        material = self._material(slide, carried)
        return Collider(shape=shape, material=material, collision_filter=filter_of_bits(bits))

    def _material(self, slide: float, carried: str) -> PhysicsMaterial:
        """Return a material, the same for equal values."""
        found = self._materials.get((slide, carried))
        if found is None:
            found = PhysicsMaterial(static_friction=slide, dynamic_friction=slide, carried=carried)
            self._materials[slide, carried] = found
        return found

    def visual(self, geom: Element, shape: Shape) -> Visual | None:
        """Return what is shown of a geom, None for one of the groups for collisions."""
        if self._values.number(geom.name, geom.attributes, "group") > _LAST_SHOWN_GROUP:
            return None
        material = geom.attributes.get("material", "")
        color, texture = self._looks.get(material, (None, ""))
        if "rgba" in geom.attributes:
            found = self._values.numbers(geom.name, geom.attributes, "rgba", (0.5, 0.5, 0.5, 1.0))
            red, green, blue, alpha = found.tolist()
            color = (red, green, blue, alpha)
        mesh, own = (shape.mesh, None) if isinstance(shape, Convex) else (None, shape)
        return Visual(
            mesh=mesh,
            shape=own,
            color=None if color is None else linear_color(color),
            material=material if material in self._looks else "",
            texture=texture,
        )

    def weighed(self, geoms: Sequence[Element]) -> dict[Element, Solid]:
        """Return the solids of geoms with mass, in their bodies' axes, as if of 1 kg/m³."""
        masses: dict[Element, float] = {}
        upright: dict[Element, Solid] = {}
        found: dict[Element, Solid] = {}
        for geom in geoms:
            solid = self._solid(geom) if self._has_weight(geom) else None
            if solid is None or not solid.volume > 0.0:
                continue
            density = self._values.number(geom.name, geom.attributes, "density")
            default = density * solid.volume
            mass = self._values.number(geom.name, geom.attributes, "mass", default)
            if mass > 0.0:
                masses[geom] = mass
                (found if self.kind(geom) == "mesh" else upright)[geom] = solid
        poses = self._poses.at([self._rows[geom] for geom in upright])
        found |= zip(upright, placed_all([*upright.values()], poses), strict=True)
        # Solids of another density are as if they had another volume of the same inertia by mass.
        return {
            geom: Solid(mass, found[geom].center, found[geom].inertia * (mass / found[geom].volume))
            for geom, mass in masses.items()
        }

    def _has_weight(self, geom: Element) -> bool:
        """Return whether a geom is of a group that counts."""
        group = int(self._values.number(geom.name, geom.attributes, "group"))
        low, high = self._values.compiler.inertia_groups
        return low <= group <= high

    def _solid(self, geom: Element) -> Solid | None:
        """Return the solid of a geom in its own axes, that of a mesh in its body's."""
        kind = self.kind(geom)
        if kind == "ellipsoid":
            return ellipsoid_solid(self._values.list_of(geom.name, geom.attributes, "size"))
        shape = None if kind in SHAPELESS else self.shape(geom)
        if shape is None:
            return None
        if not isinstance(shape, Convex):
            shell = geom.attributes.get("shellinertia")
            solid = primitive_shell if shell == "true" else primitive_solid
            return self._once(self._solids, (shape, shell), partial(solid, shape))
        try:
            data = self.meshes[shape.mesh or 0].read()
        except ValueError:
            return None
        asset = self._assets[geom.attributes["mesh"]]
        return solid_of_mesh(data, self.place(geom), asset.inertia)

    def _primitive(self, geom: Element, kind: str) -> Shape | None:
        size = [*self._values.list_of(geom.name, geom.attributes, "size"), 0.0, 0.0, 0.0]
        ends = self._ends(geom)
        half = size[1] if ends is None else math.dist(*ends) / 2.0
        radius = size[0]
        if kind == "box" and ends is not None:
            size = [radius, radius, half]
        sizes = size[:3] if kind == "box" else [radius, radius if kind == "sphere" else half]
        if min(sizes) <= 0.0:
            return None
        if kind == "box":
            x, y, z = (2.0 * each for each in size[:3])
            return Box(size=(x, y, z))
        if kind == "sphere":
            return Sphere(radius=radius)
        upright = Capsule if kind == "capsule" else Cylinder
        return upright(height=2.0 * half, radius_bottom=radius, radius_top=radius)

    def _ends(self, geom: Element) -> tuple[list[float], list[float]] | None:
        """Return the two points of `fromto`, None where it is not used."""
        if "fromto" not in geom.attributes or self.kind(geom) == "mesh":
            return None
        found = self._values.list_of(geom.name, geom.attributes, "fromto")
        if len(found) != 6 or math.dist(found[:3], found[3:]) < _NO_LENGTH:
            self.findings.append(BAD_VALUE(geom.name, name="fromto", expected="two points"))
            return None
        return found[:3], found[3:]

    def _mesh(self, element: ET.Element) -> None:
        attributes = self._values.attributes(element, "")
        file = attributes.get("file", "")
        name = attributes.get("name") or PurePosixPath(file.replace("\\", "/")).stem
        scale = self._values.numbers(name, attributes, "scale")
        offset = self._values.numbers(name, attributes, "refpos")
        turn = self._values.pose(name, {"quat": attributes.get("refquat", "1 0 0 0")})
        reference = turn.copy()
        reference[:3, 3] = offset
        # MuJoCo moves and turns the points first, and scales what comes of it.
        matrix = np.diag((*scale, 1.0)) @ np.linalg.inv(reference)
        vertices = self._values.list_of(name, attributes, "vertex")
        faces = self._values.list_of(name, attributes, "face")
        read = partial(_inline, vertices, faces) if vertices else self._reader(name, file)
        inertia = attributes.get("inertia", LEGACY)
        if np.ptp(scale) > 0.0 and "refquat" in attributes:
            # No node is scaled along other axes than its own.
            read, matrix, file = partial(_moved, read, matrix), np.eye(4), ""
        self._assets[name] = _Asset(len(self.meshes), matrix, inertia)
        self.meshes.append(Mesh(name=name, uri=file, read=read))

    def _reader(self, name: str, file: str) -> Callable[[], MeshData]:
        folder = self._values.compiler.mesh_folder
        uri = f"{folder}/{file}" if folder else file
        found = mesh_beside(self._folders, uri)
        if found.path is None:
            self.findings.append(MISSING_FILE(name, name=file[:80], problem=found.problem))
        return found.read


_OF_COLLIDER = tuple(dict.fromkeys((*BITS, "friction", *CONTACT)))
"""Attributes that colliders are made of, beside their shapes."""
_OF_SHAPE = ("type", "mesh", "size", "fromto")
"""Attributes that shapes are made of."""


def _inline(vertices: list[float], faces: list[float]) -> MeshData:
    points = np.array(vertices[: len(vertices) // 3 * 3]).reshape(-1, 3)
    corners = np.array(faces[: len(faces) // 3 * 3]).reshape(-1, 3)
    if not len(corners):
        corners = convex_hull(points)
    if not len(corners):
        raise ValueError("has no faces, and its points lie in a plane")
    if not ((corners >= 0) & (corners < len(points))).all():
        raise ValueError("a face refers to a missing point")
    triangles = corners.astype(np.intp)
    return MeshData(points, triangles)
