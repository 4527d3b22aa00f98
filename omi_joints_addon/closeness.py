"""When values count as equal within rounding."""

import math
from typing import Any, NamedTuple

_SMALLEST = 1e-3
"""Size that an array has at least: below it, what its numbers differ by is compared with this."""


class Tolerance(NamedTuple):
    """By how much equal numbers may differ: the larger of two bounds counts."""

    relative: float
    """Part of the larger number."""
    absolute: float


WRITTEN = Tolerance(1e-6, 1e-12)
"""Numbers as texts have them, however small they are."""
SINGLE = Tolerance(1e-6, 1e-7)
"""Numbers in single precision, such as parts of a unit vector in a USD layer."""
READ = Tolerance(1e-6, 1e-6)
"""Numbers of two scenes, of which one was written and read again."""
SCALED = Tolerance(1e-4, 0.0)
"""Factors of scale: Blender's matrices of turned bones without one have such as 1.000024."""
SIMULATED = Tolerance(2e-5, 2e-5)
"""Numbers of which an engine has worked out one in single precision."""


def is_close(one: Any, other: Any, tolerance: Tolerance = WRITTEN) -> bool:
    """Return whether values are equal, numbers within a tolerance.

    Members and parts are compared one by one; an array counts as one number, its largest.
    """
    has_float = isinstance(one, float) or isinstance(other, float)
    if has_float and isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=tolerance.relative, abs_tol=tolerance.absolute)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(is_close(*pair, tolerance) for pair in pairs)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            is_close(value, other[name], tolerance) for name, value in one.items()
        )
    if hasattr(one, "shape"):
        import numpy as np  # Blender starts without it

        size = max(_SMALLEST, float(np.abs(one).max(initial=0.0)))
        return bool(np.abs(one - other).max(initial=0.0) <= tolerance.relative * size)
    return bool(one == other)
