"""Which numbers of a file are used: one policy for every reader.

A number that is not finite or beyond `LARGEST` is reported by the reader, and its default is used.
So products and powers of what was read stay finite wherever they are worked out.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

LARGEST = 1e15
"""In any unit; infinite stiffness, forces and ranges are the default where a file can mean them."""


def is_usable(value: float) -> bool:
    """Return whether a number is finite and at most `LARGEST` in size."""
    return abs(value) <= LARGEST


def are_usable(values: Sequence[float]) -> bool:
    """Return whether `is_usable` holds for each of a few numbers."""
    # Every number of a file passes here; a sum that is usable is one of usable numbers.
    return sum(map(abs, values)) <= LARGEST or all(map(is_usable, values))


def all_usable(values: "ArrayLike") -> bool:
    """Return whether `is_usable` holds for each number of an array of any shape."""
    import numpy as np  # here, since Blender starts without

    with np.errstate(invalid="ignore"):
        return bool((np.abs(values) <= LARGEST).all())


def double(value: object) -> float | None:
    """Return a number as a usable double, None for anything else, such as a truth value."""
    if type(value) is float:
        return value if is_usable(value) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if is_usable(number) else None
