"""What a URDF document says, element by element. SI units and radians, axes as in the file."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ....core.model.pose import Array
from ....core.model.settled import DECIMALS, settled

Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)
ONE_AXIS = ("revolute", "continuous", "prismatic")
"""Types of joints that have a position."""
UNLIMITED = 1e6
"""Effort and velocity that say that there is not a limit, since URDF asks for both."""
_GIMBAL = 1e-9
"""Cosine of the pitch below which roll and yaw turn about one axis."""


class Origin(NamedTuple):
    """A pose: `origin`."""

    xyz: Vector = ZERO
    rpy: Vector = ZERO
    """About the fixed axes X, then Y, then Z."""

    def matrix(self) -> Array:
        """Return the pose as a matrix, shape (4, 4)."""
        return np.asarray(matrices_of_origins([self])[0])


HERE = Origin()


def matrices_of_origins(origins: Sequence[Origin]) -> Array:
    """Return poses as matrices, shape (n, 4, 4)."""
    angles = [angle for origin in origins for angle in origin.rpy]
    # Those of numpy differ between processors in the last digit.
    (sr, sp, sy), (cr, cp, cy) = (
        np.array(list(map(function, angles))).reshape(-1, 3).T for function in (math.sin, math.cos)
    )
    matrices = np.zeros((len(origins), 4, 4))
    matrices[:, 0, 0], matrices[:, 1, 0], matrices[:, 2, 0] = cy * cp, sy * cp, -sp
    matrices[:, 0, 1], matrices[:, 0, 2] = cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    matrices[:, 1, 1], matrices[:, 1, 2] = sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    matrices[:, 2, 1], matrices[:, 2, 2] = cp * sr, cp * cr
    matrices[:, :3, 3] = np.array([origin.xyz for origin in origins]).reshape(-1, 3)
    matrices[:, 3, 3] = 1.0
    return matrices


def origins_of_matrices(matrices: ArrayLike) -> list[Origin]:
    """Return the poses of rigid matrices (n, 4, 4), without the digits that rounding leaves.

    The pitch comes from atan2, since asin loses half of the digits near a quarter turn. There the
    yaw loses digits, too: it has fewer the nearer that is, at last none, and the roll completes it.
    """
    m = np.asarray(matrices, float).reshape(-1, 4, 4)
    cosine = np.hypot(m[:, 0, 0], m[:, 1, 0])
    pitch = np.arctan2(-m[:, 2, 0], cosine)
    yaw = np.where(cosine > _GIMBAL, np.arctan2(m[:, 1, 0], m[:, 0, 0]), 0.0)
    yaw = _rounded(yaw, np.floor(DECIMALS + np.log10(np.maximum(cosine, _GIMBAL))))
    # The second row of the rotation without its yaw has the sine and the cosine of the roll.
    across = np.cos(yaw)[:, None] * m[:, 1, :3] - np.sin(yaw)[:, None] * m[:, 0, :3]
    roll = np.arctan2(-across[:, 2], across[:, 1])
    angles = np.column_stack((_rounded(roll, DECIMALS), pitch.round(DECIMALS) + 0.0, yaw))
    places = settled(m[:, :3, 3])
    return list(map(_origin, places.tolist(), angles.tolist()))


def _rounded(angles: Array, decimals: ArrayLike) -> Array:
    """Return angles with some decimals, half a turn in one direction only."""
    power = 10.0 ** np.asarray(decimals, float)
    found = np.rint(angles * power) / power + 0.0
    return np.where(np.abs(found) + 0.5 / power >= math.pi, math.pi, found)


def _origin(xyz: list[float], rpy: list[float]) -> Origin:
    return Origin((xyz[0], xyz[1], xyz[2]), (rpy[0], rpy[1], rpy[2]))


def origin_of_matrix(matrix: ArrayLike) -> Origin:
    """Return the pose of a rigid matrix (4, 4)."""
    return origins_of_matrices(matrix)[0]


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


def numbered(name: str, taken: Container[str]) -> str:
    """Return the name with the first number that makes it none of those taken."""
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
