"""Attributes of joints that several schemas have, each under a name of its own.

PhysxJointAxisAPI follows PhysxJointAPI; Newton and MuJoCo have schemas of their own. A value that
was read from one of them is written to it again, and to no other.
"""

import math
from collections.abc import Iterator

from ....core.model.attributes import JointAttributes
from ....core.model.numbers import double
from .prim import Prim
from .schema import ALIASES, JOINT, Row
from .values import Values

INSTANCES = {"PhysicsRevoluteJoint": "angular", "PhysicsPrismaticJoint": "linear"}
"""Instance of the schemas of a joint with one axis, by its type."""
_TWINS = {
    row.name: alias.name
    for row in JOINT
    for alias in ALIASES
    if alias.member == row.member and alias.name.startswith("newton:")
}
"""Names of Newton that are written beside those of PhysX, with the same value."""


def twins_of(prim: Prim) -> frozenset[str]:
    """Return the names of Newton that only repeat what a prim says in those of PhysX."""
    return frozenset(
        twin
        for name, twin in _TWINS.items()
        if twin in prim.attributes and prim.get(twin) == prim.get(name)
    )


def alias_values(values: Values) -> dict[str, float]:
    """Return fields of `JointAttributes` by name; of several names the last counts."""
    found: dict[str, float] = {}
    for row, name, factor in _present(values):
        value = double(values.prim.get(name))
        if value is not None and value >= 0.0:
            found[row.member] = value / factor
    return found


def put_attributes(values: Values, attributes: JointAttributes) -> None:
    """Set what a joint has beside defaults: under the names that the prim has, else PhysX's.

    Numbers that say the same stay as they are.
    """
    prim, before, held = values.prim, alias_values(values), set[str]()
    for row, name, factor in list(_present(values)):
        value = getattr(attributes, row.member)
        held.add(row.member)
        if math.isfinite(value) and not math.isclose(value, before.get(row.member, math.nan)):
            prim.set(name, prim.attributes[name][0], value * factor)
    values.put_record((row for row in JOINT if row.member not in held), attributes)
    for name, twin in _TWINS.items() if prim.type_name in INSTANCES else ():
        if name in prim.attributes and twin not in prim.attributes:
            prim.set(twin, *prim.attributes[name])


def _present(values: Values) -> Iterator[tuple[Row, str, float]]:
    instance = INSTANCES.get(values.prim.type_name, "")
    for row in ALIASES if instance else ():
        name = row.named(instance)
        if name in values.prim.attributes:
            yield row, name, values.factor(row)
