"""Numbers between Blender's single precision properties and the doubles of files.

A number read from a file is remembered as a double beside the property that holds it, and given
back as long as the property still holds what it held then; any other number is the shortest decimal
of its single precision.
"""

import json
from typing import Any

import numpy as np


def shortest_decimal(value: float) -> float:
    """Return the double whose decimal form is the shortest that is `value` in single precision."""
    return float(str(np.float32(value)))


def remember(group: Any, values: dict[str, float]) -> None:
    """Set the number properties of `group` to doubles and remember those that they cannot hold.

    `group` has a text property `exact`; numbers out of a property's range are clamped by Blender
    and come back whole all the same.
    """
    lost: dict[str, tuple[float, float]] = {}
    for name, value in values.items():
        setattr(group, name, value)
        held = getattr(group, name)
        if shortest_decimal(held) != value:
            lost[name] = (held, value)
    group.exact = json.dumps(lost) if lost else ""


def recall(group: Any, name: str, remembered: dict[str, list[float]]) -> float:
    """Return the number property `name` of `group` as the double that a file should get."""
    held: float = getattr(group, name)
    if name in remembered and remembered[name][0] == held:
        return remembered[name][1]
    return shortest_decimal(held)


def remembered(group: Any) -> dict[str, list[float]]:
    """Return what `remember` noted on `group`: name to [held, exact]."""
    return json.loads(group.exact) if group.exact else {}
