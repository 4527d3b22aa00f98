"""What a URDF document says, element by element. SI units and radians, axes as in the file."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ....core.model.pose import Array
from ..geometries import Geometry
from ..origins import HERE, Origin, Vector

ONE_AXIS = ("revolute", "continuous", "prismatic")
"""Types of joints that have a position."""
UNLIMITED = 1e6
"""Effort and velocity that say that there is not a limit, since URDF asks for both."""


class Tensor(NamedTuple):
    """Moments and products of inertia [kg·m²]: `inertia`."""

    ixx: float
    ixy: float
    ixz: float
    iyy: float
    iyz: float
    izz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Inertial:
    """Mass and tensor about the origin of `origin`: `inertial`."""

    origin: Origin = HERE
    mass: float = 0.0
    inertia: Tensor | None = None
    """None is not given."""

    def tensor(self) -> Array:
        """Return the tensor in the axes of `origin`, shape (3, 3); zero where it is not given."""
        xx, xy, xz, yy, yz, zz = self.inertia or (0.0,) * 6
        return np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A color or texture: `material`."""

    name: str = ""
    color: tuple[float, float, float, float] | None = None
    """As in the file, for a screen."""
    texture: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPart:
    """A `visual` or a `collision`."""

    name: str = ""
    origin: Origin = HERE
    geometry: Geometry
    material: Material | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A `link`."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[LinkPart, ...] = ()
    collisions: tuple[LinkPart, ...] = ()
    extra: tuple[str, ...] = ()
    """Further children as XML text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A `limit`; None is not given."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mimic:
    """A `mimic`: position = multiplier * position of `joint` + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JointElement:
    """A `joint`."""

    name: str
    type: str
    parent: str
    child: str
    origin: Origin = HERE
    axis: Vector = (1.0, 0.0, 0.0)
    """Unit length."""
    limit: Limit | None = None
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None
    extra: tuple[str, ...] = ()
    """Further children as XML text: safety_controller, calibration, …"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """An `omi_joint`, `omi_link` or `omi_scene`: what URDF has no words for, as JSON text."""

    tag: str
    name: str
    digest: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Robot:
    """A `robot`."""

    name: str = ""
    links: tuple[Link, ...] = ()
    joints: tuple[JointElement, ...] = ()
    extra: tuple[str, ...] = ()
    """Further children as XML text: transmission, gazebo, ros2_control, …"""
    carriers: tuple[Carrier, ...] = ()
