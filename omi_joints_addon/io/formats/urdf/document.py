"""What a URDF document says, element by element. SI units and radians, axes as in the file."""

import math
from collections.abc import Container
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ....core.model.pose import Array

Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)
ONE_AXIS = ("revolute", "continuous", "prismatic")
"""Types of joints that have a position."""
UNLIMITED = 1e6
"""Effort and velocity that say that there is not a limit, since URDF asks for both."""
_GIMBAL = 1e-9
"""Cosine of the pitch below which roll and yaw turn about one axis."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A pose: `origin`."""

    xyz: Vector = ZERO
    rpy: Vector = ZERO
    """About the fixed axes X, then Y, then Z."""

    def matrix(self) -> Array:
        """Return the pose as a matrix, shape (4, 4)."""
        (sr, sp, sy), (cr, cp, cy) = (
            tuple(map(function, self.rpy)) for function in (math.sin, math.cos)
        )
        return np.array(
            (
                (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, self.xyz[0]),
                (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, self.xyz[1]),
                (-sp, cp * sr, cp * cr, self.xyz[2]),
                (0.0, 0.0, 0.0, 1.0),
            )
        )


def origin_of_matrix(matrix: ArrayLike) -> Origin:
    """Return the pose of a rigid matrix (4, 4).

    The pitch comes from atan2, since asin loses half of the digits near a quarter turn; there the
    yaw is 0 and the roll has the whole turn.
    """
    m = np.asarray(matrix, float)
    r = m[:3, :3].tolist()
    cosine = math.hypot(r[0][0], r[1][0])
    pitch = math.atan2(-r[2][0], cosine)
    if cosine > _GIMBAL:
        roll, yaw = math.atan2(r[2][1], r[2][2]), math.atan2(r[1][0], r[0][0])
    else:
        sign = math.copysign(1.0, -r[2][0])
        roll, yaw = math.atan2(sign * r[0][1], r[1][1]), 0.0
    x, y, z = m[:3, 3].tolist()
    return Origin((x, y, z), (roll + 0.0, pitch + 0.0, yaw + 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inertial:
    """Mass and tensor about the origin of `origin`: `inertial`."""

    origin: Origin = Origin()
    mass: float = 0.0
    inertia: tuple[float, float, float, float, float, float] | None = None
    """ixx ixy ixz iyy iyz izz; None is not given."""

    def tensor(self) -> Array | None:
        """Return the tensor in the axes of `origin`, shape (3, 3)."""
        if self.inertia is None:
            return None
        xx, xy, xz, yy, yz, zz = self.inertia
        return np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """A shape: what is in `geometry`. Cylinders and capsules stand on Z."""

    kind: str = "box"
    """box, sphere, cylinder, capsule or mesh."""
    size: Vector = (1.0, 1.0, 1.0)
    radius: float = 0.0
    length: float = 0.0
    """Of a capsule: between the centers of its ends."""
    filename: str = ""
    scale: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A color or texture: `material`."""

    name: str = ""
    color: tuple[float, float, float, float] | None = None
    """As in the file, for a screen."""
    texture: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A `visual` or a `collision`."""

    name: str = ""
    origin: Origin = Origin()
    geometry: Geometry
    material: Material | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A `link`."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Part, ...] = ()
    collisions: tuple[Part, ...] = ()
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
    origin: Origin = Origin()
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


def numbered(name: str, taken: Container[str]) -> str:
    """Return the name with the first number that makes it none of those taken."""
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
