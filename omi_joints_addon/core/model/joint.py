"""Joint settings as OMI_physics_joint defines them.

SI units and radians, axes of the attachment frames.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Annotated

_AXES = (0, 1, 2)
Axis = Annotated[int, _AXES]
"""0 X, 1 Y, 2 Z of the joint's attachment frame."""
Axes = Annotated[tuple[int, ...], [each for n in range(4) for each in combinations(_AXES, n)]]
"""Axes of the joint's attachment frame, ascending: 0 X, 1 Y, 2 Z."""


class DriveType(StrEnum):
    """Degree of freedom that a drive acts on; other extensions may specify further values."""

    LINEAR = "linear"
    ANGULAR = "angular"


class DriveMode(StrEnum):
    """What a drive's equation yields; other extensions may specify further values."""

    FORCE = "force"
    ACCELERATION = "acceleration"


_DRIVE_TYPES, _DRIVE_MODES = frozenset(DriveType), frozenset(DriveMode)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointLimit:
    """Allowed range of relative motion along or about a set of axes.

    One axis limits a signed distance or angle, two a distance from a line or a cone's angle, three
    a distance from a point or a rotation's angle (`meaning.metric`). A limit may name linear and
    angular axes at once, as the specification's weld example does: then `min` and `max` hold for
    both.
    """

    linear_axes: Axes = ()
    """Limited linear axes."""
    angular_axes: Axes = ()
    """Limited angular axes."""
    min: float = -math.inf
    """Lower bound [m or rad]; -inf is unbounded."""
    max: float = math.inf
    """Upper bound [m or rad]; inf is unbounded."""
    stiffness: float = math.inf
    """Restoring stiffness beyond the bound [N/m or N·m/rad]; inf is rigid."""
    damping: float = 0.0
    """Damping beyond the bound [N·s/m or N·m·s/rad]."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""

    @property
    def is_rigid(self) -> bool:
        """Whether the bounds are hard."""
        return math.isinf(self.stiffness)

    @property
    def is_locked(self) -> bool:
        """Whether the bounds allow one value only."""
        return self.min == self.max

    def parts(self) -> list[tuple[bool, Axes]]:
        """Return whether each part bounds angles, and its axes: the linear and the angular part."""
        both = ((False, self.linear_axes), (True, self.angular_axes))
        return [(is_angular, axes) for is_angular, axes in both if axes]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointDrive:
    """Force or torque on one degree of freedom: a spring, a motor, or both.

    `stiffness * (position_target - position) + damping * (velocity_target - velocity)`, positions
    and velocities of the connected frame relative to the joint frame (OMI_physics_joint, Joint
    Drives).
    """

    type: str = DriveType.LINEAR
    """A `DriveType`, or a value that another extension specifies."""
    mode: str = DriveMode.FORCE
    """A `DriveMode`, or a value that another extension specifies."""
    axis: Axis = 0
    """Driven axis."""
    max_force: float = math.inf
    """Largest force or torque [N or N·m]; inf is unlimited."""
    position_target: float | None = None
    """Target position or angle [m or rad]; None is not a spring."""
    velocity_target: float | None = None
    """Target velocity [m/s or rad/s]; None is not a motor."""
    stiffness: float = 0.0
    """Scale of the position term [N/m or N·m/rad; per kg or kg·m² in acceleration mode]."""
    damping: float = 0.0
    """Scale of the velocity term [N·s/m or N·m·s/rad; per kg or kg·m² in acceleration mode]."""
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""

    @property
    def acting_stiffness(self) -> float:
        """Stiffness that acts: none without a position target."""
        return 0.0 if self.position_target is None else self.stiffness

    @property
    def acting_damping(self) -> float:
        """Damping that acts: none without any target; a velocity target that is not given is 0."""
        is_free = self.position_target is None and self.velocity_target is None
        return 0.0 if is_free else self.damping

    def reversed(self) -> "JointDrive":
        """Return the drive with targets of the opposite signs."""
        position, velocity = (
            None if target is None else 0.0 - target
            for target in (self.position_target, self.velocity_target)
        )
        return replace(self, position_target=position, velocity_target=velocity)

    @property
    def has_known_type(self) -> bool:
        """Whether the specification has its type."""
        return self.type in _DRIVE_TYPES

    @property
    def is_known(self) -> bool:
        """Whether the specification has its type and its mode."""
        return self.has_known_type and self.mode in _DRIVE_MODES


@dataclass(frozen=True, slots=True, kw_only=True)
class JointSettings:
    """Limits and drives that one or more joints share: an element of `physicsJoints`."""

    name: str = ""
    """Name of the settings object in the document; empty is unnamed."""
    limits: tuple[JointLimit, ...] = ()
    drives: tuple[JointDrive, ...] = ()
    carried: str = ""
    """Members this program does not know, as JSON object text; empty for none."""
