"""Numbers between Blender's single precision properties and the doubles of files.

A number read from a file is remembered as a double beside the property that holds it, and given
back as long as the property still holds what it held then; any other number is the shortest decimal
of its single precision.
"""

import json
from collections.abc import Iterable, Mapping
from ctypes import c_float
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Protocol

    class Remembering(Protocol):
        """A property group with a text that these functions keep for it."""

        exact: str


_LARGEST_EXACT = 2.0**24
"""Integers below are what they are in single precision, and their own shortest decimals."""


def single(value: float) -> float:
    """Return a number in single precision, as Blender holds it."""
    return c_float(value).value


def shortest_decimal(value: float) -> float:
    """Return the double whose decimal form is the shortest that is `value` in single precision."""
    if abs(value) < _LARGEST_EXACT and value == int(value):
        return float(value)
    return _shortest_of_single(value)


@lru_cache(maxsize=16384)
def _shortest_of_single(value: float) -> float:
    import numpy as np

    return float(str(np.float32(value)))


def shortest_decimals(values: Iterable[float]) -> tuple[float, ...]:
    """Return `shortest_decimal` of each."""
    return tuple(map(shortest_decimal, values))


def remember(group: "Remembering", values: Mapping[str, float | tuple[float, ...]]) -> None:
    """Set number and vector properties of `group` to doubles, remember what they cannot hold.

    `group` has a text property `exact`; numbers out of a property's range are clamped by Blender
    and come back whole all the same.
    """
    lost: dict[str, tuple[Any, Any]] = {}
    for name, value in values.items():
        held = getattr(group, name)
        is_number = isinstance(held, float)
        if (held if is_number else tuple(held)) != value:
            setattr(group, name, value)
            held = getattr(group, name)
        if (shortest_decimal(held) if is_number else shortest_decimals(held)) != value:
            lost[name] = (held if is_number else tuple(held), value)
    change(group, "exact", json.dumps(lost) if lost else "")


def change(group: Any, name: str, value: Any) -> None:
    """Set a property of `group` where it has another value: one that is left alone costs no data.

    Not for vectors, whose values Blender does not compare.
    """
    if getattr(group, name) != value:
        setattr(group, name, value)


def recalled(held: float, name: str, remembered: Mapping[str, list[Any]]) -> float:
    """Return the double that a file should get for what a number property holds."""
    if name in remembered and remembered[name][0] == held:
        exact: float = remembered[name][1]
        return exact
    return shortest_decimal(held)


def recalled_vector(
    held: tuple[float, ...], name: str, remembered: Mapping[str, list[Any]]
) -> tuple[float, ...]:
    """Return the doubles that a file should get for what a vector property holds."""
    if name in remembered and remembered[name][0] == list(held):
        return tuple(remembered[name][1])
    return shortest_decimals(held)


def exact_numbers(exact: str) -> dict[str, list[Any]]:
    """Return the numbers that `remember` keeps in the text `exact`, by name: [held, exact].

    Both are numbers, or lists of as many numbers; what is damaged is left out.
    """
    if not exact:
        return {}
    try:
        found = json.loads(exact, parse_int=lambda digits: float(int(digits)))
    except (ValueError, OverflowError, RecursionError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {name: pair for name, pair in pairs if _is_pair(pair)}


def _is_pair(pair: object) -> bool:
    if not isinstance(pair, list) or len(pair) != 2:
        return False
    if type(pair[0]) is type(pair[1]) is float:
        return True
    are_lists = type(pair[0]) is type(pair[1]) is list and len(pair[0]) == len(pair[1])
    return are_lists and {*map(type, chain(*pair))} == {float}
