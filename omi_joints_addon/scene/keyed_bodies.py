"""Which values of bodies KHR_physics_rigid_bodies can change over time, by their data paths."""

from dataclasses import dataclass
from enum import StrEnum

import bpy

from ..properties.body import body_data
from ..properties.rigid_body import rigid_body_of


class Axes(StrEnum):
    """What becomes of a value between Blender's axes and glTF's."""

    NUMBER = "number"
    VECTOR = "vector"
    SIZES = "sizes"
    """Numbers along the axes without sign."""

    @property
    def width(self) -> int:
        """Number of components."""
        return 1 if self is Axes.NUMBER else 3


@dataclass(frozen=True, slots=True)
class BodyValue:
    """A value of a body."""

    path: str
    """Data path from the object."""
    members: tuple[str, ...]
    """Names in the extension, of a material with `material/` before them."""
    axes: Axes = Axes.NUMBER
    is_length: bool = False

    @property
    def is_of_motion(self) -> bool:
        """Whether it is a number of the body itself, not of its surface."""
        return not self.members[0].startswith(_OF_MATERIAL)

    def path_of(self, part: int) -> str:
        """Return the data path of one component."""
        return self.path if self.axes is Axes.NUMBER else f"{self.path}[{part}]"


_OF_MATERIAL = "material/"
_OWN = (
    BodyValue("omi_body.gravity_factor", ("gravityFactor",)),
    BodyValue("omi_body.center_of_mass", ("centerOfMass",), Axes.VECTOR, is_length=True),
    BodyValue("omi_body.linear_velocity", ("linearVelocity",), Axes.VECTOR, is_length=True),
    BodyValue("omi_body.angular_velocity", ("angularVelocity",), Axes.VECTOR),
    BodyValue("omi_body.inertia_diagonal", ("inertiaDiagonal",), Axes.SIZES),
)
_MASS = BodyValue("omi_body.mass", ("mass",))
_RIGID_MASS = BodyValue("rigid_body.mass", ("mass",))
_SURFACE = "omi_body.collider.material."
_MATERIAL = (
    BodyValue(f"{_SURFACE}static_friction", ("material/staticFriction",)),
    BodyValue(f"{_SURFACE}dynamic_friction", ("material/dynamicFriction",)),
    BodyValue(f"{_SURFACE}restitution", ("material/restitution",)),
)
_FRICTIONS = ("material/staticFriction", "material/dynamicFriction")
_RIGID_MATERIAL = (
    BodyValue("rigid_body.friction", _FRICTIONS),
    BodyValue("rigid_body.restitution", ("material/restitution",)),
)
_PREFIXES = ("omi_body.", "rigid_body.")


def body_values(obj: bpy.types.Object) -> dict[str, BodyValue]:
    """Return the values of an object that count and can change over time, by their data paths.

    Mass, friction and bounciness are those of its Rigid Body, as far as it has one.
    """
    rigid, surface = rigid_body_of(obj), body_data(obj).collider.material
    material = _MATERIAL if surface.use_material or rigid is None else _RIGID_MATERIAL
    values = (*_OWN, _MASS if rigid is None else _RIGID_MASS, *material)
    return {value.path: value for value in values}


def is_of_body(path: str) -> bool:
    """Return whether a data path is about the physics of a body."""
    return path.startswith(_PREFIXES)
