"""A joint that follows another one: `Object.omi_joint.coupling`. SI units and radians."""

import json

import bpy

from .exact import shortest_decimal, single
from .overridable import FloatProperty, PointerProperty, StringProperty
from .stored import Values, values_in

_SHOWN = 2
"""Coefficients that have properties of their own."""


class OMI_PG_joint_coupling(bpy.types.PropertyGroup):
    """Position of the joint as a polynomial of the position of another."""

    source: bpy.types.Object | None = PointerProperty(
        name="Follows",
        description="Joint with one axis whose position determines the position of this one",
        type=bpy.types.Object,
    )
    offset = FloatProperty(
        name="Offset",
        description="Position in meters or radians where the other joint is at zero",
        precision=4,
    )
    multiplier = FloatProperty(
        name="Multiplier",
        description="Movement of this joint for each meter or radian of the other one",
        default=1.0,
        precision=4,
    )
    exact = StringProperty(options={"HIDDEN"})

    def to_core(self) -> tuple[float, ...]:
        """Return the coefficients, lowest power first."""
        return coefficients_in(values_in(self, "omi_joint", "coupling"))

    def from_core(self, source: bpy.types.Object, coefficients: tuple[float, ...]) -> None:
        """Have the joint follow the joint `source` by coefficients, lowest power first."""
        self.source = source
        padded = (*coefficients, 0.0, 0.0)
        self.offset, self.multiplier = padded[:_SHOWN]
        self.exact = json.dumps(list(coefficients))


def coefficients_in(values: Values) -> tuple[float, ...]:
    """Return the coefficients that the properties of a coupling hold, lowest power first."""
    kept = _numbers(values["exact"])
    for number, value in enumerate((values["offset"], values["multiplier"])):
        if len(kept) <= number or single(kept[number]) != value:
            kept[number : number + 1] = [shortest_decimal(value)]
    return tuple(kept)


def _numbers(text: str) -> list[float]:
    """Return the numbers that are kept, none where they are damaged."""
    try:
        found = json.loads(text or "[]", parse_int=float)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) and {*map(type, found)} <= {float} else []
