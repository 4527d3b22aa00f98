"""Attributes of a prim by the rows of `schema`, in SI units and radians."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ....core.findings.finding import Finding
from ....core.model.numbers import double
from .prim import Prim
from .rules import WRONG_TYPE
from .schema import ACCELERATION_GAIN, GAIN, NUMBER, ROWS, Row, standard
from .units import Units, factor_of

_ENDLESS = 1e37
"""Number that stands for infinity: files have the largest of single precision, 3.4e38."""
_ANGULAR = ("rot", "angular", "cone")
"""Beginnings of instances that are about an axis."""


@dataclass(slots=True)
class Values:
    """What a prim has of attributes."""

    prim: Prim
    units: Units = field(default_factory=Units)
    findings: list[Finding] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    """Names that were asked for."""

    def get(self, name: str, instance: str = "", default: Any = ...) -> Any:
        """Return a value; of what no reader takes, which is reported, and of nothing the default.

        Without an instance the type of the prim decides whether numbers are along an axis.
        """
        row = ROWS[name]
        own = row.named(instance)
        default = standard(row).default if default is ... else default
        self.used.add(own)
        value = self.prim.get(own, default)
        if value is not default:
            is_endless = row.is_endless or default in (math.inf, -math.inf)
            usable = _usable(value, default, is_endless=is_endless)
            if usable is None:
                found = WRONG_TYPE(self.prim.path, name=own, value=str(value)[:40])
                self.findings.append(found)
            value = default if usable is None else usable
        if row.words:
            words = {word: meaning for meaning, word in row.words}
            return words.get(value, row.words[0][0])
        factor = self.factor(row, instance)
        if factor == 1.0 or isinstance(value, str | bool) or value is None:
            return value
        if isinstance(value, tuple):
            return tuple(part / factor for part in value)
        return value / factor

    def record(self, rows: Iterable[Row], instance: str = "") -> dict[str, Any]:
        """Return the fields that rows are about."""
        return {row.member: self.get(row.name, instance) for row in rows}

    def put(self, name: str, value: Any, instance: str = "") -> None:
        """Set a value, and apply the schema that it belongs to."""
        row = ROWS[name]
        schema, kind, _default, is_uniform = standard(row)
        if schema:
            self.prim.apply(schema.format(instance))
        if not isinstance(value, str | bool):
            factor = self.factor(row, instance)
            is_vector = isinstance(value, tuple)
            value = tuple(part * factor for part in value) if is_vector else value * factor
        self.prim.set(row.named(instance), kind, value, is_uniform=is_uniform)

    def put_record(self, rows: Iterable[Row], record: Any, instance: str = "") -> None:
        """Set what a record has beside defaults."""
        for row in rows:
            value, default = getattr(record, row.member), standard(row).default
            value = dict(row.words).get(value, default) if row.words else value
            if value is not None and (row.is_always or value != default):
                self.put(row.name, value, instance)

    def factor(self, row: Row, instance: str = "") -> float:
        """Return the factor from SI units and radians to those of the attribute."""
        unit = row.unit
        if unit is NUMBER:
            return 1.0
        if unit is GAIN and self.prim.get(f"drive:{instance}:physics:type") == "acceleration":
            unit = ACCELERATION_GAIN
        is_slider = self.prim.type_name == "PhysicsPrismaticJoint"
        is_angular = instance.startswith(_ANGULAR) if instance else not is_slider
        return factor_of(self.units, unit, is_angular=is_angular)


def _usable(value: Any, default: Any, *, is_endless: bool) -> Any:
    """Return a value of the kind of its default; None for any other."""
    if isinstance(default, bool | str):
        return value if isinstance(value, type(default)) else None
    if isinstance(default, tuple):
        parts = tuple(map(double, value)) if isinstance(value, tuple) else (None,)
        is_whole = len(parts) == len(default) or not default
        return parts if is_whole and None not in parts else value if value == default else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_endless and is_number and abs(value) >= _ENDLESS:
        return math.copysign(math.inf, value)
    return double(value)


def bound_in(prim: Prim, name: str, default: float) -> float:
    """Return a number that may be infinite, in the units of the stage."""
    value = _usable(prim.get(name, default), default, is_endless=True)
    return default if value is None else float(value)
