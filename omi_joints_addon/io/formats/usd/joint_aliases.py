"""Attributes of joints that several schemas have, each under a name of its own.

PhysxJointAxisAPI follows PhysxJointAPI; Newton and MuJoCo have schemas of their own. A value that
was read from one of them is written to it again, and to no other.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ....core.model.attributes import JointAttributes
from ....core.model.numbers import double
from .prim import Prim
from .units import DEGREES, Units

_Field = Literal["friction", "armature", "velocity"]


@dataclass(frozen=True, slots=True)
class _Alias:
    """One attribute that means a field of `JointAttributes`."""

    name: str
    field: _Field
    is_si: bool = False
    """Whether angles are in radians, as MuJoCo's are."""

    def factor(self, units: Units, *, is_angular: bool) -> float:
        """Return the factor from SI units and radians to those of the attribute."""
        if self.field == "armature":
            return units.torque if is_angular else units.mass
        if self.field == "friction":
            return units.effort(is_angular=is_angular)
        turn = units.bound(is_angular=is_angular)
        return turn / DEGREES if self.is_si and is_angular else turn


_AXIS = "physxJointAxis:{axis}:"
_ALIASES = (
    _Alias(_AXIS + "armature", "armature"),
    _Alias(_AXIS + "maxJointVelocity", "velocity"),
    _Alias(_AXIS + "staticFrictionEffort", "friction"),
    _Alias(_AXIS + "dynamicFrictionEffort", "friction"),
    _Alias("newton:armature", "armature"),
    _Alias("newton:friction", "friction"),
    _Alias("newton:velocityLimit", "velocity"),
    _Alias("mjc:armature", "armature", is_si=True),
    _Alias("mjc:frictionloss", "friction", is_si=True),
)
_ONE_AXIS = {"PhysicsRevoluteJoint": "angular", "PhysicsPrismaticJoint": "linear"}


TWINS = {
    "physxJoint:jointFriction": "newton:friction",
    "physxJoint:armature": "newton:armature",
    "physxJoint:maxJointVelocity": "newton:velocityLimit",
}
"""Names of Newton that are written beside those of PhysX, with the same value."""


def twins_of(prim: Prim) -> frozenset[str]:
    """Return the names of Newton that only repeat what a prim says in those of PhysX."""
    return frozenset(
        twin
        for name, twin in TWINS.items()
        if twin in prim.attributes and _agrees(prim, name, twin)
    )


def _agrees(prim: Prim, name: str, twin: str) -> bool:
    return name in prim.attributes and prim.attributes[name][1] == prim.attributes[twin][1]


def alias_values(prim: Prim, units: Units) -> dict[str, float]:
    """Return fields of `JointAttributes` by name, in SI units; of several names the last counts."""
    values: dict[str, float] = {}
    for alias, name, factor in _present(prim, units):
        value = double(prim.get(name))
        if value is not None and value >= 0.0:
            values[alias.field] = value / factor
    return values


def update_aliases(prim: Prim, attributes: JointAttributes, units: Units) -> frozenset[str]:
    """Set the names that a prim has to what the joint says by now; return the fields they hold.

    Numbers that say the same stay as they are.
    """
    before = alias_values(prim, units)
    held = set()
    for alias, name, factor in list(_present(prim, units)):
        value = getattr(attributes, alias.field)
        held.add(alias.field)
        if math.isfinite(value) and not math.isclose(value, before.get(alias.field, math.nan)):
            prim.set(name, prim.attributes[name][0], value * factor)
    return frozenset(held)


def _present(prim: Prim, units: Units) -> Iterator[tuple[_Alias, str, float]]:
    axis = _ONE_AXIS.get(prim.type_name)
    for alias in _ALIASES if axis else ():
        name = alias.name.format(axis=axis)
        if name in prim.attributes:
            yield alias, name, alias.factor(units, is_angular=axis == "angular")
