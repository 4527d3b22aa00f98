"""Units of a Shift file as factors to SI."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ....core.findings.finding import Finding
from ....core.model.plain import JsonObject
from .rules import UNKNOWN_UNIT

_FACTORS: Mapping[str, Mapping[str, float]] = {
    "angle": {"radian": 1.0, "rad": 1.0, "degree": math.radians(1.0), "deg": math.radians(1.0)},
    "length": {
        "meter": 1.0,
        "metre": 1.0,
        "m": 1.0,
        "millimeter": 1e-3,
        "mm": 1e-3,
        "centimeter": 1e-2,
        "cm": 1e-2,
        "inch": 0.0254,
        "in": 0.0254,
        "foot": 0.3048,
        "feet": 0.3048,
        "ft": 0.3048,
    },
    "mass": {"kilogram": 1.0, "kg": 1.0, "gram": 1e-3, "g": 1e-3, "pound": 0.45359237},
    "time": {"second": 1.0, "s": 1.0, "sec": 1.0, "millisecond": 1e-3, "ms": 1e-3},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """What one of each unit of the file is in SI."""

    angle: float = 1.0
    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0

    def position(self, *, is_angular: bool) -> float:
        """Return the factor of a joint's position."""
        return self.angle if is_angular else self.length

    def stiffness(self, *, is_angular: bool) -> float:
        """Return the factor of a force or torque by a joint's position."""
        force = self.mass * self.length / self.time**2
        return force * self.length / self.angle if is_angular else force / self.length

    def damping(self, *, is_angular: bool) -> float:
        """Return the factor of a force or torque by a joint's velocity."""
        return self.stiffness(is_angular=is_angular) * self.time


def units_of(document: JsonObject, findings: list[Finding]) -> Units:
    """Return the units of a document, SI where none are named."""
    parameters = document.get("model_parameters")
    named = parameters.get("units") if isinstance(parameters, dict) else None
    factors: dict[str, float] = {}
    for quantity, known in _FACTORS.items():
        unit = named.get(quantity) if isinstance(named, dict) else None
        if unit is None:
            continue
        word = str(unit).lower()
        factor = known.get(word, known.get(word.removesuffix("s")))
        if factor is None:
            place = f"/model_parameters/units/{quantity}"
            findings.append(UNKNOWN_UNIT(place, unit=str(unit)[:40], quantity=quantity))
        else:
            factors[quantity] = factor
    return Units(**factors)
