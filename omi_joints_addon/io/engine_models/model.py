"""What an engine makes of a file, in the same words for every engine. SI units, world axes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...core.model.pose import Array

Positions = Mapping[str, float]
"""Positions of joints by name [m or rad]."""


class LoadError(ValueError):
    """A file that an engine refuses; the text is the engine's reason."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineJoint:
    """A joint that moves; None is what the engine does not have."""

    kind: str
    """hinge, slide, ball, or free for several axes."""
    lower: float = -np.inf
    upper: float = np.inf
    effort: float | None = None
    """Largest force or torque [N or N·m]."""
    velocity: float | None = None
    """Largest speed [m/s or rad/s]."""
    stiffness: float | None = None
    """Of springs and drives together [N/m or N·m/rad]."""
    damping: float | None = None
    """Of springs and drives together [N·s/m or N·m·s/rad]."""
    screws: Array
    """Turns and motions that it allows with all joints at zero, in world axes about the world's
    origin: a row of angular and linear velocity for each axis, shape (n, 6).
    """

    @property
    def has_one_axis(self) -> bool:
        """Whether a number says where it is."""
        return self.kind in ("hinge", "slide")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineCollider:
    """The extent of a shape: the points between which it lies, within `radius` of them."""

    points: Array
    """Shape (n, 3) [m]."""
    radius: float = 0.0
    disc: tuple[Array, float] | None = None
    """Axis and radius of the discs about the points that cylinders end with."""

    def extent(self, direction: Array) -> tuple[float, float]:
        """Return the least and greatest place along a unit direction [m]."""
        places = self.points @ direction
        more = self.radius
        if self.disc is not None:
            axis, radius = self.disc
            more += radius * float(np.sqrt(max(0.0, 1.0 - float(axis @ direction) ** 2)))
        return float(places.min()) - more, float(places.max()) + more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineBody:
    """Bodies that move as one."""

    names: frozenset[str]
    path: tuple[str, ...] = ()
    """The joints that move it, from its root on; a free root has none."""
    mass: float | None
    """[kg]; None where the engine works it out of shapes."""
    center: Array
    """[m]"""
    tensor: Array | None
    """About the center, in world axes, shape (3, 3) [kg·m²]."""
    colliders: tuple[EngineCollider, ...] | None = None
    """None where they cannot be loaded."""

    @property
    def joint(self) -> str:
        """The joint that moves it against the body before; empty is a free one."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineModel:
    """A file as an engine loads it."""

    engine: str
    joints: Mapping[str, EngineJoint]
    bodies: Callable[[Positions], tuple[EngineBody, ...]]
    """What moves, with joints at positions, all others at zero."""
    unnamed: frozenset[str] = frozenset()
    """Joints that the file gives no name."""
    actuators: Mapping[str, str] = field(default_factory=dict)
    """What each actuator is, by name: its kind and joint."""
    commanded: frozenset[str] = frozenset()
    """Joints with an actuator."""
    driven: frozenset[str] = frozenset()
    """Joints with a drive, which can be an actuator or a spring."""
    poses: Callable[[Positions], Mapping[str, Array]]
    """World matrices (4, 4) of bodies by name, likewise."""
    fixes_root: bool = False
    """Whether the engine holds a root that the file leaves free, as simulators choose for URDF."""


def screw(axis: Array, anchor: Array, *, turns: bool) -> Array:
    """Return the motion (6,) along or about a unit axis, both in world axes."""
    if turns:
        return np.concatenate((axis, np.cross(anchor, axis)))
    return np.concatenate((np.zeros(3), axis))
