"""Units of numbers on a stage, and the factors to them from SI units and radians.

A stage has lengths in units of its own, degrees, seconds and masses in units of its own
(UsdPhysics, Units). Stiffness and damping of angular drives are per degree, those of PhysX's soft
limits per radian.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

DEGREES = 180.0 / math.pi


class Unit(NamedTuple):
    """Powers of the units of a stage that a number is in."""

    mass: int = 0
    length: int = 0
    degrees: int = 0


class AxisUnit(NamedTuple):
    """Units of a number that is along an axis or about it."""

    linear: Unit
    angular: Unit


@dataclass(frozen=True, slots=True)
class Units:
    """Units of a stage."""

    meters: float = 1.0
    """Meters per unit of length."""
    kilograms: float = 1.0
    """Kilograms per unit of mass."""


@lru_cache(maxsize=1024)
def factor_of(units: Units, unit: Unit | AxisUnit, *, is_angular: bool = False) -> float:
    """Return the factor of numbers in a unit from SI units and radians to those of a stage."""
    if isinstance(unit, AxisUnit):
        unit = unit.angular if is_angular else unit.linear
    mass, length = 1.0 / units.kilograms, 1.0 / units.meters
    factor = mass**unit.mass
    factor = factor / length**-unit.length if unit.length < 0 else factor * length**unit.length
    return factor / DEGREES if unit.degrees < 0 else factor * DEGREES**unit.degrees
