"""Colliders, triggers, materials and collision groups of a scene as opinions about prims."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ....core.findings.loss import Noun
from ....core.model.body import Collider, CollisionFilter, CombineMode, PhysicsMaterial, Trigger
from ....core.model.plain import text_from_value
from ....core.model.shape import MeshShape, Shape, Trimesh
from .physics_prims import PhysicsPrims
from .prim import Prim
from .shape_prims import hull_of

COLLISION, MESH_COLLISION = "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"
TRIGGER = "PhysxTriggerAPI"
MATERIAL = "PhysicsMaterialAPI"
GROUP = "PhysicsCollisionGroup"
MODES: dict[str, str] = {
    CombineMode.AVERAGE: "average",
    CombineMode.MINIMUM: "min",
    CombineMode.MAXIMUM: "max",
    CombineMode.MULTIPLY: "multiply",
}
"""Combine modes of PhysX."""
_BINDING = "material:binding:physics"


@dataclass(slots=True, eq=False)
class ColliderPrims:
    """What colliders share: materials and groups, each written once."""

    physics: PhysicsPrims
    materials: dict[PhysicsMaterial, str] = field(default_factory=dict)
    members: dict[CollisionFilter, list[str]] = field(default_factory=dict)
    """Paths of the colliders that each filter is for."""

    def add(self, prim: Prim, part: Collider | Trigger, name: str) -> None:
        """Make a prim with geometry a collider or trigger."""
        prim.apply(COLLISION)
        shape = part.shape
        if isinstance(shape, Trimesh) or (shape is not None and hull_of(shape)):
            prim.apply(MESH_COLLISION)
            prim.set("physics:approximation", "token", _approximation(shape), is_uniform=True)
        if isinstance(part, Trigger):
            prim.apply(TRIGGER)
        elif part.material is not None:
            self._bind(prim, part.material)
        if part.collision_filter is not None:
            self.members.setdefault(part.collision_filter, []).append(prim.path)
        prim.carry("part", _part_text(part))
        if part.carried:
            self.physics.losses.carried(name, Noun.CARRIED, "data from another format")

    def add_groups(self) -> None:
        """Add a collision group for each filter, once all colliders are there."""
        if not self.members:
            return
        scope = self.physics.scope_path("CollisionGroups")
        paths = {
            found: self.physics.names.path(scope, found.name or "_".join(found.collision_systems))
            for found in self.members
        }
        for found, path in paths.items():
            prim = self.physics.at(path)
            prim.type_name = GROUP
            prim.apply("CollectionAPI:colliders")
            prim.relate("collection:colliders:includes", self.members[found])
            listed, is_inverted = _listed(found, paths)
            prim.relate("physics:filteredGroups", (paths[other] for other in listed))
            if is_inverted:
                prim.set("physics:invertFilteredGroups", "bool", True)
            prim.carry("filter", text_from_value(found))

    def _bind(self, prim: Prim, material: PhysicsMaterial) -> None:
        if material not in self.materials:
            scope = self.physics.scope_path("PhysicsMaterials")
            path = self.physics.names.path(scope, material.name or "PhysicsMaterial")
            self.materials[material] = path
            _set_material(self.physics.at(path), material)
        prim.apply("MaterialBindingAPI")
        prim.relate(_BINDING, (self.materials[material],))


def _approximation(shape: Shape) -> str:
    if isinstance(shape, MeshShape) and shape.approximation:
        return shape.approximation
    return "none" if isinstance(shape, Trimesh) else "convexHull"


def _listed(
    found: CollisionFilter, others: Iterable[CollisionFilter]
) -> tuple[list[CollisionFilter], bool]:
    """Return the filters whose colliders one meets or does not meet, and whether it meets them."""
    is_inverted = found.collide_with_systems is not None
    named = found.collide_with_systems if is_inverted else found.not_collide_with_systems
    systems = set(named or ())
    return [other for other in others if systems.intersection(other.collision_systems)], is_inverted


def _set_material(prim: Prim, material: PhysicsMaterial) -> None:
    prim.type_name = "Material"
    prim.apply(MATERIAL)
    prim.set("physics:staticFriction", "float", material.static_friction)
    prim.set("physics:dynamicFriction", "float", material.dynamic_friction)
    prim.set("physics:restitution", "float", material.restitution)
    for name, mode in (
        ("friction", material.friction_combine),
        ("restitution", material.restitution_combine),
    ):
        if mode in MODES and mode != CombineMode.AVERAGE:
            prim.apply("PhysxMaterialAPI")
            prim.set(f"physxMaterial:{name}CombineMode", "token", MODES[mode], is_uniform=True)
    prim.carry("material", text_from_value(material))


@lru_cache(maxsize=4096)
def _part_text(part: Collider | Trigger) -> str:
    """Return what the prim cannot say of a shape: its type and names, sizes, other members."""
    shape = part.shape
    kind = "" if shape is None else type(shape).__name__
    text = "{}" if shape is None else text_from_value(_plain_shape(shape))
    return (
        f'{{"type":"{kind}","shape":{text},"part":{text_from_value(_bare(part))},'
        f'"trigger":{"true" if isinstance(part, Trigger) else "false"}}}'
    )


def _plain_shape(shape: Shape) -> Shape:
    """Return the shape without the number of its mesh, which is another one when it is read."""
    return replace(shape, mesh=None) if isinstance(shape, MeshShape) else shape


def _bare(part: Collider | Trigger) -> Collider | Trigger:
    return type(part)(carried=part.carried)
