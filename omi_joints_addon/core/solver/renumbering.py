"""Numbers of joints that change while a scene moves, as keys do (`table.NUMBERS`).

The rest of the model stays, so that a step with a keyed motor costs about what one without does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from ..findings.finding import Finding
from ..model.pose import Array
from ..model.scene import Joint, PhysicsScene
from .acting import rows_of_joint
from .table import NUMBERS, RowTable, row_table

_KEPT = tuple(
    each.name
    for each in fields(RowTable)
    if each.name not in (*NUMBERS, "grid", "twice") and not each.name.startswith("has_")
)
"""What all else of a table follows from."""
_SCENE = tuple(each.name for each in fields(PhysicsScene) if each.name not in ("joints", "tracks"))


def renumbered(
    table: RowTable,
    acting: Sequence[int],
    before: PhysicsScene,
    after: PhysicsScene,
    *,
    rigid_locks: bool,
) -> RowTable | None:
    """Return the table of the `acting` joints of a scene with the numbers that it has `after`.

    None where something else differs, or where something about a joint has to be assumed.
    """
    if not _differ_in_settings(before, after):
        return None
    columns = [n for n, each in enumerate(acting) if after.joints[each] is not before.joints[each]]
    found: list[Finding] = []
    rows = (rows_of_joint(after, acting[n], found, rigid_locks=rigid_locks) for n in columns)
    new = row_table(list(rows))
    depth = len(new.form)
    if found or depth > len(table.form) or table.is_row[depth:, columns].any():
        return None
    if not all(
        np.array_equal(getattr(table, name)[:depth, columns], getattr(new, name)) for name in _KEPT
    ):
        return None
    numbers = {name: getattr(table, name).copy() for name in NUMBERS}
    for name, values in numbers.items():
        values[:depth, columns] = getattr(new, name)
    return replace(table, **numbers)


def are_equal(one: Mapping[int, Array] | None, other: Mapping[int, Array] | None) -> bool:
    """Return whether two mappings hold equal arrays."""
    if one is None or other is None or one.keys() != other.keys():
        return one is other
    return all(np.array_equal(array, other[key]) for key, array in one.items())


def _differ_in_settings(before: PhysicsScene, after: PhysicsScene) -> bool:
    """Return whether two scenes are equal but for the settings of joints."""
    pairs = zip(before.joints, after.joints, strict=False)
    return (
        len(before.joints) == len(after.joints)
        and all(_are_equal_but_settings(*pair) for pair in pairs)
        and all(_is_same(getattr(before, name), getattr(after, name)) for name in _SCENE)
    )


def _are_equal_but_settings(one: Joint, other: Joint) -> bool:
    return one is other or replace(one, settings=other.settings) == other


def _is_same(one: object, other: object) -> bool:
    if one is other:
        return True
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)
