"""Factors from SI units and radians to the units of a stage.

A stage has lengths in units of its own, degrees, seconds and masses in units of its own
(UsdPhysics, Units). Stiffness and damping of angular drives are per degree, those of PhysX's soft
limits per radian.
"""

import math
from dataclasses import dataclass

DEGREES = 180.0 / math.pi


@dataclass(frozen=True, slots=True)
class Units:
    """Units of a stage; each property is the factor from SI to the stage."""

    meters: float = 1.0
    """Meters per unit of length."""
    kilograms: float = 1.0
    """Kilograms per unit of mass."""

    @property
    def length(self) -> float:
        """Distances, and linear velocities."""
        return 1.0 / self.meters

    @property
    def mass(self) -> float:
        """Masses; also stiffness and damping along an axis."""
        return 1.0 / self.kilograms

    @property
    def force(self) -> float:
        """Forces along an axis."""
        return self.mass * self.length

    @property
    def torque(self) -> float:
        """Torques and moments of inertia; also stiffness and damping per radian."""
        return self.mass * self.length**2

    def bound(self, *, is_angular: bool) -> float:
        """Return the factor of limits, targets and velocities of one axis."""
        return DEGREES if is_angular else self.length

    def effort(self, *, is_angular: bool) -> float:
        """Return the factor of the largest force or torque."""
        return self.torque if is_angular else self.force

    def drive(self, *, is_angular: bool, is_acceleration: bool) -> float:
        """Return the factor of stiffness and damping of a drive."""
        if is_acceleration:
            return 1.0 / DEGREES if is_angular else 1.0
        return self.torque / DEGREES if is_angular else self.mass

    def spring(self, *, is_angular: bool) -> float:
        """Return the factor of stiffness and damping of a soft limit of PhysX."""
        return self.torque if is_angular else self.mass
