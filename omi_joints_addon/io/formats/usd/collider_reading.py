"""Colliders, triggers, materials, groups and what prims show, from prims with geometry."""

from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Collider, CollisionFilter, Part, PhysicsMaterial, Trigger
from ....core.model.mesh import Mesh, Visual
from ....core.model.numbers import double
from ....core.model.plain import object_from_text, value_from_plain, value_from_text
from ....core.model.pose import Array
from ....core.model.shape import SMALLEST, Capsule, Convex, Cylinder, Shape, Trimesh
from ....core.shapes.fit import Fit
from ..carrier import Carried
from .collider_prims import UNFILTERED
from .layer import read_prim
from .looks import look_of
from .mesh_reading import read_mesh
from .nodes import StageNodes
from .prim import Prim
from .pxr_access import message_of, usd
from .rules import (
    APPROXIMATED,
    COLLIDER_OFF,
    COMPOSITION,
    INEXACT_SHAPE,
    LEFT_OUT_SHAPE,
    PLANE,
)
from .schema import COLLISION, DENSITY, MATERIAL, RIGID_BODY, TRIGGER
from .shape_prims import Geometry, bounds_of, geometry_of
from .units import Units, factor_of
from .values import Values

_WATER = 1000.0
"""Density [kg/m³] of what says none."""
_STANDING = {
    0: np.array(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))),
    1: np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))),
    2: np.eye(3),
}
"""Rotation of a node whose Z lies along X, Y and Z of the prim."""


class PartPrim(NamedTuple):
    """The prim of a collider or trigger."""

    path: str
    frame: Array
    """Matrix (4, 4) from the axes of the prim to those of the node that the shape is on [m]."""
    is_shown: bool
    material: str = ""
    """Path of the material that is bound for physics, empty for none."""


@dataclass(eq=False)
class ColliderReading:
    """Colliders as they are read, by node."""

    nodes: StageNodes
    units: Units
    time: Any
    groups: list[tuple[Any, Prim]]
    is_local: bool
    """Whether shapes stay in the axes of their prims (`reading.read_stage`)."""
    colliders: dict[int, Collider] = field(default_factory=dict)
    disabled: dict[int, Collider] = field(default_factory=dict)
    """Those that are turned off, once `set_aside` has separated them."""
    triggers: dict[int, Trigger] = field(default_factory=dict)
    visuals: dict[int, Visual] = field(default_factory=dict)
    meshes: list[Mesh] = field(default_factory=list)
    fits: dict[int, Fit] = field(default_factory=dict)
    """Where shapes stand on their nodes, where they are in the axes of their prims."""
    findings: list[Finding] = field(default_factory=list)
    parts: dict[tuple[type[Part], int], PartPrim] = field(default_factory=dict)
    """Prim of each collider and trigger, by what it is and its node."""
    _prims: dict[int, tuple[Any, Prim]] = field(default_factory=dict)
    _materials: dict[str, PhysicsMaterial] = field(default_factory=dict)
    _densities: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._pxr = usd()
        self.filters = {
            declared.path: (members, self._filter(declared))
            for prim, declared in self.groups
            if (members := self._members(prim)) is not None
        }
        """What knows who is in each collision group, and its filter, by path."""

    def add(self, prim: Any, declared: Prim, node: int, axes: Array) -> None:
        """Read a prim with a place; `axes` (4, 4) takes its axes to those of the node [m]."""
        geometry = self._geometry(prim, declared, node, axes)
        mesh = None
        if geometry is None and declared.type_name == "Mesh":
            mesh = self._mesh(prim, axes)
        if declared.type_name == "Plane":
            self.findings.append(PLANE(declared.path))
        elif self._is_shown(prim, declared) and (geometry is not None or mesh is not None):
            shape = None if geometry is None or geometry.axis != 2 else geometry.shape
            if shape is not None or mesh is not None:
                look = look_of(self._pxr, prim, declared, self.time)
                self.visuals.setdefault(node, replace(look, mesh=mesh, shape=shape))
        if COLLISION in declared.schemas:
            self._add_part(prim, declared, node, axes, geometry, mesh)

    def _geometry(self, prim: Any, declared: Prim, node: int, axes: Array) -> Geometry | None:
        scale = np.asarray(np.linalg.norm(axes[:3, :3], axis=0))
        outer = np.linalg.norm(self.nodes.scales[node], axis=0) if self.is_local else np.ones(3)
        outer[outer < SMALLEST] = 1.0

        def value(name: str) -> Any:
            return prim.GetAttribute(name).Get(self.time)

        try:
            return geometry_of(declared.type_name, value, scale, outer)
        except (TypeError, ValueError):
            return None

    def _mesh(self, prim: Any, axes: Array) -> int:
        self.meshes.append(read_mesh(prim, axes, self.time))
        return len(self.meshes) - 1

    def _is_shown(self, prim: Any, declared: Prim) -> bool:
        if "part" in declared.data and "visual" not in declared.data:
            return False
        imageable = self._pxr.UsdGeom.Imageable(prim)
        return str(imageable.ComputePurpose()) in ("default", "render")

    def _add_part(
        self,
        prim: Any,
        declared: Prim,
        node: int,
        axes: Array,
        geometry: Geometry | None,
        mesh: int | None,
    ) -> None:
        """Add the collider or trigger of a prim; a second one of a node gets a node below it."""
        found = geometry if mesh is None else self._approximation(prim, declared, mesh)
        if found is None:
            self.findings.append(LEFT_OUT_SHAPE(declared.path, kind=declared.type_name or "a prim"))
            return
        if not found.is_exact:
            self.findings.append(INEXACT_SHAPE(declared.path, kind=declared.type_name.lower()))
        place = self._place_of(node, found, is_trigger=TRIGGER in declared.schemas)
        frame = np.linalg.solve(self.nodes.matrices[place], self.nodes.matrices[node] @ axes)
        part = PartPrim(declared.path, frame, self._is_shown(prim, declared))
        self._put_part(prim, declared, place, part, found.shape)

    def _put_part(
        self, prim: Any, declared: Prim, place: int, part: PartPrim, shape: Shape | None | None
    ) -> None:
        """Give a node a collider or a trigger; what the prim carries of its shape counts."""
        carried = _carried_part(declared, shape)
        shape = shape if carried is None else carried.shape
        text = "" if carried is None else carried.carried
        systems = self._filter_of(declared.path)
        if TRIGGER in declared.schemas:
            self.parts[Trigger, place] = part
            self.triggers[place] = Trigger(shape=shape, collision_filter=systems, carried=text)
            return
        path = self._material_path(prim)
        self.parts[Collider, place] = part._replace(material=path)
        self.colliders[place] = Collider(
            shape=shape,
            material=self._materials.get(path),
            collision_filter=systems,
            carried=text,
        )
        self._prims[place] = (prim, declared)

    def _values(self, declared: Prim) -> Values:
        return Values(declared, self.units, self.findings)

    def set_aside(self) -> None:
        """Take out the colliders that are turned off, once they have had their part in masses."""
        for node, (_prim, declared) in self._prims.items():
            if not self._values(declared).get("physics:collisionEnabled", default=True):
                self.disabled[node] = self.colliders.pop(node)
                self.findings.append(COLLIDER_OFF(declared.path))

    def _approximation(self, prim: Any, declared: Prim, mesh: int) -> Geometry | None:
        """Return what a collision mesh is: its hull, its triangles, or its bounds."""
        name = self._values(declared).get("physics:approximation")
        if name in ("boundingCube", "boundingSphere"):
            try:
                points = self.meshes[mesh].read().points
            except ValueError:
                return None
            return bounds_of(points, is_round=name == "boundingSphere") if len(points) else None
        if name == "convexHull":
            return Geometry(Convex(mesh=mesh))
        if name == "none":
            return Geometry(Trimesh(mesh=mesh))
        kind = Convex if self._is_on_body(prim) else Trimesh
        shown = "its convex hull" if kind is Convex else "the mesh itself"
        self.findings.append(APPROXIMATED(declared.path, name=str(name), shown=shown))
        return Geometry(kind(mesh=mesh, approximation=str(name)))

    def _is_on_body(self, prim: Any) -> bool:
        """Return whether a prim is one of a rigid body: engines want its shapes to be convex."""
        while prim:
            if prim.HasAPI(self._pxr.UsdPhysics.RigidBodyAPI):
                return True
            prim = prim.GetParent()
        return False

    def _place_of(self, node: int, found: Geometry, *, is_trigger: bool) -> int:
        """Return the node for a shape: a new one below where the node is not where it stands."""
        taken = self.triggers if is_trigger else self.colliders
        if self.is_local and node not in taken:
            self.fits[node] = Fit(shape=found.shape, center=found.center, up=found.axis)
            return node
        if found.axis == 2 and not any(found.center) and node not in taken:
            return node
        matrix = np.eye(4)
        matrix[:3, :3] = _STANDING[found.axis]
        matrix[:3, 3] = found.center
        name = f"{self.nodes.names[node]} {'Trigger' if is_trigger else 'Collider'}"
        return self.nodes.add("", name, node, self.nodes.matrices[node] @ matrix)

    def _material_path(self, prim: Any) -> str:
        """Return the path of the material bound for physics, else for everything; "" for none."""
        bound = self._bound_material(prim)
        if not bound or not bound.GetPrim().HasAPI(self._pxr.UsdPhysics.MaterialAPI):
            return ""
        path = str(bound.GetPath())
        if path not in self._materials:
            declared = read_prim(bound.GetPrim(), self.time)
            self._materials[path] = _material(self._values(declared))
            self._densities[path] = self._values(declared).get("physics:density")
        return path

    def _bound_material(self, prim: Any) -> Any:
        """Return the material that is bound for physics, None where the binding is damaged."""
        try:
            return self._pxr.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
        except self._pxr.Tf.ErrorException as error:
            self._note(prim, error)
            return None

    def _note(self, prim: Any, error: Exception) -> None:
        """Note once what OpenUSD cannot read."""
        found = COMPOSITION(str(prim.GetPath()), problem=message_of(error))
        if found not in self.findings:
            self.findings.append(found)

    def mass_of(self, node: int) -> float:
        """Return the mass of a collider that has one of its own [kg], 0 for none."""
        _prim, declared = self._prims[node]
        if RIGID_BODY in declared.schemas:
            return 0.0
        mass: float = self._values(declared).get("physics:mass")
        return max(mass, 0.0)

    def density_of(self, node: int) -> float:
        """Return the density of a collider [kg/m³]: its own, of those above, of its material."""
        prim, _declared = self._prims[node]
        density, above = 0.0, prim
        factor = factor_of(self.units, DENSITY)
        while density <= 0.0 and above:
            attribute = above.GetAttribute("physics:density")
            value: Any = attribute.Get(self.time) if attribute else None
            density = (double(value) or 0.0) / factor
            above = above.GetParent()
        if density <= 0.0:
            bound = self._bound_material(prim)
            density = self._densities.get(str(bound.GetPath()), 0.0) if bound else 0.0
        return density if density > 0.0 else _WATER

    def _members(self, prim: Any) -> Any:
        """Return what knows who is in a collision group, None where that is damaged."""
        group = self._pxr.UsdPhysics.CollisionGroup(prim)
        try:
            return group.GetCollidersCollectionAPI().ComputeMembershipQuery()
        except self._pxr.Tf.ErrorException as error:
            self._note(prim, error)
            return None

    def _filter(self, declared: Prim) -> CollisionFilter | None:
        carried = declared.carried("filter", _FILTER)
        if carried is not None:
            return carried[0]
        name = self._group_name(declared)
        listed = tuple(
            self._group_name(other)
            for target in declared.targets.get("physics:filteredGroups", ())
            for _, other in self.groups
            if other.path == target
        )
        is_inverted = self._values(declared).get("physics:invertFilteredGroups")
        return CollisionFilter(
            name=name,
            collision_systems=(name,),
            collide_with_systems=listed if is_inverted else None,
            not_collide_with_systems=None if is_inverted else listed,
        )

    def _group_name(self, declared: Prim) -> str:
        return self._values(declared).get("physics:mergeGroup") or declared.path.rpartition("/")[2]

    def _filter_of(self, path: str) -> CollisionFilter | None:
        """Return the filter of a collider: that of its group, or what those of several say."""
        groups = self.filters.values()
        every = [value for members, value in groups if members.IsPathIncluded(path)]
        found = [value for value in every if value is not None]
        if len(found) < 2:
            return found[0] if found else None
        refused = [f.not_collide_with_systems for f in found if f.not_collide_with_systems]
        accepted = [f.collide_with_systems for f in found if f.collide_with_systems is not None]
        return replace(
            found[0],
            name="",
            collision_systems=tuple(s for f in found for s in f.collision_systems),
            collide_with_systems=accepted[0] if accepted else None,
            not_collide_with_systems=None
            if accepted
            else tuple(dict.fromkeys(s for systems in refused for s in systems)),
        )


def _material(values: Values) -> PhysicsMaterial:
    carried = values.prim.carried("material", _MATERIAL)
    if carried is not None:
        return carried
    name = values.prim.path.rpartition("/")[2]
    return PhysicsMaterial(name=name, **values.record(MATERIAL))


def _carried_part(declared: Prim, shape: Shape | None) -> Collider | Trigger | None:
    """Return what the writer kept of a shape, with the mesh that was read; None for nothing."""
    carried = declared.carried("part", _PART)
    if carried is None:
        return None
    kept, part = carried
    if isinstance(kept, Convex | Trimesh):
        kept = replace(kept, mesh=getattr(shape, "mesh", None))
    is_tapered = isinstance(kept, Capsule | Cylinder) and isinstance(shape, Convex)
    is_same = type(kept) is type(shape) or is_tapered
    return replace(part, shape=kept) if is_same else None


@lru_cache(maxsize=4096)
def _part_of(text: str) -> tuple[Shape, Collider | Trigger]:
    """Return the shape and the rest of what was kept."""
    data = object_from_text(text)
    kinds = {kind.__name__: kind for kind in Shape.__subclasses__()}
    shape = value_from_plain(kinds[data["type"]], data["shape"])
    kind: type[Collider | Trigger] = Trigger if data["trigger"] else Collider
    return shape, value_from_plain(kind, data["part"])


def _filter_of(text: str) -> tuple[CollisionFilter | None]:
    return (None if text == UNFILTERED else value_from_text(CollisionFilter, text),)


_PART, _FILTER = Carried(_part_of), Carried(_filter_of)
_MATERIAL = Carried(partial(value_from_text, PhysicsMaterial))
