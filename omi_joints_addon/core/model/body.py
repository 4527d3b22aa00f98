"""Physics bodies as OMI_physics_body defines them.

SI units. Vectors are in the axes of the node that holds the value: Blender's (Z up) when read from
Blender, glTF's (Y up) when read from a document; the glue between the two converts (`model.axes`).
"""

from dataclasses import dataclass
from enum import StrEnum

from .shape import Shape

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class MotionType(StrEnum):
    """How a body moves."""

    STATIC = "static"
    KINEMATIC = "kinematic"
    DYNAMIC = "dynamic"


class CombineMode(StrEnum):
    """How the values of two touching materials become one, in the order of precedence."""

    AVERAGE = "average"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    MULTIPLY = "multiply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Motion of a physics body: node property `motion` of OMI_physics_body."""

    type: str = MotionType.DYNAMIC
    """A `MotionType`, or a value that another extension specifies."""
    mass: float = 1.0
    """[kg]."""
    center_of_mass: Vector = (0.0, 0.0, 0.0)
    """[m], in body space, which the scale of the node is part of."""
    inertia_diagonal: Vector = (0.0, 0.0, 0.0)
    """Principal moments [kg·m²]; zero lets the engine compute them."""
    inertia_orientation: Quaternion = (0.0, 0.0, 0.0, 1.0)
    """Rotation of the principal axes in body space, x y z w."""
    linear_velocity: Vector = (0.0, 0.0, 0.0)
    """Initial velocity [m/s], in body space."""
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    """Initial velocity [rad/s], in body space."""
    gravity_factor: float = 1.0
    """Multiple of the scene's gravity that acts on the body."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicsMaterial:
    """Surface of a collider: an element of `physicsMaterials`."""

    name: str = ""
    """Name of the material in the document; empty is unnamed."""
    static_friction: float = 0.6
    """Coefficient of a body at rest, at least 0."""
    dynamic_friction: float = 0.6
    """Coefficient of a sliding body, at least 0."""
    restitution: float = 0.0
    """0 does not bounce, 1 bounces without loss."""
    friction_combine: str = CombineMode.AVERAGE
    """A `CombineMode`, or a value that another extension specifies."""
    restitution_combine: str = CombineMode.AVERAGE
    """A `CombineMode`, or a value that another extension specifies."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollisionFilter:
    """What collides with what: an element of `collisionFilters`."""

    name: str = ""
    """Name of the filter in the document; empty is unnamed."""
    collision_systems: tuple[str, ...] = ()
    """Systems that the collider or trigger belongs to."""
    collide_with_systems: tuple[str, ...] | None = None
    """Systems that it meets, all others it does not; None is not given."""
    not_collide_with_systems: tuple[str, ...] | None = None
    """Systems that it does not meet; None is not given. Excludes the list above."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collider:
    """Solid part of a body: `collider` of a node in OMI_physics_body, references resolved."""

    shape: Shape | None = None
    """None is not a shape here: the shapes of the nodes below form one."""
    material: PhysicsMaterial | None = None
    """None takes the engine's."""
    collision_filter: CollisionFilter | None = None
    """None collides with everything."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """Volume that notices bodies: `trigger` of a node in OMI_physics_body, references resolved."""

    shape: Shape | None = None
    """None where triggers of nodes below form it."""
    nodes: tuple[int, ...] = ()
    """Nodes below whose triggers form this one; empty is not compound."""
    collision_filter: CollisionFilter | None = None
    """None notices everything."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""


Part = Collider | Trigger
