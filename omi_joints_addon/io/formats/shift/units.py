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


def in_units(document: JsonObject, units: Units) -> None:
    """Bring a document that this program writes in SI to other units."""
    if units == Units():
        return
    stack = list(document["assemblies"])
    _frames_in_units(document.get("fixed", document), units)
    while stack:
        assembly = stack.pop()
        turns = {each["name"]: _is_angular(each) for each in assembly["joints"]}
        for body in assembly["bodies"]:
            _body_in_units(body, units)
        for joint in assembly["joints"]:
            _joint_in_units(joint, units)
        for restraint in assembly.get("restraints", ()):
            joint = restraint.get("joint")
            if joint in turns or "knot_points" in restraint:
                _restraint_in_units(restraint, units, is_angular=turns.get(joint, False))
        stack += assembly.get("assemblies", ())


def _is_angular(joint: JsonObject) -> bool:
    return joint["type"] == "revolute" or str(joint["type"]).startswith("R")


def _frames_in_units(body: JsonObject, units: Units) -> None:
    for frame in body.get("frames", ()):
        frame["T"] = [value / units.length for value in frame["T"]]


def _body_in_units(body: JsonObject, units: Units) -> None:
    _frames_in_units(body, units)
    body["center_of_mass"] = [value / units.length for value in body["center_of_mass"]]
    for holder in (body, body.get("inertia", {}), body.get("moment_of_inertia", {})):
        for name, value in holder.items():
            if name == "mass":
                holder[name] = value / units.mass
            elif isinstance(value, float) and name.startswith("I"):
                holder[name] = value / (units.mass * units.length**2)


def _joint_in_units(joint: JsonObject, units: Units) -> None:
    is_angular = _is_angular(joint)
    position = units.position(is_angular=is_angular)
    stiffness, damping = (
        units.stiffness(is_angular=is_angular),
        units.damping(is_angular=is_angular),
    )
    rest, speed = joint["initial_displacement"], joint.get("initial_velocity")
    if isinstance(rest, float):
        joint["initial_displacement"] = rest / position
    elif "T" in rest:
        rest["T"] = [value / units.length for value in rest["T"]]
    if isinstance(speed, float):
        joint["initial_velocity"] = speed * units.time / position
    elif speed is not None:
        factors = (*3 * (units.length,), *3 * (units.angle,))
        joint["initial_velocity"] = [
            v * units.time / f for v, f in zip(speed, factors, strict=True)
        ]
    for name, factor in (("stiffness", stiffness), ("damping", damping)):
        powers = ((factor * position) if name == "stiffness" else factor, factor)
        if name in joint:
            joint[name][:2] = [v / f for v, f in zip(joint[name], powers, strict=False)]


def _restraint_in_units(restraint: JsonObject, units: Units, *, is_angular: bool) -> None:
    position = units.position(is_angular=is_angular)
    is_damper = restraint["type"] == "damper"
    rate = (units.damping if is_damper else units.stiffness)(is_angular=is_angular)
    restraint["knot_points"] = [value / position for value in restraint["knot_points"]]
    for line in restraint["coefficients"]:
        # The last one is constant.
        powers = range(len(line) - 1 + is_damper, -1 + is_damper, -1)
        factors = [rate * position ** (1 - power) for power in powers]
        line[:] = [value / factor for value, factor in zip(line, factors, strict=True)]
