"""Checks of limits: bounds that look like degrees, millimeters or rounding."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from ..findings.finding import INFO, Rule, rule
from ..findings.words import amount
from ..model.graph import Mask
from ..model.pose import Array
from .settings_columns import LimitColumns

Words = Callable[[int], dict[str, str]]
"""The values of a finding's sentence, by row of the columns."""
_MOST_DEGREES = 720.0
_FAR = 100.0
"""Distance that few joints allow [m]."""
_ROUNDING = 1e-6
"""Range [m or rad] that nobody means."""

LOOKS_LIKE_DEGREES = rule(
    "OMI-J113",
    INFO,
    "limit {number} has bounds of {numbers} rad, which look like degrees; 90° is 1.5708 rad",
    reason="OMI_physics_joint: angles are in radians; whole numbers beyond a turn are unusual.",
)
LOOKS_LIKE_MILLIMETERS = rule(
    "OMI-J114",
    INFO,
    "limit {number} reaches {distance}; if that is too far, its bounds may be in millimeters",
    reason="OMI_physics_joint: distances are in meters.",
)
LOOKS_LIKE_ROUNDING = rule(
    "OMI-J115",
    INFO,
    "limit {number} allows a range of {width}, which looks like rounding; give it twice the same "
    "bound to lock it",
    reason="OMI_physics_joint: an axis is locked where min and max are the same number. Engines "
    "compare them exactly, and simulate the smallest range as one that moves.",
)


def implausible_bounds(limits: LimitColumns) -> Iterator[tuple[Rule, Mask, Words]]:
    """Yield each rule with the limits that break it, and the values of its sentence."""
    finite = [np.where(np.isfinite(bound), bound, 0.0) for bound in (limits.min, limits.max)]
    are_whole = np.logical_and(*(bound == np.round(bound) for bound in finite))
    widest, width = farther_bound(limits), limits.max - limits.min
    is_turned = (np.abs(widest) > math.tau) & (np.abs(widest) <= _MOST_DEGREES)

    def numbers(row: int) -> dict[str, str]:
        bounds = (float(limits.min[row]), float(limits.max[row]))
        return {"numbers": " and ".join(f"{bound:g}" for bound in bounds if math.isfinite(bound))}

    yield LOOKS_LIKE_DEGREES, (limits.angular > 0) & are_whole & is_turned, numbers
    yield (
        LOOKS_LIKE_MILLIMETERS,
        (limits.linear > 0) & (np.abs(widest) >= _FAR),
        lambda row: {"distance": amount(abs(widest[row]), is_angular=False)},
    )
    yield (
        LOOKS_LIKE_ROUNDING,
        (width > 0.0) & (width < _ROUNDING),
        lambda row: {"width": f"{width[row]:.1g} {'rad' if limits.angular[row] else 'm'}"},
    )


def farther_bound(limits: LimitColumns) -> Array:
    """Return the bound of each limit that is farther from zero, 0 where there is none."""
    lower, upper = (np.where(np.isfinite(bound), bound, 0.0) for bound in (limits.min, limits.max))
    return np.where(np.abs(lower) >= np.abs(upper), lower, upper)
