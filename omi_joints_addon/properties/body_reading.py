"""What the properties and the Rigid Body of an object say of its body: one reading for all who ask.

SI units and radians, vectors in the object's own axes (Z up).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import bpy

from ..core import shapes
from ..core.model.body import CollisionFilter, Motion, MotionType, PhysicsMaterial
from .bones import BodyBone, Node
from .exact import exact_numbers, recalled, recalled_vector, shortest_decimal
from .rigid_body import rigid_body_of
from .shape import NONE, fit_in
from .stored import Values, key_of, read_group, same, stored_at, values_of
from .surface import filter_in, material_in
from .words import word_of

AUTO = "AUTO"
"""Collider that Blender's Rigid Body describes."""
CUSTOM = "CUSTOM"
"""Collider with a shape of its own."""
_NOTHING = key_of({})
_VECTORS = ("center_of_mass", "inertia_diagonal", "linear_velocity", "angular_velocity")


@dataclass(frozen=True, slots=True)
class ColliderValues:
    """What the properties of a collider hold."""

    source: str
    fit: "shapes.fit.Fit | None"
    """None where the children's shapes count."""
    material: PhysicsMaterial | None
    collision_filter: CollisionFilter | None
    is_hidden: bool
    carried: str


@dataclass(frozen=True, slots=True)
class TriggerValues:
    """What the properties of a trigger hold."""

    enabled: bool
    fit: "shapes.fit.Fit | None"
    """None where the children's shapes count."""
    collision_filter: CollisionFilter | None
    carried: str


@dataclass(frozen=True, slots=True)
class BodyValues:
    """What the properties of a body hold beside pointers to meshes and objects."""

    motion_type: str | None
    """None where the object is not a body, unless a Rigid Body makes it one."""
    motion: Motion
    """As the body moves without a Rigid Body."""
    mass: float
    """Mass that the property shows [kg], in single precision."""
    collider: ColliderValues
    trigger: TriggerValues
    articulation: bool
    articulation_is_fixed: bool
    carried: str
    usd_carried: str
    shapes_below: int
    """Number of shapes that an import put on objects below it."""
    fits: tuple[tuple["shapes.fit.Fit", bool], ...]
    """Shapes that are set on the object itself, and whether each is of its trigger."""


class ObjectBody(NamedTuple):
    """What the properties and the Rigid Body of an object say of its body."""

    obj: Node
    values: BodyValues
    rigid: bpy.types.RigidBodyObject | None
    collider_mesh: bpy.types.Mesh | None = None
    """Mesh of a convex or trimesh collider; None is the object's own."""
    trigger_mesh: bpy.types.Mesh | None = None
    trigger_nodes: tuple[bpy.types.Object | None, ...] = ()
    """Objects whose triggers are parts of the object's."""
    excluded: tuple[bpy.types.Object | None, ...] = ()
    """Bodies that it does not collide with."""

    @property
    def motion_type(self) -> str | None:
        """Type of the motion, None where the object is not a body.

        Blender's Rigid Body, where the object has one, decides: active is dynamic, animated is
        kinematic, passive is static. Below a compound parent it is a shape only.
        """
        if self.rigid is None:
            return self.values.motion_type
        return None if is_compound_part(self.obj) else _rigid_motion_type(self.rigid)

    @property
    def motion(self) -> Motion | None:
        """Motion of a body, None for other objects; a Rigid Body decides its mass, too."""
        motion_type = self.motion_type
        return None if motion_type is None else self.motion_as(motion_type)

    def motion_as(self, motion_type: str) -> Motion:
        """Return the motion of a type that is known already."""
        if self.rigid is None:
            return self.values.motion
        return _rigid_motion(self.values.motion, motion_type, self.rigid.mass, self.values.mass)

    @property
    def is_solid(self) -> bool:
        """Whether the object is solid, itself or as the parent of shapes."""
        source = self.values.collider.source
        if source == AUTO:
            return self.rigid is not None and self.rigid.collision_shape != "COMPOUND"
        return source != NONE

    @property
    def is_trigger(self) -> bool:
        """Whether the object is a trigger."""
        return self.values.trigger.enabled

    @property
    def is_part(self) -> bool:
        """Whether the object is a body, solid or a trigger."""
        return self.motion_type is not None or self.is_solid or self.is_trigger


def read_body(obj: Node) -> ObjectBody | None:
    """Return the properties of an object as a body, be it one or not; None where none was set."""
    group, rigid = read_group(obj, "omi_body"), rigid_body_of(obj)
    if group is None:
        return None if rigid is None else ObjectBody(obj, _values(_NOTHING), rigid)
    block = group.blocks.get
    meshes = (block("collider.shape.mesh"), block("trigger.shape.mesh"))
    nodes, excluded = (block(path) or () for path in ("trigger.nodes", "excluded"))
    return ObjectBody(obj, _values(group.key), rigid, *meshes, nodes, excluded)


def surface_owner(obj: Node, rigid: bpy.types.RigidBodyObject) -> bpy.types.RigidBodyObject:
    """Return the Rigid Body whose surface and collections count for a shape: a compound's.

    Measured in Bullet: those of the shapes below a compound do not count.
    """
    while not isinstance(obj, BodyBone) and is_compound_part(obj) and obj.parent is not None:
        obj = obj.parent
        rigid = rigid_body_of(obj) or rigid
    return rigid


def is_compound_part(obj: Node) -> bool:
    """Return whether Blender's Rigid Body of the object is a shape of its compound parent's."""
    if rigid_body_of(obj) is None or isinstance(obj, BodyBone) or obj.parent is None:
        return False
    above = rigid_body_of(obj.parent)
    return above is not None and above.collision_shape == "COMPOUND"


@lru_cache(maxsize=16384)
def _values(key: bytes) -> BodyValues:
    """Return what a group holds that is stored as `key`; equal groups are looked into once."""
    values = values_of(stored_at(key), "omi_body")
    motion_type = _motion_type(values)
    collider, trigger = same(_collider(values["collider"])), same(_trigger(values["trigger"]))
    return BodyValues(
        motion_type=motion_type,
        motion=same(_motion(values, motion_type or MotionType.DYNAMIC)),
        mass=values["mass"],
        collider=collider,
        trigger=trigger,
        articulation=values["articulation"],
        articulation_is_fixed=values["articulation_is_fixed"],
        carried=values["carried"],
        usd_carried=values["usd_carried"],
        shapes_below=values["shapes_below"],
        fits=tuple(_fits(collider, trigger)),
    )


def _fits(
    collider: ColliderValues, trigger: TriggerValues
) -> Iterator[tuple["shapes.fit.Fit", bool]]:
    if collider.source == CUSTOM and collider.fit is not None:
        yield collider.fit, False
    if trigger.enabled and trigger.fit is not None:
        yield trigger.fit, True


def _motion_type(values: Values) -> str | None:
    held: str = values["motion_type"]
    return None if held == NONE else word_of(held, values["other_motion_type"])


def _motion(values: Values, motion_type: str) -> Motion:
    known = exact_numbers(values["exact"])
    vectors = {name: recalled_vector(values[name], name, known) for name in _VECTORS}
    w, x, y, z = recalled_vector(values["inertia_orientation"], "inertia_orientation", known)
    return Motion(
        type=motion_type,
        mass=recalled(values["mass"], "mass", known),
        inertia_orientation=(x, y, z, w),
        gravity_factor=recalled(values["gravity_factor"], "gravity_factor", known),
        carried=values["motion_carried"],
        **vectors,  # type: ignore[arg-type]
    )


def _collider(values: Values) -> ColliderValues:
    return ColliderValues(
        source=values["source"],
        fit=fit_in(values["shape"]),
        material=material_in(values["material"]),
        collision_filter=filter_in(values["collision_filter"]),
        is_hidden=values["is_hidden"],
        carried=values["carried"],
    )


def _trigger(values: Values) -> TriggerValues:
    return TriggerValues(
        enabled=values["enabled"],
        fit=fit_in(values["shape"]),
        collision_filter=filter_in(values["collision_filter"]),
        carried=values["carried"],
    )


@lru_cache(maxsize=4096)
def _rigid_motion(motion: Motion, motion_type: str, rigid_mass: float, mass: float) -> Motion:
    """Return a motion as a Rigid Body changes it.

    One that weighs what was read from a file, of which the property shows `mass`, weighs it
    exactly.
    """
    weight = motion.mass if rigid_mass == mass else shortest_decimal(rigid_mass)
    return replace(motion, type=motion_type, mass=weight)


def _rigid_motion_type(rigid: bpy.types.RigidBodyObject) -> MotionType:
    """Return the motion type that Blender's Rigid Body means."""
    if rigid.kinematic:
        return MotionType.KINEMATIC
    is_moving = rigid.type == "ACTIVE" and rigid.enabled
    return MotionType.DYNAMIC if is_moving else MotionType.STATIC
