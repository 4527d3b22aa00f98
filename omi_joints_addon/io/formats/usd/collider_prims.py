"""Colliders, triggers, materials and collision groups of a scene as opinions about prims."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

from ....core.findings.loss import Noun
from ....core.model.body import Collider, CollisionFilter, Part, PhysicsMaterial, Trigger
from ....core.model.plain import text_from_value
from ....core.model.shape import MeshShape, Shape, Trimesh
from .physics_prims import PhysicsPrims
from .prim import Prim
from .schema import COLLISION, MATERIAL, TRIGGER
from .shape_prims import hull_of
from .units import Units
from .values import Values

GROUP = "PhysicsCollisionGroup"
BINDING = "material:binding:physics"
UNFILTERED = "null"
"""Carried by the group of colliders without a filter."""


@dataclass(slots=True, eq=False)
class ColliderPrims:
    """What colliders share: materials and groups, each written once."""

    physics: PhysicsPrims
    materials: dict[PhysicsMaterial, str] = field(default_factory=dict)
    members: dict[CollisionFilter | None, list[str]] = field(default_factory=dict)
    """Paths of the colliders that each filter is for, and of those without one."""

    def add(self, prim: Prim, part: Part, name: str) -> None:
        """Make a prim with geometry a collider or trigger."""
        set_part(prim, part)
        if isinstance(part, Collider) and part.material is not None:
            self.bind(prim, part.material)
        self.members.setdefault(part.collision_filter, []).append(prim.path)
        if part.carried:
            text = "members of glTF extensions are kept for this program"
            self.physics.losses.carried(name, Noun.CARRIED, text)

    def add_groups(self) -> None:
        """Add a collision group for each filter, once all colliders are there.

        What a filter does not name has a group, too, where it must not be met: PhysX passes over
        `physics:invertFilteredGroups` (measured with ovphysx 0.7.0).
        """
        filters = [found for found in self.members if found is not None]
        if not filters:
            return
        scope = self.physics.scope_path("CollisionGroups")
        is_selective = any(found.collide_with_systems is not None for found in filters)
        groups = [*filters, *((None,) if is_selective and None in self.members else ())]
        paths = {found: self.physics.names.path(scope, group_name(found)) for found in groups}
        for found, path in paths.items():
            prim = self.physics.at(path)
            prim.type_name = GROUP
            prim.apply("CollectionAPI:colliders")
            prim.relate("collection:colliders:includes", self.members[found])
            unmet = (paths[other] for other in groups if found and not meets(found, other))
            prim.relate("physics:filteredGroups", unmet)
            prim.carry("filter", UNFILTERED if found is None else text_from_value(found))

    def bind(self, prim: Prim, material: PhysicsMaterial) -> None:
        """Bind a material for physics, which is defined where there is none like it."""
        if material not in self.materials:
            scope = self.physics.scope_path("PhysicsMaterials")
            path = self.physics.names.path(scope, material.name or "PhysicsMaterial")
            self.materials[material] = path
            set_material(self.physics.at(path), material, self.physics.place.units)
        prim.apply("MaterialBindingAPI")
        prim.relate(BINDING, (self.materials[material],))


def set_part(prim: Prim, part: Part) -> None:
    """Make a prim with geometry a collider or trigger, whatever else it shares with others."""
    prim.apply(COLLISION)
    shape = part.shape
    if isinstance(shape, Trimesh) or (shape is not None and hull_of(shape)):
        Values(prim).put("physics:approximation", _approximation(shape))
    if isinstance(part, Trigger):
        prim.apply(TRIGGER)
    prim.carry("part", _part_text(part))


def _approximation(shape: Shape) -> str:
    if isinstance(shape, MeshShape) and shape.approximation:
        return shape.approximation
    return "none" if isinstance(shape, Trimesh) else "convexHull"


def group_name(found: CollisionFilter | None) -> str:
    """Return the name of the group of a filter."""
    return "Unfiltered" if found is None else found.name or "_".join(found.collision_systems)


def meets(found: CollisionFilter, other: CollisionFilter | None) -> bool:
    """Return whether a filter lets its colliders meet those of another one, or without one."""
    systems = set(() if other is None else other.collision_systems)
    if found.collide_with_systems is not None:
        return not systems.isdisjoint(found.collide_with_systems)
    return systems.isdisjoint(found.not_collide_with_systems or ())


def set_material(prim: Prim, material: PhysicsMaterial, units: Units) -> None:
    """Make a prim a material."""
    prim.type_name = "Material"
    Values(prim, units).put_record(MATERIAL, material)
    prim.carry("material", text_from_value(material))


@lru_cache(maxsize=4096)
def _part_text(part: Part) -> str:
    """Return what the prim cannot say of a shape: its type and names, sizes, other members."""
    shape = part.shape
    kind = "" if shape is None else type(shape).__name__
    text = "{}" if shape is None else text_from_value(_plain_shape(shape))
    rest = text_from_value(type(part)(carried=part.carried))
    return (
        f'{{"type":"{kind}","shape":{text},"part":{rest},'
        f'"trigger":{"true" if isinstance(part, Trigger) else "false"}}}'
    )


def _plain_shape(shape: Shape) -> Shape:
    """Return the shape without the number of its mesh, which is another one when it is read."""
    return replace(shape, mesh=None) if isinstance(shape, MeshShape) else shape
