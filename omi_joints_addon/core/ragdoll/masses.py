"""Masses of the bodies of a ragdoll: by the shares of a human's parts, or by volume."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..model.pose import Array
from .parts import Segment
from .plan import PlannedBody

SHARES: Mapping[Segment, float] = {
    Segment.HEAD: 6.9,
    Segment.CHEST: 16.0,
    Segment.SPINE: 16.3,
    Segment.HIPS: 11.2,
    Segment.UPPER_ARM: 2.7,
    Segment.LOWER_ARM: 1.6,
    Segment.HAND: 0.6,
    Segment.UPPER_LEG: 14.2,
    Segment.LOWER_LEG: 4.3,
    Segment.FOOT: 1.4,
}
"""Percent of the mass of a man (de Leva 1996)."""
_MOST = 8.0
"""Most times that a body weighs the bodies below it: solvers stretch joints of unlike masses."""


def masses(
    bodies: Sequence[PlannedBody], volumes: Sequence[float], total: float, *, by_part: bool
) -> Array:
    """Return the mass of each body [kg], parents first; all weigh `total` together.

    `volumes` are of the shapes [m³]. By part, bodies without a part weigh as their volume does.
    """
    found = np.maximum(np.asarray(volumes, float), 1e-9)
    if by_part:
        shares = np.array([SHARES[b.place.part] if b.place else 0.0 for b in bodies])
        known = shares > 0.0
        density = shares[known].sum() / found[known].sum() if known.any() else 1.0
        found = np.where(known, shares, density * found)
    for number, body in enumerate(bodies):
        if body.parent >= 0:
            found[number] = max(found[number], found[body.parent] / _MOST)
    return np.asarray(found * (total / found.sum()))
