"""Physics bodies and shapes as OMI_physics_body and OMI_physics_shape define them.

SI units. Vectors are in the axes of the node that holds the value: Blender's (Z up) when read from Blender,
glTF's (Y up) when read from a document; the glue between the two converts (`core.axes`).
"""

from dataclasses import dataclass
from enum import StrEnum

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class MotionType(StrEnum):
    """How a body moves."""

    STATIC = "static"
    KINEMATIC = "kinematic"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Motion of a physics body: node property `motion` of OMI_physics_body."""

    type: str = MotionType.DYNAMIC
    """A `MotionType`."""
    mass: float = 1.0
    """[kg]."""
    center_of_mass: Vector = (0.0, 0.0, 0.0)
    """[m], in body space."""
    inertia_diagonal: Vector = (0.0, 0.0, 0.0)
    """Principal moments [kg·m²]; zero lets the engine compute them."""
    inertia_orientation: Quaternion = (0.0, 0.0, 0.0, 1.0)
    """Rotation of the principal axes in body space, x y z w."""
    linear_velocity: Vector = (0.0, 0.0, 0.0)
    """Initial velocity [m/s], in body space."""
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    """Initial velocity [rad/s], in body space."""
    gravity_factor: float = 1.0
    carried: str = ""
    """Members this program does not know, as JSON object text; empty is none."""
