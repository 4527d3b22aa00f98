"""Positions of joints with one axis, which URDF and SDF count from the pose at rest.

Axes are 0 to 2 along and 3 to 5 about those of the joint's frame, positions in [m] and [rad].
"""

import math

from ...core.findings.sentence import Sentence
from ...core.meaning.authored import authored_angle
from ...core.meaning.axes import Interval
from ...core.model.attributes import JointAttributes
from ...core.model.pose import Pose
from ..documents.number_words import counted_from

_NOTHING = 1e-6
"""Position at rest that is nothing but single precision."""
_TURNS = 3
"""First of the axes about which a joint turns."""


def rest_of(pose: Pose, axis: int, zero: float, own: Interval) -> float:
    """Return the position at rest as the author of a joint counts, from `zero` of its limits.

    `pose` is that of the connected node in the joint node, `own` the range of the axis.
    """
    if axis < _TURNS:
        rest = float(pose.position[axis])
    else:
        angle = 2.0 * math.atan2(pose.rotation[axis - _TURNS], pose.rotation[3])
        rest = authored_angle(math.remainder(angle, 2.0 * math.pi), zero, own)
    return 0.0 if abs(rest) < _NOTHING else rest


def moved_zero(label: str, axis: int, rest: float) -> Sentence:
    """Return by how much a format counts otherwise than the author, to whom rest is `rest`."""
    shown = f"{math.degrees(rest):.4g}°" if axis >= _TURNS else f"{rest:.4g} m"
    text = "moved by {by}: {label} counts from the pose at rest"
    return Sentence(text, by=shown, label=label)


def bounds_from_rest(
    own: Interval, attributes: JointAttributes, axis: int, rest: float, *, far: float = math.inf
) -> tuple[float, float] | None:
    """Return the bounds counted from `rest`, at most `far` away; None for a free axis."""
    whole = attributes.whole_range
    if axis >= _TURNS and own.is_free and whole is not None:
        return counted_from(rest, whole[0]), counted_from(rest, whole[1])
    if own.is_free or own.min > own.max:
        return None
    start = rest - attributes.zero
    return counted_from(start, max(own.min, -far)), counted_from(start, min(own.max, far))
