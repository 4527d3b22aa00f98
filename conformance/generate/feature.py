"""One feature: a static base, a body, a joint between them, and where the body must be.

The joint's frame is on the body, the connected frame on the base. Values are those that limits
measure: the connected frame as seen from the joint's frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .laws import Law

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
X, Y, Z = range(3)
BASE = np.array((0.5, 2.0, -0.25))
"""Where the connected frame is [m]: at the origin of the base."""
LENGTH = 0.5
MASS = 2.0
MOMENT = 0.03
"""Moments of inertia of the body about its center [kg·m²]."""
ABOUT_JOINT = MOMENT + MASS * LENGTH**2


def along(axis: int, length: float = 1.0) -> Vector:
    """Return a vector along an axis."""
    x, y, z = (length * np.eye(3)[axis]).tolist()
    return x, y, z


def level(axis: int) -> Array:
    """Return a frame whose axis is level, along Z; the one after the next is up."""
    return _columns(axis, ((0, 0, 1), (1, 0, 0), (0, 1, 0)))


def upright(axis: int) -> Array:
    """Return a frame whose axis points up."""
    return _columns(axis, ((0, 1, 0), (0, 0, 1), (1, 0, 0)))


def inverted(axis: int) -> Array:
    """Return a frame whose axis points down."""
    return _columns(axis, ((0, -1, 0), (0, 0, 1), (-1, 0, 0)))


def _columns(axis: int, directions: Sequence[Vector]) -> Array:
    matrix = np.zeros((3, 3))
    for step, direction in enumerate(directions):
        matrix[:, (axis + step) % 3] = direction
    return matrix


def turn(axis: int, angle: float) -> Array:
    """Return a rotation about an axis, as a matrix."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[second, second] = matrix[third, third] = np.cos(angle)
    matrix[third, second], matrix[second, third] = np.sin(angle), -np.sin(angle)
    return matrix


@dataclass(frozen=True, kw_only=True)
class Part:
    """What of the connected frame's pose changes: along or about one axis, by a law."""

    law: Law
    axis: int
    is_angular: bool


@dataclass(frozen=True, kw_only=True)
class Animated:
    """A number of the settings that changes over time, as a channel of KHR_animation_pointer."""

    member: str
    """Pointer within the settings, such as "drives/0/velocityTarget"."""
    times: tuple[float, ...]
    """[s]."""
    values: tuple[float, ...]
    """As glTF has them: in-tangent, value and out-tangent of each key of a cubic spline."""
    interpolation: str = "STEP"


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One joint with one moving body."""

    name: str
    title: str
    words: tuple[str, ...]
    """What a reader has to know, for searches."""
    frame: Array
    """Axes of the connected frame, as columns in the world."""
    limits: list[dict[str, Any]] = field(default_factory=list)
    drives: list[dict[str, Any]] = field(default_factory=list)
    arm: Vector = (0.0, 0.0, 0.0)
    """Center of the body in the joint's frame [m]."""
    motion: dict[str, Any] = field(default_factory=dict)
    """Members of the body's motion beside mass and inertia."""
    animated: tuple[Animated, ...] = ()
    parts: tuple[Part, ...] = ()
    start: tuple[Part, ...] | None = None
    """Pose at the start; None is that of `parts` at time 0."""
    times: tuple[float, ...] = (0.5, 1.0, 2.0)
    resting: float = 0.0
    """Time [s] from which the body rests."""
    parent: dict[str, Any] | None = None
    """Transform of a node above all others."""
    both_kinds: bool = False
    """Whether a limit names linear and angular axes, which KHR does not allow."""

    def relative(self, time: float, parts: tuple[Part, ...]) -> tuple[Array, Array]:
        """Return position and rotation (3, 3) of the connected frame in the joint's frame."""
        position, rotation = np.zeros(3), np.eye(3)
        for part in parts:
            value = part.law(time)
            if part.is_angular:
                rotation = rotation @ turn(part.axis, value)
            else:
                position[part.axis] += value
        return position, rotation

    def joint_pose(self, time: float, *, at_start: bool = False) -> tuple[Array, Array]:
        """Return position and rotation of the joint's frame in the world."""
        parts = self.start if at_start and self.start is not None else self.parts
        position, rotation = self.relative(time, parts)
        world = self.frame @ rotation.T
        return BASE - world @ position, world

    def body_pose(self, time: float, *, at_start: bool = False) -> tuple[Array, Array]:
        """Return position and rotation of the body in the world; its axes are the joint's."""
        position, rotation = self.joint_pose(time, at_start=at_start)
        return position + rotation @ np.array(self.arm), rotation


def quaternion(matrix: Array) -> list[float]:
    """Return a rotation matrix as a quaternion x y z w whose w is not negative."""
    x, y, z = (
        matrix[2, 1] - matrix[1, 2],
        matrix[0, 2] - matrix[2, 0],
        matrix[1, 0] - matrix[0, 1],
    )
    w = np.sqrt(max(0.0, 1.0 + np.trace(matrix))) / 2.0
    if w > 1e-6:
        return plain((x / (4 * w), y / (4 * w), z / (4 * w), w))
    values, vectors = np.linalg.eigh(matrix + matrix.T)
    vector = vectors[:, int(np.argmax(values))]
    vector *= np.sign(vector[int(np.argmax(np.abs(vector)))])
    return plain((*vector, 0.0))


def plain(values: Sequence[float] | Array) -> list[float]:
    """Return numbers rounded so that files are the same on every processor."""
    return [round(float(value), 9) + 0.0 for value in values]
